/**
 * Configurations of single sign-on: with a client secret, without passwords, with a provider that is temporarily
 * unavailable, and with invalid settings.
 */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertFails } from '../../support/cli-workspace.ts';
import { startDataServer } from '../../support/data-server.ts';
import { createAccount, createFormClient, parseHiddenFields, password } from '../../support/form-client.ts';
import {
  assertLoginRejected,
  assertSignedIn,
  assertSignedOut,
  createOidcFixture,
  findProviderLink,
  startLoginPath,
} from '../../support/oidc-fixture.ts';
import { clientSecret, confidentialClient } from '../../support/oidc-provider.ts';

const settings = {
  ROSTRA_OIDC_CLIENT_ID: confidentialClient,
  ROSTRA_OIDC_CLIENT_SECRET: clientSecret,
  ROSTRA_ADMIN_PASSWORDS: 'off',
};
// The provider starts later than Rostra, and sends the email address in the ID token.
const fixture = await createOidcFixture({ after }, settings, true);
const { server, provider, createPerson, signIn, authorize } = fixture;
const account = '/admin/account';
const wanted = `${startLoginPath}?return=${encodeURIComponent(account)}`;

const withPasswords = await fixture.startServer();

suite('a provider', () => {
  test('that starts later admits users as soon as it is available', async () => {
    const person = await createPerson();
    await assertLoginRejected(server, person.client, await person.client.get(wanted), account);
    await server.waitForLine(/single sign-on failed/);
    await provider.start();
    const response = await signIn(person, wanted);
    assert.equal(response.location, account);
    await assertSignedIn(person.client, person.email);
  });

  test('that was unavailable admits users again when it is back', async () => {
    const person = await createPerson();
    const address = await authorize(person, wanted, person.sub);
    await provider.stop();
    await assertLoginRejected(server, person.client, await person.client.get(address), account);
    await provider.start();
    await signIn(person);
    await assertSignedIn(person.client, person.email);
  });

  test('with a different issuer in its metadata is not used', async () => {
    // The provider's own issuer has the IP address instead of the host name.
    const ROSTRA_OIDC_ISSUER = provider.issuer.replace('127.0.0.1', 'localhost');
    const other = await fixture.startServer({
      ...settings,
      ROSTRA_PUBLIC_URL: server.address,
      ROSTRA_OIDC_ISSUER,
    });
    const client = createFormClient(other.address);
    await assertLoginRejected(other, client, await client.get(startLoginPath));
    await other.waitForLine(/issuer/);
  });

  test('whose certificate is not trusted is in the log with a remedy', async (t) => {
    const { origin } = await startDataServer(t);
    const own = { ROSTRA_PUBLIC_URL: server.address, ROSTRA_OIDC_ISSUER: origin };
    const other = await fixture.startServer({ ...settings, ...own });
    const client = createFormClient(other.address);
    await assertLoginRejected(other, client, await client.get(startLoginPath));
    await other.waitForLine(/does not respond: self-signed certificate.*\. For .+ set NODE_EXTRA_CA_CERTS/);
  });

  test('admits nobody with a wrong client secret', async () => {
    const own = { ROSTRA_PUBLIC_URL: server.address, ROSTRA_OIDC_ISSUER: provider.issuer };
    const other = await fixture.startServer({ ...settings, ...own, ROSTRA_OIDC_CLIENT_SECRET: 'wrong' });
    const person = { ...(await createPerson()), client: createFormClient(other.address) };
    await assertLoginRejected(other, person.client, await signIn(person));
    await other.waitForLine(/invalid_client/);
    assert.ok(!other.lines.some((line) => line.includes('"wrong"') || line.includes('code=')));
  });
});

