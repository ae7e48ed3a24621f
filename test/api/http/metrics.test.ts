/** The port of the metrics, and their sum over workers that end. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { findMetricsPort, listMissingMetrics, scrape } from '../../support/scrape.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { alice } = fixture;

const versionFile = join(createTemporaryFolder({ after }), 'version');
writeFileSync(versionFile, '1.0.0');
const server = await fixture.startServerProcess({
  ROSTRA_METRICS_PORT: '0',
  ROSTRA_WORKERS: '2',
  NODE_OPTIONS: `--import ${new URL('../../support/later-version.ts', import.meta.url)}`,
  VERSION_FILE: versionFile,
});
const port = await findMetricsPort(server);

const countRequests = async () =>
  (await scrape(port)).get('rostra_http_requests_total', { operation: 'getMe', status: '200' });

const sendRequests = async (count: number) => {
  for (let sent = 0; sent < count; sent += 1) await server.get('/me', { key: alice });
};

/** @returns the process id of the worker that answers a request */
async function findWorker(server: ServerProcess): Promise<number> {
  const { headers } = await server.get('/health');
  return JSON.parse(await server.waitForLine(new RegExp(headers['x-request-id'] as string))).processId;
}

const waitForWorkers = () =>
  waitUntil('two workers', async () => (await scrape(port)).get('rostra_workers') === 2);

test('only GET and HEAD of /metrics respond with metrics', async () => {
  assert.equal((await sendRequest(port, '/metrics?collect[]=x')).status, 200);
  const head = await sendRequest(port, '/metrics', { method: 'HEAD' });
  assert.deepEqual([head.status, head.body.length], [200, 0]);
  assert.ok(Number(head.headers['content-length']) > 1_000);
  for (const path of ['/', '/metrics/', '/metricsx', '//metrics', '/api/v1/health', '/%6Detrics'])
    assert.equal((await sendRequest(port, path)).status, 404, path);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
    const { status, headers } = await sendRequest(port, '/metrics', { method });
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], method);
  }
  assert.equal((await sendRequest(server.port, '/metrics')).status, 404);
});

test('two workers have every metric, and none has a worker, key or process as a label', async () => {
  await waitForWorkers();
  await sendRequests(10);
  const values = await scrape(port);
  assert.equal(await countRequests(), 10);
  assert.equal(values.get('rostra_workers_configured'), 2);
  assert.equal(values.get('rostra_database_up'), 1);
  assert.deepEqual(listMissingMetrics(values), []);
  assert.ok(!values.text.includes(alice.slice(0, 14)) && !/\bpid\b|process_id|key/.test(values.text));
});

test('clients that send half a request do not hold up others', async () => {
  const stuck = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
  for (const socket of stuck) {
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n');
    await once(socket, 'connect');
  }
  await scrape(port);
  for (const socket of stuck) socket.destroy();
});

test('requests that are not HTTP are counted', async () => {
  const countMalformed = async () =>
    (await scrape(port)).get('rostra_http_requests_total', { operation: 'unknown', status: '400' });
  const before = await countMalformed();
  await server.sendRaw('nonsense\r\n\r\n');
  assert.equal((await countMalformed()) - before, 1);
});

test('a killed worker is counted, and the counts that were read before remain', async () => {
  await waitForWorkers();
  await sendRequests(20);
  const before = await countRequests();
  const countEvents = async () => {
    const values = await scrape(port);
    return [values.get('rostra_worker_starts_total'), values.get('rostra_worker_crashes_total')];
  };
  assert.deepEqual(await countEvents(), [2, 0]);
  process.kill(await findWorker(server), 'SIGKILL');
  await server.waitForLine(/worker crashed/);
  assert.ok((await countRequests()) >= before);
  await waitForWorkers();
  await sendRequests(5);
  assert.equal(await countRequests(), before + 5);
  assert.deepEqual(await countEvents(), [3, 1]);
});

const countRestarts = () => server.lines.filter((line) => line.includes('rolling restart finished')).length;

test('during a rolling restart, counts increase with every request', async () => {
  await waitForWorkers();
  const before = await countRequests();
  const restarts = countRestarts();
  process.kill(server.pid, 'SIGHUP');
  const counts: number[] = [];
  while (countRestarts() === restarts) {
    await sendRequests(1);
    counts.push(await countRequests());
  }
  assert.deepEqual(
    counts,
    counts.map((_, index) => before + index + 1),
  );
});

test('a worker reports its last requests before it ends', async () => {
  await waitForWorkers();
  const before = await countRequests();
  const restarts = countRestarts();
  process.kill(server.pid, 'SIGHUP');
  let sent = 0;
  for (; countRestarts() === restarts; sent += 1) await sendRequests(1);
  assert.equal(await countRequests(), before + sent);
});

test('after an upgrade and two reloads, the version is that of the workers, whose unknown metrics are ignored', async () => {
  const listVersions = async () =>
    (await scrape(port)).list('rostra_build_info').map(({ labels }) => labels.version);
  assert.deepEqual(await listVersions(), ['1.0.0']);
  writeFileSync(versionFile, '99.0.0');
  for (let reload = 0; reload < 2; reload += 1) {
    const restarts = countRestarts();
    process.kill(server.pid, 'SIGHUP');
    // An old worker closes a connection after its next request.
    while (countRestarts() === restarts) await sendRequests(1);
    assert.deepEqual(await listVersions(), ['99.0.0']);
  }
});

test('a port in use is reported with the setting that changes it, with one process and with several', async () => {
  for (const ROSTRA_WORKERS of ['1', '2']) {
    await assert.rejects(
      fixture.startServerProcess({ ROSTRA_METRICS_PORT: String(port), ROSTRA_WORKERS }),
      (error: Error) =>
        error.message.includes(
          `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --metrics-port.`,
        ),
    );
  }
});

test('an address that the machine lacks is reported with the setting that changes it', async () => {
  await assert.rejects(
    fixture.startServerProcess({ ROSTRA_METRICS_PORT: '0', ROSTRA_METRICS_HOST: '192.0.2.1' }),
    /Choose another address with --metrics-host/,
  );
});

test('without ROSTRA_METRICS_PORT, no metrics are served', async () => {
  const plain = await fixture.startServerProcess({ ROSTRA_METRICS_HOST: '127.0.0.1' });
  assert.ok(!plain.lines.some((line) => line.includes('metrics')));
});

test('the port of the metrics is closed after a shutdown', async () => {
  assert.equal(await server.stop(), 0);
  await assert.rejects(sendRequest(port, '/metrics'));
});
