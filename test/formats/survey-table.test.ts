import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isOtherAnswers } from '../../src/domain/organizations/placeholder-words.ts';
import { type Municipality, runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts } from '../support/import-harness.ts';
import { realDataByNight } from '../support/nightly.ts';
import { buildOds, buildXlsx, toOdsRows, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { createSurveyHarness } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });
const format = 'survey-table';
const fromRows = '--total-from-rows';

// biome-ignore lint/suspicious/noExplicitAny: the answers are checked against the OpenAPI document
type Results = any;

/** @returns all surveys of a municipality */
async function listSurveyResults(town: Municipality): Promise<Results[]> {
  const listed = await store.listSurveys(town.id);
  return Promise.all(
    listed.map(async ({ id }) => (await harness.get(town, `/surveys/${id}/results`)).json.data),
  );
}

const listCounts = ({ options }: Results) =>
  options.map(({ optionText, responseCount }: Results) => [optionText, responseCount]);

/** In the style of official statistics: byte order mark, first column without a name, empty last column. */
const trend = `\uFEFF${toCsv('\t', [
  ['', 'Sehr', 'Eher ', 'Gar nicht', ''],
  ['2019', '120', '80', '20', ''],
  ['2023', '110', '95', '30'],
])}`;

suite('a table', { concurrency: 2 }, () => {
  for (const [program, toRows, build] of [
    ['Excel', toXlsxRows, buildXlsx],
    ['OpenDocument', toOdsRows, buildOds],
  ] as const) {
    test(`with one column of counts keeps its first row, in ${program}`, async () => {
      const town = await harness.createMunicipality();
      const rows = toRows([
        ['', 'Anzahl Nennungen'],
        ['Miete zu hoch', '377'],
        ['Laute Nachbarn', '136'],
        ['Andere Gründe', '88'],
      ]);
      const content = build([{ name: 'Gründe', rows }]);
      const { stderr } = await harness.importContent(town, content, {
        format,
        flags: [fromRows],
        name: `umzug.${program}`,
      });
      const [survey] = await listSurveyResults(town);
      assert.deepEqual(
        listCounts(survey.questions[0]),
        [
          ['Miete zu hoch', 377],
          ['Laute Nachbarn', 136],
          ['Andere Gründe', 88],
        ],
        stderr,
      );
    });
  }

  test('of years becomes a survey for each year; a new year changes no other year', async () => {
    const town = await harness.createMunicipality();
    const flags = ['--title', 'Zufriedenheit', '--survey-id', 'z', '--status', 'archived', fromRows];
    assertCounts(await harness.importContent(town, trend, { format, flags, name: '17.tsv' }), {
      inserted: 2,
    });
    const longer = `${trend}2027\t90\t80\t30\r\n`;
    assertCounts(await harness.importContent(town, longer, { format, flags, name: '17.tsv' }), {
      inserted: 1,
      unchanged: 2,
    });
    // A year that has not begun is unknown.
    const [second, first, third] = await listSurveyResults(town);
    assert.deepEqual(
      [first, second, third].map(({ title, status, totalResponses }) => [title, status, totalResponses]),
      [
        ['Zufriedenheit (2019)', 'archived', 220],
        ['Zufriedenheit (2023)', 'archived', 235],
        ['Zufriedenheit (2027)', 'archived', 200],
      ],
    );
    const [question, ...others] = second.questions;
    assert.deepEqual([question.questionText, question.questionType], ['Zufriedenheit', 'single_choice']);
    assert.deepEqual(listCounts(question), [
      ['Sehr', 110],
      ['Eher', 95],
      ['Gar nicht', 30],
    ]);
    assert.deepEqual(others, []);
  });

  test('of items becomes a matrix for each year, with title, question, id and totals of the metadata', async () => {
    const table = toCsv(';', [
      ['Kategorie', 'gut', 'schlecht'],
      ['2019: Wege', '60', '40'],
      ['2023: Wege', '70', '50'],
      ['.', '', ''],
      ['2019: Plätze', '62', '41'],
      ['2023: Plätze', '71', '45'],
    ]);
    const name = 'aspekte.csv';
    const path = harness.workspace.writeFile(name, table);
    const importTable = async (totalResponses: unknown, ...others: string[]) => {
      const town = await harness.createMunicipality();
      const description = { id: 12, title: 'Wohnort', tsv: `tsv/${name}`, totalResponses };
      const subtitle = '«Wie zufrieden sind Sie?», Stadt, 2023';
      const metadata = harness.workspace.writeFile(
        'aspects.json',
        JSON.stringify([{ ...description, subtitle }]),
      );
      const result = await harness.importContent(town, [path], {
        format,
        flags: ['--metadata', metadata, ...others],
      });
      return { result, surveys: await listSurveyResults(town) };
    };
    const estimated = await importTable(undefined, fromRows);
    assertCounts(estimated.result, { inserted: 2 });
    const totals = (surveys: Results[]) =>
      surveys.map(({ title, totalResponses }) => [title, totalResponses] as const);
    assert.deepEqual(totals(estimated.surveys), [
      ['Wohnort (2023)', 120],
      ['Wohnort (2019)', 103],
    ]);
    assert.deepEqual(
      estimated.surveys.map(({ questions }) =>
        questions.map(({ questionText, questionType }: Results) => `${questionText} (${questionType})`),
      ),
      Array(2).fill(['Wege', 'Plätze'].map((item) => `Wie zufrieden sind Sie? – ${item} (matrix)`)),
    );
    const known = await importTable({ 2019: 130, 2023: 140 });
    assert.deepEqual(totals(known.surveys), [
      ['Wohnort (2023)', 140],
      ['Wohnort (2019)', 130],
    ]);
    const partly = await importTable({ 2019: 130 });
    assert.deepEqual(totals(partly.surveys), [['Wohnort (2019)', 130]]);
    assert.match(partly.result.rejections[0]?.reason ?? '', /^lacks the number of people who answered: add/);
    const one = await importTable(130);
    assert.match(one.result.rejections[0]?.reason ?? '', /^has several years, and one totalResponses/);
    assert.deepEqual(one.surveys, []);
  });

  test('that the metadata lack stays rejected when another title is corrected', async () => {
    const town = await harness.createMunicipality();
    const table = toCsv(';', [
      ['Ja', 'Nein'],
      ['60', '40'],
    ]);
    const paths = ['parks.csv', 'trees.csv'].map((name) => harness.workspace.writeFile(name, table));
    const archived = harness.workspace.writeFile('metadata.json', '{"parks.csv": {"title": "Parks"}}');
    const corrected = harness.workspace.writeFile(
      'corrected.json',
      '{"*": {}, "parks.csv": {"title": "Our parks"}}',
    );
    const result = await harness.importContent(town, [...paths, archived], {
      format,
      flags: [fromRows, '--metadata', corrected],
    });
    assertCounts(result, { inserted: 1, rejected: 1 });
    assert.deepEqual(
      (await listSurveyResults(town)).map(({ title }) => title),
      ['Our parks'],
    );
  });

  test('without the number of responses is rejected: it comes from a column, or is the largest row on request', async () => {
    const table = (...totals: string[]) =>
      toCsv(',', [
        ['', 'yes', 'no', ...(totals.length > 0 ? ['totalResponses'] : [])],
        ...['Ways', 'Places'].map((label, row) => [label, '30', '20', ...totals.slice(row, row + 1)]),
      ]);
    const importTable = async (content: string, ...flags: string[]) => {
      const town = await harness.createMunicipality();
      const { rejections } = await harness.importContent(town, content, { format, flags, name: 's.csv' });
      const surveys = await listSurveyResults(town);
      return {
        reason: rejections[0]?.reason ?? '',
        totals: surveys.map(({ totalResponses }) => totalResponses),
        options: surveys.map(({ questions }) => listCounts(questions[0])),
      };
    };
    for (const flags of [[], ['--already-anonymised']]) {
      const { reason, totals } = await importTable(table(), ...flags);
      assert.match(reason, /^lacks the number of people .*"totalResponses".* --total-from-rows$/);
      assert.deepEqual(totals, []);
    }
    assert.deepEqual((await importTable(table(), fromRows)).totals, [50]);
    // The larger row has small counts: the other one gives too few responses.
    const hidden = await importTable(
      toCsv(',', [
        ['', 'yes', 'no', 'perhaps'],
        ['Ways', '300', '4', '1'],
        ['Places', '36', '24', '0'],
      ]),
      fromRows,
    );
    assert.match(hidden.reason, /^has small counts in its largest row, .* in the metadata$/);
    assert.deepEqual(hidden.totals, []);
    const known = await importTable(table('60', '60'));
    assert.deepEqual(known.totals, [60]);
    assert.deepEqual(known.options, [
      [
        ['yes', 30],
        ['no', 20],
      ],
    ]);
    assert.match((await importTable(table('60', '61'))).reason, /^has rows with different totalResponses/);
  });

  test('with one column of counts becomes one question with the rows as options', async () => {
    const town = await harness.createMunicipality();
    const table = toCsv('\t', [
      ['', 'Anzahl Nennungen'],
      ['zu klein', '377'],
      ['zu teuer', '128'],
      ['zu laut', '73'],
    ]);
    await harness.importContent(town, table, { format, flags: [fromRows], name: 'umzug.tsv' });
    const [{ totalResponses, questions }] = await listSurveyResults(town);
    assert.equal(totalResponses, 377);
    assert.equal(questions[0].questionType, 'multiple_choice');
    assert.deepEqual(listCounts(questions[0]), [
      ['zu klein', 377],
      ['zu teuer', 128],
      ['zu laut', 73],
    ]);
  });

  test('has its small counts merged, unless the source is anonymised', async () => {
    const table = toCsv(',', [
      ['', 'a', 'b', 'c', 'd', 'e', 'f'],
      ['Wege', '50', '3', '40', '0', '30', '60'],
      ['Plätze', '1', '2', '3', '0', '1', '1'],
    ]);
    const expected: [string[], unknown[][]][] = [
      [
        [],
        [
          [
            ['f', 60],
            ['Weitere Antworten', 123],
          ],
          [],
        ],
      ],
      [
        ['--threshold', '3'],
        [
          [
            ['a', 50],
            ['b', 3],
            ['c', 40],
            ['d', 0],
            ['e', 30],
            ['f', 60],
          ],
          [
            ['Weitere Antworten', 5],
            ['c', 3],
          ],
        ],
      ],
      [
        ['--already-anonymised'],
        [
          [
            ['a', 50],
            ['b', 3],
            ['c', 40],
            ['d', 0],
            ['e', 30],
            ['f', 60],
          ],
          [
            ['a', 1],
            ['b', 2],
            ['c', 3],
            ['d', 0],
            ['e', 1],
            ['f', 1],
          ],
        ],
      ],
    ];
    for (const [flags, wanted] of expected) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, table, {
        format,
        flags: [...flags, fromRows],
        name: 's.csv',
      });
      const [{ questions }] = await listSurveyResults(town);
      const actual = questions.map((question: Results) => listCounts(question).sort());
      assert.deepEqual(
        actual,
        wanted.map((options) => options.toSorted()),
        String(flags),
      );
      if (flags.length > 0) continue;
      assert.match(
        String((result.counts.notes as unknown as string[])[0]),
        /– Wege”: 1 option with fewer than 10 answers, and 4 more so/,
      );
      assert.match(
        String((result.counts.notes as unknown as string[])[1]),
        /– Plätze”: too few answers for a threshold of 10, published without options/,
      );
    }
  });

  test('has a total that reveals no merged count', async () => {
    const town = await harness.createMunicipality();
    const table = toCsv(',', [
      ['', 'n'],
      ['a', '9'],
      ['b', '8'],
      ['c', '7'],
    ]);
    await harness.importContent(town, table, { format, flags: [fromRows], name: 's.csv' });
    const [{ totalResponses, questions }] = await listSurveyResults(town);
    assert.deepEqual([totalResponses, listCounts(questions[0])], [24, [['Weitere Antworten', 24]]]);
  });

  test('is updated in steps while the survey is active, and never after it is closed', async () => {
    const town = await harness.createMunicipality();
    const importSurvey = (
      yes: number,
      no: number,
      status: string,
      totalResponses?: number,
      ...others: string[]
    ) => {
      const metadata = harness.workspace.writeFile(
        'steps.json',
        JSON.stringify({ id: 's', title: 'S', totalResponses }),
      );
      const table = toCsv(',', [
        ['', 'yes', 'no'],
        ['Wege', String(yes), String(no)],
      ]);
      const flags = ['--metadata', metadata, '--status', status, ...others];
      return harness.importContent(town, table, { format, flags, name: 's.csv' });
    };
    const summarizeResults = async () => {
      const [{ status, totalResponses, questions }] = await listSurveyResults(town);
      return [
        status,
        totalResponses,
        ...listCounts(questions[0]).map(([, count]: [string, number]) => count),
      ];
    };
    const unknown = await importSurvey(30, 20, 'active', undefined, fromRows);
    assert.match(
      unknown.rejections[0]?.reason ?? '',
      /^is active, .*: add totalResponses to the metadata, or as a column$/,
    );
    await importSurvey(30, 20, 'active', 60);
    assertCounts(await importSurvey(34, 22, 'active', 66), { unchanged: 1 });
    await importSurvey(41, 22, 'active', 73);
    assert.deepEqual(await summarizeResults(), ['active', 73, 30, 20]);
    await importSurvey(45, 33, 'closed', 89);
    assert.deepEqual(await summarizeResults(), ['closed', 89, 45, 33]);
    assert.deepEqual((await importSurvey(45, 33, 'closed', 89)).counts.notes, []);
    const later = await importSurvey(46, 33, 'closed', 90);
    assert.match(String(later.counts.notes), /was published as closed: its published results are unchanged/);
    assert.deepEqual(await summarizeResults(), ['closed', 89, 45, 33]);
  });

  test('is explained, and detected by its counts', async () => {
    const explained = await runCli(['import', format, '--explain']);
    assert.match(explained.stdout, /totalResponses +`totalResponses` of the metadata/);
    const { stdout } = await runCli(['import', 'detect', harness.workspace.writeFile('known.tsv', trend)]);
    assert.match(stdout, /survey-table: its cells are counts/);
  });
});

