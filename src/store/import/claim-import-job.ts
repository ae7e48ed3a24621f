/** Claims the next step of the queue of imports for a process. */
import { randomUUID } from 'node:crypto';
import {
  type ClaimedImportJob,
  type ImportJobKey,
  jobLeaseTimeoutMs,
  maxJobCrashes,
} from '../../domain/import-job.ts';
import type { Queryable, SqlValue } from '../engine.ts';
import { type JobRow, selectImportJobs, toJob, whereJob } from './import-job-rows.ts';

/** A job that a process may claim: it is queued, and no other step of its municipality runs. */
const isClaimable = `state = 'queued' AND NOT EXISTS (
  SELECT 1 FROM import_job AS other WHERE other.organization_id = import_job.organization_id AND other.state = 'running')`;

/** $1 is the time before which leases have expired, $2 a limit. */
export const countClaimableQuery = `
  SELECT (SELECT count(*) FROM (SELECT 1 FROM import_job WHERE ${isClaimable} LIMIT $2) AS waiting)
    + (SELECT count(*) FROM import_job WHERE state = 'running' AND heartbeat_at_ms < $1) AS count`;

/** Queues the steps of crashed processes again, or ends them as failed, before it chooses. */
export async function claimImportJob(transaction: Queryable): Promise<ClaimedImportJob | undefined> {
  const nowMs = await transaction.now();
  const isExpired = "state = 'running' AND heartbeat_at_ms < $1";
  await transaction.execute(
    `UPDATE import_job SET crashes = crashes + 1, lease_token = NULL, heartbeat_at_ms = NULL, updated_at = $2,
      state = CASE WHEN crashes + 1 < ${maxJobCrashes} THEN 'queued' ELSE 'failed' END,
      failure = CASE WHEN crashes + 1 < ${maxJobCrashes} THEN NULL ELSE $3 END
    WHERE ${isExpired}`,
    [nowMs - jobLeaseTimeoutMs, new Date(nowMs).toISOString(), crashFailure] satisfies SqlValue[],
  );
  const [next] = await transaction.query<ImportJobKey>(
    `SELECT organization_id AS "organizationId", id FROM import_job WHERE ${isClaimable} ORDER BY queued_at_ms LIMIT 1`,
  );
  if (next === undefined) return undefined;
  const leaseToken = randomUUID();
  await transaction.execute(
    `UPDATE import_job SET state = 'running', lease_token = $3, heartbeat_at_ms = $4, updated_at = $5, progress = NULL
    ${whereJob}`,
    [next.organizationId, next.id, leaseToken, nowMs, new Date(nowMs).toISOString()],
  );
  const [row] = await transaction.query<JobRow>(`${selectImportJobs} ${whereJob}`, [
    next.organizationId,
    next.id,
  ]);
  return { ...toJob(row as JobRow), leaseToken };
}

const crashFailure = `The process of this step crashed ${maxJobCrashes} times. The file may be too large or too complex for the memory of this server. Ask your operator to check the server log.`;
