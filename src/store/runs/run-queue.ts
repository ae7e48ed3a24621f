/** Queue of imports that were started in the admin area. Several processes may run its steps concurrently. */

import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/accounts/actor.ts';
import { type AuditAction, listChanges } from '../../domain/accounts/audit-log.ts';
import { type ApprovalKind, approvalLifetimeMs } from '../../domain/approvals/approval-request.ts';
import { type Reason, sanitizeText, serializeReason } from '../../domain/reasons/reason.ts';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import {
  type ArrivingUpload,
  type ClaimedRun,
  fileLifetimeMs,
  isEndpointRun,
  maxOpenRuns,
  maxStepCrashes,
  type NewQueuedRun,
  nameInput,
  type QueuedRun,
  type QueuedRunSummary,
  type RunInput,
  type RunQueueStore,
  type RunStep,
  TooManyRunsError,
  uploadReservationMs,
} from '../../domain/runs/run-queue.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { endRequestOfRun } from '../approvals/end-requests.ts';
import { createTenantReader, type Engine, type Queryable } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { deriveSourceId } from './import-sources.ts';
import { freeExpiredLease, isRun, maxStoredLength, readLeaseLimit, toLeaseLimit } from './run-history.ts';

/** Longer than an undo is possible, so that the page of an import shows its result. */
const retentionMs = 30 * 86_400_000;

const pruneBatchSize = 100;

/** The run of an import has ended its lease already. */
const isOwn = "state = 'running' AND (lease_token = $3 OR lease_token IS NULL)";

const toJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

const jsonColumns = ['definition', 'detection', 'dryRun', 'progress', 'failure'] as const;

const summaryColumns = `organization_id AS "organizationId", id, step, state, source_name AS "sourceName",
    input_kind AS "inputKind", input_name AS "inputName", input_bytes AS "inputBytes",
    step_failure AS failure, created_at AS "createdAt", created_by AS "createdBy", queued_by AS actor,
    queued_from AS address, file_expires_at_ms AS "fileExpiresAtMs", definition, progress,
    EXISTS (SELECT 1 FROM approval_request AS request WHERE request.organization_id = import_run.organization_id
      AND request.kind = '${'import' satisfies ApprovalKind}' AND request.subject = import_run.id AND request.state = 'open') AS "isAwaitingApproval"`;

const selectQueuedRuns = `SELECT ${summaryColumns}, detection, dry_run AS "dryRun" FROM import_run`;

type QueuedRunRow = Omit<
  QueuedRun,
  'input' | 'fileExpiresAt' | 'isAwaitingApproval' | (typeof jsonColumns)[number]
> &
  Record<(typeof jsonColumns)[number], string | null> & {
    inputKind: RunInput['kind'] | null;
    inputName: string | null;
    inputBytes: number | null;
    fileExpiresAtMs: number | null;
    isAwaitingApproval: boolean | number;
  };

const isListedAsOpen = `(state IN ('queued', 'running') OR (state = 'done' AND step IN ('detection', 'dry_run'))
  OR (state = 'failed' AND file_expires_at_ms IS NOT NULL))`;

/** `$1` is the time of the oldest heartbeat of a held lease. At most one process reads, and one writes, for a municipality. */
const isClaimable = `state = 'queued' AND NOT EXISTS (
  SELECT 1 FROM import_run AS other WHERE other.organization_id = import_run.organization_id
    AND other.lease_token IS NOT NULL AND other.heartbeat_at >= $1
    AND (other.step IN ('import', 'undo')) = (import_run.step IN ('import', 'undo')))`;

/** `$2` is a limit. */
const countClaimableQuery = `
  SELECT (SELECT count(*) FROM (SELECT 1 FROM import_run WHERE ${isClaimable} LIMIT $2) AS waiting)
    + (SELECT count(*) FROM import_run WHERE state = 'running' AND heartbeat_at < $1) AS count`;

