/** Login sessions: when they end, and how forms survive their end. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { createFixture, createFixtureWithServer } from '../support/fixture.ts';
import {
  copyFormClient,
  createAccount,
  createFormClient,
  createSignedInClient,
  type FormClient,
  fetchCsrfToken,
  getFieldValue,
  type PageResponse,
  parseHiddenFields,
  password,
  signIn,
} from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const tokenCookie = '__Host-rostra';
const keys = `/admin/organizations/${fixture.a}/keys`;
const typed = { name: 'Büro „Süd“ & <Nord>', expires: '2099-06-30', limit: '77' };
const hourMs = 3_600_000;

async function assertSignedOut(client: FormClient): Promise<void> {
  const { status, location = '' } = await client.get('/admin/account');
  assert.equal(status, 303);
  assert.match(location, /^\/admin\/sign-in\?/);
}

async function assertSignedIn(client: FormClient): Promise<void> {
  assert.equal((await client.get('/admin/account')).status, 200);
}

/** Ages the login sessions of an account. */
const later = (
  id: string,
  column: 'last_seen_at_ms' | 'created_at_ms' | 'reauthenticated_at_ms',
  ms: number,
) => fixture.sql(`UPDATE login_session SET ${column} = ${column} - ${ms} WHERE account_id = $1`, [id]);

suite('a cookie', () => {
  test('changes at sign-in, so that a planted cookie is worthless', async () => {
    const { email } = await createSignedInClient(server, store, fixture.a);
    for (const planted of ['A'.repeat(43), undefined]) {
      const client = createFormClient(server.address);
      if (planted !== undefined) client.cookies.set(tokenCookie, planted);
      await client.get('/admin/sign-in');
      const attacker = copyFormClient(client, server.address);
      assert.equal((await signIn(client, email)).status, 303);
      assert.notEqual(client.cookies.get(tokenCookie), attacker.cookies.get(tokenCookie));
      await assertSignedIn(client);
      await assertSignedOut(attacker);
    }
  });

  test('is invalid after signing out', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const copy = copyFormClient(client, server.address);
    await assertSignedIn(copy);
    const response = await client.post('/admin/sign-out', { token: await fetchCsrfToken(client) });
    assert.equal(response.location, '/admin/sign-in?signed-out=1');
    await assertSignedOut(copy);
    await assertSignedOut(client);
    assert.notEqual(client.cookies.get(tokenCookie), copy.cookies.get(tokenCookie));
  });

  test('is invalid in other browsers after signing out everywhere', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const other = createFormClient(server.address);
    await signIn(other, client.email);
    const bystander = await createSignedInClient(server, store, fixture.a);
    await assertSignedIn(other);
    await client.post('/admin/account/sign-out-everywhere', { token: await fetchCsrfToken(client) });
    await assertSignedOut(other);
    await assertSignedOut(client);
    await assertSignedIn(bystander);
  });

  test('is invalid in other browsers after a change of the password', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const other = createFormClient(server.address);
    await signIn(other, client.email);
    const response = await client.submitForm('/admin/account/password', { password: `${password} 2` });
    assert.equal(response.location, '/admin/account?done=password');
    await assertSignedOut(other);
    await assertSignedIn(client);
    assert.equal((await signIn(createFormClient(server.address), client.email)).status, 422);
  });

  test('is invalid immediately after the removal of its account', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const page = await client.get(`${keys}/new`);
    await fixture.runCli('admin', 'remove', client.email);
    const before = (await store.listKeys(fixture.a)).length;
    const response = await client.post(`${keys}/new`, { ...parseHiddenFields(page.body), ...typed });
    assert.match(response.body, /You have been signed out/);
    assert.equal((await store.listKeys(fixture.a)).length, before);
    await assertSignedOut(client);
    assert.equal((await signIn(createFormClient(server.address), client.email)).status, 422);
  });

  test('is invalid after the removal of the municipality', async () => {
    const { id } = await store.addOrganization('Vergangen', crypto.randomUUID());
    const client = await createSignedInClient(server, store, id);
    await assertSignedIn(client);
    await fixture.runCli('organization', 'remove', id, '--yes');
    await assertSignedOut(client);
    assert.equal((await signIn(createFormClient(server.address), client.email)).status, 422);
  });
});

