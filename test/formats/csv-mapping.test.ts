/** Any table through a mapping file: what the file can say, and what is wrong in it or in the table. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { assertCounts, newHall, type Taken } from '../import/hall.ts';
import type { Municipality } from '../support/command-line.ts';
import { refused, succeed } from '../support/command-line.ts';
import { csv } from '../support/files.ts';

const hall = await newHall({ after });
let files = 0;

function mappingFile(text: string): string {
  files += 1;
  return hall.desk.file(`mapping-${files}.yaml`, text);
}

function take(
  town: Municipality,
  content: string | Buffer | string[],
  mapping: string,
  flags: string[] = [],
): Promise<Taken> {
  return hall.take(town, content, {
    format: 'csv',
    name: 'x.csv',
    flags: ['--mapping', mappingFile(mapping), ...flags],
  });
}

async function published(town: Municipality, description: string): Promise<Record<string, unknown>> {
  const found = (await hall.all(town, '/submissions')).find((row) => row.description === description);
  assert.ok(found, `"${description}" is published`);
  return found;
}

const simple = 'submission:\n  id: nr\n  description: text\n  createdAt: date\n';

suite('a mapping says', { concurrency: 2 }, () => {
  test('columns, texts of several columns, constants, words, numbers, what is empty, and what to leave out', async () => {
    const town = await hall.municipality();
    const table = csv(';', [
      ['Jahr', 'Nr', 'Titel', 'Text', 'Stand', 'Thema', 'Stimmen', 'Anlagen', 'Mail', 'Protokoll'],
      ['2025', '1', 'Zebrastreifen', 'vor der Schule', 'Erledigt', 'Verkehr', '1.234', '2', 'a@b.de', ''],
      ['2026', '1', 'Bank', 'k. A.', 'OFFEN ', ' n/a ', '12,0', '0', 'c@d.de', 'https://rat.example.org/1'],
      ['2026', '2', 'Bäume', '', 'Vertagt', 'Grün', '-', '', 'e@f.de', '-'],
      ['2026', '3', 'Test', '', 'Entwurf', 'Grün', '1', '', '', ''],
      ['2026', '4', 'Noch ein Test', '', '', 'Grün', '1', '', '', ''],
    ]);
    const mapping = `
empty: ["-", k. A., N/A, null]
timeZone: Europe/Berlin
skip:
  Stand: [entwurf, ""]
submission:
  id: [Jahr, Nr]
  referenceNumber: { columns: [Nr, Jahr], join: / }
  description:
    columns: [Titel, Text]
    join: "\\n"
  status:
    column: Stand
    values: { erledigt: completed, Offen: received }
    default: in_review
  topicCategoryName: { column: Thema, default: Sonstiges }
  priorityLevel: { constant: high }
  supportCount: { column: Stimmen, thousands: ".", decimal: "," }
  hasAttachments:
    column: Anlagen
    values: { 0: false }
    default: true
  protocolUrl: Protokoll
  createdAt: { column: Jahr, date: YYYY }
`;
    const taken = await take(town, table, mapping);
    assert.equal(taken.code, 0, taken.stderr);
    assertCounts(taken, { inserted: 3, ignored: 2 });
    assert.deepEqual((taken.counts as Record<string, unknown>).unknownWords, {
      Vertagt: { count: 1, takenFor: 'in_review' },
      2: { count: 1, takenFor: 'true' },
    });
    const { id: _, ...first } = await published(town, 'Zebrastreifen\nvor der Schule');
    assert.deepEqual(first, {
      referenceNumber: '1/2025',
      description: 'Zebrastreifen\nvor der Schule',
      status: 'completed',
      topicCategoryName: 'Verkehr',
      priorityLevel: 'high',
      supportCount: 1_234,
      hasAttachments: true,
      protocolUrl: null,
      createdAt: '2024-12-31T23:00:00.000Z',
      statusChangedAt: '2024-12-31T23:00:00.000Z',
    });
    const second = await published(town, 'Bank');
    assert.deepEqual(
      [second.status, second.topicCategoryName, second.supportCount, second.hasAttachments],
      ['received', 'Sonstiges', 12, false],
    );
    assert.equal(second.protocolUrl, 'https://rat.example.org/1');
    const third = await published(town, 'Bäume');
    assert.deepEqual([third.status, third.supportCount, third.protocolUrl], ['in_review', 0, null]);
    const again = await take(town, table, mapping);
    assertCounts(again, { unchanged: 3, ignored: 2 });
  });

  test('which characters are damaged, without other ids', async () => {
    const town = await hall.municipality();
    const table = csv(',', [
      ['nr', 'text', 'date'],
      ['Ã¼1', 'GrÃ¼n und schÃ¶n $&', '2026-01-01'],
    ]);
    assertCounts(await take(town, table, `timeZone: UTC\n${simple}`), { inserted: 1 });
    const mended = `timeZone: UTC\nreplace: { Ã¼: ü, Ã¶: ö, $&: € }\n${simple}`;
    assertCounts(await take(town, table, mended), { changed: 1 });
    await published(town, 'Grün und schön €');
  });

  test('an id of several columns, by which no two rows are the same that are not', async () => {
    const town = await hall.municipality();
    const table =
      'a,b,text,date\n1,23,x,2026-01-01\n12,3,y,2026-01-01\n,123,z,2026-01-01\n123,,v,2026-01-01\n,,w,2026-01-01\n';
    const taken = await take(town, table, `timeZone: UTC\n${simple.replace('nr', '[a, b]')}`);
    assertCounts(taken, { inserted: 4, refused: 1 });
    assert.equal(taken.refusals[0]?.reason, 'id is missing');
  });

  test('a word for an empty cell, and one that is ours already', async () => {
    const town = await hall.municipality();
    const table = 'nr,text,date,state\n1,x,2026-01-01,\n2,y,2026-01-01,in_review\n3,z,2026-01-01,Closed\n';
    const status = '{ column: state, values: { in_review: accepted }, default: in_review }';
    await take(town, table, `timeZone: UTC\n${simple}  status: ${status}\n`);
    assert.equal((await published(town, 'x')).status, 'in_review');
    assert.equal((await published(town, 'y')).status, 'accepted');
    assert.equal((await published(town, 'z')).status, 'in_review');
  });

  test('the delimiter, where it is an unusual one', async () => {
    const town = await hall.municipality();
    const table = 'nr|text, long; and "full"|date\n1|a, b; c|2026-01-01\n';
    const mapping = `delimiter: "|"\ntimeZone: UTC\n${simple.replace('text', '"text, long; and \\"full\\""')}`;
    assertCounts(await take(town, table.replaceAll('"', ''), mapping.replaceAll('\\"', '')), { inserted: 1 });
    const tabs = 'nr\ttext\tdate\n1\tmore; of; these; than; tabs\t2026-01-01\n';
    assertCounts(await take(town, tabs, `delimiter: tab\ntimeZone: UTC\n${simple}`), { changed: 1 });
  });

  test('signs between thousands, of which none is taken for another', async () => {
    const town = await hall.municipality();
    const rows = (...numbers: string[]) =>
      csv(';', [['nr', 'text', 'date', 'n'], ...numbers.map((n) => [n, n, '2026-01-01', n])]);
    const counted = (form: string) => `timeZone: UTC\n${simple}  supportCount: { column: n${form} }\n`;
    const plain = await take(
      town,
      rows('7', '8.0', '1.5', '1,000', '-3', '1e3', 'x', '99999999999'),
      counted(''),
    );
    assertCounts(plain, { inserted: 2, refused: 6 });
    assert.match(
      plain.refusals[0]?.reason ?? '',
      /^supportCount: "1\.5" is not a whole number; if signs stand/,
    );
    const spaced = await take(town, rows('12 345', '1\u202f234', '12 34'), counted(', thousands: " "'));
    assertCounts(spaced, { inserted: 2, refused: 1 });
    const swiss = await take(town, rows("1'234", '1’235', '1.236'), counted(`, thousands: "'"`));
    assertCounts(swiss, { inserted: 2, refused: 1 });
    const german = await take(town, rows('1.000', '2,0', '2,5', '1.00'), counted(', thousands: "."'));
    assertCounts(german, { inserted: 2, refused: 2 });
    const sums = (await hall.all(town, '/submissions')).map(({ supportCount }) => supportCount);
    assert.deepEqual(
      sums.toSorted((a, b) => a - b),
      [2, 7, 8, 1_000, 1_234, 1_234, 1_235, 12_345],
    );
  });
});

/** Form, zone, and for each text what is published, or why it is refused. */
const dates: [form: string, zone: string, cases: Record<string, string | RegExp>][] = [
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
      '02/29/2015 08:00:00 AM': /^createdAt is no time there is/,
      '13/01/2015 08:00:00 AM': /^createdAt is no time there is/,
      '01/05/2015 13:00:00 PM': /is not of the form MM\/DD\/YYYY hh:mm:ss A$/,
      '01/05/2015 00:10:00 AM': /is not of the form/,
      '01/05/2015 08:61:00 AM': /is no time there is/,
      '01/05/2015 08:00:60 AM': /is not of the form/,
      '1/5/2015 08:00:00 AM': /is not of the form/,
      '01/05/15 08:00:00 AM': /is not of the form/,
      '2015-01-05T08:00:00Z': /is not of the form/,
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
      '31.4.26 8:00': /is no time there is/,
      '1.2.2026 8:05': /is not of the form/,
      '1.2.26 24:00': /is no time there is/,
    },
  ],
  ['YYYYMMDD', 'Asia/Kathmandu', { 20260301: '2026-02-28T18:15:00.000Z', 2026031: /is not of the form/ }],
  [
    'YYYY-MM-DD[ at ]HH:mm:ss.SSSZ',
    '',
    {
      '2026-03-01 at 10:00:00.125+01:00': '2026-03-01T09:00:00.125Z',
      '2026-03-01 at 10:00:00.125Z': '2026-03-01T10:00:00.125Z',
      '2026-03-01 at 10:00:00.125': /is not of the form/,
    },
  ],
  [
    'unix',
    '',
    {
      1420461641: '2015-01-05T12:40:41.000Z',
      '1420461641.5': '2015-01-05T12:40:41.500Z',
      '-1': '1969-12-31T23:59:59.000Z',
      999999999999: /is (not of the form unix|no time there is|must be a time)|createdAt must be/,
      1420461641000: /is not of the form unix/,
    },
  ],
  [
    'ISO',
    '',
    {
      '2026-03-01T10:00:00+01:00': '2026-03-01T09:00:00.000Z',
      '2026-03-01 10:00:00Z': '2026-03-01T10:00:00.000Z',
      '2026-03-01': /^createdAt has no offset from UTC/,
      '01.03.2026': /^createdAt must be a time such as/,
    },
  ],
];

