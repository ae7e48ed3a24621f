/** Runs statements with a timeout of the client, which detects servers that do not respond at all. */
import type pg from 'pg';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { createTimeoutQueue, type TimedWork } from '../../timeouts/timeout-queue.ts';
import type { SqlValue } from '../engine.ts';
import { QueryTimeoutError, toStoreError } from './connection-errors.ts';

export interface QueryResult<Row> {
  rows: Row[];
  /** Written or read rows. */
  count: number;
  /** Command tag: `COMMIT`, `SELECT`, … */
  command: string;
}

/** @param name of the prepared statement. @throws QueryTimeoutError, or as `toStoreError` */
export type RunQuery = <Row>(
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

/** The driver's own timeouts and promises keep results in memory: see timeouts/timeout-queue.ts. */
export function createQueryRunner(timeoutMs: number): RunQuery {
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
