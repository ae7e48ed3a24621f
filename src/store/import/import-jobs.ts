/** Queue of imports that were started in the admin area. Several processes may run its steps concurrently. */

import type { Actor } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit-log.ts';
import {
  type ImportJob,
  type ImportJobKey,
  type ImportJobStep,
  type ImportJobStore,
  jobFileLifetimeMs,
  maxOpenJobs,
} from '../../domain/import-job.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Reason, sanitizeText, serializeReason } from '../../reasons/reason.ts';
import { listChanges, recordEvent } from '../administration/audit-log.ts';
import type { Engine, Queryable } from '../engine.ts';
import { claimImportJob, countClaimableQuery } from './claim-import-job.ts';
import { maxStoredLength, readLeaseLimit } from './import-history.ts';
import { type JobRow, selectImportJobs, summaryColumns, toJob, whereJob } from './import-job-rows.ts';
import { deriveSourceId } from './import-sources.ts';

/** Longer than an undo is possible, so that the page of an import shows its result. */
const retentionMs = 30 * 86_400_000;

const pruneBatchSize = 100;
/** The run of an import has ended its lease already. */
const isOwn = "state = 'running' AND (lease_token = $3 OR lease_token IS NULL)";

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

export function createImportJobStore(engine: Engine, self: Actor): ImportJobStore {
  async function find(
    statements: Queryable,
    { organizationId, id }: ImportJobKey,
  ): Promise<ImportJob | undefined> {
    const [row] = await statements.query<JobRow>(`${selectImportJobs} ${whereJob}`, [organizationId, id]);
    return row && toJob(row);
  }

  /** The steps of one municipality change in transactions without a municipality, which are serialized. */
  const change = <Result>(work: (transaction: Queryable) => Promise<Result>) =>
    engine.transaction(undefined, work);

  return {
    addImportJob: async (job, by = self) => {
      await change((transaction) => insertJob(transaction, job, by));
      return (await find(engine, job)) as ImportJob;
    },

    findImportJob: (organizationId, id) => find(engine, { organizationId, id }),

    listImportJobs: async (organizationId, limit) => {
      const rows = await engine.query<JobRow>(
        `SELECT ${summaryColumns}, NULL AS detection, NULL AS "dryRun" FROM import_run
          WHERE organization_id = $1 AND state IS NOT NULL ORDER BY created_at DESC, id LIMIT $2`,
        [organizationId, limit],
      );
      return rows.map(toJob);
    },

    queueImportStep: (key, step, { definition, detection } = {}, by = self) =>
      change(async (transaction) => {
        const job = await find(transaction, key);
        if (job === undefined || !mayQueue(job, step)) return false;
        const nowMs = await transaction.now();
        await transaction.execute(
          `UPDATE import_run SET step = $3, state = 'queued', definition = coalesce($4, definition),
            detection = coalesce($5, detection), dry_run = $6, step_failure = NULL, progress = NULL, queued_by = $7,
            queued_from = $8, updated_at = $9, queued_at_ms = $10, crashes = 0, file_expires_at_ms = $11
          ${whereJob}`,
          [
            key.organizationId,
            key.id,
            step,
            toJson(definition),
            toJson(detection),
            step === 'import' && job.dryRun !== null ? JSON.stringify(job.dryRun) : null,
            by.name,
            by.address,
            new Date(nowMs).toISOString(),
            nowMs,
            nowMs + jobFileLifetimeMs,
          ],
        );
        if (step === 'import')
          await beginImport(transaction, { ...job, ...(definition && { definition }) }, by);
        return true;
      }),

    queueUndo: ({ organizationId, id }, sourceName, by = self) =>
      change(async (transaction) => {
        const nowMs = await transaction.now();
        const now = new Date(nowMs).toISOString();
        const queued = await transaction.execute(
          `UPDATE import_run SET step = 'undo', state = 'queued', source_name = $3, step_failure = NULL, progress = NULL,
            created_at = coalesce(created_at, $4), created_by = coalesce(created_by, $5), queued_by = $5, queued_from = $6,
            updated_at = $4, queued_at_ms = $7, crashes = 0
          WHERE organization_id = $1 AND id = $2 AND lease_token IS NULL
            AND (state IS NULL OR state NOT IN ('queued', 'running'))`,
          [organizationId, id, sourceName, now, by.name, by.address, nowMs],
        );
        return queued > 0;
      }),

    cancelImportJob: (key, by = self) =>
      change(async (transaction) => {
        const job = await find(transaction, key);
        if (job === undefined || !isOpen(job)) return false;
        await cancel(transaction, key, null);
        await recordJobEvent(transaction, by, 'import.cancelled', job);
        return true;
      }),

    countClaimableJobs: async (limit) => {
      const leaseLimit = await readLeaseLimit(engine);
      const [row] = await engine.query<{ count: number }>(countClaimableQuery, [leaseLimit, limit]);
      return Math.min(limit, Number(row?.count ?? 0));
    },

    claimImportJob: () => change(claimImportJob),

    endImportStep: (job, end) =>
      change(async (transaction) => {
        const nowMs = await transaction.now();
        const isNext = end.state === 'done' && end.nextStep !== undefined;
        const isOver = end.state === 'done' && (job.step === 'import' || job.step === 'undo');
        const { definition, detection, dryRun } = end.state === 'done' ? end : {};
        const ended = await transaction.execute(
          `UPDATE import_run SET step = $4, state = $5, step_failure = $6, definition = coalesce($7, definition),
            detection = coalesce($8, detection), dry_run = coalesce($9, dry_run), updated_at = $10, queued_at_ms = $11,
            file_expires_at_ms = CASE WHEN file_expires_at_ms IS NULL THEN NULL ELSE CAST($12 AS bigint) END, crashes = 0,
            lease_token = NULL
          ${whereJob} AND ${isOwn}`,
          [
            job.organizationId,
            job.id,
            job.lease.leaseToken,
            isNext ? (end.nextStep as ImportJobStep) : job.step,
            isNext ? 'queued' : end.state,
            end.state === 'failed' ? serializeReason(end.failure) : null,
            toJson(definition),
            toJson(detection),
            toJson(dryRun),
            new Date(nowMs).toISOString(),
            nowMs,
            isOver ? 0 : nowMs + jobFileLifetimeMs,
          ],
        );
        if (ended === 1 && isOver) await forgetReports(transaction, job);
        return ended === 1;
      }),

    releaseImportJob: async ({ organizationId, id, lease }) => {
      await engine.execute(
        `UPDATE import_run SET state = 'queued', lease_token = NULL, progress = NULL ${whereJob} AND ${isOwn}`,
        [organizationId, id, lease.leaseToken],
      );
    },

    listExpiredJobFiles: async () => {
      const nowMs = await engine.now();
      const expired = await engine.query<JobRow>(
        `${selectImportJobs} WHERE file_expires_at_ms <= $1 AND state <> 'running' LIMIT ${pruneBatchSize}`,
        [nowMs],
      );
      for (const job of expired.map(toJob))
        if (isOpen(job)) await change((t) => cancel(t, job, expiredFailure));
      const isOld = `(organization_id, id) IN (SELECT organization_id, id FROM import_run
          WHERE created_at < $1 AND state NOT IN ('queued', 'running') AND file_expires_at_ms IS NULL
          ORDER BY created_at LIMIT ${pruneBatchSize})`;
      const before = [new Date(nowMs - retentionMs).toISOString()];
      await engine.execute(`DELETE FROM import_run WHERE outcome IS NULL AND ${isOld}`, before);
      await engine.execute(`UPDATE import_run SET state = NULL, definition = NULL WHERE ${isOld}`, before);
      return expired.map(({ organizationId, id }) => ({ organizationId, id }));
    },

    forgetJobFile: async ({ organizationId, id }) => {
      await engine.execute(`UPDATE import_run SET file_expires_at_ms = NULL ${whereJob}`, [
        organizationId,
        id,
      ]);
    },
  };
}

