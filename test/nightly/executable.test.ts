/** The single executables, in a root folder that has nothing else but the C libraries. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { getTargetFolder, type Program, programs } from '../../packaging/package-folder.ts';
import { type Target, targets } from '../../packaging/targets.ts';
import { sendApiRequest } from '../support/api-client.ts';
import { type CommandResult, type RunningCommand, startCli } from '../support/cli-workspace.ts';
import { createTemporaryFolder, type Scope, toNdjson } from '../support/files.ts';
import { sendRequest } from '../support/http-client.ts';
import { assertExaminesUpload, assertLoads } from '../support/installed-program.ts';
import {
  installLibraries,
  preparePackages,
  skipWithoutNamespaces,
  writeRootScript,
} from '../support/packages.ts';
import { createCluster, findBinaries } from '../support/postgres-cluster.ts';
import { skipWithout } from '../support/system-programs.ts';
import { waitUntil } from '../support/wait-until.ts';

before(preparePackages);

const [x64, arm64] = targets as [Target, Target];
const submission = {
  kind: 'submission',
  id: '1',
  description: 'A bench.',
  createdAt: '2026-03-01T10:15:00Z',
};

type Run = (args: string[], environment?: Record<string, string>, input?: string) => RunningCommand;

async function assertPrints(running: RunningCommand): Promise<string> {
  const { code, stdout, stderr } = await running.result;
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

/** @returns a key of a municipality with one submission */
async function publishSubmission(run: Run, environment: Record<string, string>): Promise<string> {
  await assertPrints(run(['organization', 'add', 'Musterstadt'], environment));
  const input = toNdjson([submission]);
  await assertPrints(run(['import', 'rostra', '-', '--organization', 'Musterstadt'], environment, input));
  return assertPrints(
    run(['key', 'issue', '--organization', 'Musterstadt', '--name', 'Portal'], environment),
  );
}

async function startServer(scope: Scope, run: Run, environment: Record<string, string>) {
  const server = run(['serve', '--port', '0'], environment);
  scope.after(() => void server.child.kill('SIGKILL'));
  const [, port] = await server.waitForOutput(/"address":"http:\/\/[\d.]+:(\d+)"/);
  return { ...server, port: Number(port) };
}

async function assertServes(port: number, key: string): Promise<void> {
  assert.equal((await sendRequest(port, '/ready')).status, 200);
  const { status, json } = await sendApiRequest(port, '/submissions', { key });
  assert.equal(status, 200);
  assert.equal(json.data[0].description, submission.description);
}

async function assertStops({ child, result }: RunningCommand): Promise<void> {
  child.kill('SIGTERM');
  assert.equal((await result).code, 0);
}

const versionPattern = /^\d+\.\d+\.\d+ \((commit [\da-f]{40}(-dirty)?, )?executable for linux-(x64|arm64)\)$/;

const skipX64 = process.arch !== 'x64' && 'the executable is for x64';