test('a column of sums or percentages is no option, and its table is rejected', async () => {
  const town = await harness.createMunicipality();
  const bad: Record<string, [rows: string[][], reason: RegExp]> = {
    total: [
      [
        ['', 'gut', 'schlecht', 'Gesamt'],
        ['Nord', '120', '80', '200'],
        ['Süd', '100', '90', '190'],
      ],
      /^has a column "Gesamt" that is the sum of the others/,
    ],
    unnamed: [
      [
        ['', 'N', 'gut', 'schlecht'],
        ['Nord', '200', '120', '80'],
        ['Süd', '190', '100', '90'],
      ],
      /^has a column "N" that is the sum of the others/,
    ],
    single: [
      [
        ['', 'gut', 'schlecht', 'Summe'],
        ['2026', '120', '80', '200'],
      ],
      /^has a column "Summe"/,
    ],
    'single N': [
      [
        ['', 'gut', 'schlecht', 'N'],
        ['2026', '120', '80', '200'],
      ],
      /^has a column "N"/,
    ],
    ...Object.fromEntries(
      [
        ...['Mittelwert', 'Median', 'gut (gewichtet)', 'weighted N', 'gut (Anteil)', 'Quote', 'Mean', 'Ø'],
        ...['Average', 'Durchschnitt', 'Top-2-Box', 'Standard deviation', 'Score', 'Index'],
      ].map((name) => [
        name,
        [
          [
            ['', 'gut', 'schlecht', name],
            ['Nord', '60', '40', '2'],
          ],
          /^has percentages, weighted numbers, means or scores under/,
        ] as [rows: string[][], reason: RegExp],
      ]),
    ),
    ...Object.fromEntries(
      ['n', 'Basis', 'Base', 'Befragte', 'Fallzahl'].map((name) => [
        name,
        [
          [
            ['', 'gut', 'schlecht', name],
            ['Nord', '60', '40', '120'],
          ],
          /^has a column ".*" that seems to be the number of people.* Give the number .* as totalResponses/,
        ] as [rows: string[][], reason: RegExp],
      ]),
    ),
    ...Object.fromEntries(
      ['Answered', 'Skipped', 'Beantwortet', 'Übersprungen', 'Total', 'Gesamt'].map((label) => [
        label,
        [
          [
            ['', 'Responses'],
            ['Bus', '60'],
            [label, '80'],
          ],
          /^has a row ".*" that is no option: remove it/,
        ] as [rows: string[][], reason: RegExp],
      ]),
    ),
    percent: [
      [
        ['', 'gut (%)', 'schlecht (%)'],
        ['Nord', '60', '40'],
      ],
      /^has percentages, weighted numbers, means or scores under "gut \(%\)": give the number of answers/,
    ],
    words: [
      [
        ['', 'Anteil in Prozent'],
        ['gut', '60'],
      ],
      /^has percentages, weighted numbers, means or scores under "Anteil in Prozent"/,
    ],
  };
  for (const [name, [rows, reason]] of Object.entries(bad)) {
    const result = await harness.importContent(town, toCsv('\t', rows), {
      format,
      flags: [fromRows],
      name: `${name}.tsv`,
    });
    assertCounts(result, { rejected: 1 });
    assert.match(String(result.rejections[0]?.reason), reason, name);
  }
  assert.deepEqual(await listSurveyResults(town), []);
  const good = [
    [
      ['', 'gut', 'mittel', 'schlecht'],
      ['2026', '200', '120', '80'],
    ],
    [
      ['', 'j', 'n'],
      ['2021', '60', '40'],
    ],
    [
      ['', 'n'],
      ['2022: Anteilseigner', '60'],
    ],
    [
      ['', '0–25 %', '26–100 %'],
      ['2025', '60', '40'],
    ],
    [
      ['', 'gut (ungewichtet)', 'schlecht (unweighted)'],
      ['2024', '60', '40'],
    ],
    [
      ['', 'gut', 'schlecht', 'Gesamt'],
      ['Nord', '120', '80', '200'],
      ['Süd', '100', '90', '191'],
    ],
  ];
  for (const [index, rows] of good.entries()) {
    const options = { format, flags: [fromRows], name: `${index}.tsv` };
    const other = await harness.createMunicipality();
    assertCounts(await harness.importContent(other, toCsv('\t', rows), options), { inserted: 1 });
  }
});

