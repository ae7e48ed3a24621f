/** Finds changes of records after an import, which an undo would overwrite. */

import type { ImportRunKey } from '../../domain/import-history.ts';
import { UndoConflictError } from '../../domain/import-undo.ts';
import type { Engine, Queryable } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import type { UndoableKind, UndoStep } from './undo-log.ts';

export interface UndoTransaction {
  transaction: Queryable;
  recordset: Engine['recordset'];
  run: ImportRunKey;
}

/** The numbers of the changes in one batch: above `first`, up to `last`. */
export interface SequenceRange {
  first: number;
  last: number;
}

interface LatestChange {
  id: string;
  sequence: number;
}

/** @param range of the step's batch @param ranges of all batches @throws UndoConflictError */
export async function assertNotChangedSince(
  target: UndoTransaction,
  sourceId: number,
  { kind, inserted, replaced, agendasOf, agenda }: UndoStep,
  { first }: SequenceRange,
  ranges: readonly SequenceRange[],
): Promise<void> {
  const isNewer = ({ sequence }: LatestChange) =>
    !ranges.some((range) => sequence > range.first && sequence <= range.last);
  const written = [...inserted, ...replaced.map(({ id }) => id)];
  const sessions = [...new Set([...agendasOf, ...agenda.map((row) => row.session_id)])];
  for (const [of, ids] of [
    [kind, written],
    ['session', sessions],
  ] as const) {
    const changed = (await listChangesAfter(target, of, ids, first)).find(isNewer);
    if (changed !== undefined) throw createConflict(of, changed.id);
  }
  const [taken] = await listOfOtherSources(target, kind, written, sourceId);
  if (taken !== undefined) throw createConflict(kind, taken);
  if (kind === 'session') return;
  const scheduled = (await listAgendaChanges(target, inserted)).find(isNewer);
  if (scheduled !== undefined) throw createConflict('session', scheduled.id);
}

const createConflict = (kind: UndoableKind, id: string) =>
  new UndoConflictError({ code: 'undo-changed', kind, id });

async function listChangesAfter(
  { transaction, recordset, run }: UndoTransaction,
  kind: UndoableKind,
  ids: readonly string[],
  after: number,
): Promise<LatestChange[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.query<LatestChange>(
    `SELECT id, sequence FROM change
    WHERE organization_id = $1 AND kind = $2 AND sequence > $3 AND id IN (${selectIds(recordset, '$4')})`,
    [run.organizationId, kind, after, toIdRows(ids)],
  );
  return rows.map(toNumber);
}

const toNumber = ({ id, sequence }: LatestChange): LatestChange => ({ id, sequence: Number(sequence) });

/** Another source can take over a record without a published change. */
async function listOfOtherSources(
  { transaction, recordset, run }: UndoTransaction,
  kind: UndoableKind,
  ids: readonly string[],
  sourceId: number,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(
    `SELECT id FROM ${kind} WHERE organization_id = $1 AND (source_id IS NULL OR source_id <> $2)
      AND id IN (${selectIds(recordset, '$3')}) LIMIT 1`,
    [run.organizationId, sourceId, toIdRows(ids)],
  );
  return rows.map(({ id }) => id);
}

/** The latest changes of sessions whose agendas refer to these submissions. */
async function listAgendaChanges(
  { transaction, recordset, run }: UndoTransaction,
  submissionIds: readonly string[],
): Promise<LatestChange[]> {
  if (submissionIds.length === 0) return [];
  const rows = await transaction.query<LatestChange>(
    `SELECT change.id, sequence FROM session_submission AS entry
    JOIN change ON change.organization_id = entry.organization_id AND kind = 'session' AND change.id = session_id
    WHERE entry.organization_id = $1 AND submission_id IN (${selectIds(recordset, '$2')})`,
    [run.organizationId, toIdRows(submissionIds)],
  );
  return rows.map(toNumber);
}
