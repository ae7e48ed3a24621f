/** The two files of an SQLite database: created, opened, told from those of others. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';

/** Marks a file as ours ("rstr" in ASCII), so that no other application's database is touched. */
const applicationId = 0x72737472;

export const createCounterTables = `
  CREATE TABLE IF NOT EXISTS counters.rate_window (
    organization_id TEXT NOT NULL,
    key_id          TEXT NOT NULL,
    window_start_ms INTEGER NOT NULL,
    used            INTEGER NOT NULL,
    -- How many requests the last writer of the row was granted.
    granted         INTEGER NOT NULL,
    last_used_at_ms INTEGER NOT NULL,
    PRIMARY KEY (organization_id, key_id)
  ) STRICT, WITHOUT ROWID;

  -- Requests of each key on each day, counted in memory and added here now and then.
  CREATE TABLE IF NOT EXISTS counters.key_usage_daily (
    organization_id TEXT NOT NULL,
    key_id          TEXT NOT NULL,
    day             TEXT NOT NULL,
    answered        INTEGER NOT NULL,
    rejected        INTEGER NOT NULL,
    PRIMARY KEY (organization_id, key_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX IF NOT EXISTS counters.key_usage_daily_by_day ON key_usage_daily (day);

  -- How often something was tried that is bounded, such as passwords of one account.
  CREATE TABLE IF NOT EXISTS counters.attempt (
    name            TEXT NOT NULL PRIMARY KEY,
    window_start_ms INTEGER NOT NULL,
    used            INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX IF NOT EXISTS counters.attempt_by_window ON attempt (window_start_ms)`;

/** Those that a backup brings along in its one file; after a restore they go back to their own. */
export const backedUpCounters = ['rate_window', 'key_usage_daily'] as const;

/** Only the owner may read a new database: it holds the secrets that sign cursors. */
export function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    const what = existsSync(file) ? 'written' : 'created';
    throw new StoreUnavailableError(
      `The database ${file} cannot be ${what}: ${describeFileError(error, dirname(file))}.`,
      {
        cause: error,
      },
    );
  }
}

/** @throws StoreRefusal: a mistyped name must not look like a municipality without data */
export function assertDatabaseExists(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !(found.isFile() && found.size === 0)) return;
  const what = found === undefined ? `There is no database at ${file}` : `The file ${file} is empty`;
  throw new StoreConflictError(
    `${what}. Create the database with "rostra organization add NAME", or correct the path.`,
  );
}

export function describeFileError(error: unknown, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: 'this user has no right to',
    EPERM: 'this user has no right to',
    EROFS: `the folder ${folder} is on a read-only file system`,
    EEXIST: `${folder} is not a folder`,
    ENOTDIR: `${folder} is not a folder`,
    EISDIR: 'it is a folder',
    ENOENT: `there is no folder ${folder}`,
    ENOSPC: 'the disk is full',
  };
  return reasons[code ?? ''] ?? message;
}

/**
 * @throws StoreRefusal for a file that is not a database of Rostra's
 * @throws StoreUnavailable when it cannot be opened
 */
export function openConnection(
  { file, lockTimeoutMs }: { file: string; lockTimeoutMs: number },
  { counters }: { counters: boolean },
): Database.Database {
  let connection: Database.Database | undefined;
  try {
    if (statSync(file).isDirectory())
      throw new StoreConflictError(`The database ${file} cannot be opened: it is a folder.`);
    connection = new Database(file, { fileMustExist: true, timeout: lockTimeoutMs });
    // A page of a list takes two or three of these; only a new file can still choose.
    connection.pragma('page_size = 8192');
    assertRostraDatabase(connection, file);
    connection.pragma('journal_mode = WAL');
    // An acknowledged revocation must survive a power cut; a counter that loses its last moments then may not.
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    // So that a REPLACE, too, fires the triggers that count a session's submissions.
    connection.pragma('recursive_triggers = ON');
    if (counters) attachCounters(connection, file);
    connection.pragma('busy_timeout = 0');
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof StoreConflictError) throw error;
    throw new StoreUnavailableError(`The database ${file} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/**
 * A transaction that is begun with the write lock takes that of every attached file. So the connection that
 * writes data has no counters: an import must not stand in a request's way.
 */
function attachCounters(connection: Database.Database, file: string): void {
  // A connection that must not create its main file does not create an attached one either.
  createFile(`${file}-counters`);
  connection.prepare('ATTACH $1 AS counters').run({ 1: `${file}-counters` });
  // Every count writes one page to the log: the smallest page is the cheapest. Fixed once the file has content.
  connection.pragma('counters.page_size = 512');
  connection.pragma('counters.journal_mode = WAL');
  connection.pragma('counters.synchronous = NORMAL');
  connection.exec(createCounterTables);
  if (hasRestoredCounters(connection)) {
    connection
      .transaction((database: Database.Database) => {
        if (!hasRestoredCounters(database)) return;
        for (const table of backedUpCounters) {
          database.exec(
            `INSERT INTO counters.${table} SELECT * FROM main.${table} WHERE true ON CONFLICT DO NOTHING`,
          );
          database.exec(`DROP TABLE main.${table}`);
        }
      })
      .immediate(connection);
  }
}

function hasRestoredCounters(connection: Database.Database): boolean {
  return (
    connection.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'rate_window'").get() !== undefined
  );
}

function assertRostraDatabase(connection: Database.Database, file: string): void {
  let found: unknown;
  let empty = false;
  try {
    // One look at both: another process may be making its first tables.
    connection.transaction(() => {
      found = connection.pragma('application_id', { simple: true });
      empty = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    })();
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    throw new StoreConflictError(`${file} is not a database. Name another file with --database.`);
  }
  if (found === applicationId) return;
  if (!empty) {
    throw new StoreConflictError(
      `${file} is a database of another application. Name another file with --database.`,
    );
  }
  connection.pragma(`application_id = ${applicationId}`);
}
