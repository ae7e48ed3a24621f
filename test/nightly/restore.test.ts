/** Restores that are killed at each step, or have no space. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  assertSucceeds,
  createCliWorkspace,
  createEnvironment,
  createMunicipality,
  openSqlite,
  runCliProcess,
} from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createSubmission } from '../support/records.ts';
import { rostraFile } from '../support/server-process.ts';

const killer = new URL('../support/kill-at-step.ts', import.meta.url);

/** A backup with two submissions, and a database with three. */
async function createBackup(t: TestContext) {
  const workspace = await createCliWorkspace(t);
  const town = await createMunicipality(workspace);
  const put = async (...numbers: number[]) => {
    const records = numbers.map((n) => ({ kind: 'submission', ...createSubmission(n) }));
    const input = workspace.writeFile('x.ndjson', toNdjson(records));
    await assertSucceeds(workspace.withDatabase('import', 'rostra', input, '--organization', town.id));
  };
  await put(1, 2);
  const file = join(workspace.folder, 'copy.db');
  await assertSucceeds(workspace.withDatabase('backup', file));
  await put(3);
  return { ...workspace, file, restore: workspace.withDatabase('restore', file, '--yes') };
}

const countSubmissions = (database: string) =>
  openSqlite(database, (sql) => {
    assert.equal(sql.pragma('integrity_check', { simple: true }), 'ok');
    return sql.prepare('SELECT count(*) FROM submission').pluck().get() as number;
  });

test('a restore that is killed at any step leaves one of the two databases in place, and the other one beside it', async (t) => {
  const { folder, database, file, restore } = await createBackup(t);
  const before = join(folder, 'before');
  mkdirSync(before);
  const listDatabaseFiles = () => readdirSync(folder).filter((name) => name.startsWith('rostra.db'));
  for (const name of listDatabaseFiles()) renameSync(join(folder, name), join(before, name));
  const prepare = () => {
    for (const name of listDatabaseFiles()) rmSync(join(folder, name), { recursive: true });
    for (const name of readdirSync(before)) copyFileSync(join(before, name), join(folder, name));
  };
  const run = (environment: Record<string, string>) =>
    runCliProcess(restore, { environment: { NODE_OPTIONS: `--import ${killer}`, ...environment } });

  prepare();
  const complete = await run({});
  assert.equal(complete.code, 0, complete.stderr);
  const steps = Number(/(\d+) steps/.exec(complete.stderr)?.[1]);
  assert.ok(steps > 20, String(steps));
  const places = new Set<number>();
  for (let step = 1; step <= steps; step += 1) {
    prepare();
    const { signal } = await run({ KILL_AT_STEP: String(step) });
    assert.equal(signal, 'SIGKILL', `step ${step}`);
    const inPlace = countSubmissions(database);
    places.add(inPlace);
    if (inPlace === 2) {
      const previous = listDatabaseFiles().find((name) => /before-restore-.+Z$/.test(name)) ?? '';
      assert.equal(countSubmissions(join(folder, previous)), 3, `step ${step}`);
    } else assert.equal(inPlace, 3, `step ${step}`);
    await assertSucceeds(['key', 'list', '--database', database]);
    await assertSucceeds(restore);
    assert.equal(countSubmissions(database), 2, `step ${step}`);
    assert.equal(countSubmissions(file), 2);
    assert.deepEqual(
      listDatabaseFiles().filter((name) => name.includes('partial')),
      [],
      `step ${step}`,
    );
  }
  assert.deepEqual([...places].toSorted(), [2, 3]);
});

const unshareArguments = ['--map-root-user', '--mount', 'sh'];
const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;

test('a restore, a backup and a drill on a full disk fail, change nothing, and succeed when there is space', async (t) => {
  if (!canMount) return t.skip('this user cannot mount a tmpfs with unshare');
  const { folder, database, file } = await createBackup(t);
  openSqlite(database, (sql) => sql.pragma('wal_checkpoint(TRUNCATE)'));
  mkdirSync(join(folder, 'small'));
  const script = `
    rostra=$1; small=$2; database=$3; file=$4
    mount -t tmpfs -o size=20m tmpfs "$small" || exit 90
    cp "$database" "$small/x.db"
    "$rostra" key list --database "$small/x.db" > /dev/null || exit 91
    head -c 100000000 /dev/zero > "$small/ballast" 2> /dev/null
    # SQLite opens the database, but there is no space for a copy.
    truncate -s -200K "$small/ballast"
    "$rostra" restore "$file" --yes --database "$small/x.db"; echo "restore $?"
    "$rostra" backup "$small/copy.db" --database "$small/x.db"; echo "backup $?"
    "$rostra" drill --database "$small/x.db"; echo "drill $?"
    ls "$small"
    rm "$small/ballast"
    "$rostra" drill --database "$small/x.db" > /dev/null; echo "drill $?"
    "$rostra" restore "$file" --yes --database "$small/x.db"; echo "restore $?"`;
  const { stdout, stderr } = spawnSync(
    'unshare',
    [...unshareArguments, '-c', script, 'sh', rostraFile, join(folder, 'small'), database, file],
    { encoding: 'utf8', env: createEnvironment() as NodeJS.ProcessEnv },
  );
  assert.deepEqual(
    stdout.match(/^\w+ \d$/gm),
    ['restore 1', 'backup 1', 'drill 1', 'drill 0', 'restore 0'],
    stderr,
  );
  assert.match(stderr, /copy\.db could not be restored: the disk is full/);
  assert.doesNotMatch(stdout, /partial|before-restore/);
  assert.doesNotMatch(stderr, /^\s+at .+:\d+:\d+\)?$/m);
});
