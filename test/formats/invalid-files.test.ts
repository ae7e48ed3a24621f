/** Invalid files: the import ends with a message, and stores no partial record. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertFails, runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { byNight, isNightly, runsEveryTest } from '../support/nightly.ts';
import { createSubmission } from '../support/records.ts';

const harness = await createImportHarness({ after });
const entries = [1, 2, 3].map((n) => ({
  kind: 'submission',
  ...createSubmission(n, { description: `Straße ${n}` }),
}));
const lines = toNdjson(entries);
const array = JSON.stringify(entries, null, 1);
const table = toCsv(',', [
  ['id', 'description', 'createdAt'],
  ...entries.map(({ id, description, createdAt }) => [id, description, createdAt]),
]);
const encodeLatin1 = (text: string) => Buffer.from(text, 'latin1');
const encodeUtf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

const columnCount = isNightly ? 400_000 : 4_097;

/** Files from which nothing can be read. */
const unreadable: Record<string, [content: string | Buffer, sentence: RegExp, name?: string]> = {
  'an empty file': ['', /x\.ndjson is empty/],
  'an empty CSV': ['', /x\.csv is empty/, 'x.csv'],
  'compressed empty content': [gzipSync(''), /x\.gz is empty/, 'x.gz'],
  [`a table of ${columnCount.toLocaleString('en')} columns`]: [
    Array.from({ length: columnCount }, (_, index) => `c${index}`).join(','),
    /x\.csv has more than 4,096 columns: export only those that are needed/,
    'x.csv',
  ],
  'white space only': [' \n\t\r\n  ', /x\.ndjson (is empty|is neither JSON nor CSV)/],
  'white space only, as CSV': ['\n\n\n', /x\.csv (is empty|is neither JSON nor CSV)/, 'x.csv'],
  'a byte order mark only': ['\ufeff', /x\.ndjson (is empty|is neither JSON nor CSV)/],
  'an array that ends in its first entry': [
    '[{"kind": "submission", "id"',
    /not valid JSON after entry 0; it may be truncated/,
  ],
  'a document that ends early': [
    '{\n "kind": "submission",\n "id": "1"',
    /is not JSON.+It may be truncated/,
    'x.json',
  ],
  'UTF-16': [encodeUtf16(lines), /is UTF-16: save it as UTF-8/],
  'UTF-16, compressed': [gzipSync(encodeUtf16(lines)), /is UTF-16: save it as UTF-8/],
  'UTF-16, big-endian': [encodeUtf16(lines).swap16(), /is UTF-16: save it as UTF-8/],
  'a zip archive': [
    Buffer.from('504b030414000000080000002100', 'hex'),
    /is a truncated or damaged zip archive\. Fetch it again/,
  ],
  XML: [
    '<?xml version="1.0"?>\n<submissions>\n<submission id="1"/>\n</submissions>\n',
    /is neither JSON nor CSV in Rostra's format/,
  ],
  HTML: [
    '<!DOCTYPE html>\n<html><body>Sign in, please</body></html>\n',
    /is a web page \(HTML\).+fetch it again, because it may be a sign-in or error page/,
  ],
  PDF: [
    Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>\n', 'latin1'),
    /is a PDF document: ask for its data as CSV or JSON/,
  ],
  'an old spreadsheet format': [
    Buffer.from('d0cf11e0a1b11ae1000000000000', 'hex'),
    /is an old Office document: open it and save it as \.xlsx or as CSV in UTF-8/,
  ],
  'a text': [
    'Minutes of the meeting\nof 1 March\n',
    /is neither JSON nor CSV in Rostra's format: its first line has no column "id"/,
  ],
  'NDJSON that starts in the middle of a line': [
    lines.slice(5),
    /is neither JSON nor CSV in Rostra's format/,
  ],
  'a CSV with other columns': ['name,street\nx,y\n', /has no column "id"/, 'x.csv'],
  'a CSV with a repeated column': [
    'id,description,id\n1,x,2\n',
    /has the same name over columns 1 and 3/,
    'x.csv',
  ],
  'a CSV with a header in Latin-1': [
    encodeLatin1('id,Straße\n1,x\n'),
    /is not UTF-8: save it as UTF-8/,
    'x.csv',
  ],
};

/** By day, test/formats/zip-archives.test.ts shows that such content is refused. */
if (runsEveryTest)
  unreadable['compressed content that grows a thousandfold'] = [
    gzipSync(`[${' '.repeat(70 * 1024 ** 2)}`),
    /x\.gz is not read, because it grows more than 200-fold when decompressed, as in an attack \(zip bomb\)/,
    'x.gz',
  ];

