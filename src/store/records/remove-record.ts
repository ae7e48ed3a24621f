/** Removes everything that the database has of one record, so that a request for erasure is fulfilled. */

import type { Actor } from '../../domain/accounts/actor.ts';
import type { RecordReference, SurveyTexts } from '../../domain/records/record-decision.ts';
import { maxRejectedIdLength } from '../../domain/runs/run-history.ts';
import { deriveNamespace, deriveRecordId } from '../../domain/values/uuid.ts';
import { deleteRequestsAboutRecord } from '../approvals/end-requests.ts';
import { type Queryable, readTimestamp, type SourcedRow } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { readInPages } from '../queries/read-in-pages.ts';
import { readTexts } from '../record-decisions/corrections.ts';
import { readDecisions } from '../record-decisions/record-decisions.ts';
import { saveDigests } from '../record-decisions/record-digests.ts';
import { discardUndo } from '../runs/undo-log.ts';
import { recordTables } from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { deleteWithheldEntries } from './agendas.ts';
import { forgetFormerSurveys, readReleasedSurvey } from './released-surveys.ts';

type RemovalTransaction = Pick<
  TenantTransaction,
  'transaction' | 'recordset' | 'organizationId' | 'decisions'
>;

/** @returns the time of the decision; undefined: the database had nothing of it */
export async function removeRecord(
  target: RemovalTransaction,
  record: RecordReference,
  reason: string,
  by: Actor,
): Promise<string | undefined> {
  const { organizationId, kind, id } = record;
  const { transaction, decisions } = target;
  const row = await readDecidedRow(target, record);
  const deleted = [
    await transaction.execute(`DELETE FROM ${kind} WHERE organization_id = $1 AND id = $2`, [
      organizationId,
      id,
    ]),
    await discardUndo(transaction, record),
    await deleteRejections(transaction, record),
    await deleteEndpointObjects(transaction, record),
    await deleteRequestsAboutRecord(transaction, record),
    kind === 'survey' ? await forgetFormerSurveys(target, [id]) : 0,
  ];
  if (deleted.every((count) => count === 0) && !decisions.has(kind, id)) return undefined;
  const decidedAt = await readTimestamp(transaction);
  await transaction.execute(
    `INSERT INTO record_decision
      (organization_id, kind, id, decision, record, correction, own_changes, reason, actor, decided_at)
    VALUES ($1, $2, $3, 'removed', NULL, NULL, '[]', $4, $5, $6)
    ON CONFLICT (organization_id, kind, id) DO UPDATE SET decision = excluded.decision, record = NULL, correction = NULL,
      reason = excluded.reason, actor = excluded.actor, decided_at = excluded.decided_at`,
    [organizationId, kind, id, reason, by.name, decidedAt],
  );
  if (row !== undefined) await saveDigests(transaction, record, row);
  if (kind !== 'survey') {
    const decided = { ...target, decisions: await readDecisions(transaction, organizationId) };
    await deleteWithheldEntries(decided, `${kind}_id`, [id]);
  }
  await recordEvent(transaction, by, 'record.removed', organizationId, `${kind} ${id}`, {
    kind,
    id,
    changes: [{ field: 'reason', before: null, after: reason }],
  });
  return decidedAt;
}

/** As its source last delivered it; undefined: the digests of an earlier decision stay. */
async function readDecidedRow(
  target: RemovalTransaction,
  { organizationId, kind, id }: RecordReference,
): Promise<SourcedRow | SurveyTexts | undefined> {
  const { transaction } = target;
  const [decided] = await transaction.query<{ record: string | null }>(
    'SELECT record FROM record_decision WHERE organization_id = $1 AND kind = $2 AND id = $3',
    [organizationId, kind, id],
  );
  if (decided?.record) return JSON.parse(decided.record);
  if (kind === 'survey') {
    const released = await readReleasedSurvey(target, id);
    return released && readTexts(released.survey);
  }
  const [row] = await transaction.readRows(recordTables[kind], organizationId, [id]);
  return row;
}

interface RejectionRow {
  run_id: string;
  position: number;
  record_id: string | null;
  reason: string;
  source_name: string | null;
}

/** Also those of other records that name it, such as sessions with it on their agenda. @returns their number */
async function deleteRejections(transaction: Queryable, record: RecordReference): Promise<number> {
  const { organizationId } = record;
  let deleted = 0;
  const rows = readInPages<RejectionRow>(
    transaction,
    `SELECT run_id, position, record_id, reason, source.name AS source_name
    FROM import_rejection AS rejection
    JOIN import_run AS run ON run.organization_id = rejection.organization_id AND run.id = rejection.run_id
    LEFT JOIN import_source AS source ON source.organization_id = run.organization_id AND source.id = run.source_id
    WHERE rejection.organization_id = $1`,
    organizationId,
    ['run_id', 'position'],
  );
  for await (const row of rows)
    if (isOfRecord(row, record))
      deleted += await transaction.execute(
        'DELETE FROM import_rejection WHERE organization_id = $1 AND run_id = $2 AND position = $3',
        [organizationId, row.run_id, row.position],
      );
  return deleted;
}

function isOfRecord(
  { record_id: sourceId, reason, source_name: sourceName }: RejectionRow,
  { organizationId, id }: RecordReference,
): boolean {
  if (reason.includes(id)) return true;
  if (sourceId === null) return false;
  // The rest of a long id is unknown.
  if (sourceId.length >= maxRejectedIdLength) return true;
  return [sourceName || undefined, undefined].some(
    (name) => deriveRecordId(deriveNamespace(organizationId, name), sourceId) === id,
  );
}

/**
 * As the source delivered them. A later run fetches the object again if the source still has it.
 *
 * @returns their number
 */
async function deleteEndpointObjects(
  transaction: Queryable,
  { organizationId, id }: RecordReference,
): Promise<number> {
  let deleted = 0;
  const objects = readInPages<{ source_id: number; id: string }>(
    transaction,
    'SELECT source_id, id FROM endpoint_object WHERE organization_id = $1',
    organizationId,
    ['source_id', 'id'],
  );
  for await (const object of objects)
    if (deriveRecordId(organizationId, object.id) === id)
      deleted += await transaction.execute(
        'DELETE FROM endpoint_object WHERE organization_id = $1 AND source_id = $2 AND id = $3',
        [organizationId, object.source_id, object.id],
      );
  return deleted;
}
