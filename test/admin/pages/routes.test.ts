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
  type FormClient,
  fetchCsrfToken,
  signIn,
} from '../../support/form-client.ts';

const fixture = await createFixture({ after });

/** Routes that need no login session. Every route added here is public. */
const publicRoutes = [
  '/admin/unsubscribe/:token',
  '/admin/assets/:digest/:name',
  '/admin/logos/:file',
  '/admin/invitation/:secret',
  '/admin/sign-in',
  '/admin/sign-in/forgotten-password',
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
    .replace(':noteId', randomUUID())
    .replace(':accountId', account.account.id)
    .replace(/:(runId|requestId)/, randomUUID())
    .replace(':loginSessionId', randomUUID())
    .replace(/:\w+/, 'x');

const tokens = new Map<FormClient, Promise<string>>();

/** Fetches the token of a browser once. */
function findToken(client: FormClient): Promise<string> {
  const token = tokens.get(client) ?? fetchCsrfToken(client);
  tokens.set(client, token);
  return token;
}

/** Sends a request as a user with a browser would, with the token of the browser. */
async function request(client: FormClient, method: string, path: string) {
  if (method !== 'POST') return client.get(asked(path));
  const fields = {
    token: await findToken(client),
    form: randomUUID(),
    action: 'remove',
  };
  return client.post(asked(path), fields);
}

const strangers = {
  'an administrator of another municipality': await createSignedInClient(server, fixture.store, fixture.b),
  'a reader of another municipality': await createSignedInClient(server, fixture.store, fixture.b, 'reader'),
};
const reader = await createSignedInClient(server, fixture.store, fixture.a, 'reader');

const strict = await fixture.startServer({ ROSTRA_SECOND_FACTOR: 'required' });
const client = createFormClient(strict.address);
await signIn(client, olga.email);
const setUp = '/admin/account/second-factor';
const { body: setUpPage } = await client.get(setUp);

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
  const client = createFormClient(server.address);
  for (const route of table) {
    const path = route.replace(/^.* /, '');
    if (publicRoutes.includes(path)) continue;
    for (const method of route.replace(/ \/.*$/, '').split(', ')) {
      test(`${method} ${path} redirects to the sign-in page, and shows nothing`, async () => {
        const token = await findToken(client);
        const body = { method, ...(method === 'POST' && { body: new URLSearchParams({ token }) }) };
        const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(server.address + asked(path), {
          ...body,
          redirect: 'manual',
          headers: { cookie },
        });
        assert.equal(response.status, 303);
        assert.match(
          response.headers.get('location') ?? '',
          /^\/admin\/sign-in(\?(return|ended)=|(#result)?$)/,
        );
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
    for (const path of ['/admin/assets/x/x', '/admin/x', '/admin/assets/../../package.json', '/admin/key'])
      assert.equal((await client.get(path)).status, 404, path);
  });
});

test('a list does not fail because of the values in its address', async () => {
  const lists = ['accounts', 'keys', 'audit', 'data/submissions', 'data/sessions'].map(
    (path) => `/admin/organizations/${fixture.a}/${path}`,
  );
  const names = ['page', 'words', 'status', 'topic', 'actor', 'key', 'state'];
  for (const path of [...lists, '/admin/audit', '/admin/accounts', '/admin/imports', '/admin/keys'])
    for (const value of ['%00', '100000000000000000000', '__proto__']) {
      const query = names.map((name) => `${name}=${value}`).join('&');
      assert.equal((await olga.get(`${path}?${query}`)).status, 200, `${path}?${query}`);
    }
});

/** What the focus moves to after a form: the heading of a page without another result. */
const findResults = (body: string) =>
  [...body.matchAll(/<(\w+)[^>]* id="result"( tabindex="-1" data-focus)?/g)].map(([, tag, focused]) => ({
    isHeading: tag === 'h1',
    isFocused: focused !== undefined,
  }));

test('every form moves the focus to one result, and a search to its matches', async () => {
  const forms = table.filter((route) => route.includes('POST ')).map((route) => route.replace(/^.* /, ''));
  let client = await createSignedInClient(server, fixture.store);
  let token = await fetchCsrfToken(client);
  for (const path of forms) {
    const response = await client.post(asked(path), { token, form: randomUUID(), words: 'none', run: '1' });
    const shown = response.location === undefined ? response : await client.open(response.location);
    const results = findResults(shown.body);
    assert.equal(results.length, 1, `${path}: ${shown.body}`);
    if (response.location === undefined) assert.ok(results[0]?.isFocused, path);
    if (response.location?.startsWith(`${asked(path)}?words=`)) assert.ok(!results[0]?.isHeading, path);
    if (!path.includes('sign-out')) continue;
    client = await createSignedInClient(server, fixture.store);
    token = await fetchCsrfToken(client);
  }
});

suite('with the login session of another account', () => {
  const own = { ...strangers, 'a reader': reader };

  /** Forms that only search: they redirect, and change nothing. */
  const searches = ['keys', 'audit', 'data/submissions', 'data/sessions', 'data/surveys', 'data/try'].map(
    (path) => `/admin/organizations/:organizationId/${path}`,
  );
  /** Pages of the user's own account, and of signing in. */
  const isPersonal = (path: string) =>
    /^\/admin\/?$|^\/admin\/(account|confirm|sign-in|sign-out)(\/|$)/.test(path) ||
    publicRoutes.includes(path);

  for (const route of table) {
    const path = route.replace(/^.* /, '');
    if (isPersonal(path)) continue;
    const isOfOrganization = path.includes(':organizationId');
    for (const method of route.replace(/ \/.*$/, '').split(', ')) {
      if (method === 'HEAD') continue;
      test(`${method} ${path} returns 404 to accounts that may not see it`, async () => {
        for (const [who, client] of Object.entries(isOfOrganization ? strangers : own)) {
          const { status, body } = await request(client, method, path);
          assert.equal(status, 404, who);
          // The header of every page shows the name of the user's own municipality.
          const isForeign = client !== reader && /Musterstadt|Portal/.test(body);
          assert.ok(!isForeign && !body.includes(account.email), who);
        }
      });

      if (isOfOrganization && method === 'POST')
        test(`${method} ${path} allows a reader to search at most`, async () => {
          const { status, location = '' } = await request(reader, method, path);
          if (status === 403) return;
          assert.ok(searches.includes(path) && status === 303, `${status} ${location}`);
          assert.ok(location.startsWith(`${asked(path)}?`), location);
        });
    }
  }
});

suite('with an account that must set up a second factor', () => {
  const token = /name="token" value="([^"]+)"/.exec(setUpPage)?.[1] ?? '';
  const allowed = [...publicRoutes, setUp, '/admin/confirm', '/admin/sign-out'];

  for (const route of table) {
    const path = route.replace(/^.* /, '');
    if (allowed.includes(path) || path.startsWith('/admin/sign-in')) continue;
    for (const method of route.replace(/ \/.*$/, '').split(', '))
      test(`${method} ${path} leads to the set-up, and shows nothing`, async () => {
        const response =
          method === 'POST' ? await client.post(asked(path), { token }) : await client.get(asked(path));
        assert.equal(response.status, 303);
        assert.equal(response.location?.replace(/\?.*/, ''), setUp);
        assert.equal(response.body, '');
      });
  }
});
