/**
 * Connections to one PostgreSQL server: as many as asked for, each statement within its time, and every way in
 * which a server can be out of reach told apart from a fault of ours.
 *
 * Nothing relies on what a connection remembers, so a pooler in transaction mode may stand in between: settings of a
 * connection only make it faster, or give up earlier.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Value } from '../engine.ts';

/** The server gives up a little earlier than we do, which leaves the connection in order. */
const serverTimeoutMarginMs = 100;

// Counts and milliseconds fit a number.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

export interface QueryResult<Row> {
  rows: Row[];
  /** Rows written or read. */
  count: number;
  /** What was done: `COMMIT`, `SELECT`, … */
  command: string;
}

/** Asks on one connection. */
export type Query = <Row>(sql: string, parameters?: readonly Value[]) => Promise<QueryResult<Row>>;

export interface RequestPool {
  /** Asks on any connection that is free. @throws StoreUnavailable */
  query: Query;
  close(): Promise<void>;
}

export interface TransactionPool {
  /**
   * Holds one connection for the time of `work`. When that rejects, its transaction is rolled back; where this fails,
   * the connection is thrown away.
   *
   * @throws StoreUnavailable
   */
  withConnection<Result>(work: (ask: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Counting waits for other requests' counts and goes on from them, which a stricter level would refuse. */
const readCommitted = "SET default_transaction_isolation = 'read committed'";

/**
 * Each statement that a request waits for has one right plan, along an index. The planner would choose another
 * while a table is small, and keep it for a prepared statement when millions of rows have been imported since; and
 * where a parameter is an array it would plan anew each time, which takes longer than to read a page.
 */
const forceIndexPlans = `SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;
  SET plan_cache_mode = force_generic_plan`;

/**
 * For short statements that requests wait for.
 *
 * @param size most connections open at the same time
 * @param timeoutMs how long a statement may wait for a connection, and then for its answer
 */
export function createRequestPool(url: string, size: number, timeoutMs: number): RequestPool {
  const open = () =>
    openPool(
      url,
      size,
      timeoutMs,
      `SET statement_timeout = ${timeoutMs - serverTimeoutMarginMs}; ${readCommitted}; ${forceIndexPlans}`,
    );
  let connections = open();
  const retired = new Set<Connections>();
  // Poolers that know no prepared statements say so, or confuse them; the first complaint ends their use.
  let named = true;

  async function runPrepared<Row>(client: pg.ClientBase, sql: string, parameters: readonly Value[]) {
    if (!named) return runQuery<Row>(client, sql, parameters, timeoutMs);
    try {
      return await runQuery<Row>(client, sql, parameters, timeoutMs, statementName(sql));
    } catch (error) {
      if (!isPreparedStatementError(error)) throw error;
      named = false;
      return runQuery<Row>(client, sql, parameters, timeoutMs);
    }
  }

  /** Where one connection fell silent the idle ones have too, and each would cost somebody the same wait. */
  function replacePool(silent: Connections): void {
    if (silent !== connections) return;
    connections = open();
    retired.add(silent);
    // Those who wait in it are still served, on connections that it makes for them.
    const farewell = () => silent.close().finally(() => retired.delete(silent));
    setTimeout(2 * timeoutMs, undefined, { ref: false }).then(farewell);
  }

  return {
    query: async <Row>(sql: string, parameters: readonly Value[] = []) => {
      const used = connections;
      try {
        return await withClient(
          used.pool,
          (client) => runPrepared<Row>(client, sql, parameters),
          isConnectionReusable,
        );
      } catch (error) {
        if (error instanceof QueryTimeoutError) replacePool(used);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([connections, ...retired].map(({ close }) => close()));
    },
  };
}

/** Transactions of one process at the same time, most of them waiting for a lock. */
const maxTransactions = 4;

/** Whoever writes can wait for a server far away, and for their turn. */
const transactionConnectTimeoutMs = 10_000;

/** A statement of a transaction may take long, as an import's, but a server that fell silent must be noticed. */
const maxStatementMs = 3_600_000;

/**
 * For transactions, on connections of their own: who waits for an import's lock must not keep requests waiting.
 *
 * @param statementMs how long an answer may take before the server counts as silent
 */
export function createTransactionPool(
  url: string,
  size = maxTransactions,
  statementMs = maxStatementMs,
): TransactionPool {
  const { pool, close } = openPool(url, size, transactionConnectTimeoutMs, 'SET statement_timeout = 0');
  return {
    withConnection: (work) =>
      withClient(
        pool,
        (client) => work((sql, parameters = []) => runQuery(client, sql, parameters, statementMs)),
        async (error, client) =>
          (isConnectionReusable(error) || !(error instanceof StoreUnavailableError)) &&
          (await rollBack(client)),
      ),
    close,
  };
}

/** @returns whether the connection can be used again */
function rollBack(client: pg.ClientBase): Promise<boolean> {
  return runQuery(client, 'ROLLBACK', [], transactionConnectTimeoutMs).then(
    () => true,
    () => false,
  );
}

interface Connections {
  pool: pg.Pool;
  /** Both a pool that is replaced and the store that stops close it. */
  close(): Promise<void>;
}

/** How long a server has to take leave of its connections. */
const closeTimeoutMs = 1_000;

/** @param setUp statements for each new connection; a pooler would refuse them as parameters of the connection */
function openPool(url: string, size: number, connectTimeoutMs: number, setUp: string): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'rostra',
    connectionTimeoutMillis: connectTimeoutMs,
    onConnect: async (client) => {
      await client.query({ text: setUp, ...queryTimeout(connectTimeoutMs) });
    },
  });
  const clients = new Set<pg.PoolClient>();
  // Nobody waits on an idle connection; that it broke is noticed by whoever would have used it next.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    clients.add(client);
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => clients.delete(client));
  async function end(): Promise<void> {
    await Promise.race([pool.end(), setTimeout(closeTimeoutMs, undefined, { ref: false })]);
    // A server that fell silent takes no leave, and must not keep the process; the driver's types lack this.
    for (const client of clients) (client as unknown as { unref(): void }).unref();
  }
  let ended: Promise<void> | undefined;
  return {
    pool,
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

async function runQuery<Row>(
  client: pg.ClientBase,
  sql: string,
  parameters: readonly Value[],
  timeoutMs: number,
  name?: string,
): Promise<QueryResult<Row>> {
  const askedMs = performance.now();
  try {
    const query = { text: sql, values: parameters as Value[], name, ...queryTimeout(timeoutMs) };
    const { rows, rowCount, command } = await client.query(query);
    return { rows: rows as Row[], count: rowCount ?? 0, command };
  } catch (error) {
    // A process that was stopped for a while itself has heard nothing, but that says nothing of the server.
    const inTime = performance.now() - askedMs < timeoutMs + serverTimeoutMarginMs;
    if (inTime && (error as Error).message === 'Query read timeout')
      throw new QueryTimeoutError(describeError(error), { cause: error });
    throw toStoreError(error);
  }
}

/** @param staysUsable whether a connection on which the error occurred may be used again */
async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<Result>,
  staysUsable: (error: unknown, client: pg.ClientBase) => boolean | Promise<boolean>,
): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    throw toStoreError(error);
  });
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(!(await staysUsable(error, client)));
    throw error;
  }
}