suite('a login session ends', () => {
  test('an hour after its last use', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await later(client.account.id, 'last_seen_at_ms', hourMs - 30_000);
    await assertSignedIn(client);
    await later(client.account.id, 'last_seen_at_ms', hourMs);
    await assertSignedOut(client);
  });

  test('an hour later if it was used in between', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    for (let turn = 0; turn < 3; turn += 1) {
      await later(client.account.id, 'last_seen_at_ms', hourMs - 60_000);
      await assertSignedIn(client);
    }
  });

  test('twelve hours after it began, regardless of activity', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await later(client.account.id, 'created_at_ms', 12 * hourMs - 60_000);
    await assertSignedIn(client);
    await later(client.account.id, 'created_at_ms', 60_000);
    await assertSignedOut(client);
  });

  test('not while it is used, however short the timeout is', async (t) => {
    const own = await createFixture(t);
    const quick = await own.startServer({ ROSTRA_ADMIN_IDLE_TIMEOUT: '40' });
    const client = await createSignedInClient(quick, own.store, own.a);
    for (let use = 0; use < 5; use += 1) {
      await own.sql('UPDATE login_session SET last_seen_at_ms = last_seen_at_ms - 25000');
      assert.equal((await client.get('/admin/account')).status, 200);
    }
  });

  test('after the configured timeout', async (t) => {
    const own = await createFixture(t);
    const quick = await own.startServer({ ROSTRA_ADMIN_IDLE_TIMEOUT: '40' });
    const client = await createSignedInClient(quick, own.store, own.a);
    const form = await client.get(`/admin/organizations/${own.a}/keys/new`);
    assert.equal(form.status, 200);
    await own.sql('UPDATE login_session SET last_seen_at_ms = last_seen_at_ms - 40000');
    const response = await client.post(form.path, { ...parseHiddenFields(form.body), ...typed });
    assert.match(response.body, /You have been signed out/);
  });
});

