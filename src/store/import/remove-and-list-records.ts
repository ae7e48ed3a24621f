/** Removes records, and lists records by their last source. */
import type { ImportRecord, RecordKind } from '../../domain/records.ts';
import type { DryRun, ImportOutcome, RecordWriter } from '../../domain/store.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/** The ids are in memory, and the transaction blocks other writers while the import compares them. */
const maxListedIds = 5_000;

type Removal = Extract<ImportRecord, { kind: 'removal' }>;

/** @param removals of one kind of record */
export async function removeRecords(
  { transaction, recordset, organizationId, undoLog, dryRun }: TenantTransaction,
  removals: readonly [Removal, ...Removal[]],
): Promise<ImportOutcome[]> {
  const [{ of: kind }] = removals;
  const given = removals.map(({ id }) => id);
  await undoLog?.noteRemoval(kind, given, false);
  const isGiven = `organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`;
  const removed = await transaction.query<{ id: string }>(
    dryRun === undefined
      ? `DELETE FROM ${kind} WHERE ${isGiven} RETURNING id`
      : `SELECT id FROM ${kind} WHERE ${isGiven}`,
    [organizationId, toIdRows(given)],
  );
  const ids = new Set(removed.map(({ id }) => id));
  const isRemoved = (id: string) =>
    dryRun === undefined ? ids.has(id) : wouldRemove(dryRun, kind, id, ids.has(id));
  return given.map((id) => (isRemoved(id) ? 'removed' : 'absent'));
}

/** Once for each record that is stored, or that the input has added before. */
function wouldRemove(
  { hasRecord, removed }: DryRun,
  kind: RecordKind,
  id: string,
  isStored: boolean,
): boolean {
  const key = `${kind} ${id}`;
  if (removed.has(key) || !(isStored || hasRecord(kind, id))) return false;
  removed.add(key);
  return true;
}

export function createSourceQueries({
  transaction,
  recordset,
  organizationId,
  sourceId,
  undoLog,
  dryRun,
}: TenantTransaction): Pick<RecordWriter, 'listIds' | 'countOwn' | 'deleteOwn'> {
  const isOwn = `organization_id = $1 AND source_id = $2 AND id IN (${selectIds(recordset, '$3')})`;
  const countOwn: RecordWriter['countOwn'] = async (kind, ids) => {
    const [row] = await transaction.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${kind} WHERE ${isOwn}`,
      [organizationId, sourceId, toIdRows(ids)],
    );
    return Number(row?.count);
  };
  return {
    listIds: async (kind, after) => {
      const rows = await transaction.query<{ id: string }>(
        `SELECT id FROM ${kind} WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${maxListedIds}`,
        [organizationId, after],
      );
      return rows.map(({ id }) => id);
    },
    countOwn,
    deleteOwn: async (kind, ids) => {
      if (dryRun !== undefined) return countOwn(kind, ids);
      await undoLog?.noteRemoval(kind, ids, true);
      const sql = `DELETE FROM ${kind} WHERE ${isOwn}`;
      const deleted = await transaction.execute(sql, [organizationId, sourceId, toIdRows(ids)]);
      await undoLog?.flush();
      return deleted;
    },
  };
}
