import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  assertNoStack,
  assertSucceeds,
  createCliWorkspace,
  createEnvironment,
  openSqlite,
  rostraFile,
} from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createSubmission } from '../support/records.ts';

const records = Array.from({ length: 18_000 }, (_, n) => ({
  kind: 'submission',
  ...createSubmission(n, { description: `${n} ${'x'.repeat(500)}` }),
}));

/** Runs a script of sh. @returns its exit code and all it wrote, as of a command */
function runShell(script: string, args: string[], program = ['sh']) {
  const [file = 'sh', ...before] = program;
  const { status, signal, stdout, stderr } = spawnSync(file, [...before, '-c', script, 'sh', ...args], {
    encoding: 'utf8',
    env: createEnvironment() as NodeJS.ProcessEnv,
  });
  return { code: status, signal, stdout, stderr };
}

test('a database file that may not grow: a sentence, 1, an intact database, and a second run completes it', async (t) => {
  const workspace = await createCliWorkspace(t);
  const id = await assertSucceeds(workspace.withDatabase('organization', 'add', 'A'));
  const file = workspace.writeFile('many.ndjson', toNdjson(records));
  const args = workspace.withDatabase('import', 'rostra', file, '--organization', id, '--json');
  // The limit counts blocks of 512 bytes: 24 MB, in a POSIX shell.
  const ended = runShell('ulimit -f 48000; exec "$@"', [rostraFile, ...args]);
  assert.equal(ended.code, 1, ended.stderr);
  assertNoStack(ended);
  assert.match(ended.stderr, /The database failed: .+ Records imported so far are kept/);
  assert.equal(
    openSqlite(workspace.database, (sql) => sql.pragma('integrity_check', { simple: true })),
    'ok',
  );
  const kept = openSqlite(workspace.database, (sql) =>
    sql.prepare('SELECT count(*) FROM submission').pluck().get(),
  ) as number;
  assert.ok(kept % 5_000 === 0 && kept < records.length);
  const { inserted, unchanged } = JSON.parse(await assertSucceeds(args));
  assert.deepEqual([inserted, unchanged], [records.length - kept, kept]);
});

/** A mount of a few MB that nobody else sees, where this system lets a user make one. */
const unshareArguments = ['unshare', '--map-root-user', '--mount', 'sh'];
const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0;
const skipReason = 'this system lets this user mount no small disk (unshare, tmpfs)';

test('a full disk: a sentence, 1, an intact database, and a second run completes it once there is room', async (t) => {
  if (!canMount) return t.skip(skipReason);
  const workspace = await createCliWorkspace(t);
  const file = workspace.writeFile('many.ndjson', toNdjson(records));
  mkdirSync(join(workspace.folder, 'small'));
  const script = `
    rostra=$1; small=$2; file=$3
    mount -t tmpfs -o size=200m tmpfs "$small" || exit 90
    # A file in the way, as a mount cannot be enlarged by a user who is not root.
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
  const ended = runShell(script, [rostraFile, join(workspace.folder, 'small'), file], unshareArguments);
  assertNoStack(ended);
  assert.equal(ended.stdout, 'first 1\nread 0\nsecond 0\nbackup 0\n', ended.stderr);
  assert.match(ended.stderr, /The database failed: .*disk is full.+ Records imported so far are kept/);
  const sql = execFileSync('cat', [join(workspace.folder, 'second')], { encoding: 'utf8' });
  const { inserted, unchanged, changed } = JSON.parse(sql);
  assert.equal(inserted + unchanged, records.length);
  assert.equal(changed, 0);
});

test('a full folder for temporary files ends an OParl import with a sentence and 1; nothing half is published', async (t) => {
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
  const ended = runShell(script, [rostraFile, workspace.folder, file], unshareArguments);
  assertNoStack(ended);
  assert.match(ended.stdout, /^end 1$/m);
  assert.match(ended.stderr, /ENOSPC|no space|full/i);
  assert.match(ended.stdout, /end 1\n$/, 'the temporary files are removed');
});

test('a full disk for a backup: a sentence, 1, and no half copy', async (t) => {
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
  const ended = runShell(
    script,
    [rostraFile, join(workspace.folder, 'small'), workspace.database],
    unshareArguments,
  );
  assertNoStack(ended);
  assert.equal(ended.stdout, 'end 1\n');
  assert.match(ended.stderr, /The backup .+copy\.db could not be written: .*full/);
});
