/** A survey that may be another state, a repetition or a part of a published one is not published before somebody decides. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportResult } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const { store } = harness;

type Counts = Record<string, number>;

/** A survey of Rostra's own format. @param questions counts by text */
const createSurvey = (surveyId: string, questions: Record<string, Counts>, fields = {}) => ({
  kind: 'survey',
  surveyId,
  title: surveyId,
  status: 'active',
  totalResponses: Math.max(
    ...Object.values(questions).map((counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)),
  ),
  questions: Object.entries(questions).map(([questionText, counts]) => ({
    questionText,
    questionType: 'single_choice',
    options: Object.entries(counts).map(([optionText, responseCount]) => ({ optionText, responseCount })),
  })),
  ...fields,
});
type Survey = ReturnType<typeof createSurvey>;

const load = (town: Municipality, surveys: readonly Survey[], ...flags: string[]) =>
  harness.importContent(town, toNdjson([...surveys]), { flags });

/** Imports answers, each combination of options in turn, under these headings. */
const loadAnswers = (town: Municipality, headings: string[], people: number, name: string) =>
  harness.importContent(
    town,
    toCsv(',', [
      ['Timestamp', ...headings],
      ...Array.from({ length: people }, (_, n) => ['2026-03-01', 'ab'.charAt(n % 2), 'xyz'.charAt(n % 3)]),
    ]),
    {
      format: 'survey-rows',
      name,
      flags: ['--status', 'active', '--source', name, '--questions', headings.join(',')],
    },
  );

function assertAsks(result: ImportResult, title?: string): void {
  assert.equal(result.code, 3, result.stderr);
  assert.match(
    result.rejections.at(-1)?.reason ?? '',
    /^may ask the same questions as the published survey “(.+)”: add --continues [\da-f-]{36} if it continues that survey, or --new-survey if other people answered$/,
  );
  if (title !== undefined) assert.match(result.rejections.at(-1)?.reason ?? '', new RegExp(`“${title}”`));
}

const isAsked = ({ rejections }: ImportResult) =>
  rejections.some(({ reason }) => reason.startsWith('may ask the same questions'));

/** Whether a survey is asked about beside a published one. */
async function asks(published: Survey, next: Survey): Promise<boolean> {
  const town = await harness.createMunicipality();
  assertCounts(await load(town, [published]), { inserted: 1 });
  return isAsked(await load(town, [next]));
}

const trees = { 'Should the town plant more trees?': { Yes: 60, No: 40, 'No opinion': 12 } };

