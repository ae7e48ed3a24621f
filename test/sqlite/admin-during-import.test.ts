import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../support/fixture.ts';
import { createSignedInClient, getFieldValue, parseHiddenFields } from '../support/form-client.ts';
import { startServer } from '../support/server.ts';

const fixture = await createFixture({ after });
const { store, database, a } = fixture;
const lockTimeoutMs = 500;
const server = await startServer({ after }, database, {}, false, lockTimeoutMs);

test('during an import pages are readable; a form gets an error and keeps its input', async (t) => {
  const client = await createSignedInClient(server, store, a);
  const keysPath = `/admin/organizations/${a}/keys`;
  const over = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const importing = store.write(a, async () => {
    begun.resolve();
    await over.promise;
  });
  t.after(() => over.resolve());
  await begun.promise;
  assert.match((await client.open(keysPath)).body, /<h1[^>]*>Integrations \/ API keys</);
  const { body: empty } = await client.open(`${keysPath}/new`);
  const fields = { ...parseHiddenFields(empty), name: 'During an import' };
  const refused = await client.post(`${keysPath}/new`, fields, { 'sec-fetch-site': 'same-origin' });
  assert.equal(refused.status, 503);
  assert.match(refused.body, /The database is busy or unavailable/);
  over.resolve();
  await importing;

  assert.match(refused.body, /Back to the form with your entries/);
  const form = await client.sendForm(refused);
  const name = getFieldValue(form.body, 'name');
  assert.equal(name, 'During an import');
  await client.sendForm(form, { name });
  const issued = (await store.listKeys(a)).filter((key) => key.name === name);
  assert.equal(issued.length, 1);
});
