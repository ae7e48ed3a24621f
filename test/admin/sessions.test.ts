/** Login sessions: when they end, and how forms survive their end. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { newTown, servedTown } from '../support/fixture.ts';
import {
  copyOf,
  hiddenFields,
  newVisitor,
  password,
  secretOn,
  signedIn,
  signIn,
  tokenFor,
  typedIn,
  type Visitor,
} from '../support/form-client.ts';

const town = await servedTown({ after });
const { server, store } = town;
const tokenCookie = '__Host-rostra';
const keys = `/admin/organizations/${town.a}/keys`;
const typed = { name: 'Büro „Süd“ & <Nord>', expires: '2099-06-30', limit: '77' };
const hourMs = 3_600_000;

async function assertSignedOut(visitor: Visitor): Promise<void> {
  const { status, location = '' } = await visitor.get('/admin/account');
  assert.equal(status, 303);
  assert.match(location, /^\/admin\/sign-in\?/);
}

async function assertSignedIn(visitor: Visitor): Promise<void> {
  assert.equal((await visitor.get('/admin/account')).status, 200);
}

/** Ages the login sessions of an administrator. */
const later = (
  id: string,
  column: 'last_seen_at_ms' | 'created_at_ms' | 'reauthenticated_at_ms',
  ms: number,
) => town.sql(`UPDATE login_session SET ${column} = ${column} - ${ms} WHERE administrator_id = $1`, [id]);

suite('a cookie', () => {
  test('changes at sign-in, so that a planted cookie is worthless', async () => {
    const { email } = await signedIn(server, store, town.a);
    for (const planted of ['A'.repeat(43), undefined]) {
      const visitor = newVisitor(server.address);
      if (planted !== undefined) visitor.cookies.set(tokenCookie, planted);
      await visitor.get('/admin/sign-in');
      const attacker = copyOf(visitor, server.address);
      assert.equal((await signIn(visitor, email)).status, 303);
      assert.notEqual(visitor.cookies.get(tokenCookie), attacker.cookies.get(tokenCookie));
      await assertSignedIn(visitor);
      await assertSignedOut(attacker);
    }
  });

  test('is invalid after signing out', async () => {
    const visitor = await signedIn(server, store, town.a);
    const copy = copyOf(visitor, server.address);
    await assertSignedIn(copy);
    const answer = await visitor.post('/admin/sign-out', { token: await tokenFor(visitor) });
    assert.equal(answer.location, '/admin/sign-in?signed-out=1');
    await assertSignedOut(copy);
    await assertSignedOut(visitor);
    assert.notEqual(visitor.cookies.get(tokenCookie), copy.cookies.get(tokenCookie));
  });

  test('is invalid in other browsers after signing out everywhere', async () => {
    const visitor = await signedIn(server, store, town.a);
    const other = newVisitor(server.address);
    await signIn(other, visitor.email);
    const bystander = await signedIn(server, store, town.a);
    await assertSignedIn(other);
    await visitor.post('/admin/account/sign-out-everywhere', { token: await tokenFor(visitor) });
    await assertSignedOut(other);
    await assertSignedOut(visitor);
    await assertSignedIn(bystander);
  });

  test('is invalid in other browsers after a change of the password', async () => {
    const visitor = await signedIn(server, store, town.a);
    const other = newVisitor(server.address);
    await signIn(other, visitor.email);
    const answer = await visitor.fill('/admin/account/password', { password: `${password} 2` });
    assert.equal(answer.location, '/admin/account?done=password');
    await assertSignedOut(other);
    await assertSignedIn(visitor);
    assert.equal((await signIn(newVisitor(server.address), visitor.email)).status, 422);
  });

  test('is invalid immediately after the removal of its administrator', async () => {
    const visitor = await signedIn(server, store, town.a);
    const page = await visitor.get(`${keys}/new`);
    await town.run('admin', 'remove', visitor.email);
    const before = (await store.listKeys(town.a)).length;
    const answer = await visitor.post(`${keys}/new`, { ...hiddenFields(page.body), ...typed });
    assert.match(answer.location ?? '', /^\/admin\/sign-in\?/);
    assert.equal((await store.listKeys(town.a)).length, before);
    await assertSignedOut(visitor);
    assert.equal((await signIn(newVisitor(server.address), visitor.email)).status, 422);
  });

  test('is invalid after the removal of the municipality', async () => {
    const { id } = await store.addOrganization('Vergangen', crypto.randomUUID());
    const visitor = await signedIn(server, store, id);
    await assertSignedIn(visitor);
    await town.run('organization', 'remove', id, '--yes');
    await assertSignedOut(visitor);
    assert.equal((await signIn(newVisitor(server.address), visitor.email)).status, 422);
  });
});

