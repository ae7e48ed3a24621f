/** Zip archives with one file of data (several: zip-folders.test.ts), and archives that no import reads. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';
import { createSubmission } from '../support/records.ts';
import { buildXlsx, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { buildZip } from '../support/zip-builder.ts';

const harness = await createImportHarness({ after });
const entries = [1, 2].map((n) => ({ kind: 'submission', ...createSubmission(n) }));
const ndjson = toNdjson(entries);
const table = [
  ['id', 'description', 'createdAt'],
  ...entries.map(({ id, description, createdAt }) => [String(id), String(description), String(createdAt)]),
];
const csv = toCsv(',', table);

async function importZip(content: Buffer, options: ImportContentOptions = {}) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, { name: 'x.zip', ...options });
  return { ...result, published: (await harness.listAll(town, '/submissions')).length };
}

suite('a zip archive is read with', { concurrency: 2 }, () => {
  const archives: Record<string, Buffer> = {
    'one CSV': buildZip([{ name: 'requests.csv', content: csv }]),
    'one CSV that is not compressed': buildZip([{ name: 'requests.csv', content: csv, method: 'store' }]),
    'one NDJSON in a folder': buildZip([
      { name: 'export/', content: '', method: 'store' },
      { name: 'export/requests.ndjson', content: ndjson },
    ]),
    'one JSON array': buildZip([{ name: 'requests.json', content: JSON.stringify(entries) }]),
    'one file of data beside a readme and files of macOS': buildZip([
      { name: 'README.txt', content: 'Read me' },
      { name: 'requests.csv', content: csv },
      { name: '__MACOSX/._requests.csv', content: 'x' },
      { name: '.DS_Store', content: 'x' },
    ]),
    'one file that is compressed with gzip': buildZip([{ name: 'a.csv.gz', content: gzipSync(csv) }]),
    'one file without a known extension': buildZip([{ name: 'requests.dat', content: csv }]),
    'records for large archives (zip64)': buildZip([{ name: 'requests.csv', content: csv }], { zip64: true }),
    'one workbook': buildZip([
      { name: 'requests.xlsx', content: buildXlsx([{ name: 'a', rows: toXlsxRows(table) }]) },
    ]),
  };
  for (const [what, content] of Object.entries(archives)) {
    test(what, async () => {
      const { published, stderr } = await importZip(content);
      assert.equal(published, 2, stderr);
    });
  }
});

test('XML inside a zip archive is read', async () => {
  const xml =
    '<service_requests><request><service_request_id>1</service_request_id><status>open</status><service_name>Lamp</service_name><requested_datetime>2026-03-01T10:00:00Z</requested_datetime></request></service_requests>';
  const { published, stderr } = await importZip(buildZip([{ name: 'r.xml', content: xml }]), {
    format: 'open311',
  });
  assert.equal(published, 1, stderr);
});

test('a rejected record is located by the archive, the file in it, and the line', async () => {
  const { stderr } = await importZip(buildZip([{ name: 'a/requests.csv', content: `${csv}3,no date,\r\n` }]));
  assert.match(stderr, /x\.zip\/a\/requests\.csv, line 4 \(3\)/);
});

test('a folder with zip archives and spreadsheets is imported', async () => {
  const town = await harness.createMunicipality();
  const folder = join(harness.workspace.folder, 'mixed');
  mkdirSync(folder);
  const row = (id: string) => [table[0] as string[], [id, `text ${id}`, '2026-03-01T10:00:00Z']];
  writeFileSync(join(folder, 'a.zip'), buildZip([{ name: 'a.csv', content: toCsv(',', row('1')) }]));
  writeFileSync(join(folder, 'b.xlsx'), buildXlsx([{ name: 'b', rows: toXlsxRows(row('2')) }]));
  writeFileSync(join(folder, 'c.csv'), toCsv(',', row('3')));
  const { counts, stderr } = await harness.importContent(town, [folder]);
  assert.equal(counts.inserted, 3, stderr);
});

test('standard input may be a zip archive or a workbook, and no temporary file is left', {
  skip: byNight('it starts a process for each kind of file'),
}, async () => {
  const temporary = join(harness.workspace.folder, 'temporary');
  mkdirSync(temporary);
  for (const input of [
    buildZip([{ name: 'requests.csv', content: csv }]),
    buildXlsx([{ name: 'a', rows: toXlsxRows(table) }]),
  ]) {
    const town = await harness.createMunicipality();
    const { code, stderr } = await runCli(
      harness.workspace.withDatabase('import', 'rostra', '-', '--organization', town.id),
      { input, environment: { TMPDIR: temporary } },
    );
    assert.equal(code, 0, stderr);
    assert.equal((await harness.listAll(town, '/submissions')).length, 2);
  }
  assert.deepEqual(readdirSync(temporary), []);
});

suite('nothing is imported, and a sentence names the remedy, for a zip archive', { concurrency: 2 }, () => {
  const good = buildZip([{ name: 'requests.csv', content: csv }]);
  const unreadable: Record<string, [content: Buffer, sentence: RegExp]> = {
    'with several files without a known extension': [
      buildZip(['a.dat', 'b.dat', 'c'].map((name) => ({ name, content: csv }))),
      /x\.zip has several files: "a\.dat", "b\.dat", "c"\. Unpack it, and import its folder or one file/,
    ],
    'with many files without a known extension': [
      buildZip(Array.from({ length: 30 }, (_, n) => ({ name: `${n}.dat`, content: csv }))),
      /"9\.dat" and 20 more\. Unpack it/,
    ],
    'without files': [buildZip([]), /x\.zip is a zip archive without files, or all are empty/],
    'with an empty file': [
      buildZip([{ name: 'a.csv', content: '' }]),
      /x\.zip is a zip archive without files, or all are empty/,
    ],
    'with a password': [
      buildZip([{ name: 'a.csv', content: csv, isEncrypted: true }]),
      /x\.zip is protected with a password: unpack it, and import "a\.csv"/,
    ],
    'inside a zip archive': [
      buildZip([{ name: 'inner.zip', content: good }]),
      /x\.zip\/inner\.zip contains another archive: unpack it/,
    ],
    'with gzip in gzip inside': [
      buildZip([{ name: 'a.csv.gz', content: gzipSync(gzipSync(csv)) }]),
      /x\.zip\/a\.csv\.gz is compressed twice: decompress it once/,
    ],
    'that leads out of its folder': [
      buildZip([{ name: '../../etc/cron.d/a.csv', content: csv }]),
      /x\.zip is a zip archive with an unsafe file name/,
    ],
    'with an absolute path': [
      buildZip([{ name: '/etc/passwd', content: csv }]),
      /x\.zip is a zip archive with an unsafe file name/,
    ],
    'that is truncated': [
      good.subarray(0, good.length - 30),
      /is a truncated or damaged zip archive\. Fetch it again/,
    ],
    'with a damaged directory': [
      Buffer.from(good.toString('latin1').replace('PK\x01\x02', 'PK\x01\x09'), 'latin1'),
      /is a truncated or damaged zip archive/,
    ],
    'with damaged content': [
      buildZip([{ name: 'a.csv', content: csv, checksum: 1 }]),
      /is damaged: the checksum of "a\.csv" is wrong\. Fetch it again/,
    ],
    'with an unusual compression': [
      buildZip([{ name: 'a.csv', content: csv, declaredMethod: 14 }]),
      /is compressed with a method that is not supported \(14\): unpack it, and import "a\.csv"/,
    ],
    'that grows a thousandfold (zip bomb)': [
      buildZip([{ name: 'a.csv', content: Buffer.alloc(70 * 1024 ** 2, 'a') }]),
      /x\.zip is not read, because "a\.csv" grows more than 200-fold when decompressed, as in an attack \(zip bomb\)/,
    ],
    'that is larger than it says': [
      buildZip([{ name: 'a.csv', content: Buffer.alloc(70 * 1024 ** 2, 'a'), declaredSize: 1000 }]),
      /is a truncated or damaged zip archive/,
    ],
    'that says that it is larger than 4 GiB': [
      buildZip([{ name: 'a.csv', content: csv, declaredSize: 5 * 1024 ** 3 }], { zip64: true }),
      /x\.zip has more than 4 GiB in "a\.csv" when decompressed: unpack and split it/,
    ],
    'with too many files': [
      buildZip(
        Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}.csv`, content: 'x', method: 'store' })),
      ),
      /x\.zip is a zip archive with more than 10000 files: unpack it/,
    ],
    'with a web page': [
      buildZip([{ name: 'a.csv', content: '<!doctype html><html></html>' }]),
      /x\.zip\/a\.csv is a web page \(HTML\)/,
    ],
    'with a PDF': [buildZip([{ name: 'a.pdf', content: '%PDF-1.7\n' }]), /x\.zip\/a\.pdf is a PDF document/],
  };
  for (const [what, [content, sentence]] of Object.entries(unreadable)) {
    test(what, async () => {
      const { code, stderr, counts } = await importZip(content);
      assert.match(stderr, sentence);
      assert.equal(code, 1, JSON.stringify(counts));
    });
  }
});
