/** Who was removed after a backup stays out when an operator restores it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import {
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  openSqlite,
  runCli,
} from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';
import type { Scope } from '../support/files.ts';
import { createFormClient, createSignedInClient, password, signIn } from '../support/form-client.ts';
import { type Server, startServer } from '../support/server.ts';

async function createInstallation(t: Scope) {
  const workspace = await createCliWorkspace(t);
  const { database, folder, withDatabase } = workspace;
  const town = await createMunicipality(workspace);
  const run = (...args: string[]) => assertSucceeds(withDatabase(...args));
  const file = join(folder, 'backup.db');
  return {
    ...workspace,
    town,
    run,
    file,
    restore: async (from = file) => JSON.parse(await run('restore', from, '--yes', '--json')),
    /** Runs while a server serves the database. */
    serve: async <Result>(work: (server: Server, store: Store) => Promise<Result>): Promise<Result> => {
      const server = await startServer(t, database);
      const store = await openStore({ ...storeDefaults, database });
      try {
        return await work(server, store);
      } finally {
        await store.close();
        await server.stop();
      }
    },
  };
}

const newPassword = 'a password that the backup does not know';
const by = { name: 'test', address: '' };

/** Sets a password with a new one-time link, which also removes the second factor. */
async function resetPassword(
  { address }: Server,
  run: (...args: string[]) => Promise<string>,
  email: string,
) {
  const link = new URL((await run('admin', 'invite', email)).trim());
  const response = await createFormClient(address).submitForm(link.pathname + link.hash, {
    password: newPassword,
  });
  assert.equal(response.status, 303, response.body);
}

/** As if all events had been exported and deleted. */
function pruneAuditLog(sql: Database.Database): void {
  sql.exec(`INSERT INTO audit_export VALUES
    ('audit.ndjson', '2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z', 1, '${'0'.repeat(64)}', '2100-01-01T00:00:00.000Z')`);
  sql.exec('DELETE FROM audit_event');
}

/** Whether the sign-in succeeds, is rejected, or needs a second factor. */
async function trySignIn({ address }: Server, email: string, typed = password) {
  const { status, location } = await signIn(createFormClient(address), email, typed);
  if (status !== 303) return 'rejected';
  return location?.startsWith('/admin/sign-in/code') ? 'second factor' : 'accepted';
}

test('a restore keeps out who was removed after the backup, and revives no earlier role, password, second factor or key', async (t) => {
  const { town, run, file, restore, serve } = await createInstallation(t);
  const other = await run('organization', 'add', 'Nachbarort');
  const issue = (name: string) => run('key', 'issue', '--organization', town.id, '--name', name);
  const [rotated, unchanged] = [await issue('Rotated'), await issue('Unchanged')];
  const people = await serve(async (server, store) => {
    const add = (organizationId?: string) => createSignedInClient(server, store, organizationId);
    return {
      operator: await add(),
      removed: await add(town.id),
      demoted: await add(town.id),
      restricted: await add(town.id),
      ended: await add(town.id),
      reset: await add(town.id),
      secured: await add(town.id),
      same: await add(town.id),
    };
  });
  const { operator, removed, demoted, restricted, ended, reset, secured, same } = people;
  await run('admin', 'role', restricted.email, '--permissions', 'import,publish');
  await run('admin', 'add', ended.email, '--organization', other);
  await run('backup', file);

  const successor = await serve(async (server, store) => {
    for (const { email } of [operator, removed]) await run('admin', 'remove', email);
    await run('admin', 'role', demoted.email, 'reader');
    await run('admin', 'role', restricted.email, '--permissions', 'publish,keys');
    await run('admin', 'remove', ended.email, '--organization', town.id);
    await resetPassword(server, run, reset.email);
    await store.setSecondFactor(secured.account.id, randomBytes(20), { id: '' }, by);
    await run('key', 'revoke', town.key.slice(0, 16));
    return run('key', 'rotate', rotated.slice(0, 16), '--grace', '0');
  });

  // The next restore of the same backup must not bring back what the first one kept out.
  for (const _ of [1, 2]) {
    const { keptAccess, revivedAccess } = await restore();
    const changed = [operator, removed, demoted, restricted, ended, reset, secured].map(({ email }) => email);
    assert.deepEqual(keptAccess.accounts, changed.toSorted());
    assert.deepEqual(keptAccess.keys.map(({ name }: { name: string }) => name).toSorted(), [
      'Rotated',
      'Test',
    ]);
    assert.deepEqual(revivedAccess, { accounts: [], keys: [], organizations: [] });
    await serve(async (server, store) => {
      for (const { email } of [operator, removed, reset])
        assert.equal(await trySignIn(server, email), 'rejected');
      for (const { email } of [demoted, ended, same])
        assert.equal(await trySignIn(server, email), 'accepted');
      assert.equal(await trySignIn(server, reset.email, newPassword), 'accepted');
      assert.equal(await trySignIn(server, secured.email), 'second factor');
      const findRoles = async ({ email }: typeof same) =>
        (await store.findAccount(email))?.roles.map(({ organizationId, role }) => [organizationId, role]);
      assert.deepEqual(await findRoles(demoted), [[town.id, 'reader']]);
      const { roles = [] } = (await store.findAccount(restricted.email)) ?? {};
      assert.deepEqual(roles[0]?.permissions, ['see', 'publish']);
      assert.deepEqual(await findRoles(ended), [[other, 'administrator']]);
      assert.deepEqual(await findRoles(same), [[town.id, 'administrator']]);
      const statuses = await Promise.all(
        [town.key, rotated, successor, unchanged].map(
          async (key) => (await server.get('/me', { key })).status,
        ),
      );
      assert.deepEqual(statuses, [401, 401, 200, 200]);
    });
  }
});

