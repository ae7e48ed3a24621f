import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { NewKey } from '../../src/domain/keys/stored-key.ts';
import { assertFails, assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { createFixture } from '../support/fixture.ts';

// Keys are issued through the store, because it is faster; key.test.ts uses the command.
const fixture = await createFixture({ after });
const windowOfDay = { ROSTRA_RATE_LIMIT_WINDOW: '86400' };
const server = await fixture.startServer();
const on = (...args: string[]) => [...args, '--database', fixture.database];

interface Listed {
  id: string;
  prefix: string;
  state: string;
  lastUsedAt: string | null;
  usedInWindow: number;
  expiresAt: string | null;
  requestLimit: number | null;
  name: string;
}

const issue = async (fields: Partial<NewKey> = {}) => {
  const { id, secret } = await fixture.issueKey(fixture.a, { name: 'K', ...fields });
  return { id, key: secret, prefix: secret.slice(0, 16) };
};
const listed = async (id: string): Promise<Listed> => {
  const keys = await assertSucceeds(on('key', 'list', '--json'), { environment: windowOfDay });
  return JSON.parse(keys).find((key: Listed) => key.id === id);
};
const status = async (key: string) => (await server.get('/me', { key })).status;

suite('key list', { concurrency: 2 }, () => {
  test('shows the minute of the last use, and the requests in the window', async () => {
    const key = await issue({ requestLimit: 5 });
    const before = Date.now();
    for (let request = 0; request < 7; request += 1) await status(key.key);
    const { lastUsedAt, usedInWindow } = await listed(key.id);
    assert.equal(usedInWindow, 5);
    assert.match(lastUsedAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
    const used = Date.parse(lastUsedAt ?? '');
    assert.ok(used > before - 60_000 && used <= Date.now());
    const table = await assertSucceeds(on('key', 'list'), { environment: windowOfDay });
    const shown = (lastUsedAt ?? '').slice(0, 16).replace('T', ' ');
    assert.match(table, new RegExp(`^${key.id}  ${key.prefix}  K .+ active .+  ${shown}Z  5/5$`, 'm'));
  });

  test('shows a dash for a key without requests', async () => {
    const key = await issue();
    assert.equal((await listed(key.id)).lastUsedAt, null);
    const table = await assertSucceeds(on('key', 'list'), {
      environment: { ...windowOfDay, ROSTRA_RATE_LIMIT: '77' },
    });
    assert.match(table, new RegExp(`^${key.id} .+ – +– +0/77$`, 'm'));
  });

  test('distinguishes active, expired and revoked keys', async () => {
    const soon = new Date(Date.now() + 2_000).toISOString();
    const [active, expiring, revoked] = [await issue(), await issue({ expiresAt: soon }), await issue()];
    await assertSucceeds(on('key', 'revoke', revoked.id));
    while (Date.now() <= Date.parse(soon)) await new Promise((resolve) => setTimeout(resolve, 50));
    const states = [];
    for (const { id, key } of [active, expiring, revoked])
      states.push([(await listed(id)).state, await status(key)]);
    assert.deepEqual(states, [
      ['active', 200],
      ['expired', 401],
      ['revoked', 401],
    ]);
  });

  test('with --organization shows the keys of one municipality; it never shows a secret', async () => {
    const own = await issue();
    const { stdout } = await runCli(on('key', 'list', '--organization', 'Beispielburg'));
    assert.ok(!stdout.includes(own.id));
    assert.match(stdout, /Beispielburg/);
    const all = await assertSucceeds(on('key', 'list', '--json'));
    for (const secret of [own.key, fixture.charlie]) assert.ok(!all.includes(secret.slice(0, 20)));
  });
});

suite('key revoke', { concurrency: 2 }, () => {
  test('by id or prefix takes effect on the next request to a running server', async () => {
    for (const by of ['id', 'prefix'] as const) {
      const key = await issue();
      assert.equal(await status(key.key), 200);
      const { code, stdout, stderr } = await runCli(on('key', 'revoke', key[by]));
      assert.equal(await status(key.key), 401);
      assert.equal(code, 0);
      assert.equal(stdout, '');
      assert.match(stderr, new RegExp(`Revoked the key "K" \\(${key.prefix}\\) of Musterstadt`));
    }
  });

  test('of a revoked key reports the time of the first revocation and does not change it', async () => {
    const key = await issue();
    await assertSucceeds(on('key', 'revoke', key.id));
    const read = () =>
      fixture.sql<{ at: string }>('SELECT revoked_at AS at FROM api_key WHERE id = $1', [key.id]);
    const [first] = await read();
    const { code, stderr } = await runCli(on('key', 'revoke', key.id.toUpperCase()));
    assert.equal(code, 0);
    assert.match(stderr, new RegExp(`was already revoked at ${first?.at}`));
    assert.deepEqual(await read(), [first]);
  });
});

suite('key rotate', { concurrency: 2 }, () => {
  test('prints a successor with the same name, limit and expiry; the old key stays valid', async () => {
    const old = await issue({ requestLimit: 40, expiresAt: '2099-06-30T23:59:59.999Z' });
    const { code, stdout, stderr } = await runCli(on('key', 'rotate', old.prefix));
    assert.equal(code, 0);
    assert.match(stdout, /^sk_rostra_[0-9A-Za-z]{36}\n$/);
    assert.match(stderr, /The old key .+ is valid until/);
    const keys: Listed[] = JSON.parse(await assertSucceeds(on('key', 'list', '--json')));
    const successor = keys.find(({ prefix }) => prefix === stdout.slice(0, 16));
    assert.equal(successor?.name, 'K');
    assert.equal(successor?.requestLimit, 40);
    assert.equal(successor?.expiresAt, '2099-06-30T23:59:59.999Z');
    assert.equal(await status(old.key), 200);
    assert.equal(await status(stdout.trimEnd()), 200);
    const lasts = Date.parse((await listed(old.id)).expiresAt ?? '') - Date.now();
    assert.ok(lasts > 23 * 3_600_000 && lasts <= 24 * 3_600_000, `the grace is a day: ${lasts}`);
  });

  test('with grace 0 revokes the old key immediately', async () => {
    const old = await issue();
    const next = JSON.parse(await assertSucceeds(on('key', 'rotate', old.id, '--grace', '0', '--json')));
    assert.equal(await status(old.key), 401);
    assert.equal(await status(next.key), 200);
    assert.equal(next.expiresAt, null);
  });

  test('does not extend a key that expires before the end of the grace period', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const old = await issue({ expiresAt: soon });
    await assertSucceeds(on('key', 'rotate', old.id, '--grace', '7d', '--expires', '2099-01-01'));
    assert.equal((await listed(old.id)).expiresAt, soon);
  });

  test('of a revoked or an expired key is rejected', async () => {
    const [revoked, expired] = [await issue({ name: 'Ended' }), await issue({ name: 'Ended' })];
    await assertSucceeds(on('key', 'revoke', revoked.id));
    await fixture.sql('UPDATE api_key SET expires_at = created_at WHERE id = $1', [expired.id]);
    await assertFails(on('key', 'rotate', revoked.id), 1, /is revoked\. Issue a new one/);
    await assertFails(on('key', 'rotate', expired.id), 1, /is expired\. Issue a new one/);
    const ended = JSON.parse(await assertSucceeds(on('key', 'list', '--json')));
    const states = ended.filter(({ name }: Listed) => name === 'Ended').map(({ state }: Listed) => state);
    assert.deepEqual(states.toSorted(), ['expired', 'revoked']);
  });

  test('rejects an invalid grace period with exit code 2', async () => {
    const key = await issue();
    for (const grace of ['24', '-1h', '1w', 'h', '', '1.5h', '9999999d']) {
      await assertFails(
        on('key', 'rotate', key.id, `--grace=${grace}`),
        2,
        /It must be a duration such as 30m/,
      );
    }
  });

  test('with the longest grace period prints a key or an error message, never a stack', async () => {
    const key = await issue();
    const { code, stderr } = await runCli(on('key', 'rotate', key.id, '--grace', '999999d'));
    assert.doesNotMatch(stderr, /Error:|CHECK constraint/);
    assert.ok(code === 0 || code === 2);
  });
});
