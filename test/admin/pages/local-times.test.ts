/** Times on pages include their time zone: UTC by default, which differs from local time in Germany. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, signIn } from '../../support/form-client.ts';

const fixture = await createFixture({ after });
const server = await fixture.startServer();
const anna = await createSignedInClient(server, fixture.store, fixture.a);
const { id: keyId } = await fixture.issueKey(fixture.a);
const { id: runId } = await fixture.store.beginImportRun({
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

test('every page shows the time zone with its times, and a machine-readable time', async () => {
  const pages = [`${base}/keys`, `${base}/keys/${keyId}`, `${base}/audit`, `${base}/published`].concat(
    [`${base}/imports`, importPage],
    '/admin/account',
  );
  for (const path of pages) {
    const times = timesOf((await anna.get(path)).body);
    assert.ok(times.length > 0, path);
    for (const { at, text } of times) {
      assert.match(at ?? '', /^\d{4}-.+Z$/);
      assert.match(text, /, \d{2}:\d{2} UTC$/, path);
    }
  }
  const { body } = await anna.get(importPage);
  assert.equal(titleOf(body), 'Import on 1 Jul 2026, 22:30 UTC');
});

test('times use the configured zone, with its summer name in the page’s language', async () => {
  const inBerlin = await fixture.startServer({ ROSTRA_TIME_ZONE: 'Europe/Berlin' });
  for (const [language, title] of [
    ['de', 'Import vom 02.07.2026, 00:30 MESZ'],
    ['en', 'Import on 2 Jul 2026, 00:30 CEST'],
  ] as const) {
    const client = createFormClient(inBerlin.address, language);
    await signIn(client, anna.email);
    assert.equal(titleOf((await client.get(importPage)).body), title);
  }
});
