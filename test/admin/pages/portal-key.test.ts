/** The page that stores the key of a portal: it takes the key, and never shows it. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSignedInClient } from '../../support/form-client.ts';
import { byNight } from '../../support/nightly.ts';

const fixture = await createFixture({ after });
const { store } = fixture;
const key = `geheim-${randomUUID()}`;

test('the key of a portal is stored, replaced and removed in the browser, and no page shows it', {
  skip: byNight('it starts a server'),
}, async () => {
  const server = await fixture.startServer({ ROSTRA_ENCRYPTION_KEY: randomBytes(32).toString('hex') });
  const { id } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  await store.addSource(id, {
    ...emptySourceDefinition,
    name: 'Reports',
    format: 'table',
    url: 'https://data.stadt.example/api/3/action/datastore_search?resource_id=x',
    options: { system: 'ckan' },
  });
  const client = await createSignedInClient(server, store, id);
  const source = `/admin/organizations/${id}/sources/Reports`;
  const shown: string[] = [];
  const open = async (path: string) => {
    const page = await client.get(path);
    shown.push(page.body);
    return page;
  };
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await open(`${source}/key`)).body) ?? [];
  const submit = async (fields: Record<string, string>) => {
    const response = await client.post(`${source}/key`, { token, ...fields });
    shown.push(response.body);
    return response;
  };
  const readOrigin = async () =>
    (await store.findSource({ organizationId: id, name: 'Reports' }))?.portalKeyOrigin;

  assert.equal((await submit({ portalKey: ' ' })).status, 422);
  const invalid = await submit({ portalKey: `${key} x` });
  assert.match(invalid.body, /must have 8 to 4,096 letters/);
  assert.equal(await readOrigin(), null);
  assert.equal((await submit({ portalKey: key })).status, 303);
  assert.equal(await readOrigin(), 'https://data.stadt.example');
  assert.match((await open(source)).body, /stored, for https:\/\/data\.stadt\.example/);
  const page = (await open(`${source}/key`)).body;
  assert.match(page, /A key for https:\/\/data\.stadt\.example is stored\./);
  assert.match(page, /<input[^>]+name="portalKey" type="password" value=""/);

  // The confirmation carries the other fields of a form.
  await fixture.sql('UPDATE login_session SET reauthenticated_at_ms = 0');
  const confirmation = await submit({ portalKey: key, other: 'carried' });
  assert.match(confirmation.body, /name="other" value="carried"/);
  const redirected = await client.get(`${source}/key`);
  assert.match(redirected.location ?? '', /^\/admin\/confirm\?return=/);
  await fixture.sql('UPDATE login_session SET reauthenticated_at_ms = $1', [Date.now()]);

  assert.equal((await submit({ action: 'remove' })).status, 303);
  assert.equal(await readOrigin(), null);
  for (const path of [source, `/admin/organizations/${id}/audit`]) await open(path);
  assert.match(shown.at(-1) ?? '', /Key of a portal stored/);
  assert.doesNotMatch(shown.join('\n'), new RegExp(key));
});
