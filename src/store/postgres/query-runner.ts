/**
 * Runs statements with a timeout of the client, which detects servers that do not respond at all. Measures and traces the
 * statements of a pool.
 */
import type pg from 'pg';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { StoreMetrics } from '../../metrics/metrics-registry.ts';
import { createTimeoutQueue, type TimedWork } from '../../timeouts/timeout-queue.ts';
import { traceStatement } from '../../tracing/tracing.ts';
import type { MeteredPool, SqlValue } from '../engine.ts';
import { QueryTimeoutError, toStoreError } from './connection-errors.ts';

export interface QueryResult<Row> {
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

export interface StatementMeter {
  /** The wait for a connection. */
  measureWait<Result>(wait: () => Promise<Result>): Promise<Result>;
  measure<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
}

export function createStatementMeter({ name, metrics }: MeteredPool): StatementMeter {
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
