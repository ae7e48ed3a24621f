/** Several processes on one port (`ROSTRA_WORKERS`). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { runCli } from '../../support/cli-workspace.ts';
import {
  checkResponses,
  createClient,
  sendOnce,
  startConcurrentRequests,
} from '../../support/concurrent-clients.ts';
import { loadContract } from '../../support/contract.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { findFreePort } from '../../support/free-port.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { composeRawRequest, openRawConnection, type RawConnection } from '../../support/raw-socket.ts';
import { findMetricsPort, scrape } from '../../support/scrape.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { alice } = fixture;

/** Enough for every worker. */
const clients = 4;

/** Polls rarely, because the requests of a poll slow down the workers that start. */
const pollMs = 200;

const serve = (environment: Record<string, string>) =>
  fixture.startServerProcess({ ROSTRA_WORKERS: '2', ...environment });

const secretFile = join(createTemporaryFolder({ after }), 'secret');
writeFileSync(secretFile, 'geheim');
// The client that reads the contract leaves its connection open. On the workers this would delay each restart.
await loadContract((await fixture.startServer()).port);
/** The server of all tests but the last one. The tests run in their order: the last of them stops it. */
const server = await serve({
  // Port 0 would be another port after a time without workers.
  ROSTRA_PORT: String(await findFreePort()),
  ROSTRA_METRICS_PORT: '0',
  ROSTRA_OIDC_CLIENT_SECRET_FILE: secretFile,
  // The shutdown ends in time only if the server closes idle connections.
  ROSTRA_STOP_TIMEOUT: '3600',
});

const reload = () =>
  runCli(['serve', '--workers', '2', '--database', fixture.database, '--reload', String(server.pid)], {
    folder: createTemporaryFolder({ after }),
  });

const metricsPort = await findMetricsPort(server);
const readReloadSuccess = async () => (await scrape(metricsPort)).get('rostra_last_reload_successful');

/** Reads the process of a response from the log. */
async function readProcessId(server: ServerProcess, { headers }: HttpResponse): Promise<number> {
  return JSON.parse(await server.waitForLine(new RegExp(headers['x-request-id'] as string))).processId;
}

async function readProcessIds(
  server: ServerProcess,
  responses: readonly HttpResponse[],
): Promise<Set<number>> {
  return new Set(await Promise.all(responses.map((response) => readProcessId(server, response))));
}

/** Lists the processes that respond on new connections. */
async function listServing(server: ServerProcess): Promise<Set<number>> {
  const responses: HttpResponse[] = [];
  for (let count = 0; count < 8; count += 1) responses.push(await sendOnce(server, alice));
  await checkResponses(server, responses);
  assert.ok(responses.every(({ status }) => status === 200));
  return readProcessIds(server, responses);
}

/** Retries, because the other worker gets all connections while one is busy. */
async function waitForTwoServing(server: ServerProcess): Promise<Set<number>> {
  let processes = new Set<number>();
  await waitUntil(
    'two workers',
    async () => {
      processes = await listServing(server);
      return processes.size === 2;
    },
    pollMs,
  );
  return processes;
}

/** Opens the same number of connections to each worker, with one response on each. */
async function openOnEachWorker(
  server: ServerProcess,
  request: string,
  each: number,
): Promise<RawConnection[]> {
  const byProcess = new Map(
    [...(await waitForTwoServing(server))].map((pid) => [pid, [] as RawConnection[]]),
  );
  await waitUntil('connections of each worker', async () => {
    const connection = await openRawConnection(server.port);
    const answered = once(connection.socket, 'data');
    connection.socket.write(request);
    const [, id] = /x-request-id: (\S+)/i.exec(String(await answered)) as RegExpExecArray;
    const own = byProcess.get(JSON.parse(await server.waitForLine(new RegExp(id as string))).processId);
    if (own === undefined || own.length === each) connection.socket.destroy();
    else own.push(connection);
    return [...byProcess.values()].every(({ length }) => length === each);
  });
  return [...byProcess.values()].flat();
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('workers compress responses', async () => {
  const lines = ['Accept-Encoding: gzip', 'Connection: close'];
  const { responses } = await server.sendRaw(composeRawRequest('/api/v1/openapi.json', lines));
  const [response] = responses as [HttpResponse];
  assert.equal(response.headers['content-encoding'], 'gzip');
  assert.equal(JSON.parse(response.text).openapi, '3.1.0');
});

test('two workers share one port, apart from the supervisor', async () => {
  const processes = await waitForTwoServing(server);
  assert.ok(!processes.has(server.pid));
  const listening = server.lines.filter((line) => line.includes('"listening"'));
  assert.deepEqual(
    listening.map((line) => JSON.parse(line).processId),
    [server.pid],
  );
});

test('rate limits are exact across workers: each value of Remaining occurs once', async () => {
  const limit = 100;
  const { secret: key } = await fixture.issueKey(fixture.a, { requestLimit: limit });
  // Each worker has responded before: its first request is slow, and the others would wait for it.
  await waitForTwoServing(server);
  const requests = startConcurrentRequests({ replicas: [server], key, clients: 50, requests: 2 * limit });
  await requests.finished;
  const { responses } = requests;
  await checkResponses(server, responses);
  const answered = responses.filter(({ status }) => status === 200);
  assert.deepEqual(
    answered.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).toSorted((a, b) => a - b),
    Array.from({ length: limit }, (_, index) => index),
  );
  assert.equal(responses.filter(({ status }) => status === 429).length, limit);
  assert.equal((await readProcessIds(server, answered)).size, 2);
});

