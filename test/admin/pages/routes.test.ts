/** Every route of the admin area, from its route table, requires a login session unless it is listed as public. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { listAdminRoutes } from '../../support/admin-routes.ts';
import { createFixture } from '../../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  fetchCsrfToken,
} from '../../support/form-client.ts';

const fixture = await createFixture({ after });

/** Routes that need no login session. Every route added here is public. */
const publicRoutes = [
  '/admin/unsubscribe/:token',
  '/admin/assets/:digest/:name',
  '/admin/logos/:file',
  '/admin/invitation/:secret',
  '/admin/sign-in',
];
const publicWithProvider = ['/admin/sign-in/provider', '/admin/sign-in/provider/return'];

const table = await listAdminRoutes(fixture.store, undefined);
const server = await fixture.startServer();
const olga = await createSignedInClient(server, fixture.store);
const { id: keyId } = await fixture.issueKey(fixture.a, { name: 'Portal' });
const [survey] = await fixture.store.listSurveys(fixture.a);
const account = await createAccount(fixture.store, fixture.a);

const asked = (path: string) =>
  path
    .replace(':organizationId', fixture.a)
    .replace(':keyId', keyId)
    .replace(':surveyId', survey?.id ?? '')
    .replace(/:(submission|session)Id/, randomUUID())
    .replace(':accountId', account.account.id)
    .replace(':runId', randomUUID())
    .replace(':loginSessionId', randomUUID())
    .replace(/:\w+/, 'x');

test('the route table contains pages, forms and public routes', () => {
  const paths = table.map((route) => route.replace(/^.* /, ''));
  assert.ok(paths.length > 20, paths.join('\n'));
  for (const path of [...publicRoutes, '/admin', '/admin/accounts/:accountId/remove'])
    assert.ok(paths.includes(path), path);
  assert.ok(table.some((route) => route === 'POST /admin/sign-out'));
});

test('single sign-on adds exactly two routes', async () => {
  const provider = { issuer: 'http://127.0.0.1:1', clientId: 'rostra', clientSecret: '' };
  const more = new Set(await listAdminRoutes(fixture.store, provider)).difference(new Set(table));
  assert.deepEqual(
    [...more].map((route) => route.replace(/^.* /, '')),
    publicWithProvider,
  );
});

suite('without a login session', () => {
  for (const route of table) {
    const path = route.replace(/^.* /, '');
    if (publicRoutes.includes(path)) continue;
    for (const method of route.replace(/ \/.*$/, '').split(', ')) {
      test(`${method} ${path} redirects to the sign-in page, and shows nothing`, async () => {
        const client = createFormClient(server.address);
        const token = await fetchCsrfToken(client);
        const body = { method, ...(method === 'POST' && { body: new URLSearchParams({ token }) }) };
        const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(server.address + asked(path), {
          ...body,
          redirect: 'manual',
          headers: { cookie },
        });
        assert.equal(response.status, 303);
        assert.match(response.headers.get('location') ?? '', /^\/admin\/sign-in(\?(return|ended)=|$)/);
        assert.equal(await response.text(), '');
      });
    }
  }

  test('no form has changed anything', async () => {
    assert.equal((await fixture.store.findKey(fixture.a, keyId))?.state, 'active');
    assert.ok((await fixture.store.findAccount(account.email)) !== undefined);
    assert.equal((await olga.get('/admin/account')).status, 200);
  });

  test('public routes respond, and unknown paths return 404', async () => {
    const client = createFormClient(server.address);
    assert.equal((await client.get('/admin/sign-in')).status, 200);
    assert.equal((await client.get(account.link)).status, 200);
    assert.equal((await client.get('/admin/invitation/x')).status, 410);
    for (const path of ['/admin/assets/x/x', '/admin/x', '/admin/assets/../../package.json', '/admin/keys'])
      assert.equal((await client.get(path)).status, 404, path);
  });
});
