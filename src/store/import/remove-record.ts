/** Removes everything that the database has of one record, so that a request for erasure is fulfilled. */

import { maxRejectedIdLength } from '../../domain/import-history.ts';
import type { RecordKey, Removal } from '../../domain/record-decision.ts';
import { recordEvent } from '../administration/audit-log.ts';
import { type Queryable, readTimestamp } from '../engine.ts';
import { deleteWithheldEntries } from './agendas.ts';
import { readDecisions } from './record-decisions.ts';
import type { TenantTransaction } from './tenant-transaction.ts';
import { discardUndo } from './undo-log.ts';

/** @returns false if the database had nothing of it */
export async function removeRecord(
  target: Pick<TenantTransaction, 'transaction' | 'recordset' | 'organizationId' | 'decisions'>,
  { organizationId, kind, id }: RecordKey,
  { reason, isRecord, by }: Required<Removal>,
): Promise<boolean> {
  const { transaction, decisions } = target;
  const deleted = [
    await transaction.execute(`DELETE FROM ${kind} WHERE organization_id = $1 AND id = $2`, [
      organizationId,
      id,
    ]),
    await discardUndo(transaction, organizationId, kind, id),
    await deleteRejections(transaction, organizationId, id, isRecord),
    await deleteEndpointObjects(transaction, organizationId, isRecord),
  ];
  if (deleted.every((count) => count === 0) && !decisions.has(kind, id)) return false;
  await transaction.execute(
    `INSERT INTO record_decision
      (organization_id, kind, id, decision, record, correction, own_changes, reason, actor, decided_at)
    VALUES ($1, $2, $3, 'removed', NULL, NULL, '[]', $4, $5, $6)
    ON CONFLICT (organization_id, kind, id) DO UPDATE SET decision = excluded.decision, record = NULL, correction = NULL,
      reason = excluded.reason, actor = excluded.actor, decided_at = excluded.decided_at`,
    [organizationId, kind, id, reason, by.name, await readTimestamp(transaction)],
  );
  if (kind !== 'survey') {
    const decided = { ...target, decisions: await readDecisions(transaction, organizationId) };
    await deleteWithheldEntries(decided, `${kind}_id`, [id]);
  }
  await recordEvent(transaction, by, 'record.removed', organizationId, `${kind} ${id}`, {
    kind,
    id,
    changes: [{ field: 'reason', before: null, after: reason }],
  });
  return true;
}

interface RejectionRow {
  runId: string;
  position: number;
  id: string | null;
  reason: string;
  sourceName: string | null;
}

/** Also those of other records that name it, such as sessions with it on their agenda. @returns their number */
async function deleteRejections(
  transaction: Queryable,
  organizationId: string,
  id: string,
  isRecord: Removal['isRecord'],
): Promise<number> {
  const rows = await transaction.query<RejectionRow>(
    `SELECT run_id AS "runId", position, record_id AS id, reason, source.name AS "sourceName"
    FROM import_rejection AS rejection
    JOIN import_run AS run ON run.organization_id = rejection.organization_id AND run.id = rejection.run_id
    LEFT JOIN import_source AS source ON source.organization_id = run.organization_id AND source.id = run.source_id
    WHERE rejection.organization_id = $1`,
    [organizationId],
  );
  const found = rows.filter((row) => isOfRecord(row, id, isRecord));
  for (const { runId, position } of found)
    await transaction.execute(
      'DELETE FROM import_rejection WHERE organization_id = $1 AND run_id = $2 AND position = $3',
      [organizationId, runId, position],
    );
  return found.length;
}

function isOfRecord(
  { id: sourceId, reason, sourceName }: RejectionRow,
  id: string,
  isRecord: Removal['isRecord'],
): boolean {
  if (reason.includes(id)) return true;
  if (sourceId === null) return false;
  // The rest of a long id is unknown.
  if (sourceId.length >= maxRejectedIdLength) return true;
  return [sourceName || undefined, undefined].some((name) => isRecord({ id: sourceId, sourceName: name }));
}

/**
 * As the source delivered them. A later synchronisation fetches the object again if the source still has it.
 *
 * @returns their number
 */
async function deleteEndpointObjects(
  transaction: Queryable,
  organizationId: string,
  isRecord: Removal['isRecord'],
): Promise<number> {
  const objects = await transaction.query<{ id: string }>(
    'SELECT DISTINCT id FROM endpoint_object WHERE organization_id = $1',
    [organizationId],
  );
  const found = objects.filter((object) => isRecord({ id: object.id, sourceName: undefined }));
  for (const { id } of found)
    await transaction.execute('DELETE FROM endpoint_object WHERE organization_id = $1 AND id = $2', [
      organizationId,
      id,
    ]);
  return found.length;
}
