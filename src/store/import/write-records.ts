/** Writes imported records by municipality and id, many in one statement, and tells what became of each. */

import type { Actor } from '../../domain/actor.ts';
import { isDraft } from '../../domain/draft-status.ts';
import type { ImportRecord, SurveySummary } from '../../domain/records.ts';
import type { ImportOutcome, ImportStore, RecordWriter } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Row } from '../engine.ts';
import { pickPublished, type SurveyRow } from '../queries/published-data.ts';
import { surveyResults } from '../queries/statements.ts';
import {
  type SourcedTable,
  session,
  sessionSubmission,
  submission,
  survey,
  surveyOption,
  surveyQuestion,
} from '../schema.ts';
import {
  childColumns,
  deleteChildRows,
  findChangedParents,
  insertChildRows,
  type TenantTransaction,
} from './child-rows.ts';
import { deriveSourceId, saveSource } from './import-sources.ts';
import { createSourceQueries, removeRecord, removeRecords } from './remove-records.ts';
import { assertLease } from './sync-state.ts';

export function createImportStore(engine: Engine, self: Actor): ImportStore {
  return {
    listSurveys: async (organizationId) => {
      const surveys = await engine.tenantQuery<SurveySummary>(
        `SELECT id, title, status, total_responses AS "totalResponses" FROM survey
        WHERE organization_id = $1 ORDER BY title, id`,
        [organizationId],
      );
      return surveys.map((survey) => (isDraft(survey.status) ? { ...survey, status: 'draft' } : survey));
    },
    write: (organizationId, work, { source, lease } = {}) =>
      engine.transaction(organizationId, async (inside) => {
        if (source !== undefined) await saveSource(inside, organizationId, source);
        const sourceId = source === undefined ? null : deriveSourceId(source);
        const result = await work(
          createRecordWriter({ inside, recordset: engine.recordset, organizationId, sourceId }),
        );
        if (lease !== undefined) await assertLease(inside, lease);
        return result;
      }),
    removeRecord: (organizationId, kind, id, by = self) => removeRecord(engine, organizationId, kind, id, by),
  };
}

type Kind = ImportRecord['kind'];
type RecordOf<K extends Kind> = Extract<ImportRecord, { kind: K }>;
type Outcome = ImportOutcome | StoreConflictError;

function createRecordWriter(target: TenantTransaction): RecordWriter {
  return {
    put: async (records) => {
      const outcomes: Outcome[] = [];
      for (const group of groupRecords(records)) outcomes.push(...(await putGroup(target, group)));
      return outcomes;
    },
    ...createSourceQueries(target),
  };
}

/** Neighbours of one kind, no id twice among them: what one statement can write. */
function* groupRecords(records: readonly ImportRecord[]): Generator<ImportRecord[]> {
  let group: ImportRecord[] = [];
  const ids = new Set<string>();
  for (const record of records) {
    const id = recordId(record);
    const [first] = group;
    if (first !== undefined && (groupKey(first) !== groupKey(record) || ids.has(id))) {
      yield group;
      group = [];
      ids.clear();
    }
    group.push(record);
    ids.add(id);
  }
  if (group.length > 0) yield group;
}

const recordId = (record: ImportRecord) => (record.kind === 'survey' ? record.surveyId : record.id);
const groupKey = (record: ImportRecord) => (record.kind === 'removal' ? `-${record.of}` : record.kind);

async function putGroup(target: TenantTransaction, group: ImportRecord[]): Promise<Outcome[]> {
  switch (group[0]?.kind) {
    case 'submission':
      return putSubmissions(target, group as RecordOf<'submission'>[]);
    case 'session':
      return putSessions(target, group as RecordOf<'session'>[]);
    case 'survey':
      return putSurveys(target, group as RecordOf<'survey'>[]);
    default:
      return removeRecords(target, group as RecordOf<'removal'>[]);
  }
}

/** @returns what became of each row, by id */
async function upsert(
  { inside, organizationId }: TenantTransaction,
  table: SourcedTable,
  rows: readonly (Row & { id: string })[],
): Promise<Map<string, ImportOutcome>> {
  const outcomes = await inside.upsert(table, organizationId, rows);
  return new Map(rows.map(({ id }, index) => [id, outcomes[index] as ImportOutcome]));
}

async function putSubmissions(
  { inside, organizationId, sourceId }: TenantTransaction,
  records: RecordOf<'submission'>[],
): Promise<Outcome[]> {
  const rows = records.map((record) => ({
    id: record.id,
    created_at: record.createdAt,
    reference_number: record.referenceNumber,
    status: record.status,
    status_changed_at: record.statusChangedAt,
    topic_category_name: record.topicCategoryName,
    priority_level: record.priorityLevel,
    support_count: record.supportCount,
    has_attachments: Number(record.hasAttachments),
    protocol_url: record.protocolUrl,
    source_id: sourceId,
    description: record.description,
  }));
  return inside.upsert(submission, organizationId, rows);
}

async function putSessions(target: TenantTransaction, records: RecordOf<'session'>[]): Promise<Outcome[]> {
  const refusals = await findMissingSubmissions(target, agendaRows(records));
  const accepted = records.filter(({ id }) => !refusals.has(id));
  const earlier = await findStoredCreatedAt(
    target,
    accepted.filter(({ isCreatedAtEstimated }) => isCreatedAtEstimated),
  );
  const outcomes = await upsert(
    target,
    session,
    accepted.map(({ id, date, committeeName, timeSlot, createdAt }) => ({
      id,
      date,
      committee_name: committeeName,
      time_slot: timeSlot,
      created_at: earlierOf(createdAt, earlier.get(id)),
      source_id: target.sourceId,
    })),
  );
  const withAgenda = accepted.filter(({ submissions }) => submissions !== undefined);
  const entries = agendaRows(withAgenda);
  const owners = withAgenda.map(({ id }) => id);
  const changed = new Set(await findChangedParents(target, sessionSubmission, owners, entries));
  if (changed.size > 0) {
    await deleteChildRows(target, sessionSubmission, [...changed]);
    const wanted = entries.filter(({ session_id }) => changed.has(session_id));
    await insertChildRows(target, sessionSubmission, wanted);
  }
  return records.map(({ id }) => refusals.get(id) ?? withChildChanges(outcomes, id, changed));
}

