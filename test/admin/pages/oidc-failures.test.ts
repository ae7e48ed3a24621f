/**
 * Configurations of single sign-on: with a client secret, without passwords, with a provider that is temporarily
 * unavailable, and with invalid settings.
 */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { refused } from '../../support/cli-workspace.ts';
import { hiddenFields, newAccount, newVisitor, password } from '../../support/form-client.ts';
import {
  assertSignedIn,
  assertSignedOut,
  assertTurnedAway,
  departure,
  providerLink,
  signOnTown,
} from '../../support/oidc-fixture.ts';
import { clientSecret, confidentialClient } from '../../support/provider.ts';

const settings = {
  ROSTRA_OIDC_CLIENT_ID: confidentialClient,
  ROSTRA_OIDC_CLIENT_SECRET: clientSecret,
  ROSTRA_ADMIN_PASSWORDS: 'off',
};
// The provider starts later than Rostra, and sends the email address in the ID token.
const town = await signOnTown({ after }, settings, true);
const { server, provider, newPerson, signOn, toReturn } = town;
const account = '/admin/account';
const wanted = `${departure}?return=${encodeURIComponent(account)}`;

suite('a provider', () => {
  test('that starts later admits users as soon as it is available', async () => {
    const person = await newPerson();
    await assertTurnedAway(server, person.rostra, await person.rostra.get(wanted), account);
    await server.line(/single sign-on failed/);
    await provider.start();
    const answer = await signOn(person, wanted);
    assert.equal(answer.location, account);
    await assertSignedIn(person.rostra, person.email);
  });

  test('that was unavailable admits users again when it is back', async () => {
    const person = await newPerson();
    const address = await toReturn(person, wanted, person.sub);
    await provider.stop();
    await assertTurnedAway(server, person.rostra, await person.rostra.get(address), account);
    await provider.start();
    await signOn(person);
    await assertSignedIn(person.rostra, person.email);
  });

  test('with a different issuer in its metadata is not used', async () => {
    // The provider's own issuer has the IP address instead of the host name.
    const ROSTRA_OIDC_ISSUER = provider.issuer.replace('127.0.0.1', 'localhost');
    const other = await town.serve({ ...settings, ROSTRA_PUBLIC_URL: server.address, ROSTRA_OIDC_ISSUER });
    const visitor = newVisitor(other.address);
    await assertTurnedAway(other, visitor, await visitor.get(departure));
    await other.line(/issuer/);
  });

  test('admits nobody with a wrong client secret', async () => {
    const own = { ROSTRA_PUBLIC_URL: server.address, ROSTRA_OIDC_ISSUER: provider.issuer };
    const other = await town.serve({ ...settings, ...own, ROSTRA_OIDC_CLIENT_SECRET: 'wrong' });
    const person = { ...(await newPerson()), rostra: newVisitor(other.address) };
    await assertTurnedAway(other, person.rostra, await signOn(person));
    await other.line(/invalid_client/);
    assert.ok(!other.lines.some((line) => line.includes('"wrong"') || line.includes('code=')));
  });
});

suite('without passwords', async () => {
  const withPasswords = await town.serve();

  /** An administrator who set a password while passwords were allowed, in a browser with a form token. */
  async function withPassword() {
    const person = await newPerson();
    const before = newVisitor(withPasswords.address);
    await before.fill(person.link, { password });
    await before.post('/admin/sign-out', { token: tokenOf((await before.get(account)).body) });
    const page = await before.get('/admin/sign-in');
    for (const [name, value] of before.cookies) person.rostra.cookies.set(name, value);
    return { ...person, token: hiddenFields(page.body).token ?? '' };
  }

  const tokenOf = (body: string) => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';

  test('the sign-in page offers only single sign-on', async () => {
    const page = await newVisitor(server.address).get('/admin/sign-in');
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.body, /<form method="post"|type="password"/);
    assert.equal(providerLink(page), departure);
  });

  test('a password does not sign anybody in', async () => {
    const { rostra, email, token } = await withPassword();
    const answer = await rostra.post('/admin/sign-in', { email, password, token });
    assert.equal(answer.status, 404);
    await assertSignedOut(rostra);
    const elsewhere = newVisitor(withPasswords.address);
    assert.equal((await elsewhere.fill('/admin/sign-in', { email, password })).status, 303);
    await assertSignedIn(elsewhere, email);
  });

  test('a one-time link redirects to the sign-in page, and accepts no password', async () => {
    const { link, email } = await newAccount(town.store, town.a);
    const visitor = newVisitor(server.address);
    assert.equal((await visitor.get(link)).location, '/admin/sign-in');
    const { rostra, token } = await withPassword();
    assert.equal((await rostra.post(link, { email, password, token })).status, 404);
    await assertSignedOut(rostra);
    assert.equal((await town.store.findCredentials(email))?.passwordHash, null);
  });

  test('the account page offers no password and no second factor', async () => {
    const person = await newPerson();
    await signOn(person);
    const { body } = await person.rostra.get(account);
    assert.match(body, /Signed-in browsers/);
    assert.doesNotMatch(body, /Security|[Pp]assword|[Ss]econd factor/);
    for (const page of ['password', 'second-factor'])
      assert.equal((await person.rostra.get(`${account}/${page}`)).status, 404);
  });

  test('a password does not confirm the identity', async () => {
    const person = await withPassword();
    await signOn(person);
    await town.sql(
      'UPDATE login_session SET reauthenticated_at_ms = reauthenticated_at_ms - 360000 WHERE administrator_id = $1',
      [person.administrator.id],
    );
    const form = `/admin/organizations/${town.a}/keys/new`;
    const question = await person.rostra.open(form);
    assert.doesNotMatch(question.body, /type="password"/);
    const token = tokenOf(question.body);
    assert.equal((await person.rostra.post('/admin/confirm', { password, token })).status, 404);
    assert.equal((await person.rostra.get(form)).status, 303);
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
      const { stderr } = await refused(['serve'], 2, sentence, { environment });
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    });
});