export function createRunQueueStore(engine: Engine, self: Actor): RunQueueStore {
  const ofTenant = createTenantReader(engine);

  async function listSummaries(organizationId: string, condition: string): Promise<QueuedRunSummary[]> {
    const rows = await ofTenant.query<QueuedRunRow>(
      `SELECT ${summaryColumns}, NULL AS detection, NULL AS "dryRun" FROM import_run
        WHERE organization_id = $1 AND state IS NOT NULL AND ${condition} ORDER BY created_at DESC, id`,
      [organizationId],
    );
    return rows.map(toQueuedRun);
  }

  /** The steps of one municipality change in transactions without a municipality, which are serialized. */
  const change = <Result>(work: (transaction: Queryable) => Promise<Result>) =>
    engine.transaction(undefined, work);

  return {
    reserveUpload: ({ organizationId, id }, bytes, by = self) =>
      change(async (transaction) => {
        const nowMs = await transaction.now();
        await transaction.execute(
          `DELETE FROM import_run WHERE ${isReservation} AND file_expires_at_ms <= $1`,
          [nowMs],
        );
        await assertRoom(transaction, organizationId, nowMs);
        const earlier = await listReservations(transaction);
        const now = new Date(nowMs).toISOString();
        const added = await transaction.execute(
          `INSERT INTO import_run (organization_id, id, step, input_kind, input_bytes, file_expires_at_ms, started_at, heartbeat_at,
            actor, address, sources)
          SELECT id, $2, 'detection', 'upload', CAST($3 AS bigint), CAST($4 AS bigint), $5, $5, $6, $7, '' FROM organization
          WHERE id = $1`,
          [organizationId, id, bytes, nowMs + uploadReservationMs, now, by.name, by.address],
        );
        if (added === 0) throw new StoreConflictError({ code: 'organization-removed' });
        return earlier;
      }),

    extendUpload: async ({ organizationId, id }) => {
      await engine.execute(
        `UPDATE import_run SET file_expires_at_ms = $3 WHERE ${isRun} AND ${isReservation}`,
        [organizationId, id, (await engine.now()) + uploadReservationMs],
      );
    },

    releaseUpload: (run) => deleteReservation(engine, run),

    listArrivingUploads: () => listReservations(engine),

    queueRun: async (run, by = self) => {
      await change((transaction) => insertRun(transaction, run, by));
      return (await findRun(ofTenant, run)) as QueuedRun;
    },

    findQueuedRun: (organizationId, id) => findRun(ofTenant, { organizationId, id }),

    hasStepEnded: async ({ organizationId, id }) => {
      const open = await ofTenant.query(
        `SELECT id FROM import_run WHERE ${isRun} AND state IN ('queued', 'running')`,
        [organizationId, id],
      );
      return open.length === 0;
    },

    listOpenRuns: (organizationId) => listSummaries(organizationId, isListedAsOpen),

    listRunsWithFile: (organizationId) => listSummaries(organizationId, 'file_expires_at_ms IS NOT NULL'),

    queueImportStep: (reference, step, { definition, detection } = {}, by = self) =>
      change(async (transaction) => {
        const run = await findRun(transaction, reference);
        if (run === undefined || !mayQueue(run, step)) return false;
        if (run.isAwaitingApproval && by.approves === undefined) return false;
        const nowMs = await transaction.now();
        await transaction.execute(
          `UPDATE import_run SET step = $3, state = 'queued', definition = coalesce($4, definition),
            detection = coalesce($5, detection), dry_run = $6, step_failure = NULL, progress = NULL, queued_by = $7,
            queued_from = $8, queued_at_ms = $9, crashes = 0, file_expires_at_ms = $10
          WHERE ${isRun}`,
          [
            reference.organizationId,
            reference.id,
            step,
            toJson(definition),
            toJson(detection),
            step === 'import' && run.dryRun !== null ? JSON.stringify(run.dryRun) : null,
            by.name,
            by.address,
            nowMs,
            isEndpointRun(run) ? null : nowMs + fileLifetimeMs,
          ],
        );
        if (step === 'import')
          await beginImport(transaction, { ...run, ...(definition && { definition }) }, by);
        return true;
      }),

    queueUndo: ({ organizationId, id }, sourceName, by = self) =>
      change(async (transaction) => {
        const nowMs = await transaction.now();
        const now = new Date(nowMs).toISOString();
        const queued = await transaction.execute(
          `UPDATE import_run SET step = 'undo', state = 'queued', source_name = $3, step_failure = NULL, progress = NULL,
            created_at = coalesce(created_at, $4), created_by = coalesce(created_by, $5), queued_by = $5, queued_from = $6,
            queued_at_ms = $7, crashes = 0
          WHERE ${isRun} AND lease_token IS NULL
            AND (state IS NULL OR state NOT IN ('queued', 'running'))`,
          [organizationId, id, sourceName, now, by.name, by.address, nowMs],
        );
        if (queued === 0) return false;
        await recordEvent(transaction, by, 'import.undo_started', organizationId, sourceName, {
          kind: 'import',
          id,
        });
        return true;
      }),

    cancelRun: (reference, by = self) =>
      change(async (transaction) => {
        const run = await findRun(transaction, reference);
        if (run === undefined || !isOpen(run)) return false;
        await cancel(transaction, reference, null, by);
        const action = run.step === 'undo' ? 'import.undo_cancelled' : 'import.cancelled';
        await recordRunEvent(transaction, by, action, run);
        return true;
      }),

    countClaimableRuns: async (limit) => {
      const leaseLimit = await readLeaseLimit(engine);
      const [row] = await engine.query<{ count: number }>(countClaimableQuery, [leaseLimit, limit]);
      return Math.min(limit, Number(row?.count ?? 0));
    },

    claimRun: (only) => change((transaction) => claimRun(transaction, only)),

    endImportStep: (run, end) =>
      change(async (transaction) => {
        const nowMs = await transaction.now();
        const isNext = end.state === 'done' && end.nextStep !== undefined;
        const isOver = end.state === 'done' && (run.step === 'import' || run.step === 'undo');
        const { definition, detection, dryRun } = end.state === 'done' ? end : {};
        const ended = await transaction.execute(
          `UPDATE import_run SET step = $4, state = $5, step_failure = $6, definition = coalesce($7, definition),
            detection = coalesce($8, detection), dry_run = coalesce($9, dry_run), queued_at_ms = $10,
            file_expires_at_ms = CASE WHEN file_expires_at_ms IS NULL THEN NULL ELSE CAST($11 AS bigint) END, crashes = 0,
            lease_token = NULL
          WHERE ${isRun} AND ${isOwn}`,
          [
            run.organizationId,
            run.id,
            run.lease.leaseToken,
            isNext ? (end.nextStep as RunStep) : run.step,
            isNext ? 'queued' : end.state,
            end.state === 'failed' ? serializeReason(end.failure) : null,
            toJson(definition),
            toJson(detection),
            toJson(dryRun),
            nowMs,
            isOver ? 0 : nowMs + fileLifetimeMs,
          ],
        );
        if (ended === 1 && isOver) await forgetReports(transaction, run);
        return ended === 1;
      }),

    releaseStep: async ({ organizationId, id, lease }) => {
      await engine.execute(
        `UPDATE import_run SET state = 'queued', lease_token = NULL, progress = NULL WHERE ${isRun} AND ${isOwn}`,
        [organizationId, id, lease.leaseToken],
      );
    },

    listExpiredFiles: async () => {
      const nowMs = await engine.now();
      const expired = await engine.query<QueuedRunRow>(
        `${selectQueuedRuns} WHERE file_expires_at_ms <= $1 AND state <> 'running' LIMIT ${pruneBatchSize}`,
        [nowMs],
      );
      for (const run of expired.map(toQueuedRun))
        if (isOpen(run)) await change((t) => cancel(t, run, expiredFailure, undefined));
      const isOld = `(organization_id, id) IN (SELECT organization_id, id FROM import_run
          WHERE created_at < $1 AND state NOT IN ('queued', 'running') AND file_expires_at_ms IS NULL
          ORDER BY created_at LIMIT ${pruneBatchSize})`;
      const before = [new Date(nowMs - retentionMs).toISOString()];
      await engine.execute(`DELETE FROM import_run WHERE outcome IS NULL AND ${isOld}`, before);
      await engine.execute(`UPDATE import_run SET state = NULL, definition = NULL WHERE ${isOld}`, before);
      return expired.map(({ organizationId, id }) => ({ organizationId, id }));
    },

    forgetFile: async ({ organizationId, id }) => {
      await engine.execute(`UPDATE import_run SET file_expires_at_ms = NULL WHERE ${isRun}`, [
        organizationId,
        id,
      ]);
    },
  };
}

