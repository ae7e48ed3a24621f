/** Rows of a table through a mapping file: dates, encodings, invalid rows and invalid tables. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createTableImporter, minimalMapping } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { findSubmission, importTable } = createTableImporter(harness);

/** Pattern, time zone, and for each text the published time or the reason for its rejection. */
const dates: [pattern: string, zone: string, cases: Record<string, string | RegExp>][] = [
  [
    'MM/DD/YYYY hh:mm:ss A',
    'America/New_York',
    {
      '01/05/2015 12:00:00 AM': '2015-01-05T05:00:00.000Z',
      '01/05/2015 12:30:00 PM': '2015-01-05T17:30:00.000Z',
      '01/05/2015 11:59:59 pm': '2015-01-06T04:59:59.000Z',
      '01/05/2015 01:00:00\u202fp.m.': '2015-01-05T18:00:00.000Z',
      // Clocks go from 2:00 to 3:00, and back from 2:00 to 1:00.
      '03/08/2015 02:30:00 AM': '2015-03-08T07:30:00.000Z',
      '11/01/2015 01:30:00 AM': '2015-11-01T05:30:00.000Z',
      '02/29/2016 08:00:00 AM': '2016-02-29T13:00:00.000Z',
      '02/29/2015 08:00:00 AM': /^createdAt is not a valid time/,
      '13/01/2015 08:00:00 AM': /^createdAt is not a valid time/,
      '01/05/2015 13:00:00 PM':
        /^createdAt: `d` does not match MM\/DD\/YYYY hh:mm:ss A; correct the cell, or/,
      '01/05/2015 00:10:00 AM': /does not match/,
      '01/05/2015 08:61:00 AM': /is not a valid time/,
      '01/05/2015 08:00:60 AM': /does not match/,
      '1/5/2015 08:00:00 AM': /does not match/,
      '01/05/15 08:00:00 AM': /does not match/,
      '2015-01-05T08:00:00Z': /does not match/,
    },
  ],
  [
    'D.M.YY H:mm',
    'Europe/Berlin',
    {
      '1.2.26 8:05': '2026-02-01T07:05:00.000Z',
      '01.02.68 08:05': '2068-02-01T07:05:00.000Z',
      '01.02.69 08:05': '1969-02-01T07:05:00.000Z',
      '29.3.26 2:30': '2026-03-29T01:30:00.000Z',
      '31.4.26 8:00': /is not a valid time/,
      '1.2.2026 8:05': /does not match/,
      '1.2.26 24:00': /is not a valid time/,
    },
  ],
  ['YYYYMMDD', 'Asia/Kathmandu', { 20260301: '2026-02-28T18:15:00.000Z', 2026031: /does not match/ }],
  [
    'YYYY-MM-DD[ at ]HH:mm:ss.SSSZ',
    '',
    {
      '2026-03-01 at 10:00:00.125+01:00': '2026-03-01T09:00:00.125Z',
      '2026-03-01 at 10:00:00.125Z': '2026-03-01T10:00:00.125Z',
      '2026-03-01 at 10:00:00.125': /does not match/,
    },
  ],
  [
    'unix',
    '',
    {
      1420461641: '2015-01-05T12:40:41.000Z',
      '1420461641.5': '2015-01-05T12:40:41.500Z',
      315532799: /does not match unix/,
      315532800: '1980-01-01T00:00:00.000Z',
      3155759999: '2069-12-31T23:59:59.000Z',
      4102444800: /does not match unix/,
      1420461641000: /does not match unix/,
      '-1': /does not match unix/,
    },
  ],
  [
    'unix-ms',
    '',
    {
      1420461641001: '2015-01-05T12:40:41.001Z',
      315532799999: /does not match unix-ms/,
      315532800000: '1980-01-01T00:00:00.000Z',
      3155759999999: '2069-12-31T23:59:59.999Z',
      4102444800000: /does not match unix-ms/,
      1420461641: /does not match unix-ms/,
    },
  ],
  [
    'ISO',
    '',
    {
      '2026-03-01T10:00:00+01:00': '2026-03-01T09:00:00.000Z',
      '2026-03-01 10:00:00Z': '2026-03-01T10:00:00.000Z',
      '2026-03-01': '2026-02-28T23:00:00.000Z',
      '01.03.2026': /^createdAt must be a time such as/,
    },
  ],
];

