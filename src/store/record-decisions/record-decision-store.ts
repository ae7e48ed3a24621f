/** Makes decisions on single records, lists them and reverts them. */

import { type Field, type Fields, listStoredFields } from '../../contract/field.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { FieldChange } from '../../domain/accounts/audit-log.ts';
import {
  type CorrectableRecord,
  type CorrectableReference,
  type FoundRecordDecision,
  nameQuestion,
  type RecordDecision,
  type RecordDecisionStore,
  type RecordMatch,
  type RecordReference,
  type SurveyTexts,
} from '../../domain/records/record-decision.ts';
import { fieldsByKind, type RecordKind, type ShownSurvey } from '../../domain/records/records.ts';
import type { SourceRedaction } from '../../domain/sources/import-source.ts';
import {
  type Engine,
  type Queryable,
  type Row,
  readTimestamp,
  type SourcedRow,
  type SqlValue,
} from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { readShownSurvey } from '../queries/large-documents/survey-parts.ts';
import { addEntries, deleteWithheldEntries, readEntries } from '../records/agendas.ts';
import { compareRows } from '../records/compare-rows.ts';
import { limitKept, readLocationLimit } from '../records/limit-locations.ts';
import { composeRow, fromStoredValue } from '../records/put-rows.ts';
import { removeRecord } from '../records/remove-record.ts';
import { limitNotes } from '../runs/undo-log.ts';
import {
  listColumnNames,
  recordTables,
  sessionSubmissionTable,
  withheldAgendaEntryTable,
} from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { insertRow, updateRow } from '../write-row.ts';
import { trackChangesByDecisions } from './changes-by-decisions.ts';
import {
  type Correction,
  correctTexts,
  findSurveyCorrection,
  type KeptSurvey,
  type SurveyCorrection,
  withTexts,
} from './corrections.ts';
import { publishSurvey, readPublishedSurvey, withdrawSurvey } from './decided-surveys.ts';
import { readDecisions } from './record-decisions.ts';
import { forgetDigests, saveDigests } from './record-digests.ts';

type DecisionTransaction = Pick<
  TenantTransaction,
  'transaction' | 'recordset' | 'organizationId' | 'decisions' | 'limitLocation'
>;

type DecisionRow = Omit<RecordDecision, 'isInSource' | 'corrected'> & {
  record: string | null;
  correction: string | null;
};

const selectDecisions = `
  SELECT organization_id AS "organizationId", kind, id, decision, record, correction, reason, actor, decided_at AS "decidedAt"
  FROM record_decision WHERE organization_id = $1`;

/** `$1` is a time. */
export const selectRemovingOrganizations =
  "SELECT DISTINCT organization_id AS id FROM record_decision WHERE decision = 'removed' AND decided_at >= $1";

const selectDecision = `${selectDecisions} AND kind = $2 AND id = $3`;

const selectMatches = `SELECT matched.organization_id AS "organizationId", matched.kind, matched.id, decided_id AS "decidedId", decision,
    CASE source.name WHEN '' THEN source.format ELSE source.name END AS source, matched_at AS "matchedAt",
    allowed_at AS "allowedAt"
  FROM record_match AS matched
  JOIN record_decision AS decided ON decided.organization_id = matched.organization_id
    AND decided.kind = matched.kind AND decided.id = matched.decided_id
  LEFT JOIN import_source AS source ON source.organization_id = matched.organization_id
    AND source.id = matched.source_id
  WHERE matched.organization_id = $1`;