async function findRun(
  statements: Pick<Queryable, 'query'>,
  { organizationId, id }: ImportRunReference,
): Promise<QueuedRun | undefined> {
  const [row] = await statements.query<QueuedRunRow>(
    `${selectQueuedRuns} WHERE ${isRun} AND state IS NOT NULL`,
    [organizationId, id],
  );
  return row && toQueuedRun(row);
}

const expiredFailure: Reason = { code: 'import-expired' };

/** A row without a step that has begun: version 1.0 counts it as an open run, and shows it nowhere. */
const isReservation = "input_kind = 'upload' AND state IS NULL AND outcome IS NULL";

async function listReservations(statements: Queryable): Promise<ArrivingUpload[]> {
  const rows = await statements.query<ArrivingUpload>(
    `SELECT id, input_bytes AS bytes FROM import_run WHERE ${isReservation} AND file_expires_at_ms > $1`,
    [await statements.now()],
  );
  return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }));
}

async function deleteReservation(
  statements: Queryable,
  { organizationId, id }: ImportRunReference,
): Promise<void> {
  await statements.execute(`DELETE FROM import_run WHERE ${isRun} AND ${isReservation}`, [
    organizationId,
    id,
  ]);
}

/** @throws TooManyRunsError if the municipality has too many open runs, with those whose file is arriving */
async function assertRoom(transaction: Queryable, organizationId: string, nowMs: number): Promise<void> {
  const [open] = await transaction.query<{ count: number }>(
    `SELECT count(*) AS count FROM import_run WHERE organization_id = $1
      AND (file_expires_at_ms > $2 OR step <> 'undo' AND state IN ('queued', 'running'))`,
    [organizationId, nowMs],
  );
  if (Number(open?.count) >= maxOpenRuns) throw new TooManyRunsError();
}

