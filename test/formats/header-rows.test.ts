/** The header of a table: below titles, in two rows, in a row that the user names, and with repeated names. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { parse } from 'yaml';
import { assertFails, assertSucceeds } from '../support/cli-workspace.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { buildXlsx, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { createTableImporter } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { writeMapping } = createTableImporter(harness);

let files = 0;

/** @returns the text of the draft, and its mapping of submissions */
async function suggest(content: string | Buffer, extension: 'csv' | 'xlsx', ...flags: string[]) {
  files += 1;
  const file = harness.workspace.writeFile(`${files}.${extension}`, content);
  const text = await assertSucceeds(['import', 'table', file, '--suggest', ...flags]);
  return { file, text, submission: parse(text).submission };
}

const rows = [
  ['Lfd. Nr.', 'Eingangsdatum', 'Betreff', 'Status'],
  ['1', '05.01.2026', 'Laterne defekt', 'offen'],
  ['2', '06.01.2026', 'Schlagloch', 'erledigt'],
];
const toLines = (table: readonly (readonly string[])[], delimiter = ';') =>
  `${table.map((cells) => cells.join(delimiter)).join('\r\n')}\r\n`;

suite('the header below a title', { concurrency: 3 }, () => {
  const titles: Record<string, [content: string, row: number]> = {
    'and an empty row, as Excel saves them': [
      `\uFEFF${toLines([['Mängelmelder, Stand 17.03.2026', '', '', ''], ['', '', '', ''], ...rows])}`,
      3,
    ],
    'with a second cell': [toLines([['Mängelmelder', 'Stand: 17.03.2026', '', ''], ...rows]), 2],
    'without delimiters': [`Mängelmelder, Stadt X, Stand 17.03.2026\r\n\r\n${toLines(rows)}`, 3],
    'and a subtitle': [toLines([['Mängelmelder', '', '', ''], ['Stand 2026', '', '', ''], ...rows]), 3],
    'between tabs': [toLines([['Mängelmelder; 2026', '', '', ''], ...rows], '\t'), 2],
  };
  for (const [what, [content, row]] of Object.entries(titles))
    test(`${what} is found, and the draft says in which row`, async () => {
      const { text, submission, file } = await suggest(content, 'csv');
      assert.deepEqual([submission.id, submission.description], ['Lfd. Nr.', 'Betreff']);
      assert.match(text, new RegExp(`# CHECK: the names of the columns are in row ${row}, `));
      const town = await harness.createMunicipality();
      const flags = ['--mapping', writeMapping(text)];
      const { counts, rejections } = await harness.importContent(town, [file], { format: 'table', flags });
      assert.equal(counts.inserted, 2, JSON.stringify(rejections));
    });

  test('is found in a workbook whose title has a second cell', async () => {
    const sheet = toXlsxRows([['Mängelmelder', '', 'Stand: 17.03.2026', ''], [], ...rows]);
    const { submission, text } = await suggest(buildXlsx([{ name: 'x', rows: sheet }]), 'xlsx');
    assert.deepEqual([submission.id, submission.description], ['Lfd. Nr.', 'Betreff']);
    assert.match(text, /names of the columns are in row 3,/);
  });

  const others: Record<string, string> = {
    'with few names': 'id;text;;\n1;Bank;a;2026-03-01\n2;Baum;b;2026-03-02\n',
    'of two columns': 'id;text\n1;Bank\n2;Baum\n',
    'above rows with more cells in one of them': 'Text\nGut, sehr gut, prima\nSchlecht\n',
    'whose rows are texts': 'Nr;Wer;Text\nA;B;C\nD;E;F\n',
  };
  for (const [what, content] of Object.entries(others))
    test(`is not looked for below a header ${what}`, async () => {
      const town = await harness.createMunicipality();
      const [first = ''] = content.split(/[;\n]/, 1);
      const mapping = writeMapping(
        `submission:\n  id: ${first}\n  description: ${first}\n  createdAt: { constant: '2026-03-01' }\n`,
      );
      const { counts, rejections } = await harness.importContent(town, content, {
        ...{ format: 'table', name: 'x.csv', flags: ['--mapping', mapping] },
      });
      const rowCount = content.split('\n').length - 2;
      assert.equal(
        (counts.inserted ?? 0) + (counts.rejected ?? 0),
        rowCount,
        JSON.stringify([counts, rejections]),
      );
    });
});

test('a column without a group has its name in the second row of the header', async () => {
  const cells = [
    ['', 'Meldung', '', 'Stand', ''],
    ['Nr', 'Text', 'Datum', 'Status', 'Datum'],
    ['1', 'Bank', '2026-03-01', 'offen', '2026-03-02'],
  ];
  const merged = '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/></mergeCells>';
  const { submission } = await suggest(
    buildXlsx([{ name: 'x', rows: toXlsxRows(cells), after: merged }]),
    'xlsx',
  );
  assert.equal(submission.id, 'Nr');
  assert.equal(submission.description, 'Meldung Text');
  assert.equal(submission.createdAt.column, 'Meldung Datum');
});

