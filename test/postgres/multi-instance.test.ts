/** Keys, rate limits and the names of municipalities are exact across several processes on one PostgreSQL database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { computeWindowStart } from '../../src/store/rate-limit-window.ts';
import { assertFails } from '../support/cli-workspace.ts';
import {
  type ConcurrentRequests,
  checkResponses,
  createClient,
  sendOnce,
  startConcurrentRequests,
} from '../support/concurrent-clients.ts';
import { createFixture } from '../support/fixture.ts';
import type { HttpResponse } from '../support/http-client.ts';
import { isNightly } from '../support/nightly.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const long = isNightly;
const repetitions = long ? 100 : 1;
const revocations = long ? 1_000 : 12;
/** Concurrent requests of a process share a statement. With fewer of them, more statements compete for the window. */
const clients = long ? 200 : 12;
/**
 * A restarted process gets part of it: the other clients pause when half of it is used up, with at most one more request
 * of each client.
 */
const limit = long ? 1_000 : 180;
const requests = long ? 5_000 : 540;
const dayMs = 86_400_000;

const fixture = await createFixture({ after });

/** A key whose window does not end while a test counts its requests. */
async function issueLimitedKey(windowMs = dayMs): Promise<string> {
  for (;;) {
    const { id, secret } = await fixture.issueKey(fixture.a, { requestLimit: limit });
    const nowMs = Date.now();
    if (computeWindowStart(id, nowMs, windowMs) + windowMs - nowMs > 120_000) return secret;
  }
}

const clock = new URL('../support/clock-offset.ts', import.meta.url).href;

const startThreeReplicas = (environment: (index: number) => Record<string, string> = () => ({})) =>
  Promise.all([
    fixture.startServerProcess(environment(0)),
    fixture.startServerProcess(environment(1)),
    fixture.startServerProcess(environment(2)),
  ]);

const filterByStatus = <Some extends HttpResponse>(status: number, answers: readonly Some[]) =>
  answers.filter((answer) => answer.status === status);

const listRemaining = (responses: readonly HttpResponse[]) =>
  filterByStatus(200, responses)
    .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    .toSorted((a, b) => b - a);

/** Connections that wait for a lock. */
async function countWaiting(): Promise<number> {
  await fixture.sql('SELECT pg_stat_clear_snapshot()');
  const waiting = await fixture.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length;
}

/** All responses have the same end of the window, rounded to a second. */
function assertOneReset(responses: readonly HttpResponse[]): void {
  const resets = responses.map(({ headers }) => Number(headers['x-ratelimit-reset']));
  assert.ok(
    Math.max(...resets) - Math.min(...resets) <= 1,
    `${Math.min(...resets)} to ${Math.max(...resets)}`,
  );
}

function assertExact({ responses, brokenCount }: ConcurrentRequests): void {
  assert.equal(brokenCount, 0);
  assert.equal(filterByStatus(200, responses).length, limit);
  assert.equal(filterByStatus(429, responses).length, requests - limit);
  assert.deepEqual(
    listRemaining(responses),
    Array.from({ length: limit }, (_, index) => limit - 1 - index),
  );
  assertOneReset(responses);
}

const replicas = await startThreeReplicas();

test('clients of three processes get exactly the limit of a key, each value of Remaining once', async () => {
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const rush = startConcurrentRequests({ replicas, key: await issueLimitedKey(), clients, requests });
    await rush.finished;
    assertExact(rush);
    for (const replica of replicas) assert.ok(rush.responses.some(({ server }) => server === replica));
    await checkResponses(replicas[0], rush.responses);
  }
});

test('processes whose clocks differ by five minutes use the same window and return the same reset time', async () => {
  const windowMs = 300_000;
  const shiftOf = (index: number) => (index - 1) * 300_000;
  const replicas = await startThreeReplicas((index) => ({
    ROSTRA_RATE_LIMIT_WINDOW: String(windowMs / 1_000),
    NODE_OPTIONS: `--import ${clock}`,
    TEST_CLOCK_OFFSET_MS: String(shiftOf(index)),
  }));
  for (const [index, replica] of replicas.entries()) {
    const { time } = JSON.parse(await replica.waitForLine(/"listening"/));
    const offMs = Date.parse(time) - Date.now() - shiftOf(index);
    assert.ok(Math.abs(offMs) < 60_000, `the clock of replica ${index} is ${offMs} ms off`);
  }

  const rush = startConcurrentRequests({ replicas, key: await issueLimitedKey(windowMs), clients, requests });
  await rush.finished;
  const nowMs = Date.now();
  assertExact(rush);
  for (const { headers } of rush.responses) {
    const resetMs = Number(headers['x-ratelimit-reset']) * 1_000;
    assert.ok(resetMs > nowMs && resetMs <= nowMs + windowMs + 1_000, `${resetMs - nowMs} ms from now`);
  }
  for (const { headers } of filterByStatus(429, rush.responses)) {
    const saidMs = (Number(headers['x-ratelimit-reset']) - Number(headers['retry-after'])) * 1_000;
    assert.ok(Math.abs(saidMs - nowMs) < 60_000, `Retry-After counts from ${saidMs - nowMs} ms off`);
  }
  await checkResponses(replicas[0], rush.responses);

  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const valid = await fixture.issueKey(fixture.a, { expiresAt: inMinutes(2) });
  const expired = await fixture.issueKey(fixture.a, { expiresAt: inMinutes(-2) });
  for (const replica of replicas) {
    assert.equal((await replica.get('/me', { key: valid.secret })).status, 200);
    assert.equal((await replica.get('/me', { key: expired.secret })).status, 401);
    await replica.stop();
  }
});

