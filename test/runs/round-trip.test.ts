/** Imports accept responses of the API, so GET requests are enough to copy a municipality. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ImportRecord } from '../../src/domain/records/records.ts';
import { demoMunicipalities } from '../../src/program/demo/generate-demo-municipalities.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

/** Sessions with their submissions, further submissions of other statuses, and all surveys. */
function selectRecords(): ImportRecord[] {
  const records = [...(demoMunicipalities[1]?.records() ?? [])];
  const sessions = records.filter((record) => record.kind === 'session').slice(0, 20);
  const onAgenda = new Set(sessions.flatMap(({ submissions = [] }) => submissions));
  const submissions = records
    .filter((record) => record.kind === 'submission')
    .filter(({ id }, index) => onAgenda.has(id) || index % 10 === 0);
  return [...submissions, ...sessions, ...records.filter((record) => record.kind === 'survey')];
}

test('demo data, read with GET and imported into another municipality, is published there unchanged', async () => {
  const demo = await harness.createMunicipality();
  await harness.store.write(demo.id, (writer) => writer.put(selectRecords()));
  const submissions = await harness.listAll(demo, '/submissions');
  const sessions: { id: string }[] = [];
  for (const { id } of await harness.listAll(demo, '/sessions'))
    sessions.push((await harness.get(demo, `/sessions/${id}`)).json.data);
  const surveys: { surveyId: string }[] = [];
  for (const record of selectRecords()) {
    if (record.kind !== 'survey') continue;
    const { data } = (await harness.get(demo, `/surveys/${record.surveyId}/results`)).json;
    if (data !== undefined) surveys.push(data);
  }
  assert.ok(submissions.length > 150 && sessions.length === 20 && surveys.length > 1);

  const town = await harness.createMunicipality();
  const toRecords = (kind: string, items: object[]) => items.map((item) => ({ kind, ...item }));
  const all = [
    ...toRecords('submission', submissions),
    ...toRecords('session', sessions),
    ...toRecords('survey', surveys),
  ];
  const flags = ['--already-anonymised'];
  const result = await harness.importContent(town, toNdjson(all), { flags });
  assertCounts(result, { inserted: all.length });
  assert.deepEqual(await harness.listAll(town, '/submissions'), submissions);
  for (const session of sessions) {
    assert.deepEqual((await harness.get(town, `/sessions/${session.id}`)).json.data, session);
  }
  for (const survey of surveys) {
    assert.deepEqual((await harness.get(town, `/surveys/${survey.surveyId}/results`)).json.data, survey);
  }
  assertCounts(await harness.importContent(town, toNdjson(all), { flags }), { unchanged: all.length });
});
