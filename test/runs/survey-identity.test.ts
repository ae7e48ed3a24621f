/** Which survey a file of survey results is: the next state of a published one, or another one. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportResult } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const { store } = harness;

const createResponses = (yes: number, no: number, question = 'More trees?') =>
  toCsv(',', [
    ['Timestamp', question],
    ...Array.from({ length: yes }, () => ['2026-03-01', 'Yes']),
    ...Array.from({ length: no }, () => ['2026-03-01', 'No']),
  ]);

const importFile = (town: Municipality, content: string, name: string, ...flags: string[]) =>
  harness.importContent(town, content, {
    format: 'survey-rows',
    name,
    flags: ['--status', 'active', ...flags],
  });

const listSurveys = (town: Municipality) => store.listSurveys(town.id);

function assertAsked(result: ImportResult, published: string): void {
  assert.equal(result.code, 3, result.stderr);
  assertCounts(result, { rejected: 1 });
  assert.match(
    result.rejections[0]?.reason ?? '',
    new RegExp(
      `may ask the same questions as the published survey “.+”: add --continues ${published} if .+ --new-survey if`,
    ),
  );
}

test('the next file of a source updates its survey, whatever the name of the file', async () => {
  const town = await harness.createMunicipality();
  const source = ['--source', 'Trees'];
  assertCounts(await importFile(town, createResponses(30, 20), 'march.csv', ...source), { inserted: 1 });
  assertCounts(await importFile(town, createResponses(45, 30), 'april.csv', ...source), { changed: 1 });
  const surveys = await listSurveys(town);
  assert.deepEqual(
    surveys.map(({ totalResponses }) => totalResponses),
    [75],
  );
});

test('a table whose question was corrected is still the survey that was published before', async () => {
  const createTable = (yes: number) =>
    toCsv(';', [
      ['Answer', 'Count', 'totalResponses'],
      ['Yes', `${yes}`, `${yes + 40}`],
      ['No', '40', `${yes + 40}`],
    ]);
  for (const [earlier, corrected] of [
    [undefined, '{"question": "More parks?"}'],
    ['{"question": "Parcs?"}', '[{"file": "parks.csv", "question": "More parks?"}]'],
  ] as const) {
    const town = await harness.createMunicipality();
    const describe = (name: string, content: string | undefined) =>
      content === undefined ? [] : [harness.workspace.writeFile(name, content)];
    const importTable = (yes: number, source: string, ...flags: string[]) =>
      harness.importContent(
        town,
        [harness.workspace.writeFile('parks.csv', createTable(yes)), ...describe('metadata.json', earlier)],
        {
          format: 'survey-table',
          flags: ['--status', 'active', '--source', source, ...flags],
        },
      );
    assertCounts(await importTable(60, 'First'), { inserted: 1 });
    const [published] = await listSurveys(town);
    const [metadata = ''] = describe('corrected.json', corrected);
    assertAsked(await importTable(64, 'Second', '--metadata', metadata), published?.id ?? '');
  }
});

test('a file with the questions of a published survey is rejected until the user decides', async () => {
  const town = await harness.createMunicipality();
  assertCounts(await importFile(town, createResponses(30, 20), 'march.csv'), { inserted: 1 });
  const [published] = await listSurveys(town);
  assert.ok(published);
  const next = createResponses(31, 20);
  assertAsked(await importFile(town, next, 'april.csv'), published.id);
  assertAsked(await importFile(town, next, 'april.csv', '--source', 'Other'), published.id);
  assertAsked(await importFile(town, next, 'april.csv', '--survey-id', 'another'), published.id);
  assert.deepEqual(await listSurveys(town), [published]);

  const continued = await importFile(town, createResponses(45, 30), 'may.csv', '--continues', published.id);
  assertCounts(continued, { changed: 1 });
  assert.deepEqual(
    (await listSurveys(town)).map(({ id, totalResponses }) => [id, totalResponses]),
    [[published.id, 75]],
  );
  assertCounts(await importFile(town, createResponses(60, 30), '2027.csv', '--new-survey'), { inserted: 1 });
  assert.equal((await listSurveys(town)).length, 2);
  // Its next file has its id.
  assertCounts(await importFile(town, createResponses(80, 30), '2027.csv', '--survey-id', 'x'), {
    rejected: 1,
  });
});

test('a survey that shares questions with a published one is asked about', async () => {
  const town = await harness.createMunicipality();
  const content = (questions: string[]) =>
    toCsv(',', [
      questions,
      ...Array.from({ length: 40 }, (_, n) => questions.map(() => (n % 2 ? 'Yes' : 'No'))),
    ]);
  const run = (questions: string[], name: string) =>
    importFile(town, content(questions), name, '--questions', questions.join(','));
  assertCounts(await run(['Trees?', 'Benches?', 'Lamps?'], 'a.csv'), { inserted: 1 });
  const [published] = await listSurveys(town);
  for (const questions of [
    ['Trees?'],
    ['Trees?', 'Benches?', 'Lamps?', 'Roads?'],
    // A corrected wording.
    ['Trees?', 'Benches?', 'Street lamps?'],
    ['TREES? ', 'benches?', 'Street  lamps?'],
    ['Trees?', 'Roads?'],
    // A part of the same questionnaire.
    ['Trees?', 'Roads?', 'Bins?'],
  ])
    assertAsked(await run(questions, 'b.csv'), published?.id ?? '');
});

test('years of a table are surveys of their own, and another table with the same years is asked about', async () => {
  const town = await harness.createMunicipality();
  const table = (years: number[]) =>
    toCsv(',', [['Year', 'Yes', 'No'], ...years.map((year) => [String(year), '30', '20'])]);
  const run = (years: number[], name: string, ...flags: string[]) =>
    harness.importContent(town, table(years), {
      format: 'survey-table',
      name,
      flags: ['--title', 'Trees', '--total-from-rows', ...flags],
    });
  assertCounts(await run([2019, 2021], 'a.csv', '--source', 'A'), { inserted: 2 });
  assertCounts(await run([2019, 2021, 2023], 'b.csv', '--source', 'A'), { unchanged: 2, inserted: 1 });
  assertCounts(await run([2019, 2025], 'c.csv', '--source', 'B'), { rejected: 1, inserted: 1 });
});

test('contradicting options, and a survey that is not published, are rejected with a remedy', async () => {
  const town = await harness.createMunicipality();
  const missing = '00000000-0000-4000-8000-000000000001';
  const content = createResponses(30, 20);
  for (const [flags, message] of [
    [['--continues', missing, '--new-survey'], /--continues names the survey: leave out/],
    [['--continues', missing, '--survey-id', 'x'], /--continues names the survey: leave out/],
    [['--continues', 'Trees'], /It must be the UUID of a survey: "rostra survey list" shows all\./],
  ] as const) {
    const { code, stderr } = await importFile(town, content, 'a.csv', ...flags);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
  const { rejections } = await importFile(town, content, 'a.csv', '--continues', missing);
  assert.match(rejections[0]?.reason ?? '', /which is not published: "rostra survey list" shows all/);
  assert.deepEqual(await listSurveys(town), []);
});
