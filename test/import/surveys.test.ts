import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { ndjson } from '../support/files.ts';
import { surveyId, surveys } from '../support/records.ts';
import { assertCounts, newHall } from './hall.ts';

const hall = await newHall({ after });
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
