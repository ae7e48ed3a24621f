/** Decides whether a file can be restored. */
import { existsSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import { listPendingMigrations } from '../../migrate.ts';
import { closeAtEnd } from '../close-at-end.ts';
import { createInspectedEngine } from '../inspected-engine.ts';
import {
  applicationId,
  describeFileError,
  getApplicationId,
  isSqliteStart,
  readFileStart,
} from '../open-database-files.ts';
import { readWholeFile } from '../query-in-thread.ts';
import { readContent, readDigest } from './backup-digest.ts';
import { findDamage } from './find-damage.ts';

/** Beginnings of other files that operators take for a backup. */
const otherFormats: readonly (readonly [start: Buffer, remedy: string])[] = [
  [Buffer.from('1f8b', 'hex'), 'is compressed. Decompress it first, with gunzip'],
  [Buffer.from('28b52ffd', 'hex'), 'is compressed. Decompress it first, with unzstd'],
  [Buffer.from('fd377a585a00', 'hex'), 'is compressed. Decompress it first, with unxz'],
  [Buffer.from('504b0304'), 'is a zip archive. Unpack it first'],
  [Buffer.from('PGDMP'), 'is a dump of PostgreSQL. Restore it with pg_restore'],
];

/** Reads the whole file. @returns the number of rows @throws StoreConflictError unless it can be restored */
export async function verifyBackup(file: string): Promise<number> {
  assertBackupFile(file);
  using backup = closeAtEnd(new Database(file, { readonly: true }));
  return await assertBackupContent(backup, file);
}

/**
 * Reads the beginning of the file.
 *
 * @returns size and times of the file
 * @throws StoreConflictError unless it is a single SQLite file of Rostra
 */
export function assertBackupFile(file: string): Stats {
  const stats = statBackupFile(file);
  const start = readBackup(file, () => readFileStart(file));
  if (!isSqliteStart(start)) {
    const [, problem = 'is not an SQLite database. If it is encrypted, decrypt it first'] =
      otherFormats.find(([beginning]) => start.subarray(0, beginning.length).equals(beginning)) ?? [];
    throw new StoreConflictError(`${file} ${problem}.`);
  }
  if (getApplicationId(start) !== applicationId)
    throw new StoreConflictError(`${file} is a database of another application.`);
  for (const suffix of ['-wal', '-journal', '-counters']) {
    if (!existsSync(file + suffix)) continue;
    throw new StoreConflictError(
      `${file} is incomplete without ${file}${suffix}: it belongs to a database, not to a backup. Write a backup of it first: ${describeBackupOf(file)}`,
    );
  }
  return stats;
}

const describeBackupOf = (database: string) => `rostra backup NEW-FILE --database ${database}`;

function statBackupFile(file: string): Stats {
  const stats = readBackup(file, () => statSync(file));
  if (stats.isDirectory()) throw new StoreConflictError(`${file} is a folder. Name one backup in it.`);
  if (!stats.isFile()) throw new StoreConflictError(`${file} is not a regular file.`);
  if (stats.size === 0) throw new StoreConflictError(`${file} is empty.`);
  return stats;
}

function readBackup<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new StoreConflictError(
      isMissing
        ? `The backup ${file} does not exist.`
        : `The backup ${file} cannot be read: ${describeFileError(error, dirname(file))}.`,
    );
  }
}

/**
 * Reads the whole file.
 *
 * @param copy the open file, or a copy of it
 * @returns the number of rows
 * @throws StoreConflictError if it is damaged, of a newer version, or carries no digest
 */
export async function assertBackupContent(copy: Database.Database, file: string): Promise<number> {
  const assertUndamaged = (damage: string | undefined) => {
    if (damage !== undefined)
      throw new StoreConflictError(`${file} is damaged: ${damage}. Restore another backup.`);
  };
  assertUndamaged(await findDamage(copy.name, 'integrity_check'));
  assertUndamaged(await findOrphan(copy.name));
  const pending = await listPendingMigrations(createInspectedEngine(copy));
  if (pending.includes('0001_schema')) throw new StoreConflictError(`${file} contains no tables of Rostra.`);
  const digest = readDigest(copy);
  if (digest === undefined)
    throw new StoreConflictError(
      `${file} carries no digest of its content: it is a database, not a backup. Write a backup of it first: ${describeBackupOf(file)}`,
    );
  const { rows, sha256 } = await readContent(copy);
  assertUndamaged(sha256 === digest ? undefined : 'rows were changed after the backup was written');
  return rows;
}

async function findOrphan(copy: string): Promise<string | undefined> {
  const [orphan] = await readWholeFile<{ table: string }>(
    copy,
    'SELECT * FROM pragma_foreign_key_check LIMIT 1',
  );
  return orphan && `rows of ${orphan.table} refer to missing rows`;
}
