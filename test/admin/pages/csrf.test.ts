/** Forged forms from other sites and bodies that are not forms are rejected. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { keepingKeys, servedTown } from '../../support/fixture.ts';
import { newVisitor, signedIn, tokenFor } from '../../support/form-client.ts';

const town = await servedTown({ after });
const { server, store } = town;
const anna = await signedIn(server, store, town.a);
const bert = await signedIn(server, store, town.b);

const base = `/admin/organizations/${town.a}/keys`;
const issueForm = `${base}/new`;
const standing = await town.issue(town.a, { name: 'Standing' });

const unchanged = <Result>(work: () => Promise<Result>) => keepingKeys(town, work);

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
    'the token of another administrator': async () => [await tokenFor(bert)],
    'the token of a browser without a login session': async () => [
      await tokenFor(newVisitor(server.address)),
    ],
    'a wrong token before the right one': async () => ['wrong', await tokenFor(anna)],
    'a token with a trailing character': async () => [`${await tokenFor(anna)}\0`],
  };
  for (const [what, path] of Object.entries(actions)) {
    for (const [which, tokensOf] of Object.entries(tokens)) {
      test(`${what}, with ${which}, is rejected`, async () => {
        const fields = new URLSearchParams({
          form: randomUUID(),
          name: 'Forged',
          password: 'forged by others',
        });
        for (const token of await tokensOf()) fields.append('token', token);
        const answer = await unchanged(() =>
          anna.send(path, `${fields}`, { 'content-type': 'application/x-www-form-urlencoded' }),
        );
        assert.equal(answer.status, 403);
        assert.match(answer.body, /Nothing was changed/);
        assert.equal((await anna.get('/admin/account')).status, 200);
      });
    }

    for (const site of ['cross-site', 'same-site', 'none']) {
      test(`${what}, with the right token but Sec-Fetch-Site: ${site}, is rejected`, async () => {
        const fields = {
          token: await tokenFor(anna),
          form: randomUUID(),
          name: 'x',
          password: 'forged by others',
        };
        const answer = await unchanged(() => anna.post(path, fields, { 'sec-fetch-site': site }));
        assert.equal(answer.status, 403);
        assert.equal((await anna.get('/admin/account')).status, 200);
      });
    }
  }

  test('becomes valid with the right token and Sec-Fetch-Site: same-origin', async () => {
    const fields = { token: await tokenFor(anna), form: randomUUID(), name: 'Ours' };
    const answer = await anna.post(issueForm, fields, { 'sec-fetch-site': 'same-origin' });
    assert.equal(answer.status, 303);
  });

  test('does not sign in the victim', async () => {
    const visitor = newVisitor(server.address);
    const fields = {
      email: anna.email,
      password: 'correct horse battery staple',
      token: await tokenFor(anna),
    };
    assert.equal((await visitor.post('/admin/sign-in', fields)).status, 403);
    assert.match((await visitor.get('/admin/account')).location ?? '', /^\/admin\/sign-in/);
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
      const fields = { token: await tokenFor(anna), form: randomUUID(), name: 'No form' };
      const [body, type] = make(fields);
      const answer = await unchanged(() => anna.send(issueForm, body, type ? { 'content-type': type } : {}));
      assert.equal(answer.status, 400);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(answer.body, /Invalid request/);
    });
  }
});
