/**
 * Connection pools for one PostgreSQL server, with timeouts for statements and a distinction between an unavailable
 * server and a bug.
 *
 * A pooler in transaction mode may be in between, so correctness never depends on the state of a connection. Connection
 * settings only affect plans and timeouts.
 */
import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { StoreMetrics } from '../../platform/metrics/metrics-registry.ts';
import { createTimeoutQueue, type TimedWork } from '../../platform/timeout-queue.ts';
import { traceStatement } from '../../platform/tracing/tracing.ts';
import type { MeteredPool, SqlValue, TransactionScope } from '../engine.ts';
import { memoize } from '../queries/published-lists.ts';
import {
  isConnectionReusable,
  isPreparedStatementError,
  QueryTimeoutError,
  toStoreError,
} from './postgres-errors.ts';

/** The server's timeout is shorter than the client's, so the connection stays usable. */
const serverTimeoutMarginMs = 100;

// Counts and milliseconds fit into a number.
const typeOverrides = new pg.TypeOverrides();
typeOverrides.setTypeParser(pg.types.builtins.INT8, Number);

interface QueryResult<Row> {
  rows: Row[];
  /** Written or read rows. */
  count: number;
  /** Command tag: `COMMIT`, `SELECT`, … */
  command: string;
}

/** @param name of the prepared statement. @throws QueryTimeoutError, or as `toStoreError` */
type RunQuery = <Row>(
  client: pg.ClientBase,
  sql: string,
  parameters: readonly SqlValue[],
  name?: string,
) => Promise<QueryResult<Row>>;

interface RunningQuery extends TimedWork {
  reject: (error: StoreUnavailableError) => void;
}

const checkIntervalMs = 50;

/** A later detection means that this process was suspended, which says nothing about the server. */
const maxDelayMs = checkIntervalMs + 100;

const timeoutMessage = 'The database failed: it did not respond in time.';

/**
 * Runs statements with a timeout of the client, which detects servers that do not respond at all. The driver's own timeouts and
 * promises keep results in memory: see platform/timeout-queue.ts.
 */
function createQueryRunner(timeoutMs: number): RunQuery {
  const timeouts = createTimeoutQueue<RunningQuery>(timeoutMs, checkIntervalMs, ({ startedMs, reject }) => {
    const inTime = performance.now() - startedMs < timeoutMs + maxDelayMs;
    reject(inTime ? new QueryTimeoutError(timeoutMessage) : new StoreUnavailableError(timeoutMessage));
  });
  return <Row>(
    client: pg.ClientBase,
    sql: string,
    parameters: readonly SqlValue[],
    name?: string,
  ): Promise<QueryResult<Row>> =>
    new Promise((resolve, reject) => {
      const queued = timeouts.add({ startedMs: performance.now(), reject });
      void client.query({ text: sql, values: parameters as SqlValue[], name }, (error, result) => {
        timeouts.remove(queued);
        // If there is an error, `result` is undefined.
        if (error) reject(toStoreError(error));
        else resolve({ rows: result.rows as Row[], count: result.rowCount ?? 0, command: result.command });
      });
    });
}

interface StatementMeter {
  /** The wait for a connection. */
  measureWait<Result>(wait: () => Promise<Result>): Promise<Result>;
  measure<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
}

function createStatementMeter({ name, metrics }: MeteredPool): StatementMeter {
  async function record<Result>(
    run: () => Promise<Result>,
    recordTime: StoreMetrics['recordStatement'] | undefined,
  ): Promise<Result> {
    const startMs = performance.now();
    try {
      return await run();
    } catch (error) {
      if (error instanceof StoreUnavailableError) metrics?.recordFailure(name);
      throw error;
    } finally {
      recordTime?.(name, performance.now() - startMs);
    }
  }
  const trace: StatementMeter['measure'] = (sql, run) => traceStatement('postgresql', sql, run);
  if (metrics === undefined) return { measureWait: (wait) => wait(), measure: trace };
  return {
    measureWait: (wait) => record(wait, metrics.recordWait),
    measure: (sql, run) => record(() => trace(sql, run), metrics.recordStatement),
  };
}

export type Query = <Row>(sql: string, parameters?: readonly SqlValue[]) => Promise<QueryResult<Row>>;

export interface RequestPool {
  /** Runs on any free connection. @throws StoreUnavailableError */
  query: Query;
  close(): Promise<void>;
}

/** The rate limit statement waits for concurrent updates of its row. Stricter levels would reject it. */
const readCommitted = "SET default_transaction_isolation = 'read committed'";

/** Whether the database has the extension Citus. */
export const isCitusExpression = "to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL";

