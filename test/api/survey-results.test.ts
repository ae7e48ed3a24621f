import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { SurveyRecord } from '../../src/domain/records/records.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  draftSpellings,
  draftSurveyId,
  formatSubmissionId,
  formatSurveyId,
  missingId,
  surveys,
} from '../support/records.ts';

const { server, store, alice, a, putRecords } = await createFixtureWithServer({ after });

const getResults = (id: string) => server.get(`/surveys/${id}/results`, { key: alice });
const normalizeJson = (text: string) => JSON.stringify(JSON.parse(text));
const whole = surveys[0] as SurveyRecord;

test('a survey includes all questions and options in the order of the questionnaire', async () => {
  const { status, text } = await getResults(formatSurveyId(1));
  assert.equal(status, 200);
  assert.equal(normalizeJson(text), JSON.stringify({ data: whole }));
});

test('a text question is published with an empty list of options', async () => {
  const { json } = await getResults(formatSurveyId(1));
  assert.deepEqual(json.data.questions.at(-1), {
    questionText: 'What else?\n(in your words)',
    questionType: 'text',
    options: [],
  });
});

test('a survey without questions has an empty list of questions', async () => {
  const { json } = await getResults(formatSurveyId(3));
  assert.deepEqual(json.data.questions, []);
});

test('a draft and a missing survey return the same 404, byte for byte', async () => {
  const missing = await getResults(missingId);
  const draft = await getResults(draftSurveyId);
  assert.equal(missing.status, 404);
  assert.equal(draft.status, 404);
  assert.equal(draft.text, missing.text);
});

test('a survey is visible exactly while it is not a draft', async () => {
  const draft = surveys[1] as SurveyRecord;
  for (const [status, expected] of [
    ['active', 200],
    ['draft', 404],
    ['archived', 200],
    ['draft', 404],
  ] as const) {
    await putRecords(a, [{ kind: 'survey', ...draft, status }]);
    assert.equal((await getResults(draftSurveyId)).status, expected, status);
  }
});

test('drafts are not published, whatever the spelling and language of their status', async () => {
  const survey = { kind: 'survey' as const, ...whole, surveyId: formatSurveyId(8) };
  const listed = async () => (await store.listSurveys(a)).find(({ id }) => id === survey.surveyId)?.status;
  for (const status of draftSpellings) {
    await putRecords(a, [{ ...survey, status: 'active' }]);
    assert.equal((await getResults(survey.surveyId)).status, 200, status);
    await putRecords(a, [{ ...survey, status }]);
    assert.equal((await getResults(survey.surveyId)).status, 404, status);
    assert.equal(await listed(), 'draft', status);
  }
  for (const status of ['beendet', 'redrawn', 'final report', 'Konzept geprüft']) {
    await putRecords(a, [{ ...survey, status }]);
    assert.equal((await getResults(survey.surveyId)).status, 200, status);
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
  const record = { ...whole, surveyId: formatSurveyId(9), questions };
  await putRecords(a, [{ kind: 'survey', ...record }]);
  const { text } = await getResults(formatSurveyId(9));
  assert.equal(normalizeJson(text), JSON.stringify({ data: record }));
});

test('survey ids are case-insensitive', async () => {
  const lower = await getResults(formatSurveyId(1));
  const upper = await getResults(formatSurveyId(1).toUpperCase());
  assert.equal(upper.status, 200);
  assert.equal(upper.text, lower.text);
});

test('the id of a submission and a word return 404', async () => {
  for (const id of [formatSubmissionId(1), 'latest', `${formatSurveyId(1)}0`])
    assert.equal((await getResults(id)).status, 404);
});

test('a single survey has no path except its results', async () => {
  for (const path of [
    `/surveys/${formatSurveyId(1)}`,
    `/surveys/${formatSurveyId(1)}/results/x`,
    `/surveys/${formatSurveyId(1)}/responses`,
  ]) {
    const { status } = await server.get(path, { key: alice });
    assert.equal(status, 404, path);
  }
});
