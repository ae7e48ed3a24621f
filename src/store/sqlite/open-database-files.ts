/** Creates and opens the two files of an SQLite database: data and counters. */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lchownSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { digestTable } from './backups/backup-digest.ts';
import { findInaccessibleFile } from './find-inaccessible-file.ts';
import { hasTable } from './inspected-engine.ts';
import { countersSuffix, createDamagedError, isDamage, toOpenError } from './sqlite-errors.ts';

/** Identifies databases of Rostra ("rstr" in ASCII). See https://sqlite.org/pragma.html#pragma_application_id. */
export const applicationId = 0x72737472;

export const createCounterTables = `
  CREATE TABLE IF NOT EXISTS counters.rate_window (
    organization_id TEXT NOT NULL,
    key_id          TEXT NOT NULL,
    window_start_ms INTEGER NOT NULL,
    used            INTEGER NOT NULL,
    -- Requests that the last statement granted, and the limit that it used.
    granted         INTEGER NOT NULL DEFAULT 0,
    request_limit   INTEGER NOT NULL DEFAULT 0,
    last_used_at_ms INTEGER NOT NULL,
    PRIMARY KEY (organization_id, key_id)
  ) STRICT, WITHOUT ROWID;

  -- Requests of each key on each day (UTC). Counted in memory and added periodically.
  CREATE TABLE IF NOT EXISTS counters.key_usage_daily (
    organization_id TEXT NOT NULL,
    key_id          TEXT NOT NULL,
    day             TEXT NOT NULL CHECK (day > '0001' AND day IS strftime('%Y-%m-%d', day)),
    -- Operation ID of the API, or "unknown".
    operation       TEXT NOT NULL CHECK (length(operation) BETWEEN 1 AND 100),
    -- 401: requests while the key was revoked or expired.
    status          INTEGER NOT NULL CHECK (status BETWEEN 100 AND 599),
    requests        INTEGER NOT NULL CHECK (requests > 0),
    PRIMARY KEY (organization_id, key_id, day, operation, status)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX IF NOT EXISTS counters.key_usage_daily_by_day
    ON key_usage_daily (day, organization_id, status, requests);
  CREATE INDEX IF NOT EXISTS counters.key_usage_daily_over_limit ON key_usage_daily (day) WHERE status = 429;

  -- The latest rejected requests of each key, without paths and values of parameters.
  CREATE TABLE IF NOT EXISTS counters.rejected_request (
    organization_id TEXT NOT NULL,
    key_id          TEXT NOT NULL,
    at              TEXT NOT NULL CHECK (at > '0001' AND at IS strftime('%Y-%m-%dT%H:%M:%fZ', at)),
    id              TEXT NOT NULL,
    operation       TEXT NOT NULL CHECK (length(operation) BETWEEN 1 AND 100),
    status          INTEGER NOT NULL CHECK (status BETWEEN 400 AND 599),
    message         TEXT NOT NULL CHECK (length(message) BETWEEN 1 AND 500),
    parameter       TEXT CHECK (length(parameter) <= 100),
    PRIMARY KEY (organization_id, key_id, at, id)
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX IF NOT EXISTS counters.rejected_request_by_time ON rejected_request (at);

  -- Limited attempts, such as password attempts of one account.
  CREATE TABLE IF NOT EXISTS counters.attempt (
    name            TEXT NOT NULL PRIMARY KEY,
    window_start_ms INTEGER NOT NULL,
    used            INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE INDEX IF NOT EXISTS counters.attempt_by_window ON attempt (window_start_ms)`;

/** A backup includes these tables. After a restore, the first start moves them into the counters file. */
export const backedUpCounters = ['rate_window', 'key_usage_daily', 'rejected_request'] as const;

/**
 * Only its owner may read the file: it contains the secrets that sign cursors.
 *
 * @param sameOwner a path whose owner owns the new file too, if root creates it
 */
export function createFile(file: string, sameOwner = dirname(file)): void {
  assertNotTruncated(file);
  try {
    if (existsSync(file)) {
      closeSync(openSync(file, 'a'));
      return;
    }
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
    if (isRoot()) giveToOwnerOf(sameOwner, file);
  } catch (error) {
    const what = existsSync(file) ? 'written' : 'created';
    const reason = findInaccessibleFile(file) ?? describeFileError(error, dirname(file));
    throw new StoreUnavailableError(`The database ${file} cannot be ${what}: ${reason}.`, { cause: error });
  }
}