suite('a survey of Rostra’s own format', { concurrency: 3 }, () => {
  test('is asked about under another id and from another source, and is an update under its own id', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await load(town, [createSurvey('march', trees)], '--source', 'A'), { inserted: 1 });
    const [published] = await store.listSurveys(town.id);
    const grown = { 'Should the town plant more trees?': { Yes: 75, No: 55, 'No opinion': 32 } };
    assertAsks(await load(town, [createSurvey('april', grown)], '--source', 'A'), 'march');
    assertAsks(await load(town, [createSurvey('march', grown)], '--source', 'B'), 'march');
    assertAsks(await load(town, [createSurvey('march', grown)], '--source', 'B', '--dry-run'), 'march');
    assert.deepEqual(await store.listSurveys(town.id), [published]);
    assertCounts(await load(town, [createSurvey('march', grown)], '--source', 'A'), { changed: 1 });
    const last = { 'Should the town plant more trees?': { Yes: 90, No: 75, 'No opinion': 52 } };
    const continued = await load(
      town,
      [createSurvey('april', last)],
      ...['--source', 'B', '--continues', published?.id ?? ''],
    );
    assertCounts(continued, { changed: 1 });
    assert.deepEqual(
      (await store.listSurveys(town.id)).map(({ id, totalResponses }) => [id, totalResponses]),
      [[published?.id, 217]],
    );
  });

  test('is compared with the other surveys of its file', async () => {
    const town = await harness.createMunicipality();
    const lamps = { 'Are the streets well lit?': { Yes: 101, No: 77 } };
    const surveys = [createSurvey('a', trees), createSurvey('lamps', lamps), createSurvey('b', trees)];
    const result = await load(town, surveys);
    assertAsks(result, 'a');
    assertCounts(result, { inserted: 2, rejected: 1 });
    assertCounts(await load(town, surveys, '--new-survey'), { unchanged: 2, inserted: 1 });
  });

  test('is not continued by a file with several surveys', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await load(town, [createSurvey('march', trees)]), { inserted: 1 });
    const [published] = await store.listSurveys(town.id);
    const several = [createSurvey('x', trees), createSurvey('y', trees)];
    const result = await load(town, several, '--continues', published?.id ?? '');
    assert.equal(result.code, 1);
    assert.match(result.stderr, /The input has several surveys, and --continues names one/);
    assert.deepEqual(await store.listSurveys(town.id), [published]);
    const contradiction = await load(town, several, '--continues', published?.id ?? '', '--new-survey');
    assert.equal(contradiction.code, 2);
  });

  test('is asked about when it gets its first results, not before', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await load(town, [createSurvey('march', trees)]), { inserted: 1 });
    assertCounts(await load(town, [createSurvey('april', trees, { status: 'draft' })]), { inserted: 1 });
    assertAsks(await load(town, [createSurvey('april', trees)]), 'march');
    const none = { 'Should the town plant more trees?': { Yes: 0, No: 0, 'No opinion': 0 } };
    assertCounts(await load(town, [createSurvey('may', none)]), { inserted: 1 });
    assertAsks(await load(town, [createSurvey('may', trees)]), 'march');
  });

  test('is a survey of its own in another year, by the year in brackets at the end of the titles', async () => {
    const withTitle = (title: string) => createSurvey(title, trees);
    assert.equal(await asks(withTitle('Trees (2024)'), withTitle('Trees (2025)')), false);
    assert.equal(await asks(withTitle('Trees (2024)'), withTitle('Green town (2024)')), true);
    assert.equal(await asks(withTitle('Trees (2024)'), withTitle('Trees 2025')), true);
  });
});

