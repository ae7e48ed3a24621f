/**
 * SQLite engine. One file contains the data, a second file (`…-counters`) the rate limit counters, so that the write lock
 * of an import does not block requests.
 *
 * Calls into SQLite are synchronous. Several processes may open the same files: servers and commands.
 */

import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { StoreMetrics } from '../../metrics/metrics.ts';
import { traceStatement } from '../../tracing/tracing.ts';
import { createRateLimitBatcher, type RateLimitOptions } from '../admission-batcher.ts';
import type { Engine, PageRow, Queryable, SourcedRow, SqlValue, TenantParameters } from '../engine.ts';
import { documentSeparator, memoize } from '../queries/statements.ts';
import { type Columns, getColumns, listColumnNames, type SourcedTable } from '../table-descriptors.ts';
import { createRateLimiter, grantQuery } from './admit-key.ts';
import { backup } from './backup.ts';
import { isBulk, logInBulk } from './bulk-change-log.ts';
import { createFairReadScheduler } from './fair-read-scheduler.ts';
import { assertDatabaseExists, createFile, openConnection } from './open-database-files.ts';
import { type FileWatch, watchFiles } from './replaced-file-watch.ts';
import { createSnapshots } from './snapshots.ts';
import { startWalTruncation, typicalWalBytes } from './wal-truncation.ts';

export interface SqliteOptions extends RateLimitOptions {
  file: string;
  /** Unix milliseconds. */
  clock: () => number;
  /** Create a missing file and its folder. */
  create: boolean;
  /** Maximum wait of a statement for a lock. Rare, because readers do not wait in WAL mode. */
  statementTimeoutMs: number;
  /** Maximum wait of a transaction for the lock of another process. */
  lockTimeoutMs: number;
  /** See `watchFiles`. */
  notice: (sentence: string) => void;
  metrics?: StoreMetrics | undefined;
}

/** SQLite's own busy handler would block the process, so calls are retried after this time. */
const busyRetryMs = 2;

/**
 * @throws StoreConflictError if the file is not a database of Rostra, or is missing or empty and `create` is false
 * @throws StoreUnavailableError if the file cannot be opened
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  if (options.create) createFile(options.file);
  else assertDatabaseExists(options.file);
  const file = statSync(options.file);
  const reader = openConnection(options, { counters: true });
  // Every request writes a page of counters. A checkpoint waits for the disk, for tens of milliseconds during an import.
  reader.pragma(`wal_autocheckpoint = ${autoCheckpointPages}`);
  // PostgreSQL has such a function. Copies compare databases with it.
  reader.function('sha256', { deterministic: true }, (text) => hash('sha256', text as string));
  const watch = watchFiles([options.file, `${options.file}-counters`], file, {
    flushLogs: () => truncateLogs(reader),
    notice: options.notice,
  });
  const stopWalTruncation = startWalTruncation(options.file, watch.checkNow);
  let writer: Database.Database | undefined;
  let lastTransaction: Promise<unknown> = Promise.resolve();
  const readerMeter: Meter = { name: 'reader', metrics: options.metrics };
  const writerMeter: Meter = { name: 'writer', metrics: options.metrics };
  const readerStatements = createQueryable(reader, options, watch, readerMeter);
  const grantRequests = createRateLimiter(reader, options);

  async function runTransaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    watch.checkNow();
    writer ??= connectWriter(options);
    const transaction = createQueryable(writer, options, watch, writerMeter);
    await retryWhileBusy(() => writer?.exec('BEGIN IMMEDIATE'), options.lockTimeoutMs, writerMeter);
    try {
      const result = await work(transaction);
      // A commit to a removed or replaced file would be lost.
      watch.checkNow();
      await transaction.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite may have rolled back already, for example on a full disk.
      if (writer.inTransaction) writer.exec('ROLLBACK');
      throw error;
    }
  }

  const scheduleRead = createFairReadScheduler(options.statementTimeoutMs);
  const snapshotMeter: Meter = { name: 'snapshot', metrics: options.metrics };
  const snapshots = createSnapshots(() => {
    // A wait for a lock would block the process.
    const connection = openConnection({ ...options, lockTimeoutMs: 0 }, { counters: false });
    return { connection, query: createQueryable(connection, options, watch, snapshotMeter).query };
  });

  return {
    dialect: 'sqlite',
    ...readerStatements,
    // SQLite has no row-level security: the predicate of the query selects the municipality.
    tenantQuery: <Row>(sql: string, parameters: TenantParameters) =>
      scheduleRead(parameters[0], () => readerStatements.query<Row>(sql, parameters)),
    queryForEachTenant: async <Row>(
      sql: string,
      organizationIds: readonly string[],
      parameters: readonly SqlValue[],
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
      const sql = composePageQuery(parts, parameters.length);
      const [row] = await scheduleRead(parameters[0], () =>
        readerStatements.query<PageRow>(sql, [...parameters, limit]),
      );
      return row as PageRow;
    },
    openSnapshot: snapshots.open,
    // SQLite has one writer for the whole file, so the municipality does not matter.
    transaction: (_organizationId, work) => {
      const result = lastTransaction.then(() => runTransaction(work));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    recordset,
    hasTable: async (name) =>
      (await readerStatements.query('SELECT 1 FROM sqlite_schema WHERE name = $1', [name])).length > 0,
    admit: createRateLimitBatcher(
      (secretHash, requests) =>
        traceStatement('sqlite', grantQuery, () =>
          retryWhileBusy(
            () => {
              watch.assertUnchanged();
              return grantRequests(secretHash, requests);
            },
            options.statementTimeoutMs,
            readerMeter,
          ),
        ),
      options.rateWindowMs,
    ),
    backup: async (file) => backup(reader, file),
    replaced: watch.replaced,
    close: async () => {
      await lastTransaction;
      watch.stop();
      snapshots.closeAll();
      stopWalTruncation();
      writer?.close();
      reader.close();
    },
  };
}

/** Writes the write-ahead logs into their files and truncates them, unless they have readers. */
function truncateLogs(connection: Database.Database): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // The disk is full or missing: nothing else can be saved.
  }
}