export function createRecordDecisionStore(engine: Engine, self: Actor): RecordDecisionStore {
  const transact = <Result>(organizationId: string, work: (target: DecisionTransaction) => Promise<Result>) =>
    engine.transaction(organizationId, async (transaction) => {
      const decisions = await readDecisions(transaction, organizationId);
      const limitLocation = await readLocationLimit(transaction, organizationId);
      return work({ transaction, recordset: engine.recordset, organizationId, decisions, limitLocation });
    });
  return {
    listRecordDecisions: async (organizationId, page) => {
      const rows = await engine.tenantQuery<DecisionRow>(
        `${selectDecisions} ORDER BY decided_at DESC, kind, id${page === undefined ? '' : ' LIMIT $2 OFFSET $3'}`,
        [organizationId, ...(page === undefined ? [] : [page.limit, page.offset])],
        'primary',
      );
      const [counted] = await engine.tenantQuery<{ total: number }>(
        'SELECT count(*) AS total FROM record_decision WHERE organization_id = $1',
        [organizationId],
        'primary',
      );
      return { decisions: rows.map(toFoundDecision), total: counted?.total ?? 0 };
    },
    findRecordDecision: async ({ organizationId, kind, id }) => {
      const [row] = await engine.tenantQuery<DecisionRow>(
        selectDecision,
        [organizationId, kind, id],
        'primary',
      );
      return row && toFoundDecision(row);
    },
    findUnpublishedSurvey: (decision) => findUnpublishedSurvey(engine, decision),
    listRecordMatches: (organizationId, limit) =>
      engine.tenantQuery<RecordMatch>(
        `${selectMatches} ORDER BY matched_at DESC, matched.kind, matched.id${limit === undefined ? '' : ' LIMIT $2'}`,
        [organizationId, ...(limit === undefined ? [] : [limit])],
        'primary',
      ),
    findRecordMatch: async ({ organizationId, kind, id }) => {
      const [match] = await engine.tenantQuery<RecordMatch>(
        `${selectMatches} AND matched.kind = $2 AND matched.id = $3`,
        [organizationId, kind, id],
        'primary',
      );
      return match;
    },
    allowRecordMatch: (record, by = self) =>
      transact(record.organizationId, (target) => allowMatch(target, record, by)),
    unpublishRecord: (record, reason, by = self) =>
      transact(record.organizationId, (target) => unpublish(target, record, reason, by)),
    correctSurvey: ({ organizationId, id }, texts, reason, by = self) =>
      transact(organizationId, (target) =>
        correctSurvey(target, { organizationId, kind: 'survey', id }, texts, reason, by),
      ),
    correctRecord: (record, fields, reason, by = self) =>
      transact(record.organizationId, (target) => correctRecord(target, record, fields, reason, by)),
    findCorrectableRecord: (record) => findCorrectableRecord(engine, record),
    removeRecord: (record, reason, by = self) =>
      transact(record.organizationId, (target) =>
        withSecureDelete(engine.dialect, target.transaction, () => removeRecord(target, record, reason, by)),
      ),
    listRemovingOrganizations: async (ageMs) => {
      const since = new Date((await engine.now()) - ageMs).toISOString();
      const rows = await engine.queryAcrossTenants<{ id: string }>('removals', selectRemovingOrganizations, [
        since,
      ]);
      return rows.map(({ id }) => id);
    },
    revertRecordDecision: (record, by = self) =>
      transact(record.organizationId, (target) => revert(target, record, by)),
  };
}

/** On SQLite, also overwrites pages that `work` frees. For other deletions, see `connectWriter`. */
async function withSecureDelete<Result>(
  dialect: Engine['dialect'],
  transaction: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  if (dialect === 'postgres') return work();
  await transaction.exec('PRAGMA secure_delete = ON');
  try {
    return await work();
  } finally {
    await transaction.exec('PRAGMA secure_delete = FAST');
  }
}

const toDecision = ({ record, correction, ...row }: DecisionRow): RecordDecision => ({
  ...row,
  isInSource: record !== null,
  corrected: correction === null ? null : toCorrectedFields(row.kind, JSON.parse(correction)),
});

function toFoundDecision(row: DecisionRow): FoundRecordDecision {
  const { kind, record, correction } = row;
  if (record === null) return { ...toDecision(row), record, correctedRecord: null };
  const source: SourcedRow = JSON.parse(record);
  const values = correction === null ? undefined : (JSON.parse(correction) as Correction).values;
  return {
    ...toDecision(row),
    record: toFields(kind, source),
    correctedRecord: toFields(kind, correctRow(kind, source, values)),
  };
}

function correctRow(
  kind: RecordKind,
  source: SourcedRow,
  values: Correction['values'] | undefined,
): SourcedRow {
  if (values === undefined) return source;
  const corrected =
    kind === 'survey' ? correctTexts(source as KeptSurvey, values as SurveyCorrection) : (values as Row);
  return { ...source, ...corrected };
}