/**
 * Each statement of a request has one correct plan with an index. For a small table the planner would choose another
 * plan, and keep it for prepared statements while the table grows. For array parameters it would plan every execution,
 * which takes longer than to read a page. A disabled scan has such a high cost that PostgreSQL would compile the statement,
 * which takes most of a second.
 */
const costlyPlans = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'jit'];

/** Of a transaction. */
export const forceLocalIndexPlans = costlyPlans.map((name) => `SET LOCAL ${name} = off`).join('; ');

/** Of a session. Only Citus has to plan every execution: it cannot route a generic plan to the node of a municipality. */
export const forceIndexPlans = `${costlyPlans.map((name) => `SET ${name} = off`).join('; ')};
  SELECT set_config('plan_cache_mode', CASE WHEN ${isCitusExpression} THEN 'auto' ELSE 'force_generic_plan' END, false)`;

/**
 * Pool for the short statements of requests.
 *
 * @param size maximum open connections
 * @param timeoutMs applies to the wait for a connection, and again to the statement
 */
export function createRequestPool(
  url: string,
  size: number,
  timeoutMs: number,
  meteredPool: MeteredPool,
): RequestPool {
  const open = () =>
    openPool(
      url,
      size,
      timeoutMs,
      `SET statement_timeout = ${timeoutMs - serverTimeoutMarginMs}; ${readCommitted}; ${forceIndexPlans}`,
    );
  let current = open();
  const retired = new Set<ClosablePool>();
  const meter = createStatementMeter(meteredPool);
  addPoolReader(meteredPool, () => current.pool);
  // Some poolers do not support prepared statements. The first such error disables them.
  let usesPreparedStatements = true;

  const runQuery = createQueryRunner(timeoutMs);

  async function runPrepared<Row>(client: pg.ClientBase, sql: string, parameters: readonly SqlValue[]) {
    if (!usesPreparedStatements) return runQuery<Row>(client, sql, parameters);
    try {
      return await runQuery<Row>(client, sql, parameters, getStatementName(sql));
    } catch (error) {
      if (!isPreparedStatementError(error)) throw error;
      usesPreparedStatements = false;
      return runQuery<Row>(client, sql, parameters);
    }
  }

  /**
   * The error arrives before the server is ready for the next statement: the coordinator of Citus cancels the statement on
   * the node first, and waits as long as that does not respond.
   */
  async function releaseIfReady(error: unknown, client: pg.PoolClient): Promise<void> {
    const isReady = () => runQuery(client, 'SELECT 1', []).then(Boolean, () => false);
    client.release(!(isConnectionReusable(error) && (await isReady())));
  }

  /** After a timeout without another answer meanwhile, the idle connections are probably dead too, and each would cost one request the same timeout. */
  function replacePool(dead: ClosablePool): void {
    if (dead !== current) return;
    current = open();
    retired.add(dead);
    // Waiting requests may still get a new connection of the old pool.
    const close = () => dead.close().finally(() => retired.delete(dead));
    void setTimeout(2 * timeoutMs, undefined, { ref: false }).then(close);
  }

  return {
    query: async <Row>(sql: string, parameters: readonly SqlValue[] = []) => {
      const used = current;
      const answeredBefore = used.answered;
      try {
        const result = await withClient(
          used.pool,
          (client) => meter.measure(sql, () => runPrepared<Row>(client, sql, parameters)),
          (error, client) => void releaseIfReady(error, client),
          meter,
        );
        used.answered += 1;
        return result;
      } catch (error) {
        if (error instanceof QueryTimeoutError && used.answered === answeredBefore) replacePool(used);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([current, ...retired].map(({ close }) => close()));
    },
  };
}

/** Concurrent transactions of one process. Most of them wait for a lock. */
export const maxTransactions = 4;

/** Writers may wait longer than requests. */
const transactionConnectTimeoutMs = 10_000;

/** Ends transactions of suspended processes, so that others get their locks. */
export const idleTransactionMs = 60_000;

/** Statements of imports may take long, but the client must detect a dead server. */
const maxStatementMs = 3_600_000;

/** Transactions have their own connections: a transaction that waits for an import's lock must not delay requests. */
export function createTransactionPool(
  url: string,
  meteredPool: MeteredPool,
  size = maxTransactions,
  statementMs = maxStatementMs,
) {
  const meter = createStatementMeter(meteredPool);
  const { pool, close } = openPool(url, size, transactionConnectTimeoutMs, 'SET statement_timeout = 0');
  const runQuery = createQueryRunner(statementMs);
  addPoolReader(meteredPool, () => pool);
  return {
    /**
     * Reserves one connection for `work`. If `work` rejects, rolls back; if that fails too, closes the connection.
     *
     * @throws StoreUnavailableError
     */
    withConnection: <Result>(work: (query: Query) => Promise<Result>) =>
      withClient(
        pool,
        (client) =>
          work((sql, parameters = []) => meter.measure(sql, () => runQuery(client, sql, parameters))),
        async (error, client) => {
          const isReusable = isConnectionReusable(error) || !(error instanceof StoreUnavailableError);
          client.release(!(isReusable && (await rollBack(client))));
        },
        meter,
      ),
    close,
  };
}

const setTenant = `set_config('rostra.organization_id', $1, true), set_config('rostra.purpose', $2, true), ${isCitusExpression} AS "isCitus"`;

/** A purpose without a policy. With an empty one, policies take the transaction for one of version 1.0. */
const noPurpose = 'none';

/** Citus passes on what SET LOCAL sets, but not what set_config does. */
const composeDistributedSetting = (
  organizationId: string,
) => `SET LOCAL citus.propagate_set_commands = 'local';
  SET LOCAL rostra.organization_id = ${pg.escapeLiteral(organizationId)}`;

/**
 * Sets the municipality or the purpose of a transaction for row-level security.
 *
 * @param isExclusive waits for other exclusive transactions of the municipality, or without one, in all processes
 * @returns whether the database is the coordinator of Citus
 */
export async function enterTenantScope(
  query: Query,
  scope: TransactionScope,
  isExclusive: boolean,
): Promise<boolean> {
  const organizationId = typeof scope === 'string' ? scope : '';
  const purpose = typeof scope === 'object' ? scope.purpose : noPurpose;
  const lock = isExclusive ? "pg_advisory_xact_lock(hashtextextended('rostra ' || $1, 0)), " : '';
  const { rows } = await query<{ isCitus: boolean }>(`SELECT ${lock}${setTenant}`, [organizationId, purpose]);
  const isCitus = rows[0]?.isCitus === true;
  if (isCitus) await query(composeDistributedSetting(organizationId));
  return isCitus;
}

function addPoolReader({ name, metrics }: MeteredPool, getPool: () => pg.Pool): void {
  metrics?.addReader(() => {
    const { totalCount, idleCount, waitingCount } = getPool();
    return {
      rostra_database_connections: [
        { labels: [name, 'busy'], value: totalCount - idleCount },
        { labels: [name, 'idle'], value: idleCount },
      ],
      rostra_database_waiting_statements: [{ labels: [name], value: waitingCount }],
    };
  });
}

const runRollback = createQueryRunner(transactionConnectTimeoutMs);

/** @returns whether the connection is reusable */
function rollBack(client: pg.ClientBase): Promise<boolean> {
  return runRollback(client, 'ROLLBACK', []).then(
    () => true,
    () => false,
  );
}

interface ClosablePool {
  pool: pg.Pool;
  /** Statements of requests that the server answered. */
  answered: number;
  /** Idempotent. */
  close(): Promise<void>;
}

const closeTimeoutMs = 1_000;

/**
 * The coordinator of Citus waits this long for a connection to a node, by default half a minute. Without Citus, the setting has no
 * effect.
 */
const setNodeTimeout = 'SET citus.node_connection_timeout = 5000';

/** @param setUp statements for each new connection. Poolers reject them as connection parameters. */
function openPool(url: string, size: number, connectTimeoutMs: number, setUp: string): ClosablePool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types: typeOverrides,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'rostra',
    connectionTimeoutMillis: connectTimeoutMs,
    onConnect: async (client) => {
      await client.query({ text: `${setNodeTimeout}; ${setUp}`, ...createQueryTimeout(connectTimeoutMs) });
    },
  });
  const clients = new Set<pg.PoolClient>();
  // The next user of a broken idle connection gets the error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => clients.delete(client));
  async function end(): Promise<void> {
    await Promise.race([pool.end(), setTimeout(closeTimeoutMs, undefined, { ref: false })]);
    // A dead server must not keep the process alive. The driver's types lack `unref`.
    for (const client of clients) if ('unref' in client && typeof client.unref === 'function') client.unref();
  }
  let ended: Promise<void> | undefined;
  return {
    pool,
    answered: 0,
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<Result>,
  releaseAfterError: (error: unknown, client: pg.PoolClient) => void | Promise<void>,
  meter: StatementMeter,
): Promise<Result> {
  const client = await meter.measureWait(
    () =>
      new Promise<pg.PoolClient>((resolve, reject) =>
        pool.connect((error, connected) =>
          connected === undefined ? reject(toStoreError(error)) : resolve(connected),
        ),
      ),
  );
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    await releaseAfterError(error, client);
    throw error;
  }
}

/** The driver's types know this option for connections only. */
const createQueryTimeout = (timeoutMs: number): object => ({ query_timeout: timeoutMs });

/** A hash of the text: behind a pooler, another process may have prepared a statement with the same name. */
const getStatementName = memoize((sql: string) => `rostra_${hash('sha256', sql, 'base64url').slice(0, 22)}`);
