/** Measures and traces the statements of one pool of PostgreSQL. */
import { StoreUnavailableError } from '../domain/store-errors.ts';
import type { StoreMetrics } from '../metrics/metrics.ts';
import { traceStatement } from '../tracing/tracing.ts';

export interface StatementMeter {
  /** The wait for a connection. */
  measureWait<Result>(wait: () => Promise<Result>): Promise<Result>;
  measure<Result>(sql: string, run: () => Promise<Result>): Promise<Result>;
}

export function createStatementMeter(pool: string, metrics: StoreMetrics | undefined): StatementMeter {
  async function record<Result>(
    run: () => Promise<Result>,
    recordTime: StoreMetrics['recordStatement'] | undefined,
  ): Promise<Result> {
    const startMs = performance.now();
    try {
      return await run();
    } catch (error) {
      if (error instanceof StoreUnavailableError) metrics?.recordFailure(pool);
      throw error;
    } finally {
      recordTime?.(pool, performance.now() - startMs);
    }
  }
  const trace: StatementMeter['measure'] = (sql, run) => traceStatement('postgresql', sql, run);
  if (metrics === undefined) return { measureWait: (wait) => wait(), measure: trace };
  return {
    measureWait: (wait) => record(wait, metrics.recordWait),
    measure: (sql, run) => record(() => trace(sql, run), metrics.recordStatement),
  };
}
