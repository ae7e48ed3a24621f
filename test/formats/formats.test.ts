import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createSubmission, toSpecified } from '../support/records.ts';

const harness = await createImportHarness({ after });

/** Texts that are difficult for some formats. */
const description = 'Zeile 1\r\nZeile 2; "in Anführung", und\tTab \u2028 🚲 <b>&amp;</b> \\n';
const records = [
  createSubmission(1, {
    description,
    referenceNumber: '007',
    supportCount: 2_147_483_647,
    hasAttachments: true,
  }),
  createSubmission(2, { topicCategoryName: 'null', statusChangedAt: 'received', description: ' true ' }),
  createSubmission(3, { protocolUrl: 'https://rat.example.org/a,b;c?x=%C3%A4' }),
];
const entries = records.map((record) => ({ kind: 'submission', ...record }));
const names = Object.keys(records[0] as object);
const cells = records.map((record) => names.map((name) => String(record[name as keyof typeof record] ?? '')));
const bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** The same three records in all shapes. */
const shapes: Record<string, [name: string, content: string | Buffer]> = {
  NDJSON: ['x.ndjson', toNdjson(entries)],
  'NDJSON without a line break at the end': ['x.ndjson', toNdjson(entries).trimEnd()],
  'NDJSON with CRLF and blank lines': ['x.ndjson', `\r\n${toNdjson(entries).replaceAll('\n', '\r\n\r\n')}`],
  'NDJSON with a byte order mark': ['x.ndjson', Buffer.concat([bom, Buffer.from(toNdjson(entries))])],
  'a JSON array': ['x.json', JSON.stringify(entries)],
  'a pretty-printed JSON array': ['x.json', `\n ${JSON.stringify(entries, null, 2)}\n`],
  'a JSON array with a byte order mark': [
    'x.json',
    Buffer.concat([bom, Buffer.from(JSON.stringify(entries))]),
  ],
  'CSV with commas': ['x.csv', toCsv(',', [names, ...cells])],
  'CSV with semicolons': ['x.csv', toCsv(';', [names, ...cells])],
  'CSV with tabs': ['x.csv', toCsv('\t', [names, ...cells])],
  'CSV with a byte order mark, as Excel writes it': [
    'x.csv',
    Buffer.concat([bom, Buffer.from(toCsv(';', [names, ...cells]))]),
  ],
  'NDJSON whatever the name of the file': ['x.txt', toNdjson(entries)],
};

const alsoPacked = ['NDJSON', 'a JSON array', 'CSV with semicolons'];

suite('the same records are imported', { concurrency: 3 }, () => {
  for (const [shape, [name, content]] of Object.entries(shapes)) {
    for (const packed of alsoPacked.includes(shape) ? [false, true] : [false]) {
      test(`from ${shape}${packed ? ', compressed with gzip' : ''}`, async () => {
        const town = await harness.createMunicipality();
        const bytes = packed ? gzipSync(content) : content;
        const result = await harness.importContent(town, bytes, { name: packed ? `${name}.gz` : name });
        assert.equal(result.code, 0, result.stderr);
        assertCounts(result, { inserted: 3 });
        const got = (await harness.listAll(town, '/submissions')).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        assert.deepEqual(got, records.map(toSpecified));
      });
    }
  }

  test('from standard input, compressed or not', async () => {
    for (const input of [
      Buffer.from(toNdjson(entries)),
      gzipSync(toNdjson(entries)),
      toCsv(',', [names, ...cells]),
    ]) {
      const town = await harness.createMunicipality();
      const { code, stdout } = await runCli(
        harness.workspace.withDatabase('import', 'rostra', '-', '--organization', town.name, '--json'),
        { input },
      );
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).inserted, 3);
    }
  });

  test('from several paths in the given order, so that a session finds its submissions', async () => {
    const town = await harness.createMunicipality();
    const { workspace } = harness;
    const meeting = {
      kind: 'session',
      id: 's',
      committeeName: 'Rat',
      date: '2026-03-01',
      submissions: records.map(({ id }) => id),
    };
    const paths = [
      workspace.writeFile('a.csv', toCsv(',', [names, cells[0] as string[]])),
      workspace.writeFile('b.ndjson.gz', gzipSync(toNdjson(entries.slice(1)))),
      workspace.writeFile('c.json', JSON.stringify([meeting])),
    ];
    const result = await harness.importContent(town, paths);
    assertCounts(result, { inserted: 4 });
    assert.equal((await harness.listAll(town, '/sessions'))[0].submissionCount, 3);
  });

  test('from a folder with its subfolders in the order of names, without empty and other files', async () => {
    const town = await harness.createMunicipality();
    const folder = join(harness.workspace.folder, 'input');
    mkdirSync(join(folder, 'b/deep'), { recursive: true });
    writeFileSync(join(folder, 'b/empty.ndjson'), '');
    writeFileSync(join(folder, 'a.ndjson'), toNdjson(entries.slice(0, 1)));
    writeFileSync(join(folder, 'b/deep/one.JSON'), JSON.stringify(entries[1]));
    writeFileSync(join(folder, 'b/two.csv.gz'), gzipSync(toCsv(';', [names, cells[2] as string[]])));
    writeFileSync(
      join(folder, 'c.jsonl'),
      toNdjson([
        {
          kind: 'session',
          id: 's',
          committeeName: 'Rat',
          date: '2026-03-01',
          submissions: records.map(({ id }) => id),
        },
      ]),
    );
    writeFileSync(join(folder, 'readme.txt'), 'not for you');
    const result = await harness.importContent(town, [folder]);
    assert.equal(result.code, 0, result.stderr);
    assertCounts(result, { inserted: 4 });
  });
});

test('sessions are imported from CSV, and recognized by their columns', async () => {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(
    town,
    toCsv(';', [
      ['id', 'committeeName', 'date', 'timeSlot'],
      ['1', 'Ausschuss für Umwelt; Verkehr', '2026-03-01', '16:30-18:45'],
      ['2', 'Rat', '2026-03-02', ''],
    ]),
    { name: 'x.csv' },
  );
  assertCounts(result, { inserted: 2 });
  const [second, first] = await harness.listAll(town, '/sessions');
  assert.equal(first.committeeName, 'Ausschuss für Umwelt; Verkehr');
  assert.equal(first.timeSlot, '16:30-18:45');
  assert.equal(first.createdAt, '2026-02-28T23:00:00.000Z');
  assert.equal(second.timeSlot, null);
});

test('submissions and sessions are imported from one CSV with a column "kind"', async () => {
  const town = await harness.createMunicipality();
  const rows = [
    ['kind', 'id', 'description', 'createdAt', 'committeeName', 'date'],
    ['submission', '1', 'Text', '2026-03-01T09:15:00Z', '', ''],
    ['session', '1', '', '', 'Rat', '2026-03-01'],
  ];
  const result = await harness.importContent(town, toCsv(',', rows), { name: 'x.csv' });
  assertCounts(result, { inserted: 2 });
});
