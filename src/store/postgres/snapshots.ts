/** Snapshots of PostgreSQL: repeatable-read transactions on separate connections to the primary. */
import type { StoreMetrics } from '../../platform/metrics/metrics-registry.ts';
import type { Snapshot } from '../engine.ts';
import { createSnapshotSlots } from '../snapshot-slots.ts';
import {
  createTransactionPool,
  enterTenantScope,
  forceLocalIndexPlans,
  idleTransactionMs,
  type Query,
} from './connection-pool.ts';

export const maxSnapshots = 8;

/** See snapshot-slots.ts. */
const reservedSnapshots = 2;

const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs};
  ${forceLocalIndexPlans}`;

export function createSnapshots(url: string, statementTimeoutMs: number, metrics: StoreMetrics | undefined) {
  const pool = createTransactionPool(url, { name: 'snapshot', metrics }, maxSnapshots, statementTimeoutMs);
  const acquireSlot = createSnapshotSlots(maxSnapshots, reservedSnapshots);

  /** Resolves after the snapshot is closed. */
  async function runSnapshot(
    query: Query,
    organizationId: string,
    onOpen: (snapshot: Snapshot) => void,
  ): Promise<void> {
    await query(begin);
    await enterTenantScope(query, organizationId, false);
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    onOpen({
      query: async <Row>(sql: string, parameters: Parameters<Snapshot['query']>[1]) =>
        (await query<Row>(sql, parameters)).rows,
      close: async () => close(),
    });
    await closed;
    await query('ROLLBACK');
  }

  return {
    // After the snapshot is open, its reads report errors.
    open: async (organizationId: string) => {
      const release = await acquireSlot(organizationId);
      return new Promise<Snapshot>((resolve, reject) => {
        pool
          .withConnection((query) => runSnapshot(query, organizationId, resolve))
          .catch(reject)
          .finally(release);
      });
    },
    close: pool.close,
  };
}
