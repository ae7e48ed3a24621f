/** Bounds the work of one request in the database. */
import { setImmediate } from 'node:timers/promises';
import type { Snapshot, SqlValue } from '../engine.ts';

/** A request waits as long as counting this many submissions takes: about 200 ms on SQLite. */
export const maxCost = 3_000_000;

/** In submissions that are counted in the same time. */
export const costOfStatement = 750;
export const costOfCount = 75;
export const costOfRow = 25;
export const costOfMonth = 200;
/** With its share of the statements. */
export const costOfSession = 20;

export class TooExpensiveError extends Error {}

/** @param getCost cost of the statement and its rows @throws TooExpensiveError */
export type Read = <Row extends object>(
  sql: string,
  parameters: readonly SqlValue[],
  getCost?: (rows: readonly Row[]) => number,
) => Promise<Row[]>;

/** Other requests can run before each statement. */
export function createBoundedReader(snapshot: Snapshot, organizationId: string): Read {
  let cost = 0;
  return async (sql, parameters, getCost = ({ length }) => costOfStatement + length * costOfRow) => {
    await setImmediate();
    const rows = await snapshot.query<never>(sql, [organizationId, ...parameters]);
    cost += getCost(rows);
    if (cost > maxCost) throw new TooExpensiveError();
    return rows;
  };
}
