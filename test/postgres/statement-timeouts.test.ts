/** Some processes of PostgreSQL stop responding, while others respond. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertUnavailable } from '../support/api-client.ts';
import { createFixture } from '../support/fixture.ts';
import { assertTookAtMost } from '../support/nightly.ts';
import { isCitus, servingRole } from '../support/postgres-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const { a, b, sql, issueKey, startServerProcess } = await createFixture({ after });
// With the timeouts of the product.
const server = await startServerProcess();

/** @returns the process IDs of PostgreSQL that wait for a lock */
async function listWaiting(): Promise<number[]> {
  // Within a transaction, PostgreSQL reads the activity once.
  await sql('SELECT pg_stat_clear_snapshot()');
  const rows = await sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND usename = $1 AND wait_event_type = 'Lock'`,
    [servingRole],
  );
  return rows.map(({ pid }) => pid);
}

/** Of the requests, in the order of their arrival. */
const isBackendStopped = [false, true, false, false, true, false];

const onPlainPostgres = { skip: isCitus && 'Citus locks the windows in backends of its workers' };

test(
  'requests whose backends do not respond are 503, and the requests before, between and after them are 200',
  onPlainPostgres,
  async (t) => {
    const keys = [];
    for (let count = 0; count < 6; count += 1) keys.push(await issueKey(a));
    for (const { secret: key } of keys) await server.get('/me', { key });
    await sql('BEGIN');
    await sql('UPDATE rate_window SET used = used');
    const responses = [];
    const pids: number[] = [];
    for (const { secret: key } of keys) {
      responses.push(server.get('/me', { key }));
      let added: number | undefined;
      await waitUntil(
        'a further wait for the lock',
        async () => {
          added = (await listWaiting()).find((pid) => !pids.includes(pid));
          return added !== undefined;
        },
        5,
      );
      pids.push(added as number);
    }
    const stopped = pids.filter((_, index) => isBackendStopped[index]);
    t.after(() => {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    });
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    await sql('COMMIT');
    await Promise.all(responses.filter((_, index) => !isBackendStopped[index]));
    // A later request, while the others still wait.
    responses.push(server.get('/me', { key: (await issueKey(a)).secret }));
    const received = await Promise.race([
      Promise.all(responses),
      setTimeout(5_000, undefined, { ref: false }),
    ]);
    assert.ok(received !== undefined, 'no response within five seconds');
    for (const [index, response] of received.entries()) {
      if (isBackendStopped[index]) assertUnavailable(response);
      else assert.equal(response.status, 200);
    }
    for (const { secret: key } of keys) assert.equal((await server.get('/me', { key })).status, 200);
  },
);

test('a page over its time is 503, and delays others in its statement once', onPlainPostgres, async (t) => {
  const [own, other] = [await issueKey(a), await issueKey(b)];
  await sql(`CREATE POLICY slow ON submission AS RESTRICTIVE
    USING (CASE organization_id WHEN '${b}' THEN pg_sleep(2) IS NOT NULL ELSE true END)`);
  t.after(() => sql('DROP POLICY slow ON submission'));
  let limit = 0;
  const sendTogether = async () => {
    const startedMs = performance.now();
    const slow = server.get('/submissions', { key: other.secret });
    const responses = Array.from({ length: 5 }, () => {
      limit += 1;
      return server.get(`/submissions?limit=${limit}`, { key: own.secret });
    });
    for (const { status } of await Promise.all(responses)) assert.equal(status, 200);
    const tookMs = performance.now() - startedMs;
    assertUnavailable(await slow);
    return tookMs;
  };
  await sendTogether();
  // Its key was tried alone, which takes as long again.
  await setTimeout(1_500);
  const tookMs = await sendTogether();
  t.diagnostic(`${Math.round(tookMs)} ms`);
  assertTookAtMost(300, tookMs);
});
