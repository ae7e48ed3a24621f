import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  assertNoStack,
  assertSucceeds,
  createCliWorkspace,
  createEnvironment,
  openSqlite,
} from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createSubmission } from '../support/records.ts';
import { rostraFile } from '../support/server-process.ts';

const records = Array.from({ length: 18_000 }, (_, n) => ({
  kind: 'submission',
  ...createSubmission(n, { description: `${n} ${'x'.repeat(500)}` }),
}));

/** Runs a shell script. @param program shell that runs it, with arguments before the script */
function runShell(script: string, args: string[], program = ['sh']) {
  const [file = 'sh', ...before] = program;
  const { status, signal, stdout, stderr } = spawnSync(file, [...before, '-c', script, 'sh', ...args], {
    encoding: 'utf8',
    env: createEnvironment() as NodeJS.ProcessEnv,
  });
  return { code: status, signal, stdout, stderr };
}

test('an import into a database file that cannot grow fails with exit code 1 and an intact database, and a second run completes it', async (t) => {
  const workspace = await createCliWorkspace(t);
  const id = await assertSucceeds(workspace.withDatabase('organization', 'add', 'A'));
  const file = workspace.writeFile('many.ndjson', toNdjson(records));
  const args = workspace.withDatabase('import', 'rostra', file, '--organization', id, '--json');
  // Blocks of 512 bytes, in a POSIX shell: 40 MB. A batch and its rows of import_undo take 24 MB, so the second one fails.
  const result = runShell('ulimit -f 80000; exec "$@"', [rostraFile, ...args]);
  assert.equal(result.code, 1, result.stderr);
  assertNoStack(result);
  assert.match(result.stderr, /The database failed: .+ Records imported so far are kept/);
  assert.equal(
    openSqlite(workspace.database, (sql) => sql.pragma('integrity_check', { simple: true })),
    'ok',
  );
  const storedCount = openSqlite(workspace.database, (sql) =>
    sql.prepare('SELECT count(*) FROM submission').pluck().get(),
  ) as number;
  assert.equal(storedCount, 5_000);
  const { inserted, unchanged } = JSON.parse(await assertSucceeds(args));
  assert.deepEqual([inserted, unchanged], [records.length - storedCount, storedCount]);
});

/** A small disk in a private mount namespace, on systems that allow it. */
const unshareArguments = ['unshare', '--map-root-user', '--mount', 'sh'];
const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;
const skipReason = 'this user cannot mount a tmpfs with unshare';

test('an import to a full disk fails with exit code 1 and an intact database, and completes when there is space again', async (t) => {
  if (!canMount) return t.skip(skipReason);
  const workspace = await createCliWorkspace(t);
  const file = workspace.writeFile('many.ndjson', toNdjson(records));
  mkdirSync(join(workspace.folder, 'small'));
  const script = `
    rostra=$1; small=$2; file=$3
    mount -t tmpfs -o size=200m tmpfs "$small" || exit 90
    # Removed later to free space, because only root can enlarge a mount.
    head -c 165000000 /dev/zero > "$small/ballast" || exit 92
    id=$("$rostra" organization add A --database "$small/x.db") || exit 91
    "$rostra" import rostra "$file" --organization "$id" --database "$small/x.db" --json > "$small/../first"
    echo "first $?"
    "$rostra" organization list --database "$small/x.db" > /dev/null
    echo "read $?"
    rm "$small/ballast"
    "$rostra" import rostra "$file" --organization "$id" --database "$small/x.db" --json > "$small/../second"
    echo "second $?"
    "$rostra" backup "$small/../copy.db" --database "$small/x.db"
    echo "backup $?"`;
  const result = runShell(script, [rostraFile, join(workspace.folder, 'small'), file], unshareArguments);
  assertNoStack(result);
  assert.equal(result.stdout, 'first 1\nread 0\nsecond 0\nbackup 0\n', result.stderr);
  assert.match(result.stderr, /The database failed: .*disk is full.+ Records imported so far are kept/);
  const output = readFileSync(join(workspace.folder, 'second'), 'utf8');
  const { inserted, unchanged, changed } = JSON.parse(output);
  assert.equal(inserted + unchanged, records.length);
  assert.equal(changed, 0);
});

test('an OParl import fails with exit code 1 when the disk for temporary files is full, and removes its files', async (t) => {
  if (!canMount) return t.skip(skipReason);
  const workspace = await createCliWorkspace(t);
  const papers = records.map(({ id, description }) => ({
    id: `https://x.example/papers/${id}`,
    type: 'https://schema.oparl.org/1.1/Paper',
    paperType: 'Antrag',
    name: description,
    date: '2026-03-01',
  }));
  const file = workspace.writeFile('papers.ndjson', toNdjson(papers));
  mkdirSync(join(workspace.folder, 'small'));
  const script = `
    rostra=$1; folder=$2; file=$3
    mount -t tmpfs -o size=1m tmpfs "$folder/small" || exit 90
    id=$("$rostra" organization add A --database "$folder/x.db") || exit 91
    TMPDIR="$folder/small" "$rostra" import oparl "$file" --organization "$id" --database "$folder/x.db"
    echo "end $?"
    ls "$folder/small"`;
  const result = runShell(script, [rostraFile, workspace.folder, file], unshareArguments);
  assertNoStack(result);
  assert.match(result.stdout, /^end 1$/m);
  assert.match(result.stderr, /ENOSPC|no space|full/i);
  assert.match(result.stdout, /end 1\n$/, 'the temporary files are removed');
});

test('a backup to a full disk fails with exit code 1 and leaves no incomplete copy', async (t) => {
  if (!canMount) return t.skip(skipReason);
  const workspace = await createCliWorkspace(t);
  const id = await assertSucceeds(workspace.withDatabase('organization', 'add', 'A'));
  await assertSucceeds(
    workspace.withDatabase(
      'import',
      'rostra',
      workspace.writeFile('many.ndjson', toNdjson(records)),
      '--organization',
      id,
    ),
  );
  mkdirSync(join(workspace.folder, 'small'));
  const script = `
    mount -t tmpfs -o size=1m tmpfs "$2" || exit 90
    "$1" backup "$2/copy.db" --database "$3"
    echo "end $?"
    ls "$2"`;
  const result = runShell(
    script,
    [rostraFile, join(workspace.folder, 'small'), workspace.database],
    unshareArguments,
  );
  assertNoStack(result);
  assert.equal(result.stdout, 'end 1\n');
  assert.match(result.stderr, /The backup .+copy\.db could not be written: .*full/);
});