test('options of a row that add up to more than the responses are noted', async () => {
  for (const [total, isNoted] of [
    ['100', false],
    ['99', true],
  ] as const) {
    const rows = [
      ['', 'gut', 'schlecht', 'totalResponses'],
      ['Nord', '60', '40', total],
    ];
    const town = await harness.createMunicipality();
    const { counts } = await harness.importContent(town, toCsv('\t', rows), { format, name: 'rows.tsv' });
    assert.equal(counts.inserted, 1);
    assert.equal(
      /rows”, “[^”]{1,40}rows – Nord”: its options add up to more than the number of responses/.test(
        String(counts.notes),
      ),
      isNoted,
    );
  }
});

test('invalid tables are rejected with file and line, and valid tables are imported', async () => {
  const town = await harness.createMunicipality();
  const bad: Record<string, [rows: string[][], line: number | undefined, reason: RegExp]> = {
    negative: [
      [
        ['', 'a', 'b'],
        ['2019', '12', '13'],
        ['2023', '-4', '20'],
      ],
      3,
      /^has no whole number under "a": a count is the number of answers/,
    ],
    decimal: [
      [
        ['', 'a', 'b'],
        ['2019', '12.5', '13'],
      ],
      2,
      /^has no whole number under "a"/,
    ],
    separated: [
      [
        ['', 'a', 'b'],
        ['2019', '12', "1'300"],
      ],
      2,
      /^has no whole number under "b"/,
    ],
    missing: [
      [
        ['', 'a', 'b'],
        ['2019', '12', ''],
      ],
      2,
      /no count under "b": write 0/,
    ],
    personal: [
      [
        ['', 'a', 'b'],
        ['Karla Kolumna', '12', 'Hauptstr. 1'],
      ],
      2,
      /^has no whole number under "b"/,
    ],
    few: [
      [
        ['', 'n'],
        ['x', '4'],
      ],
      undefined,
      /^has fewer than 10 responses/,
    ],
    yearless: [
      [
        ['', 'a', 'b'],
        ['2019', '12', '13'],
        ['Total', '12', '13'],
      ],
      undefined,
      /^has rows of several years, and no year in line 3/,
    ],
    short: [
      [
        ['', 'a', 'constructor'],
        ['2019', '12'],
      ],
      2,
      /no count under "constructor": write 0/,
    ],
    long: [
      [
        ['', 'a', 'b'],
        ['2019', '12', '13', '14'],
      ],
      2,
      /is not a row of this table/,
    ],
    unnamed: [
      [
        ['', 'a', 'b', ''],
        ['2019', '12', '13', '14'],
      ],
      2,
      /a count in column 4, which has no name/,
    ],
    nothing: [
      [
        ['', 'a', 'b'],
        ['.', '', ''],
      ],
      undefined,
      /has no row with counts/,
    ],
    wide: [
      [
        ['', ...Array.from({ length: 1_001 }, (_, n) => `o${n}`)],
        ['2019', ...Array(1_001).fill('20')],
      ],
      undefined,
      /options must not have more than 1000/,
    ],
    tall: [
      [['', 'a', 'b'], ...Array.from({ length: 1_001 }, (_, n) => [`r${n}`, '20', '20'])],
      1_002,
      /more than 1000 rows/,
    ],
    huge: [
      [
        ['', 'a', 'b'],
        ['2019', '3000000000', '20'],
      ],
      undefined,
      /must be <= 2147483647/,
    ],
    twice: [
      [
        ['', 'n'],
        ['Karla Kolumna', '20'],
        ['Karla Kolumna', '30'],
      ],
      undefined,
      /^question 1 has two options with the same text, number 1 and 2: give each option once$/,
    ],
  };
  const paths = Object.entries(bad).map(([name, [rows]]) =>
    harness.workspace.writeFile(`${name}.csv`, toCsv(';', rows)),
  );
  const result = await harness.importContent(
    town,
    [...paths, harness.workspace.writeFile('good.tsv', trend)],
    { format, flags: [fromRows] },
  );
  assert.equal(result.code, 3, result.stderr);
  assertCounts(result, { inserted: 2, rejected: paths.length });
  for (const [index, [, line, reason]] of Object.values(bad).entries()) {
    assert.match(result.rejections[index]?.reason ?? '', reason);
    assert.doesNotMatch(result.rejections[index]?.reason ?? '', /Karla|Haupt|-4|12\.5|1'300/);
    assert.equal(result.rejections[index]?.line, line);
    assert.equal(result.rejections[index]?.source, paths[index]);
  }
});

test('unreadable input ends with an explanation, and nothing is published', async () => {
  const town = await harness.createMunicipality();
  const metadata = harness.workspace.writeFile('other.json', '[{"id": "x", "title": "X"}]');
  const cases: [content: string | Buffer, flags: string[], message: RegExp][] = [
    [
      toCsv(';', [
        ['', 'a', 'a'],
        ['2019', '12', '13'],
      ]),
      [],
      /the same name over columns \d+ and \d+/,
    ],
    ['a\n1\n', [], /names no options/],
    ['{"a": 1}', [], /is not a table/],
    [Buffer.from('PK\x03\x04'), [], /is a truncated or damaged zip archive/],
    ['', [], /is empty/],
    [';a;b\n"2019;1;2\n', [], /has a row that begins in line 2 and does not end, so this line was not read/],
    [trend, ['--metadata', metadata], /is missing in the metadata/],
    [trend, ['--metadata', harness.workspace.writeFile('broken.json', '[')], /broken\.json is not JSON/],
    [
      trend,
      ['--metadata', harness.workspace.writeFile('list.json', '[1]')],
      /list or object that describes tables/,
    ],
    [trend, ['--threshold', '-1'], /whole number of at least 3/],
  ];
  for (const [content, flags, message] of cases) {
    const result = await harness.importContent(town, content, { format, flags, name: 'table.csv' });
    assert.notEqual(result.code, 0, String(message));
    assert.match(result.stderr, message);
  }
  const two = [harness.workspace.writeFile('1.tsv', trend), harness.workspace.writeFile('2.tsv', trend)];
  const result = await harness.importContent(town, two, { format, flags: ['--title', 'T'] });
  assert.match(result.stderr, /for one table: describe several with --metadata/);
  assert.deepEqual(await store.listSurveys(town.id), []);
});

/** Open data of a canton. It is not part of the project, so the test is skipped without it. */
const folder = fileURLToPath(new URL('../../../shared/data/basel-befragungen', import.meta.url));

test('the surveys of Basel-Stadt are imported with all counts', { skip: realDataByNight }, async (t) => {
  if (!existsSync(folder)) return t.skip(`${folder} is missing`);
  const town = await harness.createMunicipality();
  const metadata = join(folder, 'metadata.json');
  const result = await harness.importContent(town, [join(folder, 'tsv')], {
    format,
    flags: ['--metadata', metadata, '--already-anonymised', fromRows],
  });
  assertCounts(result, { inserted: 408 });
  const surveys = await listSurveyResults(town);
  const numbers = (results: Results[]) =>
    results.flatMap(({ questions }) =>
      questions.flatMap((question: Results) =>
        listCounts(question).map(([, count]: [string, number]) => count),
      ),
    );
  const publishedNumbers: number[] = numbers(surveys);
  const source = (JSON.parse(readFileSync(metadata, 'utf8')) as { tsv: string }[]).flatMap(({ tsv }) =>
    readFileSync(join(folder, tsv), 'utf8')
      .split(/\r?\n/)
      .slice(1)
      .flatMap((line) => line.split('\t').slice(1))
      .filter((cell) => cell !== '')
      .map(Number),
  );
  assert.equal(publishedNumbers.length, 4_911);
  assert.deepEqual(
    publishedNumbers.toSorted((a, b) => a - b),
    source.toSorted((a, b) => a - b),
  );
  assert.equal(publishedNumbers.filter((count) => count > 0 && count < 5).length, 232);
  // The years that each file has in its first column: a survey for each.
  const yearsOfFiles = readdirSync(join(folder, 'tsv')).flatMap((file) => {
    const lines = readFileSync(join(folder, 'tsv', file), 'utf8')
      .split(/\r?\n/)
      .slice(1);
    return [...new Set(lines.map((line) => line.slice(0, 4)))].filter((start) => /^\d{4}$/.test(start));
  });
  const listed = await store.listSurveys(town.id);
  const years = listed.map(({ year }) => year);
  assert.deepEqual(years.filter((year) => year !== null).map(String), yearsOfFiles.toSorted().toReversed());
  assert.ok(listed.every(({ title, year }) => year === null || title.endsWith(` (${year})`)));
  assert.equal(
    surveys.reduce((sum, { questions }) => sum + questions.length, 0),
    814,
  );

  const careful = await harness.createMunicipality();
  // The same people answered many of these surveys, and the canton has published them.
  const flags = ['--metadata', metadata, fromRows, '--new-survey'];
  // The largest row of six surveys has small counts, so that the published rows would give a number that is too low.
  assertCounts(await harness.importContent(careful, [join(folder, 'tsv')], { format, flags }), {
    inserted: 402,
    rejected: 6,
  });
  const published = await listSurveyResults(careful);
  const totals = published.map(({ totalResponses }) => totalResponses as number);
  // Never a sum over years: the largest of these surveys had 3,119 responses.
  assert.equal(Math.max(...totals), 3_119);
  const ofEqualOpportunities = published.filter(({ title }) =>
    title.startsWith('Beurteilung der Chancengleichheit ('),
  );
  assert.deepEqual(
    [...new Set(ofEqualOpportunities.map(({ title, totalResponses }) => `${title}: ${totalResponses}`))],
    ['2019: 2108', '2015: 1506', '2011: 1516', '2007: 1509', '2005: 1510', '2003: 1497'].map(
      (year) => `Beurteilung der Chancengleichheit (${year.replace(':', '):')}`,
    ),
  );
  const options = published.flatMap(({ questions }) => questions.flatMap(listCounts));
  assert.equal(options.filter(([text]) => !isOtherAnswers(text)).length, 4_000);
  const suppressed: number[] = numbers(published);
  assert.equal(suppressed.filter((count) => count > 0 && count < 10).length, 0);
  assert.equal(
    suppressed.reduce((sum, count) => sum + count, 0),
    1_266_059,
  );
});

test('a survey from standard input needs an id; another survey with the id of a closed one is rejected', async () => {
  const town = await harness.createMunicipality();
  const colours = 'Year;Red;Yellow\n2019;40;50\n';
  const answers = 'Year;Yes;No\n2019;60;70\n';
  const importFromStdin = (input: string, ...flags: string[]) =>
    runCli(
      harness.workspace.withDatabase('import', format, '-', '--organization', town.id, fromRows, ...flags),
      { input },
    );
  const nameless = await importFromStdin(colours);
  assert.equal(nameless.code, 1);
  assert.match(nameless.stderr, /standard input has no file name.+--survey-id\. Nothing was imported/);
  assert.equal((await importFromStdin(colours, '--survey-id', 'colours')).code, 0);
  assert.equal((await importFromStdin(colours, '--survey-id', 'colours')).code, 0);
  const other = await importFromStdin(answers, '--survey-id', 'colours');
  assert.equal(other.code, 3);
  assert.match(other.stderr, /is another survey than the published one with its id: choose another id/);
  assert.equal((await importFromStdin(answers, '--survey-id', 'answers')).code, 0);

  // The merged option can be any option.
  const small = 'Year;Red;Yellow;Blue\n2019;4;5;6\n';
  assert.equal((await importFromStdin(small, '--survey-id', 'small', '--new-survey')).code, 0);
  assert.equal((await importFromStdin(answers, '--survey-id', 'small')).code, 0);
});