suite('a date is read as', { concurrency: 2 }, () => {
  for (const [form, zone, cases] of dates) {
    test(form, async () => {
      const town = await hall.municipality();
      const texts = Object.keys(cases);
      const table = csv(';', [['n', 'd'], ...texts.map((text) => [text, text])]);
      const mapping = `submission:\n  id: n\n  description: n\n  createdAt: { column: d, date: "${form}"${zone && `, timeZone: ${zone}`} }\n`;
      const taken = await take(town, table, mapping);
      const rows = await hall.all(town, '/submissions');
      for (const [text, expected] of Object.entries(cases)) {
        const got = rows.find(({ description }) => description === text)?.createdAt;
        if (typeof expected === 'string') assert.equal(got, expected, text);
        else
          assert.match(taken.refusals.find(({ id }) => id === text)?.reason ?? `taken as ${got}`, expected);
      }
    });
  }
});

test('rows that are wrong are refused with their line and the reason, and the others go on', async () => {
  const town = await hall.municipality();
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
  const taken = await take(
    town,
    table,
    `timeZone: UTC\n${simple}  status: { column: state, values: { open: received } }\n`,
  );
  assert.equal(taken.code, 3);
  assertCounts(taken, { inserted: 3, refused: 9 });
  const told = taken.refusals.map(({ line, reason }) => `${line}: ${reason}`);
  for (const expected of [
    /^5: is not a row of this table: .*/,
    /^6: is not a row of this table: .*/,
    /^7: status: "half, open" is not among the values of the mapping; add it, or a default$/,
    /^8: id is missing$/,
    /^9: description is missing$/,
    /^10: createdAt is missing$/,
    /^11: its id stands earlier in the same input; the first one counts$/,
    /^12: is not a row of this table/,
    /^13: description must /,
  ])
    assert.ok(
      told.some((line) => expected.test(line)),
      `${expected} in\n${told.join('\n')}`,
    );
  await published(town, 'two\nlines');
  await published(town, 'good too');
});