/** The fields of the API that the row has, and the texts of a survey. */
function toFields(kind: RecordKind, { id, ...row }: Row): Record<string, unknown> {
  const declared: Fields = fieldsByKind[kind];
  const stored = listStoredFields(declared)
    .filter(({ column }) => column in row)
    .map(
      ({ field, column }) =>
        [field, fromStoredValue(declared[field] as Field, row[column] as SqlValue)] as const,
    );
  const texts = 'questionTexts' in row && { questionTexts: row.questionTexts };
  return { ...(id !== undefined && { id }), ...Object.fromEntries(stored), ...texts };
}

function toCorrectedFields(kind: RecordKind, { values }: Correction): Record<string, unknown> {
  if (kind !== 'survey') return toFields(kind, values as Row);
  const { title, questions } = values as SurveyCorrection;
  const texts = questions.map(({ position, text }) => [nameQuestion(position), text] as const);
  return { ...(title !== undefined && { title }), ...Object.fromEntries(texts) };
}

async function unpublish(
  target: DecisionTransaction,
  record: RecordReference,
  reason: string,
  by: Actor,
): Promise<boolean> {
  const { transaction, organizationId } = target;
  const { kind, id } = record;
  const published = await readPublished(target, record);
  if (published === undefined) return false;
  const earlier = await readDecision(target, record);
  await writeDecision(target, record, earlier, {
    decision: 'unpublished',
    // Of a corrected record it is kept already.
    ...(earlier === undefined && { record: JSON.stringify(published) }),
    ...(await describeAct(target, reason, by)),
  });
  await saveDigests(transaction, record, earlier?.record ? JSON.parse(earlier.record) : published);
  if (kind === 'survey') await withdrawSurvey(target, id);
  else {
    const entries = await readEntries(target, sessionSubmissionTable, `${kind}_id`, [id]);
    const sessions = entries.map((entry) => entry.session_id);
    const affected = [
      { kind, ids: [id] },
      { kind: 'session' as const, ids: kind === 'session' ? [] : sessions },
    ];
    await trackChanges(target, record, affected, async () => {
      await transaction.execute(`DELETE FROM ${kind} WHERE organization_id = $1 AND id = $2`, [
        organizationId,
        id,
      ]);
      const decisions = await readDecisions(transaction, organizationId);
      await addEntries({ ...target, decisions }, entries);
    });
  }
  await recordDecisionEvent(target, 'record.unpublished', record, by, [
    { field: 'reason', before: null, after: reason },
  ]);
  return true;
}

async function allowMatch(target: DecisionTransaction, record: RecordReference, by: Actor): Promise<boolean> {
  const { transaction } = target;
  const { organizationId, kind, id } = record;
  const allowed = await transaction.execute(
    `UPDATE record_match SET allowed_at = $4, allowed_by = $5
    WHERE organization_id = $1 AND kind = $2 AND id = $3 AND allowed_at IS NULL`,
    [organizationId, kind, id, await readTimestamp(transaction), by.name],
  );
  if (allowed > 0) await recordDecisionEvent(target, 'record.allowed', record, by, []);
  return allowed > 0;
}

async function readPublished(
  target: DecisionTransaction,
  { kind, id }: RecordReference,
): Promise<SourcedRow | undefined> {
  if (kind === 'survey') return readPublishedSurvey(target, id);
  const [row] = await target.transaction.readRows(recordTables[kind], target.organizationId, [id]);
  return row;
}

async function readDecision(
  { transaction }: DecisionTransaction,
  { organizationId, kind, id }: RecordReference,
): Promise<DecisionRow | undefined> {
  const [row] = await transaction.query<DecisionRow>(selectDecision, [organizationId, kind, id]);
  return row;
}

async function findUnpublishedSurvey(
  engine: Engine,
  { organizationId, id, decision, record }: FoundRecordDecision,
): Promise<ShownSurvey | undefined> {
  if (decision !== 'unpublished' || record === null) return undefined;
  const { status, ...texts } = record as unknown as SurveyTexts & { status: string };
  const survey = await readShownSurvey(engine, organizationId, id, { showsDraft: true });
  return survey && withTexts({ ...survey, status }, texts);
}

const describeAct = async ({ transaction }: DecisionTransaction, reason: string, by: Actor) => ({
  reason,
  actor: by.name,
  decided_at: await readTimestamp(transaction),
});

