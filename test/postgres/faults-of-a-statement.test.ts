import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { isUnavailable } from '../support/exchange.ts';
import { isSound, reportOn, startLoad } from '../support/load.ts';
import { newOwnCluster } from '../support/own-cluster.ts';
import { templateName } from '../support/postgres-database.ts';
import { type Scope, startServer } from '../support/server.ts';

const cluster = await newOwnCluster({ after });
const { database, keys } = cluster;

const lockOfSubmissions = 'LOCK TABLE submission IN ACCESS EXCLUSIVE MODE';

/** Takes a lock and holds it until the function that this resolves with is called. */
async function hold(scope: Scope, statement: string): Promise<() => Promise<void>> {
  const holder = new Client(cluster.url('postgres', templateName));
  // The cluster may be gone before the holder is.
  holder.on('error', () => undefined);
  await holder.connect();
  scope.after(() => holder.end());
  await holder.query(`BEGIN; ${statement}`);
  return async () => {
    await holder.query('ROLLBACK');
  };
}

const waiting = async () => (await cluster.backends()).filter(({ waits }) => waits).length;

for (const [what, lock, path] of [
  ['the counters of the keys', 'SELECT FROM key_use FOR UPDATE', '/me'],
  ['the submissions', lockOfSubmissions, '/submissions'],
] as const) {
  test(`all connections waiting for ${what}: 503 within a second, nothing waits on, and 200 after`, async (t) => {
    const server = await startServer(t, database, { ROSTRA_DATABASE_CONNECTIONS: '2' });
    const load = startLoad(server, keys, { paths: [path] });
    await load.answered(100, 200);
    const release = await hold(t, lock);
    let mostWaiting = 0;
    const refused = load.answered(16, 503).then(() => true);
    while (!(await Promise.race([refused, setTimeout(200, false)]))) {
      const backends = await cluster.backends();
      mostWaiting = Math.max(mostWaiting, backends.filter(({ waits }) => waits).length);
      // Two for requests, and at most four for what writes.
      assert.ok(backends.length <= 2 + 4, `${backends.length} backends`);
    }
    assert.equal(mostWaiting, 2);
    const answers = await load.stop();
    // The lock is still held: it is the server that gave up waiting for it.
    await setTimeout(2_000);
    assert.equal(await waiting(), 0);
    await release();
    const next = startLoad(server, keys, { paths: [path] });
    const recoveredMs = await next.recovered();
    reportOn(t, [...answers, ...(await next.stop())], recoveredMs);
    await isSound(server);
  });
}

test('a statement that takes too long is 503 within a second, and its connection is used again', async (t) => {
  const server = await startServer(t, database, { ROSTRA_DATABASE_CONNECTIONS: '1' });
  const [key] = keys as [string];
  assert.equal((await server.get('/submissions', { key })).status, 200);
  const before = (await cluster.backends()).map(({ pid }) => pid);
  const release = await hold(t, lockOfSubmissions);
  const sentMs = performance.now();
  isUnavailable(await server.get('/submissions', { key }));
  const tookMs = performance.now() - sentMs;
  t.diagnostic(`503 after ${Math.round(tookMs)} ms`);
  assert.ok(tookMs < 1_000, `answered after ${tookMs} ms`);
  // What needs no submissions goes on beside the lock.
  assert.equal((await server.get('/me', { key })).status, 200);
  await release();
  assert.equal((await server.get('/submissions', { key })).status, 200);
  assert.deepEqual(
    (await cluster.backends()).map(({ pid }) => pid),
    before,
  );
  await isSound(server);
});