suite('a question is the same', { concurrency: 3 }, () => {
  const text = 'Wie zufrieden sind Sie mit den Bädern?';
  const withText = (surveyId: string, questionText: string) =>
    createSurvey(surveyId, { [questionText]: { Yes: 160, No: 140, 'No opinion': 112 } });

  test('without its punctuation, case or accents, behind a code or a name, under a code, or reworded', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await load(town, [withText('a', text)]), { inserted: 1 });
    const wordings = [
      'Wie zufrieden sind Sie mit den Bädern',
      '  wie  Zufrieden sind Sie mit den BÄDERN ?',
      'Wie zufrieden sind Sie mit den Badern?',
      'Wie zufrieden sind Sie mit den Baedern?',
      'Wie zu\u00adfrieden sind Sie mit den Bä\u200bdern?',
      'Q1. Wie zufrieden sind Sie mit den Bädern?',
      '3) Wie zufrieden sind Sie mit den Bädern?',
      'befragung-nord – Wie zufrieden sind Sie mit den Bädern?',
      'Wie zufrieden sind Sie mit den Bädern? [Nord]',
      'Q1',
      'Sind Sie mit den Bädern zufrieden?',
    ];
    const next = wordings.map((wording, index) => withText(`next ${index}`, wording));
    const { rejections } = await load(town, next);
    assert.deepEqual(
      rejections.map(({ id }) => id),
      next.map(({ surveyId }) => surveyId),
    );
  });

  test('with codes in place of its options', async () => {
    const coded = (code: string) => createSurvey('b', { [code]: { A1: 160, A2: 141, A3: 112 } });
    assert.equal(await asks(withText('a', text), coded(text)), true);
    assert.equal(await asks(withText('a', text), coded('Q7')), true);
    const inOtherOrder = createSurvey('b', { Q7: { A1: 112, A2: 160, A3: 141 } });
    assert.equal(await asks(withText('a', text), inOtherOrder), true);
    const withoutLargest = createSurvey('b', { Q7: { A1: 141, A2: 112 } });
    assert.equal(await asks(withText('a', text), withoutLargest), false);
  });

  test('behind another number or behind the name of a district, with other counts', async () => {
    const grown = (questionText: string) =>
      createSurvey('b', { [questionText]: { Yes: 275, No: 181, 'No opinion': 190 } });
    assert.equal(await asks(withText('a', `3. ${text}`), grown(`4. ${text}`)), true);
    assert.equal(await asks(withText('a', text), grown(`Befragung Nord: ${text}`)), true);
    assert.equal(await asks(withText('a', text), grown('Welche Linie nehmen Sie in die Stadt?')), false);
  });

  test('behind another number or behind a name, in a survey whose other questions differ', async () => {
    const parks = {
      'Which park is closest?': { Lake: 300, Zoo: 80 },
      'Who mows the lawn?': { Town: 70, Club: 222 },
    };
    const lines = {
      'Do trains run late?': { Often: 411, Rarely: 51 },
      'Ticket price': { Fair: 133, High: 333 },
    };
    const before = { Yes: 160, No: 140, 'No opinion': 112 };
    const after = { Yes: 275, No: 181, 'No opinion': 190 };
    const next = (question: string) => createSurvey('b', { [question]: after, ...lines });
    const numbered = createSurvey('a', { [`3. ${text}`]: before, ...parks });
    assert.equal(await asks(numbered, next(`4. ${text}`)), true);
    const unnumbered = createSurvey('a', { [text]: before, ...parks });
    assert.equal(await asks(unnumbered, next(`Bezirk Nord ${text}`)), true);
    assert.equal(await asks(unnumbered, next('Welche Linie nehmen Sie in die Stadt?')), false);
  });

  test('if its options are combined in the published survey, whatever their texts', async () => {
    const which = 'Which park do you like?';
    const published = createSurvey('a', { [which]: { 'Town park': 40, Zoo: 4, Lake: 5, Castle: 3 } });
    const next = createSurvey('b', { [which]: { 'Town park': 40, Zoo: 4, Lake: 5, Castle: 4 } });
    assert.equal(await asks(published, next), true);
  });

  test('if small options are combined in one survey, and codes are the only options of the other', async () => {
    const published = createSurvey('a', { [text]: { Bus: 400, Bike: 300, Car: 200, Taxi: 6, Foot: 5 } });
    const coded = createSurvey('b', { Q7: { A1: 401, A2: 300, A3: 200, A4: 12 } });
    assert.equal(await asks(published, coded), true);
  });
});