test('a request that waits while another process exhausts a new window gets the reset time of that window', async () => {
  const [one, other] = replicas;
  const { id, secret: key } = await fixture.issueKey(fixture.a, { requestLimit: 1 });
  const spent = await one.get('/me', { key });
  await fixture.sql('UPDATE rate_window SET window_start_ms = window_start_ms - $1 WHERE key_id = $2', [
    dayMs,
    id,
  ]);

  await fixture.sql('BEGIN');
  await fixture.sql('SELECT FROM rate_window WHERE key_id = $1 FOR UPDATE', [id]);
  const asked = Promise.all([one.get('/me', { key }), other.get('/me', { key })]);
  await waitUntil('two requests that wait for the row', async () => (await countWaiting()) === 2);
  await fixture.sql('COMMIT');

  const responses = await asked;
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 429]);
  assertOneReset([spent, ...responses]);
});

for (const [action, name, args, message] of [
  ['adding', 'Gleich 1', ['add', 'Gleich 1'], /^An organization with this name already exists: Gleich 1/],
  [
    'renaming',
    'Gleich 2',
    ['edit', fixture.a, '--name', 'Gleich 2'],
    /^Another municipality has the name Gleich 2/,
  ],
] as const) {
  test(`${action} a municipality fails with a sentence if another process commits the name first`, async () => {
    await fixture.sql('BEGIN');
    await fixture.sql('INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)', [
      randomUUID(),
      name,
      '2026-03-01T09:15:00.000Z',
    ]);
    const command = ['organization', ...args, '--database', fixture.database];
    const failed = assertFails(command, 1, message);
    await waitUntil('a command that waits for the name', async () => (await countWaiting()) === 1);
    await fixture.sql('COMMIT');
    await failed;
  });
}

/**
 * Revokes a new key while four clients of each process use it without a pause.
 *
 * @returns the statuses of requests that were sent after the revocation was acknowledged
 */
async function revokeUnderLoad(replicas: readonly ServerProcess[]): Promise<number[]> {
  const { id, secret } = await fixture.issueKey(fixture.a, { requestLimit: 1_000_000 });
  const [record] = await fixture.store.findKeys(id);
  assert.ok(record);
  let revoked = false;
  const early: { server: ServerProcess; status: number }[] = [];
  const late: number[] = [];
  const loaded = Promise.withResolvers<void>();

  const use = async (server: ServerProcess) => {
    const client = createClient();
    for (let asked = 0; asked < 3; ) {
      const sentAfter = revoked;
      const { status } = await client.send(server, secret);
      if (sentAfter) {
        asked += 1;
        late.push(status);
      } else {
        early.push({ server, status });
        if (replicas.every((one) => early.filter((answer) => answer.server === one).length >= 8))
          loaded.resolve();
      }
    }
    client.close();
  };
  const load = Promise.all(replicas.flatMap((server) => [server, server, server, server].map(use)));
  const poised = replicas.map((server) => ({ server, client: createClient() }));
  for (const { server, client } of poised) assert.equal((await client.send(server, secret)).status, 200);
  await loaded.promise;

  await fixture.store.revokeKey(record);
  revoked = true;
  const next = await Promise.all(poised.map(({ server, client }) => client.send(server, secret)));
  await load;
  for (const { client } of poised) client.close();
  assert.ok(early.every(({ status }) => status === 200 || status === 401));
  return [...late, ...next.map(({ status }) => status)];
}

test('every process rejects a key as soon as its revocation is acknowledged', async () => {
  let begun = 0;
  const late: number[] = [];
  const tryOneByOne = async () => {
    while (begun < revocations) {
      begun += 1;
      late.push(...(await revokeUnderLoad(replicas)));
    }
  };
  await Promise.all([tryOneByOne(), tryOneByOne(), tryOneByOne(), tryOneByOne()]);
  assert.deepEqual([...new Set(late)], [401]);
  // Three requests of each client, and one more for each process.
  assert.equal(late.length, revocations * (12 * 3 + 3));
});

test('the limit stays exact while one process is killed and restarted', async () => {
  const members: [ServerProcess, ServerProcess | Promise<ServerProcess>, ServerProcess] = [...replicas];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const key = await issueLimitedKey();
    const doomed = await members[1];
    // The other clients pause, so that the restarted process gets part of the window.
    const back = Promise.withResolvers<void>();
    const beforeRequest = (client: number, answered: number) =>
      client % 3 === 1 || answered < limit / 2 ? undefined : back.promise;
    const rush = startConcurrentRequests({
      replicas: members,
      key,
      clients,
      requests: requests - 1,
      beforeRequest,
    });
    await rush.waitForResponses(limit / 3);
    // Clients read all sent responses before the kill, so that each waits for a response that never comes.
    process.kill(doomed.pid, 'SIGSTOP');
    await setTimeout(100);
    members[1] = doomed.kill().then(() => fixture.startServerProcess());
    const started = await members[1];
    rush.responses.push({ ...(await sendOnce(started, key)), server: started });
    back.resolve();
    await rush.finished;

    const { responses, brokenCount } = rush;
    const remaining = listRemaining(responses);
    assert.equal(new Set(remaining).size, remaining.length);
    assert.ok(remaining.length <= limit, `${remaining.length} answered`);
    // A request on a broken connection may have been counted; no other count may be missing.
    assert.ok(remaining.length + brokenCount >= limit, `${remaining.length} answered, ${brokenCount} broken`);
    assert.ok(brokenCount > 0 && brokenCount <= Math.ceil(clients / 3), `${brokenCount} broken`);
    assert.equal(remaining.length + filterByStatus(429, responses).length + brokenCount, requests);
    assertOneReset(responses);
    assert.ok(filterByStatus(200, responses).some(({ server }) => server === started));
    await checkResponses(started, responses);
  }
});
