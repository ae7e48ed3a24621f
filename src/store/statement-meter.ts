/** Measures and traces the statements of one pool of PostgreSQL. */
import { StoreUnavailableError } from '../domain/store-errors.ts';
import type { StoreMetrics } from '../metrics/metrics.ts';
import { traceStatement } from '../tracing/tracing.ts';

/** Connections with one purpose, and where their statements are counted. */
export interface MeteredPool {
  /** In the metrics. SQLite has `reader`, `writer` and `snapshot`, PostgreSQL the others and `snapshot`. */
  name: 'primary' | 'replica' | 'transaction' | 'snapshot' | 'reader' | 'writer';
  metrics: StoreMetrics | undefined;
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
