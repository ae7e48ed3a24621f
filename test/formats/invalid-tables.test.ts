/** Invalid tables of other programs: each mistake is reported with its line, and no row is lost silently. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const header = 'id,description,createdAt,supportCount,topicCategoryName\n';
const createRow = (id: number | string, description = 'x', createdAt = '2026-03-01T00:00:00Z') =>
  `${id},${description},${createdAt},1,y\n`;
const time = '2026-03-01T00:00:00Z';

const invalidRows: Record<string, [row: string, reason: RegExp]> = {
  'NA for a count': [`a1,x,${time},NA,y\n`, /^supportCount is "NA": leave the cell empty instead$/],
  'null for a time': ['a2,x,null,1,y\n', /^createdAt is "null": leave the cell empty/],
  'NaN for a count': [`a4,x,${time},NaN,y\n`, /^supportCount is "NaN"/],
  '#N/A for an id': [`#N/A,x,${time},1,y\n`, /^id is "#N\/A"/],
  'an empty id': [`,x,${time},1,y\n`, /^id is missing$/],
  'an empty description': [`a5,,${time},1,y\n`, /^description is missing$/],
  'a count with a decimal comma': [`a6,x,${time},"1,5",y\n`, /^supportCount must be integer$/],
  'a count with a thousands separator': [`a7,x,${time},1.000,y\n`, /^supportCount must be integer$/],
  'a count of 20 digits': [`a8,x,${time},12345678901234567890,y\n`, /^supportCount must be/],
  'a count of 1e400': [`a9,x,${time},1e400,y\n`, /^supportCount must be integer$/],
  'too few cells': ['b1,x\n', /^is not a row of this table: it has 2 cells, and the first line 5/],
  'too many cells': [`b2,x,${time},1,y,z\n`, /^is not a row of this table: it has 6 cells/],
  'a quotation mark in the middle of a cell': [
    createRow('b3', 'a"b'),
    /^is not a row of this table: "description" has a quotation mark in the middle: put the cell in/,
  ],
  'an undoubled quotation mark': [
    createRow('b4', '"a"b"'),
    /^is not a row of this table: the closing quotation mark of "description" is followed by "b" \(U\+0062\) instead of a delimiter/,
  ],
  NUL: [createRow('b5', 'a\u0000b'), /^description must not contain U\+0000$/],
  '29 February of a common year': [
    createRow('b6', 'x', '2025-02-29T00:00:00Z'),
    /^createdAt is not a valid time$/,
  ],
  '29 February of 1900': [createRow('b7', 'x', '1900-02-29'), /^createdAt is not a valid time$/],
  'a German date': [
    createRow('b8', 'x', '01.03.2026'),
    /^createdAt must be a time such as 2026-03-01T09:15:00Z$/,
  ],
  'a repeated id with other content': [
    createRow('c1', 'another'),
    /an earlier record in the same input has the same id; the first one counts/,
  ],
};

const town = await harness.createMunicipality();
const bad = Object.values(invalidRows).map(([text]) => text);
const times = createRow('c2', 'gap', '2026-03-29T02:30:00') + createRow('c3', 'leap', '2024-02-29');
/** As spreadsheets write an empty row. It is no record. */
const emptyCells = ',,,,\n';
const content = `\ufeff${header}${createRow('c1')}${bad.join('')}${times}${emptyCells}${createRow('c4', '"a ""b"", NA\nnull"')}${createRow('c5', 'null')}`;
const result = await harness.importContent(town, content, {
  name: 'x.csv',
  flags: ['--time-zone', 'Europe/Berlin'],
});

suite('a row with', () => {
  for (const [n, [what, [, reason]]] of Object.entries(invalidRows).entries()) {
    test(`${what} is rejected with its line`, () => {
      assert.match(result.rejections.find(({ line }) => line === n + 3)?.reason ?? 'accepted', reason);
    });
  }
  test('no mistake does not affect the rows around it', async () => {
    assertCounts(result, { inserted: 5, rejected: bad.length });
    const published = await harness.listAll(town, '/submissions');
    const by = new Map(published.map(({ description, createdAt }) => [description, createdAt]));
    assert.deepEqual(Object.fromEntries(by), {
      x: '2026-03-01T00:00:00.000Z',
      // The skipped hour in spring is moved forward.
      gap: '2026-03-29T01:30:00.000Z',
      leap: '2024-02-28T23:00:00.000Z',
      'a "b", NA\nnull': '2026-03-01T00:00:00.000Z',
      // A text stays a text.
      null: '2026-03-01T00:00:00.000Z',
    });
  });
});

