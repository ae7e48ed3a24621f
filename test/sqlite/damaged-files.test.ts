/** Damaged files, files of another user, and a database that cannot record a failed run: operators hear what to do. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { assertUnavailable } from '../support/api-client.ts';
import { checkout } from '../support/checkout.ts';
import {
  assertFails,
  assertNoStack,
  assertSucceeds,
  createEnvironment,
  runCli,
} from '../support/cli-workspace.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import {
  createFixture,
  createFixtureWithServer,
  createFixtureWithServerProcess,
} from '../support/fixture.ts';
import { createSignedInClient } from '../support/form-client.ts';
import { sendRequest } from '../support/http-client.ts';
import { byNight, runsEveryTest } from '../support/nightly.ts';
import { formatSurveyId } from '../support/records.ts';
import { findMetricsPort, scrape } from '../support/scrape.ts';
import { mainFile, nodeBinary, startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const remedy =
  /Stop the service, keep all files of the database, and restore a backup\. See docs\/damaged-database\.md\.$/m;
const remedyOfCounters =
  /Stop the service, move this file away together with its "-wal" and "-shm", and start the service\./;

const junk = (bytes: number) => Buffer.alloc(bytes, 'junk');

function overwrite(file: string, at: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

const original = await createFixture({ after });
const backup = join(createTemporaryFolder({ after }), 'backup.db');
await original.store.backup(backup);

/** A database as after the end of its server. */
async function copyDatabase(scope: Scope): Promise<string> {
  await original.sql('PRAGMA wal_checkpoint(TRUNCATE)');
  await original.sql('PRAGMA counters.wal_checkpoint(TRUNCATE)');
  const database = join(createTemporaryFolder(scope), 'rostra.db');
  for (const suffix of ['', '-counters'])
    writeFileSync(database + suffix, readFileSync(original.database + suffix), { mode: 0o600 });
  return database;
}

/** Damage that no command can read over. */
const damages: Record<string, (database: string) => void> = {
  'a header of zeros': (database) => overwrite(database, 0, Buffer.alloc(100)),
  'a first page of junk': (database) => overwrite(database, 0, junk(8_192)),
  'junk behind the header': (database) => overwrite(database, 100, junk(8_000)),
  'half of its length': (database) => truncateSync(database, statSync(database).size / 2),
  'a few bytes': (database) => truncateSync(database, 150),
  'no bytes': (database) => truncateSync(database),
  'counters of junk': (database) => overwrite(`${database}-counters`, 0, junk(1_024)),
};

const byDay = ['half of its length', 'counters of junk'];

for (const [damage, make] of Object.entries(damages)) {
  if (!runsEveryTest && !byDay.includes(damage)) continue;
  test(`a database with ${damage} is reported by every command, and a backup restores it`, async (t) => {
    const database = await copyDatabase(t);
    make(database);
    const file = damage.includes('counters') ? `${database}-counters` : database;
    const sentence = new RegExp(`^The database file ${file} is damaged: .+\\. .+$`, 'm');
    for (const command of [
      ['backup', `${database}.new`],
      ['organization', 'add', 'Stadt Neu'],
      ['serve', '--port', '0'],
    ]) {
      const { stderr } = await assertFails([...command, '--database', database], 1, sentence);
      assert.match(stderr, file === database ? remedy : remedyOfCounters);
    }
    assert.equal(existsSync(`${database}.new`), false);
    const doctor = await runCli(['doctor', '--database', database]);
    assert.equal(doctor.code, 2);
    assert.match(
      doctor.stdout,
      new RegExp(`^critical {2}database +The database file ${file} is damaged`, 'm'),
    );
    assertNoStack(doctor);
    await assertSucceeds(['restore', backup, '--yes', '--database', database]);
    await assertSucceeds(['organization', 'list', '--database', database]);
  });
}

test('a file that was never a database of Rostra is not called damaged', async (t) => {
  const file = join(createTemporaryFolder(t), 'letter.txt');
  writeFileSync(file, 'Dear Sir or Madam, '.repeat(100));
  await assertFails(
    ['organization', 'list', '--database', file],
    1,
    /is not a database\. Choose another file/,
  );
});

/** Overwrites the pages with the first survey of A, so that the database opens, and reads of other data succeed. */
function damageSurveys(database: string): void {
  const pageBytes = 8_192;
  const content = readFileSync(database);
  let damaged = 0;
  // The first page contains the schema.
  for (let at = pageBytes; at < content.length; at += pageBytes) {
    const page = content.subarray(at, at + pageBytes);
    if (!page.includes(formatSurveyId(1))) continue;
    overwrite(database, at, junk(pageBytes));
    damaged += 1;
  }
  assert.ok(damaged > 0);
}