suite('dates are parsed by the pattern', { concurrency: 2 }, () => {
  for (const [pattern, zone, cases] of dates) {
    test(pattern, async () => {
      const town = await harness.createMunicipality();
      const texts = Object.keys(cases);
      const table = toCsv(';', [['n', 'd'], ...texts.map((text) => [text, text])]);
      const mapping = `submission:\n  id: n\n  description: n\n  createdAt: { column: d, date: "${pattern}"${zone && `, timeZone: ${zone}`} }\n`;
      const result = await importTable(town, table, mapping);
      const rows = await harness.listAll(town, '/submissions');
      for (const [text, expected] of Object.entries(cases)) {
        const got = rows.find(({ description }) => description === text)?.createdAt;
        if (typeof expected === 'string') assert.equal(got, expected, text);
        else
          assert.match(
            result.rejections.find(({ id }) => id === text)?.reason ?? `result as ${got}`,
            expected,
          );
      }
    });
  }
});

test('invalid rows are rejected with line and reason, and other rows are imported', async () => {
  const town = await harness.createMunicipality();
  const table = [
    'nr,text,date,state',
    '1,good,2026-01-01,open',
    '2,"two\nlines",2026-01-01,open',
    '3,too,few',
    '4,too,2026-01-01,open,many',
    '5,word,2026-01-01,"half, open"',
    ',no id,2026-01-01,open',
    '6,,2026-01-01,open',
    '7,no date,,open',
    '1,the same again with other words,2026-01-01,open',
    '8,"a quote" in the middle,2026-01-01,open',
    `9,${'x'.repeat(100_001)},2026-01-01,open`,
    '10,good too,2026-01-01,OPEN',
    '',
  ].join('\n');
  const result = await importTable(
    town,
    table,
    `timeZone: UTC\n${minimalMapping}  status: { column: state, values: { open: received } }\n`,
  );
  assert.equal(result.code, 3);
  assertCounts(result, { inserted: 3, rejected: 9 });
  const reasons = result.rejections.map(({ line, reason }) => `${line}: ${reason}`);
  for (const expected of [
    /^5: is not a row of this table: it has 3 cells, and the first line 4: look for a missing delimiter/,
    /^6: is not a row of this table: it has 5 cells, and the first line 4/,
    /^7: status: `state` has a word that is not among the values of the mapping; add it, or add it to skip if such rows are not public$/,
    /^8: id is missing$/,
    /^9: description is missing$/,
    /^10: createdAt is missing$/,
    /^11: an earlier record in the same input has the same id; the first one counts$/,
    /^12: is not a row of this table: the closing quotation mark of "text" is followed by "i" \(U\+0069\) instead of a delimiter/,
    /^13: description must /,
  ])
    assert.ok(
      reasons.some((line) => expected.test(line)),
      `${expected} in\n${reasons.join('\n')}`,
    );
  await findSubmission(town, 'two\nlines');
  await findSubmission(town, 'good too');
});

test('words that the mapping lacks are rejected with one message, and counted by column and word', async () => {
  const town = await harness.createMunicipality();
  const words = ['open', 'parked', 'parked', 'Parked', 'lost', '__proto__'];
  const table = toCsv(',', [
    ['nr', 'text', 'date', 'state'],
    ...words.map((word, n) => [`${n}`, 'x', '2026-01-01', word]),
  ]);
  const mapping = `timeZone: UTC\n${minimalMapping}  status: { column: state, values: { open: received } }\n`;
  const result = await importTable(town, table, mapping);
  assertCounts(result, { inserted: 1, rejected: 5 });
  assert.match(
    result.stderr,
    /^Rejected 5 records: status: `state` has a word that is not among the values of the mapping; add it, or add it to skip if such rows are not public\n/,
  );
  assert.match(
    result.stdout,
    /"rejectedValues": \{\s+"status: `state`": \{\s+"parked": 3,\s+"lost": 1,\s+"__proto__": 1\s+\}\s+\}/,
  );
});

