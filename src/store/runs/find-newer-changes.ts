/** Finds changes of records after an import, which an undo would overwrite. */

import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import { UndoConflictError } from '../../domain/runs/undo.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import type { SkipChangesByDecisions } from '../record-decisions/changes-by-decisions.ts';
import { readKeptRows } from '../record-decisions/record-decisions.ts';
import { readAgendas } from '../records/agendas.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import type { UndoableKind, UndoStep } from './undo-log.ts';

export interface UndoTransaction
  extends Pick<
    TenantTransaction,
    'transaction' | 'recordset' | 'organizationId' | 'decisions' | 'limitLocation'
  > {
  run: ImportRunReference;
  /** Without the changes of decisions, which an undo keeps. */
  skipOwnChanges: SkipChangesByDecisions;
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
  const scheduled = (await listAgendaChanges(target, inserted, first)).find(isNewer);
  if (scheduled !== undefined) throw createConflict('session', scheduled.id);
}

const createConflict = (kind: UndoableKind, id: string) =>
  new UndoConflictError({ code: 'undo-changed', kind, id });

async function listChangesAfter(
  { transaction, recordset, run, skipOwnChanges }: UndoTransaction,
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
  return rows
    .map(({ id, sequence }) => ({ id, sequence: skipOwnChanges(kind, id, Number(sequence)) }))
    .filter(({ sequence }) => sequence > after);
}

/** Another source can take over a record without a published change. */
async function listOfOtherSources(
  target: UndoTransaction,
  kind: UndoableKind,
  ids: readonly string[],
  sourceId: number,
): Promise<string[]> {
  const { transaction, recordset, run } = target;
  const kept = await readKeptRows(target, kind, ids);
  const rows = await transaction.query<{ id: string }>(
    `SELECT id FROM ${kind} WHERE organization_id = $1 AND (source_id IS NULL OR source_id <> $2)
      AND id IN (${selectIds(recordset, '$3')}) LIMIT 1`,
    [run.organizationId, sourceId, toIdRows(ids)],
  );
  return [...rows, ...kept.filter((row) => row.source_id !== sourceId)].map(({ id }) => id);
}

/** The latest changes of sessions whose agendas refer to these submissions. */
async function listAgendaChanges(
  target: UndoTransaction,
  submissionIds: readonly string[],
  after: number,
): Promise<LatestChange[]> {
  if (submissionIds.length === 0) return [];
  const entries = await readAgendas(target, 'submission_id', submissionIds);
  const sessionIds = [...new Set(entries.map((entry) => entry.session_id))];
  return listChangesAfter(target, 'session', sessionIds, after);
}