test('a killed worker is replaced', async () => {
  const before = await waitForTwoServing(server);
  const [doomed, survivor] = [...before] as [number, number];
  process.kill(doomed, 'SIGKILL');
  const entry = JSON.parse(await server.waitForLine(/worker crashed/));
  assert.deepEqual([entry.level, entry.worker, entry.signal], [50, doomed, 'SIGKILL']);
  const now = await waitForTwoServing(server);
  assert.ok(now.has(survivor) && !now.has(doomed));
});

interface ContinuousLoad {
  answers: HttpResponse[];
  /** Errors of requests without a response. */
  failures: unknown[];
  stop(): Promise<void>;
}

/** Sends requests with pauses in which the new workers can start: half of the clients on one connection, half on a new connection each time. */
function startLoad(server: ServerProcess): ContinuousLoad {
  const responses: HttpResponse[] = [];
  const failures: unknown[] = [];
  let over = false;
  async function run(number: number): Promise<void> {
    const client = number % 2 === 0 ? createClient() : undefined;
    while (!over) {
      const request = client === undefined ? sendOnce(server, alice) : client.send(server, alice);
      await request.then(
        (response) => responses.push(response),
        (error) => failures.push(error),
      );
      await setTimeout(30);
    }
    client?.close();
  }
  const running = Promise.all(Array.from({ length: clients }, (_, number) => run(number)));
  return {
    answers: responses,
    failures,
    stop: async () => {
      over = true;
      await running;
    },
  };
}

const countRestarts = () => server.lines.filter((line) => line.includes('rolling restart finished')).length;

test('SIGHUP under load replaces all workers without a failed request, and once more if it is repeated', async () => {
  const before = await waitForTwoServing(server);
  const load = startLoad(server);
  await waitUntil('a load', () => load.answers.length > 20);
  process.kill(server.pid, 'SIGHUP');
  await server.waitForLine(/rolling restart started/);
  for (let count = 0; count < 3; count += 1) process.kill(server.pid, 'SIGHUP');
  const successes = new Set<number>();
  await waitUntil(
    'a second restart',
    async () => {
      successes.add(await readReloadSuccess());
      return countRestarts() === 2;
    },
    pollMs,
  );
  await load.stop();
  // An alert follows from 0.
  assert.deepEqual(successes, new Set([1]));
  assert.deepEqual(load.failures, []);
  await checkResponses(server, load.answers);
  assert.deepEqual(new Set(load.answers.map(({ status }) => status)), new Set([200]));
  const now = await waitForTwoServing(server);
  assert.ok(now.isDisjointFrom(before));
  assert.deepEqual([...before].filter(isRunning), []);
});

test('an idle connection survives the replacement of its worker for exactly one more request', async () => {
  const before = await waitForTwoServing(server);
  const request = composeRawRequest('/api/v1/me', [`Authorization: Bearer ${alice}`]);
  const idle = await openOnEachWorker(server, request, 2);
  const halfway = await Promise.all([openRawConnection(server.port), openRawConnection(server.port)]);
  for (const { socket } of halfway) socket.write(request.slice(0, 40));
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(
    'new workers alone',
    async () => (await listServing(server)).isDisjointFrom(before),
    pollMs,
  );
  for (const { socket } of idle) socket.write(request);
  for (const { socket } of halfway) socket.write(request.slice(40));
  for (const { finish } of [...idle, ...halfway]) {
    const { responses, closed } = await finish();
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
    assert.equal(responses.at(-1)?.headers.connection, 'close');
    assert.ok(closed);
    assert.ok(before.has(await readProcessId(server, responses.at(-1) as HttpResponse)));
  }
  await waitUntil('the end of the old workers', () => ![...before].some(isRunning));
});