suite('the same rows come in', { concurrency: 2 }, () => {
  const text = csv(';', [
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
    'Windows-1252, packed with gzip': gzipSync(windows1252),
  };
  for (const [name, content] of Object.entries(encodings)) {
    test(`from ${name}`, async () => {
      const town = await hall.municipality();
      const mapping = 'submission: { id: Nr, description: Größe, createdAt: Eingang }\n';
      const taken = await take(town, content, mapping, ['--time-zone', 'Europe/Berlin']);
      assert.equal(taken.code, 0, taken.stderr);
      await published(town, 'Straße „Grün“ – 5 €');
    });
  }

  test('from Windows-1252 whose first accent comes late, where the mapping says so', async () => {
    const town = await hall.municipality();
    const rows = Array.from({ length: 20_000 }, (_, n) => `${n},plain,2026-01-01`);
    const late = Buffer.from(['nr,text,date', ...rows, 'x,schön,2026-01-01', ''].join('\n'), 'latin1');
    const untold = await take(town, late, `timeZone: UTC\n${simple}`, ['--dry-run']);
    assert.equal(untold.code, 1);
    assert.match(untold.stderr, /x\.csv is not UTF-8/);
    const told = await take(town, late, `encoding: windows-1252\ntimeZone: UTC\n${simple}`);
    assertCounts(told, { inserted: 20_001 });
    await published(town, 'schön');
  });
});

suite('nothing comes in, and the end is 1, of', { concurrency: 2 }, () => {
  const zoned = `timeZone: UTC\n${simple}`;
  const head = 'nr,text,date\n1,a,2026-01-01\n';
  const unreadable: Record<string, [content: string | Buffer, sentence: RegExp, mapping?: string]> = {
    'a quote that is never closed': [
      `nr,text,date\n1,"a,2026-01-01\n${'2,b,2026-01-01\n'.repeat(400_000)}`,
      /a row that does not end.+quotation mark that is opened and never closed/,
    ],
    'a quote that is never closed, before the end of a short file': [
      'nr,text,date\n1,"a,2026-01-01\n2,b,2026-01-01\n',
      /x\.csv has a row that does not end, at line \d or before/,
    ],
    'a field of 50 MB': [
      Buffer.concat([
        Buffer.from('nr,text,date\n1,'),
        Buffer.alloc(50_000_000, 'x'),
        Buffer.from(',2026-01-01\n'),
      ]),
      /has a row that does not end, at line \d/,
    ],
    'a column twice': ['nr,text,date,text\n1,a,2026-01-01,b\n', /has two columns "text": rename one of them/],
    'a zip archive': [Buffer.from('504b030414000000080000002100', 'hex'), /is a zip archive: unpack it/],
    'an empty file': ['', /x\.csv is empty/],
    'a JSON document': [
      '{"nr": 1}\n',
      /x\.csv is no table: its first line cannot be read\. "rostra import detect"/,
    ],
    'a column that is not there': [
      head,
      /x\.csv has no column "Text", which the mapping names\. Is it "text"\?/,
      zoned.replace('text', 'Text'),
    ],
    'a column that is far from all': [
      head,
      /has no column "Beschreibung des Anliegens", which the mapping names\. It has "nr", "text", "date"\./,
      zoned.replace('text', 'Beschreibung des Anliegens'),
    ],
    'a column to skip by that is not there': [
      head,
      /has no column "stat", which the mapping names/,
      `skip: { stat: [x] }\n${zoned}`,
    ],
    'a date without a time zone': [
      head,
      /reads createdAt as YYYY-MM-DD, which says no time zone: name it with timeZone/,
      simple.replace('date\n', '{ column: date, date: YYYY-MM-DD }\n'),
    ],
  };
  for (const [what, [content, sentence, mapping = zoned]] of Object.entries(unreadable)) {
    test(what, async () => {
      const town = await hall.municipality();
      const { code, stderr } = await take(town, content, mapping);
      assert.match(stderr, sentence);
      assert.equal(code, 1, stderr);
      assert.deepEqual(await hall.all(town, '/submissions'), []);
    });
  }

  test('several files of which the last has other columns', async () => {
    const town = await hall.municipality();
    const paths = [
      hall.desk.file('first.csv', head),
      hall.desk.file('second.csv', 'nr,txt,date\n2,b,2026-01-01\n'),
    ];
    const { code, stderr } = await take(town, paths, zoned);
    assert.match(stderr, /second\.csv has no column "text".+Is it "txt"\?/);
    assert.equal(code, 1);
    assert.deepEqual(await hall.all(town, '/submissions'), []);
  });

  test('a time zone that is said twice', async () => {
    const town = await hall.municipality();
    const { stderr } = await take(town, head, zoned, ['--time-zone', 'Europe/Berlin']);
    assert.match(stderr, /names the time zone UTC, and --time-zone Europe\/Berlin: leave one out/);
    assert.deepEqual(await hall.all(town, '/submissions'), []);
  });

  test('an import without a mapping', async () => {
    const town = await hall.municipality();
    const { stderr } = await hall.take(town, head, { format: 'csv', name: 'x.csv' });
    assert.match(
      stderr,
      /A mapping is needed: name its file with --mapping\. "rostra import csv FILE --suggest"/,
    );
  });
});

suite('a mapping is refused with its line:', { concurrency: 2 }, () => {
  const mistakes: Record<string, [text: string, sentence: RegExp]> = {
    'no YAML': ['submission:\n  id: nr\n description: x\n', /line 3: /],
    'a tab as indentation': ['submission:\n\tid: nr\n', /line 2: .*[Tt]ab/],
    'a key twice': [`${simple}  id: x\n`, /line 5: Map keys must be unique/],
    'an alias': [`${simple.replace('text', '&t text')}  status: *t\n`, /refers from one place to another/],
    'a sign without quotation marks': [
      `empty: [-, NA]\n${simple}`,
      /line 1: .+\. A text with signs in it, such as - : # or ", is safe between quotation marks/,
    ],
    nothing: ['', /line 1: the mapping must be a list of "name: value" lines/],
    'a text': ['hello\n', /line 1: the mapping must be/],
    'a field that is not known': [
      `${simple}  statsu: x\n`,
      /line 5: submission\.statsu is not known here; is it "status"\?\n/,
    ],
    'a part that is not known': [
      `${simple}  status:\n    colum: x\n`,
      /line 6: submission\.status\.colum is not known here; is it "column"\?/,
    ],
    'a setting that is not known': [
      `delimeter: ";"\n${simple}`,
      /line 1: delimeter is not known here; is it "delimiter"\?/,
    ],
    'no id': [simple.replace('  id: nr\n', ''), /line 1: submission\.id is missing/],
    'no submission': ['delimiter: ";"\n', /line 1: submission is missing/],
    'two origins': [
      `${simple}  status: { column: a, constant: b }\n`,
      /line 5: submission\.status must have one of column, columns and constant, and only one/,
    ],
    'no origin': [
      `${simple}  status:\n    default: x\n`,
      /line 5: submission\.status must have one of column/,
    ],
    'a list in place of a column': [
      `${simple}  status: [a, b]\n`,
      /line 5: submission\.status must be a column, or a table/,
    ],
    'an empty name': [`${simple}  status:\n`, /line 5: submission\.status must be a column, or a table/],
    'a delimiter of two characters': [
      `delimiter: "||"\n${simple}`,
      /line 1: delimiter must be one character, or "tab"/,
    ],
    'an encoding there is not': [
      `encoding: utf8mb4\n${simple}`,
      /line 1: encoding must be an encoding such as utf-8/,
    ],
    'a time zone there is not': [
      `timeZone: Berlin\n${simple}`,
      /line 1: timeZone must be a time zone such as Europe\/Berlin/,
    ],
    'a date form with an unknown part': [
      simple.replace('date\n', '{ column: date, date: dd.mm.yyyy }\n'),
      /line 4: submission\.createdAt\.date has "dd", which is no part of a date: YYYY/,
    ],
    'hours of 1 to 12 without AM or PM': [
      simple.replace('date\n', '\n    column: date\n    date: DD.MM.YYYY hh:mm\n'),
      /line 6: submission\.createdAt\.date has hours of 1 to 12 \(hh\) without AM or PM/,
    ],
    'a date form without a year': [
      simple.replace('date\n', '{ column: date, date: DD.MM. }\n'),
      /has no year/,
    ],
    'a date form that leaves out the month': [
      simple.replace('date\n', '{ column: date, date: YYYY DD }\n'),
      /has the day without the month/,
    ],
    'a value that is not allowed': [
      `${simple}  hasAttachments:\n    column: a\n    values:\n      ja: yes\n`,
      /line 8: submission\.hasAttachments\.values\.ja is "yes", and must be true or false/,
    ],
    'a constant that is not allowed': [
      `${simple}  supportCount: { constant: many }\n`,
      /line 5: submission\.supportCount\.constant is "many", and must be a whole number/,
    ],
    'a default that nothing leads to': [
      `${simple}  hasAttachments: { column: a, default: true }\n`,
      /line 5: submission\.hasAttachments\.default needs values/,
    ],
    'a replacement of nothing': [
      `replace: { "": x }\n${simple}`,
      /line 1: replace has a line that looks for nothing/,
    ],
    'a sign for two purposes': [
      `${simple}  supportCount: { column: n, thousands: ",", decimal: "," }\n`,
      /line 5: submission\.supportCount\.thousands is the decimal sign too/,
    ],
  };
  for (const [what, [text, sentence]] of Object.entries(mistakes)) {
    test(what, async () => {
      const file = mappingFile(text);
      const { stderr } = await refused(
        hall.desk.on('import', 'csv', '--explain', '--mapping', file),
        2,
        sentence,
      );
      assert.match(stderr, /mapping-\d+\.yaml/);
    });
  }

  test('a file that is not there', async () => {
    await refused(
      hall.desk.on('import', 'csv', '--explain', '--mapping', 'none.yaml'),
      2,
      /mapping cannot be read: ENOENT/,
    );
  });
});

test('--explain prints the mapping as it is read by', async () => {
  const file = mappingFile(`timeZone: Europe/Berlin
submission:
  id: [Jahr, Nr]
  description: { columns: [Titel, Text] }
  status: { column: Stand, values: { offen: received }, default: submitted }
  priorityLevel: { constant: high }
  hasAttachments: Foto
  createdAt: { column: Eingang, date: DD.MM.YYYY }
`);
  const told = await succeed(hall.desk.on('import', 'csv', '--explain', '--mapping', file));
  for (const line of [
    /^SUBMISSION +FROM$/m,
    /^id +`Jahr`, `Nr`$/m,
    /^description +`Titel`, `Text`$/m,
    /^status +`Stand`: offen → received; else submitted$/m,
    /^priorityLevel +always "high"$/m,
    /^hasAttachments +whether `Foto` is filled$/m,
    /^createdAt +`Eingang` as DD\.MM\.YYYY, Europe\/Berlin$/m,
  ])
    assert.match(told, line);
  await refused(
    hall.desk.on('import', 'csv', '--explain'),
    1,
    /A mapping is needed: name its file with --mapping/,
  );
});

test('the examples satisfy the schema that they name, as an editor checks them, and the command', async () => {
  const folder = new URL('../../examples/', import.meta.url);
  const schema = JSON.parse(readFileSync(new URL('csv-mapping.schema.json', folder), 'utf8'));
  const check = new Ajv({ allowUnionTypes: true }).compile(schema);
  const examples = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  assert.ok(examples.length >= 2);
  for (const name of examples) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.match(text, /^# yaml-language-server: \$schema=csv-mapping\.schema\.json\n/);
    assert.ok(check(parse(text)), JSON.stringify(check.errors));
    await succeed(
      hall.desk.on('import', 'csv', '--explain', '--mapping', fileURLToPath(new URL(name, folder))),
    );
  }
});