suite('the same rows are imported', { concurrency: 2 }, () => {
  const text = toCsv(';', [
    ['Nr', 'Größe', 'Eingang'],
    ['1', 'Straße „Grün“ – 5 €', '2026-01-01'],
  ]);
  const windows1252 = Buffer.from(
    text.replaceAll('„', '\x84').replaceAll('“', '\x93').replaceAll('–', '\x96').replaceAll('€', '\x80'),
    'latin1',
  );
  const encodings: Record<string, string | Buffer> = {
    'UTF-8': text,
    'UTF-8 with a byte order mark': `\ufeff${text}`,
    'UTF-16, little-endian': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16, big-endian': Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    'Windows-1252': windows1252,
    'Windows-1252, compressed with gzip': gzipSync(windows1252),
  };
  for (const [name, content] of Object.entries(encodings)) {
    test(`from ${name}`, async () => {
      const town = await harness.createMunicipality();
      const mapping = 'submission: { id: Nr, description: Größe, createdAt: Eingang }\n';
      const result = await importTable(town, content, mapping, ['--time-zone', 'Europe/Berlin']);
      assert.equal(result.code, 0, result.stderr);
      await findSubmission(town, 'Straße „Grün“ – 5 €');
    });
  }

  test('from Windows-1252 with a late first accent if the mapping names the encoding', async () => {
    const town = await harness.createMunicipality();
    const rows = Array.from({ length: 2_000 }, (_, n) => `${n},plain ${'x'.repeat(40)},2026-01-01`);
    const late = Buffer.from(['nr,text,date', ...rows, 'x,schön,2026-01-01', ''].join('\n'), 'latin1');
    const detected = await importTable(town, late, `timeZone: UTC\n${minimalMapping}`, ['--dry-run']);
    assert.equal(detected.code, 1);
    assert.match(
      detected.stderr,
      /x\.csv is not UTF-8: save it as UTF-8, or name its encoding in the mapping/,
    );
    const named = await importTable(town, late, `encoding: windows-1252\ntimeZone: UTC\n${minimalMapping}`);
    assertCounts(named, { inserted: 2_001 });
    await findSubmission(town, 'schön');
  });
});

