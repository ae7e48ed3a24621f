/** The package `rostra-mirror` as npm publishes it: its content, its dependencies, and the command. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { checkout } from '../../support/checkout.ts';
import { openSqlite } from '../../support/cli-workspace.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { nodeBinary } from '../../support/server-process.ts';

const runFile = promisify(execFile);

/** A project that has installed the package. */
const project = createTemporaryFolder({ after });
const modules = join(project, 'installed/node_modules');
const installed = join(modules, 'rostra-mirror');
const bin = join(installed, 'dist/bin.js');

const read = (file: string) => JSON.parse(readFileSync(join(checkout, file), 'utf8'));
const { dependencies, scripts, engines } = read('packages/mirror/package.json');

/** Builds and packs the package without writing into the checkout. */
function installPackage(): void {
  const source = join(project, 'packages/mirror');
  mkdirSync(source, { recursive: true });
  for (const name of ['packages/client', 'src', 'LICENSE', 'tsconfig.json'])
    symlinkSync(join(checkout, name), join(project, name));
  symlinkSync(join(checkout, 'node_modules'), join(project, 'node_modules'));
  for (const file of ['package.json', 'README.md', 'src'])
    cpSync(join(checkout, 'packages/mirror', file), join(source, file), { recursive: true });
  const path = `${join(checkout, 'node_modules/.bin')}:${process.env.PATH}`;
  const options = { cwd: source, stdio: 'pipe', env: { ...process.env, PATH: path } } as const;
  execFileSync('sh', ['-c', scripts.build], options);
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', project], options);
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) as string;
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, tarball), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(dependencies))
    symlinkSync(join(checkout, 'node_modules', name), join(modules, name));
}

installPackage();

const fixture = await createFixtureWithServer({ after });
const keyFile = join(project, 'key');
writeFileSync(keyFile, fixture.alice, { mode: 0o600 });
const target = join(project, 'city.db');
const flags = ['--url', fixture.server.address, '--key-file', keyFile, '--to', target];

/** @returns the exit code and both outputs */
const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  runFile(nodeBinary, [bin, ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

test('the package contains one file of code, and depends on what it imports, in the versions of the program', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort();
  assert.deepEqual(files, ['LICENSE', 'README.md', 'dist', 'dist/bin.js', 'package.json']);
  const code = readFileSync(bin, 'utf8');
  const imported = [...code.matchAll(/from "([^"]+)"/g)].map(([, name = '']) => name);
  const ofNpm = new Set(imported.filter((name) => !name.startsWith('node:')));
  assert.deepEqual([...ofNpm].sort(), Object.keys(dependencies).sort());
  const program = read('package.json');
  for (const [name, version] of Object.entries(dependencies))
    assert.equal(version, program.dependencies[name], name);
  assert.deepEqual(engines, program.engines);
});

test('rostra-mirror copies the published data, and then fetches changes only', async () => {
  const first = await run(...flags, '--json');
  assert.deepEqual([first.code, first.stderr], [0, '']);
  const { hasFetchedEverything, submissions } = JSON.parse(first.stdout);
  assert.deepEqual([hasFetchedEverything, submissions > 0], [true, true]);
  const count = openSqlite(target, (sql) => sql.prepare('SELECT count(*) FROM submissions').pluck().get());
  assert.equal(count, submissions);
  const second = await run(...flags);
  assert.match(second.stdout, /city\.db is up to date: 0 new or changed, 0 deleted/);
});

test('rostra-mirror rejects wrong options with 2, and reports a rejected key with 1', async () => {
  const missing = await run('--url', fixture.server.address);
  assert.deepEqual([missing.code, missing.stdout], [2, '']);
  assert.match(missing.stderr, /required option '--key-file <file>'/);
  const interval = await run(...flags, '--every', '1s');
  assert.equal(interval.code, 2);
  assert.match(interval.stderr, /It must be a duration such as 30m/);
  const unreadable = await run(...flags, '--key-file', join(project, 'none'));
  assert.deepEqual([unreadable.code, unreadable.stdout], [2, '']);
  assert.match(unreadable.stderr, /The key file \S+ cannot be read: it does not exist\./);
  writeFileSync(join(project, 'old-key'), 'sk_rostra_unknown', { mode: 0o600 });
  const rejected = await run(...flags, '--key-file', join(project, 'old-key'));
  assert.equal(rejected.code, 1);
  assert.match(rejected.stderr, /^The installation rejects the API key in .*old-key/);
});

test('rostra-mirror has a help and the version of its package', async () => {
  const help = await run('--help');
  assert.equal(help.code, 0);
  assert.match(help.stdout, /--every <time>\s+keep running/);
  assert.equal((await run('--version')).stdout.trim(), read('packages/mirror/package.json').version);
});

test('rostra-mirror rejects an older Node.js before it opens a file', async () => {
  const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '24.0.0' } })`;
  const started = runFile(nodeBinary, ['--import', older, bin, ...flags.with(-1, join(project, 'older.db'))]);
  await assert.rejects(started, { code: 1, stderr: /^rostra-mirror needs Node\.js 26 or newer; this is v/ });
  assert.ok(!existsSync(join(project, 'older.db')));
});

test('rostra-mirror --every runs until a signal, and then ends without an error', async () => {
  const running = runFile(nodeBinary, [bin, ...flags, '--every', '1m']);
  running.child.stdout?.once('data', () => running.child.kill('SIGTERM'));
  const { stdout, stderr } = await running;
  assert.match(stdout, /^\S+Z done: 0 new or changed/);
  assert.equal(stderr, '');
});