/**
 * A mistyped file name must not create an empty database.
 *
 * @throws StoreConflictError
 * @throws StoreUnavailableError if its folder cannot be read, or the file is damaged
 */
export function assertDatabaseExists(file: string): void {
  const found = statDatabase(file);
  if (found !== undefined && !(found.isFile() && found.size === 0)) return;
  assertNotTruncated(file);
  const what = found === undefined ? `The database ${file} does not exist` : `The file ${file} is empty`;
  throw new StoreConflictError(
    `${what}. Create the database with "rostra organization add NAME", or correct the path.`,
  );
}

/** SQLite would open a file that it may not write, and only read it. @throws StoreUnavailableError */
export function assertWritable(file: string): void {
  const denial = findInaccessibleFile(file);
  if (denial !== undefined)
    throw new StoreUnavailableError(`The database ${file} cannot be written: ${denial}.`);
}

/** The first start of a database writes its header before it creates the counters. @throws StoreDamagedError */
function assertNotTruncated(file: string): void {
  if (statDatabase(file)?.size === 0 && existsSync(file + countersSuffix))
    throw createDamagedError(file, 'it is empty');
}

function statDatabase(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw toOpenError(error, file);
  }
}

export function describeFileError(error: unknown, folder: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: `the folder ${folder} is on a read-only file system`,
    EEXIST: `${folder} is not a folder`,
    ENOTDIR: `${folder} is not a folder`,
    EISDIR: 'it is a folder',
    ENOENT: `the folder ${folder} does not exist`,
    ENOSPC: 'the disk is full',
  };
  return reasons[code ?? ''] ?? message;
}

interface OpenOptions {
  file: string;
  lockTimeoutMs: number;
}

interface UnchangedDatabase {
  connection: Database.Database;
  /** Prepares the connection for writing. @throws as `openUnchanged`; the connection is closed then */
  configure(options: { counters: boolean }): Database.Database;
  /** Leaves the file and its log as they are. */
  close(): void;
}

/**
 * Opens a file and only reads it.
 *
 * @throws StoreConflictError for a file that is not a database of Rostra
 * @throws StoreUnavailableError if the file cannot be opened
 */
export function openUnchanged({ file, lockTimeoutMs }: OpenOptions): UnchangedDatabase {
  let guard: Database.Database | undefined;
  let connection: Database.Database | undefined;
  const close = () => {
    connection?.close();
    guard?.close();
  };
  const callOrClose = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      close();
      if (error instanceof StoreConflictError || error instanceof StoreUnavailableError) throw error;
      throw toOpenError(error, file);
    }
  };
  return callOrClose(() => {
    if (statSync(file).isDirectory())
      throw new StoreConflictError(`The database ${file} cannot be opened: it is a folder.`);
    // When it closes, the last connection moves the log of a killed process into the file, unless it may not write. Without
    // a log, one that may not write would leave an empty log behind.
    if (existsSync(`${file}-wal`)) {
      guard = new Database(file, { fileMustExist: true, timeout: lockTimeoutMs, readonly: true });
      assertRostraDatabase(guard, file);
    }
    const opened = new Database(file, { fileMustExist: true, timeout: lockTimeoutMs });
    connection = opened;
    if (guard === undefined) assertRostraDatabase(opened, file);
    return {
      connection: opened,
      configure: ({ counters }) =>
        callOrClose(() => {
          configureConnection(opened);
          guard?.close();
          if (counters) attachCounters(opened, file);
          opened.pragma('busy_timeout = 0');
          return opened;
        }),
      close,
    };
  });
}

export const openConnection = (options: OpenOptions, use: { counters: boolean }): Database.Database =>
  openUnchanged(options).configure(use);

function configureConnection(connection: Database.Database): void {
  // A page of a list has two or three pages of this size. Only affects new files.
  connection.pragma('page_size = 8192');
  if (connection.pragma('application_id', { simple: true }) !== applicationId)
    connection.pragma(`application_id = ${applicationId}`);
  connection.pragma('journal_mode = WAL');
  // An acknowledged revocation must survive a power failure. Counters may lose their last updates.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  // REPLACE must fire the triggers that count the submissions of a session.
  connection.pragma('recursive_triggers = ON');
}

