/** Keeps records of imports unpublished that equal an unpublished or removed record, and lists them without their content. */
import type { SurveyTexts } from '../../domain/records/record-decision.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { readTimestamp, type SourcedRow } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { addEntries, deleteWithheldEntries, readEntries } from '../records/agendas.ts';
import { deleteNotes } from '../records/record-notes.ts';
import { recordMatchTable, recordTables, withheldAgendaEntryTable } from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { readPublishedSurvey } from './decided-surveys.ts';

type MatchedRow = SourcedRow & Partial<SurveyTexts>;

/**
 * A published record that has equalled the decided one before the import stays as it is: the decision did not concern it. Another
 * published record that takes over the content is deleted, because its own content is no longer in the source.
 *
 * @param rows of one kind, of surveys with their `questionTexts`
 * @returns the ids of the rows that must not be written
 */
export async function withholdMatches(
  target: TenantTransaction,
  kind: RecordKind,
  rows: readonly MatchedRow[],
): Promise<ReadonlySet<string>> {
  const { decisions } = target;
  const { matches } = decisions;
  if (decisions.isEmpty) return new Set();
  const allowed = matches.allowed[kind];
  const withheld = matches.withheld[kind];
  const undecided = rows.filter(({ id }) => !decisions.has(kind, id) && !allowed.has(id));
  const found = new Map<string, { row: MatchedRow; decidedId: string }>();
  for (const row of undecided) {
    const decidedId = matches.find(kind, row as SourcedRow);
    if (decidedId !== undefined) found.set(row.id, { row, decidedId });
  }
  const published = await readPublishedRows(target, kind, [...found.keys()]);
  for (const row of published) if (matches.find(kind, row as SourcedRow) !== undefined) found.delete(row.id);
  const ended = undecided.filter(({ id }) => !found.has(id) && withheld.has(id));
  for (const { id } of ended) {
    withheld.delete(id);
    allowed.add(id);
  }
  for (const id of found.keys()) withheld.add(id);
  if (target.dryRun !== undefined) return new Set(found.keys());
  await forgetMatches(
    target,
    kind,
    ended.map(({ id }) => id),
  );
  await deletePublished(
    target,
    kind,
    published.map(({ id }) => id).filter((id) => found.has(id)),
  );
  await saveMatches(target, kind, [...found.values()]);
  return new Set(found.keys());
}

async function readPublishedRows(
  target: TenantTransaction,
  kind: RecordKind,
  ids: readonly string[],
): Promise<MatchedRow[]> {
  if (ids.length === 0) return [];
  if (kind !== 'survey') return target.transaction.readRows(recordTables[kind], target.organizationId, ids);
  const surveys: MatchedRow[] = [];
  for (const id of ids) {
    const survey = await readPublishedSurvey(target, id);
    if (survey !== undefined) surveys.push(survey);
  }
  return surveys;
}

async function forgetMatches(
  { transaction, recordset, organizationId }: TenantTransaction,
  kind: RecordKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await transaction.execute(
      `DELETE FROM record_match WHERE organization_id = $1 AND kind = $2 AND id IN (${selectIds(recordset, '$3')})`,
      [organizationId, kind, toIdRows(ids)],
    );
}

/** Published results of a survey stay: they are those of another one. */
async function deletePublished(
  target: TenantTransaction,
  kind: RecordKind,
  ids: readonly string[],
): Promise<void> {
  const { transaction, recordset, organizationId, undoLog } = target;
  if (ids.length === 0 || kind === 'survey') return;
  await undoLog?.noteRemoval(kind, ids, false);
  await transaction.execute(
    `DELETE FROM ${kind} WHERE organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows(ids)],
  );
  await deleteNotes(target, kind, ids);
}

async function saveMatches(
  { transaction, recordset, organizationId, sourceId }: TenantTransaction,
  kind: RecordKind,
  found: readonly { row: MatchedRow; decidedId: string }[],
): Promise<void> {
  if (found.length === 0) return;
  const matchedAt = await readTimestamp(transaction);
  const { key, columns } = recordMatchTable;
  const { allowed_at: _, allowed_by: __, ...written } = { ...key, ...columns };
  const names = Object.keys(written).join(', ');
  await transaction.execute(
    `INSERT INTO record_match (organization_id, ${names})
    SELECT $1, ${names} FROM ${recordset('matched', '$2', written)} WHERE true
    ON CONFLICT (organization_id, kind, id) DO UPDATE SET decided_id = excluded.decided_id, source_id = excluded.source_id`,
    [
      organizationId,
      JSON.stringify(
        found.map(({ row, decidedId }) => ({
          kind,
          id: row.id,
          decided_id: decidedId,
          source_id: row.source_id ?? sourceId,
          matched_at: matchedAt,
        })),
      ),
    ],
  );
}

/** Publishes entries of agendas that waited for these records, which are published now. */
export async function publishAgendaEntries(
  target: TenantTransaction,
  kind: RecordKind,
  publishedIds: readonly string[],
): Promise<void> {
  const { allowed } = target.decisions.matches;
  const ids = publishedIds.filter((id) => allowed[kind].has(id));
  if (ids.length === 0 || kind === 'survey' || target.dryRun !== undefined) return;
  const entries = await readEntries(target, withheldAgendaEntryTable, `${kind}_id`, ids);
  if (entries.length === 0) return;
  await deleteWithheldEntries(target, `${kind}_id`, ids);
  await addEntries(target, entries);
}