test('undoing a restore takes nothing from accounts and keys that only the undone restore lacked', async (t) => {
  const { town, run, file, restore, serve, folder } = await createInstallation(t);
  const carla = await serve((server, store) => createSignedInClient(server, store, town.id));
  await run('backup', file);
  const key = await run('key', 'issue', '--organization', town.id, '--name', 'Later');
  const anna = await serve(async (server, store) => {
    await resetPassword(server, run, carla.email);
    return createSignedInClient(server, store, town.id);
  });
  const { previous, keptAccess } = await restore();
  assert.deepEqual(keptAccess, { accounts: [carla.email], keys: [] });
  const undo = join(folder, 'undo.db');
  await assertSucceeds(['backup', undo, '--database', previous]);
  assert.deepEqual((await restore(undo)).keptAccess, { accounts: [], keys: [] });
  await serve(async (server) => {
    assert.equal(await trySignIn(server, anna.email), 'accepted');
    assert.equal(await trySignIn(server, carla.email, newPassword), 'accepted');
    assert.equal((await server.get('/me', { key })).status, 200);
  });
});

test('a restore keeps roles and passwords whose changes were pruned from the audit log, also when it is repeated', async (t) => {
  const { town, run, file, restore, serve, database } = await createInstallation(t);
  const people = await serve(async (server, store) => {
    const add = () => createSignedInClient(server, store, town.id);
    return { demoted: await add(), ended: await add(), reset: await add(), same: await add() };
  });
  const { demoted, ended, reset, same } = people;
  const other = await run('organization', 'add', 'Nachbarort');
  await run('admin', 'add', ended.email, '--organization', other);
  await run('backup', file);
  await serve(async (server) => {
    await run('admin', 'role', demoted.email, 'reader');
    await run('admin', 'remove', ended.email, '--organization', town.id);
    await resetPassword(server, run, reset.email);
  });
  openSqlite(database, pruneAuditLog);
  for (const _ of [1, 2]) {
    const { keptAccess, revivedAccess } = await restore();
    assert.deepEqual(keptAccess.accounts, [demoted, ended, reset].map(({ email }) => email).toSorted());
    assert.deepEqual(revivedAccess, { accounts: [], keys: [], organizations: [] });
    await serve(async (server, store) => {
      assert.equal(await trySignIn(server, reset.email), 'rejected');
      assert.equal(await trySignIn(server, reset.email, newPassword), 'accepted');
      assert.equal(await trySignIn(server, same.email), 'accepted');
      const findRoles = async ({ email }: typeof same) =>
        (await store.findAccount(email))?.roles.map(({ organizationId, role }) => [organizationId, role]);
      assert.deepEqual(await findRoles(demoted), [[town.id, 'reader']]);
      assert.deepEqual(await findRoles(ended), [[other, 'administrator']]);
      assert.deepEqual(await findRoles(same), [[town.id, 'administrator']]);
    });
  }
});

test('a restore lists what may revive if the previous database cannot be read, or its audit log is incomplete', async (t) => {
  const { town, run, file, restore, withDatabase, folder, database } = await createInstallation(t);
  for (const name of ['anna', 'zoe'])
    await run('admin', 'add', `${name}@stadt.example`, '--organization', town.id);
  await run('backup', file);
  await run('admin', 'remove', 'anna@stadt.example');
  await run('key', 'revoke', town.key.slice(0, 16));
  await run('organization', 'remove', town.id, '--yes');
  const lost =
    /previous database is missing or cannot be read\. What was removed or revoked after the backup is active again/;
  const all = /Accounts: anna@stadt\.example, zoe@stadt\.example\. [\s\S]+Keys: sk_\w+ \(Test\)\. /;

  const elsewhere = await runCli(['restore', file, '--yes', '--database', join(folder, 'other.db')]);
  assert.match(elsewhere.stderr, lost);
  assert.match(elsewhere.stderr, all);

  const readable = await runCli(withDatabase('restore', file, '--yes'));
  assert.doesNotMatch(readable.stderr, lost);
  assert.match(
    readable.stderr,
    /passwords and second factors that changed after the backup still apply: anna@stadt\.example\./,
  );
  assert.match(
    readable.stderr,
    new RegExp(`removed after the backup and are published again, .+: ${town.name}\\.`),
  );

  openSqlite(database, pruneAuditLog);
  const incomplete = await runCli(withDatabase('restore', file, '--yes'));
  assert.match(
    incomplete.stderr,
    /audit log was pruned after the backup[\s\S]+Accounts: anna@stadt\.example\. /,
  );

  truncateSync(database, 0);
  rmSync(`${database}-wal`, { force: true });
  const { keptAccess, revivedAccess } = await restore();
  assert.deepEqual([keptAccess, revivedAccess.accounts], [null, ['anna@stadt.example', 'zoe@stadt.example']]);
});
