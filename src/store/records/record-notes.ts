/** Notes of colleagues on records. A trigger deletes those of a record that is removed for good. */
import type { Actor } from '../../domain/accounts/actor.ts';
import type { RecordReference } from '../../domain/records/record-decision.ts';
import {
  maxNotesPerRecord,
  type RecordNote,
  type RecordNoteStore,
} from '../../domain/records/record-note.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { insertRow } from '../write-row.ts';

const ofRecord = 'organization_id = $1 AND kind = $2 AND record_id = $3';

export function createRecordNoteStore(engine: Engine): RecordNoteStore {
  return {
    listRecordNotes: ({ organizationId, kind, id }) =>
      engine.tenantQuery<RecordNote>(
        `SELECT id, text, actor, created_at AS "createdAt" FROM record_note WHERE ${ofRecord} ORDER BY created_at, id`,
        [organizationId, kind, id],
        'primary',
      ),

    addRecordNote: (record, { id, text }, by) =>
      engine.transaction(record.organizationId, async (transaction) => {
        if (!(await hasRecord(transaction, record))) return 'missing';
        const { organizationId, kind, id: recordId } = record;
        const present = await transaction.query<{ id: string }>(
          `SELECT id FROM record_note WHERE ${ofRecord}`,
          [organizationId, kind, recordId],
        );
        if (present.some((note) => note.id === id)) return 'added';
        if (present.length >= maxNotesPerRecord) return 'full';
        await insertRow(transaction, 'record_note', {
          organization_id: organizationId,
          kind,
          record_id: recordId,
          id,
          text,
          actor: by.name,
          created_at: await readTimestamp(transaction),
        });
        await recordNoteEvent(transaction, by, 'record.note_added', record);
        return 'added';
      }),

    deleteRecordNote: (record, noteId, by) =>
      engine.transaction(record.organizationId, async (transaction) => {
        const { organizationId, kind, id } = record;
        const deleted = await transaction.execute(`DELETE FROM record_note WHERE ${ofRecord} AND id = $4`, [
          ...[organizationId, kind, id, noteId],
        ]);
        if (deleted > 0) await recordNoteEvent(transaction, by, 'record.note_deleted', record);
        return deleted > 0;
      }),
  };
}

/** Published, or kept by the decision that has unpublished it. */
async function hasRecord(
  transaction: Queryable,
  { organizationId, kind, id }: RecordReference,
): Promise<boolean> {
  const published = await transaction.query(`SELECT 1 FROM ${kind} WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    id,
  ]);
  if (published.length > 0) return true;
  const kept = await transaction.query(
    'SELECT 1 FROM record_decision WHERE organization_id = $1 AND kind = $2 AND id = $3 AND record IS NOT NULL',
    [organizationId, kind, id],
  );
  return kept.length > 0;
}

/** Without the text: the audit log cannot be changed. */
const recordNoteEvent = (
  transaction: Queryable,
  by: Actor,
  action: 'record.note_added' | 'record.note_deleted',
  { organizationId, kind, id }: RecordReference,
): Promise<void> => recordEvent(transaction, by, action, organizationId, `${kind} ${id}`, { kind, id });

/** Of records that the database no longer has. */
export const deleteNotes = (
  {
    transaction,
    recordset,
    organizationId,
  }: Pick<TenantTransaction, 'transaction' | 'recordset' | 'organizationId'>,
  kind: RecordKind,
  ids: readonly string[],
): Promise<number> =>
  transaction.execute(
    `DELETE FROM record_note WHERE organization_id = $1 AND kind = $2 AND record_id IN (${selectIds(recordset, '$3')})`,
    [organizationId, kind, toIdRows(ids)],
  );
