import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { startCli } from '../support/cli-workspace.ts';
import {
  assertHealthy,
  assertStopsHealthy,
  fetchReadiness,
  reportRecovery,
  startLoad,
} from '../support/failure-load.ts';
import type { Scope } from '../support/files.ts';
import { findFreePort } from '../support/free-port.ts';
import { sendRequest } from '../support/http-client.ts';
import { runsEveryTest } from '../support/nightly.ts';
import { createOwnCluster } from '../support/own-cluster.ts';
import { ownerRole, servingRole } from '../support/postgres-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

// A test takes all connections.
const cluster = await createOwnCluster({ after }, { settings: ['max_connections = 40'] });
const { database, keys } = cluster;
// One process survives all faults.
const server = await startServerProcess({ after }, database);

/** Default maximum of a process: ten for requests and four for transactions. */
const maxConnections = 10 + 4;

for (const [how, fault] of [
  ['fast', 'is stopped'],
  ['immediate', 'crashes'],
] as const) {
  test(`when PostgreSQL ${fault} under load, requests are 503 within a second, and 200 after its restart`, async (t) => {
    const earlier = server.lines.length;
    const load = startLoad(server, keys, { clients: 16 });
    await load.waitForResponses(100, 200);
    await cluster.stop(how);
    await load.waitForResponses(100, 503);
    assert.equal((await fetchReadiness(server)).status, 503);
    await load.waitForResponses(100, 503);
    assert.equal((await fetchReadiness(server)).status, 503);
    await cluster.start();
    const recoveredMs = await load.waitForRecovery();
    assert.ok((await cluster.listBackends()).length <= maxConnections);
    reportRecovery(t, await load.stop(), recoveredMs);
    await assertHealthy(server);
    const getLines = () => server.lines.slice(earlier);
    await waitUntil('the end of the outage in the log', async () => getLines().some(isEnd));
    assertOutageLogged(getLines());
  });
}

const isEnd = (line: string) => /"msg":"the database is available again"/.test(line);

/** The log shows the cause at the start of an outage, and the number of failed requests at its end. */
function assertOutageLogged(lines: readonly string[]): void {
  const ofFaults = lines.filter((line) => /"err":/.test(line));
  assert.ok(ofFaults.length >= 1 && ofFaults.length <= 20, `${ofFaults.length} lines with a stack`);
  assert.ok(ofFaults.every((line) => /"msg":"the database is unavailable"/.test(line)));
  const ends = lines.filter(isEnd);
  const counts = ends.map((line) => JSON.parse(line).failedRequests as number);
  assert.ok(counts.length >= 1 && counts.length <= 2, `${counts.length} ends`);
  const refused = lines.filter((line) => /"status":503.*"msg":"request"/.test(line));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    refused.length,
  );
}

test('a process is not ready while PostgreSQL is read-only', async () => {
  const [key] = keys as [string];
  assert.equal((await fetchReadiness(server)).status, 200);
  const setReadOnly = async (value: string) => {
    await cluster.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await cluster.query('SELECT pg_reload_conf()');
  };
  await setReadOnly('on');
  await waitUntil('503', async () => (await fetchReadiness(server)).status === 503);
  assert.equal((await server.get('/me', { key })).status, 503);
  await setReadOnly('off');
  await waitUntil('200', async () => (await fetchReadiness(server)).status === 200);
  assert.equal((await server.get('/me', { key })).status, 200);
});

const repetitions = 50;

async function surviveRestarts(t: TestContext): Promise<void> {
  const load = startLoad(server, keys, { clients: 16 });
  await load.waitForResponses(100, 200);
  let slowestMs = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    await cluster.stop(repetition % 2 === 0 ? 'immediate' : 'fast');
    await load.waitForResponses(40, 503);
    assert.equal((await fetchReadiness(server)).status, 503);
    await cluster.start();
    slowestMs = Math.max(slowestMs, await load.waitForRecovery());
    assert.ok((await cluster.listBackends()).length <= maxConnections);
  }
  assert.ok(reportRecovery(t, await load.stop(), slowestMs) < 1_000);
  await assertHealthy(server);
}

