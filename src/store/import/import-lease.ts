import { randomUUID } from 'node:crypto';
import {
  type ImportLease,
  type ImportLeaseStore,
  importLeaseTimeoutMs,
  LeaseLostError,
} from '../../domain/import-lease.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable } from '../engine.ts';

export function createImportLeaseStore(engine: Engine): ImportLeaseStore {
  return {
    acquireImportLease: async (organizationId, sourceName) => {
      const nowMs = await engine.now();
      const startedAt = new Date(nowMs).toISOString();
      const leaseToken = randomUUID();
      const acquired = await engine.execute(
        `INSERT INTO import_lease (organization_id, lease_token, source_name, started_at, heartbeat_at_ms)
        SELECT id, $2, $3, $4, $5 FROM organization WHERE id = $1
        ON CONFLICT (organization_id) DO UPDATE SET lease_token = excluded.lease_token,
          source_name = excluded.source_name, started_at = excluded.started_at,
          heartbeat_at_ms = excluded.heartbeat_at_ms
        WHERE import_lease.heartbeat_at_ms < $6`,
        [organizationId, leaseToken, sourceName, startedAt, nowMs, nowMs - importLeaseTimeoutMs],
      );
      if (acquired > 0) return { organizationId, leaseToken, startedAt };
      const held = await engine.query('SELECT 1 FROM organization WHERE id = $1', [organizationId]);
      if (held.length === 0) throw new StoreConflictError('The municipality was removed.');
      return undefined;
    },

    renewImportLease: (lease) => assertLease(engine, lease),

    releaseImportLease: async ({ organizationId, leaseToken }) => {
      const sql = 'DELETE FROM import_lease WHERE organization_id = $1 AND lease_token = $2';
      await engine.execute(sql, [organizationId, leaseToken]);
    },
  };
}

/** Also a heartbeat. At the end of a transaction it detects a lease that was lost since. @throws LeaseLostError */
export async function assertLease(
  statements: Queryable,
  { organizationId, leaseToken }: ImportLease,
): Promise<void> {
  const renewed = await statements.execute(
    'UPDATE import_lease SET heartbeat_at_ms = $3 WHERE organization_id = $1 AND lease_token = $2',
    [organizationId, leaseToken, await statements.now()],
  );
  if (renewed === 0) throw new LeaseLostError();
}