/** The driver knows it for a statement, its types only for a connection. */
const queryTimeout = (timeoutMs: number): object => ({ query_timeout: timeoutMs });

const statementNames = new Map<string, string>();

/** Made from the text: behind a pooler, another process may have prepared a statement under the same name. */
function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (name === undefined) {
    name = `rostra_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    statementNames.set(sql, name);
  }
  return name;
}

/** There is no such prepared statement, or there is one already. */
function isPreparedStatementError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05');
}

/** A server that did not answer in time. */
class QueryTimeoutError extends StoreUnavailableError {}

/**
 * SQLSTATE classes after which a connection is of no more use: it broke, the server stops or has none left, the
 * login ended, the server is damaged, or a prepared statement has outlived a change of its tables. The severity, which
 * would say it too, is in the server's language.
 */
const endsConnection = /^(08|57P|53300|28|3D|XX|0A000)/;

/** The server refused the statement and waits for the next one. */
function isConnectionReusable(error: unknown): boolean {
  const told = error instanceof StoreUnavailableError ? error.cause : error;
  return told instanceof pg.DatabaseError && !endsConnection.test(told.code ?? '');
}

/**
 * SQLSTATE classes for which trying again later makes sense: no connection, out of resources (disk, memory,
 * connections), stopped by the operator or by a timeout, the server's own trouble, deadlock, no such login or
 * database at the moment, and a server that became read-only because another took over.
 */
const unavailable = /^(08|53|57|58|XX|40|28|3D|55P03|25006)/;

/** What the driver throws, as the port has it: what it throws of its own, without an SQLSTATE, is a lost connection. */
function toStoreError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (error instanceof pg.DatabaseError && !unavailable.test(error.code ?? '')) return error;
  return new StoreUnavailableError(describeError(error), { cause: error });
}

function describeError(error: unknown): string {
  // Each address of a name may have failed for a reason of its own.
  const { message } = (error instanceof AggregateError ? error.errors[0] : error) as Error;
  return `The database failed: ${message.replace(/\.$/, '')}.`;
}