suite('a byte that is not UTF-8', { concurrency: 2 }, () => {
  const mapping = `timeZone: UTC\n${minimalMapping}`;
  /** A `~` becomes the byte of `ß` in Windows-1252. */
  const damage = (text: string) => {
    const bytes = Buffer.from(text);
    return bytes.map((byte) => (byte === 0x7e ? 0xdf : byte)) as Buffer;
  };
  const plainRows = Array.from({ length: 2_000 }, (_, n) => `${n},plain ${'x'.repeat(40)},2026-01-01\n`).join(
    '',
  );
  const damaged: Record<string, [text: string, line: number]> = {
    'among the first lines': [
      'nr,text,date\n1,Grün,2026-01-01\n2,Stra~e,2026-01-01\n3,schön,2026-01-01\n',
      3,
    ],
    'before the first accent, which comes late': [
      `nr,text,date\n1,Stra~e,2026-01-01\n${plainRows}a,schön,2026-01-01\n`,
      2,
    ],
    'at the end of the file': ['nr,text,date\n1,Grün,2026-01-01\n2,x,2026-01-01\n3,x,2026-01-01~', 4],
  };
  for (const [where, [text, line]] of Object.entries(damaged)) {
    test(`${where} does not damage the accents of the other lines, and the message says where it is`, async () => {
      const town = await harness.createMunicipality();
      const content = damage(text);
      const place = `0xDF in line ${line} \\(byte ${content.indexOf(0xdf) + 1} of the file\\)`;
      const { code, stderr } = await importTable(town, content, mapping);
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(
          `x\\.csv is UTF-8, but not throughout: the first byte that is not UTF-8 is ${place}\\. Correct this character, .+ name that in the mapping`,
        ),
      );
      const published = await harness.listAll(town, '/submissions');
      assert.ok(!published.some(({ description }) => /Ã/.test(description)));
    });
  }

  test('is read as the encoding that the mapping names', async () => {
    const town = await harness.createMunicipality();
    const named = await importTable(
      town,
      damage(damaged['among the first lines']?.[0] ?? ''),
      `encoding: windows-1252\n${mapping}`,
    );
    assertCounts(named, { inserted: 3 });
    await findSubmission(town, 'Straße');
  });

  test('makes the dry run say which encoding was detected', async () => {
    const town = await harness.createMunicipality();
    const notes = async (content: string | Buffer) =>
      (await importTable(town, content, mapping, ['--dry-run'])).counts.notes;
    const text = 'nr,text,date\n1,Straße,2026-01-01\n';
    assert.deepEqual(await notes(text), []);
    assert.match(
      String(await notes(Buffer.from(text, 'latin1'))),
      /x\.csv is not UTF-8 and is read as WINDOWS-1252\. Check/,
    );
    assert.match(
      String(await notes(gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')))),
      /is read as UTF-16LE\. Check/,
    );
  });

  test('does not seem to be where a long text is read in pieces', async () => {
    const town = await harness.createMunicipality();
    const long = '€'.repeat(60_000);
    assertCounts(await importTable(town, `nr,text,date\n1,${long},2026-01-01\n`, mapping), { inserted: 1 });
    await findSubmission(town, long);
  });
});

test('quotation marks that are escaped with a backslash are read and reported, wherever they begin', async () => {
  const rows = [
    String.raw`1,"He said \"no\", then",2026-01-01`,
    String.raw`2,"C:\\dir\\",2026-01-01`,
    String.raw`3,"a 5\", ""b"" ",2026-01-01`,
    '4,"two\\\nlines",2026-01-01',
    String.raw`5,\x,2026-01-01`,
  ];
  const texts = ['He said "no", then', 'C:\\dir\\', 'a 5", "b"', 'two\nlines', '\\x'];
  // Longer than the beginning from which the dialect is detected.
  const plain = Array.from({ length: 3_000 }, (_, n) => `${n + 10},"A long plain text, ${n}",2026-01-01`);
  for (const before of [[], plain]) {
    const town = await harness.createMunicipality();
    const content = ['nr,text,date', ...before, ...rows, ''].join('\n');
    const result = await importTable(town, content, minimalMapping);
    assertCounts(result, { inserted: rows.length + before.length });
    assert.match(String(result.counts.notes), /x\.csv has quotation marks in cells as \\" instead of ""/);
    for (const text of texts) await findSubmission(town, text);
  }
  // Where only the end of a cell has such a mark, it is a backslash.
  const town = await harness.createMunicipality();
  const result = await importTable(town, 'nr,text,date\n1,"C:\\",2026-01-01\n', minimalMapping);
  assert.deepEqual([result.counts.inserted, result.counts.notes], [1, []]);
  const draft = await runCli([
    ...['import', 'table', '--suggest'],
    harness.workspace.writeFile('escaped.csv', ['nr,text,date', ...rows].join('\n')),
  ]);
  assert.match(draft.stdout, /# CHECK: quotation marks in cells are escaped with a backslash/);
});

test('columns of the same name are numbered, in mappings and drafts', async () => {
  const town = await harness.createMunicipality();
  const content = 'nr,text,date,text,Name,Name\n1,a,2026-01-01,b,Eva,Adam\n';
  const mapping =
    'timeZone: UTC\nsubmission:\n  id: nr\n  description: { columns: [text, text (2)] }\n  createdAt: date\n';
  assertCounts(await importTable(town, content, mapping), { inserted: 1 });
  await findSubmission(town, 'a b');
  const skipped = await importTable(
    await harness.createMunicipality(),
    content,
    `skip: { text: [b] }\n${mapping}`,
  );
  assertCounts(skipped, { ignored: 1 });
  const draft = await runCli([
    'import',
    'table',
    harness.workspace.writeFile('twice.csv', content),
    '--suggest',
  ]);
  assert.match(draft.stdout, /"Name \(2\)": names of people/);
});

suite('nothing is imported, with exit code 1, for', { concurrency: 2 }, () => {
  const zoned = `timeZone: UTC\n${minimalMapping}`;
  const head = 'nr,text,date\n1,a,2026-01-01\n';
  const unreadable: Record<string, [content: string | Buffer, sentence: RegExp, mapping?: string]> = {
    'an unclosed quotation mark': [
      `nr,text,date\n1,"a,2026-01-01\n${'2,b,2026-01-01\n'.repeat(400_000)}`,
      /a row of more than 4 MiB that begins in line 2: leave it out, or look for a quotation mark that is opened and never closed/,
    ],
    'an unclosed quotation mark in a short file': [
      'nr,text,date\n1,"a,2026-01-01\n2,b,2026-01-01\n',
      /x\.csv has a row that begins in line 2 and does not end, so 2 lines were not read: look for/,
    ],
    'a field of 5 MB': [
      Buffer.concat([
        Buffer.from('nr,text,date\n1,'),
        Buffer.alloc(5_000_000, 'x'),
        Buffer.from(',2026-01-01\n'),
      ]),
      /has a row of more than 4 MiB that begins in line 2: leave it out/,
    ],
    'a zip archive': [
      Buffer.from('504b030414000000080000002100', 'hex'),
      /is a truncated or damaged zip archive\. Fetch it again/,
    ],
    'an empty file': ['', /x\.csv is empty/],
    'a JSON document': ['{"nr": 1}\n', /x\.csv has no list of objects in its first MiB/],
    'a missing column with a similar name': [
      head,
      /x\.csv has no column "Text" of the mapping\. Is it "text"\?/,
      zoned.replace('text', 'Text'),
    ],
    'a missing column': [
      head,
      /has no column "Beschreibung des Anliegens" of the mapping\. "rostra import table FILE --suggest" lists its columns\./,
      zoned.replace('text', 'Beschreibung des Anliegens'),
    ],
    'a missing column of skip': [
      head,
      /has no column "stat" of the mapping/,
      `skip: { stat: [x] }\n${zoned}`,
    ],
  };
  for (const [what, [content, sentence, mapping = zoned]] of Object.entries(unreadable)) {
    test(what, async () => {
      const town = await harness.createMunicipality();
      const { code, stderr } = await importTable(town, content, mapping);
      assert.match(stderr, sentence);
      assert.equal(code, 1, stderr);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    });
  }

  test('several files, if the last one has other columns', async () => {
    const town = await harness.createMunicipality();
    const paths = [
      harness.workspace.writeFile('first.csv', head),
      harness.workspace.writeFile('second.csv', 'nr,txt,date\n2,b,2026-01-01\n'),
    ];
    const { code, stderr } = await importTable(town, paths, zoned);
    assert.match(stderr, /second\.csv has no column "text".+Is it "txt"\?/);
    assert.equal(code, 1);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('a time zone in the mapping and another one on the command line', async () => {
    const town = await harness.createMunicipality();
    const { stderr } = await importTable(town, head, zoned, ['--time-zone', 'Europe/Berlin']);
    assert.match(stderr, /names the time zone UTC, and --time-zone Europe\/Berlin: remove one of them/);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('an import without a mapping, which is not recorded as a failed one', async () => {
    const town = await harness.createMunicipality();
    const { code, stderr } = await harness.importContent(town, head, { format: 'table', name: 'x.csv' });
    assert.match(
      stderr,
      /A mapping is needed: name its file with --mapping\. "rostra import table FILE --suggest"/,
    );
    assert.equal(code, 2);
    const runs = 'SELECT id FROM import_run WHERE organization_id = $1';
    assert.deepEqual(await harness.workspace.sql(runs, [town.id]), []);
  });
});

test('an unclosed quotation mark loses no row silently if a column is named by a year', async () => {
  const town = await harness.createMunicipality();
  const rows = ['a1,x,2026-03-01,z', 'a2,"a,2026-03-01,z', 'a3,x,2026-03-01,z', 'a4,5",2026-03-01,z'];
  const content = `nr,text,date,2019\n${rows.join('\n')}\n`;
  const { counts, stderr } = await importTable(town, content, minimalMapping);
  assert.match(stderr, /"text" contains a line that looks like a row/);
  assert.equal(counts.inserted, 1);
});
