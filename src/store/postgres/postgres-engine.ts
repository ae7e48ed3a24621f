/**
 * PostgreSQL: the engine for many municipalities and many replicas. One primary has keys, windows and whatever is
 * written; published data may come from streaming replicas.
 *
 * The role that serves neither owns the tables nor may bypass row-level security, so that a query which forgot
 * its municipality finds nothing.
 */

import type { ImportOutcome } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable, Row, TenantParameters, Value } from '../engine.ts';
import { upsertRecordsetQuery } from '../queries/statements.ts';
import { createRateLimitBatcher } from '../rate-limit-batcher.ts';
import type { Columns, SourcedTable } from '../schema.ts';
import { createRequestPool, createTransactionPool, type Query } from './connection-pool.ts';
import { createRateLimiter } from './rate-limit.ts';
import { createReadBatcher, withEachTenant, withTenant } from './read-batcher.ts';
import { createReadReplicas, type ReadOptions } from './read-replicas.ts';
import { createSnapshots } from './snapshots.ts';

export interface PostgresOptions extends ReadOptions {
  /** `postgres://role:password@host/database` */
  url: string;
  /** How long a transaction waits for another one. */
  lockTimeoutMs: number;
  rateLimit: number;
  rateWindowMs: number;
}

/** Ends the transaction of a process that fell asleep, so that others get its locks. */
const idleTransactionMs = 60_000;

export function openPostgres(options: PostgresOptions): Engine {
  const primary = createRequestPool(options.url, options.connections, options.statementTimeoutMs);
  const writers = createTransactionPool(options.url);
  const replicas = createReadReplicas(primary, options);
  const snapshots = createSnapshots(options.url, options.statementTimeoutMs);

  return {
    dialect: 'postgres',
    ...createQueryable(primary.query),
    tenantQuery: async <Row>(sql: string, parameters: TenantParameters) =>
      (await replicas.query<Row>(withTenant(sql), parameters)).rows,
    queryForEachTenant: async <Row>(
      sql: string,
      organizationIds: readonly string[],
      parameters: readonly Value[],
    ) => {
      const { rows } = await replicas.query<Row & { place: number }>(withEachTenant(sql), [
        organizationIds,
        ...parameters,
      ]);
      return rows.toSorted((one, other) => one.place - other.place).map(({ place: _, ...row }) => row as Row);
    },
    ...createReadBatcher(replicas.query),
    openSnapshot: snapshots.open,
    transaction: (organizationId, work) =>
      writers.withConnection(async (ask) => {
        await ask(
          `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${options.lockTimeoutMs};
          SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs};
          SET LOCAL enable_seqscan = on; SET LOCAL enable_bitmapscan = on; SET LOCAL enable_sort = on`,
        );
        await ask(enterTenant, [organizationId ?? '']);
        const result = await work(createQueryable(ask));
        const { command } = await ask('COMMIT');
        if (command !== 'COMMIT')
          throw new Error('A transaction went on after one of its statements failed.');
        return result;
      }),
    recordset,
    hasTable: async (name) => {
      const { rows } = await primary.query<{ found: boolean }>(
        'SELECT to_regclass($1) IS NOT NULL AS found',
        [name],
      );
      return rows[0]?.found === true;
    },
    admit: createRateLimitBatcher(createRateLimiter(primary.query, options), options.rateWindowMs),
    backup: async () => {
      throw new StoreConflictError(
        'Back PostgreSQL up with its own means, such as pg_dump or a base backup.',
      );
    },
    // A server that was replaced ends its connections, and new ones lead to the other.
    replaced: new Promise(() => undefined),
    close: async () => {
      await replicas.close();
      await snapshots.close();
      await writers.close();
      await primary.close();
    },
  };
}

/** One after the other for each municipality, in all processes; and row-level security shows its rows alone. */
const enterTenant = `SELECT pg_advisory_xact_lock(hashtextextended('rostra ' || $1, 0)),
  set_config('rostra.organization_id', $1, true)`;

const clock = 'SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now';

function createQueryable(ask: Query): Queryable {
  return {
    query: async <Row>(sql: string, parameters?: readonly Value[]) => (await ask<Row>(sql, parameters)).rows,
    execute: async (sql, parameters) => (await ask(sql, parameters)).count,
    upsert: (table, organizationId, rows) => upsert(ask, table, organizationId, rows),
    exec: async (sql) => {
      await ask(sql);
    },
    now: async () => (await ask<{ now: number }>(clock)).rows[0]?.now as number,
  };
}

/** Rows that go in as one JSON text: it is in memory several times, here and there. */
const maxRowsPerStatement = 5_000;

async function upsert(
  ask: Query,
  table: SourcedTable,
  organizationId: string,
  rows: readonly Row[],
): Promise<ImportOutcome[]> {
  const ids = recordset('incoming', '$2', { id: 'text' });
  const ofRows = `WHERE organization_id = $1 AND id IN (SELECT id FROM ${ids})`;
  const present = `SELECT id, source_id IS DISTINCT FROM $3 AS moves FROM ${table.name} ${ofRows}`;
  const move = `UPDATE ${table.name} SET source_id = $3 ${ofRows}`;
  const write = `${upsertRecordsetQuery(table, recordset)} RETURNING id`;
  const outcomes: ImportOutcome[] = [];
  for (let from = 0; from < rows.length; from += maxRowsPerStatement) {
    const part = rows.slice(from, from + maxRowsPerStatement);
    const sourceId = part[0]?.source_id ?? null;
    const idsOf = (from: readonly { id?: Value }[]) => JSON.stringify(from.map(({ id }) => ({ id })));
    const before = (
      await ask<{ id: string; moves: boolean }>(present, [organizationId, idsOf(part), sourceId])
    ).rows;
    const moving = before.filter(({ moves }) => moves);
    if (moving.length > 0) await ask(move, [organizationId, idsOf(moving), sourceId]);
    const written = (await ask<{ id: string }>(write, [organizationId, JSON.stringify(part)])).rows;
    const setOf = (found: readonly { id: string }[]) => new Set<Value | undefined>(found.map(({ id }) => id));
    const [wasThere, wasWritten] = [setOf(before), setOf(written)];
    for (const { id } of part)
      outcomes.push(!wasWritten.has(id) ? 'unchanged' : wasThere.has(id) ? 'changed' : 'inserted');
  }
  return outcomes;
}

function recordset(alias: string, parameter: string, columns: Columns): string {
  const entries = Object.entries(columns);
  const fields = entries.map(([name, type]) =>
    type === 'bytes' ? `decode(${name}, 'hex') AS ${name}` : name,
  );
  const typed = entries.map(
    ([name, type]) => `${name} ${type === 'integer' ? 'bigint' : 'text COLLATE "C"'}`,
  );
  return `(SELECT ${fields.join(', ')} FROM json_to_recordset(${parameter}) AS entry (${typed.join(', ')})) AS ${alias}`;
}
