/** `rostra import detect` for folders, spreadsheets, archives and files that no format reads. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCli } from '../support/cli-workspace.ts';
import { createTemporaryFolder, toCsv, toNdjson } from '../support/files.ts';
import { createSubmission } from '../support/records.ts';
import { buildOds, buildXlsx, toOdsRows, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { buildZip } from '../support/zip-builder.ts';

const folder = createTemporaryFolder({ after });
const write = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const detect = (...args: string[]) => runCli(['import', 'detect', ...args]);
const columns = ['nr', 'text', 'datum'];

test('detect summarises a folder by format, and lists only files of unknown format', async () => {
  mkdirSync(join(folder, 'year'));
  for (let month = 1; month <= 30; month += 1)
    write(`year/${month}.csv`, toCsv(',', [columns, [`${month}`, 'a', '2026-03-01']]));
  write('year/records.ndjson', toNdjson([{ kind: 'submission', ...createSubmission(1) }]));
  write('year/z.json', '{"a": 1}');
  const { stdout, stderr, code } = await detect(join(folder, 'year'));
  assert.equal(
    stdout.replaceAll(folder, ''),
    `/year: 32 files
  30 files, such as /year/1.csv
    table: any table, through a mapping file; --suggest drafts one
  1 file, /year/records.ndjson
    rostra: its records have a "kind"
  /year/z.json: no format fits. /year/z.json has no list of objects in its first MiB. If a list begins later, name its path with --records. If the whole object is one record, name "[]".
`,
  );
  assert.match(stderr, /The format of some files is unknown/);
  assert.equal(code, 1);
});

test('detect recognises the format of a table inside spreadsheets and archives', async () => {
  const rows = [
    ['service_request_id', 'status', 'description'],
    ['1', 'open', 'Lamp'],
  ];
  const workbook = buildXlsx([{ name: 'a', rows: toXlsxRows(rows) }]);
  const files = [
    write('a.xlsx', workbook),
    write('a.ods', buildOds([{ name: 'a', rows: toOdsRows(rows) }])),
    write('a.zip', buildZip([{ name: 'a.csv', content: toCsv(';', rows) }])),
    write('b.zip', buildZip([{ name: 'a.xlsx', content: workbook }])),
    write('wrong.csv', workbook),
  ];
  const { stdout, code } = await detect(...files);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    files.map((file) => `${file}\n  open311: it has a column "service_request_id"\n`).join(''),
  );
});

test('detect names the table for GeoJSON, whose properties may be those of Open311', async () => {
  const feature = {
    type: 'Feature',
    geometry: null,
    properties: { service_request_id: '1', status: 'fixed' },
  };
  const file = write('map.geojson', JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
  const { stdout, code } = await detect(file);
  assert.match(stdout, /^ {2}table: the objects of its list "features\[\]\.properties"/m);
  assert.equal(code, 0);
});

test('detect asks for the sheet, and reads the named one', async () => {
  const file = write(
    'sheets.xlsx',
    buildXlsx(
      ['2025', '2026'].map((name) => ({ name, rows: toXlsxRows([columns, ['1', 'a', '2026-03-01']]) })),
    ),
  );
  const { stdout, code } = await detect(file);
  assert.match(
    stdout,
    /sheets\.xlsx has several sheets with data: "2025", "2026"\. Name one, as in --sheet "2025"/,
  );
  assert.equal(code, 1);
  const named = await detect(file, '--sheet', '2026');
  assert.match(named.stdout, /table: any table/);
});

test('detect explains why a file is no table', async () => {
  const wide = toCsv(',', [Array.from({ length: 4_097 }, (_, n) => `c${n}`)]);
  assert.match((await detect(write('wide.csv', wide))).stdout, /no format fits\. .*more than 4,096 columns/);
  const broken = await detect(write('broken.csv', '"id"x,"title"\n1,a\n'));
  assert.match(
    broken.stdout,
    /no format fits\. .*line 1: the closing quotation mark of column 1 is followed/,
  );
});

test('detect explains OParl objects without type', async () => {
  const papers = [{ id: 'https://ris.example/paper/1', name: 'Antrag', paperType: 'Antrag', mainFile: {} }];
  for (const [name, content] of Object.entries({
    'list.json': JSON.stringify({ data: papers }),
    'lines.ndjson': toNdjson(papers),
  })) {
    const { stdout, code } = await detect(write(name, content));
    assert.match(
      stdout,
      /no format fits\. It looks like oparl, but its objects have no OParl "type", such as "https:\/\/schema\.oparl\.org\/1\.1\/Paper" beside "paperType": export them with it\./,
    );
    assert.equal(code, 1);
  }
});

test('a mapping is suggested for a workbook, without delimiter and encoding', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => [
    `${n + 1}`,
    `Laterne ${n} defekt`,
    `2026-03-${n + 1 < 10 ? '0' : ''}${n + 1}`,
    n % 2 ? 'offen' : 'erledigt',
  ]);
  const file = write(
    'm.xlsx',
    buildXlsx([
      { name: 'Meldungen', rows: toXlsxRows([['Nummer', 'Beschreibung', 'Eingang', 'Status'], ...rows]) },
    ]),
  );
  const { stdout, code, stderr } = await runCli([
    'import',
    'table',
    file,
    '--suggest',
    '--sheet',
    'Meldungen',
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^sheet: Meldungen$/m);
  assert.match(stdout, /description: (?:\n.*)?Beschreibung/);
  assert.doesNotMatch(stdout, /^(?:delimiter|encoding):/m);
});
