/**
 * Agendas of sessions. An entry whose session or submission is unpublished waits in `withheld_agenda_entry`, so that it has its
 * position again once both are published.
 */
import type { RecordKind } from '../../domain/records/records.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { forgetKeptRows } from '../record-decisions/record-decisions.ts';
import {
  getColumns,
  listColumnNames,
  sessionSubmissionTable,
  withheldAgendaEntryTable,
} from '../table-descriptors.ts';
import type { RecordDecisions, TenantTransaction } from '../tenant-transaction.ts';
import { findChangedParents, writeChildRows } from './child-rows.ts';
import { deleteNotes } from './record-notes.ts';

export interface AgendaRow {
  session_id: string;
  position: number;
  submission_id: string;
}

/** A column that selects entries by ids of sessions, or of submissions. */
type EntryColumn = 'session_id' | 'submission_id';

type AgendaTransaction = Pick<
  TenantTransaction,
  'transaction' | 'recordset' | 'organizationId' | 'decisions'
>;

/** Entries of removed records are neither published nor kept. */
function splitEntries(
  decisions: RecordDecisions,
  rows: readonly AgendaRow[],
): Record<'published' | 'withheld', readonly AgendaRow[]> {
  if (decisions.isEmpty) return { published: rows, withheld: [] };
  const kept = rows.filter(
    ({ session_id: session, submission_id: submission }) =>
      !decisions.isRemoved('session', session) && !decisions.isRemoved('submission', submission),
  );
  const { published = [], withheld = [] } = Object.groupBy(
    kept,
    ({ session_id: session, submission_id: submission }) =>
      decisions.isWithheld('session', session) || decisions.isWithheld('submission', submission)
        ? 'withheld'
        : 'published',
  );
  return { published, withheld };
}

/** @returns the ids of sessions whose published agendas have changed */
export async function replaceAgendas(
  target: TenantTransaction,
  sessionIds: readonly string[],
  rows: readonly AgendaRow[],
): Promise<Set<string>> {
  const { decisions } = target;
  const { published, withheld } = splitEntries(decisions, rows);
  const publishedIds = sessionIds.filter((id) => !decisions.isWithheld('session', id));
  const publishedRows = [sessionSubmissionTable, toRecords(published)] as const;
  const withheldRows = [withheldAgendaEntryTable, toRecords(withheld)] as const;
  const changed = new Set(await findChangedParents(target, publishedIds, publishedRows));
  const changedWithheld = new Set(
    decisions.isEmpty ? [] : await findChangedParents(target, sessionIds, withheldRows),
  );
  if (target.dryRun !== undefined) return changed;
  // Together, because an undo may publish entries that are withheld now.
  await target.undoLog?.noteAgendas([...changed.union(changedWithheld)]);
  await writeChildRows(target, changed, publishedRows);
  await writeChildRows(target, changedWithheld, withheldRows);
  return changed;
}

const toRecords = (rows: readonly AgendaRow[]) => rows.map((row) => ({ ...row }));

export async function readEntries(
  { transaction, recordset, organizationId }: AgendaTransaction,
  { name }: typeof sessionSubmissionTable | typeof withheldAgendaEntryTable,
  column: EntryColumn,
  ids: readonly string[],
): Promise<AgendaRow[]> {
  return transaction.query<AgendaRow>(
    `SELECT ${listColumnNames(sessionSubmissionTable)} FROM ${name}
    WHERE organization_id = $1 AND ${column} IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows(ids)],
  );
}

/** Published and withheld entries. */
export async function readAgendas(
  target: AgendaTransaction,
  column: EntryColumn,
  ids: readonly string[],
): Promise<AgendaRow[]> {
  const published = await readEntries(target, sessionSubmissionTable, column, ids);
  if (target.decisions.isEmpty) return published;
  return [...published, ...(await readEntries(target, withheldAgendaEntryTable, column, ids))];
}

export async function deleteWithheldEntries(
  { transaction, recordset, organizationId, decisions }: AgendaTransaction,
  column: EntryColumn,
  ids: readonly string[],
): Promise<void> {
  if (decisions.isEmpty) return;
  await transaction.execute(
    `DELETE FROM withheld_agenda_entry WHERE organization_id = $1 AND ${column} IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows(ids)],
  );
}

/** After these records were removed, their decisions keep no row of a source, and their notes are deleted. */
export async function forgetRecords(
  target: AgendaTransaction,
  kind: RecordKind,
  ids: readonly string[],
): Promise<void> {
  await forgetKeptRows(target, kind, ids);
  if (kind !== 'survey') await deleteWithheldEntries(target, `${kind}_id`, ids);
  await deleteNotes(target, kind, ids);
}

/** Publishes entries whose session and submission are published, and withholds those of which one is unpublished. */
export async function addEntries(target: AgendaTransaction, rows: readonly AgendaRow[]): Promise<void> {
  const { transaction, recordset, organizationId, decisions } = target;
  const { published, withheld } = splitEntries(decisions, rows);
  const names = listColumnNames(sessionSubmissionTable);
  const entries = recordset('entry', '$2', getColumns(sessionSubmissionTable));
  if (withheld.length > 0)
    await transaction.execute(
      // A later import may have put another entry there, which is newer than what an undo restores.
      `INSERT INTO withheld_agenda_entry (organization_id, ${names}) SELECT $1, ${names} FROM ${entries} WHERE true
      ON CONFLICT DO NOTHING`,
      [organizationId, JSON.stringify(withheld)],
    );
  if (published.length === 0) return;
  // The session or the submission may have been removed since. RETURNING: see child-rows.ts.
  await transaction.query(
    `INSERT INTO session_submission (organization_id, ${names}) SELECT $1, ${names} FROM ${entries}
    WHERE EXISTS (SELECT 1 FROM submission WHERE organization_id = $3 AND id = submission_id)
      AND EXISTS (SELECT 1 FROM session WHERE organization_id = $3 AND id = session_id) RETURNING 1`,
    [organizationId, JSON.stringify(published), organizationId],
  );
}
