import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { assertUnavailable } from '../../support/api-client.ts';
import { assertStopsHealthy, fetchReadiness, reportRecovery, startLoad } from '../../support/failure-load.ts';
import { createTemporaryFolder, type Scope } from '../../support/files.ts';
import { createOwnCluster } from '../../support/own-cluster.ts';
import { findBinaries } from '../../support/postgres-cluster.ts';
import { templateName } from '../../support/postgres-database.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

/**
 * Runs a program with a private disk of 1 MB at `$1`. Mounting requires root in a user namespace, and PostgreSQL refuses to
 * run as root, so it runs in a second namespace.
 */
const withSmallDisk = `small=$1; shift
exec unshare --map-root-user --mount sh -c 'small=$1; shift
mount -t tmpfs -o size=1m tmpfs "$small" && exec unshare --map-user=65534 --map-group=65534 "$@"' sh "$small" "$@"`;

const canMount = spawnSync('sh', ['-c', withSmallDisk, 'sh', '/tmp', 'true']).status === 0;

/** @returns a folder with `initdb` and `postgres`. The server has a small disk in its data folder. */
async function installWithSmallDisks(scope: Scope): Promise<string> {
  const { folder: installed, remove } = await findBinaries();
  scope.after(remove);
  const folder = createTemporaryFolder(scope);
  chmodSync(folder, 0o755);
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  program('initdb', `exec "${installed}/initdb" "$@"`);
  // The first arguments are -D and the data folder.
  program(
    'postgres',
    `mkdir -p "$2/small"\nset -- "$2/small" "${installed}/postgres" "$@"\n${withSmallDisk}`,
  );
  return folder;
}

test('while the disk of the counters is full, requests return 503 and none succeeds without being counted', async (t) => {
  if (!canMount) return t.skip('this user cannot mount a tmpfs with unshare');
  const cluster = await createOwnCluster(t, {}, await installWithSmallDisks(t));
  const small = join(cluster.data, 'small');
  await cluster.query(`CREATE TABLESPACE small LOCATION '${small}'`);
  await cluster.query('ALTER TABLE rate_window SET TABLESPACE small');
  await cluster.query('ALTER INDEX rate_window_pkey SET TABLESPACE small');
  const [key] = cluster.keys as [string];
  const server = await startServerProcess(t, cluster.database);
  assert.equal((await server.get('/me', { key })).status, 200);

  const runOnSmallDisk = (command: string) =>
    cluster.query(`COPY (SELECT 1) TO PROGRAM 'cat > /dev/null; cd "${small}"; ${command}'`);
  await runOnSmallDisk('head -c 2M /dev/zero > ballast 2> /dev/null || true');
  // An open snapshot keeps old row versions, so each update needs new space.
  const reader = new Client(cluster.url('postgres', templateName));
  // The cluster stops first.
  reader.on('error', () => undefined);
  await reader.connect();
  t.after(() => reader.end());
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT');

  let answered = 1;
  let rejected = 0;
  for (let sent = 0; sent < 200; sent += 1) {
    const response = await server.get('/me', { key });
    if (response.status === 200) answered += 1;
    else {
      assertUnavailable(response);
      rejected += 1;
    }
  }
  assert.ok(answered > 1 && rejected > 0, `${answered} answered, ${rejected} rejected`);
  const [use] = await cluster.query<{ used: number }>('SELECT used FROM rate_window');
  assert.equal(use?.used, answered);
  await server.waitForLine(/No space left on device/);

  const load = startLoad(server, cluster.keys);
  await load.waitForResponses(100, 503);
  await waitUntil('/ready with status 503', async () => (await fetchReadiness(server)).status === 503);
  await runOnSmallDisk('rm ballast');
  const recoveredMs = await load.waitForRecovery();
  reportRecovery(t, await load.stop(), recoveredMs);
  await assertStopsHealthy(server);
});
