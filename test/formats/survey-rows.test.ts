import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openStore } from '../../src/store/open.ts';
import { assertCounts, newHall } from '../import/hall.ts';
import { type Municipality, run } from '../support/command-line.ts';
import { storeDefaults } from '../support/database.ts';
import { csv } from '../support/files.ts';

const hall = await newHall({ after });
const store = await openStore({ ...storeDefaults, database: hall.desk.database, lockTimeoutMs: 30_000 });
after(() => store.close());

const xml = (sections: Record<string, Record<string, string>[]>) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<document><LimeSurveyDocType>Survey</LimeSurveyDocType><languages><language>de</language><language>en</language></languages>${Object.entries(
    sections,
  )
    .map(
      ([name, rows]) =>
        `<${name}><fields/><rows>${rows
          .map(
            (row) =>
              `<row>${Object.entries(row)
                .map(([field, value]) => `<${field}><![CDATA[${value}]]></${field}>`)
                .join('')}</row>`,
          )
          .join('')}</rows></${name}>`,
    )
    .join('')}</document>`;

const question = (qid: string, gid: string, title: string, type: string, order: string, other = 'N') => ({
  qid,
  gid,
  title,
  type,
  other,
  question_order: order,
});
const texts: Record<string, string> = {
  1: '<p>Wie oft fahren Sie <b>Rad</b>&nbsp;&amp; Bus?</p>',
  2: 'Was nutzen Sie?',
  3: 'Wie zufrieden sind Sie?',
  4: 'Anmerkungen',
  5: 'Waren Sie schon einmal hier?',
  6: 'Reihenfolge',
  7: 'Nur ein Hinweis',
  21: 'Bus',
  22: 'Bahn',
  31: 'Wege',
  32: 'Plätze',
};

/** As version 4 and later write it; groups and questions stand in another order than in the questionnaire. */
const lss = xml({
  surveys: [{ sid: '714231', language: 'de' }],
  surveys_languagesettings: [
    { surveyls_language: 'en', surveyls_title: 'Mobility' },
    { surveyls_language: 'de', surveyls_title: 'Unterwegs &amp; mobil' },
  ],
  groups: [
    { gid: '2', group_order: '2' },
    { gid: '1', group_order: '1' },
  ],
  questions: [
    question('4', '2', 'note', 'T', '2'),
    question('3', '2', 'happy', 'F', '1'),
    question('1', '1', 'often', 'L', '1', 'Y'),
    question('2', '1', 'use', 'M', '2', 'Y'),
    question('5', '2', 'been', 'Y', '3'),
    question('6', '2', 'order', 'R', '4'),
    question('7', '2', 'hint', 'X', '5'),
  ],
  subquestions: [
    { qid: '22', parent_qid: '2', title: 'SQ002', question_order: '2', scale_id: '0' },
    { qid: '21', parent_qid: '2', title: 'SQ001', question_order: '1', scale_id: '0' },
    { qid: '31', parent_qid: '3', title: 'a', question_order: '1', scale_id: '0' },
    { qid: '32', parent_qid: '3', title: 'b', question_order: '2', scale_id: '0' },
  ],
  question_l10ns: Object.entries(texts).flatMap(([qid, text]) => [
    { qid, language: 'en', question: 'English' },
    { qid, language: 'de', question: text },
  ]),
  answers: [
    // Codes that are the texts of others: only one reading of the column can be right.
    { qid: '1', aid: '1', code: '1', sortorder: '1', scale_id: '0' },
    { qid: '1', aid: '2', code: '2', sortorder: '2', scale_id: '0' },
    { qid: '3', aid: '3', code: 'A1', sortorder: '1', scale_id: '0' },
    { qid: '3', aid: '4', code: 'A2', sortorder: '2', scale_id: '0' },
    { qid: '6', aid: '5', code: 'x', sortorder: '1', scale_id: '0' },
    { qid: '6', aid: '6', code: 'y', sortorder: '2', scale_id: '0' },
  ],
  answer_l10ns: [
    { aid: '1', language: 'de', answer: '2' },
    { aid: '2', language: 'de', answer: '1' },
    { aid: '3', language: 'de', answer: 'gut' },
    { aid: '4', language: 'de', answer: 'schlecht' },
    { aid: '5', language: 'de', answer: 'Radweg' },
    { aid: '6', language: 'de', answer: 'Gehweg' },
  ],
});

/** As versions before 4 wrote it: texts beside what they belong to, a row for each language. */
const oldLss = xml({
  surveys: [{ sid: '714231', language: 'de' }],
  surveys_languagesettings: [{ surveyls_language: 'de', surveyls_title: 'Unterwegs & mobil' }],
  groups: [
    { gid: '1', group_order: '1', language: 'de' },
    { gid: '2', group_order: '2', language: 'de' },
  ],
  ...Object.fromEntries(
    Object.entries({
      questions: [
        { ...question('1', '1', 'often', 'L', '1', 'Y'), question: texts[1] },
        { ...question('2', '1', 'use', 'M', '2', 'Y'), question: texts[2] },
        { ...question('3', '2', 'happy', 'F', '1'), question: texts[3] },
        { ...question('4', '2', 'note', 'T', '2'), question: texts[4] },
        { ...question('5', '2', 'been', 'Y', '3'), question: texts[5] },
        { ...question('6', '2', 'order', 'R', '4'), question: texts[6] },
      ],
      subquestions: [
        { parent_qid: '2', title: 'SQ001', question_order: '1', question: 'Bus' },
        { parent_qid: '2', title: 'SQ002', question_order: '2', question: 'Bahn' },
        { parent_qid: '3', title: 'a', question_order: '1', question: 'Wege' },
        { parent_qid: '3', title: 'b', question_order: '2', question: 'Plätze' },
      ],
      answers: [
        { qid: '1', code: '1', sortorder: '1', answer: '2' },
        { qid: '1', code: '2', sortorder: '2', answer: '1' },
        { qid: '3', code: 'A1', sortorder: '1', answer: 'gut' },
        { qid: '3', code: 'A2', sortorder: '2', answer: 'schlecht' },
        { qid: '6', code: 'x', sortorder: '1', answer: 'Radweg' },
        { qid: '6', code: 'y', sortorder: '2', answer: 'Gehweg' },
      ],
    }).map(([name, rows]) => [
      name,
      rows.flatMap((row) => [
        { ...row, language: 'de' },
        { ...row, language: 'en', question: 'English', answer: 'English' },
      ]),
    ]),
  ),
} as Record<string, Record<string, string>[]>);

const txt = `\uFEFF${csv('\t', [
  ['id', 'class', 'type/scale', 'name', 'relevance', 'text', 'help', 'language', 'other'],
  ['', 'S', '', 'sid', '', '714231', '', '', ''],
  ['', 'S', '', 'language', '', 'de', '', '', ''],
  ['', 'SL', '', 'surveyls_title', '', 'Unterwegs & mobil', '', 'de', ''],
  ['1', 'G', '', 'Erste', '1', '', '', 'de', ''],
  ['1', 'Q', 'L', 'often', '1', texts[1] as string, '', 'de', 'Y'],
  ['1', 'A', '0', '1', '', '2', '', 'de', ''],
  ['1', 'A', '0', '2', '', '1', '', 'de', ''],
  ['2', 'Q', 'M', 'use', '1', 'Was nutzen Sie?', '', 'de', 'Y'],
  ['2', 'SQ', '', 'SQ001', '', 'Bus', '', 'de', ''],
  ['2', 'SQ', '', 'SQ002', '', 'Bahn', '', 'de', ''],
  ['3', 'Q', 'F', 'happy', '1', 'Wie zufrieden sind Sie?', '', 'de', 'N'],
  ['3', 'SQ', '0', 'a', '', 'Wege', '', 'de', ''],
  ['3', 'SQ', '0', 'b', '', 'Plätze', '', 'de', ''],
  ['3', 'A', '0', 'A1', '', 'gut', '', 'de', ''],
  ['3', 'A', '0', 'A2', '', 'schlecht', '', 'de', ''],
  ['4', 'Q', 'T', 'note', '1', 'Anmerkungen', '', 'de', ''],
  ['5', 'Q', 'Y', 'been', '1', 'Waren Sie schon einmal hier?', '', 'de', ''],
  ['6', 'Q', 'R', 'order', '1', 'Reihenfolge', '', 'de', ''],
  ['6', 'SQ', '0', 'x', '', 'Radweg', '', 'de', ''],
  ['6', 'SQ', '0', 'y', '', 'Gehweg', '', 'de', ''],
  ['7', 'Q', 'X', 'hint', '1', 'Nur ein Hinweis', '', 'de', ''],
  ['1', 'Q', 'L', 'often', '1', 'How often?', '', 'en', 'Y'],
  ['1', 'A', '0', '1', '', 'two', '', 'en', ''],
])}`;

const secret = 'Karla Kolumna, Hauptstr. 1, +49 30 123456';
const header = [
  'id',
  'submitdate',
  'ipaddr',
  'often',
  'often[other]',
  'use[SQ001]',
  'use[SQ002]',
  'use[other]',
  'happy[a]',
  'happy[b]',
  'note',
  'been',
  'order[1]',
  'order[2]',
];

/** Response n of 100, and three that were not finished. */
function response(n: number): string[] {
  const often = n < 60 ? '1' : n < 88 ? '2' : '-oth-';
  const tick = (is: boolean) => (is ? 'Y' : n % 2 === 0 ? 'N' : '');
  return [
    String(n),
    n < 100 ? '2026-03-01 10:00:00' : '',
    '192.0.2.7',
    often,
    often === '-oth-' ? secret : '',
    tick(n < 70),
    tick(n >= 40 && n < 80),
    n < 15 ? secret : '',
    n < 50 ? 'A1' : 'A2',
    n < 97 ? 'A1' : 'A2',
    secret,
    n < 30 ? 'Y' : n < 60 ? 'N' : '',
    n < 45 ? 'x' : 'y',
    n < 45 ? 'y' : 'x',
  ];
}

const responses = Array.from({ length: 103 }, (_, n) => response(n));
const expected = {
  title: 'Unterwegs & mobil',
  status: 'closed',
  totalResponses: 100,
  questions: [
    ['Wie oft fahren Sie Rad & Bus?', 'single_choice', { 2: 60, 1: 28, Sonstiges: 12 }],
    ['Was nutzen Sie?', 'multiple_choice', { Bus: 70, Bahn: 40, Sonstiges: 15 }],
    ['Wie zufrieden sind Sie? – Wege', 'matrix', { gut: 50, schlecht: 50 }],
    ['Wie zufrieden sind Sie? – Plätze', 'matrix', { 'Weitere Antworten': 100 }],
    ['Anmerkungen', 'text', {}],
    ['Waren Sie schon einmal hier?', 'single_choice', { Ja: 30, Nein: 30 }],
    ['Reihenfolge – Rang 1', 'ranking', { Radweg: 45, Gehweg: 55 }],
    ['Reihenfolge – Rang 2', 'ranking', { Radweg: 55, Gehweg: 45 }],
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: the answers are checked against the OpenAPI document
type Results = any;

async function resultsOf(town: Municipality): Promise<Results> {
  const [survey] = await store.listSurveys(town.id);
  const { json } = await hall.get(town, `/surveys/${survey?.id}/results`);
  return json.data;
}

const brief = ({ title, status, totalResponses, questions }: Results) => ({
  title,
  status,
  totalResponses,
  questions: questions.map(({ questionText, questionType, options }: Results) => [
    questionText,
    questionType,
    Object.fromEntries(options.map(({ optionText, responseCount }: Results) => [optionText, responseCount])),
  ]),
});

const format = 'survey-rows';
const lssFile = hall.desk.file('structure.lss', lss);
const oldFile = hall.desk.file('old.lss', oldLss);
const txtFile = hall.desk.file('structure.txt', txt);

suite('responses of LimeSurvey', { concurrency: 2 }, () => {
  for (const [what, structure] of Object.entries({
    '.lss': lssFile,
    '.lss of old': oldFile,
    '.txt': txtFile,
  })) {
    test(`are counted by their structure, ${what}`, async () => {
      const town = await hall.municipality();
      const taken = await hall.take(town, csv(',', [header, ...responses]), {
        format,
        flags: ['--structure', structure],
        name: 'results-survey714231.csv',
      });
      assert.equal(taken.code, 0, taken.stderr);
      assertCounts(taken, { inserted: 1 });
      assert.deepEqual(brief(await resultsOf(town)), expected);
    });
  }

  test('are the same with other headings and whole answers, packed, from Excel', async () => {
    const town = await hall.municipality();
    const headings = header.map((name) => `${name.replace(/\[(.*)\]/, '_$1')}. Text [der] Frage`);
    const whole: Record<string, string> = {
      '-oth-': 'Sonstiges',
      A1: 'gut',
      A2: 'schlecht',
      x: 'Radweg',
      y: 'Gehweg',
    };
    const rows = responses.map((row) =>
      row.map((cell, index) =>
        index === 3
          ? ({ 1: '2', 2: '1', '-oth-': 'Sonstiges' }[cell] ?? cell)
          : cell === 'Y'
            ? 'Ja'
            : cell === 'N'
              ? 'Nein'
              : (whole[cell] ?? cell),
      ),
    );
    const taken = await hall.take(town, gzipSync(`\uFEFF${csv(';', [headings, ...rows])}`), {
      format,
      flags: ['--structure', lssFile],
      name: 'results.csv.gz',
    });
    assert.equal(taken.code, 0, taken.stderr);
    assert.deepEqual(brief(await resultsOf(town)), expected);
  });

  test('that were not finished count when they are asked for, and only the questions that are', async () => {
    const town = await hall.municipality();
    const flags = [
      '--structure',
      lssFile,
      '--incomplete',
      '--questions',
      'been,use',
      '--title',
      'Rad',
      '--survey-id',
      'r',
    ];
    await hall.take(town, csv(',', [header, ...responses]), { format, flags });
    const { title, totalResponses, questions } = await resultsOf(town);
    assert.deepEqual([title, totalResponses, questions.length], ['Rad', 103, 2]);
  });

  test('leave nothing of a single one in the database or in what is printed', async () => {
    const town = await hall.municipality();
    const taken = await hall.take(town, csv(',', [header, ...responses]), {
      format,
      flags: ['--structure', lssFile, '--strict'],
    });
    assert.equal(taken.code, 0, taken.stderr);
    assert.doesNotMatch(taken.stdout + taken.stderr, /Kolumna|192\.0\.2/);
    const files = readdirSync(hall.desk.folder).filter(
      (name) => !/responses|records|results|\.csv/.test(name),
    );
    for (const name of files) {
      const path = join(hall.desk.folder, name);
      assert.ok(!readFileSync(path).includes('Kolumna'), name);
    }
  });

  test('are known by their headings, in English and in German', async () => {
    const paths = [
      hall.desk.file('codes.csv', csv(',', [header, ...responses])),
      hall.desk.file(
        'whole.csv',
        csv(';', [
          ['Antwort ID', 'Datum Abgesendet', 'Frage'],
          ['1', '', 'Ja'],
        ]),
      ),
      hall.desk.file(
        'english.csv',
        csv(',', [
          ['Response ID', 'Date submitted', 'Q'],
          ['1', '', 'Yes'],
        ]),
      ),
      hall.desk.file(
        'form.csv',
        csv(',', [
          ['Timestamp', 'How?'],
          ['2026/03/01 9:00:00', 'Yes'],
        ]),
      ),
    ];
    const { stdout, code } = await run(['import', 'detect', ...paths]);
    assert.equal(code, 0);
    assert.equal(stdout.match(/survey-rows: its columns are those of LimeSurvey/g)?.length, 3);
    assert.match(stdout, /survey-rows: it begins with a time stamp/);
  });
});

suite('a table with a column for each question', { concurrency: 2 }, () => {
  test('gives options for values that come again, and none for free text, persons and times', async () => {
    const town = await hall.municipality();
    const columns = [
      'Zeitstempel',
      'E-Mail-Adresse',
      'Alter',
      'Bemerkung',
      'Wie kommen Sie? [Bus]',
      'Wie kommen Sie? [Rad]',
      'Note [Wege]',
      'Kundennummer',
    ];
    const rows = Array.from({ length: 240 }, (_, n) => [
      `2026-03-01 10:${n}`,
      `k${n}@example.org`,
      ['18–29', '30–64', '65+', ''][n % 4] as string,
      `Text ${n}`,
      n < 100 ? 'Ja' : '',
      n >= 50 ? 'x' : '',
      String((n % 3) + 1),
      String(1_000 + n),
    ]);
    const taken = await hall.take(town, csv(';', [columns, ...rows]), { format, name: 'Umfrage 2026.csv' });
    assert.equal(taken.code, 0, taken.stderr);
    const { title, ...results } = brief(await resultsOf(town));
    assert.match(title, /Umfrage 2026$/);
    assert.deepEqual(results, {
      status: 'closed',
      totalResponses: 240,
      questions: [
        ['Alter', 'single_choice', { '18–29': 60, '30–64': 60, '65+': 60 }],
        ['Bemerkung', 'text', {}],
        ['Wie kommen Sie?', 'multiple_choice', { Bus: 100, Rad: 190 }],
        ['Note – Wege', 'matrix', { 1: 80, 2: 80, 3: 80 }],
        ['Kundennummer', 'text', {}],
      ],
    });
    assert.deepEqual(taken.counts.notes, ['Not read, as they say who or when: Zeitstempel, E-Mail-Adresse.']);
  });

  test('may be of any length: half a million responses are counted in little memory', async () => {
    const town = await hall.municipality();
    const lines = function* () {
      yield 'Alter;Text\r\n';
      for (let n = 0; n < 500_000; n += 1) yield `${n % 5};Freier Text Nummer ${n}\r\n`;
    };
    const path = hall.desk.file('long.csv', [...lines()].join(''));
    const taken = await hall.take(town, [path], {
      format,
      environment: { NODE_OPTIONS: '--max-old-space-size=96' },
    });
    assert.equal(taken.code, 0, taken.stderr);
    const { totalResponses, questions } = await resultsOf(town);
    assert.equal(totalResponses, 500_000);
    assert.deepEqual(
      questions.map(({ options }: Results) => options.length),
      [5, 0],
    );
  });
});

suite('while responses arrive', { concurrency: 2 }, () => {
  const rowsOf = (counts: Record<string, number>) =>
    csv(',', [
      ['Frage', 'Nr'],
      ...Object.entries(counts).flatMap(([answer, count]) => Array(count).fill([answer, '1'])),
    ]);
  const importing = (town: Municipality, counts: Record<string, number>, status: string) =>
    hall.take(town, rowsOf(counts), {
      format,
      flags: ['--survey-id', 's', '--title', 'S', '--questions', 'Frage', '--status', status],
    });
  const shown = async (town: Municipality) => {
    const { status, totalResponses, questions } = brief(await resultsOf(town));
    return [status, totalResponses, questions[0][2]];
  };

  test('the figures move in steps of at least the threshold, and the end is told as exactly as that allows', async () => {
    const town = await hall.municipality();
    const early = await importing(town, { A: 5, B: 4 }, 'active');
    assertCounts(early, { refused: 1 });
    assert.match(early.refusals[0]?.reason ?? '', /fewer than 10 responses/);

    assertCounts(await importing(town, { A: 30, B: 20, C: 4 }, 'active'), { inserted: 1 });
    const first = ['active', 54, { A: 30, 'Weitere Antworten': 24 }];
    assert.deepEqual(await shown(town), first);

    // Nine more: nothing moves.
    assertCounts(await importing(town, { A: 35, B: 22, C: 6 }, 'active'), { unchanged: 1 });
    assert.deepEqual(await shown(town), first);

    // Thirteen more, but only six of them A: the total moves, the question waits.
    const waiting = await importing(town, { A: 36, B: 23, C: 8 }, 'active');
    assertCounts(waiting, { changed: 1 });
    assert.match(String(waiting.counts.notes), /stays as it is published/);
    assert.deepEqual(await shown(town), ['active', 67, { A: 30, 'Weitere Antworten': 24 }]);

    // C is large enough now: what was folded is divided.
    assertCounts(await importing(town, { A: 50, B: 30, C: 15 }, 'active'), { changed: 1 });
    assert.deepEqual(await shown(town), ['active', 95, { A: 50, B: 30, C: 15 }]);

    // At the end nothing can wait: what gained too little is told together.
    assertCounts(await importing(town, { A: 70, B: 46, C: 18 }, 'closed'), { changed: 1 });
    assert.deepEqual(await shown(town), ['closed', 134, { A: 70, 'Weitere Antworten': 64 }]);

    const again = await importing(town, { A: 90, B: 60, C: 40 }, 'closed');
    assertCounts(again, { unchanged: 1 });
    assert.match(String(again.counts.notes), /stay as they are/);
    const reopened = await importing(town, { A: 90, B: 60, C: 40 }, 'active');
    assertCounts(reopened, { refused: 1 });
    assert.match(reopened.refusals[0]?.reason ?? '', /cannot become active again/);
  });

  test('answers that were taken back, and other questions, are refused: the difference would tell', async () => {
    const town = await hall.municipality();
    await importing(town, { A: 30, B: 20 }, 'active');
    for (const [counts, reason] of [
      [{ A: 30, B: 19 }, /fewer responses than are published/],
      [{ A: 45, B: 19 }, /fewer answers than are published/],
      [{ A: 45, C: 20 }, /an option that is published is not in it/],
    ] as const) {
      const taken = await importing(town, counts, 'active');
      assertCounts(taken, { refused: 1 });
      assert.match(taken.refusals[0]?.reason ?? '', reason);
    }
    const other = await hall.take(town, rowsOf({ A: 60, B: 40 }).replace('Frage', 'Neue Frage'), {
      format,
      flags: ['--survey-id', 's', '--title', 'S', '--questions', 'Neue Frage', '--status', 'active'],
    });
    assert.match(other.refusals[0]?.reason ?? '', /other questions than are published/);
    assert.deepEqual(await shown(town), ['active', 50, { A: 30, B: 20 }]);
  });

  test('what is folded is told by question and number of options, and never what is in it', async () => {
    const town = await hall.municipality();
    const taken = await importing(
      town,
      { Hochwasserschutz: 3, Gewerbegebiet: 2, Ja: 50, Nein: 60 },
      'closed',
    );
    assert.deepEqual(taken.counts.notes, [
      '“S”, “Frage”: 2 options with fewer than 10 answers, and 1 more so that they cannot be computed, told as “Weitere Antworten”.',
    ]);
    assert.doesNotMatch(taken.stdout + taken.stderr, /Hochwasser|Gewerbe/);
  });
});

suite('refused with a sentence:', { concurrency: 2 }, () => {
  const table = csv(',', [header, ...responses]);
  const cases: Record<string, [content: string | Buffer, flags: string[], says: RegExp]> = {
    'a column that the structure asks for': [
      table.replace('use[SQ002]', 'foo'),
      ['--structure', lssFile],
      /does not fit the structure: it has no column use_sq002/,
    ],
    'answers that the structure does not have': [
      table.replaceAll(',A1,', ',Q,').replaceAll(',A2,', ',R,'),
      ['--structure', lssFile],
      /most answers to happy are none of its options/,
    ],
    'a question that the structure does not have': [
      table,
      ['--structure', lssFile, '--questions', 'foo'],
      /no question foo/,
    ],
    'a column that is not there': [table, ['--questions', 'foo'], /no column "foo"/],
    'two columns of one name': [table.replace('happy[b]', 'happy[a]'), [], /two columns "happy\[a\]"/],
    'a zip archive': [Buffer.from('PK\x03\x04rest'), [], /is a zip archive/],
    'an empty file': ['', [], /is empty/],
    JSON: ['[{"a": 1}]', [], /is no table/],
    'a threshold that protects nobody': [table, ['--threshold', '2'], /whole number from 3 on/],
    'a status that says nothing about responses to come': [
      table,
      ['--status', 'draft'],
      /must be one of active, closed, archived/,
    ],
    'a structure with a DOCTYPE': [
      table,
      [
        '--structure',
        hall.desk.file(
          'evil.lss',
          lss.replace('<document>', '<!DOCTYPE document [<!ENTITY a "b">]><document>'),
        ),
      ],
      /has a DOCTYPE/,
    ],
    'a structure that ends early': [
      table,
      ['--structure', hall.desk.file('cut.lss', lss.slice(0, 900))],
      /is no XML/,
    ],
    'an archive of LimeSurvey': [
      table,
      ['--structure', hall.desk.file('a.lsa', 'PK\x03\x04')],
      /is a zip archive/,
    ],
    'a structure that is something else': [
      table,
      ['--structure', hall.desk.file('x.txt', 'a\tb\r\n1\t2\r\n')],
      /has no questions/,
    ],
    'a structure that is not there': [
      table,
      ['--structure', join(hall.desk.folder, 'none.lss')],
      /cannot be read/,
    ],
  };
  for (const [what, [content, flags, says]] of Object.entries(cases)) {
    test(what, async () => {
      const town = await hall.municipality();
      const taken = await hall.take(town, content, { format, flags });
      assert.notEqual(taken.code, 0);
      assert.match(taken.stderr, says);
      assert.deepEqual(await store.listSurveys(town.id), []);
    });
  }

  test('two files, as each is a survey; a row that fits no column is told, and the others count', async () => {
    const town = await hall.municipality();
    const path = hall.desk.file('a.csv', table);
    const two = await hall.take(town, [path, path], { format });
    assert.match(two.stderr, /one file of responses at a time/);
    const taken = await hall.take(town, `${table}1,2,3\r\n`, { format, flags: ['--structure', lssFile] });
    assert.equal(taken.code, 3);
    assertCounts(taken, { inserted: 1, refused: 1 });
    assert.equal(taken.refusals[0]?.line, 105);
  });
});