/** @param earlier decision on the record, whose other values stay */
async function writeDecision(
  { transaction }: DecisionTransaction,
  { organizationId, kind, id }: RecordReference,
  earlier: DecisionRow | undefined,
  values: Row,
): Promise<void> {
  const key = { organization_id: organizationId, kind, id };
  if (earlier !== undefined) await updateRow(transaction, 'record_decision', key, values);
  else await insertRow(transaction, 'record_decision', { ...key, own_changes: '[]', ...values });
}

/** Adds the changes of `work` to the decision, so that they do not prevent an undo. */
async function trackChanges(
  target: DecisionTransaction,
  { organizationId, kind, id }: RecordReference,
  affected: Parameters<typeof trackChangesByDecisions>[1],
  work: () => Promise<void>,
): Promise<void> {
  const { transaction } = target;
  const key = { organization_id: organizationId, kind, id };
  const changes = await trackChangesByDecisions(target, affected, work);
  const [stored] = await transaction.query<{ changes: string }>(
    `SELECT own_changes AS changes FROM record_decision WHERE organization_id = $1 AND kind = $2 AND id = $3`,
    [organizationId, kind, id],
  );
  const all = [...JSON.parse(stored?.changes ?? '[]'), ...changes];
  await updateRow(transaction, 'record_decision', key, { own_changes: JSON.stringify(all) });
}

async function correctRecord(
  target: DecisionTransaction,
  record: CorrectableReference,
  fields: Readonly<Record<string, unknown>>,
  reason: string,
  by: Actor,
): Promise<boolean> {
  const { kind, id } = record;
  const published = await readPublished(target, record);
  if (published === undefined) return false;
  const earlier = await readDecision(target, record);
  const source: SourcedRow = earlier?.record ? JSON.parse(earlier.record) : published;
  const wanted = composeRow[kind](fields);
  const values = pickDifferent(source, wanted);
  const kept =
    kind === 'submission' ? limitKept(source, values, target.limitLocation) : { row: source, values };
  if (Object.keys(kept.values).length === 0) {
    if (earlier !== undefined) await revert(target, record, by);
    return true;
  }
  await writeCorrection(target, record, earlier, { source: kept.row, values: kept.values, reason, by });
  await trackChanges(target, record, [{ kind, ids: [id] }], () =>
    publish(target, kind, kept.row, kept.values),
  );
  const topic = kept.values.topic_category_name;
  if (topic != null)
    await limitNotes(target, (row) => (row.id === id ? target.limitLocation(row, topic) : row));
  const different = pickDifferent(published, wanted);
  const changed = listStoredFields(fieldsByKind[kind]).filter(({ column }) => column in different);
  await recordCorrection(
    target,
    record,
    changed.map(({ field }) => field),
    reason,
    by,
  );
  return true;
}

/** Without the values: the audit log cannot be changed, and a correction may remove personal data. */
const recordCorrection = (
  target: DecisionTransaction,
  record: RecordReference,
  fields: readonly string[],
  reason: string,
  by: Actor,
): Promise<void> =>
  recordDecisionEvent(target, 'record.corrected', record, by, [
    { field: 'correctedFields', before: null, after: fields.join(', ') },
    { field: 'reason', before: null, after: reason },
  ]);

/** @param before a row that an earlier version kept lacks the columns that this one has added */
const pickDifferent = (before: Row, after: Row): Row =>
  Object.fromEntries(Object.entries(after).filter(([column, value]) => (before[column] ?? null) !== value));

async function writeCorrection(
  target: DecisionTransaction,
  record: RecordReference,
  earlier: DecisionRow | undefined,
  {
    source,
    values,
    reason,
    by,
  }: { source: SourcedRow; values: Correction['values']; reason: string; by: Actor },
): Promise<void> {
  const act = await describeAct(target, reason, by);
  await writeDecision(target, record, earlier, {
    decision: 'corrected',
    record: JSON.stringify(source),
    correction: JSON.stringify({ values, ...act } satisfies Correction),
    ...act,
  });
}

