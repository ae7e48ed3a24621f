/** Settings of traces, and processes that end or have no collector. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCommandContext } from '../../../src/program/run-command.ts';
import { compileCacheEnvironment } from '../../support/checkout.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { findFreePort } from '../../support/free-port.ts';
import { mainFile, nodeBinary } from '../../support/server-process.ts';
import { startTraceCollector } from '../../support/trace-collector.ts';

const fixture = await createFixture({ after });
const { alice } = fixture;
const collector = await startTraceCollector({ after });

const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
/** Tests that find a span only then show that it is exported before the process ends. */
const lateExport = { OTEL_BSP_SCHEDULE_DELAY: '3600000' };

const findRequestSpan = (requestId: string | undefined) =>
  collector.spans.find(({ attributes }) => attributes['rostra.request.id'] === requestId);

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

test('requests of others than trusted proxies begin a trace, which is exported before the server ends', async () => {
  const untrusting = await fixture.startServerProcess({
    ...environment,
    ...lateExport,
    OTEL_SERVICE_NAME: 'beteiligung',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    ROSTRA_TRUSTED_PROXIES: '192.0.2.1',
  });
  const { headers } = await untrusting.get('/me', { key: alice, headers: { traceparent } });
  assert.equal(await untrusting.stop(), 0);
  const span = findRequestSpan(headers['x-request-id']);
  assert.ok(span !== undefined && span.traceId !== traceId);
  assert.deepEqual(
    [span.resource['service.name'], span.resource['deployment.environment.name']],
    ['beteiligung', 'test'],
  );
});

test('the ratio of samples is respected', async () => {
  const silent = await fixture.startServerProcess({
    ...environment,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  const { headers } = await silent.get('/me', { key: alice });
  assert.equal(await silent.stop(), 0);
  assert.equal(findRequestSpan(headers['x-request-id']), undefined);
});

test('the variables can be in the configuration file, and those of the environment count before them; workers export their spans before they end', async (t) => {
  const file = join(createTemporaryFolder(t), 'rostra.conf');
  const lines = [`OTEL_EXPORTER_OTLP_ENDPOINT=${collector.endpoint}`, 'OTEL_SERVICE_NAME=file'];
  writeFileSync(file, [...lines, 'OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=file'].join('\n'));
  const configured = await fixture.startServerProcess({
    ...lateExport,
    ROSTRA_CONFIG: file,
    ROSTRA_WORKERS: '2',
    OTEL_SERVICE_NAME: 'environment',
  });
  const { headers } = await configured.get('/me', { key: alice });
  assert.equal(await configured.stop(), 0);
  const { resource } = findRequestSpan(headers['x-request-id']) ?? {};
  assert.deepEqual(
    [resource?.['service.name'], resource?.['deployment.environment.name']],
    ['environment', 'file'],
  );
  assert.ok(!configured.lines.some((line) => line.includes('has no effect')));
});

test('without a collector, requests are answered, one warning is logged, and the server stops', async (t) => {
  for (const status of ['refused', 'silent']) {
    const silent = await startTraceCollector(t);
    silent.respondWith(undefined);
    const endpoint = status === 'silent' ? silent.endpoint : `http://127.0.0.1:${await findFreePort()}`;
    const lonely = await fixture.startServerProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '10',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    });
    for (let count = 0; count < 20; count += 1)
      assert.equal((await lonely.get('/me', { key: alice })).status, 200);
    await lonely.waitForLine(/Traces are not exported/);
    assert.equal(await lonely.stop(), 0);
    assert.equal(lonely.lines.filter((line) => line.includes('Traces are not exported')).length, 1);
  }
});

test('invalid variables of OpenTelemetry are reported with their name, with exit code 2', async () => {
  const start = (name: string, value: string) =>
    createCommandContext({ ...environment, [name]: value }).startTracing(() => undefined);
  for (const [name, value, message] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'must be a URL such as http://127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://x', 'must be a URL such as http://127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/json'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1, not "1.5"'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'many', 'must be a whole number from 1, not "many"'],
  ] as const)
    await assert.rejects(start(name, value), (error: Error) =>
      error.message.startsWith(`${name} ${message}`),
    );
  const env = {
    PATH: process.env.PATH,
    ...compileCacheEnvironment,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://user:password@x',
  };
  const { status, stderr } = spawnSync(
    nodeBinary,
    [mainFile, 'serve', '--port', '0', '--database', fixture.database],
    { encoding: 'utf8', env },
  );
  assert.equal(status, 2);
  const { level, msg } = JSON.parse(stderr);
  assert.deepEqual(
    [level, msg],
    [60, 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://127.0.0.1:4318.'],
  );
});
