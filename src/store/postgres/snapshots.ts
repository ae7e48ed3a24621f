/** Snapshots of PostgreSQL: transactions that see one state, on connections of their own to the primary. */
import type { Snapshot } from '../engine.ts';
import { createSnapshotSlots } from '../snapshot-slots.ts';
import { createTransactionPool, type Query } from './connection-pool.ts';

const maxSnapshots = 8;

/** Of these, for municipalities that have none. */
const reservedSnapshots = 2;

/** Ends the transaction of a process that fell asleep. */
const idleTransactionMs = 60_000;

/** Plans go along indexes, as those of other requests do. */
const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs};
  SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off`;

const enterTenant = "SELECT set_config('rostra.organization_id', $1, true)";

export interface Snapshots {
  open(organizationId: string): Promise<Snapshot>;
  close(): Promise<void>;
}

export function createSnapshots(url: string, statementTimeoutMs: number): Snapshots {
  const pool = createTransactionPool(url, maxSnapshots, statementTimeoutMs);
  const slots = createSnapshotSlots(maxSnapshots, reservedSnapshots);

  /** @param opened receives the snapshot; the connection is held until that is closed */
  async function hold(
    ask: Query,
    organizationId: string,
    opened: (snapshot: Snapshot) => void,
  ): Promise<void> {
    await ask(begin);
    await ask(enterTenant, [organizationId]);
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    opened({
      query: async <Row>(sql: string, parameters: Parameters<Snapshot['query']>[1]) =>
        (await ask<Row>(sql, parameters)).rows,
      close: async () => close(),
    });
    await closed;
    await ask('ROLLBACK');
  }

  return {
    // Once the snapshot is open, its reads report what goes wrong.
    open: async (organizationId) => {
      const release = await slots.acquire(organizationId);
      return new Promise((resolve, reject) => {
        pool
          .withConnection((ask) => hold(ask, organizationId, resolve))
          .catch(reject)
          .finally(release);
      });
    },
    close: pool.close,
  };
}
