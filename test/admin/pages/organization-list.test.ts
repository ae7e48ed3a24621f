/** The overview of all municipalities, and the search for one from every page. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { createFixture, issueKey } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, fetchCsrfToken } from '../../support/form-client.ts';
import { beginRun } from '../../support/recorded-runs.ts';
import { createSubmission } from '../../support/records.ts';

const fixture = await createFixture({ after });
const { store, a } = fixture;
const server = await fixture.startServer();
const operator = await createSignedInClient(server, store);
const administrator = await createSignedInClient(server, store, a);
const path = '/admin/organizations';

const add = async (name: string) => (await store.addOrganization(name, randomUUID())).id;
const muenchen = await add('München');
const failed = await add('Zzz mit Fehler');
const expiring = await add('Yyy mit Ablauf');
for (let index = 0; index < 60; index += 1) await add(`Gemeinde Ödland ${index}`);
const run = await beginRun(store, { organizationId: failed, format: 'table', sources: 'a.csv' });
await store.endRun(run, 'failed', { code: 'no-records' });
const expiresAt = new Date(Date.now() + 3.2 * 86_400_000).toISOString();
await issueKey(store, expiring, { expiresAt });

const namesIn = (body: string) =>
  [...body.matchAll(/<th class="[^"]*" scope="row"[^>]*><a [^>]*><bdi>([^<]*)/g)].map(([, name]) => name);

/** Submits the search form of the header. */
const search = async (words: string) => operator.post(path, { words, token: await fetchCsrfToken(operator) });

suite('the overview', () => {
  test('shows the municipalities first that need attention, with the reason', async () => {
    const { body } = await operator.get(path);
    assert.deepEqual(namesIn(body).slice(0, 3), ['Zzz mit Fehler', 'Yyy mit Ablauf', 'Beispielburg']);
    assert.match(body, /import failed/);
    assert.match(body, /expiring keys: 1, next in 3 days/);
    assert.match(body, />65 municipalities</);
    assert.match(body, new RegExp(`href="${path}/${failed}/imports/${run.id}"`));
  });

  test('shows failing and overdue sources, as the home page of the municipality does', async () => {
    const town = await add('Xxx mit Quellen');
    const source = { ...emptySourceDefinition, format: 'rostra', url: 'https://daten.example/' };
    for (const name of ['Gestört', 'Veraltet'])
      await store.addSource(town, { ...source, name, intervalMs: 86_400_000 });
    const at = new Date(Date.now() - 60_000).toISOString();
    const change = (column: string, name: string) =>
      fixture.sql(`UPDATE import_source SET ${column} = $1 WHERE name = $2`, [at, name]);
    const readIssues = async () => {
      const { body } = await operator.get(`${path}?words=Xxx`);
      return /import of a source failed|source overdue|no problems/.exec(body)?.[0];
    };
    assert.equal(await readIssues(), 'no problems');
    await change('stale_at', 'Veraltet');
    assert.equal(await readIssues(), 'source overdue');
    await change('failing_since', 'Gestört');
    assert.equal(await readIssues(), 'import of a source failed');
    const home = (await operator.get(`${path}/${town}`)).body;
    assert.match(home, /the source “Gestört” are failing/);
    await store.removeOrganization(town);
  });

  test('shows all that the home page of the municipality warns about', async () => {
    const town = await add('Www mit Hinweisen');
    const readBadges = async () => {
      const { body } = await operator.get(`${path}?words=Www`);
      return [...body.matchAll(/kern-label--small">([^<]+)</g)].map(([, text]) => text);
    };
    assert.deepEqual(await readBadges(), ['no problems']);
    await store.write(town, (writer) => writer.put([{ kind: 'submission', ...createSubmission(1) }]));
    const { id: inactive } = await issueKey(store, town);
    const { id: limited } = await issueKey(store, town, { name: 'Portal' });
    await store.revokeKey({ organizationId: town, id: inactive });
    const use = (key: string, status: number, daysAgo: number) =>
      fixture.sql(
        'INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests) VALUES ($1, $2, $3, $4, $5, 9)',
        [town, key, new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10), 'getMe', status],
      );
    await use(inactive, 401, 1);
    await use(limited, 429, 1);
    await use(limited, 429, 2);
    await fixture.sql('UPDATE api_key SET created_at = $1 WHERE organization_id = $2', [
      '2020-01-01T00:00:00.000Z',
      town,
    ]);
    const hints = [
      ['unused keys', /A key has not been used for 90 days/],
      ['no contact', /without a contact/],
      ['no licence', /without a licence/],
      ['request limit exceeded', /The key “Portal” used up its request limit/],
      ['inactive key in use', /still uses the key/],
    ] as const;
    assert.deepEqual(
      await readBadges(),
      hints.map(([badge]) => badge),
    );
    const home = (await operator.get(`${path}/${town}`)).body;
    for (const [, warning] of hints) assert.match(home, warning);
    await store.removeOrganization(town);
  });

  test('is a page of 50 rows, and filtered regardless of case and accents', async () => {
    assert.equal(namesIn((await operator.get(path)).body).length, 50);
    assert.equal(namesIn((await operator.get(`${path}?page=2`)).body).length, 15);
    assert.equal(namesIn((await operator.get(`${path}?words=odland%204`)).body).length, 11);
    assert.match((await operator.get(`${path}?words=nirgends`)).body, /Show all municipalities/);
  });

  test('is for operators only', async () => {
    assert.equal((await administrator.get(path)).status, 404);
    assert.equal((await administrator.get(`${path}.json?words=m`)).status, 404);
    assert.doesNotMatch((await administrator.get('/admin/account')).body, /organization-search/);
  });
});

suite('the search without scripts', () => {
  test('opens the only match, and the only exact one among several', async () => {
    assert.equal((await search('munchen')).location, `${path}/${muenchen}`);
    const { location = '' } = await search(' gemeinde ödland 4 ');
    assert.ok(location.startsWith(`${path}/`), location);
  });

  test('lists several matches, and none', async () => {
    for (const words of ['Gemeinde', 'nirgends', '']) {
      const { location = '' } = await search(words);
      assert.equal(location, `${path}?words=${words}`);
      assert.equal((await operator.get(location)).status, 200);
    }
  });

  test('is a form in the header of every page', async () => {
    for (const page of ['/admin/account', `${path}/${a}/keys`, '/admin/audit'])
      assert.match((await operator.get(page)).body, /<form class="organization-search" method="post"/, page);
  });
});

test('the suggestions are at most 20, the best matches first, and need a login session', async () => {
  const suggest = async (words: string) =>
    JSON.parse((await operator.get(`${path}.json?words=${words}`)).body) as { name: string; path: string }[];
  assert.deepEqual(await suggest('MÜNCHEN'), [{ name: 'München', path: `${path}/${muenchen}` }]);
  assert.equal((await suggest('')).length, 20);
  assert.equal((await suggest('odland 7'))[0]?.name, 'Gemeinde Ödland 7');
  assert.deepEqual(await suggest('x'.repeat(300)), []);
  const stranger = await createFormClient(server.address).get(`${path}.json?words=m`);
  assert.equal(stranger.status, 303);
});
