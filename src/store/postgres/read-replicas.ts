/**
 * Reads of published data, spread over streaming replicas. One that is down or too far behind is left out until
 * it is back; when none is left, the primary answers.
 */

import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { createRequestPool, type Query, type RequestPool } from './connection-pool.ts';

/** How often each replica is looked at. */
const checkIntervalMs = 250;

export interface ReadOptions {
  /** Streaming replicas that published data is read from. */
  readUrls: readonly string[];
  /** A replica that is further behind is left out. */
  maxReadLagMs: number;
  /** Most connections to each server. */
  connections: number;
  /** How long one statement may take, outside of transactions. */
  statementTimeoutMs: number;
  /** Told when a replica is left out, and when it is back. */
  notice: (sentence: string) => void;
}

interface Replica {
  name: string;
  pool: RequestPool;
  /** Reads go to those alone that were seen to be good; what was not yet seen has given no cause for a notice. */
  state: 'not yet seen' | 'reads' | 'left out';
}

export interface ReadReplicas {
  query: Query;
  close(): Promise<void>;
}

export function createReadReplicas(
  primary: RequestPool,
  { readUrls, connections, statementTimeoutMs, maxReadLagMs, notice }: ReadOptions,
): ReadReplicas {
  const replicas = readUrls.map((url): Replica => {
    // Half of the time, so that the primary can still answer for one that hangs.
    const pool = createRequestPool(url, connections, Math.floor(statementTimeoutMs / 2));
    return { name: new URL(url).host, pool, state: 'not yet seen' };
  });
  // By two looks stricter: one may pass before a write is noted, and one before what was good is judged again.
  const positions = createLagTracker(maxReadLagMs - 2 * checkIntervalMs);
  let next = 0;
  let watching: Promise<void> | undefined;

  function markUnhealthy(replica: Replica, why: string): void {
    if (replica.state !== 'left out') notice(`The read replica ${replica.name} is left out: ${why}.`);
    replica.state = 'left out';
  }

  async function checkReplica(replica: Replica): Promise<void> {
    try {
      const { rows } = await replica.pool.query<{ replayed: string | null }>(
        'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - $1::pg_lsn END AS replayed',
        ['0/0'],
      );
      const replayed = rows[0]?.replayed ?? undefined;
      if (replayed === undefined) markUnhealthy(replica, 'it is no replica');
      else place(replica, positions.delay(BigInt(replayed)));
    } catch (error) {
      markUnhealthy(replica, describeError(error));
    }
  }

  function place(replica: Replica, delay: Delay): void {
    if (delay === 'too long') markUnhealthy(replica, `it is more than ${maxReadLagMs / 1000} s behind`);
    if (delay !== 'within bounds' || replica.state === 'reads') return;
    notice(`The read replica ${replica.name} answers reads.`);
    replica.state = 'reads';
  }

  async function watch(): Promise<void> {
    // Without the primary nobody knows how far behind a replica is, and nobody gets past the key either.
    await positions.note(primary).catch(() => undefined);
    await Promise.all(replicas.map(checkReplica));
    watching = undefined;
  }

  // A look at a server that is silent takes longer than the interval.
  const startLook = () => {
    watching ??= watch();
  };
  if (replicas.length > 0) startLook();
  const timer = replicas.length > 0 ? setInterval(startLook, checkIntervalMs) : undefined;

  const healthy = (): Replica | undefined => {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[next++ % replicas.length];
      if (replica?.state === 'reads') return replica;
    }
    return undefined;
  };

  return {
    query: async (sql, parameters) => {
      const replica = healthy();
      if (replica === undefined) return primary.query(sql, parameters);
      try {
        return await replica.pool.query(sql, parameters);
      } catch (error) {
        // A replica can fail in ways of its own, as when it has not yet replayed a right that was granted.
        if (error instanceof StoreUnavailableError) markUnhealthy(replica, describeError(error));
        return primary.query(sql, parameters);
      }
    },
    close: async () => {
      clearInterval(timer);
      await watching;
      await Promise.all(replicas.map(({ pool }) => pool.close()));
    },
  };
}

const describeError = (error: unknown) => (error as Error).message.replace(/\.$/, '');

type Delay = 'within bounds' | 'too long' | 'not known yet';

/**
 * Where the primary's log stood at the last looks. A replica's own clock of its last transaction would call it
 * late whenever nobody writes, and up to date when it has lost its primary.
 */
/** @param boundMs a replica that is further behind is late */
function createLagTracker(boundMs: number) {
  const seen: { atMs: number; position: bigint }[] = [];
  return {
    async note(primary: RequestPool): Promise<void> {
      const { rows } = await primary.query<{ position: string }>(
        'SELECT pg_current_wal_lsn() - $1::pg_lsn AS position',
        ['0/0'],
      );
      const atMs = performance.now();
      seen.push({ atMs, position: BigInt(rows[0]?.position ?? '0') });
      while ((seen[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - boundMs) seen.shift();
    },
    /** A replica that has reached the oldest look is no further behind than that; one that has not may be. */
    delay(replayed: bigint): Delay {
      const [oldest] = seen;
      if (oldest === undefined) return 'not known yet';
      if (replayed >= oldest.position) return 'within bounds';
      return oldest.atMs <= performance.now() - boundMs ? 'too long' : 'not known yet';
    },
  };
}
