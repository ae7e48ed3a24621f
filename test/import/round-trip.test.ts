/** Imports accept responses of the API, so GET requests are enough to copy a municipality. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { demoMunicipalities } from '../../src/demo/demo-municipalities.ts';
import { sendApiRequest } from '../support/api-client.ts';
import { startCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

test('the demo data, read with GET and imported into another municipality, is published there unchanged', async (t) => {
  const demo = startCli(['demo', '--port', '0', '--database', `${harness.workspace.folder}/demo.db`]);
  t.after(() => void demo.child.kill('SIGKILL'));
  const [text] = await demo.waitForOutput(/Rostra serves two[\s\S]+Press Ctrl-C to stop/);
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  const [, key] = [...text.matchAll(/sk_rostra_\w{36}/g)].map(([secret]) => secret);
  const { id: organization } = demoMunicipalities[1] as { id: string };
  const get = async (path: string) => (await sendApiRequest(port, path, { key: key as string })).json;
  assert.equal((await get('/me')).organization_id, organization);

  const listAll = async (list: string) => {
    const items = [];
    for (let query = '?limit=100'; ; ) {
      const { data, pagination } = await get(`${list}${query}`);
      items.push(...data);
      if (!pagination.has_more) return items;
      query = `?limit=100&cursor=${pagination.next_cursor}`;
    }
  };
  const submissions = await listAll('/submissions');
  const sessions = [];
  for (const { id } of await listAll('/sessions')) sessions.push((await get(`/sessions/${id}`)).data);
  const surveys = [];
  for (const record of demoMunicipalities[1]?.records() ?? []) {
    if (record.kind !== 'survey') continue;
    const { data } = await get(`/surveys/${record.surveyId}/results`);
    if (data !== undefined) surveys.push(data);
  }
  demo.child.kill('SIGTERM');
  assert.equal((await demo.result).code, 0);
  assert.ok(submissions.length === 1_500 && sessions.length > 100 && surveys.length > 1);

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
