/** The image, built by buildah on a minimal base, and run with a read-only root as its configuration says. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { listDocuments } from '../../packaging/documents.ts';
import { checkout, getTargetFolder, packageFolder } from '../../packaging/package-folder.ts';
import { type Target, targets } from '../../packaging/targets.ts';
import { sendApiRequest } from '../support/api-client.ts';
import { startCli } from '../support/cli-workspace.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { findFreePort } from '../support/free-port.ts';
import {
  installLibraries,
  preparePackages,
  skipWithoutNamespaces,
  writeRootScript,
} from '../support/packages.ts';
import { readCommands } from '../support/read-commands.ts';
import { skipWithout } from '../support/system-programs.ts';
import { waitUntil } from '../support/wait-until.ts';

const skip =
  skipWithout('buildah') ||
  (process.getuid?.() !== 0 && 'only root can build the image') ||
  (process.arch !== 'x64' && 'the executable of the image is for x64') ||
  skipWithoutNamespaces();

interface ImageConfiguration {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Healthcheck: { Test: string[] };
}

suite('the container image', { skip }, () => {
  const folder = createTemporaryFolder({ after });
  const data = join(folder, 'data');
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...storage, '--storage-driver', 'vfs', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
    }).trim();
  let root = '';
  let configuration: ImageConfiguration;

  /** Runs a program in the container, such as that of the health check. */
  function run([program = '', ...args]: readonly string[], extra: Record<string, string> = {}) {
    const script = join(folder, `run-${readdirSync(folder).length}`);
    const prepare = `mount --bind "$root" "$root"
mount --bind '${data}' "$root/data"
mount -o remount,bind,ro "$root"`;
    writeRootScript(script, root, prepare, program, configuration.User);
    const environment = Object.fromEntries(
      configuration.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    return startCli(
      args,
      { environment: { ...environment, ...extra, PATH: process.env.PATH ?? '' } },
      script,
    );
  }

  before(() => {
    preparePackages();
    const base = join(folder, 'base');
    mkdirSync(base);
    installLibraries(base, join(getTargetFolder(targets[0] as Target), 'rostra'));
    const container = buildah('from', 'scratch');
    buildah('copy', '--quiet', container, base, '/');
    buildah('commit', '--quiet', container, 'localhost/base');
    const bases = ['--build-arg', 'BASE=localhost/base', '--build-arg', 'LIBRARIES=localhost/base'];
    const file = join(checkout, 'packaging/container/Containerfile');
    buildah(
      'build',
      ...bases,
      '--pull-never',
      '--format',
      'docker',
      '--file',
      file,
      '--tag',
      'localhost/rostra',
      packageFolder,
    );
    root = buildah('mount', buildah('from', '--pull-never', 'localhost/rostra'));
    configuration = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/rostra')).Docker.config;
    mkdirSync(data);
    const [user, group] = configuration.User.split(':').map(Number) as [number, number];
    chownSync(data, user, group);
  });

  test('has a folder for its volume that belongs to its user', () => {
    assert.match(configuration.User, /^\d+:\d+$/);
    const owner = execFileSync('stat', ['--format', '%u:%g', join(root, 'data')], { encoding: 'utf8' });
    assert.equal(owner.trim(), configuration.User);
  });

  test('contains the documents that messages refer to', () => {
    for (const document of listDocuments()) assert.ok(existsSync(join(root, 'usr/lib/rostra', document)));
  });

  test('serves with several workers, and its health check notices both states', async (t) => {
    const [program = ''] = configuration.Entrypoint;
    const port = String(await findFreePort());
    const check = configuration.Healthcheck.Test.slice(1);
    const [, , init = ''] = readCommands('docs/first-run.md', '## The container');
    const [, values = ''] = / init (.*)$/.exec(init) ?? [];
    const flags = [...values.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const settings = { ROSTRA_CONFIG: '/data/rostra.conf' };
    const set = await run([program, 'init', ...flags], settings).result;
    assert.equal(set.code, 0, set.stderr);
    const { stdout: key } = await run([
      program,
      'key',
      'issue',
      '--organization',
      'Stadt Beispiel',
      '--name',
      'A',
    ]).result;
    assert.equal((await run(check, { ROSTRA_PORT: port }).result).code, 1);
    const environment = { ROSTRA_PORT: port, ROSTRA_WORKERS: '2', ...settings };
    const server = run([program, ...configuration.Cmd], environment);
    t.after(() => void server.child.kill('SIGKILL'));
    await server.waitForOutput(/listening/);
    assert.equal((await sendApiRequest(Number(port), '/submissions', { key: key.trim() })).status, 200);
    await waitUntil(
      'a healthy container',
      async () => (await run(check, { ROSTRA_PORT: port }).result).code === 0,
    );
    server.child.kill('SIGTERM');
    assert.equal((await server.result).code, 0);
  });

  test('does not warn of secrets that container engines mount for all of its users', async () => {
    const [program = ''] = configuration.Entrypoint;
    const secrets = join(root, 'run/secrets');
    mkdirSync(secrets, { recursive: true });
    writeFileSync(join(secrets, 'rostra-url'), '/data/rostra.db', { mode: 0o644 });
    const { stdout } = await run([program, 'doctor'], {
      ROSTRA_DATABASE: '',
      ROSTRA_DATABASE_FILE: '/run/secrets/rostra-url',
    }).result;
    assert.match(stdout, /Only their owner and group can open the files with secrets/);
  });

  after(() => {
    buildah('umount', '--all');
  });
});
