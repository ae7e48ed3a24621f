/** Claims the next step of the queue of imports for a process. */

import { randomUUID } from 'node:crypto';
import type { ImportRunKey } from '../../domain/import-history.ts';
import { type ClaimedRun, maxStepCrashes } from '../../domain/run-queue.ts';
import { serializeReason } from '../../reasons/reason.ts';
import type { Queryable } from '../engine.ts';
import { freeExpiredLease, isRun, toLeaseLimit } from './import-history.ts';
import { type QueuedRunRow, selectQueuedRuns, toQueuedRun } from './queued-run-rows.ts';

/** `$1` is the time of the oldest heartbeat of a held lease. At most one process reads, and one writes, for a municipality. */
const isClaimable = `state = 'queued' AND NOT EXISTS (
  SELECT 1 FROM import_run AS other WHERE other.organization_id = import_run.organization_id
    AND other.lease_token IS NOT NULL AND other.heartbeat_at >= $1
    AND (other.step IN ('import', 'undo')) = (import_run.step IN ('import', 'undo')))`;

/** `$2` is a limit. */
export const countClaimableQuery = `
  SELECT (SELECT count(*) FROM (SELECT 1 FROM import_run WHERE ${isClaimable} LIMIT $2) AS waiting)
    + (SELECT count(*) FROM import_run WHERE state = 'running' AND heartbeat_at < $1) AS count`;

/** Queues the steps of crashed processes again, or ends them as failed, before it chooses. */
export async function claimRun(transaction: Queryable): Promise<ClaimedRun | undefined> {
  const nowMs = await transaction.now();
  const now = new Date(nowMs).toISOString();
  const leaseLimit = toLeaseLimit(nowMs);
  await transaction.execute(
    `UPDATE import_run SET crashes = crashes + 1, lease_token = NULL,
      state = CASE WHEN crashes + 1 < ${maxStepCrashes} THEN 'queued' ELSE 'failed' END,
      step_failure = CASE WHEN crashes + 1 < ${maxStepCrashes} THEN NULL ELSE $2 END
    WHERE state = 'running' AND heartbeat_at < $1`,
    [leaseLimit, crashFailure],
  );
  const [next] = await transaction.query<ImportRunKey>(
    `SELECT organization_id AS "organizationId", id FROM import_run WHERE ${isClaimable} ORDER BY queued_at_ms LIMIT 1`,
    [leaseLimit],
  );
  if (next === undefined) return undefined;
  const { organizationId, id } = next;
  await freeExpiredLease(transaction, organizationId, leaseLimit);
  const leaseToken = randomUUID();
  await transaction.execute(
    `UPDATE import_run SET state = 'running', lease_token = $3, heartbeat_at = $4, progress = NULL WHERE ${isRun}`,
    [organizationId, id, leaseToken, now],
  );
  const [row] = await transaction.query<QueuedRunRow>(`${selectQueuedRuns} WHERE ${isRun}`, [
    organizationId,
    id,
  ]);
  return { ...toQueuedRun(row as QueuedRunRow), lease: { organizationId, id, leaseToken, acquiredAt: now } };
}

const crashFailure = serializeReason({ code: 'step-crashed', times: maxStepCrashes });