const expiredFailure: Reason = { code: 'import-expired' };

async function insertJob(
  transaction: Queryable,
  { organizationId, id, sourceName, input, definition }: Parameters<ImportJobStore['addImportJob']>[0],
  by: Actor,
): Promise<void> {
  const nowMs = await transaction.now();
  const now = new Date(nowMs).toISOString();
  const [open] = await transaction.query<{ count: number }>(
    'SELECT count(*) AS count FROM import_run WHERE organization_id = $1 AND file_expires_at_ms IS NOT NULL',
    [organizationId],
  );
  if (Number(open?.count) >= maxOpenJobs)
    throw new StoreConflictError(
      `This municipality has ${maxOpenJobs} unfinished imports. Finish or cancel one of them first.`,
    );
  const name = input.kind === 'upload' ? input.fileName : input.url;
  const added = await transaction.execute(
    `INSERT INTO import_run (organization_id, id, step, state, source_name, input_kind, input_name, input_bytes,
      definition, created_at, created_by, queued_by, queued_from, updated_at, queued_at_ms, file_expires_at_ms, started_at,
      heartbeat_at, actor, address, sources)
    SELECT id, $2, 'detection', 'queued', $3, $4, $5, CAST($6 AS bigint), $7, $8, $9, $9, $10, $8, CAST($11 AS bigint),
      CAST($12 AS bigint), $8, $8, $9, $10, ''
    FROM organization WHERE id = $1`,
    [
      organizationId,
      id,
      sourceName,
      input.kind,
      name,
      input.kind === 'upload' ? input.bytes : null,
      definition === null ? null : JSON.stringify(definition),
      now,
      by.name,
      by.address,
      nowMs,
      nowMs + jobFileLifetimeMs,
    ],
  );
  if (added === 0) throw new StoreConflictError('The municipality was removed in the meantime.');
  await recordJobEvent(transaction, by, 'import.added', {
    organizationId,
    id,
    input,
    sourceName,
    definition,
  });
}

