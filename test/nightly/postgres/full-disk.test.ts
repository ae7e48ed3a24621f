import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from 'pg';
import { findBinaries } from '../../support/cluster.ts';
import { isUnavailable } from '../../support/exchange.ts';
import { type Scope, temporaryFolder } from '../../support/files.ts';
import { askReady, reportRecovery, startLoad, stopSound } from '../../support/load.ts';
import { createOwnCluster } from '../../support/own-cluster.ts';
import { templateName } from '../../support/postgres-database.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

/**
 * Runs a program that sees a disk of 1 MB at `$1`, and nobody else does. The user who mounts it has to be root in a
 * name space of its own, and PostgreSQL refuses to be root, so it gets another one inside.
 */
const withSmallDisk = `small=$1; shift
exec unshare --map-root-user --mount sh -c 'small=$1; shift
mount -t tmpfs -o size=1m tmpfs "$small" && exec unshare --map-user=65534 --map-group=65534 "$@"' sh "$small" "$@"`;

const canMount = spawnSync('sh', ['-c', withSmallDisk, 'sh', '/tmp', 'true']).status === 0;

/** A folder of programs as those of PostgreSQL, the server among them with a small disk in its folder of data. */
async function installWithSmallDisks(scope: Scope): Promise<string> {
  const { folder: installed, remove } = await findBinaries();
  scope.after(remove);
  const folder = temporaryFolder(scope);
  chmodSync(folder, 0o755);
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  program('initdb', `exec "${installed}/initdb" "$@"`);
  // Its arguments begin with -D and the folder.
  program(
    'postgres',
    `mkdir -p "$2/small"\nset -- "$2/small" "${installed}/postgres" "$@"\n${withSmallDisk}`,
  );
  return folder;
}

test('a full disk under the counters is 503: never a free pass, nor a 500; and it recovers', async (t) => {
  if (!canMount) return t.skip('this system lets this user mount no small disk (unshare, tmpfs)');
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
  // While somebody may still read the old versions of a row, each count takes new room.
  const reader = new Client(cluster.url('postgres', templateName));
  // The cluster is gone before the reader is.
  reader.on('error', () => undefined);
  await reader.connect();
  t.after(() => reader.end());
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT');

  let answered = 1;
  let refused = 0;
  for (let sent = 0; sent < 200; sent += 1) {
    const answer = await server.get('/me', { key });
    if (answer.status === 200) answered += 1;
    else {
      isUnavailable(answer);
      refused += 1;
    }
  }
  assert.ok(answered > 1 && refused > 0, `${answered} answered, ${refused} refused`);
  const [use] = await cluster.query<{ used: number }>('SELECT used FROM rate_window');
  assert.equal(use?.used, answered);
  await server.line(/No space left on device/);

  const load = startLoad(server, cluster.keys);
  await load.waitForAnswers(100, 503);
  await waitUntil('/ready without room', async () => (await askReady(server)).status === 503);
  await runOnSmallDisk('rm ballast');
  const recoveredMs = await load.waitForRecovery();
  reportRecovery(t, await load.stop(), recoveredMs);
  await stopSound(server);
});
