/** Keeps other processes out of a database while its files are replaced. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../../domain/store-errors.ts';
import { isSqliteStart, readFileStart } from '../open-database-files.ts';

/** A command may be about to end. */
const lockTimeoutMs = 1_000;

/**
 * Writes the write-ahead log into the file, removes it, and locks the file until the connection is closed. Every process
 * that has the database open holds a shared lock, so this fails then.
 *
 * @returns undefined if SQLite cannot read the file
 * @throws StoreConflictError if another process has the file open, or if it belongs to another application
 * @throws StoreUnavailableError if the file cannot be written
 */
export function lockDatabaseFile(file: string): Database.Database | undefined {
  if (isUnreadable(file)) return undefined;
  const connection = new Database(file, { fileMustExist: true, timeout: lockTimeoutMs });
  try {
    // Leaving this mode removes the log, and needs the database alone.
    connection.pragma('journal_mode = DELETE');
    connection.exec('BEGIN EXCLUSIVE');
    // Another process may have opened the database between the two statements.
    if (connection.pragma('journal_mode', { simple: true }) !== 'delete') throw createInUseError(file);
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof StoreConflictError) throw error;
    const { code = '', message } = error as Error & { code?: string };
    if (code.startsWith('SQLITE_BUSY')) throw createInUseError(file);
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code))
      throw new StoreUnavailableError(`The database ${file} cannot be replaced: ${message}.`, {
        cause: error,
      });
    assertUnlocked(file);
    return undefined;
  }
}

/** SQLite would remove the log of such a file. */
function isUnreadable(file: string): boolean {
  const start = readFileStart(file);
  if (start.length === 0 || isSqliteStart(start)) return false;
  assertUnlocked(file);
  return true;
}

const createInUseError = (file: string) =>
  new StoreConflictError(
    `The database ${file} is in use by a server or a command. Stop it first, for example with "systemctl stop rostra".`,
  );

/** Locks of files, each with `device:inode`. See proc_locks(5). Linux only. */
const lockList = '/proc/locks';

/** For files that SQLite cannot read, and therefore not lock. @throws StoreConflictError */
function assertUnlocked(file: string): void {
  if (!existsSync(lockList)) return;
  if (readFileSync(lockList, 'utf8').includes(`:${statSync(file).ino} `)) throw createInUseError(file);
}
