/** The admin area after a change of the machine's clock. On PostgreSQL, the database's clock counts, which tests cannot set. */
import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { TOTP } from 'otpauth';
import { setClockOffset } from '../support/clock-offset.ts';
import { newTown, type Town } from '../support/fixture.ts';
import { copyOf, newVisitor, signedIn, signIn, type Visitor } from '../support/form-client.ts';
import type { Server } from '../support/server.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

afterEach(() => setClockOffset(0));

/** Starts another server with a wrong clock. */
function serveAt(town: Town, offsetMs: number, environment: Record<string, string> = {}): Promise<Server> {
  setClockOffset(offsetMs);
  return town.serve(environment);
}

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/admin/account')).status === 200;

suite('after the clock was set back by a day', () => {
  test('a login session from the future has ended, and signing in again works', async (t) => {
    const town = await newTown(t);
    const visitor = await signedIn(await town.serve(), town.store, town.a);
    const server = await serveAt(town, -dayMs);
    assert.ok(!(await isSignedIn(copyOf(visitor, server.address))));
    const again = newVisitor(server.address);
    await signIn(again, visitor.email);
    assert.ok(await isSignedIn(again));
  });

  test('by two minutes, a login session continues, but changes require the password again', async (t) => {
    const town = await newTown(t);
    const visitor = await signedIn(await town.serve(), town.store, town.a);
    const back = copyOf(visitor, (await serveAt(town, -hourMs / 30)).address);
    assert.ok(await isSignedIn(back));
    const { location = '' } = await back.get(`/admin/organizations/${town.a}/keys/new`);
    assert.match(location, /^\/admin\/confirm/);
  });

  test('a new login session can end all sessions, including those from the future', async (t) => {
    const town = await newTown(t);
    const visitor = await signedIn(await town.serve(), town.store, town.a);
    const server = await serveAt(town, -dayMs);
    const back = newVisitor(server.address);
    assert.equal((await signIn(back, visitor.email)).status, 303);
    const page = await back.get('/admin/account');
    assert.equal(page.status, 200);
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    await back.post('/admin/account/sign-out-everywhere', { token });
    assert.ok(!(await isSignedIn(copyOf(visitor, server.address))));
    assert.ok(!(await isSignedIn(back)));
  });

  for (const [name, wrong, right] of [
    ['is set back by a day', 0, -dayMs],
    ['was a day ahead and is corrected', dayMs, 0],
  ] as const) {
    test(`the attempt limit of an account resets: the clock ${name}`, async (t) => {
      const town = await newTown(t);
      const before = await serveAt(town, wrong);
      const { email } = await signedIn(before, town.store, town.a);
      const guesser = newVisitor(before.address);
      for (let turn = 0; turn < 10; turn += 1)
        assert.equal((await signIn(guesser, email, 'guessed it')).status, 422);
      assert.equal((await signIn(guesser, email)).status, 429);
      const after = await serveAt(town, right);
      assert.equal((await signIn(newVisitor(after.address), email)).status, 303);
    });
  }

  test('attempts are still limited', async (t) => {
    const town = await newTown(t);
    const before = await town.serve();
    for (let turn = 0; turn < 12; turn += 1)
      await signIn(newVisitor(before.address), 'nobody@stadt.example', 'guessed it');
    const after = newVisitor((await serveAt(town, -dayMs)).address);
    const statuses = [];
    for (let turn = 0; turn < 12; turn += 1)
      statuses.push((await signIn(after, 'nobody@stadt.example', 'guessed it')).status);
    assert.deepEqual(statuses, [...Array(10).fill(422), 429, 429]);
  });

  test('codes of the authenticator app are accepted, although later codes were used', async (t) => {
    const town = await newTown(t);
    const before = await town.serve();
    const visitor = await signedIn(before, town.store, town.a);
    const path = '/admin/account/second-factor';
    const secret = /<code>([A-Z2-7 ]+)<\/code>/
      .exec((await visitor.get(path)).body)?.[1]
      ?.replaceAll(' ', '');
    const app = new TOTP({ secret: secret as string });
    assert.equal((await visitor.fill(path, { code: app.generate() })).status, 303);

    const back = newVisitor((await serveAt(town, -dayMs)).address);
    await signIn(back, visitor.email);
    const code = app.generate();
    assert.equal((await back.fill('/admin/sign-in/code', { code })).status, 303);
    assert.ok(await isSignedIn(back));
  });

  test('a one-time link expires seven days after its creation', async (t) => {
    const town = await newTown(t);
    const { email } = await signedIn(await town.serve(), town.store, town.a);
    const link = new URL((await town.run('admin', 'invite', email)).trim()).pathname;
    const back = await serveAt(town, -dayMs);
    assert.equal((await newVisitor(back.address).get(link)).status, 200);
    const late = await serveAt(town, 7 * dayMs + 60_000);
    assert.equal((await newVisitor(late.address).get(link)).status, 410);
  });
});

suite('after the clock was set forward', () => {
  test('by more than the idle timeout, login sessions have ended, and signing in works', async (t) => {
    const town = await newTown(t);
    const visitor = await signedIn(await town.serve(), town.store, town.a);
    const server = await serveAt(town, 30 * dayMs);
    const forward = copyOf(visitor, server.address);
    assert.match((await forward.get('/admin/account')).location ?? '', /^\/admin\/sign-in/);
    assert.equal((await signIn(forward, visitor.email)).status, 303);
    assert.ok(await isSignedIn(forward));
    assert.equal((await forward.get(`/admin/organizations/${town.a}/keys/new`)).status, 200);
  });

  test('by thirteen hours, login sessions have ended, whatever the idle timeout', async (t) => {
    const town = await newTown(t);
    const rest = { ROSTRA_ADMIN_IDLE_TIMEOUT: '86400' };
    const visitor = await signedIn(await town.serve(rest), town.store, town.a);
    const within = copyOf(visitor, (await serveAt(town, 11 * hourMs, rest)).address);
    assert.ok(await isSignedIn(within));
    const behind = copyOf(visitor, (await serveAt(town, 13 * hourMs, rest)).address);
    assert.ok(!(await isSignedIn(behind)));
  });

  test('and back again, attempts in between do not count', async (t) => {
    const town = await newTown(t);
    const right = await town.serve();
    const { email } = await signedIn(right, town.store, town.a);
    const forward = await serveAt(town, 365 * dayMs);
    for (let turn = 0; turn < 11; turn += 1) await signIn(newVisitor(forward.address), email, 'guessed it');
    setClockOffset(0);
    assert.equal((await signIn(newVisitor(right.address), email)).status, 303);
  });
});
