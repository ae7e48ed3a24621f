/** Excel and OpenDocument files, as every format that reads tables reads them. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import {
  buildOds,
  buildXlsx,
  listOdsParts,
  type SheetContent,
  toOdsRows,
  toXlsxRows,
  type XlsxOptions,
} from '../support/spreadsheet-builder.ts';
import { buildZip } from '../support/zip-builder.ts';
import { createTableImporter } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { writeMapping } = createTableImporter(harness);

const header = ['id', 'description', 'createdAt'];
const createRow = (id: string, description: string) => [id, description, '2026-03-01T10:00:00Z'];
const texts = [header, createRow('1', 'Straße & <Weg>'), createRow('2', ' two\nlines ')];

const xlsx = (rows: string, others: Partial<SheetContent> = {}, options: XlsxOptions = {}) =>
  buildXlsx([{ name: 'Meldungen', rows, ...others }], options);
const ods = (rows: string) => buildOds([{ name: 'Meldungen', rows }]);

async function importSheet(content: Buffer, options: ImportContentOptions = {}) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, content, { name: 'x.xlsx', ...options });
  const submissions = await harness.listAll(town, '/submissions');
  return { ...result, descriptions: submissions.map(({ description }) => description).sort() };
}

suite('every format reads the rows of', { concurrency: 2 }, () => {
  const files: Record<string, Buffer> = {
    'an Excel workbook': xlsx(toXlsxRows(texts)),
    'an OpenDocument spreadsheet': ods(toOdsRows(texts).replace('two\nlines', 'two</text:p><text:p>lines')),
    'a zipped Excel workbook': buildZip([
      { name: 'export/meldungen.xlsx', content: xlsx(toXlsxRows(texts)) },
    ]),
    'an Excel workbook in gzip': gzipSync(xlsx(toXlsxRows(texts))),
  };
  for (const [what, content] of Object.entries(files)) {
    test(what, async () => {
      const { counts, descriptions, stderr } = await importSheet(content);
      assert.equal(counts.inserted, 2, stderr);
      assert.deepEqual(descriptions.map((text) => text.trim()).sort(), ['Straße & <Weg>', 'two\nlines']);
    });
  }
});

test('a workbook is recognised by its content, whatever its name', async () => {
  const { counts } = await importSheet(xlsx(toXlsxRows(texts)), { name: 'x.csv' });
  assert.equal(counts.inserted, 2);
});

suite('a cell of Excel is published as meant:', { concurrency: 2 }, () => {
  const styles = [
    'yyyy\\-mm\\-dd',
    'dd.mm.yyyy hh:mm',
    'h:mm',
    '[h]:mm:ss',
    '00000',
    '[Red]0.0" days"',
    14,
    22,
  ];
  const cells: Record<string, [xml: string, text: string | undefined]> = {
    'a decimal number with an artefact': ['<c r="B2"><v>0.30000000000000004</v></c>', '0.3'],
    'a large number with an exponent': ['<c r="B2"><v>1E+5</v></c>', '100000'],
    'a small number': ['<c r="B2"><v>1.5E-7</v></c>', '0.00000015'],
    'a long id': ['<c r="B2"><v>10100124240412345</v></c>', '10100124240412345'],
    'a number with leading zeros from its format': ['<c r="B2" s="5"><v>1067</v></c>', '01067'],
    'a number with a unit': ['<c r="B2" s="6"><v>3.5</v></c>', '3.5'],
    'a date': ['<c r="B2" s="1"><v>46082</v></c>', '2026-03-01'],
    'a date in a built-in format': ['<c r="B2" s="7"><v>46082</v></c>', '2026-03-01'],
    'a date with time': ['<c r="B2" s="2"><v>46082.42708333333</v></c>', '2026-03-01T10:15:00'],
    'midnight in a column of times': ['<c r="B2" s="8"><v>46082</v></c>', '2026-03-01T00:00:00'],
    'a time': ['<c r="B2" s="3"><v>0.4375</v></c>', '10:30'],
    'a date of which only the time is shown': ['<c r="B2" s="3"><v>46098.75</v></c>', '18:00'],
    'a duration': ['<c r="B2" s="4"><v>1.5</v></c>', '36:00:00'],
    'the first day of 1900': ['<c r="B2" s="1"><v>1</v></c>', '1900-01-01'],
    'a boolean': ['<c r="B2" t="b"><v>1</v></c>', 'true'],
    'a shared string': ['<c r="B2" t="s"><v>1</v></c>', 'shared'],
    'a rich text without its phonetic reading': ['<c r="B2" t="s"><v>2</v></c>', 'rich text'],
    'the stored result of a formula': ['<c r="B2" t="str"><f>A1&amp;"x"</f><v>result</v></c>', 'result'],
    'an escaped character': ['<c r="B2" t="inlineStr"><is><t>a_x000D_\nb_x005F_c</t></is></c>', 'a\nb_c'],
    'a strict date': ['<c r="B2" t="d"><v>2026-03-01T10:15:00.000</v></c>', '2026-03-01T10:15:00'],
  };
  for (const [what, [cell, text]] of Object.entries(cells)) {
    test(what, async () => {
      const rows = `${toXlsxRows([header])}<row r="2"><c r="A2"><v>1</v></c>${cell}<c r="C2" t="inlineStr"><is><t>2026-03-01</t></is></c></row>`;
      const sharedStrings = [
        '<t>first</t>',
        '<t>shared</t>',
        '<r><t>rich </t></r><r><t>text</t></r><rPh><t>ruby</t></rPh>',
      ];
      const file = xlsx(rows, {}, { formats: styles, sharedStrings });
      const { descriptions, stderr } = await importSheet(file);
      assert.deepEqual(descriptions, [text], stderr);
    });
  }
});

test('elements with a namespace prefix are read', async () => {
  const { counts } = await importSheet(xlsx(toXlsxRows(texts).replaceAll(/<(\/?)(\w)/g, '<$1x:$2')));
  assert.equal(counts.inserted, 2);
});

test('dates of the 1904 system are read with their own epoch', async () => {
  const rows = `${toXlsxRows([header])}<row r="2"><c r="A2"><v>1</v></c><c r="B2" s="1"><v>44620</v></c><c r="C2" s="1"><v>44620</v></c></row>`;
  const { descriptions } = await importSheet(xlsx(rows, {}, { formats: [14], is1904: true }));
  assert.deepEqual(descriptions, ['2026-03-01']);
});

suite('a cell of OpenDocument is published as meant:', { concurrency: 2 }, () => {
  const value = (type: string, attributes: string, shown: string) =>
    `<table:table-cell office:value-type="${type}" ${attributes}><text:p>${shown}</text:p></table:table-cell>`;
  const cells: Record<string, [xml: string, text: string]> = {
    'a number': [value('float', 'office:value="100000"', '1E+05'), '100000'],
    'a number with leading zeros': [value('float', 'office:value="1067"', '01067'), '01067'],
    'a percentage': [value('percentage', 'office:value="0.5"', '50 %'), '0.5'],
    'a date': [value('date', 'office:date-value="2026-03-01"', '01.03.26'), '2026-03-01'],
    'a date with time': [
      value('date', 'office:date-value="2026-03-01T10:15:00.000000000"', '1.3.'),
      '2026-03-01T10:15:00',
    ],
    'a time': [value('time', 'office:time-value="PT10H30M00S"', '10:30'), '10:30'],
    'a boolean': [value('boolean', 'office:boolean-value="true"', 'WAHR'), 'true'],
    'the stored result of a formula': [value('string', 'table:formula="of:=[.A1]"', 'result'), 'result'],
    'a text with spaces, a link and a comment': [
      '<table:table-cell office:value-type="string"><office:annotation><text:p>secret</text:p></office:annotation><text:p>a<text:s text:c="2"/><text:a>b</text:a><text:line-break/>c</text:p></table:table-cell>',
      'a  b\nc',
    ],
  };
  for (const [what, [cell, text]] of Object.entries(cells)) {
    test(what, async () => {
      const row = toOdsRows([['1', 'CELL', '2026-03-01']]).replace(
        /<table:table-cell[^/]*?><text:p>CELL<\/text:p><\/table:table-cell>/,
        cell,
      );
      const { descriptions, stderr } = await importSheet(ods(toOdsRows([header]) + row));
      assert.deepEqual(descriptions, [text], stderr);
    });
  }
});

suite('the table is found', { concurrency: 2 }, () => {
  const data = toXlsxRows([createRow('1', 'found')]).replace('<row>', '<row r="9">');
  const empty = '<row r="1"/><row r="2"><c r="A2" s="1"/></row>';
  const shift = (xml: string, row: number) => {
    let column = 0;
    return xml
      .replace('<row>', `<row r="${row}">`)
      .replaceAll('<c ', () => `<c r="${'CDE'[column++]}${row}" `);
  };
  const files: Record<string, Buffer> = {
    'below empty rows and a title': xlsx(
      `${empty}<row r="3"><c r="A3" t="inlineStr"><is><t>Stand: 1. März</t></is></c></row>${toXlsxRows([header]).replace('<row>', '<row r="5">')}${data}`,
    ),
    'beside empty columns': xlsx(
      shift(toXlsxRows([header]), 3) + shift(toXlsxRows([createRow('1', 'found')]), 4),
    ),
    'in hidden rows': xlsx(toXlsxRows([header]) + data.replace('<row ', '<row hidden="1" ')),
    'with a second sheet that is empty': buildXlsx([
      { name: 'Tabelle1', rows: toXlsxRows([header]) + data },
      { name: 'Tabelle2', rows: '<row r="1"><c r="A1" s="1"/></row>' },
    ]),
    'with a second sheet that is hidden': buildXlsx([
      { name: 'Liste', rows: toXlsxRows([['a', 'b']]), state: 'veryHidden' },
      { name: 'Tabelle1', rows: toXlsxRows([header]) + data },
    ]),
    'with a hidden sheet of OpenDocument': buildOds([
      { name: 'Liste', rows: toOdsRows([['a', 'b']]), state: 'hidden' },
      { name: 'Tabelle1', rows: toOdsRows([header, createRow('1', 'found')]) },
    ]),
    'before a million empty rows of OpenDocument': ods(
      `${toOdsRows([header, createRow('1', 'found')])}<table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`,
    ),
    'beside thousands of empty columns': ods(
      toOdsRows([header, createRow('1', 'found')]).replaceAll(
        '</table:table-row>',
        '<table:table-cell table:number-columns-repeated="16381"/></table:table-row>',
      ),
    ),
  };
  for (const [what, content] of Object.entries(files)) {
    test(what, async () => {
      const { descriptions, stderr } = await importSheet(content);
      assert.deepEqual(descriptions, ['found'], stderr);
    });
  }
});

suite('merged cells in two rows of a header are joined to names', { concurrency: 2 }, () => {
  const mapping =
    'submission:\n  id: Nr\n  description: Meldung Text\n  createdAt: Meldung Datum\n  status: Stand\n';
  const rows = [
    ['Nr', 'Meldung', '', 'Stand'],
    ['', 'Text', 'Datum', ''],
    ['1', 'found', '2026-03-01', 'received'],
  ];
  const excel = toXlsxRows(rows);
  const files: Record<string, Buffer> = {
    'in Excel': xlsx(excel, {
      after:
        '<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/><mergeCell ref="D1:D2"/></mergeCells>',
    }),
    'in Excel, without vertical ones': xlsx(excel, {
      after: '<mergeCells><mergeCell ref="B1:C1"/></mergeCells>',
    }),
    'in OpenDocument': ods(
      toOdsRows(rows)
        .replace('><text:p>Meldung', ' table:number-columns-spanned="2"><text:p>Meldung')
        .replace('<table:table-cell/>', '<table:covered-table-cell/>'),
    ),
  };
  for (const [where, content] of Object.entries(files)) {
    test(where, async () => {
      const { descriptions, stderr } = await importSheet(content, {
        format: 'table',
        flags: ['--mapping', writeMapping(mapping)],
      });
      assert.deepEqual(descriptions, ['found'], stderr);
    });
  }
});

suite('of several sheets with data', { concurrency: 2 }, () => {
  const sheets = (rows: (cells: string[][]) => string) => [
    {
      name: 'Legende',
      rows: rows([
        ['Farbe', 'Bedeutung'],
        ['rot', 'offen'],
      ]),
    },
    { name: 'Meldungen 2026', rows: rows([header, createRow('1', 'found')]) },
  ];
  for (const [program, file] of Object.entries({
    Excel: buildXlsx(sheets(toXlsxRows)),
    OpenDocument: buildOds(sheets(toOdsRows)),
  })) {
    test(`one must be named, in ${program}`, async () => {
      const { code, stderr } = await importSheet(file);
      assert.match(
        stderr,
        /x\.xlsx has several sheets with data: "Legende", "Meldungen 2026"\. Name one, as in --sheet "Legende"\. Nothing was imported/,
      );
      assert.equal(code, 1);
    });
    test(`--sheet chooses one, in ${program}`, async () => {
      const { descriptions } = await importSheet(file, { flags: ['--sheet', 'Meldungen 2026'] });
      assert.deepEqual(descriptions, ['found']);
    });
  }
  test('the mapping chooses one', async () => {
    const mapping =
      'sheet: Meldungen 2026\nsubmission:\n  id: id\n  description: description\n  createdAt: createdAt\n';
    const { descriptions, stderr } = await importSheet(buildXlsx(sheets(toXlsxRows)), {
      format: 'table',
      flags: ['--mapping', writeMapping(mapping)],
    });
    assert.deepEqual(descriptions, ['found'], stderr);
  });
  test('a wrong name lists the names', async () => {
    const { stderr } = await importSheet(buildXlsx(sheets(toXlsxRows)), { flags: ['--sheet', 'Tabelle1'] });
    assert.match(stderr, /has no sheet "Tabelle1"\. Its sheets are "Legende", "Meldungen 2026"/);
  });
});

test('one mapping reads dates of a CSV by its pattern, and real dates of a workbook', async () => {
  const mapping = writeMapping(
    'submission:\n  id: nr\n  description: text\n  createdAt:\n    column: datum\n    date: DD.MM.YYYY HH:mm\n',
  );
  const rows = `${toXlsxRows([['nr', 'text', 'datum']])}<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>a</t></is></c><c r="C2" s="1"><v>46082.5</v></c></row><row r="3"><c r="A3"><v>2</v></c><c r="B3" t="inlineStr"><is><t>b</t></is></c><c r="C3" t="inlineStr"><is><t>01.03.2026 12:00</t></is></c></row>`;
  const town = await harness.createMunicipality();
  await harness.importContent(town, xlsx(rows, {}, { formats: [22] }), {
    format: 'table',
    name: 'x.xlsx',
    flags: ['--mapping', mapping],
  });
  const times = (await harness.listAll(town, '/submissions')).map(({ createdAt }) => createdAt);
  assert.deepEqual(times, ['2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.000Z']);
});

test('a date and a time in two cells of a workbook are read by the pattern of a CSV', async () => {
  const mapping = writeMapping(
    'submission:\n  id: nr\n  description: text\n  createdAt:\n    columns: [datum, zeit]\n    date: [DD.MM.YYYY HH:mm, DD.MM.YYYY]\n',
  );
  const cells = [
    ['<c r="C2" s="1"><v>46082</v></c><c r="D2" s="2"><v>0.5</v></c>', '2026-03-01T11:00:00.000Z'],
    ['<c r="C2" s="1"><v>46082</v></c>', '2026-02-28T23:00:00.000Z'],
    [
      '<c r="C2" t="inlineStr"><is><t>01.03.2026</t></is></c><c r="D2" s="2"><v>0.5</v></c>',
      '2026-03-01T11:00:00.000Z',
    ],
  ];
  for (const [content, time] of cells) {
    const rows = `${toXlsxRows([['nr', 'text', 'datum', 'zeit']])}<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>a</t></is></c>${content}</row>`;
    const town = await harness.createMunicipality();
    const file = xlsx(rows, {}, { formats: ['dd.mm.yyyy', 'h:mm'] });
    const options = { format: 'table', name: 'x.xlsx', flags: ['--mapping', mapping] };
    const { stderr } = await harness.importContent(town, file, options);
    const times = (await harness.listAll(town, '/submissions')).map(({ createdAt }) => createdAt);
    assert.deepEqual(times, [time], stderr);
  }
});

test('a covered cell of OpenDocument has no content, because nobody sees it', async () => {
  const cells = (rows: string) =>
    rows
      .replace(
        '<table:table-cell office:value-type="string"><text:p>hidden',
        '<table:covered-table-cell office:value-type="string"><text:p>hidden',
      )
      .replace('hidden</text:p></table:table-cell>', 'hidden</text:p></table:covered-table-cell>');
  const file = ods(cells(toOdsRows([header, ['1', 'hidden', '2026-03-01'], ['2', 'shown', '2026-03-01']])));
  assert.match(cells(toOdsRows([['hidden']])), /covered/);
  const { descriptions } = await importSheet(file);
  assert.deepEqual(descriptions, ['shown']);
});

suite('a row is rejected with its sheet and number, and the others are imported, for', {
  concurrency: 2,
}, () => {
  const cells: Record<string, [cell: string, reason: RegExp]> = {
    'a formula without a stored result': [
      '<c r="B2"><f>SUM(A1:A9)</f></c>',
      /has a formula without a stored result: open the file in a spreadsheet program and save it \(B2\)/,
    ],
    'an error': [
      '<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      /has the error #DIV\/0!: correct the formula, or empty the cell \(B2\)/,
    ],
    'a value beside the table': [
      '<c r="Z2"><v>1</v></c>',
      /has a value outside of the named columns: name the column, or delete the value \(Z2\)/,
    ],
    'a missing description': ['<c r="B2" t="e"><v>#N/A</v></c>', /description/],
  };
  for (const [what, [cell, reason]] of Object.entries(cells)) {
    test(what, async () => {
      // More rows than the reader looks at to find the columns.
      const others = Array.from({ length: 120 }, (_, n) => createRow(`${n + 100}`, `other ${n}`));
      const filled = toXlsxRows(others).replace('<row>', '<row r="3">');
      const late = `<row r="500"><c r="A500" t="inlineStr"><is><t>1</t></is></c>${cell.replace(/([A-Z])2"/, '$1500"')}<c r="C500" t="inlineStr"><is><t>2026-03-01</t></is></c></row>`;
      const { counts, rejections, stderr } = await importSheet(xlsx(toXlsxRows([header]) + filled + late));
      assertCounts({ counts, rejections, stderr } as never, { inserted: 120, rejected: 1 });
      assert.match(stderr, /x\.xlsx, sheet "Meldungen", row 500/);
      const [{ source, sheet, line, reason: found } = { source: '', reason: '' }] = rejections as {
        source: string;
        sheet?: string;
        line?: number;
        reason: string;
      }[];
      assert.match(source, /x\.xlsx$/);
      assert.deepEqual([sheet, line], ['Meldungen', 500]);
      assert.match(found.replace('500)', '2)'), reason);
    });
  }
});

const ole = (stream: string) => {
  const file = Buffer.alloc(2048);
  file.write('d0cf11e0a1b11ae1', 0, 'hex');
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.write('Root Entry', 1024, 'utf16le');
  file.writeUInt16LE(22, 1024 + 64);
  file.write(stream, 1152, 'utf16le');
  file.writeUInt16LE((stream.length + 1) * 2, 1152 + 64);
  return file;
};

suite('nothing is imported, and a sentence names the remedy, for', { concurrency: 2 }, () => {
  const good = xlsx(toXlsxRows(texts));
  const parts = (name: string, content: string) =>
    buildZip([
      { name: '[Content_Types].xml', content: '<Types/>' },
      {
        name: '_rels/.rels',
        content: `<Relationships><Relationship Id="1" Type="x/officeDocument" Target="${name}"/></Relationships>`,
      },
      { name, content },
    ]);
  const files: Record<string, [content: Buffer, sentence: RegExp]> = {
    'an old workbook': [
      ole('Workbook'),
      /x\.xlsx is an old Excel workbook \(\.xls\): open it and save it as \.xlsx/,
    ],
    'a workbook with a password': [
      ole('EncryptedPackage'),
      /x\.xlsx is protected with a password: open it, remove the password, and save it/,
    ],
    'an OpenDocument spreadsheet with a password': [
      buildOds(
        [],
        '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>',
      ),
      /is protected with a password: open it, and save it without a password/,
    ],
    'a binary workbook': [
      parts('xl/workbook.bin', 'x'),
      /is a binary Excel workbook \(\.xlsb\): open it and save it as \.xlsx/,
    ],
    'a Word document': [parts('word/document.xml', '<document/>'), /is an Office document without tables/],
    'a truncated workbook': [
      good.subarray(0, good.length - 100),
      /is a truncated or damaged zip archive\. Fetch it again/,
    ],
    'a workbook without cells': [xlsx('<row r="1"/>'), /has no data in sheet "Meldungen"/],
    'a workbook without filled sheets': [
      buildXlsx([
        { name: 'a', rows: '' },
        { name: 'b', rows: '' },
      ]),
      /has no sheet with data/,
    ],
    'a sheet that is not well-formed': [
      xlsx('<row><c></row>'),
      /is a damaged spreadsheet: open it in a spreadsheet program and save it again/,
    ],
    'a document type with entities': [
      buildZip([
        { name: '[Content_Types].xml', content: '<Types/>' },
        { name: '_rels/.rels', content: '<!DOCTYPE x [<!ENTITY a "b">]><Relationships/>' },
      ]),
      /has a document type \(DOCTYPE\) inside/,
    ],
    'cells that repeat without end': [
      ods(
        `${toOdsRows([header])}<table:table-row table:number-rows-repeated="1048575"><table:table-cell office:value-type="string" table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row>`,
      ),
      /repeats the same cells millions of times/,
    ],
    'a number format of 200,000 brackets': [
      xlsx(toXlsxRows(texts), {}, { formats: ['['.repeat(200_000)] }),
      /has a number format of more than 255 characters, the limit of Excel/,
    ],
    '200,000 tags without an end': [
      buildZip(
        listOdsParts([]).map((part) =>
          part.name === 'content.xml' ? { ...part, content: '<table:table '.repeat(200_000) } : part,
        ),
      ),
      /has no sheet with data/,
    ],
    'more than 4,096 columns': [
      xlsx(toXlsxRows([Array.from({ length: 5_000 }, (_, index) => `c${index}`)])),
      /has more than 4,096 columns: export only those that are needed/,
    ],
    'a header with a repeated name': [
      xlsx(toXlsxRows([[...header, 'id'], createRow('1', 'x')])),
      /has the same name over columns A and D: rename one of them/,
    ],
    'a table as HTML': [
      Buffer.from('<html><body><table><tr><td>id</td></tr></table></body></html>'),
      /is a web page \(HTML\)\. If a spreadsheet program opens it as a table, save it as \.xlsx/,
    ],
    'a spreadsheet in XML': [
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>'),
      /is a spreadsheet in XML: open it in a spreadsheet program and save it as \.xlsx/,
    ],
    'a spreadsheet of Apple Numbers': [
      buildZip([{ name: 'Index/Document.iwa', content: 'x' }]),
      /is a document of Apple Numbers or Pages: export it as \.xlsx or CSV/,
    ],
  };
  for (const [what, [content, sentence]] of Object.entries(files)) {
    test(what, async () => {
      const { code, stderr, descriptions } = await importSheet(content);
      assert.match(stderr, sentence);
      assert.equal(code, 1);
      assert.deepEqual(descriptions, []);
    });
  }
});

test('macros and links to other files are ignored', async () => {
  const others = [
    { name: 'xl/vbaProject.bin', content: 'macro' },
    { name: 'xl/externalLinks/externalLink1.xml', content: '<externalLink/>' },
  ];
  const rows = `${toXlsxRows([header])}<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="str"><f>[1]Other!A1</f><v>linked</v></c><c r="C2" t="inlineStr"><is><t>2026-03-01</t></is></c></row>`;
  const { descriptions } = await importSheet(xlsx(rows, {}, { others }), { name: 'x.xlsm' });
  assert.deepEqual(descriptions, ['linked']);
});

test('a format without tables explains what it was given', async () => {
  const { stderr, code } = await importSheet(xlsx(toXlsxRows(texts)), { format: 'oparl' });
  assert.match(stderr, /x\.xlsx is a spreadsheet, and this format has no tables/);
  assert.equal(code, 1);
});