async function insertRun(transaction: Queryable, run: NewQueuedRun, by: Actor): Promise<void> {
  const { organizationId, id, sourceName, input, definition, detection } = run;
  const nowMs = await transaction.now();
  const now = new Date(nowMs).toISOString();
  await deleteReservation(transaction, run);
  await assertRoom(transaction, organizationId, nowMs);
  const added = await transaction.execute(
    `INSERT INTO import_run (organization_id, id, step, state, source_name, input_kind, input_name, input_bytes,
      definition, created_at, created_by, queued_by, queued_from, queued_at_ms, file_expires_at_ms, started_at,
      heartbeat_at, actor, address, sources, detection)
    SELECT id, $2, $13, 'queued', $3, $4, $5, CAST($6 AS bigint), $7, $8, $9, $9, $10, CAST($11 AS bigint),
      CAST($12 AS bigint), $8, $8, $9, $10, '', $14
    FROM organization WHERE id = $1`,
    [
      organizationId,
      id,
      sourceName,
      input.kind,
      nameInput(input),
      input.kind === 'upload' ? input.bytes : null,
      definition === null ? null : JSON.stringify(definition),
      now,
      by.name,
      by.address,
      nowMs,
      isEndpointRun(run) ? null : nowMs + fileLifetimeMs,
      isEndpointRun(run) ? 'import' : 'detection',
      toJson(detection),
    ],
  );
  if (added === 0) throw new StoreConflictError({ code: 'organization-removed' });
  // One event approves a request: the later one.
  const { name: adder, address } = by;
  await recordRunEvent(transaction, { name: adder, address }, 'import.added', run);
  if (isEndpointRun(run)) await beginImport(transaction, run, by);
}

/** Runs end when they have imported something. An undo has one step. */
const isOpen = ({ step, state }: QueuedRun): boolean =>
  state !== 'cancelled' && !(state === 'done' && step === 'import') && !(step === 'undo' && isWaiting(state));

const isWaiting = (state: QueuedRun['state']) => state === 'done' || state === 'failed';

function mayQueue(run: QueuedRun, step: RunStep): boolean {
  if (!isWaiting(run.state) || !isOpen(run)) return false;
  if (isEndpointRun(run)) return step === 'import';
  if (run.fileExpiresAt === null) return false;
  if (step === 'detection') return run.step === 'detection';
  if (step === 'dry_run') return run.detection !== null;
  return run.dryRun !== null && (run.step === 'import' || run.state === 'done');
}

/** @throws StoreConflictError if its import can no longer begin */
export async function keepFileForApproval(transaction: Queryable, run: ImportRunReference): Promise<void> {
  const found = await findRun(transaction, run);
  if (found === undefined || !mayQueue(found, 'import'))
    throw new StoreConflictError('The import was continued or cancelled in the meantime.');
  await keepFile(transaction, run, approvalLifetimeMs);
}

/** Of an import that no longer waits for an approval. */
export const releaseFile = (transaction: Queryable, run: ImportRunReference): Promise<void> =>
  keepFile(transaction, run, fileLifetimeMs);