suite('nothing is imported, with exit code 1, for', { concurrency: 3 }, () => {
  for (const [what, [content, sentence, name = 'x.ndjson']] of Object.entries(unreadable)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, content, { name });
      assert.match(stderr, sentence);
      assert.equal(code, 1);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    });
  }

  test('a missing path, even beside an existing one', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await harness.importContent(town, [
      harness.workspace.writeFile('there', lines),
      '/nowhere/x.ndjson',
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /There is no file \/nowhere\/x\.ndjson/);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('a path below a file', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await harness.importContent(town, [
      join(harness.workspace.writeFile('plain', lines), 'x.ndjson'),
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /plain\/x\.ndjson/);
  });

  test('a folder without importable files', async () => {
    const town = await harness.createMunicipality();
    const folder = join(harness.workspace.folder, 'empty');
    mkdirSync(join(folder, 'deep'), { recursive: true });
    harness.workspace.writeFile('empty/deep/readme.txt', 'x');
    // Neither contains files of the format.
    harness.workspace.writeFile('empty/deep/nothing.json', '');
    const { code, stderr } = await harness.importContent(town, [folder]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /The folder .+empty has no file of this format \(\.json, .+\.csv, .+\.ods, also with \.gz or in \.zip\)/,
    );
    const requests = await harness.importContent(town, [folder], { format: 'open311' });
    assert.match(requests.stderr, /has no file of this format \(\.json, .+\.ods, \.xml, also with/);
    harness.workspace.writeFile('empty/table.csv', 'id,description\n');
    const papers = await harness.importContent(town, [folder], { format: 'oparl' });
    assert.match(
      papers.stderr,
      /has no file of this format \(\.json, \.ndjson, \.jsonl, also with \.gz or in \.zip\)/,
    );
  });

  test('empty standard input', async () => {
    const town = await harness.createMunicipality();
    await assertFails(
      harness.workspace.withDatabase('import', 'rostra', '-', '--organization', town.id),
      1,
      /standard input is empty/,
    );
  });
});

suite('valid records are imported, and the rest is reported, for', { concurrency: 3 }, () => {
  test('NDJSON with an incomplete last line', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, lines.slice(0, -30));
    assert.equal(result.code, 3);
    assertCounts(result, { inserted: 2, rejected: 1 });
    assert.deepEqual([result.rejections[0]?.line, result.rejections[0]?.reason], [3, 'is not valid JSON']);
  });

  test('an array that ends within an entry, or after one', async () => {
    for (const end of [-40, -2]) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, array.slice(0, end));
      assert.equal(result.code, 1);
      assert.match(result.stderr, /is not valid JSON after entry [0-3]; it may be truncated/);
      await harness.importContent(town, array);
      assert.equal((await harness.listAll(town, '/submissions')).length, 3);
    }
  });

  test('an array followed by other content', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, `${array}\n{"kind": "submission"}`);
    assert.equal(result.code, 1);
    assert.match(result.stderr, /is not valid JSON after entry [0-3]/);
  });

  test('a CSV with an unclosed quotation mark', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(town, `${table}4,"never closed,2026-03-01T00:00:00Z\n`, {
      name: 'x.csv',
    });
    assert.notEqual(result.code, 0);
    assert.match(result.stderr, /x\.csv/);
    assert.equal((await harness.listAll(town, '/submissions')).length, 3);
  });

  test('a CSV with too short, too long, or badly quoted rows', async () => {
    const town = await harness.createMunicipality();
    const odd = ['4,x\r\n', '5,x,2026-03-01T00:00:00Z,more\r\n', '6,a"b"c,2026-03-01T00:00:00Z\r\n'];
    const result = await harness.importContent(town, `${table}${odd.join('')}7,x,2026-03-01T00:00:00Z\r\n`, {
      name: 'x.csv',
    });
    assert.equal(result.code, 3, result.stderr);
    assertCounts(result, { inserted: 4, rejected: 3 });
    assert.deepEqual(
      result.rejections.map(({ line }) => line),
      [5, 6, 7],
    );
    for (const { reason } of result.rejections) {
      assert.match(reason, /^is not a row of this table: /);
      assert.doesNotMatch(reason, /value is/, 'no cell value is reported');
    }
  });

  test('NDJSON in Latin-1, of which only ASCII lines are valid', async () => {
    const town = await harness.createMunicipality();
    const ascii = { kind: 'submission', ...createSubmission(9) };
    const result = await harness.importContent(town, encodeLatin1(toNdjson([ascii, ...entries])));
    assertCounts(result, { inserted: 1, rejected: 3 });
    for (const { reason } of result.rejections) assert.equal(reason, 'is not UTF-8');
  });

  test('an array and a CSV in Latin-1, of which nothing is valid', async () => {
    for (const [name, content] of [
      ['x.json', array],
      ['x.csv', table],
    ] as const) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, encodeLatin1(content), { name });
      assert.equal(result.code, 1);
      assert.match(result.stderr, /is not UTF-8: save it as UTF-8/);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    }
  });

  test('a list of valid and invalid paths, up to the first invalid one', async () => {
    const town = await harness.createMunicipality();
    const paths = [
      harness.workspace.writeFile('good.ndjson', lines),
      harness.workspace.writeFile('bad.xml', '<?xml version="1.0"?>'),
    ];
    const { code, stderr } = await harness.importContent(town, paths);
    assert.equal(code, 1);
    assert.match(stderr, /bad\.xml is neither JSON nor CSV/);
    assert.equal((await harness.listAll(town, '/submissions')).length, 3);
  });
});

