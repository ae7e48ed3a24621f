/** Counts of requests and statements of one process. The functions on the path of a request only add to numbers. */
import { createHistogram, type Histogram } from './histogram.ts';
import { type MetricSnapshot, mergeSnapshots, type Series } from './metric-snapshot.ts';

/** Counts of the store. A pool is a set of connections with one purpose, such as `primary` or `writer`. */
export interface StoreMetrics {
  recordStatement(pool: string, durationMs: number): void;
  /** The wait for a connection, or for a lock of another process. */
  recordWait(pool: string, durationMs: number): void;
  /** The database was unavailable. */
  recordFailure(pool: string): void;
  /** Adds values that are read at each collection. */
  addReader(read: () => MetricSnapshot): void;
}

/** `limit`: the attempt was rejected unseen, because too many had failed. */
export const signInFailures = ['password', 'code', 'provider', 'limit'] as const;
export type SignInFailure = (typeof signInFailures)[number];

export interface RequestMetrics {
  /** @param durationMs undefined: the request has no known start */
  recordRequest(operation: string, status: number, durationMs: number | undefined): void;
  recordCacheLookup(isHit: boolean): void;
  recordSignInFailure(reason: SignInFailure): void;
  addReader(read: () => MetricSnapshot): void;
}

export interface Metrics extends StoreMetrics, RequestMetrics {
  collect(): MetricSnapshot;
}

interface OperationCounts {
  /** Responses by status. */
  statuses: Map<number, number>;
  durations: Histogram;
}

const createCounts = (): OperationCounts => ({ statuses: new Map(), durations: createHistogram() });

const listHistograms = (byLabel: ReadonlyMap<string, Histogram>): Series[] =>
  [...byLabel].map(([label, { sum, counts }]) => ({ labels: [label], value: sum, counts: [...counts] }));

export function createMetrics(): Metrics {
  const operations = new Map<string, OperationCounts>();
  const statements = new Map<string, Histogram>();
  const waits = new Map<string, Histogram>();
  const failures = new Map<string, number>();
  const readers: (() => MetricSnapshot)[] = [];
  /** All reasons from the start, so that the first failure is an increase. */
  const failedSignIns = new Map<SignInFailure, number>(signInFailures.map((reason) => [reason, 0]));
  let cacheHits = 0;
  let cacheMisses = 0;

  const observe = (byLabel: Map<string, Histogram>, label: string, durationMs: number) =>
    byLabel.getOrInsertComputed(label, createHistogram).observe(durationMs / 1_000);

  /** Pools without a failure have 0, so that the first one is an increase. */
  const listFailures = (): Series[] =>
    [...new Set([...statements.keys(), ...failures.keys()])].map((pool) => ({
      labels: [pool],
      value: failures.get(pool) ?? 0,
    }));

  return {
    recordRequest: (operation, status, durationMs) => {
      const { statuses, durations } = operations.getOrInsertComputed(operation, createCounts);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (durationMs !== undefined) durations.observe(durationMs / 1_000);
    },
    recordCacheLookup: (isHit) => {
      if (isHit) cacheHits += 1;
      else cacheMisses += 1;
    },
    recordSignInFailure: (reason) => failedSignIns.set(reason, (failedSignIns.get(reason) ?? 0) + 1),
    recordStatement: (pool, durationMs) => observe(statements, pool, durationMs),
    recordWait: (pool, durationMs) => observe(waits, pool, durationMs),
    recordFailure: (pool) => failures.set(pool, (failures.get(pool) ?? 0) + 1),
    addReader: (read) => readers.push(read),
    collect: () =>
      mergeSnapshots([
        {
          rostra_http_requests_total: [...operations].flatMap(([operation, { statuses }]) =>
            [...statuses].map(([status, value]) => ({ labels: [operation, String(status)], value })),
          ),
          rostra_http_request_duration_seconds: listHistograms(
            new Map([...operations].map(([operation, { durations }]) => [operation, durations])),
          ),
          rostra_response_cache_requests_total: [
            { labels: ['hit'], value: cacheHits },
            { labels: ['miss'], value: cacheMisses },
          ],
          rostra_sign_in_failures_total: [...failedSignIns].map(([reason, value]) => ({
            labels: [reason],
            value,
          })),
          rostra_database_statement_duration_seconds: listHistograms(statements),
          rostra_database_wait_duration_seconds: listHistograms(waits),
          rostra_database_failures_total: listFailures(),
        },
        ...readers.map((read) => read()),
      ]),
  };
}
