/** Decides whether a file can be restored. */
import { existsSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { listPendingMigrations } from '../migrate.ts';
import { getApplicationId, isSqliteStart, readFileStart } from './file-start.ts';
import { applicationId, describeFileError } from './open-database-files.ts';

/** Beginnings of other files that operators take for a backup. */
const otherFormats: readonly (readonly [start: Buffer, remedy: string])[] = [
  [Buffer.from('1f8b', 'hex'), 'is compressed. Decompress it first, with gunzip'],
  [Buffer.from('28b52ffd', 'hex'), 'is compressed. Decompress it first, with unzstd'],
  [Buffer.from('fd377a585a00', 'hex'), 'is compressed. Decompress it first, with unxz'],
  [Buffer.from('504b0304'), 'is a zip archive. Unpack it first'],
  [Buffer.from('PGDMP'), 'is a dump of PostgreSQL. Restore it with pg_restore'],
];

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
      `${file} is incomplete without ${file}${suffix}: it belongs to a database, not to a backup. Write a backup of it first: rostra backup NEW-FILE --database ${file}`,
    );
  }
  return stats;
}

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
 * @param copy an open copy of the file
 * @throws StoreConflictError if it is damaged or of a newer version
 */
export async function assertBackupContent(copy: Database.Database, file: string): Promise<void> {
  const damage = findDamage(copy);
  if (damage !== undefined)
    throw new StoreConflictError(`${file} is damaged: ${damage}. Restore another backup.`);
  const pending = await listPendingMigrations({
    dialect: 'sqlite',
    hasTable: async (name) =>
      copy.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined,
    query: async <Row>(sql: string) => copy.prepare(sql).all() as Row[],
  });
  if (pending.includes('0001_schema')) throw new StoreConflictError(`${file} contains no tables of Rostra.`);
}

function findDamage(copy: Database.Database): string | undefined {
  try {
    const [first] = copy.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (first?.integrity_check !== 'ok') return first?.integrity_check.replaceAll('\n', ' ');
    const orphans = (copy.pragma('foreign_key_check') as { table: string }[]).map(({ table }) => table);
    return orphans.length === 0 ? undefined : `rows of ${orphans[0]} refer to missing rows`;
  } catch (error) {
    return (error as Error).message;
  }
}
