/**
 * Distributes reads of published data over streaming replicas. Unavailable replicas and replicas with too much lag are
 * excluded until they recover. Without a healthy replica, reads use the primary.
 */

import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { StoreMetrics } from '../../platform/metrics/metrics-registry.ts';
import { createRequestPool, type Query, type RequestPool } from './connection-pool.ts';

const checkIntervalMs = 250;

export interface ReplicaOptions {
  /** Streaming replicas for published data. */
  readUrls: readonly string[];
  /** Replicas with more lag are excluded. */
  maxReadLagMs: number;
  /** Maximum connections to each server. */
  connections: number;
  /** For statements outside of transactions. */
  statementTimeoutMs: number;
  /** Receives a message when a replica or a node of Citus fails, and when it recovers. */
  notice: (sentence: string) => void;
  metrics?: StoreMetrics | undefined;
}

interface Replica {
  name: string;
  pool: RequestPool;
  /** Only healthy replicas get reads. */
  state: 'unknown' | 'healthy' | 'unhealthy';
  /** Time of the latest known state of the primary that it has replayed; from `performance.now()`. */
  currentAtMs: number | undefined;
}

export function createReadReplicas(
  primary: RequestPool,
  { readUrls, connections, statementTimeoutMs, maxReadLagMs, notice, metrics }: ReplicaOptions,
) {
  const replicas = readUrls.map((url): Replica => {
    // Half of the timeout, so that the primary can still respond if a replica hangs.
    const pool = createRequestPool(url, connections, Math.floor(statementTimeoutMs / 2), {
      name: 'replica',
      metrics,
    });
    return { name: new URL(url).host, pool, state: 'unknown', currentAtMs: undefined };
  });
  // Stricter by two intervals: the primary's position and the replica's lag may each be one interval old.
  const lagTracker = createLagTracker(maxReadLagMs - 2 * checkIntervalMs);
  let next = 0;
  let runningCheck: Promise<void> | undefined;

  function markUnhealthy(replica: Replica, reason: string): void {
    if (replica.state !== 'unhealthy') notice(`The read replica ${replica.name} is excluded: ${reason}.`);
    replica.state = 'unhealthy';
  }

  async function checkReplica(replica: Replica): Promise<void> {
    try {
      const { rows } = await replica.pool.query<{ replayed: string | null }>(
        'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - $1::pg_lsn END AS replayed',
        ['0/0'],
      );
      const replayed = rows[0]?.replayed ?? undefined;
      if (replayed === undefined) markUnhealthy(replica, 'it is not a replica');
      else {
        const position = BigInt(replayed);
        replica.currentAtMs = lagTracker.findTime(position) ?? replica.currentAtMs;
        updateState(replica, lagTracker.classify(position));
      }
    } catch (error) {
      markUnhealthy(replica, getReason(error));
    }
  }

  function updateState(replica: Replica, lag: Lag): void {
    if (lag === 'too long') markUnhealthy(replica, `it is more than ${maxReadLagMs / 1000} s behind`);
    if (lag !== 'acceptable' || replica.state === 'healthy') return;
    notice(`The read replica ${replica.name} is in use.`);
    replica.state = 'healthy';
  }

  async function checkAll(): Promise<void> {
    // Without the primary the lag is unknown, but requests need the primary for their keys anyway.
    await lagTracker.recordPrimary(primary).catch(() => undefined);
    await Promise.all(replicas.map(checkReplica));
    runningCheck = undefined;
  }

  // A check of a dead server takes longer than the interval.
  const startCheck = () => {
    runningCheck ??= checkAll();
  };
  if (replicas.length > 0) startCheck();
  const timer = replicas.length > 0 ? setInterval(startCheck, checkIntervalMs) : undefined;

  metrics?.addReader(() => {
    const nowMs = performance.now();
    return {
      rostra_replica_healthy: replicas.map(({ name, state }) => ({
        labels: [name],
        value: state === 'healthy' ? 1 : 0,
      })),
      rostra_replica_lag_seconds: replicas.flatMap(({ name, currentAtMs }) =>
        currentAtMs === undefined ? [] : [{ labels: [name], value: (nowMs - currentAtMs) / 1_000 }],
      ),
    };
  });

  const nextHealthyReplica = (): Replica | undefined => {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[next++ % replicas.length];
      if (replica?.state === 'healthy') return replica;
    }
    return undefined;
  };

  return {
    query: (async (sql, parameters) => {
      const replica = nextHealthyReplica();
      if (replica === undefined) return primary.query(sql, parameters);
      try {
        return await replica.pool.query(sql, parameters);
      } catch (error) {
        // Other errors may be the replica's own too: for example, it has not replayed a GRANT yet.
        if (error instanceof StoreUnavailableError) markUnhealthy(replica, getReason(error));
        return primary.query(sql, parameters);
      }
    }) satisfies Query,
    close: async () => {
      clearInterval(timer);
      await runningCheck;
      await Promise.all(replicas.map(({ pool }) => pool.close()));
    },
  };
}

const getReason = (error: unknown) => (error as Error).message.replace(/\.$/, '');

type Lag = 'acceptable' | 'too long' | 'unknown';

/**
 * Measures lag against recent WAL positions of the primary. The timestamp of the last replayed transaction would show lag
 * whenever nobody writes, and no lag after the replica has lost its primary.
 */
function createLagTracker(maxLagMs: number) {
  const recorded: { atMs: number; position: bigint }[] = [];
  return {
    async recordPrimary(primary: RequestPool): Promise<void> {
      const { rows } = await primary.query<{ position: string }>(
        'SELECT pg_current_wal_lsn() - $1::pg_lsn AS position',
        ['0/0'],
      );
      const atMs = performance.now();
      recorded.push({ atMs, position: BigInt(rows[0]?.position ?? '0') });
      while ((recorded[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - maxLagMs) recorded.shift();
    },
    /** The latest recorded time whose position the replica has replayed; undefined: its lag is longer than the record. */
    findTime: (replayed: bigint): number | undefined =>
      recorded.findLast(({ position }) => position <= replayed)?.atMs,
    /** A replica that has replayed the oldest recorded position is at most that old. */
    classify(replayed: bigint): Lag {
      const [oldest] = recorded;
      if (oldest === undefined) return 'unknown';
      if (replayed >= oldest.position) return 'acceptable';
      return oldest.atMs <= performance.now() - maxLagMs ? 'too long' : 'unknown';
    },
  };
}