suite('an unclosed quotation mark loses no row silently:', {
  concurrency: 2,
}, () => {
  const broken: Record<string, [rows: string, kept: number, code: number, sentence: RegExp]> = {
    'at the end of the file': [
      createRow(1) + createRow(2, '"never closed') + createRow(3) + createRow(4),
      1,
      1,
      /x\.csv has a row that begins in line 3 and does not end, so 3 lines were not read: look for a quotation mark that is opened and never closed/,
    ],
    'after a badly quoted cell': [
      createRow(1) + createRow(2, '"a"b') + createRow(3) + createRow(4),
      3,
      3,
      /Rejected .+x\.csv, line 3: is not a row of this table: [^;]+\n/,
    ],
    'before another quotation mark some rows later': [
      createRow(1) + createRow(2, '"a') + createRow(3) + createRow(4, '"b"') + createRow(5),
      2,
      3,
      /x\.csv, line 5: is not a row .+; a quotation mark makes it start in line 3 and take 3 lines, none of which is imported/,
    ],
    'before a quotation mark that ends a cell some rows later': [
      createRow(1) + createRow(2, '"a') + createRow(3) + createRow(4, 'a pipe of 5"') + createRow(5),
      2,
      3,
      /x\.csv, line 5: is not a row .+ "description" contains a line that looks like a row: .+ start in line 3 and take 3 lines/,
    ],
    'after an empty line': [
      `${createRow(1)}\n${createRow(2, '"never closed')}${createRow(3)}`,
      1,
      1,
      /x\.csv has a row that begins in line 4 and does not end, so 2 lines were not read/,
    ],
    'between two badly quoted cells': [
      createRow(1) + createRow(2, '"a"b') + createRow(3) + createRow(4) + createRow(5, '"b"c') + createRow(6),
      4,
      3,
      /line 3: is not a row.+\n.+line 6: is not a row/,
    ],
  };
  test('but lines that do not look like rows belong to a text', async () => {
    const town = await harness.createMunicipality();
    const text = 'first\na, b, c, d and e\n1,2\n3, 4, 5, 6, 7\nlast';
    const ended = await harness.importContent(town, header + createRow('a-1', `"${text}"`), {
      name: 'x.csv',
    });
    assertCounts(ended, { inserted: 1 });
  });
  for (const [what, [rows, kept, code, sentence]] of Object.entries(broken)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const ended = await harness.importContent(town, header + rows, { name: 'x.csv' });
      assert.match(ended.stderr, sentence);
      assert.equal(ended.code, code);
      assert.equal((await harness.listAll(town, '/submissions')).length, kept);
    });
  }
});

suite('nothing is imported, and the format is named, for', { concurrency: 2 }, () => {
  const utf16 = Buffer.from(header + createRow(1), 'utf16le');
  const others: Record<string, [content: string | Buffer, sentence: RegExp]> = {
    'a 7z archive': [Buffer.from('377abcaf271c0004', 'hex'), /x\.csv is a 7z archive: unpack it/],
    xz: [Buffer.from('fd377a585a000004', 'hex'), /x\.csv is compressed with xz: decompress it, or use gzip/],
    'gzip in gzip': [gzipSync(gzipSync(header)), /x\.csv is compressed twice: decompress it once/],
    'a PDF in gzip': [gzipSync('%PDF-1.7\n'), /x\.csv is a PDF document/],
    'UTF-16 without a byte order mark': [utf16, /x\.csv is UTF-16: save it as UTF-8/],
    'UTF-16 without a byte order mark, big-endian': [
      Buffer.from(utf16).swap16(),
      /x\.csv is UTF-16: save it as UTF-8/,
    ],
    'Windows-1252': [
      Buffer.from(header + createRow(1, 'Straße'), 'latin1'),
      /x\.csv is not UTF-8: save it as UTF-8/,
    ],
    'two columns with the same name except for a blank': [
      `id,description,createdAt, id \n1,x,${time},2\n`,
      /x\.csv has the same name over columns \d+ and \d+: rename one of them/,
    ],
  };
  for (const [what, [content, sentence]] of Object.entries(others)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await harness.importContent(town, content, { name: 'x.csv' });
      assert.match(stderr, sentence);
      assert.equal(code, 1);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    });
  }
});
