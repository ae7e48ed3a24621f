/** A made-up next release, which has a second migration, on a database of this one. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { runCli, runCliProcess } from '../../support/cli-workspace.ts';
import { engine } from '../../support/database.ts';
import { createTemporaryFolder, type Scope } from '../../support/files.ts';
import { sendRequest } from '../../support/http-client.ts';
import { nextMigrationNumber, secondMigrationName } from '../../support/migration-names.ts';
import { rostraFile, startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { assertSameAnswers, assertSignsIn, historyPath } from '../../upgrades/answers.ts';
import {
  createPostgresFixtures,
  type DatabaseSettings,
  type Recording,
  readRecording,
  sqliteFixtures,
} from '../../upgrades/fixture.ts';
import { createInstalledRelease } from '../../upgrades/installed-release.ts';
import { writeFixture } from '../../upgrades/write-fixture.ts';

const fixtures =
  engine === 'SQLite' ? sqliteFixtures : createPostgresFixtures(process.env.ROSTRA_TEST_CLUSTER as string);
const nextRelease = {
  NODE_OPTIONS: `--import ${new URL('../../support/second-migration.ts', import.meta.url)}`,
};
/** Of a release whose migration removes something. */
const breakingRelease = { ...nextRelease, NEEDED_SCHEMA: nextMigrationNumber };
/** Role of a server that may not change tables. */
const asServer = ({ ROSTRA_DATABASE_OWNER: _owner, ...settings }: Record<string, string>) => settings;

const folder = join(createTemporaryFolder({ after }), 'fixture');
let recording: Recording;
before(async () => {
  const create = (...[scope, settings]: Parameters<Parameters<typeof writeFixture>[2]>) =>
    createInstalledRelease(scope, settings, rostraFile);
  await writeFixture({ after }, fixtures, create, folder);
  recording = readRecording(folder);
});

const startServer = (scope: Scope, { ROSTRA_DATABASE, ...others }: DatabaseSettings, release = {}) =>
  startServerProcess(scope, ROSTRA_DATABASE, { ...others, ...release });

async function assertMigrates(settings: DatabaseSettings, release: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCliProcess(['migrate', '--json'], {
    environment: { ...settings, ...release },
  });
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { applied: [secondMigrationName] });
  return stderr;
}

/** The answers of a restored database, whose clients that mirror it start anew. */
const withoutHistory = ({ answers }: Recording) =>
  answers.filter(({ path }) => !path.startsWith(historyPath));

suite('the next release', () => {
  test('upgrades the database under load, while the previous release serves; both give the same answers', async (t) => {
    const settings = await fixtures.restore(t, folder);
    const { access, answers } = recording;
    const previous = await startServer(t, settings);
    let isStopped = false;
    let rounds = 0;
    const read = async () => {
      for (; !isStopped; rounds += 1) await assertSameAnswers(previous.port, access, answers);
    };
    const load = Promise.all([read(), read()]);
    // It is awaited at the end.
    load.catch(() => undefined);
    try {
      await assertMigrates(settings, nextRelease);
      const next = await startServer(t, settings, nextRelease);
      await assertSameAnswers(next.port, access, answers);
      const before = rounds;
      await waitUntil('requests to the previous release after the upgrade', () => rounds > before + 2);
      for (const { address } of [previous, next]) await assertSignsIn(address, access);
    } finally {
      isStopped = true;
      await load;
    }
  });

  test('shares the database with the previous one: each reads what the other writes', async (t) => {
    const settings = await fixtures.restore(t, folder);
    await assertMigrates(settings, nextRelease);
    // The previous release also starts on the schema of the next one.
    const releases = [{}, nextRelease];
    const servers = await Promise.all(
      releases.map((release) => startServer(t, asServer(settings) as DatabaseSettings, release)),
    );
    const issued: string[] = [];
    for (const [index, release] of releases.entries()) {
      const { code, stdout, stderr } = await runCliProcess(
        ['key', 'issue', '--organization', 'Musterstadt', '--name', `Key ${index}`],
        { environment: { ...settings, ...release } },
      );
      assert.equal(code, 0, stderr);
      issued.push(stdout.trim());
    }
    const statusOf = (key: string) =>
      Promise.all(servers.map(async ({ port }) => (await sendRequest(port, '/api/v1/me', { key })).status));
    for (const key of issued) assert.deepEqual(await statusOf(key), [200, 200]);
    for (const [index, key] of issued.entries()) {
      const release = releases[1 - index];
      await runCliProcess(['key', 'revoke', key.slice(0, 16)], { environment: { ...settings, ...release } });
      assert.deepEqual(await statusOf(key), [401, 401]);
    }
    const { code, stderr } = await runCli(['import', 'rostra', '-', '--organization', 'Musterstadt'], {
      environment: settings,
      input: `${JSON.stringify({ kind: 'submission', id: 'new', description: 'A bench.', createdAt: '2026-07-01T10:00:00Z' })}\n`,
    });
    assert.equal(code, 0, stderr);
    for (const { port } of servers) {
      const { text } = await sendRequest(port, '/api/v1/submissions?limit=1', {
        key: recording.access.keys.first,
      });
      assert.match(text, /A bench\./);
    }
  });

  test('is returned from by the backup that its migration wrote, or the dump of PostgreSQL', async (t) => {
    const settings = await fixtures.restore(t, folder);
    const stderr = await assertMigrates(settings, breakingRelease);
    const refused = await runCli(['key', 'list'], { environment: settings });
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      new RegExp(
        `^The database was written by a newer version of Rostra: it has schema ${Number(nextMigrationNumber)}, .+ Install a newer version, or restore a backup taken before the upgrade\\.\n$`,
      ),
    );
    const restored = engine === 'SQLite' ? await restoreBackup(settings, stderr) : await restoreDump(t);
    const server = await startServer(t, restored);
    await assertSameAnswers(server.port, recording.access, withoutHistory(recording));
  });
});

/** As docs/backup.md says. @param stderr of the migration, which names the backup */
async function restoreBackup(settings: DatabaseSettings, stderr: string): Promise<DatabaseSettings> {
  const { ROSTRA_DATABASE: database } = settings;
  const [backup = ''] = readdirSync(dirname(database)).filter((name) =>
    name.startsWith(`${basename(database)}.before-${secondMigrationName}-`),
  );
  assert.ok(stderr.includes(backup), stderr);
  const { code, stderr: message } = await runCli(['restore', join(dirname(database), backup), '--yes'], {
    environment: settings,
  });
  assert.equal(code, 0, message);
  return settings;
}

/** The migration writes no backup there, so the operator restores a dump. */
async function restoreDump(scope: Scope): Promise<DatabaseSettings> {
  const restored = await fixtures.restore(scope, folder);
  const { code, stderr } = await runCli(['change-history', 'restart'], { environment: restored });
  assert.equal(code, 0, stderr);
  return restored;
}
