/**
 * SQLite: the embedded engine. One file holds the data, a second one beside it (`…-counters`) the rate
 * windows, so that a long import's write lock never stands in a request's way.
 *
 * Calls into SQLite are synchronous; the promises are there for the port. Several processes may open the
 * same files: a server and any number of commands.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { windowStart } from '../access/window.ts';
import type { Engine, Statements, Value } from './engine.ts';
import { findActiveKey } from './queries.ts';
import { type Admission, StoreRefusal, StoreUnavailable } from './store.ts';

export interface SqliteOptions {
  file: string;
  /** Create the file, and its folder, where there is none. */
  create: boolean;
  /** How long a transaction waits for another process's lock. */
  lockTimeoutMs: number;
  rateLimit: number;
  rateWindowMs: number;
  /** Unix milliseconds. */
  clock: () => number;
}

/** How long one statement, a request's above all, waits for a lock. Few are met: WAL lets readers pass. */
const statementTimeoutMs = 800;

/** SQLite's own waiting would hold up the whole process, so a lock is asked for again after this time. */
const retryMs = 2;

/** Marks a file as ours ("rstr" in ASCII), so that no other application's database is touched. */
const applicationId = 0x72737472;

const openCounters = `
  CREATE TABLE IF NOT EXISTS counters.key_use (
    organization_id TEXT NOT NULL,
    key_id          TEXT NOT NULL PRIMARY KEY,
    window_start_ms INTEGER NOT NULL,
    used            INTEGER NOT NULL,
    last_used_ms    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`;

/** A backup brings the windows along in its one file; after a restore they go back to their own. */
const moveRestoredCounters = `
  INSERT INTO counters.key_use SELECT * FROM main.key_use WHERE true ON CONFLICT DO NOTHING;
  DROP TABLE main.key_use`;

/**
 * Takes one request. A window never goes back: when the clock is set back a little, the later window goes on;
 * when it is set back by more than a window, the row was written by a clock that was wrong, and starts anew.
 */
const takeRequest = `
  INSERT INTO counters.key_use (organization_id, key_id, window_start_ms, used, last_used_ms)
  VALUES ($1, $2, $3, 1, $4)
  ON CONFLICT (key_id) DO UPDATE SET
    used = iif(window_start_ms BETWEEN $3 AND $3 + $5, used + 1, 1),
    window_start_ms = iif(window_start_ms BETWEEN $3 AND $3 + $5, window_start_ms, $3),
    last_used_ms = $4
  WHERE used < $6 OR window_start_ms NOT BETWEEN $3 AND $3 + $5
  RETURNING used, window_start_ms AS "windowStartMs"`;

const readWindow = 'SELECT window_start_ms AS "windowStartMs" FROM counters.key_use WHERE key_id = $1';

interface ActiveKey {
  organizationId: string;
  id: string;
  prefix: string;
  name: string;
  requestLimit: number | null;
}

/**
 * @throws StoreRefusal when there is no such file and `create` is false, or it is not a database of Rostra's
 * @throws StoreUnavailable when it cannot be opened
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  if (options.create) createFile(options.file);
  else if (!existsSync(options.file)) {
    throw new StoreRefusal(
      `There is no database at ${options.file}. Create it with "rostra organization add NAME", or name another with --database.`,
    );
  }
  const reader = connect(options);
  let writer: Database.Database | undefined;
  let lastTransaction: Promise<unknown> = Promise.resolve();
  const readerStatements = statementsOf(reader);
  const admit = admission(reader, options);

  async function inTransaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    writer ??= connect(options);
    const inside = statementsOf(writer);
    await patiently(() => writer?.exec('BEGIN IMMEDIATE'), options.lockTimeoutMs);
    try {
      const result = await work(inside);
      await inside.script('COMMIT');
      return result;
    } catch (error) {
      // A full disk may already have rolled back.
      if (writer.inTransaction) await inside.script('ROLLBACK');
      throw error;
    }
  }

  const engine: Engine = {
    dialect: 'sqlite',
    ...readerStatements,
    transaction: (work) => {
      const result = lastTransaction.then(() => inTransaction(work));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    now: async () => options.clock(),
    admit: (secretHash) => patiently(() => admit(secretHash), statementTimeoutMs),
    backup: async (file) => backup(reader, file),
    close: async () => {
      await lastTransaction;
      writer?.close();
      reader.close();
    },
  };
  return engine;
}

/** Only the owner may read a new database: it holds the secrets that sign cursors. */
function createFile(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EACCES: `the folder ${folder} is not writable for this user`,
      EPERM: `the folder ${folder} is not writable for this user`,
      EROFS: `the folder ${folder} is on a read-only file system`,
      EEXIST: `${folder} is not a folder`,
      ENOTDIR: `${folder} is not a folder`,
      EISDIR: 'it is a folder',
      ENOSPC: 'the disk is full',
    };
    throw new StoreUnavailable(`The database ${file} cannot be created: ${reasons[code ?? ''] ?? message}.`, {
      cause: error,
    });
  }
}

