/**
 * PostgreSQL engine. Keys, rate limits and writes use the primary; published data may come from streaming replicas.
 *
 * The serving role neither owns the tables nor may bypass row-level security, so a query without its municipality
 * predicate returns nothing.
 */

import { StoreConflictError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { splitIntoChunks } from '../../platform/split-into-chunks.ts';
import { createAdmissionBatcher } from '../admission.ts';
import type {
  ChangeHistory,
  Engine,
  Queryable,
  RowDifference,
  SourcedRow,
  SqlValue,
  TenantParameters,
} from '../engine.ts';
import { composeRecordsetUpsert, selectChangeHistory } from '../queries/statements.ts';
import type { RateLimitOptions } from '../rate-limit-window.ts';
import {
  type Columns,
  type CrossTenantPurpose,
  getColumns,
  listColumnNames,
  type SourcedTable,
} from '../table-descriptors.ts';
import { addPage, createAdmissionStatement, createFailureCheck } from './admit-key.ts';
import { createNodeCircuitBreaker, type Node } from './citus-circuit-breaker.ts';
import { createWriteTokens } from './citus-write-tokens.ts';
import {
  createRequestPool,
  createTransactionPool,
  enterTenantScope,
  idleTransactionMs,
  isCitusExpression,
  maxTransactions,
  type Query,
} from './connection-pool.ts';
import { createReadBatcher } from './read-batcher.ts';
import { createReadReplicas, type ReplicaOptions } from './read-replicas.ts';
import { createSnapshots, maxSnapshots } from './snapshots.ts';
import { withChangeHistory, withEachTenant, withPurpose, withTenant } from './tenant-statements.ts';

export interface PostgresOptions extends ReplicaOptions, RateLimitOptions {
  /** `postgres://role:password@host/database` */
  url: string;
  lockTimeoutMs: number;
}

/** Connections to the primary that a process opens at most, besides those for requests. */
export const maxOtherConnections = maxTransactions + maxSnapshots;

export function openPostgres(options: PostgresOptions): Engine {
  const primary = createRequestPool(options.url, options.connections, options.statementTimeoutMs, {
    name: 'primary',
    metrics: options.metrics,
  });
  const writers = createTransactionPool(options.url, { name: 'transaction', metrics: options.metrics });
  const replicas = createReadReplicas(primary, options);
  const snapshots = createSnapshots(options.url, options.statementTimeoutMs, options.metrics);
  const writeTokens = createWriteTokens(primary.query);

  const beginTransaction = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = ${options.lockTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs};
    SET LOCAL work_mem = '${writerMemoryMegabytes}MB'; SET LOCAL enable_seqscan = on; SET LOCAL enable_bitmapscan = on; SET LOCAL enable_sort = on`;

  let detected: Promise<boolean> | undefined;

  async function detectCitus(): Promise<boolean> {
    try {
      const sql = `SELECT ${isCitusExpression} AS "isCitus"`;
      return (await primary.query<{ isCitus: boolean }>(sql)).rows[0]?.isCitus === true;
    } catch (error) {
      detected = undefined;
      throw error;
    }
  }

  const isCitus = () => {
    detected ??= detectCitus();
    return detected;
  };

  const { query: queryOnNode, findNode } = createNodeCircuitBreaker(primary.query, options);
  const readPublished: Query =
    options.readUrls.length > 0
      ? replicas.query
      : async (sql, parameters) => ((await isCitus()) ? queryOnNode : primary.query)(sql, parameters);

  const admit = createAdmissionBatcher({
    admitBatch: createAdmissionStatement(primary.query, options),
    mayConcernOneKey: createFailureCheck(options.notice),
    addPage,
    rateWindowMs: options.rateWindowMs,
    maxRunning: maxAdmissionStatements,
    maxWaitMs: options.statementTimeoutMs,
  });

  type QueryMunicipalities<Row> = (organizationIds: readonly string[]) => Promise<Row[]>;

  /** With a substitute, a node that has failed is not asked again: each of its municipalities would wait for it. */
  function createOneByOneQuery<Row>(
    sql: string,
    parameters: readonly SqlValue[],
    substitute: readonly Row[] | undefined,
  ): QueryMunicipalities<Row> {
    const failed = new Set<Node>();
    async function readRows(id: string): Promise<readonly Row[]> {
      return (await queryOnNode<Row>(withTenant(sql), [id, ...parameters])).rows;
    }
    async function readOrSubstitute(id: string): Promise<readonly Row[]> {
      const node = await findNode(id);
      if (failed.has(node)) return substitute as readonly Row[];
      return readRows(id).catch((error) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
        failed.add(node);
        return substitute as readonly Row[];
      });
    }
    const read = substitute === undefined ? readRows : readOrSubstitute;
    return async (organizationIds) => (await Promise.all(organizationIds.map(read))).flat();
  }

  const createJointQuery =
    <Row>(sql: string, parameters: readonly SqlValue[]): QueryMunicipalities<Row> =>
    async (organizationIds) => {
      const { rows } = await replicas.query<Row & { ordinal: number }>(withEachTenant(sql), [
        organizationIds,
        ...parameters,
      ]);
      return rows
        .toSorted((one, other) => one.ordinal - other.ordinal)
        .map(({ ordinal: _, ...row }) => row as Row);
    };

  async function close(): Promise<void> {
    await replicas.close();
    await snapshots.close();
    await writers.close();
    await primary.close();
  }

  return {
    dialect: 'postgres',
    ...createQueryable(primary.query),
    tenantQuery: async <Row>(
      sql: string,
      parameters: TenantParameters,
      from?: 'primary or replica' | 'primary',
    ) => {
      const query = from === 'primary' ? primary.query : readPublished;
      return (await query<Row>(withTenant(sql), parameters)).rows;
    },
    tenantExecute: (sql, parameters) =>
      writers.withConnection(async (query) => {
        await query(beginTransaction);
        await enterTenantScope(query, parameters[0], false);
        const { count } = await query(sql, parameters);
        await query('COMMIT');
        return count;
      }),
    queryAcrossTenants: async <Row>(
      purpose: CrossTenantPurpose,
      sql: string,
      parameters?: readonly SqlValue[],
    ) => (await primary.query<Row>(withPurpose(purpose, sql), parameters)).rows,
    queryWithChangeHistory: async <Row extends { organizationId: string }>(
      sql: string,
      parameters: readonly SqlValue[],
    ) => {
      if (!(await isCitus()))
        return (await primary.query<Row & ChangeHistory>(withChangeHistory(sql), parameters)).rows;
      const { rows } = await primary.query<Row>(sql, parameters);
      const histories = rows.map(({ organizationId }) =>
        queryOnNode<ChangeHistory>(withTenant(selectChangeHistory), [organizationId]),
      );
      const found = await Promise.all(histories);
      return rows.flatMap(
        (row, index) => found[index]?.rows.map((history) => ({ ...row, ...history })) ?? [],
      );
    },
    queryForEachTenant: async <Row>(
      sql: string,
      organizationIds: readonly string[],
      parameters: readonly SqlValue[],
      substitute?: readonly Row[],
    ) => {
      const query = (await isCitus())
        ? createOneByOneQuery(sql, parameters, substitute)
        : createJointQuery<Row>(sql, parameters);
      const found: Row[] = [];
      for (const ids of splitIntoChunks(organizationIds, tenantsPerStatement))
        found.push(...(await query(ids)));
      return found;
    },
    ...createReadBatcher(readPublished),
    openSnapshot: snapshots.open,
    transaction: (scope, work) =>
      writers.withConnection(async (query) => {
        await query(beginTransaction);
        const isCitus = await enterTenantScope(query, scope, true);
        const token =
          isCitus && typeof scope === 'string' ? await writeTokens.begin(query, scope) : undefined;
        const result = await work(createQueryable(query)).catch(async (error) => {
          if (token !== undefined) {
            // The end of the token would wait for the row of the municipality, if the transaction has changed it.
            await query('ROLLBACK').catch(() => undefined);
            await token.end();
          }
          throw error;
        });
        const { command } = await query('COMMIT');
        if (command !== 'COMMIT') throw new Error('A transaction continued after a failed statement.');
        await token?.end();
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
    admit: async (secretHash, prefetch) => {
      // The statement that looks up the key reads published data only if the primary itself has them.
      const canPrefetch = options.readUrls.length === 0 && !(await isCitus());
      return admit(secretHash, canPrefetch ? prefetch : undefined);
    },
    backup: async () => {
      throw new StoreConflictError(
        'Back up PostgreSQL with its own tools, such as pg_dump or a base backup.',
      );
    },
    // New connections lead to the new server.
    replaced: new Promise(() => undefined),
    damaged: new Promise(() => undefined),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Statements that look up keys, at a time. More would each have fewer keys. */
export const maxAdmissionStatements = 2;

/** A statement for all of them could exceed its timeout. */
const tenantsPerStatement = 100;

/** A batch of an import, and the rows that its triggers read, without temporary files. */
const writerMemoryMegabytes = 64;

const clock = 'SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now';

function createQueryable(query: Query): Queryable {
  return {
    query: async <Row>(sql: string, parameters?: readonly SqlValue[]) =>
      (await query<Row>(sql, parameters)).rows,
    execute: async (sql, parameters) => (await query(sql, parameters)).count,
    readRows: (table, organizationId, ids) => readRows(query, table, organizationId, ids),
    writeRows: (table, organizationId, differences) => writeRows(query, table, organizationId, differences),
    exec: async (sql) => {
      await query(sql);
    },
    now: async () => (await query<{ now: number }>(clock)).rows[0]?.now as number,
  };
}

/** The rows of a statement are one JSON text, which is in memory several times. */
const maxRowsPerStatement = 5_000;

async function readRows(
  query: Query,
  table: SourcedTable,
  organizationId: string,
  ids: readonly string[],
): Promise<SourcedRow[]> {
  const sql = `SELECT ${listColumnNames(table)} FROM ${table.name} WHERE organization_id = $1 AND id = ANY ($2)`;
  return (await query<SourcedRow>(sql, [organizationId, ids])).rows;
}

async function writeRows(
  query: Query,
  table: SourcedTable,
  organizationId: string,
  differences: readonly RowDifference[],
): Promise<void> {
  const names = listColumnNames(table);
  const incoming = recordset('incoming', '$2', getColumns(table));
  // ON CONFLICT would take a seventh more of the server's time. RETURNING: see child-rows.ts.
  const insert = `INSERT INTO ${table.name} (organization_id, ${names}) SELECT $1, ${names} FROM ${incoming} RETURNING 1`;
  const update = composeRecordsetUpsert(table, recordset);
  const write = async (sql: string, rows: readonly SourcedRow[]) => {
    for (const part of splitIntoChunks(rows, maxRowsPerStatement))
      await query(sql, [organizationId, JSON.stringify(part)]);
  };
  const isNew = ({ before }: RowDifference) => before === undefined;
  await write(
    insert,
    differences.filter(isNew).map(({ after }) => after),
  );
  await write(
    update,
    differences.filter((each) => !isNew(each)).map(({ after }) => after),
  );
}

export function recordset(alias: string, parameter: string, columns: Columns): string {
  const entries = Object.entries(columns);
  const fields = entries.map(([name, type]) =>
    type === 'bytes' ? `decode(${name}, 'hex') AS ${name}` : name,
  );
  const typed = entries.map(
    ([name, type]) => `${name} ${type === 'integer' ? 'bigint' : 'text COLLATE "C"'}`,
  );
  return `(SELECT ${fields.join(', ')} FROM json_to_recordset(${parameter}) AS entry (${typed.join(', ')})) AS ${alias}`;
}