suite('a login session ends', () => {
  test('an hour after its last use', async () => {
    const visitor = await signedIn(server, store, town.a);
    await later(visitor.administrator.id, 'last_seen_at_ms', hourMs - 30_000);
    await assertSignedIn(visitor);
    await later(visitor.administrator.id, 'last_seen_at_ms', hourMs);
    await assertSignedOut(visitor);
  });

  test('an hour later if it was used in between', async () => {
    const visitor = await signedIn(server, store, town.a);
    for (let turn = 0; turn < 3; turn += 1) {
      await later(visitor.administrator.id, 'last_seen_at_ms', hourMs - 60_000);
      await assertSignedIn(visitor);
    }
  });

  test('twelve hours after it began, regardless of activity', async () => {
    const visitor = await signedIn(server, store, town.a);
    await later(visitor.administrator.id, 'created_at_ms', 12 * hourMs - 60_000);
    await assertSignedIn(visitor);
    await later(visitor.administrator.id, 'created_at_ms', 60_000);
    await assertSignedOut(visitor);
  });

  test('not while it is used, however short the timeout is', async (t) => {
    const own = await newTown(t);
    const quick = await own.serve({ ROSTRA_ADMIN_IDLE_TIMEOUT: '40' });
    const visitor = await signedIn(quick, own.store, own.a);
    for (let use = 0; use < 5; use += 1) {
      await own.sql('UPDATE login_session SET last_seen_at_ms = last_seen_at_ms - 25000');
      assert.equal((await visitor.get('/admin/account')).status, 200);
    }
  });

  test('after the configured timeout', async (t) => {
    const own = await newTown(t);
    const quick = await own.serve({ ROSTRA_ADMIN_IDLE_TIMEOUT: '40' });
    const visitor = await signedIn(quick, own.store, own.a);
    const form = await visitor.get(`/admin/organizations/${own.a}/keys/new`);
    assert.equal(form.status, 200);
    await own.sql('UPDATE login_session SET last_seen_at_ms = last_seen_at_ms - 40000');
    const answer = await visitor.post(form.path, { ...hiddenFields(form.body), ...typed });
    assert.match(answer.location ?? '', /^\/admin\/sign-in\?.*ended=1/);
  });
});

/** Expects the form with its entered values, and submits it to create one key. */
async function assertContinues(visitor: Visitor, address: string): Promise<void> {
  const before = (await store.listKeys(town.a)).map(({ id }) => id);
  const form = await visitor.open(address);
  assert.equal(form.status, 200);
  for (const [name, value] of Object.entries(typed)) assert.equal(typedIn(form.body, name), value);
  const answer = await visitor.post(form.path.replace(/\?.*/, ''), { ...hiddenFields(form.body), ...typed });
  assert.equal(answer.status, 303);
  const made = (await store.listKeys(town.a)).filter(({ id }) => !before.includes(id));
  assert.equal(made.length, 1);
  assert.equal(made[0]?.name, typed.name);
  assert.equal(made[0]?.expiresAt, '2099-06-30T23:59:59.999Z');
  assert.equal(made[0]?.requestLimit, 77);
  const secret = secretOn((await visitor.open(answer.location ?? '')).body);
  assert.equal((await server.get('/me', { key: secret })).status, 200);
}