/** Without a transaction: that of an import can take minutes. */
async function findCorrectableRecord(
  engine: Engine,
  { organizationId, kind, id }: CorrectableReference,
): Promise<CorrectableRecord | undefined> {
  const [published] = await engine.tenantQuery<SourcedRow>(
    `SELECT ${listColumnNames(recordTables[kind])} FROM ${kind} WHERE organization_id = $1 AND id = $2`,
    [organizationId, id],
  );
  if (published === undefined) return undefined;
  const [source] = await engine.tenantQuery<{ policy: string | null; requested: string | null }>(
    `SELECT redaction AS policy, requested_redaction AS requested FROM import_source
    WHERE organization_id = $1 AND id = $2`,
    [organizationId, published.source_id],
    'primary',
  );
  const requested: Partial<SourceRedaction> = source?.requested ? JSON.parse(source.requested) : {};
  return {
    fields: toFields(kind, published),
    redaction: {
      policy: source?.policy ? JSON.parse(source.policy) : undefined,
      patterns: requested.patterns ?? {},
    },
  };
}

async function correctSurvey(
  target: DecisionTransaction,
  record: RecordReference,
  texts: SurveyTexts,
  reason: string,
  by: Actor,
): Promise<boolean> {
  const published = await readPublishedSurvey(target, record.id);
  if (published?.questionTexts.length !== texts.questionTexts.length) return false;
  const earlier = await readDecision(target, record);
  const source: KeptSurvey = earlier?.record ? JSON.parse(earlier.record) : published;
  const values = findSurveyCorrection(source, texts);
  if (values === undefined) {
    if (earlier !== undefined) await revert(target, record, by);
    return true;
  }
  await writeCorrection(target, record, earlier, { source, values, reason, by });
  await publishSurvey(target, source, values);
  const hasQuestion = published.questionTexts.some((text, index) => text !== texts.questionTexts[index]);
  await recordCorrection(
    target,
    record,
    [...(published.title !== texts.title ? ['title'] : []), ...(hasQuestion ? ['questions'] : [])],
    reason,
    by,
  );
  return true;
}

async function revert(
  target: DecisionTransaction,
  record: RecordReference,
  by: Actor,
): Promise<RecordDecision | undefined> {
  const { transaction } = target;
  const { organizationId, kind, id } = record;
  const stored = await readDecision(target, record);
  if (stored === undefined) return undefined;
  const key = { organization_id: organizationId, kind, id };
  const correction: Correction | undefined =
    stored.decision === 'unpublished' && stored.correction !== null
      ? JSON.parse(stored.correction)
      : undefined;
  if (correction === undefined)
    await transaction.execute(
      'DELETE FROM record_decision WHERE organization_id = $1 AND kind = $2 AND id = $3',
      [organizationId, kind, id],
    );
  else {
    const { values: _, ...act } = correction;
    await updateRow(transaction, 'record_decision', key, { decision: 'corrected', ...act });
    await forgetDigests(transaction, record);
  }
  if (stored.record !== null) await publish(target, kind, JSON.parse(stored.record), correction?.values);
  if (kind !== 'survey') {
    const entries = await readEntries(target, withheldAgendaEntryTable, `${kind}_id`, [id]);
    await deleteWithheldEntries(target, `${kind}_id`, [id]);
    const decisions = await readDecisions(transaction, organizationId);
    await addEntries({ ...target, decisions }, entries);
  }
  await recordDecisionEvent(target, 'record.reverted', record, by, [
    { field: 'decision', before: stored.decision, after: correction === undefined ? null : 'corrected' },
    { field: 'reason', before: stored.reason, after: null },
  ]);
  return toDecision(stored);
}

async function publish(
  target: DecisionTransaction,
  kind: RecordKind,
  row: SourcedRow,
  correction: Correction['values'] | undefined,
): Promise<void> {
  if (kind === 'survey')
    return publishSurvey(target, row as KeptSurvey, correction as SurveyCorrection | undefined);
  const table = recordTables[kind];
  const corrected = correctRow(kind, row, correction);
  const limited =
    kind === 'submission' ? target.limitLocation(corrected, row.topic_category_name) : corrected;
  const differences = await compareRows(target, table, [limited]);
  if (differences.length > 0) await target.transaction.writeRows(table, target.organizationId, differences);
}

function recordDecisionEvent(
  { transaction }: DecisionTransaction,
  action: 'record.corrected' | 'record.unpublished' | 'record.reverted' | 'record.allowed',
  { organizationId, kind, id }: RecordReference,
  by: Actor,
  changes: readonly FieldChange[],
): Promise<void> {
  return recordEvent(transaction, by, action, organizationId, `${kind} ${id}`, { kind, id, changes });
}
