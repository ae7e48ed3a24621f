import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { namespaceOf } from '../../src/import/identifier.ts';
import { runImport } from '../../src/import/run.ts';
import { surveyRows } from '../../src/import/survey/rows.ts';
import { openStore } from '../../src/store/open.ts';
import type { Municipality } from '../support/command-line.ts';
import { storeDefaults } from '../support/database.ts';
import { csv, ndjson } from '../support/files.ts';
import { surveyId, surveys } from '../support/records.ts';
import { assertCounts, newHall } from './hall.ts';

const hall = await newHall({ after });
const store = await openStore({ ...storeDefaults, database: hall.desk.database, lockTimeoutMs: 30_000 });
after(() => store.close());
// biome-ignore lint/suspicious/noExplicitAny: changed into what no survey may be
type Draft = any;
const survey: Draft = { kind: 'survey', ...surveys[0] };
const results = `/surveys/${surveyId(1)}/results`;

suite('a survey', { concurrency: 3 }, () => {
  test('comes in whole, in the order of its questions and options', async () => {
    const town = await hall.municipality();
    assertCounts(await hall.take(town, ndjson([survey])), { inserted: 1 });
    assert.deepEqual((await hall.get(town, results)).json.data, surveys[0]);
  });

  const changes: Record<string, (draft: Draft) => void> = {
    'its title': (draft) => {
      draft.title = 'Anders';
    },
    'its number of responses': (draft) => {
      draft.totalResponses += 1;
    },
    'a count': (draft) => {
      draft.questions[0].options[0].responseCount += 1;
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

  test('with one thing different counts as changed and is published as it is now; the same again as unchanged', async () => {
    const town = await hall.municipality();
    const changed = structuredClone(survey);
    assertCounts(await hall.take(town, ndjson([changed])), { inserted: 1 });
    for (const [what, change] of Object.entries(changes)) {
      change(changed);
      const taken = await hall.take(town, ndjson([changed]));
      assert.equal(taken.counts.changed, 1, what);
      const { kind, ...published } = changed;
      assert.deepEqual((await hall.get(town, results)).json.data, published, what);
    }
    assertCounts(await hall.take(town, ndjson([changed])), { unchanged: 1 });
  });

  test('in draft is taken but not published, until it is active', async () => {
    const town = await hall.municipality();
    assertCounts(await hall.take(town, ndjson([{ ...survey, status: 'draft' }])), { inserted: 1 });
    assert.equal((await hall.get(town, results)).status, 404);
    assertCounts(await hall.take(town, ndjson([survey])), { changed: 1 });
    assert.equal((await hall.get(town, results)).status, 200);
  });

  test('may have 1,000 questions and 1,000 options, one more of either is refused', async () => {
    const town = await hall.municipality();
    const option = { optionText: 'x', responseCount: 0 };
    const question = { questionText: 'x', questionType: 'scale', options: [] };
    const of = (questions: unknown[]) => ({ ...survey, questions });
    const input = [
      of(Array(1_000).fill(question)),
      { ...of(Array(1_001).fill(question)), surveyId: 'b' },
      { ...of([{ ...question, options: Array(1_000).fill(option) }]), surveyId: 'c' },
      { ...of([{ ...question, options: Array(1_001).fill(option) }]), surveyId: 'd' },
    ];
    const taken = await hall.take(town, ndjson(input));
    assertCounts(taken, { inserted: 2, refused: 2 });
    assert.deepEqual(
      taken.refusals.map(({ line, reason }) => [line, reason]),
      [
        [2, 'questions must not have more than 1000 entries'],
        [4, 'options must not have more than 1000 entries'],
      ],
    );
  });
});

suite('two imports of single responses at once', () => {
  const responses = (a: number, b: number) =>
    csv(',', [['Frage'], ...Array(a).fill(['A']), ...Array(b).fill(['B'])]);
  const flags = ['--survey-id', 's', '--title', 'S', '--questions', 'Frage', '--status', 'active'];
  const importing = (town: Municipality, a: number, b: number) =>
    hall.take(town, responses(a, b), { format: 'survey-rows', flags, name: 'responses.csv' });

  /** An import beside which something else happens, after it has read what is published. */
  async function overtaken(town: Municipality, a: number, b: number, meanwhile: () => Promise<unknown>) {
    const file = hall.desk.file(`slow-${town.id}.csv`, responses(a, b));
    const reasons: string[] = [];
    const nothing = () => undefined;
    const signal = new AbortController().signal;
    const readings = surveyRows.read([{ name: file, file, size: undefined }], {
      namespace: namespaceOf(town.id, undefined),
      timeZone: undefined,
      own: { surveyId: 's', title: 'S', questions: ['Frage'], status: 'active' },
      onBytes: nothing,
      signal,
      onUnknownWord: nothing,
      onNote: nothing,
      publishedSurvey: async (id) => {
        const before = await store.surveyResults(town.id, id);
        await meanwhile();
        return before;
      },
    });
    await runImport(readings, store, {
      organizationId: town.id,
      dryRun: false,
      strict: false,
      redaction: undefined,
      onRefusal: ({ reason }) => reasons.push(reason),
      onRecord: nothing,
      onProgress: nothing,
      signal,
    });
    const surveys = await store.listSurveys(town.id);
    return { reasons, totals: surveys.map(({ totalResponses }) => totalResponses) };
  }
  const refused = ['was published or taken away by another import meanwhile: import it again'];

  test('follow on one state: the second is refused, whatever became of the survey, and may come again', async () => {
    const town = await hall.municipality();
    const first = await overtaken(town, 33, 22, () => importing(town, 30, 20));
    assert.deepEqual(first, { reasons: refused, totals: [50] });
    const step = await overtaken(town, 50, 44, () => importing(town, 45, 35));
    assert.deepEqual(step, { reasons: refused, totals: [80] });
    const removal = ndjson([{ kind: 'survey', surveyId: 's', deleted: true }]);
    const removed = await overtaken(town, 90, 90, () => hall.take(town, removal));
    assert.deepEqual(removed, { reasons: refused, totals: [] });
    const alone = await overtaken(town, 90, 90, async () => undefined);
    assert.deepEqual(alone, { reasons: [], totals: [180] });
  });
});
