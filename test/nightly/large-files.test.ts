import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, suite, test } from 'node:test';
import { startCommand } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { workspace } = harness;
const good = (n: number) => ({ kind: 'submission', ...createSubmission(n) });

const many = (count: number) => Array.from({ length: count }, (_, n) => good(n));

test('a wrong type in line 50,000 is told by that line, the rest comes in, and every read meanwhile is answered', async () => {
  const town = await harness.createMunicipality();
  const reader = await harness.createMunicipality();
  await harness.importContent(reader, toNdjson(many(5)));
  const records = many(60_000).map((record, n) =>
    n === 49_999 ? { ...record, hasAttachments: 'no' } : record,
  );
  let over = false;
  const taking = harness.importContent(town, toNdjson(records), { asProcess: true }).finally(() => {
    over = true;
  });
  const statuses = new Set<number>();
  let reads = 0;
  while (!over) {
    for (const path of ['/submissions', '/me', '/support'])
      statuses.add((await harness.get(reader, path)).status);
    statuses.add((await harness.get(town, '/submissions?limit=1')).status);
    reads += 1;
  }
  const result = await taking;
  assert.equal(result.code, 3, result.stderr);
  assertCounts(result, { inserted: 59_999, rejected: 1 });
  assert.deepEqual(
    result.rejections.map(({ line, reason }) => [line, reason]),
    [[50_000, 'hasAttachments must be boolean']],
  );
  assert.deepEqual([...statuses], [200]);
  assert.ok(reads > 10, `${reads} rounds of reads met the import`);
});

suite('what does not fit into memory', { concurrency: 1 }, () => {
  /** Standard input in pieces, so that the test holds none of it. @returns the end, and the most memory used */
  async function feed(town: { id: string }, pieces: Iterable<string>) {
    const args = workspace.withDatabase('import', 'rostra', '-', '--organization', town.id, '--json');
    // The heap is bounded so that holding much more than a line is death.
    const running = startCommand(args, {
      input: '',
      environment: { NODE_OPTIONS: '--max-old-space-size=256' },
    });
    const input = running.child.stdin as NodeJS.WritableStream;
    let over = false;
    void running.result.then(() => {
      over = true;
    });
    for (const piece of pieces) {
      if (over) break;
      if (!input.write(piece))
        await Promise.race([once(input, 'drain').catch(() => undefined), running.result]);
    }
    input.end();
    return running.result;
  }

  function* repeated(before: string, piece: string, times: number, behind: string) {
    yield before;
    for (let n = 0; n < times; n += 1) yield piece;
    yield behind;
  }
  const mebibyte = 'x'.repeat(1024 * 1024);

  test('a line of 70 MB is refused with a sentence; what stood before it is kept', async () => {
    const town = await harness.createMunicipality();
    const before = `${toNdjson([good(1)])}{"kind":"submission","description":"`;
    const { code, stderr } = await feed(town, repeated(before, mebibyte, 70, '"}\n'));
    assert.equal(code, 1, stderr.slice(0, 500));
    assert.match(
      stderr,
      /standard input has more than 64 MiB in line 2: .+ Records imported so far are kept/,
    );
    assert.equal((await harness.listAll(town, '/submissions')).length, 1);
  });

  test('a first line of 70 MB is refused with a sentence', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await feed(town, repeated('{"a":"', mebibyte, 70, '"}'));
    assert.equal(code, 1);
    assert.match(stderr, /more than 64 MiB/);
  });

  test('an array with one entry of 70 MB is refused with a sentence', async () => {
    const town = await harness.createMunicipality();
    const before = `[${JSON.stringify(good(1))},{"kind":"submission","id":"2","createdAt":"2026-03-01T00:00:00Z","description":"`;
    const { code, stderr } = await feed(town, repeated(before, mebibyte, 70, '"}]'));
    assert.ok(code === 1 || code === 3, `${code} ${stderr.slice(0, 500)}`);
    assert.match(stderr, /MiB|description must not have more than 100000 characters/);
  });

  test('a CSV with one cell of 70 MB is refused with a sentence', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await feed(
      town,
      repeated('id,description,createdAt\n1,"', mebibyte, 70, '",2026-03-01T00:00:00Z\n'),
    );
    assert.ok(code === 1 || code === 3, `${code} ${stderr.slice(0, 500)}`);
    assert.match(stderr, /standard input/);
  });

  test('a hundred MB of records come in', async () => {
    const town = await harness.createMunicipality();
    function* pieces() {
      const description = 'x'.repeat(99_000);
      for (let n = 0; n < 1_000; n += 1) yield toNdjson([{ ...good(n % 50), id: n, description }]);
    }
    const { code, stdout, stderr } = await feed(town, pieces());
    assert.equal(code, 0, stderr.slice(0, 500));
    assert.equal(JSON.parse(stdout).inserted, 1_000);
  });
});
