import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createLocationRules } from '../../src/domain/organizations/location-rules.ts';
import { describeReason } from '../../src/domain/reasons/reason.ts';
import { deriveNamespace } from '../../src/domain/values/uuid.ts';
import { allFiles } from '../../src/ingest/formats/format-registry.ts';
import { reader as surveyRows } from '../../src/ingest/formats/survey/survey-rows-reader.ts';
import { reader as surveyTable } from '../../src/ingest/formats/survey/survey-table-reader.ts';
import { runPipeline } from '../../src/ingest/pipeline/pipeline.ts';
import { createSuppressionRule } from '../../src/ingest/privacy/disclosure-control/small-count-suppression.ts';
import { createRedactor } from '../../src/ingest/privacy/redaction/create-redactor.ts';
import { openStore } from '../../src/store/open.ts';
import { type Municipality, runCli } from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { draftSpellings, formatSurveyId, surveys } from '../support/records.ts';

const harness = await createImportHarness({ after });
const store = await openStore({
  ...storeDefaults,
  database: harness.workspace.database,
  lockTimeoutMs: 30_000,
});
after(() => store.close());
// biome-ignore lint/suspicious/noExplicitAny: the tests make the survey invalid
type Draft = any;
const survey: Draft = { kind: 'survey', ...surveys[0] };
const anonymised = { flags: ['--already-anonymised'] };
const results = `/surveys/${formatSurveyId(1)}/results`;

const createImportOptions = (town: Municipality) => ({
  organizationId: town.id,
  namespace: deriveNamespace(town.id, undefined),
  suppressionRule: createSuppressionRule({}, 'de'),
  dryRun: false,
  timeZone: 'Europe/Berlin',
  strict: false,
  redactor: createRedactor({ kinds: [], country: 'DE', patterns: new Map(), language: 'de' }),
  locationRules: createLocationRules(null, null),
  source: undefined,
  missing: undefined,
});

test('an import with many new surveys reads the questions of the published ones once', async () => {
  const town = await harness.createMunicipality();
  const years = Array.from({ length: 5 }, (_, n) => [String(2019 + n), '40', '50', '90']);
  const table = toCsv(',', [['Year', 'Yes', 'No', 'totalResponses'], ...years]);
  const file = harness.workspace.writeFile('years.csv', table);
  const signal = new AbortController().signal;
  const readings = surveyTable.readRecords([{ name: file, file, size: undefined }], {
    allFiles,
    namespace: deriveNamespace(town.id, undefined),
    sourceName: '',
    timeZone: 'UTC',
    language: 'en' as const,
    formatOptions: { surveyId: 'years' },
    signal,
    observer: {},
  });
  let reads = 0;
  const counting = {
    ...store,
    listSurveyQuestions: (organizationId: string) => {
      reads += 1;
      return store.listSurveyQuestions(organizationId);
    },
  };
  const { inserted } = await runPipeline(readings, counting, {
    ...createImportOptions(town),
    observer: {},
    signal,
  });
  assert.deepEqual([inserted, reads], [5, 1]);
});

