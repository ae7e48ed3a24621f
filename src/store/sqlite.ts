/**
 * SQLite: the embedded engine. One file holds the data, a second one beside it (`…-counters`) the rate
 * windows, so that a long import's write lock never stands in a request's way.
 *
 * Calls into SQLite are synchronous; the promises are there for the port. Several processes may open the
 * same files: a server and any number of commands.
 */
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { windowStart } from '../access/window.ts';
import type { Columns, Engine, Statements, Value } from './engine.ts';
import { newestSecrets, remembered } from './queries.ts';
import { backup, connect, createFile } from './sqlite-file.ts';
import { type Admission, StoreRefusal, StoreUnavailable } from './store.ts';

export interface SqliteOptions {
  file: string;
  /** Create the file, and its folder, where there is none. */
  create: boolean;
  /** How long one statement waits for a lock. Few are met: WAL lets readers pass. */
  statementTimeoutMs: number;
  /** How long a transaction waits for another process's lock. */
  lockTimeoutMs: number;
  rateLimit: number;
  rateWindowMs: number;
  /** Unix milliseconds. */
  clock: () => number;
}

/** SQLite's own waiting would hold up the whole process, so a lock is asked for again after this time. */
const retryMs = 2;

export const findActiveKey = `
  SELECT organization_id AS "organizationId", id, prefix, name, request_limit AS "requestLimit"
  FROM api_key
  WHERE secret_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;

/**
 * Takes one request. A window never goes back: when the clock is set back a little, the later window goes on;
 * when it is set back by more than a window, the row was written by a clock that was wrong, and starts anew.
 */
const takeRequest = `
  INSERT INTO counters.key_use (organization_id, key_id, window_start_ms, used, last_used_ms)
  VALUES ($1, $2, $3, 1, $4)
  ON CONFLICT (organization_id, key_id) DO UPDATE SET
    used = iif(window_start_ms BETWEEN $3 AND $3 + $5, used + 1, 1),
    window_start_ms = iif(window_start_ms BETWEEN $3 AND $3 + $5, window_start_ms, $3),
    last_used_ms = $4
  WHERE used < $6 OR window_start_ms NOT BETWEEN $3 AND $3 + $5
  RETURNING used, window_start_ms AS "windowStartMs"`;

const readWindow =
  'SELECT window_start_ms AS "windowStartMs" FROM counters.key_use WHERE organization_id = $1 AND key_id = $2';

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
  const reader = connect(options, { counters: true });
  let writer: Database.Database | undefined;
  let lastTransaction: Promise<unknown> = Promise.resolve();
  const readerStatements = statementsOf(reader, options);
  const admit = admission(reader, options);

  async function inTransaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    writer ??= connect(options, { counters: false });
    const inside = statementsOf(writer, options);
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
    // No other wall than the predicate stands around a municipality here.
    rowsOf: readerStatements.rows,
    page: (parts, parameters, limit) =>
      readerStatements.rows(pageOf(parts, parameters.length), [...parameters, limit]),
    // One writer for the whole file: whose rows it writes makes no difference.
    transaction: (_organizationId, work) => {
      const result = lastTransaction.then(() => inTransaction(work));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    recordset,
    hasTable: async (name) =>
      (await readerStatements.rows('SELECT 1 FROM sqlite_schema WHERE name = $1', [name])).length > 0,
    admit: (secretHash) => patiently(() => admit(secretHash), options.statementTimeoutMs),
    backup: async (file) => backup(reader, file),
    close: async () => {
      await lastTransaction;
      writer?.close();
      reader.close();
    },
  };
  return engine;
}

/** SQLite merges the parts in their order without sorting them. The limit stands behind the other parameters. */
export const pageOf = remembered(
  (parts: readonly string[], parameterCount: number) =>
    `${parts.join(' UNION ALL ')} ORDER BY at DESC, id LIMIT $${parameterCount + 1}`,
);

function statementsOf(
  connection: Database.Database,
  { statementTimeoutMs, clock }: SqliteOptions,
): Statements {
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
    now: async () => clock(),
  };
}

/** SQLite takes `$1` for a parameter that is named "1". */
function numbered(parameters: readonly Value[]): Record<number, Value> {
  const named: Record<number, Value> = {};
  for (let index = 0; index < parameters.length; index += 1) named[index + 1] = parameters[index] as Value;
  return named;
}

function recordset(alias: string, parameter: string, columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => {
    const field = `value ->> '${name}'`;
    return `${type === 'bytes' ? `unhex(${field})` : field} AS ${name}`;
  });
  return `(SELECT ${fields.join(', ')} FROM json_each(${parameter})) AS ${alias}`;
}

function admission(connection: Database.Database, { rateLimit, rateWindowMs, clock }: SqliteOptions) {
  let statements: Record<'find' | 'take' | 'readWindow' | 'readSecrets', Database.Statement> | undefined;
  return (secretHash: Buffer): Admission | undefined => {
    // The tables exist only once the migrations have run, which is after this function was made.
    statements ??= {
      find: connection.prepare(findActiveKey),
      take: connection.prepare(takeRequest),
      readWindow: connection.prepare(readWindow),
      readSecrets: connection.prepare(newestSecrets),
    };
    const nowMs = clock();
    const key = statements.find.get({ 1: secretHash, 2: new Date(nowMs).toISOString() }) as
      | ActiveKey
      | undefined;
    if (key === undefined) return undefined;
    const limit = key.requestLimit ?? rateLimit;
    // `all`, as `get` does not see the error of a commit that fails: on a full disk it would be a free pass.
    const [taken] = statements.take.all({
      1: key.organizationId,
      2: key.id,
      3: windowStart(key.id, nowMs, rateWindowMs),
      4: nowMs - (nowMs % 60_000),
      5: rateWindowMs,
      6: limit,
    }) as { used: number; windowStartMs: number }[];
    const { windowStartMs } =
      taken ?? (statements.readWindow.get({ 1: key.organizationId, 2: key.id }) as { windowStartMs: number });
    const secrets = statements.readSecrets.all() as { secret: Buffer }[];
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
      cursorSecrets: secrets.map(({ secret }) => secret) as [Buffer, ...Buffer[]],
      nowMs,
    };
  };
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
