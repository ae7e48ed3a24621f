/** Where a mirror is: an SQLite file, or a folder of CSV or NDJSON files with its database in a hidden folder. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { MirrorTargetError } from './mirror-error.ts';

export const mirrorFormats = ['sqlite', 'csv', 'ndjson'] as const;
type MirrorFormat = (typeof mirrorFormats)[number];

export interface MirrorTarget {
  format: MirrorFormat;
  /** The SQLite file, or the folder. */
  path: string;
  databaseFile: string;
  stagingFile: string;
}

/** In the folder of a mirror: its database and the versions of its files. */
export const stateFolderName = '.rostra-mirror';

const sqliteExtensions = ['.db', '.sqlite', '.sqlite3'];

/** @throws MirrorTargetError if the path exists and is not a mirror of this format */
export function findMirrorTarget(path: string, format: MirrorFormat): MirrorTarget {
  const found = statSync(path, { throwIfNoEntry: false });
  if (format === 'sqlite') {
    if (found && !found.isFile())
      throw new MirrorTargetError(`${path} is not a file. Choose another target.`);
    return { format, path, databaseFile: path, stagingFile: `${path}-staging` };
  }
  if (found && !found.isDirectory())
    throw new MirrorTargetError(`${path} is not a directory. Choose another target.`);
  const existing = findFolderFormat(path);
  if (found && existing === undefined && readdirSync(path).some((name) => name !== stateFolderName))
    throw new MirrorTargetError(
      `The directory ${path} is not empty and not a mirror. Choose another target.`,
    );
  if (existing !== undefined && existing !== format)
    throw new MirrorTargetError(`${path} is a mirror in the format ${existing}. Choose another target.`);
  return {
    format,
    path,
    databaseFile: getDatabaseFile(path, format),
    stagingFile: join(path, stateFolderName, 'staging.db'),
  };
}

export function createFolders({ databaseFile }: MirrorTarget): void {
  mkdirSync(dirname(databaseFile), { recursive: true });
}

/** @returns the format by the extension of a file, or of the mirror in a folder; undefined if both are unknown */
export function findMirrorFormat(path: string): MirrorFormat | undefined {
  return sqliteExtensions.includes(extname(path).toLowerCase()) ? 'sqlite' : findFolderFormat(path);
}

/** The file name shows the format, also after an interrupted first run. */
const getDatabaseFile = (path: string, format: MirrorFormat) => join(path, stateFolderName, `${format}.db`);

const findFolderFormat = (path: string) =>
  mirrorFormats.find((format) => existsSync(getDatabaseFile(path, format)));
