/** Changes of the database files while a server is running. */

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { assertUnavailable } from '../support/api-client.ts';
import { openSqlite } from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { findFreePort } from '../support/free-port.ts';
import { sendRequest } from '../support/http-client.ts';
import { type Server, startServer } from '../support/server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A town without open connections, and a backup of it in which Alice's key is revoked. */
async function createFixtureWithBackup(scope: Scope): Promise<Fixture & { backup: string }> {
  const fixture = await createFixture(scope);
  const backup = join(createTemporaryFolder(scope), 'backup.db');
  await fixture.store.backup(backup);
  await fixture.store.close();
  const store = await openStore({ ...storeDefaults, database: backup });
  for (const key of await store.findKeys(fixture.alice.slice(0, 16))) await store.revokeKey(key);
  await store.close();
  return { ...fixture, backup };
}

const fetchReadinessStatus = async ({ port }: Server) => (await sendRequest(port, '/ready')).status;

async function assertServerUnavailable(server: Server, key: string): Promise<void> {
  await waitUntil('503', async () => (await server.get('/me', { key })).status !== 200);
  assertUnavailable(await server.get('/submissions', { key }));
  assert.equal(await fetchReadinessStatus(server), 503);
  assert.equal((await server.get('/health')).status, 200);
}

const countLines = ({ lines }: Server, pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;

async function assertRestartsOnNewFile(t: Scope, server: ServerProcess, { database, alice, bob }: Fixture) {
  assert.equal(await server.waitForExit(), 1);
  assert.equal(countLines(server, /was (replaced|removed)\. This process stops/), 1, server.lines.join('\n'));
  const next = await startServer(t, database);
  assert.equal((await next.get('/submissions', { key: alice })).status, 401);
  assert.equal((await next.get('/submissions', { key: bob })).status, 200);
  openSqlite(database, (sql) => assert.equal(sql.pragma('integrity_check', { simple: true }), 'ok'));
}

suite('a running server', { concurrency: 2 }, () => {
  test('stops when its database file is replaced, and does not apply its log to the new file', async (t) => {
    const fixture = await createFixtureWithBackup(t);
    const { database, alice, bob } = fixture;
    const server = await fixture.startServerProcess();
    assert.equal((await server.get('/submissions', { key: alice })).status, 200);
    // Leaves a change in the log of the old file.
    const store = await openStore({ ...storeDefaults, database });
    for (const key of await store.findKeys(bob.slice(0, 16))) await store.revokeKey(key);
    await store.close();
    assert.ok(readdirSync(join(database, '..')).includes('rostra.db-wal'));
    renameSync(fixture.backup, database);
    await assertRestartsOnNewFile(t, server, fixture);
  });
  test('stops when the symbolic link to its database is changed', async (t) => {
    const fixture = await createFixtureWithBackup(t);
    const link = join(createTemporaryFolder(t), 'current.db');
    symlinkSync(fixture.database, link);
    const server = await startServerProcess(t, link);
    assert.equal((await server.get('/submissions', { key: fixture.alice })).status, 200);
    symlinkSync(fixture.backup, `${link}.new`);
    renameSync(`${link}.new`, link);
    await assertRestartsOnNewFile(t, server, { ...fixture, database: link });
  });
  test('answers 503 when its database file is removed, and stops when a backup replaces it', async (t) => {
    const fixture = await createFixtureWithBackup(t);
    const server = await fixture.startServerProcess();
    for (const name of readdirSync(join(fixture.database, '..'))) rmSync(join(fixture.database, '..', name));
    await assertServerUnavailable(server, fixture.alice);
    assert.equal(countLines(server, /rostra\.db\S* was removed\. Requests with a key get 503/), 1);
    copyFileSync(fixture.backup, fixture.database);
    await assertRestartsOnNewFile(t, server, fixture);
  });
  test('answers again when its database file is moved away and back, and the moved file is complete', async (t) => {
    const fixture = await createFixtureWithBackup(t);
    const server = await fixture.startServer();
    const { database, alice } = fixture;
    const store = await openStore({ ...storeDefaults, database });
    const { id } = await store.addOrganization('Neustadt', crypto.randomUUID());
    await store.close();
    renameSync(database, `${database}.moved`);
    await assertServerUnavailable(server, alice);
    copyFileSync(`${database}.moved`, fixture.backup);
    openSqlite(fixture.backup, (sql) =>
      assert.ok(sql.prepare('SELECT 1 FROM organization WHERE id = ?').get(id) !== undefined),
    );
    renameSync(`${database}.moved`, database);
    await waitUntil('200', async () => (await server.get('/me', { key: alice })).status === 200);
    await waitUntil('ready', async () => (await fetchReadinessStatus(server)) === 200);
    assert.equal(countLines(server, /is back\. The server answers requests again/), 1);
  });
  test('stops when its counters file is removed, and uses a new file after a restart', async (t) => {
    const fixture = await createFixtureWithBackup(t);
    const server = await fixture.startServerProcess();
    assert.equal((await server.get('/me', { key: fixture.alice })).status, 200);
    rmSync(`${fixture.database}-counters`);
    assert.equal(await server.waitForExit(), 1);
    assert.equal(countLines(server, /rostra\.db-counters was removed\. This process stops/), 1);
    const next = await fixture.startServer();
    const { headers } = await next.get('/me', { key: fixture.alice });
    assert.equal(headers['x-ratelimit-remaining'], '999999');
  });
  test('with workers replaces each worker, and continues with the new file', async (t) => {
    const fixture = await createFixtureWithBackup(t);
    const server = await fixture.startServerProcess({
      ROSTRA_WORKERS: '2',
      ROSTRA_PORT: String(await findFreePort()),
    });
    const { alice, bob } = fixture;
    assert.equal((await server.get('/me', { key: alice })).status, 200);
    renameSync(fixture.backup, fixture.database);
    await waitUntil(
      'the end of both workers',
      () => countLines(server, /worker crashed, starting a replacement/) === 2,
    );
    // The port is closed until the first new worker listens.
    const statusOf = async (key: string) => {
      const response = await server.get('/me', { key }).catch(() => undefined);
      return response?.status;
    };
    await waitUntil('a worker on the new file', async () => (await statusOf(alice)) === 401);
    for (let request = 0; request < 8; request += 1) {
      assert.equal((await server.get('/me', { key: alice })).status, 401);
      assert.equal((await server.get('/me', { key: bob })).status, 200);
    }
    assert.equal(await server.stop(), 0);
  });
  test('ignores a backup, a vacuum, a checkpoint and commands', async (t) => {
    const fixture = await createFixture(t);
    const server = await fixture.startServer();
    await fixture.runCli('backup', join(createTemporaryFolder(t), 'copy.db'));
    openSqlite(fixture.database, (sql) => sql.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
    await fixture.runCli('organization', 'add', 'Neustadt');
    assert.equal((await server.get('/me', { key: fixture.alice })).status, 200);
    rmSync(fixture.database);
    await assertServerUnavailable(server, fixture.alice);
    assert.equal(countLines(server, /"msg":"The database file .+ was (removed|replaced)/), 1);
    assert.equal(countLines(server, /is back:/), 0);
  });
});
