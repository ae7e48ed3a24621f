import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SurveyRecord } from '../../src/domain/records.ts';
import { servedTown } from '../support/fixture.ts';
import {
  draftSpellings,
  draftSurveyId,
  missingId,
  submissionId,
  surveyId,
  surveys,
} from '../support/records.ts';

const { server, store, alice, a, put } = await servedTown({ after });

const results = (id: string) => server.get(`/surveys/${id}/results`, { key: alice });
const normal = (text: string) => JSON.stringify(JSON.parse(text));
const whole = surveys[0] as SurveyRecord;

test('a survey is given with every question and option in the order of the questionnaire', async () => {
  const { status, text } = await results(surveyId(1));
  assert.equal(status, 200);
  assert.equal(normal(text), JSON.stringify({ data: whole }));
});

test('a text question is published with an empty list of options', async () => {
  const { json } = await results(surveyId(1));
  assert.deepEqual(json.data.questions.at(-1), {
    questionText: 'What else?\n(in your words)',
    questionType: 'text',
    options: [],
  });
});

test('a survey without questions has an empty list of them', async () => {
  const { json } = await results(surveyId(3));
  assert.deepEqual(json.data.questions, []);
});

test('a survey in draft and a missing one are the same 404, byte for byte', async () => {
  const missing = await results(missingId);
  const draft = await results(draftSurveyId);
  assert.equal(missing.status, 404);
  assert.equal(draft.status, 404);
  assert.equal(draft.text, missing.text);
});

test('a survey is visible as soon as it leaves draft, and gone when it goes back', async () => {
  const draft = surveys[1] as SurveyRecord;
  for (const [status, expected] of [
    ['active', 200],
    ['draft', 404],
    ['archived', 200],
    ['draft', 404],
  ] as const) {
    await put(a, [{ kind: 'survey', ...draft, status }]);
    assert.equal((await results(draftSurveyId)).status, expected, status);
  }
});

test('a survey that a program wrote as a draft is not served, whatever the spelling and language of its status', async () => {
  const survey = { kind: 'survey' as const, ...whole, surveyId: surveyId(8) };
  const listed = async () => (await store.listSurveys(a)).find(({ id }) => id === survey.surveyId)?.status;
  for (const status of draftSpellings) {
    await put(a, [{ ...survey, status: 'active' }]);
    assert.equal((await results(survey.surveyId)).status, 200, status);
    await put(a, [{ ...survey, status }]);
    assert.equal((await results(survey.surveyId)).status, 404, status);
    assert.equal(await listed(), 'draft', status);
  }
  for (const status of ['beendet', 'redrawn', 'final report', 'Konzept geprüft']) {
    await put(a, [{ ...survey, status }]);
    assert.equal((await results(survey.surveyId)).status, 200, status);
    assert.equal(await listed(), status);
  }
});

test('more than ten questions and options keep their order', async () => {
  const questions = Array.from({ length: 12 }, (_, question) => ({
    questionText: `Question ${question}`,
    questionType: 'scale',
    options: Array.from({ length: 12 }, (_, option) => ({
      optionText: `${option}`,
      responseCount: 10 * option * question,
    })),
  }));
  const record = { ...whole, surveyId: surveyId(9), questions };
  await put(a, [{ kind: 'survey', ...record }]);
  const { text } = await results(surveyId(9));
  assert.equal(normal(text), JSON.stringify({ data: record }));
});

test('an id in upper case finds the same survey', async () => {
  const lower = await results(surveyId(1));
  const upper = await results(surveyId(1).toUpperCase());
  assert.equal(upper.status, 200);
  assert.equal(upper.text, lower.text);
});

test('the id of a submission, and a word, are no survey', async () => {
  for (const id of [submissionId(1), 'latest', `${surveyId(1)}0`])
    assert.equal((await results(id)).status, 404);
});

test('a survey has no address but its results', async () => {
  for (const path of [
    `/surveys/${surveyId(1)}`,
    '/surveys',
    `/surveys/${surveyId(1)}/results/x`,
    `/surveys/${surveyId(1)}/responses`,
  ]) {
    const { status } = await server.get(path, { key: alice });
    assert.equal(status, 404, path);
  }
});
