/** Forged forms from other sites and bodies that are not forms are rejected. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { assertKeysUnchanged, createFixtureWithServer } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, fetchCsrfToken } from '../../support/form-client.ts';
import { runsEveryTest } from '../../support/nightly.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const anna = await createSignedInClient(server, store, fixture.a);
const bert = await createSignedInClient(server, store, fixture.b);

const base = `/admin/organizations/${fixture.a}/keys`;
const issueForm = `${base}/new`;
const standing = await fixture.issueKey(fixture.a, { name: 'Standing' });

const unchanged = <Result>(work: () => Promise<Result>) => assertKeysUnchanged(fixture, work);

suite('a forged form', () => {
  const actions = {
    'to issue a key': issueForm,
    'to rotate a key': `${base}/${standing.id}/rotate`,
    'to revoke a key': `${base}/${standing.id}/revoke`,
    'to sign out': '/admin/sign-out',
    'to sign out everywhere': '/admin/account/sign-out-everywhere',
    'to set another password': '/admin/account/password',
  };
  const tokens: Record<string, () => Promise<string[]>> = {
    'no token': async () => [],
    'an empty token': async () => [''],
    'a made-up token': async () => [randomBytes(32).toString('base64url')],
    'the cookie itself': async () => [anna.cookies.get('__Host-rostra') ?? ''],
    'the token of another account': async () => [await fetchCsrfToken(bert)],
    'the token of a browser without a login session': async () => [
      await fetchCsrfToken(createFormClient(server.address)),
    ],
    'a wrong token before the right one': async () => ['wrong', await fetchCsrfToken(anna)],
    'a token with a trailing character': async () => [`${await fetchCsrfToken(anna)}\0`],
  };
  for (const [what, path] of Object.entries(actions)) {
    // One function checks all forms, so by day the forms after the first one show that they call it.
    const isShort = !runsEveryTest && path !== issueForm;
    for (const [which, tokensOf] of Object.entries(tokens)) {
      if (isShort && which !== 'the token of another account') continue;
      test(`${what}, with ${which}, is rejected`, async () => {
        const fields = new URLSearchParams({
          form: randomUUID(),
          name: 'Forged',
          password: 'forged by others',
        });
        for (const token of await tokensOf()) fields.append('token', token);
        const response = await unchanged(() =>
          anna.send(path, `${fields}`, { 'content-type': 'application/x-www-form-urlencoded' }),
        );
        assert.equal(response.status, 403);
        assert.match(response.body, /Nothing was changed/);
        assert.equal((await anna.get('/admin/account')).status, 200);
      });
    }

    for (const site of isShort ? ['cross-site'] : ['cross-site', 'same-site', 'none']) {
      test(`${what}, with the right token but Sec-Fetch-Site: ${site}, is rejected`, async () => {
        const fields = {
          token: await fetchCsrfToken(anna),
          form: randomUUID(),
          name: 'x',
          password: 'forged by others',
        };
        const response = await unchanged(() => anna.post(path, fields, { 'sec-fetch-site': site }));
        assert.equal(response.status, 403);
        assert.equal((await anna.get('/admin/account')).status, 200);
      });
    }
  }

  test('becomes valid with the right token and Sec-Fetch-Site: same-origin', async () => {
    const fields = { token: await fetchCsrfToken(anna), form: randomUUID(), name: 'Ours' };
    const response = await anna.post(issueForm, fields, { 'sec-fetch-site': 'same-origin' });
    assert.equal(response.status, 303);
  });

  test('does not sign in the victim', async () => {
    const client = createFormClient(server.address);
    const fields = {
      email: anna.email,
      password: 'correct horse battery staple',
      token: await fetchCsrfToken(anna),
    };
    assert.equal((await client.post('/admin/sign-in', fields)).status, 403);
    assert.match((await client.get('/admin/account')).location ?? '', /^\/admin\/sign-in/);
  });
});

suite('a body that is not a form', () => {
  const bodies: Record<string, (fields: Record<string, string>) => [string | FormData, string | undefined]> =
    {
      JSON: (fields) => [JSON.stringify(fields), 'application/json'],
      text: (fields) => [`${new URLSearchParams(fields)}`, 'text/plain'],
      multipart: (fields) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        return [form, undefined];
      },
      XML: () => ['<name>x</name>', 'application/xml'],
      'something that has no name': () => ['name=x', 'x'],
    };
  for (const [kind, make] of Object.entries(bodies)) {
    test(`${kind} is rejected with an error page`, async () => {
      const fields = { token: await fetchCsrfToken(anna), form: randomUUID(), name: 'No form' };
      const [body, type] = make(fields);
      const response = await unchanged(() =>
        anna.send(issueForm, body, type ? { 'content-type': type } : {}),
      );
      assert.equal(response.status, 400);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(response.body, /Invalid request/);
    });
  }
});