suite('a password that was entered more than fifteen minutes ago', () => {
  const stale = (visitor: { account: { id: string } }) =>
    later(visitor.account.id, 'reauthenticated_at_ms', 900_001);
  const countKeys = async () => (await store.listKeys(fixture.a)).length;

  /** Sends the form of a page, and then the password on the page that asks for it. */
  async function confirm(client: FormClient, asked: PageResponse, typedPassword = password) {
    assert.match(asked.body, /Confirm your identity/);
    return client.post(asked.path, { ...parseHiddenFields(asked.body), currentPassword: typedPassword });
  }

  test('is asked for when the form is sent, and the action then completes', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await stale(client);
    const form = await client.get(`${keys}/new`);
    assert.equal(form.status, 200);
    const before = await countKeys();
    const asked = await client.post(`${keys}/new`, { ...parseHiddenFields(form.body), ...typed });
    assert.deepEqual([asked.status, asked.location, await countKeys()], [200, undefined, before]);
    assert.match(asked.body, /was more than 15 minutes ago/);
    assert.match(
      asked.body,
      /<input[^>]* name="currentPassword" type="password"[^>]* autocomplete="current-password"/,
    );
    // Password managers find the account by it.
    assert.equal(getFieldValue(asked.body, 'currentEmail'), client.email);
    const wrong = await confirm(client, asked, 'wrong');
    assert.deepEqual([wrong.status, await countKeys()], [422, before]);
    assert.match(wrong.body, /<a[^>]* href="#currentPassword"[^>]*>The password is incorrect\./);
    const { location = '' } = await confirm(client, wrong);
    assert.match(location, /\/issued$/);
    assert.equal(await countKeys(), before + 1);
    assert.equal((await store.listKeys(fixture.a))[0]?.name, typed.name);
    assert.equal((await client.submitForm(`${keys}/new`, { name: 'Next' })).status, 303);
  });

  test('can be cancelled: the form is displayed with its values, and nothing changes', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await stale(client);
    const before = await countKeys();
    const asked = await client.submitForm(`${keys}/new`, typed);
    assert.match(asked.body, /name="reopen" value="1"><span class="kern-label">Cancel/);
    const form = await client.sendForm(asked, { reopen: '1', currentPassword: password });
    assert.ok(!form.body.includes(password));
    assert.equal(getFieldValue(form.body, 'name'), typed.name);
    assert.equal(await countKeys(), before);
  });

  test('does not create two keys if the form is sent twice', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await stale(client);
    const before = await countKeys();
    const asked = await client.submitForm(`${keys}/new`, typed);
    const fields = { ...parseHiddenFields(asked.body), currentPassword: password };
    const responses = await Promise.all([client.post(asked.path, fields), client.post(asked.path, fields)]);
    for (const { status } of responses) assert.equal(status, 303);
    assert.equal(await countKeys(), before + 1);
  });

  test('is needed with the token of the browser', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await stale(client);
    const asked = await client.submitForm(`${keys}/new`, typed);
    const fields = { ...parseHiddenFields(asked.body), currentPassword: password, token: 'x' };
    assert.equal((await client.post(asked.path, fields)).status, 403);
  });

  test('carries values with quotes, tags, line breaks and repeated names unchanged', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await stale(client);
    const { token = '' } = parseHiddenFields((await client.get(`${keys}/new`)).body);
    const sent = [
      ['token', token],
      ['form', randomUUID()],
      ['name', '"><script>&amp;'],
      ['extra', 'one'],
      ['extra', 'two'],
    ];
    const asked = await client.send(`${keys}/new`, new URLSearchParams(sent).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    assert.doesNotMatch(asked.body, /<script>&/);
    const form = /class="page-form"[\s\S]*?<\/form>/.exec(asked.body)?.[0] ?? '';
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    assert.deepEqual(
      hidden.map(([, name]) => name),
      ['token', 'author', ...sent.slice(1).map(([name]) => name)],
    );
    assert.deepEqual(
      hidden.slice(-2).map(([, , value]) => value),
      ['one', 'two'],
    );
    await confirm(client, asked);
    assert.equal((await store.listKeys(fixture.a))[0]?.name, '"><script>&amp;');
  });

  test('is limited in its attempts', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    await stale(client);
    let asked = await client.submitForm(`${keys}/new`, typed);
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      asked = await confirm(client, asked, 'guessed it');
      statuses.push(asked.status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(422), 429]);
    assert.match(asked.body, /Too many attempts/);
    const before = await countKeys();
    assert.equal((await confirm(client, asked)).status, 429);
    assert.equal(await countKeys(), before);
  });

  test('must be entered again to rotate or revoke a key', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const { id, secret } = await fixture.issueKey(fixture.a);
    await stale(client);
    for (const action of ['rotate', 'revoke']) {
      const asked = await client.submitForm(`${keys}/${id}/${action}`, { grace: '0' });
      assert.match(asked.body, /Confirm your identity/, action);
      assert.equal((await server.get('/me', { key: secret })).status, 200);
    }
    await confirm(client, await client.submitForm(`${keys}/${id}/revoke`));
    assert.equal((await server.get('/me', { key: secret })).status, 401);
  });

  test('must be entered again to extend a key, and the values that were entered are then saved', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const expiresAt = new Date(Date.now() + hourMs).toISOString();
    const { id } = await fixture.issueKey(fixture.a, { name: 'Ends soon', expiresAt });
    await stale(client);
    const asked = await client.submitForm(`${keys}/${id}/edit`, {
      name: 'Ends soon',
      expires: '2099-12-31',
    });
    assert.equal((await store.findKey(fixture.a, id))?.expiresAt, expiresAt);
    assert.equal((await confirm(client, asked)).status, 303);
    assert.match((await store.findKey(fixture.a, id))?.expiresAt ?? '', /^2099-12-31/);
  });

  test('must be entered again to change accounts, but not to view them', async () => {
    const olga = await createSignedInClient(server, store);
    const { account } = await createAccount(store, fixture.a);
    await stale(olga);
    for (const path of [
      '/admin/account/password',
      '/admin/account/second-factor',
      '/admin/accounts/new',
    ].concat(`/admin/accounts/${account.id}/invite`, `/admin/accounts/${account.id}/remove`)) {
      assert.equal((await olga.get(path)).status, 200, path);
      const asked = await olga.submitForm(path, { password: 'another password that is long' });
      assert.match(asked.body, /Confirm your identity/, path);
      assert.equal(asked.location, undefined, path);
    }
    assert.ok((await store.findAccount(account.id)) !== undefined);
    for (const path of [keys, '/admin/account', '/admin/accounts', '/admin/audit'])
      assert.equal((await olga.get(path)).status, 200, path);
  });

  test('must be entered again to display a one-time link', async () => {
    const olga = await createSignedInClient(server, store);
    const { account } = await createAccount(store, fixture.a);
    const { location = '' } = await olga.submitForm(`/admin/accounts/${account.id}/invite`);
    assert.match((await olga.get(location)).body, /\/admin\/invitation\//);
    await stale(olga);
    const asked = await olga.get(location);
    assert.match(asked.location ?? '', /^\/admin\/confirm\?return=/);
    const question = await olga.get(asked.location ?? '');
    assert.match(question.body, /was more than 15 minutes ago/);
    assert.doesNotMatch(question.body, /Single sign-on failed/);
    // Cancelling leads to the start page, because a secret cannot be shown.
    assert.match(question.body, /<a class="kern-btn[^"]*" href="\/admin">/);
    const failed = await olga.get(`${asked.location}&failed=1`);
    assert.match(failed.body, /kern-alert--danger[\s\S]*Single sign-on failed/);
    const wrong = await olga.submitForm(asked.location ?? '', { currentPassword: 'wrong' });
    assert.deepEqual([wrong.status, wrong.location], [422, undefined]);
    assert.match(wrong.body, /The password is incorrect\./);
    assert.equal((await olga.get(location)).location, asked.location);
    const back = await olga.submitForm(asked.location ?? '', { currentPassword: password });
    assert.equal(back.location, location);
    // The page of a provider leads to one that says so, but only with `done`.
    assert.match((await olga.get('/admin/confirm')).body, /Confirm your identity/);
    assert.match((await olga.get('/admin/confirm?done=1')).body, /You can close this tab/);
    assert.match((await olga.get(location)).body, /\/admin\/invitation\//);
  });
});