suite('surveys are similar', { concurrency: 3 }, () => {
  test('under codes, other codes and numbers in the place of texts, with one more answer each time', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await loadAnswers(town, ['Q1', 'Q2'], 60, 'first.csv'), { inserted: 1 });
    for (const headings of [
      ['Q1.', 'Q2.'],
      ['Frage 1', 'Frage 2'],
      ['Bus or train?', 'Which line?'],
    ])
      assertAsks(await loadAnswers(town, headings, 61, 'next.csv'));
  });

  test('as results of all people and of districts, whose tables have the names of their files', async () => {
    const town = await harness.createMunicipality();
    const run = (
      name: string,
      flats: readonly number[],
      shops: readonly number[],
      people: number,
      ...flags: string[]
    ) =>
      harness.importContent(
        town,
        [
          harness.workspace.writeFile(
            name,
            toCsv('\t', [
              ['Question', 'Good', 'Bad', 'Unknown', 'totalResponses'],
              ['Flats', ...flats.map(String), `${people}`],
              ['Shops', ...shops.map(String), `${people}`],
            ]),
          ),
        ],
        { format: 'survey-table', flags },
      );
    assertCounts(await run('panel-all.tsv', [50, 60, 12], [40, 50, 32], 122), { inserted: 1 });
    const north = ['panel-north.tsv', [30, 40, 11], [25, 25, 31], 81] as const;
    assertAsks(await run(...north), 'panel-all');
    assertAsks(await run('panel-south.tsv', [20, 20, 1], [15, 25, 1], 41), 'panel-all');
    assertCounts(await run(...north, '--new-survey'), { inserted: 1 });
    assertAsks(await run('panel-south.tsv', [20, 20, 1], [15, 25, 1], 41));
  });

  test('as parts of one questionnaire that share one question of three', async () => {
    const shared = { 'How often do you take the bus?': { Daily: 60, Weekly: 45, Never: 20 } };
    const first = createSurvey('a', {
      ...shared,
      'Do you own a car?': { Yes: 80, No: 45 },
      'Do you own a bicycle?': { Yes: 70, No: 55 },
    });
    const createSecond = (counts: Counts) =>
      createSurvey('b', {
        'How often do you take the bus?': counts,
        'Is the fare too high?': { Yes: 62, No: 63 },
        'Are the buses clean?': { Yes: 99, No: 26 },
      });
    assert.equal(await asks(first, createSecond({ Daily: 60, Weekly: 46, Never: 20 })), true);
    assert.equal(await asks(first, createSecond({ Daily: 40, Weekly: 30, Never: 12 })), true);
    // None of both can be a part of the other.
    assert.equal(await asks(first, createSecond({ Daily: 90, Weekly: 20, Never: 15 })), false);
  });

  test('under one title as parts of a questionnaire that share no question, or only one under a code', async () => {
    const withTitle = (surveyId: string, title: string, questions: Record<string, Counts>) =>
      createSurvey(surveyId, questions, { title });
    const filter = { 'Do you use the bus?': { Yes: 120, No: 80 } };
    const next = (people: number) => ({
      'When do you use it?': { 'Every day': people - 105, Weekly: 25, 'Not asked': 80 },
    });
    const town = withTitle('a', 'Bus 2026', filter);
    // One more person was asked: the new one answered Yes.
    assert.equal(await asks(town, withTitle('b', 'Bus 2026', next(201))), true);
    assert.equal(await asks(town, withTitle('b', 'Bus 2026', { Q2: { A1: 96, A2: 25, A3: 80 } })), true);
    // A district: the others are one person who answered No.
    const district = { Q2: { Often: 20, Seldom: 25, 'Not asked': 79 } };
    assert.equal(await asks(town, withTitle('b', 'Bus 2026', district)), true);
    assert.equal(await asks(town, withTitle('b', 'Trains 2026', district)), false);
    assert.equal(await asks(town, withTitle('b', 'Bus 2026', { Roads: { Good: 520, Bad: 380 } })), false);
  });

  test('with one question of several behind different titles, whose difference is small', async () => {
    const create = (title: string, topic: string, first: number, few: number) =>
      createSurvey(title, {
        [`${title}: How old are you today?`]: { Young: 210, Old: few },
        [`${title}: Do you like ${topic}?`]: { Yes: first, No: 300 - first },
        [`${title}: Shall the town pay for ${topic}?`]: { Always: first - 20, Never: 310 - first },
      });
    const parks = create('Life in our town', 'parks', 200, 50);
    assert.equal(await asks(parks, create('Results', 'trains', 90, 51)), true);
    assert.equal(await asks(parks, create('Results', 'trains', 90, 90)), false);
  });

  test('with one question of several under a code, whose counts are no coincidence', async () => {
    const parks = { 'Which park?': { Lake: 412, Zoo: 305, Castle: 151, None: 77 } };
    const others = (topic: string, yes: number) =>
      Object.fromEntries(
        Array.from({ length: 5 }, (_, n) => [
          `${topic} ${n}?`,
          { Yes: yes + 31 * n, No: 945 - yes - 31 * n },
        ]),
      );
    const published = createSurvey('parks', { ...others('Hedges', 411), ...parks });
    const coded = { Q6: { A1: 413, A2: 305, A3: 151, A4: 77 } };
    assert.equal(await asks(published, createSurvey('x', { ...others('Taxes', 222), ...coded })), true);
    const different = { Q6: { A1: 390, A2: 340, A3: 131, A4: 84 } };
    assert.equal(await asks(published, createSurvey('x', { ...others('Taxes', 222), ...different })), false);
  });

  test('by age or gender only if the difference is small', async () => {
    const create = (topic: string, people: number, gender: Counts) =>
      createSurvey(topic, {
        Gender: gender,
        [`Do you know ${topic}?`]: { Yes: people, No: 20 },
        [`Do you use ${topic}?`]: { Often: people - 10, Never: 30 },
        [`Who pays for ${topic}?`]: { Users: people / 2, Everyone: people / 2 },
      });
    const pool = create('the pool', 800, { female: 410, male: 390, diverse: 50 });
    const few = { female: 40, male: 35, diverse: 15 };
    const most = { female: 400, male: 380, diverse: 48 };
    assert.equal(await asks(pool, create('buses', 80, few)), false);
    assert.equal(await asks(pool, create('buses', 80, most)), true);
  });

  const poll = (id: string, text: string, yes: number, no: number) =>
    createSurvey(id, { [text]: { Yes: yes, No: no } });

  test('by one question with two options if one answer more is given and the texts share a word', async () => {
    const pool = poll('a', 'Shall the pool be heated?', 320, 180);
    assert.equal(await asks(pool, poll('b', 'Is a heated pool needed?', 321, 180)), true);
    assert.equal(await asks(pool, poll('b', 'More buses at night?', 321, 180)), false);
    // The same sizes under other options are no coincidence only with a shared word and the same options.
    const options = createSurvey('b', { 'Is a heated pool needed?': { Indoors: 321, Outdoors: 180 } });
    assert.equal(await asks(pool, options), false);
  });

  test('not by equal options alone', async () => {
    assert.equal(
      await asks(
        poll('a', 'Shall the pool be heated?', 320, 180),
        poll('b', 'More buses at night?', 210, 105),
      ),
      false,
    );
  });
});

