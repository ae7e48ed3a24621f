/** How often passwords may be tried, and what happens to those who try more often. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newTown, servedTown, type Town } from '../support/town.ts';
import { copyOf, newVisitor, password, signedIn, signIn, tokenFor } from '../support/visitor.ts';

const perAccount = 10;
const perAddress = 30;
const perAccountAnHour = 100;

interface Guess {
  email: string;
  headers?: Record<string, string>;
}

/** Sends wrong passwords, twenty at a time. @returns how many answers there were of each status */
async function guess(address: string, guesses: readonly Guess[]): Promise<Record<number, number>> {
  const visitor = newVisitor(address);
  const token = await tokenFor(visitor);
  const seen: Record<number, number> = {};
  const waiting = guesses.values();
  const work = async () => {
    for (const { email, headers } of waiting) {
      const { status } = await visitor.post(
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

/** Lets the windows of attempts go by, but for those of an hour. */
const later = (town: Town, ms: number) =>
  town.sql(`UPDATE attempt SET window_start_ms = window_start_ms - ${ms} WHERE name NOT LIKE '% long'`);

test('300 guesses at one account: ten are tried, and then the right password is not taken either', async (t) => {
  const town = await servedTown(t);
  const { email } = await signedIn(town.server, town.store, town.a);
  const seen = await guess(town.server.address, times(300, email));
  assert.deepEqual(seen, { 422: perAccount, 429: 300 - perAccount });
  assert.equal((await signIn(newVisitor(town.server.address), email)).status, 429);
  assert.equal((await signIn(newVisitor(town.server.address), email.toUpperCase())).status, 429);

  await later(town, 60_000);
  assert.equal((await signIn(newVisitor(town.server.address), email)).status, 303);
});

test('whoever is signed in goes on while others guess', async (t) => {
  const town = await servedTown(t);
  const visitor = await signedIn(town.server, town.store, town.a);
  await guess(town.server.address, times(40, visitor.email));
  assert.equal((await visitor.get('/admin/account')).status, 200);
});

test('guesses at an account that there is not are stopped in the same way', async (t) => {
  const { server } = await servedTown(t);
  const seen = await guess(server.address, times(40, 'nobody@stadt.example'));
  assert.deepEqual(seen, { 422: perAccount, 429: 40 - perAccount });
});

test('100 guesses at as many accounts from one address: thirty are tried', async (t) => {
  const town = await servedTown(t);
  const { email } = await signedIn(town.server, town.store, town.a);
  const guesses = Array.from({ length: 100 }, (_, index) => ({ email: `somebody-${index}@stadt.example` }));
  assert.deepEqual(await guess(town.server.address, guesses), { 422: perAddress, 429: 100 - perAddress });
  assert.equal((await signIn(newVisitor(town.server.address), email)).status, 429);
  await later(town, 60_000);
  assert.equal((await signIn(newVisitor(town.server.address), email)).status, 303);
});

test('a header that anybody can send makes no other address, unless a proxy is trusted', async (t) => {
  const town = await newTown(t);
  const guesses = Array.from({ length: 60 }, (_, index) => ({
    email: `somebody-${index}@stadt.example`,
    headers: { 'x-forwarded-for': `203.0.113.${index}`, forwarded: `for=203.0.113.${index}` },
  }));
  const direct = await town.serve();
  assert.deepEqual(await guess(direct.address, guesses), { 422: perAddress, 429: 60 - perAddress });
  await later(town, 60_000);

  const behindProxy = await town.serve({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
  assert.deepEqual(await guess(behindProxy.address, guesses), { 422: 60 });
  const atOne = guesses.map(({ headers }) => ({ email: 'one@stadt.example', headers }));
  assert.deepEqual(await guess(behindProxy.address, atOne), { 422: perAccount, 429: 60 - perAccount });
});

test('a network of IPv6 is one address', async (t) => {
  const town = await servedTown(t, { ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
  const guesses = Array.from({ length: 50 }, (_, index) => ({
    email: `somebody-${index}@stadt.example`,
    headers: { 'x-forwarded-for': `2001:db8:1:2:${index.toString(16)}::1` },
  }));
  assert.deepEqual(await guess(town.server.address, guesses), { 422: perAddress, 429: 50 - perAddress });
});

test('processes that share a database count together', async (t) => {
  const town = await newTown(t);
  const [one, other] = [await town.serve(), await town.serve()];
  const seen = await Promise.all(
    [one, other].map(({ address }) => guess(address, times(40, 'one@stadt.example'))),
  );
  assert.equal((seen[0]?.[422] ?? 0) + (seen[1]?.[422] ?? 0), perAccount);
});

test('whoever waits a minute after every ten guesses is stopped after a hundred', async (t) => {
  const town = await servedTown(t);
  const { email } = await signedIn(town.server, town.store, town.a);
  let tried = 0;
  for (let minute = 0; minute < 12; minute += 1) {
    tried += (await guess(town.server.address, times(perAccount, email)))[422] ?? 0;
    await later(town, 60_000);
  }
  assert.equal(tried, perAccountAnHour);
  assert.equal((await signIn(newVisitor(town.server.address), email)).status, 429);
  await town.sql('UPDATE attempt SET window_start_ms = window_start_ms - 3600000');
  assert.equal((await signIn(newVisitor(town.server.address), email)).status, 303);
});

test('entering the password once more has bounds of its own, so that strangers keep nobody from revoking', async (t) => {
  const town = await servedTown(t);
  const visitor = await signedIn(town.server, town.store, town.a);
  await guess(town.server.address, times(perAccount + 5, visitor.email));
  assert.equal((await signIn(newVisitor(town.server.address), visitor.email)).status, 429);
  await town.sql("UPDATE attempt SET window_start_ms = 0 WHERE name LIKE 'address %'");
  const statuses = [];
  for (let turn = 0; turn < perAccount + 2; turn += 1)
    statuses.push((await visitor.fill('/admin/confirm', { password: 'guessed it' })).status);
  assert.deepEqual(statuses, [...Array(perAccount).fill(422), 429, 429]);
  assert.equal((await visitor.fill('/admin/confirm', { password })).status, 429);
  const other = copyOf(visitor, town.server.address);
  await town.sql(
    "UPDATE attempt SET window_start_ms = 0 WHERE name LIKE 'confirm %' OR name LIKE 'address %'",
  );
  assert.equal((await other.fill('/admin/confirm', { password })).status, 303);
});

const town = await servedTown({ after });

test('the page that says so keeps the address that was typed, and forgets the password', async () => {
  const { email } = await signedIn(town.server, town.store, town.a);
  await guess(town.server.address, times(perAccount, email));
  const answer = await signIn(newVisitor(town.server.address), email);
  assert.equal(answer.status, 429);
  assert.match(answer.body, /There were too many attempts\./);
  assert.ok(answer.body.includes(`value="${email}"`));
  assert.ok(!answer.body.includes(password));
});
