/**
 * SQLite engine. One file contains the data, a second file (`…-counters`) the rate limit counters, so that the write lock
 * of an import does not block requests.
 *
 * Calls into SQLite are synchronous. Several processes may open the same files: servers and commands.
 */

import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { documentSeparator } from '../../domain/store.ts';
import { createSeries } from '../../platform/metrics/metric-snapshot.ts';
import type { StoreMetrics } from '../../platform/metrics/metrics-registry.ts';
import { traceStatement } from '../../platform/tracing/tracing.ts';
import { createAdmissionBatcher } from '../admission.ts';
import type {
  Engine,
  MeteredPool,
  PageParts,
  PageRow,
  Queryable,
  SqlValue,
  TenantParameters,
} from '../engine.ts';
import { listPendingMigrations } from '../migrate.ts';
import { memoize } from '../queries/published-lists.ts';
import type { RateLimitOptions } from '../rate-limit-window.ts';
import type { Columns } from '../table-descriptors.ts';
import { composeGrantQuery, createAdmissionTransaction } from './admit-key.ts';
import { backup } from './backups/backup.ts';
import { createFairReadScheduler } from './fair-read-scheduler.ts';
import { createInspectedEngine } from './inspected-engine.ts';
import {
  assertDatabaseExists,
  assertWritable,
  createCountersCheck,
  createFile,
  openConnection,
  openUnchanged,
} from './open-database-files.ts';
import { watchFiles } from './replaced-file-watch.ts';
import { createSnapshots } from './snapshots.ts';
import { createDamageRecord } from './sqlite-errors.ts';
import { createQueryable, retryWhileBusy } from './sqlite-queryable.ts';
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

/**
 * @throws StoreConflictError if the file is not a database of Rostra, or is missing or empty and `create` is false
 * @throws StoreUnavailableError if the file cannot be opened
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  if (options.create) createFile(options.file);
  else assertDatabaseExists(options.file);
  assertWritable(options.file);
  const file = statSync(options.file);
  const database = openUnchanged(options);
  try {
    await listPendingMigrations(createInspectedEngine(database.connection));
  } catch (error) {
    // A refused database stays as it is, its counters included.
    database.close();
    throw error;
  }
  const reader = database.configure({ counters: true });
  // Every request writes a page of counters. A checkpoint waits for the disk, for tens of milliseconds during an import.
  reader.pragma(`wal_autocheckpoint = ${autoCheckpointPages}`);
  reader.pragma(`cache_size = -${readerCacheKilobytes}`);
  // PostgreSQL has such a function. Copies compare databases with it.
  reader.function('sha256', { deterministic: true }, (text) => hash('sha256', text as string));
  const watch = watchFiles([options.file, `${options.file}-counters`], file, {
    flushLogs: () => truncateLogs(reader),
    notice: options.notice,
  });
  const stopWalTruncation = startWalTruncation(options.file, watch.checkNow);
  let writer: Database.Database | undefined;
  let lastTransaction: Promise<unknown> = Promise.resolve();
  const readerPool: MeteredPool = { name: 'reader', metrics: options.metrics };
  const writerPool: MeteredPool = { name: 'writer', metrics: options.metrics };
  const damage = createDamageRecord(options.file, createCountersCheck(reader));
  options.metrics?.addReader(() => ({
    rostra_database_damaged: createSeries(damage.first === undefined ? 0 : 1),
  }));
  const readerStatements = createQueryable(reader, options, watch, readerPool, damage);
  const admitBatch = createAdmissionTransaction(reader, options);
  const grantQuery = composeGrantQuery(options.rateWindowMs);

  async function runTransaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    watch.checkNow();
    // A write could spread the damage (docs/decisions/0123).
    if (damage.first !== undefined) throw damage.first;
    writer ??= connectWriter(options);
    const transaction = createQueryable(writer, options, watch, writerPool, damage);
    const begin = 'BEGIN IMMEDIATE';
    await retryWhileBusy(
      () => writer?.exec(begin),
      options.lockTimeoutMs,
      writerPool,
      (error) => damage.convert(error, begin),
    );
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
  const snapshotPool: MeteredPool = { name: 'snapshot', metrics: options.metrics };
  const snapshots = createSnapshots(() => {
    // A wait for a lock would block the process.
    const connection = openConnection({ ...options, lockTimeoutMs: 0 }, { counters: false });
    return { connection, query: createQueryable(connection, options, watch, snapshotPool, damage).query };
  });

  const admit = createAdmissionBatcher({
    admitBatch: (batch) =>
      traceStatement('sqlite', grantQuery, () =>
        retryWhileBusy(
          () => {
            watch.assertUnchanged();
            return admitBatch(batch);
          },
          options.statementTimeoutMs,
          readerPool,
          (error) => damage.convert(error, grantQuery),
        ),
      ),
    mayConcernOneKey: () => false,
    // A read costs no round trip.
    addPage: undefined,
    rateWindowMs: options.rateWindowMs,
    maxRunning: 1,
    maxWaitMs: options.statementTimeoutMs,
  });

  async function close(): Promise<void> {
    await lastTransaction;
    watch.stop();
    snapshots.closeAll();
    await stopWalTruncation();
    writer?.close();
    reader.close();
  }

  return {
    dialect: 'sqlite',
    ...readerStatements,
    // SQLite has no row-level security: the predicate of the query selects the municipality.
    tenantQuery: <Row>(sql: string, parameters: TenantParameters) =>
      scheduleRead(parameters[0], () => readerStatements.query<Row>(sql, parameters)),
    tenantExecute: readerStatements.execute,
    queryAcrossTenants: (_purpose, sql, parameters) => readerStatements.query(sql, parameters),
    queryWithChangeHistory: (sql, parameters) => readerStatements.query(withChangeHistory(sql), parameters),
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
    readPage: async (organizationId, { parts, values, maxRows }) => {
      const sql = composePageStatement(parts, 1 + values.length);
      const [row] = await scheduleRead(organizationId, () =>
        readerStatements.query<PageRow>(sql, [organizationId, ...values, maxRows]),
      );
      return row as PageRow;
    },
    openSnapshot: snapshots.open,
    // SQLite has one writer for the whole file, so the municipality does not matter.
    transaction: (_scope, work) => {
      const result = lastTransaction.then(() => runTransaction(work));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    recordset,
    hasTable: async (name) =>
      (await readerStatements.query('SELECT 1 FROM sqlite_schema WHERE name = $1', [name])).length > 0,
    admit,
    backup: (file) => backup(reader, file),
    replaced: watch.replaced,
    damaged: damage.found,
    close,
    [Symbol.asyncDispose]: close,
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

/** The system has a cache of the file, too: a larger cache makes pages no faster. */
const readerCacheKilobytes = 4_096;

