/** Removes records, and lists records by their last source. */
import type { Actor } from '../../domain/actor.ts';
import type { ImportRecord, RecordKind } from '../../domain/records.ts';
import type { ImportOutcome, RecordWriter } from '../../domain/store.ts';
import { recordEvent } from '../administration/audit-log.ts';
import type { Engine } from '../engine.ts';
import type { TenantTransaction } from './child-rows.ts';

/** The ids are in memory, and the transaction blocks other writers while the import compares them. */
const maxListedIds = 5_000;

const toIdRows = (ids: readonly string[]) => JSON.stringify(ids.map((id) => ({ id })));

/** @param removals of one kind of record */
export async function removeRecords(
  { transaction, recordset, organizationId }: TenantTransaction,
  removals: readonly Extract<ImportRecord, { kind: 'removal' }>[],
): Promise<ImportOutcome[]> {
  const removed = await transaction.query<{ id: string }>(
    `DELETE FROM ${removals[0]?.of} WHERE organization_id = $1
      AND id IN (SELECT id FROM ${recordset('incoming', '$2', { id: 'text' })}) RETURNING id`,
    [organizationId, toIdRows(removals.map(({ id }) => id))],
  );
  const ids = new Set(removed.map(({ id }) => id));
  return removals.map(({ id }) => (ids.has(id) ? 'removed' : 'absent'));
}

export function createSourceQueries({
  transaction,
  recordset,
  organizationId,
  sourceId,
}: TenantTransaction): Pick<RecordWriter, 'listIds' | 'countOwn' | 'deleteOwn'> {
  const isOwn = `organization_id = $1 AND source_id = $2
    AND id IN (SELECT id FROM ${recordset('incoming', '$3', { id: 'text' })})`;
  const parameters = (ids: readonly string[]) => [organizationId, sourceId, toIdRows(ids)];
  return {
    listIds: async (kind, after) => {
      const rows = await transaction.query<{ id: string }>(
        `SELECT id FROM ${kind} WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${maxListedIds}`,
        [organizationId, after],
      );
      return rows.map(({ id }) => id);
    },
    countOwn: async (kind, ids) => {
      const sql = `SELECT count(*) AS count FROM ${kind} WHERE ${isOwn}`;
      const [row] = await transaction.query<{ count: number }>(sql, parameters(ids));
      return Number(row?.count);
    },
    deleteOwn: (kind, ids) => transaction.execute(`DELETE FROM ${kind} WHERE ${isOwn}`, parameters(ids)),
  };
}

/** Returns false for a missing record. */
export function removeRecord(
  engine: Engine,
  organizationId: string,
  kind: RecordKind,
  id: string,
  by: Actor,
): Promise<boolean> {
  return engine.transaction(organizationId, async (transaction) => {
    const sql = `DELETE FROM ${kind} WHERE organization_id = $1 AND id = $2`;
    const removed = await transaction.execute(sql, [organizationId, id]);
    if (removed > 0) await recordEvent(transaction, by, 'record.removed', organizationId, `${kind} ${id}`);
    return removed > 0;
  });
}
