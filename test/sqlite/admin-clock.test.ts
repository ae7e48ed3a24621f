/** The admin area after a change of the machine's clock. On PostgreSQL, the database's clock counts, which tests cannot set. */

import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { TOTP } from 'otpauth';
import { setClockOffset } from '../support/clock-offset.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import {
  copyFormClient,
  createFormClient,
  createSignedInClient,
  type FormClient,
  signIn,
} from '../support/form-client.ts';
import { byNight, runsEveryTest } from '../support/nightly.ts';
import type { Server } from '../support/server.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

afterEach(() => setClockOffset(0));

/** Starts another server with a wrong clock. */
function serveAt(
  fixture: Fixture,
  offsetMs: number,
  environment: Record<string, string> = {},
): Promise<Server> {
  setClockOffset(offsetMs);
  return fixture.startServer(environment);
}

const isSignedIn = async (client: FormClient) => (await client.get('/admin/account')).status === 200;

suite('after the clock was set back by a day', () => {
  test('a login session from the future has ended, and signing in again works', async (t) => {
    const fixture = await createFixture(t);
    const client = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
    const server = await serveAt(fixture, -dayMs);
    assert.ok(!(await isSignedIn(copyFormClient(client, server.address))));
    const again = createFormClient(server.address);
    await signIn(again, client.email);
    assert.ok(await isSignedIn(again));
  });

  if (runsEveryTest)
    test('by two minutes, a login session continues, but changes require the password again', async (t) => {
      const fixture = await createFixture(t);
      const client = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
      const back = copyFormClient(client, (await serveAt(fixture, -hourMs / 30)).address);
      assert.ok(await isSignedIn(back));
      const { body } = await back.submitForm(`/admin/organizations/${fixture.a}/keys/new`, {
        name: 'Portal',
      });
      assert.match(body, / name="currentPassword"/);
    });

  if (runsEveryTest)
    test('a new login session can end all sessions, including those from the future', async (t) => {
      const fixture = await createFixture(t);
      const client = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
      const server = await serveAt(fixture, -dayMs);
      const back = createFormClient(server.address);
      assert.equal((await signIn(back, client.email)).status, 303);
      const page = await back.get('/admin/account');
      assert.equal(page.status, 200);
      const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
      await back.post('/admin/account/sign-out-everywhere', { token });
      assert.ok(!(await isSignedIn(copyFormClient(client, server.address))));
      assert.ok(!(await isSignedIn(back)));
    });

  if (runsEveryTest)
    for (const [name, wrong, right] of [
      ['is set back by a day', 0, -dayMs],
      ['was a day ahead and is corrected', dayMs, 0],
    ] as const) {
      test(`the attempt limit of an account resets: the clock ${name}`, async (t) => {
        const fixture = await createFixture(t);
        const before = await serveAt(fixture, wrong);
        const { email } = await createSignedInClient(before, fixture.store, fixture.a);
        const guesser = createFormClient(before.address);
        for (let turn = 0; turn < 10; turn += 1)
          assert.equal((await signIn(guesser, email, 'guessed it')).status, 422);
        assert.equal((await signIn(guesser, email)).status, 429);
        const after = await serveAt(fixture, right);
        assert.equal((await signIn(createFormClient(after.address), email)).status, 303);
      });
    }

  test('attempts are still limited', { skip: byNight('it checks many passwords') }, async (t) => {
    const fixture = await createFixture(t);
    const before = await fixture.startServer();
    for (let turn = 0; turn < 12; turn += 1)
      await signIn(createFormClient(before.address), 'nobody@stadt.example', 'guessed it');
    const after = createFormClient((await serveAt(fixture, -dayMs)).address);
    const statuses = [];
    for (let turn = 0; turn < 12; turn += 1)
      statuses.push((await signIn(after, 'nobody@stadt.example', 'guessed it')).status);
    assert.deepEqual(statuses, [...Array(10).fill(422), 429, 429]);
  });

  if (runsEveryTest)
    test('codes of the authenticator app are accepted, although later codes were used', async (t) => {
      const fixture = await createFixture(t);
      const before = await fixture.startServer();
      const client = await createSignedInClient(before, fixture.store, fixture.a);
      const path = '/admin/account/second-factor';
      const secret = /<code>([A-Z2-7 ]+)<\/code>/
        .exec((await client.get(path)).body)?.[1]
        ?.replaceAll(' ', '');
      const app = new TOTP({ secret: secret as string });
      assert.equal((await client.submitForm(path, { code: app.generate() })).status, 303);

      const back = createFormClient((await serveAt(fixture, -dayMs)).address);
      await signIn(back, client.email);
      const code = app.generate();
      assert.equal((await back.submitForm('/admin/sign-in/code', { code })).status, 303);
      assert.ok(await isSignedIn(back));
    });

  if (runsEveryTest)
    test('a one-time link expires seven days after its creation', async (t) => {
      const fixture = await createFixture(t);
      const { email } = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
      const link = new URL((await fixture.runCli('admin', 'invite', email)).trim()).pathname;
      const back = await serveAt(fixture, -dayMs);
      assert.equal((await createFormClient(back.address).get(link)).status, 200);
      const late = await serveAt(fixture, 7 * dayMs + 60_000);
      assert.equal((await createFormClient(late.address).get(link)).status, 410);
    });
});

if (runsEveryTest)
  suite('after the clock was set forward', () => {
    test('by more than the idle timeout, login sessions have ended, and signing in works', async (t) => {
      const fixture = await createFixture(t);
      const client = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
      const server = await serveAt(fixture, 30 * dayMs);
      const forward = copyFormClient(client, server.address);
      assert.match((await forward.get('/admin/account')).location ?? '', /^\/admin\/sign-in/);
      assert.equal((await signIn(forward, client.email)).status, 303);
      assert.ok(await isSignedIn(forward));
      assert.equal((await forward.get(`/admin/organizations/${fixture.a}/keys/new`)).status, 200);
    });

    test('by thirteen hours, login sessions have ended, whatever the idle timeout', async (t) => {
      const fixture = await createFixture(t);
      const rest = { ROSTRA_ADMIN_IDLE_TIMEOUT: '86400' };
      const client = await createSignedInClient(await fixture.startServer(rest), fixture.store, fixture.a);
      const within = copyFormClient(client, (await serveAt(fixture, 11 * hourMs, rest)).address);
      assert.ok(await isSignedIn(within));
      const behind = copyFormClient(client, (await serveAt(fixture, 13 * hourMs, rest)).address);
      assert.ok(!(await isSignedIn(behind)));
    });

    test('and back again, attempts in between do not count', async (t) => {
      const fixture = await createFixture(t);
      const right = await fixture.startServer();
      const { email } = await createSignedInClient(right, fixture.store, fixture.a);
      const forward = await serveAt(fixture, 365 * dayMs);
      for (let turn = 0; turn < 11; turn += 1)
        await signIn(createFormClient(forward.address), email, 'guessed it');
      setClockOffset(0);
      assert.equal((await signIn(createFormClient(right.address), email)).status, 303);
    });
  });
