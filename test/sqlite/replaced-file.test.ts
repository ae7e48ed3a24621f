/** Changes of the database files while a server is running. */
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { look } from '../support/cli-workspace.ts';
import { findFreePort } from '../support/cluster.ts';
import { storeDefaults } from '../support/database.ts';
import { isUnavailable } from '../support/exchange.ts';
import { type Scope, temporaryFolder } from '../support/files.ts';
import { newTown, type Town } from '../support/fixture.ts';
import { plainExchange } from '../support/http-client.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A town without open connections, and a backup of it in which Alice's key is revoked. */
async function createTownWithBackup(scope: Scope): Promise<Town & { backup: string }> {
  const town = await newTown(scope);
  const backup = join(temporaryFolder(scope), 'backup.db');
  await town.store.backup(backup);
  await town.store.close();
  const store = await openStore({ ...storeDefaults, database: backup });
  for (const key of await store.findKeys(town.alice.slice(0, 16))) await store.revokeKey(key);
  await store.close();
  return { ...town, backup };
}

const askReady = async ({ port }: ServerProcess) => (await plainExchange(port, '/ready')).status;

async function assertUnavailable(server: ServerProcess, key: string): Promise<void> {
  await waitUntil('503', async () => (await server.get('/me', { key })).status !== 200);
  isUnavailable(await server.get('/submissions', { key }));
  assert.equal(await askReady(server), 503);
  assert.equal((await server.get('/health')).status, 200);
}

const countLines = ({ lines }: ServerProcess, pattern: RegExp) =>
  lines.filter((line) => pattern.test(line)).length;

async function assertRestartsOnNewFile(t: Scope, server: ServerProcess, { database, alice, bob }: Town) {
  assert.equal(await server.ended(), 1);
  assert.equal(countLines(server, /was (replaced|removed)\. This process stops/), 1, server.lines.join('\n'));
  const next = await startServerProcess(t, database);
  assert.equal((await next.get('/submissions', { key: alice })).status, 401);
  assert.equal((await next.get('/submissions', { key: bob })).status, 200);
  look(database, (sql) => assert.equal(sql.pragma('integrity_check', { simple: true }), 'ok'));
}

suite('a running server', { concurrency: 2 }, () => {
  test('stops when its database file is replaced, and does not apply its log to the new file', async (t) => {
    const town = await createTownWithBackup(t);
    const { database, alice, bob } = town;
    const server = await town.serveAsProcess();
    assert.equal((await server.get('/submissions', { key: alice })).status, 200);
    // Leaves a change in the log of the old file.
    const store = await openStore({ ...storeDefaults, database });
    for (const key of await store.findKeys(bob.slice(0, 16))) await store.revokeKey(key);
    await store.close();
    assert.ok(readdirSync(join(database, '..')).includes('rostra.db-wal'));
    renameSync(town.backup, database);
    await assertRestartsOnNewFile(t, server, town);
  });

  test('stops when the symbolic link to its database is changed', async (t) => {
    const town = await createTownWithBackup(t);
    const link = join(temporaryFolder(t), 'current.db');
    symlinkSync(town.database, link);
    const server = await startServerProcess(t, link);
    assert.equal((await server.get('/submissions', { key: town.alice })).status, 200);
    symlinkSync(town.backup, `${link}.new`);
    renameSync(`${link}.new`, link);
    await assertRestartsOnNewFile(t, server, { ...town, database: link });
  });

  test('answers 503 when its database file is removed, and stops when a backup replaces it', async (t) => {
    const town = await createTownWithBackup(t);
    const server = await town.serveAsProcess();
    for (const name of readdirSync(join(town.database, '..'))) rmSync(join(town.database, '..', name));
    await assertUnavailable(server, town.alice);
    assert.equal(countLines(server, /rostra\.db\S* was removed\. Requests with a key get 503/), 1);
    copyFileSync(town.backup, town.database);
    await assertRestartsOnNewFile(t, server, town);
  });

  test('answers again when its database file is moved away and back, and the moved file is complete', async (t) => {
    const town = await createTownWithBackup(t);
    const server = await town.serveAsProcess();
    const { database, alice } = town;
    const store = await openStore({ ...storeDefaults, database });
    const { id } = await store.addOrganization('Neustadt', crypto.randomUUID());
    await store.close();
    renameSync(database, `${database}.moved`);
    await assertUnavailable(server, alice);
    copyFileSync(`${database}.moved`, town.backup);
    look(town.backup, (sql) =>
      assert.ok(sql.prepare('SELECT 1 FROM organization WHERE id = ?').get(id) !== undefined),
    );
    renameSync(`${database}.moved`, database);
    await waitUntil('200', async () => (await server.get('/me', { key: alice })).status === 200);
    await waitUntil('ready', async () => (await askReady(server)) === 200);
    assert.equal(countLines(server, /is back\. The server answers requests again/), 1);
    assert.equal(await server.stop(), 0);
  });

  test('stops when its counters file is removed, and uses a new file after a restart', async (t) => {
    const town = await createTownWithBackup(t);
    const server = await town.serveAsProcess();
    assert.equal((await server.get('/me', { key: town.alice })).status, 200);
    rmSync(`${town.database}-counters`);
    assert.equal(await server.ended(), 1);
    assert.equal(countLines(server, /rostra\.db-counters was removed\. This process stops/), 1);
    const next = await town.serveAsProcess();
    const { headers } = await next.get('/me', { key: town.alice });
    assert.equal(headers['x-ratelimit-remaining'], '999999');
  });

  test('with workers replaces each worker, and continues with the new file', async (t) => {
    const town = await createTownWithBackup(t);
    const server = await town.serveAsProcess({
      ROSTRA_WORKERS: '2',
      ROSTRA_PORT: String(await findFreePort()),
    });
    const { alice, bob } = town;
    assert.equal((await server.get('/me', { key: alice })).status, 200);
    renameSync(town.backup, town.database);
    await waitUntil(
      'the end of both workers',
      () => countLines(server, /worker crashed, starting a replacement/) === 2,
    );
    // The port is closed until the first new worker listens.
    const statusOf = async (key: string) => {
      const answer = await server.get('/me', { key }).catch(() => undefined);
      return answer?.status;
    };
    await waitUntil('a worker on the new file', async () => (await statusOf(alice)) === 401);
    for (let request = 0; request < 8; request += 1) {
      assert.equal((await server.get('/me', { key: alice })).status, 401);
      assert.equal((await server.get('/me', { key: bob })).status, 200);
    }
    assert.equal(await server.stop(), 0);
  });

  test('ignores a backup, a vacuum, a checkpoint and commands', async (t) => {
    const town = await newTown(t);
    const server = await town.serveAsProcess();
    await town.run('backup', join(temporaryFolder(t), 'copy.db'));
    look(town.database, (sql) => sql.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
    await town.run('organization', 'add', 'Neustadt');
    assert.equal((await server.get('/me', { key: town.alice })).status, 200);
    rmSync(town.database);
    await assertUnavailable(server, town.alice);
    assert.equal(countLines(server, /"msg":"The database file .+ was (removed|replaced)/), 1);
    assert.equal(countLines(server, /is back:/), 0);
  });
});