if (runsEveryTest)
  test(
    `a process survives ${repetitions} restarts of PostgreSQL, alternately after stops and crashes`,
    surviveRestarts,
  );

/** Terminates the connections of the server. It reopens them when necessary. */
async function disconnect(): Promise<void> {
  await cluster.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${servingRole}'`,
  );
}

test('requests are 503 while PostgreSQL has no free connections', async (t) => {
  const earlier = server.lines.length;
  const load = startLoad(server, keys, { clients: 16 });
  await load.waitForResponses(100, 200);
  const others: Client[] = [];
  t.after(() => Promise.all(others.map((other) => other.end())).then(() => undefined));
  do {
    await disconnect();
    await takeAll(others);
  } while ((await cluster.listBackends()).length > 0);
  await load.waitForResponses(100, 503);
  await waitUntil('the log shows the cause', () =>
    server.lines.slice(earlier).some((line) => /too many clients|connection slots/.test(line)),
  );
  await Promise.all(others.splice(0).map((other) => other.end()));
  const recoveredMs = await load.waitForRecovery();
  reportRecovery(t, await load.stop(), recoveredMs);
  await assertHealthy(server);
});

async function takeAll(others: Client[]): Promise<void> {
  for (;;) {
    const other = new Client(cluster.url(ownerRole, 'postgres'));
    other.on('error', () => undefined);
    try {
      await other.connect();
    } catch (error) {
      assert.equal((error as { code?: string }).code, '53300');
      return;
    }
    others.push(other);
  }
}

test('requests are 503, not 500, while the role cannot log in', async (t) => {
  const load = startLoad(server, keys, { clients: 16 });
  await load.waitForResponses(100, 200);
  await cluster.query(`ALTER ROLE ${servingRole} NOLOGIN`);
  await disconnect();
  await load.waitForResponses(100, 503);
  await cluster.query(`ALTER ROLE ${servingRole} LOGIN`);
  const recoveredMs = await load.waitForRecovery();
  reportRecovery(t, await load.stop(), recoveredMs);
  await assertHealthy(server);
});

test('the process stops after all these faults', () => assertStopsHealthy(server));

suite('a server that starts before its database', () => {
  const startWithoutDatabase = async (scope: Scope) => {
    await cluster.stop();
    const port = await findFreePort();
    const starting = startServerProcess(scope, database, { ROSTRA_PORT: String(port) });
    await waitUntil('an answer', () =>
      sendRequest(port, '/ready').then(
        () => true,
        () => false,
      ),
    );
    return { port, starting };
  };

  test('says that it is waiting, and serves as soon as it can', async (t) => {
    const { port, starting } = await startWithoutDatabase(t);
    for (const path of ['/ready', '/api/v1/submissions']) {
      const { status, headers, text } = await sendRequest(port, path);
      assert.equal(status, 503);
      assert.deepEqual(JSON.parse(text), {
        error: 'The service is waiting for its database: try again in 5 seconds.',
        code: 'UNAVAILABLE',
      });
      assert.equal(headers['retry-after'], '5');
      assert.match(headers['x-ratelimit-limit'] as string, /^\d+$/);
    }
    assert.equal((await sendRequest(port, '/api/v1/health')).status, 200);
    await cluster.start();
    const started = await starting;
    await waitUntil('readiness', async () => (await sendRequest(port, '/ready')).status === 200);
    const said = started.lines.filter((line) => line.includes('the service is waiting for its database'));
    assert.equal(said.length, 1);
    await assertStopsHealthy(started);
  });

  test('stops on SIGTERM while it is waiting', async () => {
    await cluster.stop();
    const port = String(await findFreePort());
    const waiting = startCli(['serve', '--port', port, '--database', database]);
    await waiting.waitForOutput(/the service is waiting for its database/);
    waiting.child.kill('SIGTERM');
    const { code, stderr } = await waiting.result;
    assert.equal(code, 0, stderr);
    await cluster.start();
  });
});
