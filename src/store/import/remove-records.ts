/** Removes records, and finds those that a source wrote last. */
import type { Actor } from '../../domain/actor.ts';
import type { ImportRecord, RecordKind } from '../../domain/records.ts';
import type { ImportOutcome, RecordWriter } from '../../domain/store.ts';
import { recordEvent } from '../administration/audit-log.ts';
import type { Engine } from '../engine.ts';
import type { TenantTransaction } from './child-rows.ts';

/** They are in memory, and a transaction locks out other writers while it compares them. */
const maxListedIds = 5_000;

const idsAsRows = (ids: readonly string[]) => JSON.stringify(ids.map((id) => ({ id })));

/** @returns the outcome of each removal, which are of one kind */
export async function removeRecords(
  { inside, recordset, organizationId }: TenantTransaction,
  removals: readonly Extract<ImportRecord, { kind: 'removal' }>[],
): Promise<ImportOutcome[]> {
  const removed = await inside.query<{ id: string }>(
    `DELETE FROM ${removals[0]?.of} WHERE organization_id = $1
      AND id IN (SELECT id FROM ${recordset('incoming', '$2', { id: 'text' })}) RETURNING id`,
    [organizationId, idsAsRows(removals.map(({ id }) => id))],
  );
  const ids = new Set(removed.map(({ id }) => id));
  return removals.map(({ id }) => (ids.has(id) ? 'removed' : 'absent'));
}

export function createSourceQueries({
  inside,
  recordset,
  organizationId,
  sourceId,
}: TenantTransaction): Pick<RecordWriter, 'listIds' | 'countOwn' | 'deleteOwn'> {
  const isOwn = `organization_id = $1 AND source_id = $2
    AND id IN (SELECT id FROM ${recordset('incoming', '$3', { id: 'text' })})`;
  const parameters = (ids: readonly string[]) => [organizationId, sourceId, idsAsRows(ids)];
  return {
    listIds: async (kind, after) => {
      const rows = await inside.query<{ id: string }>(
        `SELECT id FROM ${kind} WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${maxListedIds}`,
        [organizationId, after],
      );
      return rows.map(({ id }) => id);
    },
    countOwn: async (kind, ids) => {
      const sql = `SELECT count(*) AS count FROM ${kind} WHERE ${isOwn}`;
      const [row] = await inside.query<{ count: number }>(sql, parameters(ids));
      return Number(row?.count);
    },
    deleteOwn: (kind, ids) => inside.execute(`DELETE FROM ${kind} WHERE ${isOwn}`, parameters(ids)),
  };
}

/** @returns whether there was such a record */
export function removeRecord(
  engine: Engine,
  organizationId: string,
  kind: RecordKind,
  id: string,
  by: Actor,
): Promise<boolean> {
  return engine.transaction(organizationId, async (inside) => {
    const sql = `DELETE FROM ${kind} WHERE organization_id = $1 AND id = $2`;
    const removed = await inside.execute(sql, [organizationId, id]);
    if (removed > 0) await recordEvent(inside, by, 'record.removed', organizationId, `${kind} ${id}`);
    return removed > 0;
  });
}