suite('the executable for x64 without Node.js', { skip: skipX64 || skipWithoutNamespaces() }, () => {
  const folder = createTemporaryFolder({ after });
  const root = join(folder, 'root');
  const database = { ROSTRA_DATABASE: '/data/rostra.db' };
  const createRun = (prepare = '', program: Program = 'rostra'): Run => {
    const script = join(folder, `run-${readdirSync(folder).length}`);
    writeRootScript(script, root, prepare, `/${program}`);
    return (args, environment = {}, input) =>
      startCli(args, input === undefined ? { environment } : { environment, input }, script);
  };
  const run: Run = (...args) => createRun()(...args);

  before(() => {
    const executable = join(getTargetFolder(x64), 'rostra');
    mkdirSync(join(root, 'data'), { recursive: true });
    installLibraries(root, executable);
    for (const program of programs) copyFileSync(join(getTargetFolder(x64), program), join(root, program));
  });

  test('prints its version and help, and rejects unknown commands with 2', async () => {
    assert.match(await assertPrints(run(['--version'])), versionPattern);
    assert.match(await assertPrints(run(['--help'])), /organization/);
    assert.equal((await run(['serv']).result).code, 2);
  });

  test('serves with several workers, restarts them, and leaves no temporary files', async (t) => {
    const key = await publishSubmission(run, database);
    const server = await startServer(t, run, { ...database, ROSTRA_WORKERS: '2' });
    await assertServes(server.port, key);
    for (const path of ['/docs', '/docs/samples', '/admin/sign-in']) await assertLoads(server.port, path);
    server.child.kill('SIGHUP');
    await server.waitForOutput(/rolling restart finished/);
    await assertServes(server.port, key);
    const health = await run(['health', '--port', String(server.port)]).result;
    assert.equal(health.code, 0, health.stderr);
    await assertStops(server);
    assert.deepEqual(readdirSync(join(root, 'tmp')), []);
    assert.equal((await run(['health', '--port', String(server.port)]).result).code, 1);
  });

  test('has one of the mirror beside it, which copies what it serves', async (t) => {
    const environment = { ROSTRA_DATABASE: '/data/mirrored.db' };
    const key = await publishSubmission(run, environment);
    const server = await startServer(t, run, environment);
    const mirror = createRun('', 'rostra-mirror');
    const flags = ['--url', `http://127.0.0.1:${server.port}`, '--key-file', '-', '--to', '/data/lines'];
    const output = await assertPrints(mirror([...flags, '--format', 'ndjson'], {}, key));
    assert.match(output, /1 submissions?, 0 sessions, 0 surveys/);
    assert.match(readFileSync(join(root, 'data/lines/submissions.ndjson'), 'utf8'), /A bench\./);
    assert.equal((await mirror(['--unknown']).result).code, 2);
    await assertStops(server);
  });

  test('examines uploaded files in processes of its own', async (t) => {
    const demo = run(['demo', '--port', '0', '--database', '/data/demo.db']);
    t.after(() => void demo.child.kill('SIGKILL'));
    const [text] = await demo.waitForOutput(/Rostra serves two[\s\S]+Press Ctrl-C to stop/);
    const [, address = '', link = ''] = /Admin area:\s+(http:\/\/[^/]+)(\S+)/.exec(text) ?? [];
    await assertExaminesUpload(address, link);
    await assertStops(demo);
  });

  test('backs up the database, readable by its owner only', async () => {
    await assertPrints(run(['backup', '/data/backup.db'], database));
    assert.equal(statSync(join(root, 'data/backup.db')).mode & 0o077, 0);
    assert.equal(
      await assertPrints(run(['organization', 'list', '--json'], database)).then(
        (text) => JSON.parse(text).length,
      ),
      1,
    );
  });

  test('loads SQLite from beside itself if temporary folders do not allow it', async () => {
    const noexec = createRun('mount -t tmpfs -o noexec tmpfs "$root/tmp"');
    await assertPrints(noexec(['migrate'], { ROSTRA_DATABASE: '/data/migrated.db' }));
    assert.deepEqual(
      readdirSync(root).filter((name) => name.startsWith('rostra-')),
      ['rostra-mirror'],
    );
  });

  test('names each folder and the remedy if no folder allows to load SQLite', async () => {
    const readOnly = createRun(
      'mount --bind "$root" "$root"\nfor name in tmp data; do mount -t tmpfs -o noexec tmpfs "$root/$name"; done\nmount -o remount,bind,ro "$root"',
    );
    const { code, stderr }: CommandResult = await readOnly(['organization', 'add', 'Musterstadt'], {
      ROSTRA_DATABASE: '/data/new.db',
    }).result;
    assert.equal(code, 1);
    assert.match(stderr, /\/tmp: .*failed to map segment/);
    assert.match(stderr, /\/var\/tmp: ENOENT/);
    assert.match(stderr, /Set TMPDIR to a folder/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  test('loads SQLite from the folder of TMPDIR', async () => {
    const readOnly = createRun(
      'mount --bind "$root" "$root"\nmount -t tmpfs tmpfs "$root/data"\nmount -o remount,bind,ro "$root"',
    );
    const { code, stderr } = await readOnly(['migrate'], { ...database, TMPDIR: '/data' }).result;
    assert.equal(code, 0, stderr);
  });

  test('truncates a large write-ahead log in a thread, with the same copy of SQLite', async (t) => {
    const { default: Database } = await import('better-sqlite3');
    const file = join(root, 'data/rostra.db');
    const timers = new URL('../support/fast-heartbeat.ts', import.meta.url).pathname;
    const executable = join(root, 'rostra');
    const direct: Run = (args, environment = {}) => startCli(args, { environment }, executable);
    const server = await startServer(t, direct, {
      ROSTRA_DATABASE: file,
      NODE_OPTIONS: `--import ${timers}`,
    });
    assert.equal((await sendRequest(server.port, '/ready')).status, 200);
    const reader = new Database(file, { readonly: true });
    reader.exec('BEGIN; SELECT * FROM organization');
    const writer = new Database(file);
    writer.exec('CREATE TABLE ballast (bytes); INSERT INTO ballast VALUES (zeroblob(70000000))');
    writer.close();
    assert.ok(statSync(`${file}-wal`).size > 70_000_000);
    reader.close();
    await waitUntil('a small log', async () => statSync(`${file}-wal`).size === 0);
    await assertStops(server);
  });

  test('serves from PostgreSQL', async (t) => {
    const binaries = await findBinaries();
    t.after(binaries.remove);
    const cluster = await createCluster(binaries.folder);
    t.after(() => cluster.remove());
    await cluster.sql('postgres', 'CREATE ROLE owner LOGIN');
    await cluster.sql('postgres', 'CREATE ROLE serving LOGIN');
    await cluster.sql('postgres', "CREATE DATABASE exe OWNER owner ENCODING 'UTF8' TEMPLATE template0");
    const environment = { ROSTRA_DATABASE: cluster.url('serving', 'exe') };
    const owner = { ...environment, ROSTRA_DATABASE_OWNER: cluster.url('owner', 'exe') };
    await assertPrints(run(['migrate'], owner));
    const key = await publishSubmission(run, environment);
    const server = await startServer(t, run, { ...environment, ROSTRA_WORKERS: '2' });
    await assertServes(server.port, key);
    await assertStops(server);
  });
});

const librariesForArm = '/usr/aarch64-linux-gnu';
const libatomic = join(librariesForArm, 'lib/libatomic.so.1');
const skipArm =
  skipWithout('qemu-aarch64-static') ||
  (!existsSync(libatomic) && `the library ${libatomic} is not installed`);

test('the executable for arm64 serves under QEMU', { skip: skipArm }, async (t) => {
  const folder = createTemporaryFolder(t);
  const emulated = ['-L', librariesForArm, join(getTargetFolder(arm64), 'rostra')];
  const run: Run = (args, environment = {}, input) =>
    startCli(
      [...emulated, ...args],
      { environment, folder, ...(input !== undefined && { input }) },
      'qemu-aarch64-static',
    );
  assert.match(await assertPrints(run(['--version'])), versionPattern);
  const environment = { ROSTRA_DATABASE: join(folder, 'rostra.db') };
  const key = await publishSubmission(run, environment);
  const server = await startServer(t, run, environment);
  await assertServes(server.port, key);
  await assertLoads(server.port, '/docs');
  await assertStops(server);
});