test('the decision that a survey is another one is in the audit log, with the survey that it was compared with', async () => {
  const town = await harness.createMunicipality();
  assertCounts(await load(town, [createSurvey('march', trees)]), { inserted: 1 });
  const [published] = await store.listSurveys(town.id);
  const next = createSurvey('april', trees);
  const listDecisions = async () =>
    (await store.listAuditEvents(town.id, undefined, 100)).filter(
      ({ action }) => action === 'record.distinguished',
    );
  await load(town, [next]);
  await load(town, [next], '--new-survey', '--dry-run');
  await load(town, [createSurvey('lamps', { 'Are the streets lit?': { Yes: 70, No: 9 } })], '--new-survey');
  assert.deepEqual(await listDecisions(), []);
  assertCounts(await load(town, [next], '--new-survey'), { inserted: 1 });
  assertCounts(await load(town, [next], '--new-survey'), { unchanged: 1 });
  const decisions = await listDecisions();
  const added = (await store.listSurveys(town.id)).find(({ title }) => title === 'april');
  assert.deepEqual(
    decisions.map(({ actor, subject, subjectId, changes }) => ({ actor, subject, subjectId, changes })),
    [
      {
        actor: 'command line',
        subject: `survey ${added?.id}`,
        subjectId: added?.id,
        changes: [{ field: 'similarSurvey', before: null, after: published?.id }],
      },
    ],
  );
});
