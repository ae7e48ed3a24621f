/** The statements of one connection to SQLite. */

import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { traceStatement } from '../../platform/tracing/tracing.ts';
import type { MeteredPool, Queryable, SourcedRow, SqlValue } from '../engine.ts';
import { getColumns, listColumnNames, type SourcedTable } from '../table-descriptors.ts';
import { isBulk, logInBulk } from './bulk-change-log.ts';
import type { FileWatch } from './replaced-file-watch.ts';
import type { DamageRecord } from './sqlite-errors.ts';

interface QueryableOptions {
  /** Maximum wait of a statement for a lock. */
  statementTimeoutMs: number;
  /** Unix milliseconds. */
  clock: () => number;
}

export function createQueryable(
  connection: Database.Database,
  { statementTimeoutMs, clock }: QueryableOptions,
  watch: FileWatch,
  pool: MeteredPool,
  damage: DamageRecord,
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
        pool,
        (error) => damage.convert(error, sql),
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
        throw damage.convert(error, sql.insert);
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
export function prepareNumbered(connection: Database.Database, sql: string): Prepared {
  const order: number[] = [];
  const positional = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number) - 1);
    return '+?';
  });
  return { statement: connection.prepare(positional), order };
}

/** SQLite's own busy handler would block the process, so calls are retried after this time. */
const busyRetryMs = 2;

/**
 * Repeats a call into SQLite while another process has the lock.
 *
 * @param convertError to an error of the store
 * @throws StoreUnavailableError after the timeout, or if the database cannot do its work
 */
export async function retryWhileBusy<Result>(
  call: () => Result,
  timeoutMs: number,
  { name, metrics }: MeteredPool,
  convertError: (error: unknown) => unknown,
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
        const storeError = convertError(error);
        if (storeError instanceof StoreUnavailableError) metrics?.recordFailure(name);
        throw storeError;
      }
    }
    await setTimeout(busyRetryMs);
  }
}