/** A large cache avoids repeated writes of the same page within a transaction. */
const writerCacheKilobytes = 32_768;

/** A large log avoids repeated writes of the same page into the file. */
const autoCheckpointPages = typicalWalBytes / 8_192;

function connectWriter(options: SqliteOptions): Database.Database {
  const writer = openConnection(options, { counters: false });
  writer.pragma(`cache_size = -${writerCacheKilobytes}`);
  writer.pragma(`wal_autocheckpoint = ${autoCheckpointPages}`);
  return writer;
}

/**
 * SQLite merges the ordered parts without a sort, and concatenates the documents as bytes: a conversion to a string and
 * back for the socket would cost as much as the read. The limit is the last parameter.
 */
export const composePageQuery = memoize(
  (parts: readonly string[], parameterCount: number) => `
  SELECT CAST(coalesce(group_concat(document, '${documentSeparator}'), '') AS BLOB) AS documents,
    coalesce(group_concat(at || id, ''), '') AS keys, count(*) AS count
  FROM (${parts.join(' UNION ALL ')} ORDER BY at DESC, id LIMIT $${parameterCount + 1})`,
);

function createQueryable(
  connection: Database.Database,
  { statementTimeoutMs, clock }: SqliteOptions,
  watch: FileWatch,
  meter: Meter,
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
  const run = <Result>(sql: string, call: () => Result) =>
    traceStatement('sqlite', sql, () =>
      retryWhileBusy(
        () => {
          watch.assertUnchanged();
          return call();
        },
        statementTimeoutMs,
        meter,
      ),
    );
  return {
    query: async <Row>(sql: string, parameters: readonly SqlValue[] = []) =>
      run(sql, () => {
        const { statement, order } = prepare(sql);
        return statement.all(...order.map((index) => parameters[index])) as Row[];
      }),
    execute: async (sql, parameters = []) =>
      run(sql, () => {
        const { statement, order } = prepare(sql);
        return statement.run(...order.map((index) => parameters[index])).changes;
      }),
    readRows: async (table, organizationId, ids) => {
      const sql = composeRowQuery(table);
      return run(sql, () => {
        const { statement } = prepare(sql);
        return ids.flatMap((id) => (statement.get(organizationId, id) as SourcedRow | undefined) ?? []);
      });
    },
    writeRows: async (table, organizationId, differences) => {
      const { columns, ...sql } = composeRowWrites(table);
      const insert = prepare(sql.insert).statement;
      const update = prepare(sql.update).statement;
      const move = prepare(sql.move).statement;
      const write = () => {
        for (const { before, after, isMove } of differences) {
          if (isMove) move.run(after.source_id, organizationId, after.id);
          else {
            const values = columns.map((name) => after[name]);
            if (before === undefined) insert.run(organizationId, ...values);
            else update.run(...values, organizationId, after.id);
          }
        }
      };
      const changedIds = differences.flatMap(({ after, isMove }) => (isMove ? [] : [after.id]));
      try {
        // The transaction already has the lock, so no retry is necessary.
        if (!isBulk(connection, table.name, changedIds.length)) write();
        else logInBulk(connection, table.name, organizationId, changedIds, write);
      } catch (error) {
        throw toStoreError(error);
      }
    },
    exec: async (sql) => {
      await run(sql, () => connection.exec(sql));
    },
    now: async () => clock(),
  };
}

