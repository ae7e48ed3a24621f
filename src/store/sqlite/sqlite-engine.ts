/**
 * SQLite: the embedded engine. One file holds the data, a second one beside it (`…-counters`) the rate
 * windows, so that a long import's write lock never stands in a request's way.
 *
 * Calls into SQLite are synchronous; the promises are there for the port. Several processes may open the
 * same files: a server and any number of commands.
 */

import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { ImportOutcome } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Engine, PageRow, Queryable, Row, TenantParameters, Value } from '../engine.ts';
import { documentSeparator, memoize, upsertQuery, writtenColumns } from '../queries/statements.ts';
import { createRateLimitBatcher } from '../rate-limit-batcher.ts';
import type { Columns } from '../schema.ts';
import { backup } from './backup.ts';
import { assertDatabaseExists, createFile, openConnection } from './database-files.ts';
import { createLongReadThrottle } from './long-read-throttle.ts';
import { createRateLimiter, type RateLimitOptions } from './rate-limit.ts';
import { type FileWatch, watchFiles } from './replaced-file-watch.ts';
import { createSnapshots } from './snapshots.ts';
import { startWalTruncation, typicalWalBytes } from './wal-size.ts';

export interface SqliteOptions extends RateLimitOptions {
  file: string;
  /** Create the file, and its folder, where there is none. */
  create: boolean;
  /** How long one statement waits for a lock. Few are met: WAL lets readers pass. */
  statementTimeoutMs: number;
  /** How long a transaction waits for another process's lock. */
  lockTimeoutMs: number;
  /** Receives a sentence when a file of the database was removed or replaced, and when it is back. */
  notice: (sentence: string) => void;
}

/** SQLite's own waiting would hold up the whole process, so a lock is asked for again after this time. */
const busyRetryMs = 2;

/**
 * @throws StoreRefusal when the file is missing or empty and `create` is false, or it is not a database of Rostra's
 * @throws StoreUnavailable when it cannot be opened
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  if (options.create) createFile(options.file);
  else assertDatabaseExists(options.file);
  const reader = openConnection(options, { counters: true });
  const watch = watchFiles([options.file, `${options.file}-counters`], {
    flushLogs: () => truncateLogs(reader),
    notice: options.notice,
  });
  const stopKeepingLogSmall = startWalTruncation(options.file, watch.checkNow);
  let writer: Database.Database | undefined;
  let lastTransaction: Promise<unknown> = Promise.resolve();
  const readerStatements = createQueryable(reader, options, watch);
  const take = createRateLimiter(reader, options);

  async function inTransaction<Result>(work: (inside: Queryable) => Promise<Result>): Promise<Result> {
    watch.checkNow();
    writer ??= connectWriter(options);
    const inside = createQueryable(writer, options, watch);
    await retryWhileBusy(() => writer?.exec('BEGIN IMMEDIATE'), options.lockTimeoutMs);
    try {
      const result = await work(inside);
      // What is committed to a file that nobody opens any more must not be acknowledged.
      watch.checkNow();
      await inside.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk may already have rolled back.
      if (writer.inTransaction) writer.exec('ROLLBACK');
      throw error;
    }
  }

  const turns = createLongReadThrottle(options.statementTimeoutMs);
  const snapshots = createSnapshots(() => {
    // To wait for a lock here would hold up the process.
    const connection = openConnection({ ...options, lockTimeoutMs: 0 }, { counters: false });
    return { connection, query: createQueryable(connection, options, watch).query };
  });

  const engine: Engine = {
    dialect: 'sqlite',
    ...readerStatements,
    // No other wall than the predicate stands around a municipality here.
    tenantQuery: <Row>(sql: string, parameters: TenantParameters) =>
      turns.run(parameters[0], () => readerStatements.query<Row>(sql, parameters)),
    queryForEachTenant: async <Row>(
      sql: string,
      organizationIds: readonly string[],
      parameters: readonly Value[],
    ) => {
      const found: Row[] = [];
      for (const id of organizationIds)
        found.push(...(await readerStatements.query<Row>(sql, [id, ...parameters])));
      return found;
    },
    readDocument: async (sql, organizationId, id) => {
      const [row] = await readerStatements.query<{ document: string }>(sql, [organizationId, id]);
      return row?.document;
    },
    readPage: async (parts, parameters, limit) => {
      const sql = pageQuery(parts, parameters.length);
      const [row] = await turns.run(parameters[0], () =>
        readerStatements.query<PageRow>(sql, [...parameters, limit]),
      );
      return row as PageRow;
    },
    openSnapshot: snapshots.open,
    // One writer for the whole file: whose rows it writes makes no difference.
    transaction: (_organizationId, work) => {
      const result = lastTransaction.then(() => inTransaction(work));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    recordset,
    hasTable: async (name) =>
      (await readerStatements.query('SELECT 1 FROM sqlite_schema WHERE name = $1', [name])).length > 0,
    admit: createRateLimitBatcher(
      (secretHash, requests) =>
        retryWhileBusy(() => {
          watch.assertUnchanged();
          return take(secretHash, requests);
        }, options.statementTimeoutMs),
      options.rateWindowMs,
    ),
    backup: async (file) => backup(reader, file),
    replaced: watch.replaced,
    close: async () => {
      await lastTransaction;
      watch.stop();
      snapshots.closeAll();
      stopKeepingLogSmall();
      writer?.close();
      reader.close();
    },
  };
  return engine;
}

/** Writes the write-ahead logs of all attached files into these, and empties them, as far as nobody reads them. */
function truncateLogs(connection: Database.Database): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // A disk that is full or gone: there is nothing more to save.
  }
}

