import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyDocuments } from '../documents.ts';
import { checkout, getTargetFolder, type Program, packageFolder, version } from '../package-folder.ts';
import type { Target } from '../targets.ts';

/**
 * Writes `<program>_<version>_linux_<architecture>.tar.gz` to the folder of packages. Archives of the same files and date are
 * equal, byte by byte.
 */
export async function archiveExecutable(
  program: Program,
  target: Target,
  date: Date,
  temporaryFolder: string,
): Promise<void> {
  const name = `${program}_${version}_linux_${target.architecture}`;
  const folder = join(temporaryFolder, name);
  mkdirSync(folder);
  for (const file of [program, 'LICENSE', 'THIRD-PARTY-LICENSES'])
    copyFileSync(join(getTargetFolder(target), file), join(folder, file));
  if (program === 'rostra') copyDocuments(folder);
  else copyFileSync(join(checkout, 'packages/mirror/README.md'), join(folder, 'README.md'));
  const attributes = [
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--sort=name',
    `--mtime=${date.toISOString()}`,
    '--mode=u=rwX,go=rX',
  ];
  const output = ['-cf', join(packageFolder, `${name}.tar.gz`), '--use-compress-program=gzip -9n'];
  await promisify(execFile)('tar', [...output, ...attributes, name], { cwd: temporaryFolder });
}