/** Jobs end when they have imported something. An undo has one step. */
const isOpen = ({ step, state }: ImportJob): boolean =>
  state !== 'cancelled' && !(state === 'done' && step === 'import') && !(step === 'undo' && isWaiting(state));

const isWaiting = (state: ImportJob['state']) => state === 'done' || state === 'failed';

function mayQueue(job: ImportJob, step: ImportJobStep): boolean {
  if (!isWaiting(job.state) || !isOpen(job) || job.fileExpiresAt === null) return false;
  if (step === 'detection') return job.step === 'detection';
  if (step === 'dry_run') return job.detection !== null;
  return job.dryRun !== null && (job.step === 'import' || job.state === 'done');
}

/** Reports may contain personal data that was not published, so they are deleted with the file. */
async function forgetReports(transaction: Queryable, { organizationId, id }: ImportJobKey): Promise<void> {
  await transaction.execute(`UPDATE import_run SET detection = NULL, dry_run = NULL ${whereJob}`, [
    organizationId,
    id,
  ]);
}

async function cancel(
  transaction: Queryable,
  { organizationId, id }: ImportJobKey,
  failure: Reason | null,
): Promise<void> {
  const nowMs = await transaction.now();
  await transaction.execute(
    `UPDATE import_run SET state = 'cancelled', step_failure = $3, updated_at = $4,
      file_expires_at_ms = CASE WHEN file_expires_at_ms IS NULL THEN NULL ELSE CAST($5 AS bigint) END,
      lease_token = NULL
    ${whereJob}`,
    [
      organizationId,
      id,
      failure === null ? null : serializeReason(failure),
      new Date(nowMs).toISOString(),
      nowMs,
    ],
  );
  await forgetReports(transaction, { organizationId, id });
}

/** What the history shows of the import. */
async function beginImport(transaction: Queryable, job: ImportJob, by: Actor): Promise<void> {
  const { organizationId, id, definition, input } = job;
  if (definition === null || input === null) return;
  await transaction.execute(
    `UPDATE import_run SET format = $3, source_id = $4, sources = $5, actor = $6, address = $7 ${whereJob}`,
    [
      organizationId,
      id,
      definition.format,
      deriveSourceId(definition),
      sanitizeText(input.kind === 'upload' ? input.fileName : input.url, maxStoredLength),
      by.name,
      by.address,
    ],
  );
  await recordJobEvent(transaction, by, 'import.started', job);
}

/** The subject is the file or URL. */
async function recordJobEvent(
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  {
    organizationId,
    id,
    input,
    sourceName,
    definition,
  }: Pick<ImportJob, 'organizationId' | 'id' | 'input' | 'sourceName' | 'definition'>,
): Promise<void> {
  const source = definition?.name ?? sourceName;
  const subject = input === null ? (source ?? '') : input.kind === 'upload' ? input.fileName : input.url;
  await recordEvent(transaction, by, action, organizationId, subject, {
    kind: 'import',
    id,
    changes: source === null ? [] : listChanges(['source'], {}, { source }),
  });
}