test('once a statement has found damage, no worker is ready, the metric and doctor report it, and nothing is written', {
  skip: byNight('it starts a server with two workers, and waits until both know it'),
}, async (t) => {
  const database = await copyDatabase(t);
  damageSurveys(database);
  const server = await startServerProcess(t, database, {
    ROSTRA_WORKERS: '2',
    ROSTRA_METRICS_PORT: '0',
    ROSTRA_LOG_FORMAT: 'json',
  });
  const started = JSON.parse(await server.waitForLine(/"listening"/));
  assert.match(
    `${started.version} ${started.commit} ${started.engine}`,
    /^\d+\.\d+\.\d+ [0-9a-f]{40}\S* sqlite$/,
  );
  const metricsPort = await findMetricsPort(server);
  const before = await scrape(metricsPort);
  assert.equal(before.get('rostra_database_writable'), 1);
  for (const content of ['database', 'uploads', 'open_data', 'temporary_files']) {
    const free = before.get('rostra_disk_free_bytes', { content });
    assert.ok(free > 0 && free <= before.get('rostra_disk_size_bytes', { content }), content);
  }
  const fetchReady = async () => (await sendRequest(server.port, '/ready')).status;
  const readDamaged = async () => (await scrape(metricsPort)).get('rostra_database_damaged');
  assert.deepEqual([await fetchReady(), await readDamaged()], [200, 0]);
  assertUnavailable(await server.get('/surveys', { key: original.alice }));
  const line = await server.waitForLine(/"level":50.*is damaged/);
  assert.match(JSON.parse(line).msg, remedy);
  await waitUntil('workers that are not ready', async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, fetchReady));
    return statuses.every((status) => status === 503);
  });
  assert.equal(await readDamaged(), 1);
  // Pages that are intact are still read.
  assert.equal((await server.get('/me', { key: original.alice })).status, 200);
  const doctor = await runCli(['doctor', '--database', database]);
  assert.equal(doctor.code, 2);
  assert.match(doctor.stdout, /^ok {8}database /m);
  assert.match(
    doctor.stdout,
    /^critical {2}integrity +The database file .+ is damaged: .+\n +Stop the service/m,
  );
  const { stderr } = await assertFails(
    ['backup', `${database}.new`, '--database', database],
    1,
    /The database file .+ is damaged: database disk image is malformed\./,
  );
  assert.match(stderr, remedy);
  assert.equal(existsSync(`${database}.new`), false);
});

test('damage in the counters alone is reported as such: nobody restores a backup for it', async (t) => {
  const database = await copyDatabase(t);
  const counters = new Database(`${database}-counters`, { readonly: true });
  const selectRoot = counters
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'rate_window'")
    .pluck();
  const root = selectRoot.get() as number;
  const pageBytes = counters.pragma('page_size', { simple: true }) as number;
  counters.close();
  overwrite(`${database}-counters`, (root - 1) * pageBytes, junk(pageBytes));
  const server = await startServerProcess(t, database, { ROSTRA_LOG_FORMAT: 'json' });
  assertUnavailable(await server.get('/me', { key: original.alice }));
  const { msg } = JSON.parse(await server.waitForLine(/"level":50.*is damaged/));
  assert.ok(msg.startsWith(`The database file ${database}-counters is damaged: `), msg);
  assert.match(msg, remedyOfCounters);
  const doctor = await runCli(['doctor', '--database', database]);
  for (const check of ['database ', 'integrity'])
    assert.match(
      doctor.stdout,
      new RegExp(
        `^critical {2}${check} +The database file ${database}-counters is damaged: .+\n +${remedyOfCounters.source}`,
        'm',
      ),
    );
  assert.doesNotMatch(doctor.stdout, remedy);
});

test('the API and both languages of the admin area say that data is damaged, and promise nothing', async (t) => {
  const { server, store, database, sql, a, alice } = await createFixtureWithServer(t);
  const client = await createSignedInClient(server, store, a);
  await sql('PRAGMA wal_checkpoint(TRUNCATE)');
  damageSurveys(database);
  const response = await server.get('/surveys', { key: alice });
  assertUnavailable(response);
  assert.equal(
    response.json.error,
    'Some stored data is damaged: requests for it fail until the operator repairs it.',
  );
  const path = `/admin/organizations/${a}/data/surveys`;
  const pages: [language: string, title: RegExp, promise: RegExp][] = [
    ['en', /<title>Some of the data is damaged/, /No data was lost|try again/i],
    ['de', /<title>Ein Teil der Daten ist beschädigt/, /keine Daten verloren|noch einmal/],
  ];
  for (const [language, title, promise] of pages) {
    const { status, body } = await client.get(`${path}?language=${language}`);
    assert.equal(status, 503);
    assert.match(body, title);
    assert.doesNotMatch(body, promise);
  }
});

test('after damage, a process refuses changes of the database', async (t) => {
  const { server, store, database, sql, a, alice } = await createFixtureWithServer(t);
  await sql('PRAGMA wal_checkpoint(TRUNCATE)');
  assert.equal((await server.get('/me', { key: alice })).status, 200);
  await store.editOrganization(a, { name: 'Stadt Vorher' });
  await sql('PRAGMA wal_checkpoint(TRUNCATE)');
  overwrite(database, 8_192, junk(statSync(database).size - 8_192));
  await assert.rejects(store.listOrganizations(), /is damaged/);
  await assert.rejects(store.editOrganization(a, { name: 'Stadt Danach' }), /is damaged/);
  await assert.rejects(store.assertReady(), /is damaged/);
});