suite('without passwords', () => {
  /** An administrator who set a password while passwords were allowed, in a browser with a form token. */
  async function withPassword() {
    const person = await createPerson();
    const before = createFormClient(withPasswords.address);
    await before.submitForm(person.link, { password });
    await before.post('/admin/sign-out', { token: tokenOf((await before.get(account)).body) });
    const page = await before.get('/admin/sign-in');
    for (const [name, value] of before.cookies) person.client.cookies.set(name, value);
    return { ...person, token: parseHiddenFields(page.body).token ?? '' };
  }

  const tokenOf = (body: string) => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';

  test('the sign-in page offers only single sign-on', async () => {
    const page = await createFormClient(server.address).get('/admin/sign-in');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.body, /<form method="post"|type="password"/);
    assert.equal(findProviderLink(page), startLoginPath);
  });

  test('a password does not sign anybody in', async () => {
    const { client, email, token } = await withPassword();
    const response = await client.post('/admin/sign-in', { email, password, token });
    assert.equal(response.status, 404);
    await assertSignedOut(client);
    const elsewhere = createFormClient(withPasswords.address);
    assert.equal((await elsewhere.submitForm('/admin/sign-in', { email, password })).status, 303);
    await assertSignedIn(elsewhere, email);
  });

  test('a one-time link redirects to the sign-in page, and accepts no password', async () => {
    const { link, email } = await createAccount(fixture.store, fixture.a);
    const client = createFormClient(server.address);
    assert.equal((await client.get(link)).location, '/admin/sign-in');
    const { client: other, token } = await withPassword();
    assert.equal((await other.post(link, { email, password, token })).status, 404);
    await assertSignedOut(other);
    assert.equal((await fixture.store.findCredentials(email))?.passwordHash, null);
  });

  test('the account page offers no password and no second factor', async () => {
    const person = await createPerson();
    await signIn(person);
    const { body } = await person.client.get(account);
    assert.match(body, /Signed-in browsers/);
    assert.doesNotMatch(body, /Security|[Pp]assword|[Ss]econd factor/);
    for (const page of ['password', 'second-factor'])
      assert.equal((await person.client.get(`${account}/${page}`)).status, 404);
  });

  test('a password does not confirm the identity', async () => {
    const person = await withPassword();
    await signIn(person);
    await fixture.sql(
      'UPDATE login_session SET reauthenticated_at_ms = reauthenticated_at_ms - 960000 WHERE account_id = $1',
      [person.account.id],
    );
    const form = `/admin/organizations/${fixture.a}/keys/new`;
    const question = await person.client.submitForm(form, { name: 'Portal' });
    assert.doesNotMatch(question.body, /type="password"/);
    const token = tokenOf(question.body);
    const fields = { currentPassword: password, token, name: 'Portal' };
    assert.equal((await person.client.post('/admin/confirm', fields)).status, 404);
    assert.match((await person.client.post(form, fields)).body, /Confirm your identity/);
  });
});

suite('rostra serve exits with code 2', () => {
  const ROSTRA_OIDC_ISSUER = 'https://login.stadt.example';
  const ROSTRA_OIDC_CLIENT_ID = 'rostra';
  const ROSTRA_PUBLIC_URL = 'https://api.stadt.example';
  const problems: Record<string, [environment: Record<string, string>, sentence: RegExp]> = {
    'for an issuer without a client id': [
      { ROSTRA_OIDC_ISSUER, ROSTRA_PUBLIC_URL },
      /^ROSTRA_OIDC_ISSUER requires ROSTRA_OIDC_CLIENT_ID\.$/m,
    ],
    'for an issuer without a public address': [
      { ROSTRA_OIDC_ISSUER, ROSTRA_OIDC_CLIENT_ID },
      /^ROSTRA_OIDC_ISSUER requires ROSTRA_PUBLIC_URL\.$/m,
    ],
    'for a configuration in which nobody could sign in': [
      { ROSTRA_ADMIN_PASSWORDS: 'off' },
      /^ROSTRA_ADMIN_PASSWORDS must not be off without ROSTRA_OIDC_ISSUER/m,
    ],
    'for an issuer on another machine without https': [
      { ROSTRA_OIDC_ISSUER: 'http://login.stadt.example', ROSTRA_OIDC_CLIENT_ID, ROSTRA_PUBLIC_URL },
      /^ROSTRA_OIDC_ISSUER must be a URL such as https:/m,
    ],
  };
  for (const [name, [environment, sentence]] of Object.entries(problems))
    test(name, async () => {
      const { stderr } = await assertFails(['serve'], 2, sentence, { environment });
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    });
});