suite('a survey', { concurrency: 3 }, () => {
  test('is imported with questions and options in order', async () => {
    const town = await harness.createMunicipality();
    const flags = ['--publish-unanimous'];
    assertCounts(await harness.importContent(town, toNdjson([survey]), { flags }), { inserted: 1 });
    assert.deepEqual((await harness.get(town, results)).json.data, surveys[0]);
  });

  const changes: Record<string, (draft: Draft) => void> = {
    'its title': (draft) => {
      draft.title = 'Anders';
    },
    'its number of responses': (draft) => {
      draft.totalResponses += 1;
    },
    'a count': (draft) => {
      draft.questions[0].options[0].responseCount -= 117;
    },
    'the text of an option': (draft) => {
      draft.questions[0].options[0].optionText = 'Anders';
    },
    'the type of a question': (draft) => {
      draft.questions[0].questionType = 'ranking';
    },
    'the order of its options': (draft) => draft.questions[0].options.reverse(),
    'an option less': (draft) => draft.questions[0].options.pop(),
    'the order of its questions': (draft) => draft.questions.reverse(),
    'a question less': (draft) => draft.questions.shift(),
    'a question more': (draft) =>
      draft.questions.push({ questionText: 'Neu?', questionType: 'scale', options: [] }),
    'no question at all': (draft) => {
      draft.questions = [];
    },
  };

  test('that is already anonymised is replaced after any change, and unchanged otherwise', async () => {
    const town = await harness.createMunicipality();
    const changed = structuredClone(survey);
    assertCounts(await harness.importContent(town, toNdjson([changed]), anonymised), { inserted: 1 });
    for (const [what, change] of Object.entries(changes)) {
      change(changed);
      const result = await harness.importContent(town, toNdjson([changed]), anonymised);
      assert.equal(result.counts.changed, 1, what);
      const { kind, ...published } = changed;
      assert.deepEqual((await harness.get(town, results)).json.data, published, what);
    }
    assertCounts(await harness.importContent(town, toNdjson([changed]), anonymised), { unchanged: 1 });
  });

  test('in draft is imported, but published only when it is active', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await harness.importContent(town, toNdjson([{ ...survey, status: 'draft' }])), {
      inserted: 1,
    });
    assert.equal((await harness.get(town, results)).status, 404);
    assertCounts(await harness.importContent(town, toNdjson([survey])), { changed: 1 });
    assert.equal((await harness.get(town, results)).status, 200);
  });

  test('with a draft status in any spelling or language is stored as a draft, and is no longer published', async () => {
    const town = await harness.createMunicipality();
    assertCounts(await harness.importContent(town, toNdjson([survey])), { inserted: 1 });
    const drafts = draftSpellings.map((status, n) => ({
      ...survey,
      surveyId: formatSurveyId(100 + n),
      status,
    }));
    const records = toNdjson([{ ...survey, status: 'Entwürfe' }, ...drafts]);
    assertCounts(await harness.importContent(town, records), { changed: 1, inserted: drafts.length });
    assert.equal((await harness.get(town, results)).status, 404);
    const stored = [survey, ...drafts].map((one) => ({ ...one, status: 'draft' }));
    assertCounts(await harness.importContent(town, toNdjson(stored)), { unchanged: stored.length });
    const list = await runCli(harness.workspace.withDatabase('survey', 'list', '--organization', town.id));
    assert.doesNotMatch(list.stdout, /surveys\/|Entw|brouillon/);
  });

  test('can have 1,000 questions and 1,000 options; with one more it is rejected', async () => {
    const town = await harness.createMunicipality();
    const option = (_: unknown, n: number) => ({ optionText: `x${n}`, responseCount: 0 });
    const question = { questionText: 'x', questionType: 'scale', options: [] };
    const many = { ...question, questionText: 'y' };
    const createSurvey = (questions: unknown[]) => ({ ...survey, questions });
    const input = [
      createSurvey(Array(1_000).fill(question)),
      { ...createSurvey(Array(1_001).fill(question)), surveyId: 'b' },
      { ...createSurvey([{ ...many, options: Array.from({ length: 1_000 }, option) }]), surveyId: 'c' },
      { ...createSurvey([{ ...many, options: Array.from({ length: 1_001 }, option) }]), surveyId: 'd' },
    ];
    const result = await harness.importContent(town, toNdjson(input));
    assertCounts(result, { inserted: 2, rejected: 2 });
    assert.deepEqual(
      result.rejections.map(({ line, reason }) => [line, reason]),
      [
        [2, 'questions must not have more than 1000 entries'],
        [4, 'options must not have more than 1000 entries'],
      ],
    );
  });
});

