/** Limits of password and code attempts. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { TOTP } from 'otpauth';
import { engine } from '../support/database.ts';
import { pauseHashing } from '../support/fast-argon2.ts';
import { createFixture, createFixtureWithServer, type Fixture } from '../support/fixture.ts';
import {
  copyFormClient,
  createFormClient,
  createSignedInClient,
  type FormClient,
  fetchCsrfToken,
  password,
  signIn,
} from '../support/form-client.ts';
import { byNight } from '../support/nightly.ts';
import type { Server } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

const perAccount = 10;
const perAddress = 30;
/** Limits per network, and over all networks. */
const perNetworkAnHour = 30;
const perAccountAnHour = 100;

interface Guess {
  email: string;
  headers?: Record<string, string>;
}

/** Sends wrong passwords, twenty at a time. @returns the number of responses by status */
async function guess(address: string, guesses: readonly Guess[]): Promise<Record<number, number>> {
  const client = createFormClient(address);
  const token = await fetchCsrfToken(client);
  const seen: Record<number, number> = {};
  const waiting = guesses.values();
  const work = async () => {
    for (const { email, headers } of waiting) {
      const { status } = await client.post(
        '/admin/sign-in',
        { token, email, password: 'guessed it' },
        headers,
      );
      seen[status] = (seen[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
  return seen;
}

const times = (count: number, email: string): Guess[] => Array.from({ length: count }, () => ({ email }));

/** Expires the windows of a minute, but not those of an hour. */
const later = (fixture: Fixture, ms: number) =>
  fixture.sql(`UPDATE attempt SET window_start_ms = window_start_ms - ${ms} WHERE name NOT LIKE '% long'`);

const fixture = await createFixtureWithServer({ after });

test('of 60 guesses at one account ten are checked, and then even the right password is rejected', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const { email } = await createSignedInClient(fixture.server, fixture.store, fixture.a);
  const seen = await guess(fixture.server.address, times(60, email));
  assert.deepEqual(seen, { 422: perAccount, 429: 60 - perAccount });
  assert.equal((await signIn(createFormClient(fixture.server.address), email)).status, 429);
  assert.equal((await signIn(createFormClient(fixture.server.address), email.toUpperCase())).status, 429);

  await later(fixture, 60_000);
  assert.equal((await signIn(createFormClient(fixture.server.address), email)).status, 303);
});

test('a signed-in user is not affected by guesses of others', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const client = await createSignedInClient(fixture.server, fixture.store, fixture.a);
  await guess(fixture.server.address, times(40, client.email));
  assert.equal((await client.get('/admin/account')).status, 200);
});

test('guesses at an unknown account are limited in the same way', async (t) => {
  const { server } = await createFixtureWithServer(t);
  const seen = await guess(server.address, times(40, 'nobody@stadt.example'));
  assert.deepEqual(seen, { 422: perAccount, 429: 40 - perAccount });
});

test('of 50 guesses at different accounts from one address thirty are checked', {
  skip: byNight('it checks many passwords'),
}, async (t) => {
  const fixture = await createFixtureWithServer(t);
  const { email } = await createSignedInClient(fixture.server, fixture.store, fixture.a);
  const guesses = Array.from({ length: 50 }, (_, index) => ({ email: `somebody-${index}@stadt.example` }));
  assert.deepEqual(await guess(fixture.server.address, guesses), { 422: perAddress, 429: 50 - perAddress });
  assert.equal((await signIn(createFormClient(fixture.server.address), email)).status, 429);
  await later(fixture, 60_000);
  assert.equal((await signIn(createFormClient(fixture.server.address), email)).status, 303);
});

test('X-Forwarded-For does not change the counted address, unless a proxy is trusted', {
  skip: byNight('it checks many passwords'),
}, async (t) => {
  const fixture = await createFixture(t);
  const guesses = Array.from({ length: 40 }, (_, index) => ({
    email: `somebody-${index}@stadt.example`,
    headers: { 'x-forwarded-for': `203.0.113.${index}`, forwarded: `for=203.0.113.${index}` },
  }));
  const direct = await fixture.startServer();
  assert.deepEqual(await guess(direct.address, guesses), { 422: perAddress, 429: 40 - perAddress });
  await later(fixture, 60_000);

  const behindProxy = await fixture.startServer({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
  assert.deepEqual(await guess(behindProxy.address, guesses), { 422: 40 });
});

test('the log warns about an untrusted proxy at the start and once for its requests', async (t) => {
  const fixture = await createFixture(t);
  const warnings = ({ lines }: Server) => lines.filter((line) => line.includes('ROSTRA_TRUSTED_PROXIES'));
  const ROSTRA_PUBLIC_URL = 'https://rostra.example';
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };

  const untrusting = await fixture.startServer({ ROSTRA_PUBLIC_URL });
  assert.equal(warnings(untrusting).length, 1);
  assert.match(warnings(untrusting)[0] ?? '', /ROSTRA_PUBLIC_URL begins with https/);
  for (let turn = 0; turn < 5; turn += 1)
    await createFormClient(untrusting.address).get('/admin/sign-in', forwarded);
  await untrusting.stop();
  assert.equal(warnings(untrusting).length, 2);
  assert.match(warnings(untrusting)[1] ?? '', /X-Forwarded-For/);

  const trusting = await fixture.startServer({ ROSTRA_PUBLIC_URL, ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
  await createFormClient(trusting.address).get('/admin/sign-in', forwarded);
  await trusting.stop();
  assert.deepEqual(warnings(trusting), []);
});

test('an IPv6 /64 network counts as one address', async (t) => {
  const fixture = await createFixtureWithServer(t, { ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
  const guesses = Array.from({ length: 50 }, (_, index) => ({
    email: `somebody-${index}@stadt.example`,
    headers: { 'x-forwarded-for': `2001:db8:1:2:${index.toString(16)}::1` },
  }));
  assert.deepEqual(await guess(fixture.server.address, guesses), { 422: perAddress, 429: 50 - perAddress });
  // Another network, whose groups have the same digits.
  const other = [{ email: 'other@stadt.example', headers: { 'x-forwarded-for': '200:1db8:1:2::1' } }];
  assert.deepEqual(await guess(fixture.server.address, other), { 422: 1 });
});

test('processes that share a database share the counters', {
  skip: byNight('it checks many passwords'),
}, async (t) => {
  const fixture = await createFixture(t);
  const [one, other] = [await fixture.startServer(), await fixture.startServer()];
  const seen = await Promise.all(
    [one, other].map(({ address }) => guess(address, times(40, 'one@stadt.example'))),
  );
  assert.equal((seen[0]?.[422] ?? 0) + (seen[1]?.[422] ?? 0), perAccount);
});

test('a stranger who waits a minute after every ten guesses is blocked after thirty', async (t) => {
  const fixture = await createFixtureWithServer(t);
  const { email } = await createSignedInClient(fixture.server, fixture.store, fixture.a);
  let tried = 0;
  for (let minute = 0; minute < 5; minute += 1) {
    tried += (await guess(fixture.server.address, times(perAccount, email)))[422] ?? 0;
    await later(fixture, 60_000);
  }
  assert.equal(tried, perNetworkAnHour);
  assert.equal((await signIn(createFormClient(fixture.server.address), email)).status, 429);
  await fixture.sql('UPDATE attempt SET window_start_ms = window_start_ms - 3600000');
  assert.equal((await signIn(createFormClient(fixture.server.address), email)).status, 303);
});

test('confirming the identity has separate limits, so that strangers cannot prevent a revocation', {
  skip: byNight('it checks many passwords'),
}, async (t) => {
  const fixture = await createFixtureWithServer(t);
  const client = await createSignedInClient(fixture.server, fixture.store, fixture.a);
  await guess(fixture.server.address, times(perAccount + 5, client.email));
  assert.equal((await signIn(createFormClient(fixture.server.address), client.email)).status, 429);
  const statuses = [];
  for (let turn = 0; turn < perAccount + 2; turn += 1)
    statuses.push((await client.submitForm('/admin/confirm', { currentPassword: 'guessed it' })).status);
  assert.deepEqual(statuses, [...Array(perAccount).fill(422), 429, 429]);
  assert.equal((await client.submitForm('/admin/confirm', { currentPassword: password })).status, 429);
  const other = copyFormClient(client, fixture.server.address);
  await fixture.sql("UPDATE attempt SET window_start_ms = 0 WHERE name LIKE 'confirm %'");
  assert.equal((await other.submitForm('/admin/confirm', { currentPassword: password })).status, 303);
});

test('the error page keeps the entered address, but not the password', async () => {
  const { email } = await createSignedInClient(fixture.server, fixture.store, fixture.a);
  await guess(fixture.server.address, times(perAccount, email));
  const response = await signIn(createFormClient(fixture.server.address), email);
  assert.equal(response.status, 429);
  assert.match(response.body, /Too many attempts\./);
  assert.ok(response.body.includes(`value="${email}"`));
  assert.ok(!response.body.includes(password));
});

suite('a browser that has signed in before', () => {
  const deviceCookie = /^__Host-rostra-device-[0-9a-f]{16}$/;

  /** The browser after its sign-in has ended. */
  function signedOut(client: FormClient, address: string): FormClient {
    const copy = copyFormClient(client, address);
    copy.cookies.delete('__Host-rostra');
    return copy;
  }

  const deviceOf = ({ cookies }: FormClient) => [...cookies].find(([name]) => deviceCookie.test(name));

  /** Guesses at an account from this many networks, up to the limit of each. */
  const fromNetworks = (count: number, email: string): Guess[] =>
    Array.from({ length: count * perAccount }, (_, index) => ({
      email,
      headers: { 'x-forwarded-for': `198.51.100.${index % count}` },
    }));

  test('can sign in while strangers at its address use up all attempts', async (t) => {
    const fixture = await createFixtureWithServer(t);
    const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
    const known = signedOut(anna, fixture.server.address);
    await guess(fixture.server.address, times(40, anna.email));
    assert.equal((await signIn(createFormClient(fixture.server.address), anna.email)).status, 429);
    assert.equal((await signIn(known, anna.email)).status, 303);
  });

  test('can sign in while strangers guess from many networks, up to the limit of the account', {
    skip: byNight('it checks many passwords'),
  }, async (t) => {
    const fixture = await createFixtureWithServer(t, { ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
    const { address } = fixture.server;
    const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
    await guess(address, fromNetworks(1, anna.email));
    assert.equal(
      (await signIn(createFormClient(address), anna.email)).status,
      303,
      'a new browser elsewhere',
    );
    // Simulates ninety guesses from other networks: the counter over all networks has no network in its name.
    const ofAll = "name LIKE 'account % long' AND name NOT LIKE 'account % % long'";
    const [counted] = await fixture.sql<{ used: number }>(`SELECT used FROM attempt WHERE ${ofAll}`);
    assert.equal(counted?.used, perAccount + 1);
    await fixture.sql(`UPDATE attempt SET used = ${perAccountAnHour - 5} WHERE ${ofAll}`);
    const seen = await guess(address, fromNetworks(3, anna.email));
    assert.equal(seen[422], 5);
    assert.equal((await signIn(createFormClient(address), anna.email)).status, 429);
    assert.equal((await signIn(signedOut(anna, address), anna.email)).status, 303);
  });

  // The queue knows no engine.
  const once = { skip: engine === 'PostgreSQL' || byNight('it checks many passwords') };
  test('can sign in while strangers keep the hash queue full', once, async (t) => {
    const fixture = await createFixtureWithServer(t, { ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
    const { address } = fixture.server;
    const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
    const known = signedOut(anna, address);
    const token = await fetchCsrfToken(known);
    const stranger = createFormClient(address);
    const strangersToken = await fetchCsrfToken(stranger);
    const resumeHashing = pauseHashing();
    t.after(resumeHashing);
    let busy = 0;
    const flood = Array.from({ length: 120 }, async (_, index) => {
      const fields = {
        token: strangersToken,
        email: `somebody-${index}@stadt.example`,
        password: 'guessed it',
      };
      const headers = { 'x-forwarded-for': `198.51.100.${index}` };
      if ((await stranger.post('/admin/sign-in', fields, headers)).status === 429) busy += 1;
    });
    await waitUntil('strangers who are turned away', () => busy > 0);
    const attempt = known.post('/admin/sign-in', { token, email: anna.email, password });
    // Further requests give the attempt time to reach the queue.
    for (let turn = 0; turn < 5; turn += 1) await createFormClient(address).get('/admin/sign-in');
    resumeHashing();
    assert.equal((await attempt).status, 303);
    await Promise.all(flood);
  });

  test('is blocked by its own wrong passwords only, and after a hundred for an hour', {
    skip: byNight('it checks many passwords'),
  }, async (t) => {
    const fixture = await createFixtureWithServer(t);
    const { address } = fixture.server;
    const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
    const other = createFormClient(address);
    await signIn(other, anna.email);
    const stolen = signedOut(anna, address);
    const statuses = [];
    for (let turn = 0; turn < perAccount + 2; turn += 1)
      statuses.push((await signIn(stolen, anna.email, 'guessed it')).status);
    assert.deepEqual(statuses, [...Array(perAccount).fill(422), 429, 429]);
    assert.equal((await signIn(stolen, anna.email)).status, 429);
    assert.equal((await signIn(signedOut(other, address), anna.email)).status, 303);
    assert.equal((await signIn(createFormClient(address), anna.email)).status, 303);

    await fixture.sql("UPDATE attempt SET used = 99 WHERE name LIKE 'device %' AND name LIKE '% long'");
    await later(fixture, 60_000);
    assert.equal((await signIn(stolen, anna.email, 'guessed it')).status, 422);
    assert.equal((await signIn(stolen, anna.email)).status, 429);
  });

  test('has a cookie that scripts and other sites cannot use and that does not reveal the account', async () => {
    const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
    const [name = '', value = ''] = deviceOf(anna) ?? [];
    assert.match(value, /^[\w-]{22}\.[\w-]{43}$/);
    const response = await signIn(signedOut(anna, fixture.server.address), anna.email);
    const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith(name));
    assert.match(line ?? '', /; Max-Age=\d{8}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    for (const [typed, guessed] of [
      [anna.email, 'guessed it'],
      ['nobody@stadt.example', password],
    ] as const) {
      const stranger = createFormClient(fixture.server.address);
      const rejected = await signIn(stranger, typed, guessed);
      assert.equal(rejected.status, 422);
      assert.equal(deviceOf(stranger), undefined);
    }
  });

  const worthless: Record<string, (anna: FormClient, bob: FormClient) => string | Promise<string>> = {
    'of another account': (_, bob) => deviceOf(bob)?.[1] ?? '',
    'with another signature': (anna) => (deviceOf(anna)?.[1] ?? '').replace(/.{6}$/, 'AAAAAA'),
    'with another nonce': (anna) => (deviceOf(anna)?.[1] ?? '').replace(/^.{6}/, 'AAAAAA'),
    'without a signature': (anna) => (deviceOf(anna)?.[1] ?? '').slice(0, 22),
    'from before the password changed': async (anna) => {
      const value = deviceOf(anna)?.[1] ?? '';
      const changed = await anna.submitForm('/admin/account/password', { password: `${password} 2` });
      assert.equal(changed.status, 303);
      assert.notEqual(deviceOf(anna)?.[1], value);
      return value;
    },
  };
  for (const [which, make] of Object.entries(worthless)) {
    test(`is treated as a new browser with a device cookie ${which}`, async () => {
      const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
      const bob = await createSignedInClient(fixture.server, fixture.store, fixture.a);
      const [name = ''] = deviceOf(anna) ?? [];
      const value = await make(anna, bob);
      assert.notEqual(value, '');
      const client = createFormClient(fixture.server.address);
      client.cookies.set(name, value);
      await fixture.sql('DELETE FROM attempt');
      assert.equal((await signIn(client, anna.email, 'guessed it')).status, 422);
      assert.deepEqual(await fixture.sql("SELECT name FROM attempt WHERE name LIKE 'device %'"), []);
    });
  }

  test('keeps its code attempts while an attacker with the password uses up those of other browsers', {
    skip: byNight('it checks many passwords'),
  }, async (t) => {
    const fixture = await createFixtureWithServer(t);
    const { address } = fixture.server;
    const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
    const path = '/admin/account/second-factor';
    const { body } = await anna.get(path);
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
    const codeAt = (steps: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    assert.equal((await anna.submitForm(path, { code: codeAt(0) })).status, 303);

    await fixture.sql('DELETE FROM attempt');
    const thief = createFormClient(address);
    await signIn(thief, anna.email);
    assert.equal(deviceOf(thief), undefined, 'the password alone makes no known browser');
    const wrong = ['000000', '111111', '222222', '333333'].find(
      (code) => ![-1, 0, 1, 2].map(codeAt).includes(code),
    );
    const statuses = [];
    for (let turn = 0; turn < 11; turn += 1)
      statuses.push((await thief.submitForm('/admin/sign-in/code', { code: wrong as string })).status);
    assert.deepEqual(statuses, [...Array(10).fill(422), 429]);

    const known = signedOut(anna, address);
    assert.match((await signIn(known, anna.email)).location ?? '', /^\/admin\/sign-in\/code/);
    assert.equal((await known.submitForm('/admin/sign-in/code', { code: codeAt(1) })).status, 303);
  });
});