const earlierOf = (time: string, stored = time) => (stored < time ? stored : time);

/** By id. */
async function findStoredCreatedAt(
  { inside, recordset, organizationId }: TenantTransaction,
  records: RecordOf<'session'>[],
): Promise<Map<string, string>> {
  if (records.length === 0) return new Map();
  const stored = await inside.query<{ id: string; createdAt: string }>(
    `SELECT id, created_at AS "createdAt" FROM session WHERE organization_id = $1
      AND id IN (SELECT id FROM ${recordset('incoming', '$2', { id: 'text' })})`,
    [organizationId, JSON.stringify(records.map(({ id }) => ({ id })))],
  );
  return new Map(stored.map(({ id, createdAt }) => [id, createdAt]));
}

/** What is unchanged itself has changed with what belongs to it. */
function withChildChanges(outcomes: Map<string, ImportOutcome>, id: string, changed: Set<string>): Outcome {
  const outcome = outcomes.get(id) as ImportOutcome;
  return outcome === 'unchanged' && changed.has(id) ? 'changed' : outcome;
}

function agendaRows(records: readonly RecordOf<'session'>[]) {
  return records.flatMap(({ id, submissions = [] }) =>
    submissions.map((submissionId, position) => ({ session_id: id, position, submission_id: submissionId })),
  );
}

/** @returns a refusal for each session that names a submission which is not there */
async function findMissingSubmissions(
  { inside, recordset, organizationId }: TenantTransaction,
  entries: ReturnType<typeof agendaRows>,
): Promise<Map<string, StoreConflictError>> {
  const unknown = await inside.query<{ owner: string; missing: string; position: number }>(
    `SELECT session_id AS owner, submission_id AS missing, position FROM ${recordset('entries', '$2', childColumns(sessionSubmission))}
    WHERE NOT EXISTS (SELECT 1 FROM submission WHERE organization_id = $1 AND id = submission_id)
    ORDER BY session_id, position DESC`,
    [organizationId, JSON.stringify(entries)],
  );
  // The first entry of an agenda comes last, and is the one that is told.
  return new Map(
    unknown.map(({ owner, missing, position }) => [
      owner,
      new StoreConflictError(
        `submissions: in place ${Number(position) + 1} there is no submission ${missing} yet. Put submissions before the sessions that name them, or import the file again.`,
      ),
    ]),
  );
}

async function putSurveys(target: TenantTransaction, records: RecordOf<'survey'>[]): Promise<Outcome[]> {
  const refusals = await findConflictingSurveys(target, records);
  const accepted = records.filter(({ surveyId }) => !refusals.has(surveyId));
  const surveys = accepted.map(({ surveyId: id, title, status, totalResponses }) => ({
    id,
    title,
    status,
    total_responses: totalResponses,
    source_id: target.sourceId,
  }));
  const outcomes = await upsert(target, survey, surveys);
  const ids = surveys.map(({ id }) => id);
  const wantedQuestions = accepted.flatMap(questionRows);
  const wantedOptions = accepted.flatMap(optionRows);
  const changed = new Set([
    ...(await findChangedParents(target, surveyQuestion, ids, wantedQuestions)),
    ...(await findChangedParents(target, surveyOption, ids, wantedOptions)),
  ]);
  if (changed.size > 0) {
    // Options go with their questions.
    await deleteChildRows(target, surveyQuestion, [...changed]);
    const ofChanged = ({ survey_id }: { survey_id: string }) => changed.has(survey_id);
    await insertChildRows(target, surveyQuestion, wantedQuestions.filter(ofChanged));
    await insertChildRows(target, surveyOption, wantedOptions.filter(ofChanged));
  }
  return records.map(({ surveyId: id }) => refusals.get(id) ?? withChildChanges(outcomes, id, changed));
}

/** @returns a refusal for each survey that another import published since it was read: its steps follow on what was before */
async function findConflictingSurveys(
  { inside, organizationId }: TenantTransaction,
  records: readonly RecordOf<'survey'>[],
): Promise<Map<string, StoreConflictError>> {
  const refusals = new Map<string, StoreConflictError>();
  for (const { surveyId, follows } of records) {
    if (follows === undefined) continue;
    const rows = await inside.query<SurveyRow>(surveyResults, [organizationId, surveyId]);
    if ((pickPublished(rows) ?? null) === follows) continue;
    refusals.set(
      surveyId,
      new StoreConflictError('was published or taken away by another import meanwhile: import it again'),
    );
  }
  return refusals;
}

function questionRows({ surveyId, questions }: RecordOf<'survey'>) {
  return questions.map(({ questionText, questionType }, position) => ({
    survey_id: surveyId,
    position,
    question_text: questionText,
    question_type: questionType,
  }));
}

function optionRows({ surveyId, questions }: RecordOf<'survey'>) {
  return questions.flatMap((question, questionPosition) =>
    question.options.map(({ optionText, responseCount }, position) => ({
      survey_id: surveyId,
      question_position: questionPosition,
      position,
      option_text: optionText,
      response_count: responseCount,
    })),
  );
}
