/** Makes decisions on single records, lists them and reverts them. */
import { type Field, type Fields, getValueSchema, listStoredFields } from '../../contract/field.ts';
import type { Actor } from '../../domain/actor.ts';
import type {
  DecidableKind,
  RecordDecision,
  RecordDecisionStore,
  RecordKey,
} from '../../domain/record-decision.ts';
import { fieldsByKind } from '../../domain/records.ts';
import { recordEvent } from '../administration/audit-log.ts';
import { type Engine, readTimestamp, type SourcedRow } from '../engine.ts';
import { sessionSubmissionTable, withheldAgendaEntryTable } from '../table-descriptors.ts';
import { insertRow, updateRow } from '../write-row.ts';
import { addEntries, deleteWithheldEntries, readEntries } from './agendas.ts';
import { compareRows } from './compare-rows.ts';
import { trackOwnChanges } from './own-changes.ts';
import { readDecisions } from './record-decisions.ts';
import type { RecordDecisions, TenantTransaction } from './tenant-transaction.ts';
import { undoableTables } from './undo-log.ts';

type DecisionTransaction = Pick<TenantTransaction, 'transaction' | 'recordset' | 'organizationId'> & {
  decisions: RecordDecisions;
};

type DecisionRow = Omit<RecordDecision, 'isInSource'> & { record: string | null };

const selectDecisions = `
  SELECT organization_id AS "organizationId", kind, id, decision, record, reason, actor, decided_at AS "decidedAt"
  FROM record_decision WHERE organization_id = $1`;

const selectDecision = `${selectDecisions} AND kind = $2 AND id = $3`;

export function createRecordDecisionStore(engine: Engine, self: Actor): RecordDecisionStore {
  const transact = <Result>(organizationId: string, work: (target: DecisionTransaction) => Promise<Result>) =>
    engine.transaction(organizationId, async (transaction) => {
      const decisions = await readDecisions(transaction, organizationId);
      return work({ transaction, recordset: engine.recordset, organizationId, decisions });
    });
  return {
    listRecordDecisions: async (organizationId) => {
      const rows = await engine.query<DecisionRow>(`${selectDecisions} ORDER BY decided_at DESC, kind, id`, [
        organizationId,
      ]);
      return rows.map(toDecision);
    },
    findRecordDecision: async ({ organizationId, kind, id }) => {
      const [row] = await engine.query<DecisionRow>(selectDecision, [organizationId, kind, id]);
      return (
        row && {
          ...toDecision(row),
          record: row.record === null ? null : toFields(kind, JSON.parse(row.record)),
        }
      );
    },
    unpublishRecord: (record, reason, by = self) =>
      transact(record.organizationId, (target) => unpublish(target, record, reason, by)),
    revertRecordDecision: (record, by = self) =>
      transact(record.organizationId, (target) => revert(target, record, by)),
  };
}

const toDecision = ({ record, ...row }: DecisionRow): RecordDecision => ({
  ...row,
  isInSource: record !== null,
});

/** The fields of the API. */
function toFields(kind: DecidableKind, row: SourcedRow): Record<string, unknown> {
  const declared: Fields = fieldsByKind[kind];
  const stored = listStoredFields(declared).map(({ field, column }) => {
    const isBoolean = getValueSchema(declared[field] as Field).type === 'boolean';
    return [field, isBoolean ? row[column] === 1 : row[column]] as const;
  });
  return { id: row.id, ...Object.fromEntries(stored) };
}

async function unpublish(
  target: DecisionTransaction,
  record: RecordKey,
  reason: string,
  by: Actor,
): Promise<boolean> {
  const { transaction } = target;
  const { organizationId, kind, id } = record;
  const [row] = await transaction.readRows(undoableTables[kind], organizationId, [id]);
  if (row === undefined) return false;
  const key = { organization_id: organizationId, kind, id };
  await insertRow(transaction, 'record_decision', {
    ...key,
    decision: 'unpublished',
    record: JSON.stringify(row),
    own_changes: '[]',
    reason,
    actor: by.name,
    decided_at: await readTimestamp(transaction),
  });
  const entries = await readEntries(target, sessionSubmissionTable, `${kind}_id`, [id]);
  const sessions = entries.map((entry) => entry.session_id);
  const affected = [
    { kind, ids: [id] },
    { kind: 'session' as const, ids: kind === 'session' ? [] : sessions },
  ];
  const ownChanges = await trackOwnChanges(target, affected, async () => {
    await transaction.execute(`DELETE FROM ${kind} WHERE organization_id = $1 AND id = $2`, [
      organizationId,
      id,
    ]);
    const decisions = await readDecisions(transaction, organizationId);
    await addEntries({ ...target, decisions }, entries);
  });
  await updateRow(transaction, 'record_decision', key, { own_changes: JSON.stringify(ownChanges) });
  await recordDecisionEvent(target, 'record.unpublished', record, by, { before: null, after: reason });
  return true;
}

async function revert(
  target: DecisionTransaction,
  record: RecordKey,
  by: Actor,
): Promise<RecordDecision | undefined> {
  const { transaction } = target;
  const { organizationId, kind, id } = record;
  const [stored] = await transaction.query<DecisionRow>(selectDecision, [organizationId, kind, id]);
  if (stored === undefined) return undefined;
  await transaction.execute(
    'DELETE FROM record_decision WHERE organization_id = $1 AND kind = $2 AND id = $3',
    [organizationId, kind, id],
  );
  if (stored.record !== null) {
    const table = undoableTables[kind];
    const differences = await compareRows(target, table, [JSON.parse(stored.record)]);
    if (differences.length > 0) await transaction.writeRows(table, organizationId, differences);
  }
  const entries = await readEntries(target, withheldAgendaEntryTable, `${kind}_id`, [id]);
  await deleteWithheldEntries(target, `${kind}_id`, [id]);
  const decisions = await readDecisions(transaction, organizationId);
  await addEntries({ ...target, decisions }, entries);
  await recordDecisionEvent(target, 'record.reverted', record, by, { before: stored.reason, after: null });
  return toDecision(stored);
}

function recordDecisionEvent(
  { transaction }: DecisionTransaction,
  action: 'record.unpublished' | 'record.reverted',
  { organizationId, kind, id }: RecordKey,
  by: Actor,
  reason: { before: string | null; after: string | null },
): Promise<void> {
  return recordEvent(transaction, by, action, organizationId, `${kind} ${id}`, {
    kind,
    id,
    changes: [{ field: 'reason', ...reason }],
  });
}
