/** The metrics that both engines have. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { hashToken } from '../../src/domain/accounts/one-time-link.ts';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { signInFailures } from '../../src/platform/metrics/metrics-registry.ts';
import { engine } from '../support/database.ts';
import { createFixture } from '../support/fixture.ts';
import { createAccount, createFormClient, signIn } from '../support/form-client.ts';
import { sendRequest } from '../support/http-client.ts';
import { isNightly } from '../support/nightly.ts';
import { findMetricsPort, listMissingMetrics, scrape } from '../support/scrape.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a, alice } = fixture;
const requestPool = engine === 'SQLite' ? 'reader' : 'primary';

const start = async (environment: Record<string, string> = {}) => {
  const server = await fixture.startServerProcess({ ROSTRA_METRICS_PORT: '0', ...environment });
  return { server, port: await findMetricsPort(server) };
};

const { server, port } = await start({ ROSTRA_OPEN_DATA_RATE_LIMIT: '1' });

test('requests are counted by operation and status, and their time by operation', async () => {
  const before = await scrape(port);
  for (let count = 0; count < 3; count += 1) await server.get('/submissions', { key: alice });
  await server.get('/submissions?limit=0', { key: alice });
  await server.get('/submissions');
  await server.get('/nothing');
  const after = await scrape(port);
  const countNew = (operation: string, status: string) =>
    after.get('rostra_http_requests_total', { operation, status }) -
    before.get('rostra_http_requests_total', { operation, status });
  assert.deepEqual(
    [
      countNew('listSubmissions', '200'),
      countNew('listSubmissions', '400'),
      countNew('listSubmissions', '401'),
      countNew('unknown', '404'),
    ],
    [3, 1, 1, 1],
  );
  const operation = 'listSubmissions';
  const name = 'rostra_http_request_duration_seconds';
  assert.equal(after.get(`${name}_count`, { operation }) - before.get(`${name}_count`, { operation }), 5);
  assert.ok(after.get(`${name}_sum`, { operation }) > 0);
  const buckets = after.list(`${name}_bucket`).filter(({ labels }) => labels.operation === operation);
  const totals = buckets.map(({ value }) => value);
  assert.deepEqual(
    totals,
    totals.toSorted((one, other) => one - other),
  );
  assert.deepEqual(
    [buckets.at(-1)?.labels.le, buckets.at(-1)?.value],
    ['+Inf', after.get(`${name}_count`, { operation })],
  );
});

test('requests without a key that are rejected are counted', async () => {
  const count = async (status: string) =>
    (await scrape(port)).get('rostra_http_requests_total', { operation: 'openData', status });
  for (let request = 0; request < 3; request += 1) await sendRequest(server.port, '/open/unknown/x.csv');
  assert.deepEqual([await count('404'), await count('429')], [1, 2]);
});

test('repeated requests are hits of the response cache', async () => {
  const path = '/submissions?limit=7';
  const count = async (result: string) =>
    (await scrape(port)).get('rostra_response_cache_requests_total', { result });
  const [hits, misses] = [await count('hit'), await count('miss')];
  for (let request = 0; request < 4; request += 1) await server.get(path, { key: alice });
  assert.deepEqual([(await count('hit')) - hits, (await count('miss')) - misses], [2, 2]);
});

test('a key gets the cached response of another key of its municipality, and no key that of another municipality', async () => {
  const path = '/submissions?limit=6';
  const count = async (result: string) =>
    (await scrape(port)).get('rostra_response_cache_requests_total', { result });
  for (let request = 0; request < 2; request += 1) await server.get(path, { key: alice });
  const [hits, misses] = [await count('hit'), await count('miss')];
  const { text } = await server.get(path, { key: fixture.bob });
  assert.deepEqual([(await count('hit')) - hits, (await count('miss')) - misses], [1, 0]);
  assert.equal(text, (await server.get(path, { key: alice })).text);
  await server.get(path, { key: fixture.charlie });
  assert.deepEqual([(await count('hit')) - hits, (await count('miss')) - misses], [2, 1]);
});

test('failed sign-ins are counted by reason, each from zero', async () => {
  const count = async () => {
    const values = await scrape(port);
    return signInFailures.map((reason) => values.get('rostra_sign_in_failures_total', { reason }));
  };
  assert.deepEqual(await count(), [0, 0, 0, 0]);
  const { account } = await createAccount(store, a);
  const secret = randomBytes(32).toString('base64url');
  await store.createLoginSession(
    {
      accountId: account.id,
      tokenHash: hashToken(secret),
      pendingSecondFactor: true,
      reauthenticatedAtMs: undefined,
      address: '',
      browser: '',
    },
    { idleMs: 3_600_000, maxAgeMs: 3_600_000 },
  );
  const client = createFormClient(server.address);
  client.cookies.set('__Host-rostra', secret);
  for (const path of ['code', 'recovery-code'])
    assert.equal((await client.submitForm(`/admin/sign-in/${path}`, { code: 'wrong' })).status, 422);
  for (let attempt = 0; attempt < 11; attempt += 1)
    await signIn(createFormClient(server.address), 'nobody@stadt.example', 'wrong');
  assert.deepEqual(await count(), [10, 2, 0, 1]);
});

test('statements are measured by pool', async () => {
  const name = 'rostra_database_statement_duration_seconds_count';
  const before = (await scrape(port)).get(name, { pool: requestPool });
  await server.get('/me', { key: alice });
  const after = await scrape(port);
  assert.ok(after.get(name, { pool: requestPool }) > before);
  assert.equal(after.get('rostra_database_up'), 1);
  assert.ok(
    after.list('rostra_database_failures_total').some(({ labels, value }) => {
      return labels.pool === requestPool && value === 0;
    }),
  );
});

test('metrics have the state of sources, maintenance and queues', async () => {
  const dayMs = 86_400_000;
  const unusual = 'Anliegen "neu" \\ 1';
  for (const name of [unusual, 'Beschwerden'])
    await store.addSource(a, {
      ...emptySourceDefinition,
      name,
      format: 'table',
      url: 'https://stadt.example/anliegen.csv',
      intervalMs: dayMs,
      options: { mapping: 'submission:\n  id: Nr' },
    });
  await store.endSourceRun(
    { organizationId: a, name: 'Beschwerden' },
    { end: 'done', runId: undefined, validators: {} },
  );
  for (const [day, outcome] of [
    ['01', 'succeeded'],
    ['02', 'failed'],
  ] as const)
    await store.recordMaintenanceRun({
      kind: 'backup',
      startedAt: `2026-03-${day}T02:00:00.000Z`,
      finishedAt: `2026-03-${day}T02:00:30.500Z`,
      outcome,
      detail: {},
    });
  // Another server, because the values of the first one may be ten seconds old.
  const { port } = await start();
  const values = await scrape(port);
  const toLabels = (source: string) => ({ organization: a, source, format: 'table' });
  const getSuccess = (source: string) =>
    values.get('rostra_source_last_success_timestamp_seconds', toLabels(source));
  assert.equal(values.list('rostra_source_last_success_timestamp_seconds').length, 2);
  assert.equal(getSuccess(unusual), 0);
  assert.ok(getSuccess('Beschwerden') > Date.now() / 1_000 - 600);
  assert.ok(
    values.get('rostra_source_stale_timestamp_seconds', toLabels(unusual)) > (Date.now() + dayMs) / 1_000,
  );
  assert.deepEqual(
    ['rostra_sources', 'rostra_sources_failing', 'rostra_sources_stale'].map((name) => values.get(name)),
    [2, 0, 0],
  );
  const kind = { kind: 'backup' };
  assert.deepEqual(
    [
      values.get('rostra_maintenance_last_success_timestamp_seconds', kind),
      values.get('rostra_maintenance_last_run_timestamp_seconds', kind),
      values.get('rostra_maintenance_last_run_succeeded', kind),
    ],
    [Date.parse('2026-03-01T02:00:30.500Z') / 1_000, Date.parse('2026-03-02T02:00:30.500Z') / 1_000, 0],
  );
  assert.equal(values.list('rostra_mail_queue_length')[0]?.value, 0);
  assert.deepEqual(
    values.list('rostra_import_runs').map(({ labels, value }) => [labels.state, value]),
    [
      ['queued', 0],
      ['running', 0],
    ],
  );
});

// By day, test/api/http/metrics.test.ts has two workers: their sum does not depend on the engine.
if (isNightly)
  test('with two workers, the sum has no worker, key or process as a label', async () => {
    const { server, port } = await start({ ROSTRA_WORKERS: '2' });
    await waitUntil('two workers', async () => (await scrape(port)).get('rostra_workers') === 2);
    for (let count = 0; count < 10; count += 1) await server.get('/me', { key: alice });
    const values = await scrape(port);
    assert.equal(values.get('rostra_http_requests_total', { operation: 'getMe', status: '200' }), 10);
    assert.equal(values.get('rostra_workers_configured'), 2);
    assert.equal(values.get('rostra_database_up'), 1);
    assert.deepEqual(listMissingMetrics(values), []);
    assert.ok(!values.text.includes(alice.slice(0, 14)) && !/\bpid\b|process_id|key/.test(values.text));
  });

test('slow clients that use all connections do not keep a scraper out', async (t) => {
  const openSlow = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    socket.write('GET /metrics HTTP/1.1\r\n');
  };
  for (let count = 0; count < 40; count += 1) await openSlow();
  // The kept connections of `scrape` are older than the slow ones, so the server closes them.
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(await response.text(), /^rostra_database_up 1$/m);
});
