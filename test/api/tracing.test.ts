/** Traces of requests, statements and imports, as a collector receives them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { version as programVersion } from '../../packaging/package-folder.ts';
import { compileCacheEnvironment } from '../support/checkout.ts';
import { engine } from '../support/database.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { sendRequest } from '../support/http-client.ts';
import { byNight } from '../support/nightly.ts';
import { isCitus } from '../support/postgres-database.ts';
import { mainFile, nodeBinary, type ServerProcess } from '../support/server-process.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const fixture = await createFixture({ after });
const { store, a, alice, revoked } = fixture;
const collector = await startTraceCollector({ after });

const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' };
const server = await fixture.startServerProcess({ ...environment, ROSTRA_TRUSTED_PROXIES: '127.0.0.0/8' });

const findRequestSpan = (requestId: string | undefined) =>
  collector.waitForSpan(({ attributes }) => attributes['rostra.request.id'] === requestId);

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

const readLogLine = async (server: ServerProcess, requestId: string | undefined) =>
  JSON.parse(await server.waitForLine(new RegExp(`"requestId":"${requestId}".*"msg":"request"`)));

test('a request is a span with its route and status, and its statements are children', async () => {
  // Asks PostgreSQL for its extensions, and Citus for the node of the municipality.
  await server.get('/submissions', { key: alice });
  const { headers } = await server.get('/submissions?status=in_review', { key: alice });
  const id = headers['x-request-id'];
  const span = await findRequestSpan(id);
  assert.deepEqual(
    [span.name, span.kind, span.status, span.parentSpanId],
    ['GET /api/v1/submissions', 2, 0, ''],
  );
  const { 'server.address': address, 'server.port': port, ...attributes } = span.attributes;
  assert.deepEqual([address, port], ['127.0.0.1', server.port]);
  assert.deepEqual(attributes, {
    'http.request.method': 'GET',
    'http.route': '/api/v1/submissions',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'rostra.operation': 'listSubmissions',
    'rostra.request.id': id,
    'rostra.organization.id': a,
  });
  const { 'service.name': service, 'service.version': version } = span.resource;
  assert.deepEqual([service, version], ['rostra', programVersion]);
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  // PostgreSQL reads the page with the key, except on Citus.
  assert.equal(statements.length, engine === 'SQLite' || isCitus ? 2 : 1);
  for (const { kind, traceId, attributes } of statements) {
    assert.deepEqual([kind, traceId], [3, span.traceId]);
    assert.equal(attributes['db.system.name'], engine === 'SQLite' ? 'sqlite' : 'postgresql');
    assert.match(String(attributes['db.query.text']), /\$1/);
  }
  assert.equal((await readLogLine(server, id)).traceId, span.traceId);
  assert.ok(collector.requests.every((line) => line === 'POST /v1/traces application/json'));
});

test('the trace of a trusted proxy is continued with its state, and remains unsampled if the proxy did not sample it', async () => {
  const sent = await server.get('/me', {
    key: alice,
    headers: { traceparent, tracestate: 'vendor=1' },
  });
  const span = await findRequestSpan(sent.headers['x-request-id']);
  assert.deepEqual([span.traceId, span.parentSpanId, span.traceState], [traceId, spanId, 'vendor=1']);
  const unsampled = await server.get('/me', {
    key: alice,
    headers: { traceparent: traceparent.replace(/01$/, '00') },
  });
  const line = await readLogLine(server, unsampled.headers['x-request-id']);
  assert.equal(line.traceId, traceId);
  const later = await server.get('/me', { key: alice });
  await findRequestSpan(later.headers['x-request-id']);
  assert.ok(
    !collector.spans.some(
      ({ attributes }) => attributes['rostra.request.id'] === unsampled.headers['x-request-id'],
    ),
  );
});

test('invalid trace headers begin a new trace', async () => {
  for (const invalid of [
    'nonsense',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `${traceparent}-extra`,
    [traceparent, traceparent],
  ]) {
    const { headers } = await server.get('/me', { key: alice, headers: { traceparent: invalid } });
    const span = await findRequestSpan(headers['x-request-id']);
    assert.notEqual(span.traceId, traceId, String(invalid));
    assert.equal(span.parentSpanId, '');
  }
});

test('no span contains a key, a path of the client or a query', async () => {
  const secret = alice.slice(-20);
  for (const path of [
    `/submissions/${alice}`,
    `/${alice}`,
    `/submissions?topic=Suchbegriff-${secret}`,
    '/sessions/Maria-Mustermann',
  ]) {
    const { headers } = await server.get(path, { key: alice });
    await findRequestSpan(headers['x-request-id']);
  }
  const rejected = await server.get('/me', { key: revoked });
  await findRequestSpan(rejected.headers['x-request-id']);
  const admin = await sendRequest(server.port, '/admin/invitation/geheimnis-der-einladung');
  await collector.waitForSpan(({ attributes }) => String(attributes['http.route']).startsWith('/admin/'));
  assert.ok(admin.status < 500);
  const text = collector.text();
  for (const word of [
    secret,
    alice.slice(0, 14),
    revoked.slice(-20),
    'Suchbegriff',
    'Mustermann',
    'geheimnis',
  ])
    assert.ok(!text.includes(word), word);
});

test('an import is a span with its statements and its result', {
  skip: byNight('it runs an import'),
}, async (t) => {
  const file = join(createTemporaryFolder(t), 'submissions.csv');
  const description = 'Die Laterne vor Hausnummer 7 ist defekt.';
  writeFileSync(
    file,
    `id,referenceNumber,description,status,topicCategoryName,createdAt\n1,A-1,${description},submitted,Verkehr,2026-03-01\n`,
  );
  const command = [mainFile, 'import', 'rostra', file, '--organization', a, '--database', fixture.database];
  const env = { PATH: process.env.PATH, ...compileCacheEnvironment, ...environment };
  await promisify(execFile)(nodeBinary, command, { env });
  const span = collector.spans.find(({ name }) => name === 'import');
  const { 'rostra.import.run_id': runId, ...attributes } = span?.attributes ?? {};
  assert.deepEqual(attributes, {
    'rostra.organization.id': a,
    'rostra.import.format': 'rostra',
    'rostra.import.dry_run': false,
    'rostra.import.outcome': 'done',
    'rostra.import.records': 1,
  });
  assert.ok((await store.listImportRuns(a, undefined, 1)).some(({ id }) => id === runId));
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === span?.spanId);
  assert.ok(statements.some(({ name }) => name === 'INSERT'));
  assert.ok(!collector.text().includes(description) && !collector.text().includes('Laterne'));
});