suite('the rules for counts hold for Rostra’s own format:', { concurrency: 3 }, () => {
  type Counts = Record<string, number>;
  const createQuestion = (questionType: string, counts: Counts) => ({
    questionText: `Which (${questionType})?`,
    questionType,
    options: Object.entries(counts).map(([optionText, responseCount]) => ({ optionText, responseCount })),
  });
  const createSurvey = (totalResponses: number, questions: unknown[], fields = {}) => ({
    ...{ kind: 'survey', surveyId: formatSurveyId(50), title: 'T', status: 'closed' },
    ...{ totalResponses, questions, ...fields },
  });
  const toCounts = ({ options }: Draft) =>
    Object.fromEntries(options.map(({ optionText, responseCount }: Draft) => [optionText, responseCount]));
  const readPublished = async (town: Municipality) => {
    const { json } = await harness.get(town, `/surveys/${formatSurveyId(50)}/results`);
    return [json.data.totalResponses, ...json.data.questions.map(toCounts)];
  };

  test('a survey with impossible counts, equal options or options of a text question is rejected, anonymised or not', async () => {
    const verbatim = { 'Mein Nachbar Karl parkt falsch': 1 };
    const invalid: [totalResponses: number, questions: unknown[], reason: RegExp][] = [
      [20, [createQuestion('text', verbatim)], /^question 1 is a text question and has options/],
      [
        20,
        [createQuestion('scale', {}), createQuestion(' Free Text', verbatim)],
        /^question 2 is a text question/,
      ],
      [1, [createQuestion('single_choice', { A: 5 })], /^question 1 counts more responses for option 1 than/],
      ...['multiple_choice', 'scale', 'matrix', 'ranking', 'of our own'].map(
        (type): (typeof invalid)[number] => [
          20,
          [createQuestion(type, { A: 20, B: 21 })],
          /option 2 than the survey/,
        ],
      ),
      [20, [createQuestion('single_choice', { A: 15, B: 15 })], /its options add up to more responses than/],
      [20, [createQuestion('Single-Choice', { A: 15, B: 15 })], /its options add up to more responses than/],
      ...[
        { Ja: 10, ' JA ': 10 },
        { 'Ma\u0308rz': 10, März: 10 },
        { 'a b': 10, 'a  b': 10 },
      ].map((alike): (typeof invalid)[number] => [
        20,
        [createQuestion('scale', alike)],
        /^question 1 has two options with the same text, number 1 and 2/,
      ]),
    ];
    const records = invalid.map(([total, questions], n) =>
      createSurvey(total, questions, { surveyId: formatSurveyId(50 + n) }),
    );
    for (const flags of [[], ['--already-anonymised']]) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, toNdjson(records), { flags });
      assertCounts(result, { rejected: records.length });
      for (const [index, { reason }] of result.rejections.entries()) {
        assert.match(reason, invalid[index]?.[2] as RegExp);
        assert.doesNotMatch(reason, /Karl/);
      }
      assert.deepEqual(await store.listSurveys(town.id), []);
    }
  });

  test('small counts are suppressed, unless the source is already anonymised', async () => {
    const town = await harness.createMunicipality();
    const record = createSurvey(100, [
      createQuestion('single_choice', { A: 50, B: 30, C: 6, D: 4 }),
      createQuestion('matrix', { 'x: yes': 90, 'x: no': 10, 'y: yes': 60, 'y: no': 3 }),
      createQuestion('multiple_choice', { A: 70, B: 60, C: 1, D: 20 }),
    ]);
    const folded = await harness.importContent(town, toNdjson([record]));
    assertCounts(folded, { inserted: 1 });
    const other = 'Weitere Antworten';
    assert.deepEqual(await readPublished(town), [
      100,
      { A: 50, B: 30, [other]: 10 },
      {},
      { A: 70, [other]: 81 },
    ]);
    assert.match(String(folded.counts.notes), /cannot be merged, published without options/);
    assertCounts(await harness.importContent(town, toNdjson([record])), { unchanged: 1 });

    assertCounts(await harness.importContent(town, toNdjson([record]), anonymised), { changed: 1 });
    assert.deepEqual(await readPublished(town), [100, ...record.questions.map(toCounts)]);
    const few = createSurvey(4, [createQuestion('scale', { A: 4 })], {
      surveyId: formatSurveyId(51),
    });
    const otherPeople = { flags: ['--new-survey'] };
    const tooFew = await harness.importContent(town, toNdjson([few]), otherPeople);
    assert.match(tooFew.rejections[0]?.reason ?? '', /^has fewer than 10 responses/);
    const lower = { flags: [...otherPeople.flags, '--threshold', '3'] };
    assertCounts(await harness.importContent(town, toNdjson([few]), lower), { inserted: 1 });
    const flags = ['--threshold', '2'];
    assert.match(
      (await harness.importContent(town, '', { flags })).stderr,
      /of at least 3\..+--already-anonymised/,
    );
  });

  test('a survey changes in steps, and not at all after it is closed', async () => {
    const town = await harness.createMunicipality();
    const importSurvey = (a: number, b: number, status: string) => {
      const record = createSurvey(a + b, [createQuestion('single_choice', { A: a, B: b })], { status });
      return harness.importContent(town, toNdjson([record]));
    };
    assertCounts(await importSurvey(0, 0, 'laufend'), { inserted: 1 });
    assertCounts(await importSurvey(5, 4, 'laufend'), { rejected: 1 });
    assertCounts(await importSurvey(30, 20, 'laufend'), { changed: 1 });
    assertCounts(await importSurvey(35, 24, 'laufend'), { unchanged: 1 });
    assertCounts(await importSurvey(30, 19, 'laufend'), { rejected: 1 });
    await importSurvey(45, 24, 'laufend');
    assert.deepEqual(await readPublished(town), [69, { A: 30, B: 20 }]);
    await importSurvey(45, 33, 'Closed');
    assert.deepEqual(await readPublished(town), [69, { A: 30, B: 20 }]);
    const later = await importSurvey(90, 90, 'closed');
    assert.match(String(later.counts.notes), /was published as Closed: its published results are unchanged/);
    assert.deepEqual(await readPublished(town), [69, { A: 30, B: 20 }]);
  });

  test('the ranks of a ranking are published together, when the survey is closed', async () => {
    const town = await harness.createMunicipality();
    const ranks = [
      { ...createQuestion('ranking', { A: 50, B: 46, C: 4 }), questionText: 'First' },
      { ...createQuestion('ranking', { B: 30, A: 24, C: 46 }), questionText: 'Second' },
    ];
    await harness.importContent(town, toNdjson([createSurvey(100, ranks, { status: 'active' })]));
    assert.deepEqual(await readPublished(town), [100, {}, {}]);
    await harness.importContent(town, toNdjson([createSurvey(110, ranks)]));
    const other = 'Weitere Antworten';
    assert.deepEqual(await readPublished(town), [110, { A: 50, [other]: 50 }, { A: 24, [other]: 76 }]);
  });

  test('a draft can have few responses, and removes the published survey', async () => {
    const town = await harness.createMunicipality();
    const questions = [createQuestion('single_choice', { A: 20 })];
    await harness.importContent(town, toNdjson([createSurvey(20, questions)]));
    const draft = createSurvey(3, [createQuestion('single_choice', { A: 3 })], { status: 'Draft' });
    assertCounts(await harness.importContent(town, toNdjson([draft])), { changed: 1 });
    assert.equal((await harness.get(town, `/surveys/${formatSurveyId(50)}/results`)).status, 404);
  });
});

