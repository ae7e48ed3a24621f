import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { assertSucceeds, createCliWorkspace, createMunicipality, runCli } from '../support/cli-workspace.ts';
import { engine, storeDefaults } from '../support/database.ts';
import type { Scope } from '../support/files.ts';
import { findFreePort } from '../support/free-port.ts';

test('the database keeps the last run of each kind of maintenance, and the time of its last success', async (t) => {
  const { database } = await createCliWorkspace(t);
  const store = await openStore({ ...storeDefaults, database });
  t.after(() => store.close());
  assert.deepEqual(await store.listMaintenanceRuns(), []);
  const at = (minute: number) => ({
    startedAt: `2026-03-01T09:${minute}:00.000Z`,
    finishedAt: `2026-03-01T09:${minute}:30.000Z`,
  });
  const failure = { ...at(10), kind: 'prune', outcome: 'failed', detail: { error: 'no space' } } as const;
  await store.recordMaintenanceRun(failure);
  const success = { ...at(11), kind: 'backup', outcome: 'succeeded', detail: { bytes: 7 } } as const;
  await store.recordMaintenanceRun(success);
  assert.deepEqual(await store.listMaintenanceRuns(), [
    { ...success, lastSuccessAt: success.finishedAt },
    { ...failure, lastSuccessAt: null },
  ]);
  const later = { ...failure, ...at(12), kind: 'backup' } as const;
  await store.recordMaintenanceRun(later);
  assert.deepEqual((await store.listMaintenanceRuns())[0], { ...later, lastSuccessAt: success.finishedAt });
});

/** Records the requests, as a service such as healthchecks.io does. */
async function startPingServer(scope: Scope) {
  const requests: string[] = [];
  const service = { status: 200, requests, address: '', takeRequests: () => requests.splice(0) };
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(service.status).end('OK');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  service.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return service;
}

test('each scheduled task pings its own address after a success, and its failure address after a failure', async (t) => {
  const workspace = await createCliWorkspace(t);
  const town = await createMunicipality(workspace);
  const service = await startPingServer(t);
  const environment = { ROSTRA_PING_URL: `${service.address}/secret/` };
  const run = (...args: string[]) => runCli(workspace.withDatabase(...args), { environment });
  if (engine === 'SQLite') {
    assert.equal((await run('backup', join(workspace.folder, 'backup.db'))).code, 0);
    assert.equal((await run('backup', join(workspace.folder, 'missing', 'backup.db'))).code, 1);
    assert.equal((await run('drill')).code, 0);
    assert.deepEqual(service.takeRequests(), [
      'GET /secret/rostra-backup',
      'GET /secret/rostra-backup/fail',
      'GET /secret/rostra-drill',
    ]);
  }
  assert.equal((await run('prune')).code, 0);
  assert.equal((await run('source', 'run', '--due')).code, 0);
  assert.deepEqual(service.takeRequests(), ['GET /secret/rostra-prune', 'GET /secret/rostra-sources']);

  const source = ['source', 'add', 'Anliegen', '--organization', town.id, '--format', 'rostra'];
  await assertSucceeds(workspace.withDatabase(...source, '--url', 'https://127.0.0.1/x', '--every', '1d'));
  assert.equal((await run('source', 'run', '--due')).code, 1);
  const fail = (hoursAgo: number) =>
    workspace.sql('UPDATE import_source SET failing_since = $1', [
      new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
    ]);
  await fail(25);
  await run('source', 'run', '--due');
  assert.deepEqual(service.takeRequests(), ['GET /secret/rostra-sources', 'GET /secret/rostra-sources/fail']);
});

test('a task succeeds if its ping fails, and the message does not contain the secret of the address', async (t) => {
  const workspace = await createCliWorkspace(t);
  await createMunicipality(workspace);
  const service = await startPingServer(t);
  service.status = 404;
  for (const [address, reason] of [
    [service.address, /did not accept the ping rostra-prune: it answered with status 404/],
    [`http://127.0.0.1:${await findFreePort()}`, /did not accept the ping rostra-prune: .*ECONNREFUSED/],
  ] as const) {
    const environment = { ROSTRA_PING_URL: `${address}/secret` };
    const { code, stderr } = await runCli(workspace.withDatabase('prune'), { environment });
    assert.equal(code, 0, stderr);
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, /secret/);
  }
});
