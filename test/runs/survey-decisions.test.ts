/** Surveys are unpublished and corrected without weakening the protection of small counts. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, type Municipality } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const { workspace, store } = harness;

const question = 'More trees?';

const importRows = (town: Municipality, yes: number, no: number, ...flags: string[]) =>
  harness.importContent(
    town,
    toCsv(',', [
      ['Timestamp', question],
      ...Array.from({ length: yes }, () => ['2026-03-01', 'Yes']),
      ...Array.from({ length: no }, () => ['2026-03-01', 'No']),
    ]),
    {
      format: 'survey-rows',
      name: 'trees.csv',
      flags: ['--status', 'active', '--title', 'Trees', ...flags],
    },
  );

async function createTown() {
  const town = await harness.createMunicipality();
  assertCounts(await importRows(town, 30, 20, '--source', 'Trees'), { inserted: 1 });
  const [survey] = await store.listSurveys(town.id);
  assert.ok(survey);
  return { town, id: survey.id, title: survey.title };
}

const compose = (town: Municipality, name: string, ...args: string[]) =>
  workspace.withDatabase('record', name, 'survey', ...args, '--organization', town.id);
const unpublish = (town: Municipality, id: string) =>
  assertSucceeds(compose(town, 'unpublish', id, '--reason', 'Wrong file'));
const correct = (town: Municipality, id: string, ...fields: string[]) =>
  assertSucceeds(compose(town, 'correct', id, ...fields, '--reason', 'Typing error'));
const revert = (town: Municipality, id: string) => assertSucceeds(compose(town, 'revert', id));

const getResults = async (town: Municipality, id: string) =>
  (await harness.get(town, `/surveys/${id}/results`)).json.data;
const readTexts = async (town: Municipality, id: string) => {
  const { title, questions } = await getResults(town, id);
  return [title, questions[0].questionText];
};

suite('an unpublished survey', { concurrency: 2 }, () => {
  test('is in no response, is not changed by imports, and is published again exactly as it was', async () => {
    const { town, id } = await createTown();
    const before = await getResults(town, id);
    await unpublish(town, id);
    assert.equal((await harness.get(town, `/surveys/${id}/results`)).status, 404);
    assert.deepEqual((await harness.get(town, '/surveys')).json.data, []);
    assert.deepEqual(await store.listSurveys(town.id), []);
    for (const flags of [['--dry-run'], []])
      assertCounts(await importRows(town, 45, 36, '--source', 'Trees', ...flags), { ignored: 1 });
    await revert(town, id);
    assert.deepEqual(await getResults(town, id), before);
    assertCounts(await importRows(town, 45, 36, '--source', 'Trees'), { changed: 1 });
  });

  test('is not published as another survey with the same questions', async () => {
    const { town, id } = await createTown();
    await unpublish(town, id);
    const result = await importRows(town, 33, 22, '--source', 'Other');
    assert.equal(result.code, 3);
    assert.match(result.rejections[0]?.reason ?? '', new RegExp(`--continues ${id}`));
  });

  test('is missing after a removal by the source', async () => {
    const { town, id } = await createTown();
    await unpublish(town, id);
    await store.write(town.id, (writer) => writer.put([{ kind: 'retraction', of: 'survey', id }]));
    await revert(town, id);
    assert.deepEqual(await store.listSurveys(town.id), []);
    assertCounts(await importRows(town, 30, 20, '--source', 'Trees'), { inserted: 1 });
  });
});

suite('a corrected survey', { concurrency: 2 }, () => {
  test('has its corrected texts after the next imports, whose counts are protected as before', async () => {
    const { town, id, title } = await createTown();
    const cursor = (await harness.get(town, '/changes?limit=1000')).json.pagination.next_cursor;
    await correct(town, id, 'title=Trees in our town', 'question1=Should we plant more trees?');
    const corrected = ['Trees in our town', 'Should we plant more trees?'];
    assert.deepEqual(await readTexts(town, id), corrected);
    const { json } = await harness.get(town, `/changes?limit=1000&cursor=${cursor}`);
    assert.deepEqual([json.data.length, json.data[0].data.title], [1, corrected[0]]);
    assertCounts(await importRows(town, 30, 20, '--source', 'Trees'), { unchanged: 1 });
    assertCounts(await importRows(town, 33, 20, '--source', 'Trees'), { unchanged: 1 });
    assert.equal((await getResults(town, id)).totalResponses, 50, 'three new responses would be revealed');
    assertCounts(await importRows(town, 45, 35, '--source', 'Trees'), { changed: 1 });
    assert.deepEqual(await readTexts(town, id), corrected);
    const similar = await importRows(town, 46, 36, '--source', 'Other');
    assert.match(similar.rejections[0]?.reason ?? '', new RegExp(`--continues ${id}`));
    await revert(town, id);
    assert.deepEqual(await readTexts(town, id), [title, question]);
    assert.equal((await getResults(town, id)).totalResponses, 80);
    assertCounts(await importRows(town, 45, 35, '--source', 'Trees'), { unchanged: 1 });
  });

  test('is corrected again after it was unpublished in between, and can be corrected twice', async () => {
    const { town, id, title } = await createTown();
    await correct(town, id, 'title=First');
    await correct(town, id, 'question1=More?');
    assert.deepEqual(await readTexts(town, id), ['First', 'More?']);
    await unpublish(town, id);
    await revert(town, id);
    assert.deepEqual(await readTexts(town, id), ['First', 'More?']);
    const { decisions } = await store.listRecordDecisions(town.id);
    const [decision] = decisions;
    assert.deepEqual([decision?.decision, decision?.reason], ['corrected', 'Typing error']);
    await correct(town, id, `title=${title}`, `question1=${question}`);
    assert.deepEqual(await store.listRecordDecisions(town.id), { decisions: [], total: 0 });
  });

  test('has the text of the source again once the source changes the question', async () => {
    const town = await harness.createMunicipality();
    const createSurvey = (questionText: string) => ({
      kind: 'survey',
      surveyId: 'trees',
      title: 'Trees',
      status: 'closed',
      totalResponses: 0,
      questions: [{ questionText, questionType: 'text', options: [] }],
    });
    const load = (questionText: string) =>
      harness.importContent(town, toNdjson([createSurvey(questionText)]), { flags: [] });
    await load('Wy?');
    const [survey] = await store.listSurveys(town.id);
    await correct(town, survey?.id ?? '', 'question1=Why?', 'title=All trees');
    await load('Wy?');
    assert.deepEqual(await readTexts(town, survey?.id ?? ''), ['All trees', 'Why?']);
    await load('What for?');
    assert.deepEqual(await readTexts(town, survey?.id ?? ''), ['All trees', 'What for?']);
  });

  test('has no personal data in its texts, and the reason has none', async () => {
    const { town, id, title } = await createTown();
    const reasoned = ['--reason', 'Typing error'];
    await assertFails(
      compose(town, 'correct', id, 'title=Write to a@b.example', ...reasoned),
      1,
      /personal data/,
    );
    await assertFails(
      compose(town, 'correct', id, 'title= ', ...reasoned),
      1,
      /title must not have fewer than 1/,
    );
    await assertFails(compose(town, 'correct', id, 'option1=Yes', ...reasoned), 2, /title, question1/);
    for (const name of ['correct', 'unpublish'])
      await assertFails(
        compose(town, name, id, ...(name === 'correct' ? ['title=T'] : []), '--reason', 'Ask a@b.example'),
        2,
        /reason contains personal data/,
      );
    assert.deepEqual(await readTexts(town, id), [title, question]);
    const { town: other } = await createTown();
    await assertFails(compose(other, 'correct', id, 'title=T', ...reasoned), 1, /no published survey/);
  });
});