suite('a form that is submitted after its login session has ended', () => {
  test('is shown again after signing in with the entered values, and has created nothing before', async () => {
    const visitor = await signedIn(server, store, town.a);
    const form = await visitor.get(`${keys}/new`);
    const before = (await store.listKeys(town.a)).length;
    await later(visitor.administrator.id, 'last_seen_at_ms', hourMs);
    const answer = await visitor.post(`${keys}/new`, { ...hiddenFields(form.body), ...typed });
    assert.equal(answer.status, 303);
    const page = await visitor.open(answer.location ?? '');
    assert.match(page.body, /You have been signed out/);
    assert.equal((await store.listKeys(town.a)).length, before);
    const wrong = await visitor.fill(answer.location ?? '', { email: visitor.email, password: 'wrong' });
    assert.equal(wrong.status, 422);
    const again = { ...hiddenFields(wrong.body), email: visitor.email, password };
    const back = await visitor.post('/admin/sign-in', again);
    await assertContinues(visitor, back.location ?? '');
  });

  test('puts no password, code or token into a URL', async () => {
    const visitor = await signedIn(server, store, town.a);
    const form = await visitor.get('/admin/account/password');
    await later(visitor.administrator.id, 'last_seen_at_ms', hourMs);
    const secrets = { password: 'new password, new luck', code: '123456' };
    const { location = '' } = await visitor.post(form.path, { ...hiddenFields(form.body), ...secrets });
    assert.match(location, /^\/admin\/sign-in\?return=%2Fadmin%2Faccount%2Fpassword/);
    assert.doesNotMatch(decodeURIComponent(location), /luck|123456|token=/);
  });

  test('is not shown to another user without permission', async () => {
    const visitor = await signedIn(server, store, town.a);
    const bert = await signedIn(server, store, town.b);
    const form = await visitor.get(`${keys}/new`);
    await later(visitor.administrator.id, 'last_seen_at_ms', hourMs);
    const { location = '' } = await visitor.post(`${keys}/new`, { ...hiddenFields(form.body), ...typed });
    const back = await visitor.fill(location, { email: bert.email, password });
    assert.equal((await visitor.open(back.location ?? '')).status, 404);
  });
});

suite('a password that was entered more than five minutes ago', () => {
  const stale = (visitor: { administrator: { id: string } }) =>
    later(visitor.administrator.id, 'reauthenticated_at_ms', 300_001);

  test('must be entered again to issue a key, and the form keeps its values', async () => {
    const visitor = await signedIn(server, store, town.a);
    const form = await visitor.get(`${keys}/new`);
    await stale(visitor);
    const before = (await store.listKeys(town.a)).length;
    const asked = await visitor.post(`${keys}/new`, { ...hiddenFields(form.body), ...typed });
    assert.match(asked.location ?? '', /^\/admin\/confirm\?return=/);
    assert.equal((await store.listKeys(town.a)).length, before);
    assert.equal((await visitor.fill(asked.location ?? '', { password: 'wrong' })).status, 422);
    assert.match((await visitor.get(`${keys}/new`)).location ?? '', /^\/admin\/confirm/);
    const back = await visitor.fill(asked.location ?? '', { password });
    await assertContinues(visitor, back.location ?? '');
  });

  test('must be entered again to rotate or revoke a key', async () => {
    const visitor = await signedIn(server, store, town.a);
    const { id, secret } = await town.issue(town.a);
    for (const action of ['rotate', 'revoke']) {
      const token = await tokenFor(visitor);
      await stale(visitor);
      for (const answer of [
        await visitor.get(`${keys}/${id}/${action}`),
        await visitor.post(`${keys}/${id}/${action}`, { token, form: 'x', grace: '0' }),
      ])
        assert.match(answer.location ?? '', /^\/admin\/confirm\?return=/, action);
      assert.equal((await server.get('/me', { key: secret })).status, 200);
      const back = await visitor.fill(`/admin/confirm?return=${keys}/${id}/${action}`, { password });
      assert.equal(back.location, `${keys}/${id}/${action}`);
    }
    assert.equal((await visitor.fill(`${keys}/${id}/revoke`)).status, 303);
  });

  test('must be entered again to change accounts, but not to view them', async () => {
    const olga = await signedIn(server, store);
    const { id } = olga.administrator;
    await stale(olga);
    for (const path of ['password', 'second-factor', 'second-factor/remove']
      .map((name) => `/admin/account/${name}`)
      .concat([
        '/admin/administrators/new',
        `/admin/administrators/${id}/invited`,
        `/admin/administrators/${id}/invite`,
      ]))
      assert.match((await olga.get(path)).location ?? '', /^\/admin\/confirm/, path);
    for (const path of [keys, '/admin/account', '/admin/administrators', '/admin/audit'])
      assert.equal((await olga.get(path)).status, 200, path);
  });
});
