/** Pages of a municipality show its local times, other pages the times of `ROSTRA_TIME_ZONE`. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, signIn } from '../../support/form-client.ts';
import { beginRun } from '../../support/recorded-runs.ts';

const fixture = await createFixture({ after });
const server = await fixture.startServer();
const anna = await createSignedInClient(server, fixture.store, fixture.a);
const { id: keyId } = await fixture.issueKey(fixture.a);
const { id: runId } = await beginRun(fixture.store, {
  organizationId: fixture.a,
  format: 'rostra',
  sources: 'x',
});
await fixture.sql("UPDATE import_run SET started_at = '2026-07-01T22:30:00.000Z' WHERE id = $1", [runId]);
const base = `/admin/organizations/${fixture.a}`;
const importPage = `${base}/imports/${runId}`;

const timesOf = (page: string) =>
  [...page.matchAll(/<time datetime="([^"]+)">([^<]+)<\/time>/g)].map(([, at, text = '']) => ({ at, text }));
const titleOf = (page: string) => /<h1[^>]*>([^<]+)</.exec(page)?.[1];

test('every page of a municipality shows its local times with their zone, and a machine-readable time', async () => {
  const pages = [`${base}/keys`, `${base}/keys/${keyId}`, `${base}/audit`, `${base}/published`].concat([
    `${base}/imports`,
    importPage,
  ]);
  for (const path of pages) {
    const times = timesOf((await anna.get(path)).body);
    assert.ok(times.length > 0, path);
    for (const { at, text } of times) {
      assert.match(at ?? '', /^\d{4}-.+Z$/);
      assert.match(text, /, \d{2}:\d{2}(:\d{2})? CES?T$/, path);
    }
  }
});

test('the account page shows times of the only municipality, else of the configured zone, UTC by default', async () => {
  const tokyo = await fixture.startServer({ ROSTRA_TIME_ZONE: 'Asia/Tokyo' });
  const olga = await createSignedInClient(server, fixture.store);
  const inTokyo = createFormClient(tokyo.address);
  await signIn(inTokyo, olga.email);
  for (const [client, zone] of [
    [anna, /, \d{2}:\d{2} CES?T$/],
    [olga, /, \d{2}:\d{2} UTC$/],
    [inTokyo, /, \d{2}:\d{2} GMT\+9$/],
  ] as const) {
    const times = timesOf((await client.get('/admin/account')).body);
    assert.ok(times.length > 0);
    for (const { text } of times) assert.match(text, zone);
  }
});

test('times have the summer name of their zone in the page’s language', async () => {
  for (const [language, title] of [
    ['de', 'Import vom 02.07.2026, 00:30 MESZ'],
    ['en', 'Import on 2 Jul 2026, 00:30 CEST'],
  ] as const) {
    const client = createFormClient(server.address, language);
    await signIn(client, anna.email);
    assert.equal(titleOf((await client.get(importPage)).body), title);
  }
});

test('times and the end of a key follow a new time zone of the municipality', async () => {
  const organizationId = fixture.b;
  await fixture.store.editOrganization(organizationId, { timeZone: 'Asia/Kathmandu' });
  const berta = await createSignedInClient(server, fixture.store, organizationId);
  const fields = { name: 'Kathmandu', expires: '2090-03-01', limit: '' };
  const issued = await berta.submitForm(`/admin/organizations/${organizationId}/keys/new`, fields);
  assert.equal(issued.status, 303);
  const key = (await fixture.store.listKeys(organizationId)).find(({ name }) => name === 'Kathmandu');
  assert.equal(key?.expiresAt, '2090-03-01T18:14:59.999Z');
  const { body: page } = await berta.get(`/admin/organizations/${organizationId}/keys/${key?.id}`);
  assert.match(page, />1 Mar 2090, 23:59 GMT\+5:45</);
});

test('a zone that this version of Node.js does not know is replaced by the configured zone', async () => {
  await fixture.sql("UPDATE organization SET time_zone = 'Europe/Atlantis' WHERE id = $1", [fixture.a]);
  assert.equal(titleOf((await anna.get(importPage)).body), 'Import on 1 Jul 2026, 22:30 UTC');
  await fixture.sql("UPDATE organization SET time_zone = 'Europe/Berlin' WHERE id = $1", [fixture.a]);
});