suite('a gzip file', { concurrency: 2 }, () => {
  const many = toNdjson(
    Array.from({ length: 2_500 }, (_, n) => ({
      kind: 'submission',
      ...createSubmission(n, { description: `${n} ${Math.sin(n)}` }),
    })),
  );

  test('that ends early keeps the earlier batches, exits with 1, and the complete file adds the rest', async () => {
    const town = await harness.createMunicipality();
    const packed = gzipSync(many);
    const result = await harness.importContent(town, packed.subarray(0, packed.length * 0.7), {
      name: 'x.ndjson.gz',
    });
    assert.equal(result.code, 1);
    assert.match(
      result.stderr,
      /x\.ndjson\.gz is truncated: the gzip data is incomplete\. Fetch it again\. Records imported so far are kept/,
    );
    const kept = result.counts.inserted as number;
    assert.ok(kept >= 1_000 && kept < 2_500);
    assert.equal((await harness.listAll(town, '/submissions')).length, kept);
    assertCounts(await harness.importContent(town, packed, { name: 'x.gz' }), {
      inserted: 2_500 - kept,
      unchanged: kept,
    });
  });

  test('with damaged content or checksum is reported as damaged', async () => {
    const packed = gzipSync(many);
    for (const place of [Math.floor(packed.length / 2), packed.length - 6]) {
      const town = await harness.createMunicipality();
      const damaged = Buffer.from(packed);
      for (let n = 0; n < 4; n += 1) damaged[place + n] = (damaged[place + n] as number) ^ 0xff;
      const { code, stderr } = await harness.importContent(town, damaged, { name: 'x.gz' });
      assert.equal(code, 1);
      assert.match(stderr, /x\.gz is damaged: .+\. Fetch it again/);
    }
  });

  test('with several members is read completely', async () => {
    const town = await harness.createMunicipality();
    const members = entries.map((entry) => gzipSync(toNdjson([entry])));
    assertCounts(await harness.importContent(town, Buffer.concat(members), { name: 'x.gz' }), {
      inserted: 3,
    });
  });

  test('with trailing data is reported as damaged, or the data is ignored', async () => {
    const town = await harness.createMunicipality();
    const { code, counts } = await harness.importContent(
      town,
      Buffer.concat([gzipSync(lines), Buffer.alloc(512)]),
      {
        name: 'x.gz',
      },
    );
    assert.ok(code === 1 || (code === 0 && counts.inserted === 3));
  });
});

test('an unreadable path is reported with its name', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may read every file');
  const town = await harness.createMunicipality();
  const file = harness.workspace.writeFile('locked.ndjson', lines);
  const { chmodSync } = await import('node:fs');
  chmodSync(file, 0);
  const { code, stderr } = await runCli(
    harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id),
  );
  assert.equal(code, 1);
  assert.match(stderr, /locked\.ndjson cannot be read/);
});

test('a missing folder for temporary files is reported with its name, by every format that needs one', {
  skip: byNight('it starts a process for each format'),
}, async () => {
  const town = await harness.createMunicipality();
  const file = harness.workspace.writeFile('records.ndjson', lines);
  for (const format of [['rostra', '--strict'], ['oparl']]) {
    await assertFails(
      harness.workspace.withDatabase('import', ...format, file, '--organization', town.id),
      1,
      /The folder for temporary files, \/nonexistent, is not writable: .+Nothing was imported\./,
      { environment: { TMPDIR: '/nonexistent' } },
    );
  }
});
