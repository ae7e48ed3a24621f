/**
 * Reads of published data, spread over streaming replicas. One that is down or too far behind is left out until
 * it is back; when none is left, the primary answers.
 */
import { type Ask, createRequestPool, type RequestPool } from './postgres-pool.ts';
import { StoreUnavailable } from './store.ts';

/** How often each replica is looked at. */
const watchIntervalMs = 1_000;

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
  /** Why it is left out; undefined: it answers reads. */
  trouble: string | undefined;
}

export interface ReadReplicas {
  ask: Ask;
  close(): Promise<void>;
}

export function readReplicas(
  primary: RequestPool,
  { readUrls, connections, statementTimeoutMs, maxReadLagMs, notice }: ReadOptions,
): ReadReplicas {
  // Nothing is read from a replica before it was looked at.
  const replicas = readUrls.map(
    (url): Replica => ({
      name: new URL(url).host,
      pool: createRequestPool(url, connections, statementTimeoutMs),
      trouble: 'not yet seen',
    }),
  );
  const positions = createPositions(maxReadLagMs);
  let next = 0;
  let watching: Promise<unknown> = Promise.resolve();

  function judge(replica: Replica, trouble: string | undefined): void {
    if (trouble !== undefined && replica.trouble === undefined) {
      notice(`The read replica ${replica.name} is left out: ${trouble}.`);
    } else if (trouble === undefined && replica.trouble !== undefined) {
      notice(`The read replica ${replica.name} answers reads.`);
    }
    replica.trouble = trouble;
  }

  async function look(replica: Replica): Promise<void> {
    try {
      const { rows } = await replica.pool.ask<{ replayed: string | null }>(
        'SELECT pg_last_wal_replay_lsn() - $1::pg_lsn AS replayed',
        ['0/0'],
      );
      const replayed = rows[0]?.replayed;
      if (replayed === undefined || replayed === null) judge(replica, 'it is no replica');
      else
        judge(
          replica,
          positions.isTooOld(BigInt(replayed))
            ? `it is more than ${maxReadLagMs / 1000} s behind`
            : undefined,
        );
    } catch (error) {
      judge(replica, (error as Error).message.replace(/\.$/, ''));
    }
  }

  async function watch(): Promise<void> {
    // Without the primary nobody knows how far behind a replica is, and nobody gets past the key either.
    await positions.note(primary).catch(() => undefined);
    await Promise.all(replicas.map(look));
  }

  const timer =
    replicas.length === 0
      ? undefined
      : setInterval(() => {
          watching = watch();
        }, watchIntervalMs);
  if (timer !== undefined) watching = watch();

  const healthy = (): Replica | undefined => {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[next++ % replicas.length];
      if (replica?.trouble === undefined) return replica;
    }
    return undefined;
  };

  return {
    ask: async (sql, parameters) => {
      const replica = healthy();
      if (replica === undefined) return primary.ask(sql, parameters);
      try {
        return await replica.pool.ask(sql, parameters);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        judge(replica, error.message.replace(/\.$/, ''));
        return primary.ask(sql, parameters);
      }
    },
    close: async () => {
      clearInterval(timer);
      await watching;
      await Promise.all(replicas.map(({ pool }) => pool.close()));
    },
  };
}

/**
 * Where the primary's log stood at the last looks. A replica's own clock of its last transaction would call it
 * late whenever nobody writes, and up to date when it has lost its primary.
 */
function createPositions(maxReadLagMs: number) {
  const seen: { atMs: number; position: bigint }[] = [];
  return {
    async note(primary: RequestPool): Promise<void> {
      const { rows } = await primary.ask<{ position: string }>(
        'SELECT pg_current_wal_lsn() - $1::pg_lsn AS position',
        ['0/0'],
      );
      const atMs = performance.now();
      seen.push({ atMs, position: BigInt(rows[0]?.position ?? '0') });
      while ((seen[1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs - maxReadLagMs) seen.shift();
    },
    /** Whether the replica has not even reached where the primary stood `maxReadLagMs` ago. */
    isTooOld(replayed: bigint): boolean {
      const [oldest] = seen;
      if (oldest === undefined) return true;
      return oldest.atMs <= performance.now() - maxReadLagMs && replayed < oldest.position;
    },
  };
}