/** A user that owns nothing. */
const stranger = 65_534;

function runAsStranger(t: TestContext, args: readonly string[]) {
  if (process.getuid?.() !== 0) return void t.skip('only root can run a command as another user');
  const result = spawnSync(nodeBinary, [join(checkout, 'src/main.ts'), ...args], {
    uid: stranger,
    gid: stranger,
    encoding: 'utf8',
    env: { ...createEnvironment(), NODE_COMPILE_CACHE: undefined } as NodeJS.ProcessEnv,
  });
  if (result.status === null || /MODULE_NOT_FOUND/.test(result.stderr))
    return void t.skip('another user cannot read the program');
  return result;
}

const sourcesByNight = byNight('it starts processes that load the program from its sources');

test('a file of another user is named with both users and a remedy', { skip: sourcesByNight }, async (t) => {
  const database = await copyDatabase(t);
  const folder = dirname(database);
  chmodSync(folder, 0o777);
  const closed = runAsStranger(t, ['organization', 'list', '--database', database]);
  if (closed === undefined) return;
  const isForeign = (path: string) =>
    new RegExp(
      `${path} belongs to root, and this process runs as \\S+\\. Run the command as the user of the service`,
    );
  assert.match(closed.stderr, isForeign(database));
  assert.equal(closed.status, 1);
  // As after root has copied the database with another program.
  chmodSync(database, 0o644);
  chmodSync(`${database}-counters`, 0o666);
  const readable = runAsStranger(t, ['organization', 'list', '--database', database]);
  assert.match(readable?.stderr ?? '', isForeign(database));
  assert.equal(readable?.status, 1);
  // As after root has opened the database with another program.
  chmodSync(database, 0o666);
  writeFileSync(`${database}-counters-wal`, '', { mode: 0o600 });
  const log = runAsStranger(t, ['organization', 'add', 'Stadt', '--database', database]);
  assert.match(log?.stderr ?? '', isForeign(`${database}-counters-wal`));
  chmodSync(folder, 0o700);
  const inFolder = runAsStranger(t, ['organization', 'list', '--database', database]);
  assert.match(inFolder?.stderr ?? '', isForeign(folder));
  for (const result of [closed, readable, log, inFolder])
    assert.doesNotMatch(result?.stderr ?? '', /^\s+at /m);
});

test('a failed backup that cannot be recorded counts as failed until one succeeds', {
  skip: sourcesByNight,
}, async (t) => {
  const { store, database, runCli: run } = await createFixture(t);
  const folder = createTemporaryFolder(t);
  await run('backup', join(folder, 'first.db'));
  // The log grows beyond the limit of the next command, because a reader keeps it from starting anew.
  const reader = new Database(database, { readonly: true });
  reader.exec('BEGIN; SELECT * FROM organization');
  const writer = new Database(database);
  writer.exec('CREATE TABLE ballast (bytes); INSERT INTO ballast VALUES (zeroblob(200000))');
  const limited = ['-c', 'ulimit -f 100; exec "$@"', 'sh', nodeBinary, mainFile];
  const args = ['backup', join(folder, 'second.db'), '--database', database];
  const { status, stderr } = spawnSync('sh', [...limited, ...args], {
    encoding: 'utf8',
    env: createEnvironment() as NodeJS.ProcessEnv,
  });
  assert.match(stderr, /The database cannot record this run for monitoring/);
  assert.equal(status, 1);
  const readBackup = async () => (await store.listMaintenanceRuns()).find(({ kind }) => kind === 'backup');
  const failed = await readBackup();
  assert.equal(failed?.outcome, 'failed');
  assert.ok((failed?.finishedAt ?? '') > (failed?.lastSuccessAt ?? ''));
  const doctor = await runCli(['doctor', '--database', database]);
  assert.match(
    doctor.stdout,
    /^warning {3}backup +The last backup failed at .+: The database could not record the reason/m,
  );
  writer.exec('DROP TABLE ballast');
  writer.close();
  reader.close();
  await run('backup', join(folder, 'third.db'));
  assert.equal((await readBackup())?.outcome, 'succeeded');
  assert.equal(existsSync(`${database}-failed-backup`), false);
});

test('the end of an outage is logged without a further request', {
  skip: sourcesByNight,
}, async (t) => {
  const { server, database, alice } = await createFixtureWithServerProcess(t);
  const other = new Database(`${database}-counters`);
  t.after(() => void other.close());
  other.exec('BEGIN EXCLUSIVE');
  assertUnavailable(await server.get('/me', { key: alice }));
  await server.waitForLine(/the database is unavailable/);
  other.exec('ROLLBACK');
  const end = JSON.parse(await server.waitForLine(/the database is available again/));
  assert.equal(end.failedRequests, 1);
});