async function keepFile(
  transaction: Queryable,
  { organizationId, id }: ImportRunReference,
  lifetimeMs: number,
): Promise<void> {
  await transaction.execute(
    `UPDATE import_run SET file_expires_at_ms = $3 WHERE ${isRun} AND file_expires_at_ms IS NOT NULL`,
    [organizationId, id, (await transaction.now()) + lifetimeMs],
  );
}

/** Reports may contain personal data that was not published, so they are deleted with the file. */
async function forgetReports(
  transaction: Queryable,
  { organizationId, id }: ImportRunReference,
): Promise<void> {
  await transaction.execute(`UPDATE import_run SET detection = NULL, dry_run = NULL WHERE ${isRun}`, [
    organizationId,
    id,
  ]);
}

/** @param by undefined: the user has not continued it for too long */
async function cancel(
  transaction: Queryable,
  { organizationId, id }: ImportRunReference,
  failure: Reason | null,
  by: Actor | undefined,
): Promise<void> {
  await endRequestOfRun(transaction, { organizationId, id }, by);
  const nowMs = await transaction.now();
  await transaction.execute(
    `UPDATE import_run SET state = 'cancelled', step_failure = $3,
      file_expires_at_ms = CASE WHEN file_expires_at_ms IS NULL THEN NULL ELSE CAST($4 AS bigint) END,
      lease_token = NULL
    WHERE ${isRun}`,
    [organizationId, id, failure === null ? null : serializeReason(failure), nowMs],
  );
  await forgetReports(transaction, { organizationId, id });
}

/** What the history shows of the import. */
async function beginImport(transaction: Queryable, run: NewQueuedRun | QueuedRun, by: Actor): Promise<void> {
  const { organizationId, id, definition, input } = run;
  if (definition === null || input === null) return;
  await transaction.execute(
    `UPDATE import_run SET format = $3, source_id = $4, sources = $5, actor = $6, address = $7 WHERE ${isRun}`,
    [
      organizationId,
      id,
      definition.format,
      deriveSourceId(definition),
      sanitizeText(nameInput(input), maxStoredLength),
      by.name,
      by.address,
    ],
  );
  await recordRunEvent(transaction, by, 'import.started', run);
}

/** The subject is the file or URL. */
async function recordRunEvent(
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  {
    organizationId,
    id,
    input,
    sourceName,
    definition,
  }: Pick<QueuedRun, 'organizationId' | 'id' | 'input' | 'sourceName' | 'definition'>,
): Promise<void> {
  const source = definition?.name ?? sourceName;
  const subject = input === null ? (source ?? '') : nameInput(input);
  await recordEvent(transaction, by, action, organizationId, subject, {
    kind: 'import',
    id,
    changes: source === null ? [] : listChanges({}, { source }),
  });
}

/** Queues the steps of crashed processes again, or ends them as failed, before it chooses. */
async function claimRun(
  transaction: Queryable,
  only: ImportRunReference | undefined,
): Promise<ClaimedRun | undefined> {
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
  const [next] = await transaction.query<ImportRunReference>(
    `SELECT organization_id AS "organizationId", id FROM import_run
      WHERE ${isClaimable}${only === undefined ? '' : ' AND organization_id = $2 AND id = $3'} ORDER BY queued_at_ms LIMIT 1`,
    [leaseLimit, ...(only === undefined ? [] : [only.organizationId, only.id])],
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

function toQueuedRun({ inputKind, inputName, inputBytes, fileExpiresAtMs, ...row }: QueuedRunRow): QueuedRun {
  const parsed = Object.fromEntries(
    jsonColumns.map((name) => [name, row[name] === null ? null : JSON.parse(row[name])]),
  );
  return {
    ...row,
    ...(parsed as Pick<QueuedRun, (typeof jsonColumns)[number]>),
    isAwaitingApproval: Boolean(row.isAwaitingApproval),
    input: toInput(inputKind, inputName ?? '', inputBytes ?? 0),
    fileExpiresAt: fileExpiresAtMs === null ? null : new Date(fileExpiresAtMs).toISOString(),
  };
}

function toInput(kind: RunInput['kind'] | null, name: string, bytes: number): RunInput | null {
  if (kind === null) return null;
  return kind === 'upload' ? { kind, fileName: name, bytes } : { kind, url: name };
}