/** A large cache avoids repeated writes of the same page within a transaction. */
const writerCacheKilobytes = 32_768;

/** A large log avoids repeated writes of the same page into the file. */
const autoCheckpointPages = typicalWalBytes / 8_192;

function connectWriter(options: SqliteOptions): Database.Database {
  const writer = openConnection(options, { counters: false });
  writer.pragma(`cache_size = -${writerCacheKilobytes}`);
  writer.pragma(`wal_autocheckpoint = ${autoCheckpointPages}`);
  // Otherwise a page keeps copies of rows that moved to other pages, where a later removal does not find them. Writes no more pages.
  writer.pragma('secure_delete = FAST');
  return writer;
}

/**
 * SQLite merges the ordered parts without a sort, and concatenates the documents as bytes: a conversion to a string and
 * back for the socket would cost as much as the read. The limit is the last parameter.
 */
export const composePageStatement = memoize(
  ({ queries, order }: PageParts, parameterCount: number) => `
  SELECT CAST(coalesce(group_concat(document, '${documentSeparator}'), '') AS BLOB) AS documents,
    coalesce(group_concat(at || id, ''), '') AS "sortKeys", count(*) AS count
  FROM (${queries.join(' UNION ALL ')} ORDER BY ${order} LIMIT $${parameterCount + 1})`,
);

const withChangeHistory = memoize(
  (sql: string) => `SELECT found.*, history_id AS "historyId", change_sequence AS sequence
    FROM (${sql}) AS found JOIN change_history ON change_history.organization_id = found."organizationId"`,
);

export function recordset(alias: string, parameter: string, columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => {
    const field = `value ->> '${name}'`;
    return `${type === 'bytes' ? `unhex(${field})` : field} AS ${name}`;
  });
  return `(SELECT ${fields.join(', ')} FROM json_each(${parameter})) AS ${alias}`;
}