/** Parameters: municipality, id. */
const composeRowQuery = (table: SourcedTable) =>
  `SELECT ${listColumnNames(table)} FROM ${table.name} WHERE organization_id = $1 AND id = $2`;

/** Parameters of `insert`: municipality, `columns`. Of `update`: `columns`, municipality, id. Of `move`: source, municipality, id. */
function composeRowWrites(table: SourcedTable) {
  const columns = Object.keys(getColumns(table));
  const { name } = table;
  const count = columns.length;
  const set = columns.map((column, index) => `${column} = $${index + 1}`).join(', ');
  return {
    columns,
    insert: `INSERT INTO ${name} (organization_id, ${columns.join(', ')})
      VALUES ($1, ${columns.map((_, index) => `$${index + 2}`).join(', ')})`,
    update: `UPDATE ${name} SET ${set} WHERE organization_id = $${count + 1} AND id = $${count + 2}`,
    move: `UPDATE ${name} SET source_id = $1 WHERE organization_id = $2 AND id = $3`,
  };
}

interface Prepared {
  statement: Database.Statement;
  /** Index of the parameter for each placeholder. */
  order: number[];
}

/**
 * Replaces `$1` by positional placeholders: SQLite would treat it as a named parameter, which is slower. With `?`
 * instead of `+?`, SQLite prepares statements with ORDER BY, or after ANALYZE, again at every execution.
 */
function prepareNumbered(connection: Database.Database, sql: string): Prepared {
  const order: number[] = [];
  const positional = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number) - 1);
    return '+?';
  });
  return { statement: connection.prepare(positional), order };
}

export function recordset(alias: string, parameter: string, columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => {
    const field = `value ->> '${name}'`;
    return `${type === 'bytes' ? `unhex(${field})` : field} AS ${name}`;
  });
  return `(SELECT ${fields.join(', ')} FROM json_each(${parameter})) AS ${alias}`;
}

/** Connections with one purpose, in the metrics. */
interface Meter {
  name: 'reader' | 'writer' | 'snapshot';
  metrics: StoreMetrics | undefined;
}

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)/;

/** @throws StoreUnavailableError after the timeout, or if the database cannot do its work */
async function retryWhileBusy<Result>(
  call: () => Result,
  timeoutMs: number,
  { name, metrics }: Meter,
): Promise<Result> {
  let firstFailureMs: number | undefined;
  for (;;) {
    const startMs = metrics === undefined ? 0 : performance.now();
    try {
      const result = call();
      if (metrics !== undefined) {
        metrics.recordStatement(name, performance.now() - startMs);
        if (firstFailureMs !== undefined) metrics.recordWait(name, startMs - firstFailureMs);
      }
      return result;
    } catch (error) {
      firstFailureMs ??= performance.now();
      const { code = '' } = error as Error & { code?: string };
      if (!code.startsWith('SQLITE_BUSY') || performance.now() > firstFailureMs + timeoutMs) {
        const storeError = toStoreError(error);
        if (storeError instanceof StoreUnavailableError) metrics?.recordFailure(name);
        throw storeError;
      }
    }
    await setTimeout(busyRetryMs);
  }
}

function toStoreError(error: unknown): unknown {
  const { code = '', message } = error as Error & { code?: string };
  return unavailableCodes.test(code)
    ? new StoreUnavailableError(`The database failed: ${message}.`, { cause: error })
    : error;
}
