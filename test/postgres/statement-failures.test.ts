import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { StoreConflictError } from '../../src/domain/store-errors.ts';
import { openStore } from '../../src/store/open.ts';
import { createRequestPool } from '../../src/store/postgres/connection-pool.ts';
import { assertUnavailable } from '../support/api-client.ts';
import { assertFails } from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import { assertStopsHealthy, reportRecovery, startLoad } from '../support/failure-load.ts';
import type { Scope } from '../support/files.ts';
import { assertTookAtMost } from '../support/nightly.ts';
import { createOwnCluster } from '../support/own-cluster.ts';
import { isCitus, templateName } from '../support/postgres-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startProxy } from '../support/tcp-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

const cluster = await createOwnCluster({ after });
const { database, keys } = cluster;

const lockOfSubmissions = 'LOCK TABLE submission IN ACCESS EXCLUSIVE MODE';

/** Takes a lock. @returns releases it */
async function holdLock(scope: Scope, statement: string): Promise<() => Promise<void>> {
  const holder = new Client(cluster.url('postgres', templateName));
  // The cluster may stop first.
  holder.on('error', () => undefined);
  await holder.connect();
  scope.after(() => holder.end());
  await holder.query(`BEGIN; ${statement}`);
  return async () => {
    await holder.query('ROLLBACK');
  };
}

const countWaiting = async () => (await cluster.listBackends()).filter(({ isWaiting }) => isWaiting).length;

for (const [what, lock, path] of [
  ['the rate limit counters', 'SELECT FROM rate_window FOR UPDATE', '/me'],
  ['submissions', lockOfSubmissions, '/submissions'],
] as const) {
  test(`while all connections wait for ${what}, requests are 503 within a second; the waits end, and requests are 200 afterwards`, async (t) => {
    const server = await startServerProcess(t, database, { ROSTRA_DATABASE_POOL_SIZE: '2' });
    const load = startLoad(server, keys, { paths: [path] });
    await load.waitForResponses(100, 200);
    const release = await holdLock(t, lock);
    let mostWaiting = 0;
    const refused = load.waitForResponses(16, 503).then(() => true);
    while (!(await Promise.race([refused, setTimeout(200, false)]))) {
      const backends = await cluster.listBackends();
      mostWaiting = Math.max(mostWaiting, backends.filter(({ isWaiting }) => isWaiting).length);
      // Two for requests, and at most four for transactions.
      assert.ok(backends.length <= 2 + 4, `${backends.length} backends`);
    }
    // Statements of one node of Citus take half of the connections, and the municipalities may be on one node.
    assert.ok(mostWaiting === 2 || (isCitus && path === '/submissions' && mostWaiting === 1));
    const answers = await load.stop();
    // The lock is still held, so the server has cancelled its waits.
    await waitUntil('the end of the waits', async () => (await countWaiting()) === 0);
    await release();
    const next = startLoad(server, keys, { paths: [path] });
    const recoveredMs = await next.waitForRecovery();
    reportRecovery(t, [...answers, ...(await next.stop())], recoveredMs);
    await assertStopsHealthy(server);
  });
}

test('a slow statement is 503 within a second, and its connection is reused', async (t) => {
  const server = await startServerProcess(t, database, { ROSTRA_DATABASE_POOL_SIZE: '1' });
  const [key] = keys as [string];
  assert.equal((await server.get('/submissions', { key })).status, 200);
  const before = (await cluster.listBackends()).map(({ pid }) => pid);
  const release = await holdLock(t, lockOfSubmissions);
  const sentMs = performance.now();
  assertUnavailable(await server.get('/submissions', { key }));
  const tookMs = performance.now() - sentMs;
  t.diagnostic(`503 after ${Math.round(tookMs)} ms`);
  assertTookAtMost(1_000, tookMs);
  // Requests that read no submissions still work.
  assert.equal((await server.get('/me', { key })).status, 200);
  await release();
  assert.equal((await server.get('/submissions', { key })).status, 200);
  assert.deepEqual(
    (await cluster.listBackends()).map(({ pid }) => pid),
    before,
  );
  await assertStopsHealthy(server);
});

test('daily usage is counted while old days are locked, and old days are deleted afterwards', async (t) => {
  const [key] = keys as [string];
  await cluster.query('DELETE FROM key_usage_daily');
  await cluster.query(`INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests)
      SELECT organization_id, id, to_char(date '2020-01-01' + n, 'YYYY-MM-DD'), 'getMe', 200, 1
      FROM api_key, generate_series(1, 200) AS n`);
  const days = async (condition: string) => {
    const [row] = await cluster.query<{ count: string }>(
      `SELECT count(*) FROM key_usage_daily WHERE ${condition}`,
    );
    return Number(row?.count);
  };
  const release = await holdLock(t, "SELECT FROM key_usage_daily WHERE day < '2021' FOR UPDATE");
  const server = await startServerProcess(t, database, {
    NODE_OPTIONS: `--import ${new URL('../support/fast-heartbeat.ts', import.meta.url)}`,
  });
  assert.equal((await server.get('/me', { key })).status, 200);
  await waitUntil('a counted day', async () => (await days("day > '2021'")) === 1);
  await waitUntil('a wait for the lock', async () => (await countWaiting()) > 0);
  // Longer than the statement timeout.
  await setTimeout(1_500);
  await release();
  await waitUntil('the deletion of old days', async () => (await days("day < '2021'")) === 0);
  assert.equal(await server.stop(), 0);
  assert.equal(await days("day > '2021'"), 1);
  assert.deepEqual(
    server.lines.filter((line) => line.includes('missing')),
    [],
  );
});

test('a mistyped municipality is rejected without counting records', async (t) => {
  const release = await holdLock(t, lockOfSubmissions);
  const args = ['key', 'list', '--organization', 'Musterstatt', '--database', database];
  await assertFails(args, 1, /Unknown municipality "Musterstatt"\. Did you mean "Musterstadt"\?/);
  await release();
});

test('a rejected transaction releases its connection for the next one', async (t) => {
  const store = await openStore({ ...storeDefaults, database });
  t.after(() => store.close());
  const backends = async () => (await cluster.listBackends()).map(({ pid }) => pid).toSorted();
  const addAgain = (name: string) => store.addOrganization(name, crypto.randomUUID());
  await addAgain('Neustadt');
  const before = await backends();
  for (let time = 0; time < 5; time += 1) await assert.rejects(addAgain('Neustadt'), StoreConflictError);
  assert.deepEqual(await backends(), before);
  await addAgain('Altstadt');
  assert.deepEqual(await backends(), before);
  assert.deepEqual(
    (await store.listOrganizationNames()).map(({ name }) => name),
    ['Altstadt', 'Musterstadt', 'Neustadt'],
  );
});

test('a replaced pool is closed once', async (t) => {
  const proxy = await startProxy(t, cluster.port);
  const timeoutMs = 3_000;
  const pool = createRequestPool(proxy.getUrl(database), 1, timeoutMs, {
    name: 'primary',
    metrics: undefined,
  });
  await pool.query('SELECT 1');
  proxy.freeze();
  await assert.rejects(pool.query('SELECT 1'));
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  t.after(() => void process.off('unhandledRejection', onUnhandled));
  await pool.close();
  // The replaced pool closes itself after twice the timeout.
  await setTimeout(4 * timeoutMs);
  assert.deepEqual(unhandled, []);
});
