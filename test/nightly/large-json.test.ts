/** JSON that is larger than the memory, or than the limit of an entry. */
import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { after, suite, test } from 'node:test';
import { runCliProcess } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { composeUrl, createItem, createMeeting, createPaper } from '../support/oparl-builders.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const mebibyte = 'x'.repeat(1024 * 1024);

suite('a list that is larger than the memory is imported from', { concurrency: 1 }, () => {
  const request = (n: number) => ({
    service_request_id: String(n),
    service_name: 'Pothole',
    requested_datetime: '2026-03-01T09:15:00Z',
    notes: mebibyte,
  });
  const proposal = (n: number) => ({
    id: String(n),
    title: 'A title',
    summary: 'A text',
    public_created_at: '2026-03-01T09:15:00Z',
    notes: mebibyte,
  });
  const entries = (create: (n: number) => object) => [
    ...Array.from({ length: 70 }, (_, n) => create(n)),
    'no object',
  ];
  const edges = entries(proposal).map((node) => ({ node }));
  for (const [format, path, content] of [
    ['open311', 'service_requests', { service_requests: entries(request) }],
    ['consul', 'data.proposals.edges', { data: { proposals: { edges } } }],
  ] as const) {
    test(path, async () => {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, JSON.stringify(content), {
        format,
        name: 'x.json',
        // Less than the file with its 70 MiB.
        environment: { NODE_OPTIONS: '--max-old-space-size=60' },
        asProcess: true,
      });
      assertCounts(result, { inserted: 70, rejected: 1 });
    });
  }
});

test('results of OParl papers that are not published may be larger than the memory', async () => {
  const town = await harness.createMunicipality();
  const items = Array.from({ length: 70 }, (_, n) =>
    createItem(n + 2, { meeting: composeUrl('meetings', 1), result: mebibyte }),
  );
  const published = createItem(1, { meeting: composeUrl('meetings', 1), result: 'beschlossen' });
  const objects = [...items, published, createMeeting(1), createPaper(1)];
  const result = await harness.importContent(town, toNdjson(objects), {
    format: 'oparl',
    environment: { NODE_OPTIONS: '--max-old-space-size=60' },
    asProcess: true,
  });
  assertCounts(result, { inserted: 2, ignored: 71 });
  const [submission] = await harness.listAll(town, '/submissions');
  assert.equal(submission.status, 'accepted');
});

suite('the import of a list ends with', { concurrency: 1 }, () => {
  const surroundings: Record<string, [content: string, sentence: RegExp]> = {
    'more than 64 MiB before it': [
      `{"notes":[${Array(65).fill(`"${mebibyte}"`)}],"requests":[]}`,
      /x\.json has more than 64 MiB in one object: leave it out, or split it/,
    ],
    'millions of values in an entry': [
      `{"requests":[{"notes":[${Array(1_000_001).fill('{}')}]}]}`,
      /x\.json has more than 2 million values in entry 1: leave it out, or split it/,
    ],
  };
  for (const [what, [content, sentence]] of Object.entries(surroundings)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, content, {
        format: 'open311',
        name: 'x.json',
      });
      assert.match(stderr, sentence);
      assert.equal(code, 1);
    });
  }
});

const createValidLine = (n: number) => JSON.stringify({ kind: 'submission', ...createSubmission(n) });

suite('the import of oversized input', { concurrency: 1 }, () => {
  const write = async (name: string, parts: readonly [text: string, times: number][]) => {
    const file = join(harness.workspace.folder, name);
    const stream = createWriteStream(file);
    for (const [text, times] of parts) {
      for (let n = 0; n < times; n += 1)
        if (!stream.write(text)) await new Promise((resolve) => stream.once('drain', resolve));
    }
    stream.end();
    await finished(stream);
    return file;
  };
  const open = '{"kind":"submission","id":"own","createdAt":"2026-03-01T00:00:00Z","description":';
  const large: Record<string, [parts: [string, number][], code: number, sentence: RegExp]> = {
    '50 MB in one field of a line': [
      [
        [`${createValidLine(1)}\n${open}"`, 1],
        [mebibyte, 48],
        [`"}\n${createValidLine(2)}\n`, 1],
      ],
      3,
      /line 2 \(own\): description must not have more than 100000 characters/,
    ],
    '50 MB in one field of an entry': [
      [
        [`[${createValidLine(1)},${open}"`, 1],
        [mebibyte, 48],
        [`"},${createValidLine(2)}]`, 1],
      ],
      3,
      /entry 2 \(own\): description must not have more than 100000 characters/,
    ],
    'a line of 65 MiB': [
      [
        [`${createValidLine(1)}\n${open}"`, 1],
        [mebibyte, 65],
        [`"}\n${createValidLine(2)}\n`, 1],
      ],
      1,
      /has more than 64 MiB in line 2: write one record per line, or one JSON array\. Records imported so far are kept/,
    ],
    'an entry of 65 MiB': [
      [
        [`[${createValidLine(1)},${open}"`, 1],
        [mebibyte, 65],
        [`"},${createValidLine(2)}]`, 1],
      ],
      1,
      /has more than 64 MiB in entry 2: leave it out, or split it\./,
    ],
    'a line with unclosed brackets': [
      [
        [`${createValidLine(1)}\n${open}`, 1],
        ['['.repeat(1024 * 1024), 20],
        [']'.repeat(1024 * 1024), 20],
        [`}\n${createValidLine(2)}\n`, 1],
      ],
      3,
      /line 2: is nested more than 100 levels deep/,
    ],
    'an array with unclosed brackets': [
      [['['.repeat(1024 * 1024), 60]],
      1,
      /has too many opening brackets in entry 1: leave it out\. Nothing was imported/,
    ],
  };
  for (const [what, [parts, code, sentence]] of Object.entries(large)) {
    test(`ends with a message and uses less than 1 GB: ${what}`, async () => {
      const town = await harness.createMunicipality();
      const file = await write('large.json', parts);
      const args = harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id);
      // Node exits with another code if it needs more memory.
      const result = await runCliProcess(args, { environment: { NODE_OPTIONS: '--max-old-space-size=700' } });
      assert.match(result.stderr, sentence);
      assert.equal(result.code, code);
    });
  }
});