suite('the row of the header', { concurrency: 3 }, () => {
  const table = [
    ['Liste', 'A', 'B', 'C'],
    ['Nr', 'Tag', 'Text', 'Status'],
    ['laufend', 'am', 'Inhalt', 'jetzt'],
  ];
  const data = [['1', '05.01.2026', 'Laterne', 'offen']];
  for (const extension of ['csv', 'xlsx'] as const)
    test(`can be named, for a draft and in the mapping of a file in ${extension}`, async () => {
      const cells = [...table, ...data];
      const content =
        extension === 'csv' ? toLines(cells) : buildXlsx([{ name: 'x', rows: toXlsxRows(cells) }]);
      const { text, submission, file } = await suggest(content, extension, '--header-row', '3');
      assert.deepEqual([submission.id, submission.createdAt.column], ['laufend', 'am']);
      const town = await harness.createMunicipality();
      const flags = ['--mapping', writeMapping(text)];
      const { counts } = await harness.importContent(town, [file], { format: 'table', flags });
      assert.equal(counts.inserted, 1);
      const late = ['import', 'table', file, '--suggest', '--header-row', '33'];
      await assertFails(late, 1, /has no row 33 with headings/);
    });

  test('that is invalid is explained, in a command and in a mapping', async () => {
    const file = harness.workspace.writeFile('y.csv', toLines(rows));
    for (const row of ['0', '101', 'x'])
      await assertFails(
        ['import', 'table', file, '--suggest', '--header-row', row],
        2,
        /must be a whole number from 1 to 100/,
      );
    const mapping = writeMapping(
      'headerRow: first\nsubmission:\n  id: a\n  description: b\n  createdAt: c\n',
    );
    await assertFails(
      ['import', 'table', file, '--mapping', mapping, '--explain'],
      2,
      /headerRow must be the number of a row from 1 to 100/,
    );
  });

  test('can be named for a survey', async () => {
    const town = await harness.createMunicipality();
    const answers = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? 'Ja' : 'Nein'));
    const content = toLines([
      ['Umfrage zu Plätzen', 'Stadt X', 'Jahr 2026'],
      ['id', 'Mehr Bänke?', 'Mehr Bäume?'],
      ...answers.map((answer, n) => [String(n), answer, answer]),
    ]);
    const { counts, stderr } = await harness.importContent(town, content, {
      ...{ format: 'survey-rows', name: 'x.csv', flags: ['--header-row', '2'] },
    });
    assert.equal(counts.inserted, 1, stderr);
    const [survey] = await harness.listAll(town, '/surveys');
    assert.equal(survey.totalResponses, 40);
  });
});

test('columns of the same name are numbered in a table and in a survey', async () => {
  const { submission, text } = await suggest(
    'id;Text;Text;Datum;Datum\n1;Bank;innen;01.03.2026;05.03.2026\n2;Müll;aussen;02.03.2026;06.03.2026\n',
    'csv',
  );
  assert.equal(submission.createdAt.column, 'Datum');
  assert.match(text, /# {3}"Text \(2\)"/);
  const answers = Array.from({ length: 40 }, (_, n) => `${n},${n % 2 === 0 ? 'Ja,Ja' : 'Nein,Nein'}\n`);
  const town = await harness.createMunicipality();
  const { counts } = await harness.importContent(town, `id,Kommentar,Kommentar\n${answers.join('')}`, {
    ...{ format: 'survey-rows', name: 'x.csv' },
  });
  assert.equal(counts.inserted, 1);
});

test('a file in Mac Roman is read with its letters, and the draft asks to check them', async () => {
  // "Müll", "Größe" and "Änderung" in Mac Roman.
  const content = Buffer.from(
    'id;Titel;Status;Datum\n1;M\x9fll;offen;01.03.2026\n2;Gr\x9a\xa7e;offen;02.03.2026\n3;\x80nderung;offen;02.03.2026\n',
    'latin1',
  );
  const { text, file } = await suggest(content, 'csv');
  assert.match(text, /^encoding: macintosh # CHECK: look at an accented letter/m);
  const town = await harness.createMunicipality();
  await harness.importContent(town, [file], { format: 'table', flags: ['--mapping', writeMapping(text)] });
  assert.deepEqual(
    (await harness.listAll(town, '/submissions')).map(({ description }) => description).toSorted(),
    ['Größe', 'Müll', 'Änderung'],
  );
  // Quotation marks, dashes and an ellipsis of Windows-1252.
  const windows = Buffer.from(
    'id;Titel;Datum\n1;\x84Bank\x93 \x96 don\x92t\x85;01.03.2026\n2;B\xe4ume;01.03.2026\n',
    'latin1',
  );
  assert.match((await suggest(windows, 'csv')).text, /^encoding: windows-1252 # CHECK/m);
});
