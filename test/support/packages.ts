import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkout, packageFolder } from '../../packaging/package-folder.ts';
import { skipWithout } from './system-programs.ts';

/** Builds all packages, unless they are newer than all files of the checkout. Takes minutes. */
export function preparePackages(): void {
  const built = statSync(join(packageFolder, 'SHA256SUMS'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const folders = ['src', 'packages', 'packaging', 'migrations', 'docs', 'examples', 'package-lock.json'];
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: checkout, encoding: 'utf8' }).trim();
  const isOutdated = files
    .split('\n')
    .some((file) => (statSync(join(checkout, file), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built);
  if (isOutdated)
    execFileSync('npm', ['run', 'package'], { cwd: checkout, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** For the option `skip` of a test that changes the root folder, in a namespace of its own. */
export const skipWithoutNamespaces = (): string | false =>
  skipWithout('unshare') ||
  (spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status !== 0 &&
    'this user cannot change the root folder with unshare');

/** Fills a folder with what an executable of this machine needs: the C libraries and /dev/null. */
export function installLibraries(root: string, executable: string): void {
  for (const name of ['usr/lib64', 'usr/bin', 'tmp', 'dev']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'dev/null'), '');
  for (const name of ['lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  const libraries = execFileSync('ldd', [executable], { encoding: 'utf8' });
  for (const [path] of libraries.matchAll(/\/\S+/g)) {
    const folder = dirname(path).replace(/^(\/usr)?/, '/usr');
    mkdirSync(join(root, folder), { recursive: true });
    copyFileSync(path, join(root, folder, basename(path)));
  }
}

/**
 * Writes a script that runs a program inside a root folder, without PATH and settings of Node.js.
 *
 * @param prepare shell commands before, in a mount namespace of their own; `$root` is the folder
 * @param program path below the root folder, with leading arguments
 * @param user numbers of user and group; default: root of the namespace
 */
export function writeRootScript(
  path: string,
  root: string,
  prepare: string,
  program: string,
  user?: string,
): void {
  const namespace = user === undefined ? '--map-root-user --mount' : '--mount';
  const identity = user === undefined ? '' : `--userspec=${user}`;
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$ROSTRA_TEST_MOUNTED" != yes ]; then
  ROSTRA_TEST_MOUNTED=yes exec unshare ${namespace} "$0" "$@"
fi
set -e
root='${root}'
${prepare}
mount --bind /dev/null "$root/dev/null"
unset ROSTRA_TEST_MOUNTED PATH NODE_COMPILE_CACHE HOME
cd /
exec /usr/sbin/chroot ${identity} "$root" ${program} "$@"
`,
    { mode: 0o755 },
  );
}