function connect({ file, lockTimeoutMs }: SqliteOptions): Database.Database {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { fileMustExist: true, timeout: lockTimeoutMs });
    refuseForeignFile(connection, file);
    connection.pragma('journal_mode = WAL');
    // An acknowledged revocation must survive a power cut; a counter that loses its last moments then may not.
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    // A connection that must not create its main file does not create an attached one either.
    createFile(`${file}-counters`);
    connection.prepare('ATTACH $1 AS counters').run({ 1: `${file}-counters` });
    // Every count writes one page to the log: the smallest page is the cheapest. Fixed once the file has content.
    connection.pragma('counters.page_size = 512');
    connection.pragma('counters.journal_mode = WAL');
    connection.pragma('counters.synchronous = NORMAL');
    connection.exec(openCounters);
    if (holdsRestoredCounters(connection)) {
      connection
        .transaction((database: Database.Database) => {
          if (holdsRestoredCounters(database)) database.exec(moveRestoredCounters);
        })
        .immediate(connection);
    }
    connection.pragma('busy_timeout = 0');
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof StoreRefusal) throw error;
    throw new StoreUnavailable(`The database ${file} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function holdsRestoredCounters(connection: Database.Database): boolean {
  return connection.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'key_use'").get() !== undefined;
}

function refuseForeignFile(connection: Database.Database, file: string): void {
  let found: unknown;
  try {
    found = connection.pragma('application_id', { simple: true });
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    throw new StoreRefusal(`${file} is not a database. Name another file with --database.`);
  }
  if (found === applicationId) return;
  const empty = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  if (!empty) {
    throw new StoreRefusal(
      `${file} is a database of another application. Name another file with --database.`,
    );
  }
  connection.pragma(`application_id = ${applicationId}`);
}

function statementsOf(connection: Database.Database): Statements {
  const prepared = new Map<string, Database.Statement>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
  return {
    rows: async <Row>(sql: string, parameters: readonly Value[] = []) =>
      patiently(() => prepare(sql).all(numbered(parameters)) as Row[], statementTimeoutMs),
    change: async (sql, parameters = []) =>
      patiently(() => prepare(sql).run(numbered(parameters)).changes, statementTimeoutMs),
    script: async (sql) => {
      await patiently(() => connection.exec(sql), statementTimeoutMs);
    },
  };
}

/** SQLite takes `$1` for a parameter that is named "1". */
function numbered(parameters: readonly Value[]): Record<number, Value> {
  const named: Record<number, Value> = {};
  for (let index = 0; index < parameters.length; index += 1) named[index + 1] = parameters[index] as Value;
  return named;
}

function admission(connection: Database.Database, { rateLimit, rateWindowMs, clock }: SqliteOptions) {
  let statements:
    | { find: Database.Statement; take: Database.Statement; read: Database.Statement }
    | undefined;
  return (secretHash: Buffer): Admission | undefined => {
    // The tables exist only once the migrations have run, which is after this function was made.
    statements ??= {
      find: connection.prepare(findActiveKey),
      take: connection.prepare(takeRequest),
      read: connection.prepare(readWindow),
    };
    const nowMs = clock();
    const key = statements.find.get({ 1: secretHash, 2: new Date(nowMs).toISOString() }) as
      | ActiveKey
      | undefined;
    if (key === undefined) return undefined;
    const limit = key.requestLimit ?? rateLimit;
    const taken = statements.take.get({
      1: key.organizationId,
      2: key.id,
      3: windowStart(key.id, nowMs, rateWindowMs),
      4: nowMs - (nowMs % 60_000),
      5: rateWindowMs,
      6: limit,
    }) as { used: number; windowStartMs: number } | undefined;
    const { windowStartMs } = taken ?? (statements.read.get({ 1: key.id }) as { windowStartMs: number });
    return {
      caller: {
        organizationId: key.organizationId,
        keyId: key.id,
        keyPrefix: key.prefix,
        keyName: key.name,
      },
      window: {
        limit,
        remaining: taken === undefined ? 0 : limit - taken.used,
        resetAtMs: windowStartMs + rateWindowMs,
      },
      refused: taken === undefined,
      nowMs,
    };
  };
}

/** `VACUUM INTO` copies what one read transaction sees, and holds up no writer. */
function backup(connection: Database.Database, file: string): void {
  if (existsSync(file)) throw new StoreRefusal(`${file} exists already. Name a new file for the backup.`);
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  try {
    createFile(partial);
    connection.prepare('VACUUM main INTO $1').run({ 1: partial });
    const uses = connection.prepare('SELECT * FROM counters.key_use').all();
    const copy = new Database(partial);
    copy.exec(openCounters.replace('counters.', ''));
    const insert = copy.prepare(
      'INSERT INTO key_use VALUES (@organization_id, @key_id, @window_start_ms, @used, @last_used_ms)',
    );
    copy.transaction(() => {
      for (const use of uses) insert.run(use);
    })();
    const verdict = copy.pragma('quick_check', { simple: true });
    copy.close();
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${verdict}`);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new StoreUnavailable(`The backup ${file} could not be written: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

const unavailable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)/;

/**
 * Runs one call into SQLite, again and again while a lock stands in its way.
 *
 * @throws StoreUnavailable when the time is up, or the database cannot do its work
 */
async function patiently<Result>(call: () => Result, timeoutMs: number): Promise<Result> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return call();
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string };
      if (!code.startsWith('SQLITE_BUSY') || performance.now() > until) {
        if (!unavailable.test(code)) throw error;
        throw new StoreUnavailable(`The database failed: ${message}.`, { cause: error });
      }
    }
    await setTimeout(retryMs);
  }
}
