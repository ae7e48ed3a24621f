/**
 * Publishes the files of one revision together. The files of a revision are in a folder of their own; the names in the
 * mirror are links through the link `current`, so replacing this one link switches all files at once.
 */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MirrorTargetError } from './mirror-error.ts';
import { stateFolderName } from './mirror-paths.ts';

/**
 * @param revision of the data and their columns; a published revision is not written again
 * @param writeFiles writes all files of the revision into a folder
 */
export async function publishVersion(
  folder: string,
  revision: string,
  writeFiles: (versionFolder: string) => Promise<void>,
): Promise<void> {
  const stateFolder = join(folder, stateFolderName);
  const current = join(stateFolder, 'current');
  const version = `revision-${revision}`;
  const published = readLink(current);
  // Programs that read a version during the switch to the next one can finish: the run after it removes their version.
  for (const name of readdirSync(stateFolder))
    if (name.startsWith('revision-') && name !== published)
      rmSync(join(stateFolder, name), { recursive: true });
  if (published !== version) {
    mkdirSync(join(stateFolder, version));
    await writeFiles(join(stateFolder, version));
    const next = join(stateFolder, 'next');
    rmSync(next, { force: true });
    symlinkSync(version, next);
    renameSync(next, current);
  }
  for (const name of readdirSync(current)) link(folder, name);
}

function readLink(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) && readlinkSync(path);
}

function link(folder: string, name: string): void {
  const path = join(folder, name);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) symlinkSync(join(stateFolderName, 'current', name), path);
  else if (!found.isSymbolicLink())
    throw new MirrorTargetError(
      `${path} is not a file of the mirror. Move it to another directory, and run again.`,
    );
}