suite('two concurrent imports of survey responses', () => {
  const createResponseTable = (a: number, b: number) =>
    toCsv(',', [['Frage'], ...Array(a).fill(['A']), ...Array(b).fill(['B'])]);
  const flags = ['--survey-id', 's', '--title', 'S', '--questions', 'Frage', '--status', 'active'];
  const importResponses = (town: Municipality, a: number, b: number) =>
    harness.importContent(town, createResponseTable(a, b), {
      format: 'survey-rows',
      flags,
      name: 'responses.csv',
    });

  /** Imports, and calls a function after the import has read the published survey. */
  async function importAndInterfere(
    town: Municipality,
    a: number,
    b: number,
    meanwhile: () => Promise<unknown>,
  ) {
    const file = harness.workspace.writeFile(`slow-${town.id}.csv`, createResponseTable(a, b));
    const reasons: string[] = [];
    const signal = new AbortController().signal;
    const readings = surveyRows.readRecords([{ name: file, file, size: undefined }], {
      allFiles,
      namespace: deriveNamespace(town.id, undefined),
      sourceName: '',
      timeZone: 'UTC',
      language: 'en' as const,
      formatOptions: { surveyId: 's', title: 'S', questions: ['Frage'], status: 'active' },
      signal,
      observer: {},
    });
    const slow = {
      ...store,
      findReleasedSurvey: async (organizationId: string, id: string) => {
        const before = await store.findReleasedSurvey(organizationId, id);
        await meanwhile();
        return before;
      },
    };
    await runPipeline(readings, slow, {
      ...createImportOptions(town),
      observer: { onRejection: ({ reason }) => reasons.push(describeReason(reason)) },
      signal,
    });
    const surveys = await store.listSurveys(town.id);
    return { reasons, totals: surveys.map(({ totalResponses }) => totalResponses) };
  }
  const conflict = ['another import has published or removed it in the meantime: import it again'];

  test('start from one published state: the second is rejected, and can be repeated', async () => {
    const town = await harness.createMunicipality();
    const first = await importAndInterfere(town, 33, 22, () => importResponses(town, 30, 20));
    assert.deepEqual(first, { reasons: conflict, totals: [50] });
    const step = await importAndInterfere(town, 50, 44, () => importResponses(town, 45, 35));
    assert.deepEqual(step, { reasons: conflict, totals: [80] });
    const removal = toNdjson([{ kind: 'survey', surveyId: 's', deleted: true }]);
    const removed = await importAndInterfere(town, 90, 90, () => harness.importContent(town, removal));
    assert.deepEqual(removed, { reasons: conflict, totals: [] });
    const alone = await importAndInterfere(town, 90, 90, async () => undefined);
    assert.deepEqual(alone, { reasons: [], totals: [180] });
  });
});
