/**
 * Connections to one PostgreSQL server: as many as asked for, each statement within its time, and every way in
 * which a server can be out of reach told apart from a fault of ours.
 *
 * A connection keeps no state between statements, so a pooler in transaction mode may stand in between.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Value } from './engine.ts';
import { StoreUnavailable } from './store.ts';

/** How long one statement may wait for a connection, and then for its answer. */
export const statementTimeoutMs = 800;

/** The server gives up a little earlier, which leaves the connection in order. */
const serverTimeoutMs = 700;

export interface Answer<Row> {
  rows: Row[];
  /** Rows written or read. */
  count: number;
  /** What was done: `COMMIT`, `SELECT`, … */
  command: string;
}

/** Asks on one connection; at most `timeoutMs` for the answer. */
export type Ask = <Row>(
  sql: string,
  parameters?: readonly Value[],
  timeoutMs?: number,
) => Promise<Answer<Row>>;

export interface Pool {
  /** Asks on any connection that is free. @throws StoreUnavailable */
  ask: Ask;
  /** Holds one connection for the time of `work`; it is thrown away when `work` rejects. @throws StoreUnavailable */
  hold<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

// Counts and milliseconds fit a number.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * @param size most connections open at the same time
 * @param connectTimeoutMs how long to wait for one of them
 */
export function createPool(url: string, size: number, connectTimeoutMs = statementTimeoutMs): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    keepAlive: true,
    application_name: 'rostra',
    connectionTimeoutMillis: connectTimeoutMs,
    // As a statement: a pooler would refuse it as a parameter of the connection.
    onConnect: async (client) => {
      await client.query({
        text: `SET statement_timeout = ${serverTimeoutMs}`,
        ...within(statementTimeoutMs),
      });
    },
  });
  // Nobody waits on an idle connection; that it broke is noticed by whoever would have used it next.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  // Poolers that know no prepared statements say so, or confuse them; the first complaint ends their use.
  let named = true;

  const asking =
    (client: pg.ClientBase): Ask =>
    async <Row>(sql: string, parameters: readonly Value[] = [], timeoutMs = statementTimeoutMs) => {
      const query = { text: sql, values: parameters as Value[], ...within(timeoutMs) };
      const mayBeNamed = named && parameters.length > 0;
      const first = mayBeNamed ? { ...query, name: statementName(sql) } : query;
      const result = await client.query(first).catch((error) => {
        if (!mayBeNamed || !isNameTrouble(error)) throw error;
        named = false;
        return client.query(query);
      });
      return { rows: result.rows as Row[], count: result.rowCount ?? 0, command: result.command };
    };

  async function connected<Result>(
    work: (ask: Ask) => Promise<Result>,
    staysUsable: (error: unknown) => boolean,
  ): Promise<Result> {
    const client = await pool.connect().catch((error) => {
      throw asStoreError(error);
    });
    try {
      const result = await work(asking(client));
      client.release();
      return result;
    } catch (error) {
      client.release(!staysUsable(error));
      throw asStoreError(error);
    }
  }

  return {
    ask: (sql, parameters, timeoutMs) => connected((ask) => ask(sql, parameters, timeoutMs), isOrderly),
    hold: (work) => connected(work, () => false),
    close: () => pool.end(),
  };
}

/** The driver knows it for a statement, its types only for a connection. */
const within = (timeoutMs: number): object => ({ query_timeout: timeoutMs });

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
function isNameTrouble(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05');
}

/** The server refused the statement and waits for the next one. */
function isOrderly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/**
 * SQLSTATE classes for which trying again later makes sense: no connection, out of resources (disk, memory,
 * connections), stopped by the operator or by a timeout, the server's own trouble, deadlock, no such login or
 * database at the moment, and a server that became read-only because another took over.
 */
const unavailable = /^(08|53|57|58|XX|40|28|3D|55P03|25006)/;

function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error;
  const told = error instanceof pg.DatabaseError ? unavailable.test(error.code ?? '') : isOfTheDriver(error);
  return told ? new StoreUnavailable(`The database failed: ${reasonOf(error)}.`, { cause: error }) : error;
}

/** What the driver throws for a connection that broke, hung or was not to be had has no class of its own. */
function isOfTheDriver(error: Error): boolean {
  return (
    'syscall' in error ||
    error instanceof AggregateError ||
    /connect|timeout|terminated|socket|stream|SSL|SASL|certificate/i.test(error.message)
  );
}

function reasonOf(error: Error): string {
  // Each address of a name may have failed for a reason of its own.
  const inner = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return inner.message.replace(/\.$/, '');
}
