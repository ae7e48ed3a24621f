/** Undoes the last import of a source, in one transaction: readers see the state before or after it. */

import { setImmediate } from 'node:timers/promises';
import type { Actor } from '../../domain/accounts/actor.ts';
import { type ImportRunReference, type UndoCounts, undoCounts } from '../../domain/runs/run-history.ts';
import {
  findUndoObstacle,
  type ImportUndoStore,
  type LastImport,
  type RedactRestored,
  UndoConflictError,
  undoLifetimeMs,
} from '../../domain/runs/undo.ts';
import { createTenantReader, type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { readChangesByDecisions } from '../record-decisions/changes-by-decisions.ts';
import { readDecisions } from '../record-decisions/record-decisions.ts';
import { addMissingDigests } from '../record-decisions/record-digests.ts';
import { addEntries, deleteWithheldEntries, forgetRecords } from '../records/agendas.ts';
import { readLocationLimit } from '../records/limit-locations.ts';
import { putRows } from '../records/put-rows.ts';
import { recordTables } from '../table-descriptors.ts';
import { assertNotChangedSince, type SequenceRange, type UndoTransaction } from './find-newer-changes.ts';
import { redactRestoredRows } from './redact-restored-rows.ts';
import { isWriting, readLeaseLimit } from './run-history.ts';
import { computeExpiry, readSteps, type UndoStep } from './undo-log.ts';

type ListedImport = Omit<LastImport, 'organizationId' | 'source' | 'expiresAt'> & {
  format: string;
  name: string;
  createdAt: string;
  sourceId: number;
};

/** Parameters: municipality, time before which imports have expired. */
const lastImportsQuery = `
  SELECT undo.source_id AS "sourceId", run_id AS "runId", undo.created_at AS "createdAt", undo.state,
    source.format, source.name, run.started_at AS "startedAt", run.sources,
    coalesce(sum(batch.inserted), 0) AS inserted, coalesce(sum(batch.replaced), 0) AS replaced,
    coalesce(sum(batch.surveys), 0) AS surveys
  FROM import_undo AS undo
  JOIN import_source AS source ON source.organization_id = undo.organization_id AND source.id = undo.source_id
  JOIN import_run AS run ON run.organization_id = undo.organization_id AND run.id = undo.run_id
  LEFT JOIN import_undo_batch AS batch
    ON batch.organization_id = undo.organization_id AND batch.source_id = undo.source_id
  WHERE undo.organization_id = $1 AND undo.created_at >= $2
  GROUP BY undo.source_id, run_id, undo.created_at, undo.state, source.format, source.name, run.started_at, run.sources
  ORDER BY source.name, source.format`;

const maxDeletedBatches = 100;

/** Parameter: time before which imports have expired. A batch can have several megabytes. */
const deleteExpiredBatch = `
  DELETE FROM import_undo_batch WHERE (organization_id, source_id, position) IN (
    SELECT batch.organization_id, batch.source_id, position FROM import_undo AS undo
    JOIN import_undo_batch AS batch
      ON batch.organization_id = undo.organization_id AND batch.source_id = undo.source_id
    WHERE undo.created_at < $1 LIMIT 1)`;

const deleteExpiredImports = `
  DELETE FROM import_undo WHERE created_at < $1 AND NOT EXISTS (SELECT 1 FROM import_undo_batch AS batch
    WHERE batch.organization_id = import_undo.organization_id AND batch.source_id = import_undo.source_id)`;

export function createImportUndoStore(engine: Engine, self: Actor): ImportUndoStore {
  const prune = (sql: string, before: string) =>
    engine.transaction({ purpose: 'pruning' }, (transaction) => transaction.execute(sql, [before]));
  return {
    listLastImports: async (organizationId) => {
      const rows = await listImports(createTenantReader(engine), organizationId);
      return rows.map(({ sourceId: _, ...row }) => toLastImport(organizationId, row));
    },
    undoImport: (run, redact, dryRun, by = self) =>
      engine.transaction(run.organizationId, async (transaction) => {
        await addMissingDigests(transaction, run.organizationId);
        return undo(
          {
            transaction,
            recordset: engine.recordset,
            organizationId: run.organizationId,
            run,
            decisions: await readDecisions(transaction, run.organizationId),
            limitLocation: await readLocationLimit(transaction, run.organizationId),
            skipOwnChanges: await readChangesByDecisions(transaction, run.organizationId),
          },
          redact,
          dryRun,
          by,
        );
      }),
    deleteExpiredUndo: async () => {
      const expiry = await computeExpiry(engine);
      for (let deleted = 0; deleted < maxDeletedBatches; deleted++) {
        if ((await prune(deleteExpiredBatch, expiry)) === 0) break;
        await setImmediate();
      }
      await prune(deleteExpiredImports, expiry);
    },
  };
}

const listImports = async (statements: Pick<Queryable, 'query' | 'now'>, organizationId: string) =>
  statements.query<ListedImport>(lastImportsQuery, [organizationId, await computeExpiry(statements)]);

function toLastImport(
  organizationId: string,
  { format, name, createdAt, inserted, replaced, surveys, ...row }: Omit<ListedImport, 'sourceId'>,
): LastImport {
  return {
    ...row,
    organizationId,
    source: { format, name },
    expiresAt: new Date(Date.parse(createdAt) + undoLifetimeMs).toISOString(),
    // PostgreSQL returns sums as texts.
    inserted: Number(inserted),
    replaced: Number(replaced),
    surveys: Number(surveys),
  };
}

async function undo(
  target: UndoTransaction,
  redact: RedactRestored,
  dryRun: boolean,
  by: Actor,
): Promise<UndoCounts> {
  const { transaction, run } = target;
  const imports = await listImports(transaction, run.organizationId);
  const found = imports.find(({ runId }) => runId === run.id);
  const last = assertAvailable(
    found && { ...toLastImport(run.organizationId, found), sourceId: found.sourceId },
  );
  if (dryRun) await assertNotRunning(transaction, run.organizationId, last.sourceId);
  const ranges = await listRanges(transaction, run.organizationId, last.sourceId);
  for (const range of ranges)
    for (const step of await readSteps(transaction, run.organizationId, last.sourceId, range.position))
      await assertNotChangedSince(target, last.sourceId, step, range, ranges);
  const undone: UndoCounts = { removed: last.inserted, restored: last.replaced, surveys: last.surveys };
  if (dryRun) return undone;
  for (const { position } of ranges.toReversed())
    for (const step of (await readSteps(transaction, run.organizationId, last.sourceId, position)).reverse())
      await undoStep(target, step, redact);
  await restoreRedaction(transaction, run.organizationId, last);
  await markAsUndone(transaction, run, last, undone);
  const { format, name } = last.source;
  await recordEvent(transaction, by, 'import.undone', run.organizationId, name === '' ? format : name, {
    kind: 'import',
    id: run.id,
  });
  return undone;
}

type AvailableImport = LastImport & { sourceId: number };

function assertAvailable(last: AvailableImport | undefined): AvailableImport {
  const obstacle = findUndoObstacle(last);
  if (obstacle !== undefined) throw new UndoConflictError(obstacle);
  return last as AvailableImport;
}

/** Otherwise the run that is undone holds the lease. */
async function assertNotRunning(
  transaction: Queryable,
  organizationId: string,
  sourceId: number,
): Promise<void> {
  const [running] = await transaction.query<{ heartbeatAt: string }>(
    `SELECT heartbeat_at AS "heartbeatAt" FROM import_run
    WHERE organization_id = $1 AND source_id = $2 AND ${isWriting} AND heartbeat_at >= $3`,
    [organizationId, sourceId, await readLeaseLimit(transaction)],
  );
  if (running === undefined) return;
  throw new UndoConflictError({ code: 'undo-running', heartbeatAt: running.heartbeatAt });
}

async function listRanges(
  transaction: Queryable,
  organizationId: string,
  sourceId: number,
): Promise<(SequenceRange & { position: number })[]> {
  const rows = await transaction.query<SequenceRange & { position: number }>(
    `SELECT position, first_sequence AS first, last_sequence AS last FROM import_undo_batch
    WHERE organization_id = $1 AND source_id = $2 ORDER BY position`,
    [organizationId, sourceId],
  );
  return rows.map(({ position, first, last }) => ({
    position: Number(position),
    first: Number(first),
    last: Number(last),
  }));
}

/** Agendas follow the records that they refer to. */
async function undoStep(target: UndoTransaction, step: UndoStep, redact: RedactRestored): Promise<void> {
  const { transaction, recordset, organizationId } = target;
  const { kind, inserted, replaced, agendasOf, agenda } = step;
  if (inserted.length > 0) {
    await transaction.execute(
      `DELETE FROM ${kind} WHERE organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`,
      [organizationId, toIdRows(inserted)],
    );
    await forgetRecords(target, kind, inserted);
  }
  const redacted = await redactRestoredRows(kind, replaced, redact);
  await putRows({ ...target, sourceId: null, undoLog: undefined }, recordTables[kind], redacted);
  if (agendasOf.length > 0) {
    await transaction.execute(
      `DELETE FROM session_submission WHERE organization_id = $1 AND session_id IN (${selectIds(recordset, '$2')})`,
      [organizationId, toIdRows(agendasOf)],
    );
    await deleteWithheldEntries(target, 'session_id', agendasOf);
  }
  await addEntries(target, agenda);
}

/**
 * A policy that a later import has changed is kept. So is that of the first import: otherwise its repetition could publish what it
 * replaced.
 */
async function restoreRedaction(
  transaction: Queryable,
  organizationId: string,
  { sourceId }: AvailableImport,
): Promise<void> {
  await transaction.execute(
    `UPDATE import_source SET redaction = (SELECT redaction_before FROM import_undo
      WHERE organization_id = $1 AND source_id = $2)
    WHERE organization_id = $1 AND id = $2 AND redaction = (SELECT redaction FROM import_undo
      WHERE organization_id = $1 AND source_id = $2 AND redaction_before IS NOT NULL)`,
    [organizationId, sourceId],
  );
}

async function markAsUndone(
  transaction: Queryable,
  { organizationId, id }: ImportRunReference,
  { sourceId }: AvailableImport,
  undone: UndoCounts,
): Promise<void> {
  await transaction.execute(
    'UPDATE import_source SET has_support_counts = NULL, personal_data = NULL WHERE organization_id = $1 AND id = $2',
    [organizationId, sourceId],
  );
  await transaction.execute(
    "UPDATE import_undo SET state = 'undone' WHERE organization_id = $1 AND source_id = $2",
    [organizationId, sourceId],
  );
  await transaction.execute('DELETE FROM import_undo_batch WHERE organization_id = $1 AND source_id = $2', [
    organizationId,
    sourceId,
  ]);
  const counts = undoCounts.map((name, index) => `undo_${name} = $${index + 4}`).join(', ');
  await transaction.execute(
    `UPDATE import_run SET undone_at = $3, ${counts} WHERE organization_id = $1 AND id = $2`,
    [organizationId, id, await readTimestamp(transaction), ...undoCounts.map((name) => undone[name])],
  );
}