test('if new workers cannot start, old ones stay, and dead ones are replaced later', async () => {
  const before = await waitForTwoServing(server);
  writeFileSync(secretFile, 'geheim nis');
  const failed = await reload();
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /^A new worker does not start: workers that serve keep the old settings/);
  await server.waitForLine(/rolling restart aborted/);
  assert.equal(await readReloadSuccess(), 0);
  assert.deepEqual((await waitForTwoServing(server)).symmetricDifference(before), new Set());
  process.kill([...before][0] as number, 'SIGKILL');
  await server.waitForLine(/"retryDelayMs":\d+,"msg":"worker failed to start/);
  assert.equal((await listServing(server)).size, 1);
  writeFileSync(secretFile, 'geheim');
  const mended = await waitForTwoServing(server);
  const applied = await reload();
  assert.equal(applied.code, 0);
  assert.match(applied.stderr, /the new workers accept requests\.$/m);
  assert.equal(await readReloadSuccess(), 1);
  assert.ok((await listServing(server)).isDisjointFrom(mended));
});

test('without a ready worker, a reload fails until a new worker accepts requests', async () => {
  const before = await waitForTwoServing(server);
  writeFileSync(secretFile, 'geheim nis');
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await waitUntil('no worker', async () => (await scrape(metricsPort)).get('rostra_workers') === 0, pollMs);
  await assert.rejects(sendOnce(server, alice));
  const failed = await reload();
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /^A new worker does not start/);
  await server.waitForLine(/rolling restart aborted: .+ no worker serves/);
  assert.equal(await readReloadSuccess(), 0);
  writeFileSync(secretFile, 'geheim');
  const applied = await reload();
  assert.equal(applied.code, 0);
  assert.equal((await sendOnce(server, alice)).status, 200);
  assert.equal(await readReloadSuccess(), 1);
  await waitForTwoServing(server);
  assert.equal((await scrape(metricsPort)).get('rostra_workers'), 2);
});

test('a shutdown during a restart stops draining workers too', async () => {
  const before = await waitForTwoServing(server);
  const connection = await openRawConnection(server.port);
  connection.socket.write(composeRawRequest('/api/v1/health'));
  process.kill(server.pid, 'SIGHUP');
  await waitUntil(
    'new workers alone',
    async () => (await listServing(server)).isDisjointFrom(before),
    pollMs,
  );
  const now = await listServing(server);
  assert.equal(await server.stop(), 0);
  assert.ok((await connection.finish()).closed);
  assert.deepEqual([...before, ...now].filter(isRunning), []);
  // One, one more for its three repetitions, one of the idle connections, the two mended ones. The last one was interrupted.
  assert.equal(countRestarts(), 5);
});

test('after SIGTERM all workers are not ready but handle requests during the delay, then reject incomplete ones with 503', async () => {
  const server = await serve({ ROSTRA_STOP_DELAY: '3600' });
  const request = composeRawRequest('/api/v1/me', [`Authorization: Bearer ${alice}`]);
  const idle = await openOnEachWorker(server, request, 1);
  const underWay = await openOnEachWorker(server, request, 1);
  for (const { socket } of underWay) socket.write(request.slice(0, 60));
  // A service manager signals each process.
  for (const pid of [server.pid, ...(await waitForTwoServing(server))]) process.kill(pid, 'SIGTERM');
  await server.waitForLine(/stopping/);
  for (let count = 0; count < 4; count += 1) {
    const connection = await openRawConnection(server.port);
    connection.socket.write(composeRawRequest('/ready', ['Connection: close']));
    const { responses } = await connection.finish();
    assert.equal(responses[0]?.status, 503);
  }
  // Responses of each worker on later connections show that it has read the incomplete requests.
  await waitForTwoServing(server);
  process.kill(server.pid, 'SIGINT');
  // A worker that closes idle connections is stopping.
  for (const { finish } of idle) assert.ok((await finish()).closed);
  for (const { socket } of underWay) socket.write(request.slice(60));
  for (const { finish } of underWay) {
    const { responses, closed } = await finish();
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 503],
    );
    assert.ok(closed);
  }
  assert.equal(await server.waitForExit(), 0);
  await server.waitForLine(/stopped/);
});