/** Kilobytes of pages that a transaction changes before they are written, and may be changed again. */
const writerCacheKilobytes = 32_768;

/** Pages of the log that are gathered before they are written into the file, each once. */
const autoCheckpointPages = typicalWalBytes / 8_192;

function connectWriter(options: SqliteOptions): Database.Database {
  const writer = openConnection(options, { counters: false });
  writer.pragma(`cache_size = -${writerCacheKilobytes}`);
  writer.pragma(`wal_autocheckpoint = ${autoCheckpointPages}`);
  return writer;
}

/**
 * SQLite merges the parts in their order without sorting them, and puts the documents together as bytes: to make
 * text of them, and bytes again for the socket, would cost as much as reading them. The limit stands behind the
 * other parameters.
 */
export const pageQuery = memoize(
  (parts: readonly string[], parameterCount: number) => `
  SELECT CAST(coalesce(group_concat(document, '${documentSeparator}'), '') AS BLOB) AS documents,
    coalesce(group_concat(at || id, ''), '') AS keys, count(*) AS count
  FROM (${parts.join(' UNION ALL ')} ORDER BY at DESC, id LIMIT $${parameterCount + 1})`,
);

function createQueryable(
  connection: Database.Database,
  { statementTimeoutMs, clock }: SqliteOptions,
  watch: FileWatch,
): Queryable {
  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = prepareNumbered(connection, sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
  const run = <Result>(call: () => Result) =>
    retryWhileBusy(() => {
      watch.assertUnchanged();
      return call();
    }, statementTimeoutMs);
  return {
    query: async <Row>(sql: string, parameters: readonly Value[] = []) =>
      run(() => {
        const { statement, order } = prepare(sql);
        return statement.all(...order.map((place) => parameters[place])) as Row[];
      }),
    execute: async (sql, parameters = []) =>
      run(() => {
        const { statement, order } = prepare(sql);
        return statement.run(...order.map((place) => parameters[place])).changes;
      }),
    upsert: async (table, organizationId, rows) => {
      const columns = writtenColumns(table);
      const places = columns.map((_, index) => `$${index + 2}`).join(', ');
      const ofRow = 'WHERE organization_id = $1 AND id = $2';
      const present = prepare(`SELECT source_id FROM ${table.name} ${ofRow}`);
      const move = prepare(`UPDATE ${table.name} SET source_id = $3 ${ofRow}`);
      const write = prepare(upsertQuery(table, `VALUES ($1, ${places})`));
      const put = (row: Row): ImportOutcome => {
        const found = present.statement.get(organizationId, row.id) as Row | undefined;
        const hasMoved = found !== undefined && found.source_id !== row.source_id;
        if (hasMoved) move.statement.run(row.source_id, organizationId, row.id);
        const { changes } = write.statement.run(organizationId, ...columns.map((name) => row[name]));
        return changes === 0 ? 'unchanged' : found ? 'changed' : 'inserted';
      };
      // A transaction has the lock already, so there is nothing to wait for.
      return mapSqliteErrors(() => rows.map(put));
    },
    exec: async (sql) => {
      await run(() => connection.exec(sql));
    },
    now: async () => clock(),
  };
}

interface Prepared {
  statement: Database.Statement;
  /** Which parameter stands in each place. */
  order: number[];
}

/** SQLite takes `$1` for a parameter that is named "1", and finding names costs more than giving a value twice. */
function prepareNumbered(connection: Database.Database, sql: string): Prepared {
  const order: number[] = [];
  const inPlaces = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number) - 1);
    return '+?';
  });
  return { statement: connection.prepare(inPlaces), order };
}

function recordset(alias: string, parameter: string, columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => {
    const field = `value ->> '${name}'`;
    return `${type === 'bytes' ? `unhex(${field})` : field} AS ${name}`;
  });
  return `(SELECT ${fields.join(', ')} FROM json_each(${parameter})) AS ${alias}`;
}

const unavailable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)/;

/**
 * Runs one call into SQLite, again and again while a lock stands in its way.
 *
 * @throws StoreUnavailable when the time is up, or the database cannot do its work
 */
async function retryWhileBusy<Result>(call: () => Result, timeoutMs: number): Promise<Result> {
  let until: number | undefined;
  for (;;) {
    try {
      return call();
    } catch (error) {
      until ??= performance.now() + timeoutMs;
      const { code = '' } = error as Error & { code?: string };
      if (!code.startsWith('SQLITE_BUSY') || performance.now() > until) throw toStoreError(error);
    }
    await setTimeout(busyRetryMs);
  }
}

/** @throws StoreUnavailable when the database cannot do its work */
function mapSqliteErrors<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw toStoreError(error);
  }
}

function toStoreError(error: unknown): unknown {
  const { code = '', message } = error as Error & { code?: string };
  return unavailable.test(code)
    ? new StoreUnavailableError(`The database failed: ${message}.`, { cause: error })
    : error;
}
