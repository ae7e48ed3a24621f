/** Carries out the commands of docs/backup.md with the tools of an installed PostgreSQL. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../../src/store/open.ts';
import { createChangeMirror } from '../../support/change-mirror.ts';
import { runCliProcess } from '../../support/cli-workspace.ts';
import { storeDefaults } from '../../support/database.ts';
import { createOwnCluster } from '../../support/own-cluster.ts';
import { createSubmission, formatSubmissionId } from '../../support/records.ts';
import { startServer } from '../../support/server.ts';
import { postgresPrograms, skipWithout } from '../../support/system-programs.ts';

const page = readFileSync(new URL('../../../docs/backup.md', import.meta.url), 'utf8');

/** PostgreSQL refuses to run as root. */
const nobody = 65_534;
const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** The first block of a language after a heading. */
function readBlock(heading: string, language: string): string {
  const section = page.slice(page.indexOf(`### ${heading}\n`));
  const [, block] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(section) ?? [];
  return block ?? assert.fail(`docs/backup.md lacks ${heading}`);
}

test('a recovery to the second before a deletion brings everything back that was acknowledged', {
  skip: skipWithout('pg_basebackup'),
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'wal'));
  for (const path of [folder, join(folder, 'wal')]) if (identity.uid) chownSync(path, nobody, nobody);
  const inFolder = (text: string) => text.replaceAll('/var/backups/postgresql', folder);
  const settings = inFolder(readBlock('Archive every change', 'ini')).trim().split('\n');
  const cluster = await createOwnCluster(
    t,
    { settings: ['wal_level = replica', ...settings] },
    postgresPrograms,
  );
  t.after(() => rmSync(`${cluster.data}.before-recovery`, { recursive: true, force: true }));
  const name = new URL(cluster.database).pathname.slice(1);

  const runShell = (script: string) =>
    execFileSync('sh', ['-euc', script], {
      ...identity,
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${postgresPrograms}:${process.env.PATH}`,
        PGHOST: '127.0.0.1',
        PGPORT: String(cluster.port),
        PGUSER: 'postgres',
      },
    });
  runShell(inFolder(readBlock('Archive every change', 'sh')));

  const options = { ...storeDefaults, database: cluster.database };
  const store = await openStore(options);
  const [{ id } = assert.fail()] = await store.listOrganizationNames();
  const put = (n: number) =>
    store.write(id, (writer) => writer.put([{ kind: 'submission', ...createSubmission(n) }]));
  const numbers = [900, 901, 902, 903];
  for (const n of numbers) await put(n);
  const [key = ''] = cluster.keys;
  const before = await startServer(t, cluster.database);
  const mirror = createChangeMirror(before, key);
  const changes = await mirror.poll();
  await setTimeout(1_100);
  const [{ now } = assert.fail()] = await cluster.query<{ now: string }>('SELECT now()::text');
  await setTimeout(1_100);
  const { stdout } = await runCliProcess(['doctor', '--json'], {
    environment: { ROSTRA_DATABASE: cluster.database, ROSTRA_PORT: '0' },
  });
  assert.match(stdout, /"PostgreSQL archives its write-ahead log, last at /);
  await put(999);
  await store.removeOrganization(id);
  assert.equal((await before.get('/me', { key })).status, 401);
  await store.close();

  const restartedWith: Record<string, () => Promise<unknown>> = {
    'systemctl stop rostra': () => before.stop(),
    'systemctl stop postgresql': () => cluster.stop(),
    'systemctl start postgresql': () => cluster.start(),
    'systemctl start rostra': async () => undefined,
    'rostra change-history restart': async () => {
      const { code, stderr } = await runCliProcess(['change-history', 'restart'], {
        environment: { ROSTRA_DATABASE: cluster.database },
      });
      assert.equal(code, 0, stderr);
    },
    [`psql --command="SELECT pg_is_in_recovery()" ${name}`]: async () => {
      while (/t/.test(runShell(`psql --tuples-only --command="SELECT pg_is_in_recovery()" ${name}`)))
        await setTimeout(100);
    },
  };
  const commands = inFolder(readBlock('Return to a point in time', 'sh'))
    .replaceAll('/var/lib/postgresql/15/main', cluster.data)
    .replaceAll('2026-11-22 09:14:59+00', now)
    .replace('" rostra\n', `" ${name}\n`);
  const performed = new Set<string>();
  let script = '';
  for (const line of commands.trim().split('\n')) {
    const perform = restartedWith[line];
    if (perform === undefined) {
      script += `${line}\n`;
      continue;
    }
    if (script !== '') runShell(script);
    script = '';
    performed.add(line);
    await perform();
  }
  assert.deepEqual([...performed].toSorted(), Object.keys(restartedWith).toSorted());

  const after = await startServer(t, cluster.database);
  for (const n of numbers)
    assert.equal((await after.get(`/submissions/${formatSubmissionId(n)}`, { key })).status, 200, String(n));
  assert.equal((await after.get(`/submissions/${formatSubmissionId(999)}`, { key })).status, 404);
  assert.equal((await after.get(`/changes?cursor=${mirror.cursor}`, { key })).status, 410);
  const fresh = createChangeMirror(after, key);
  assert.equal((await fresh.poll()).length, changes.length);
});