/**
 * BEGIN IMMEDIATE locks all attached files. The writing connection therefore has no counters: an import must not block
 * requests.
 */
function attachCounters(connection: Database.Database, file: string): void {
  const counters = file + countersSuffix;
  // A connection with `fileMustExist` does not create attached files either.
  createFile(counters, file);
  try {
    configureCounters(connection, counters);
  } catch (error) {
    throw toOpenError(error, isDamage(error) ? counters : file);
  }
  mergeRestoredCounters(connection);
}

function configureCounters(connection: Database.Database, counters: string): void {
  connection.prepare('ATTACH $1 AS counters').run({ 1: counters });
  // Every request writes one page to the log, so a small page is fast. A row of the daily usage does not fit into a cell of
  // a smaller page. Only affects new files.
  connection.pragma('counters.page_size = 1024');
  connection.pragma('counters.journal_mode = WAL');
  connection.pragma('counters.synchronous = NORMAL');
  connection.exec(createCounterTables);
}

const counterTable = new RegExp(
  `\\b(${[...createCounterTables.matchAll(/TABLE IF NOT EXISTS counters\.(\w+)/g)].map(([, name]) => name).join('|')})\\b`,
);

/**
 * SQLite does not say in which file it has found damage.
 *
 * @param connection with attached counters
 * @returns whether the damage that a statement has met is in the counters. The first statement that concerns them reads all
 *   their pages.
 */
export function createCountersCheck(connection: Database.Database): (sql: string) => boolean {
  let isDamaged: boolean | undefined;
  return (sql) => {
    if (!counterTable.test(sql)) return false;
    isDamaged ??= hasDamagedCounters(connection);
    return isDamaged;
  };
}

function hasDamagedCounters(connection: Database.Database): boolean {
  try {
    return connection.pragma('counters.quick_check(1)', { simple: true }) !== 'ok';
  } catch (error) {
    return isDamage(error);
  }
}

function mergeRestoredCounters(connection: Database.Database): void {
  if (hasTable(connection, 'rate_window')) {
    connection
      .transaction((database: Database.Database) => {
        if (!hasTable(database, 'rate_window')) return;
        for (const table of backedUpCounters) {
          database.exec(
            `INSERT INTO counters.${table} SELECT * FROM main.${table} WHERE true ON CONFLICT DO NOTHING`,
          );
          database.exec(`DROP TABLE main.${table}`);
        }
        database.exec(`DROP TABLE IF EXISTS main.${digestTable}`);
      })
      .immediate(connection);
  }
}

/** @throws StoreConflictError */
export function assertRostraDatabase(connection: Database.Database, file: string): void {
  try {
    // A count would read the whole schema.
    if (connection.pragma('application_id', { simple: true }) === applicationId) return;
    // One transaction: another process may be creating the first tables.
    const isUsable = connection.transaction(
      () =>
        connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0 ||
        connection.pragma('application_id', { simple: true }) === applicationId,
    );
    if (isUsable()) return;
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    if (existsSync(file + countersSuffix)) throw createDamagedError(file, 'its header is destroyed', error);
    throw new StoreConflictError(`${file} is not a database. Choose another file with --database.`);
  }
  throw new StoreConflictError(
    `${file} is a database of another application. Choose another file with --database.`,
  );
}

/**
 * Root may run commands for the user of the service, who must be able to open the files. The folder may belong to that
 * user, who could replace a file by a symbolic link to a file of root: these functions do not follow it.
 */
export const isRoot = () => process.getuid?.() === 0;

export function giveToOwnerOf(path: string, file: string): void {
  const { uid, gid } = statSync(path);
  lchownSync(file, uid, gid);
}

/** @throws an error of the system for a symbolic link */
export function setFileMode(file: string, mode: number): void {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

/** See https://sqlite.org/fileformat.html#the_database_header. */
const headerBytes = 100;
const sqliteStart = Buffer.from('SQLite format 3\0');
const applicationIdOffset = 68;

export const isSqliteStart = (start: Buffer) => start.subarray(0, sqliteStart.length).equals(sqliteStart);

/** @returns undefined for a truncated file */
export const getApplicationId = (start: Buffer) =>
  start.length === headerBytes ? start.readUInt32BE(applicationIdOffset) : undefined;

/** Reads the header of an SQLite file, or fewer bytes from a shorter file. */
export function readFileStart(file: string): Buffer {
  const start = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  try {
    return start.subarray(0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}
