/** Writes imported records by municipality and id, many in one statement, and tells what became of each. */

import type { Actor } from '../../domain/administration.ts';
import { isDraft } from '../../domain/draft-status.ts';
import {
  type ImportOutcome,
  type ImportRecord,
  type ImportStore,
  type RecordWriter,
  StoreConflictError,
  type SurveySummary,
} from '../../domain/store.ts';
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
import { columnsOf, differing, empty, insert, type Target } from './child-rows.ts';
import { rememberSource, sourceIdOf } from './import-sources.ts';
import { ownRecords, removeAll, removeRecord } from './remove-records.ts';
import { keepPlace } from './sync-state.ts';

export function intake(engine: Engine, self: Actor): ImportStore {
  return {
    listSurveys: async (organizationId) => {
      const surveys = await engine.rowsOf<SurveySummary>(
        `SELECT id, title, status, total_responses AS "totalResponses" FROM survey
        WHERE organization_id = $1 ORDER BY title, id`,
        [organizationId],
      );
      return surveys.map((survey) => (isDraft(survey.status) ? { ...survey, status: 'draft' } : survey));
    },
    write: (organizationId, work, { source, held } = {}) =>
      engine.transaction(organizationId, async (inside) => {
        if (source !== undefined) await rememberSource(inside, organizationId, source);
        const sourceId = source === undefined ? null : sourceIdOf(source);
        const result = await work(writer({ inside, recordset: engine.recordset, organizationId, sourceId }));
        if (held !== undefined) await keepPlace(inside, held);
        return result;
      }),
    removeRecord: (organizationId, kind, id, by = self) => removeRecord(engine, organizationId, kind, id, by),
  };
}

type Kind = ImportRecord['kind'];
type Of<K extends Kind> = Extract<ImportRecord, { kind: K }>;
type Outcome = ImportOutcome | StoreConflictError;

function writer(target: Target): RecordWriter {
  return {
    put: async (records) => {
      const outcomes: Outcome[] = [];
      for (const group of groupsOf(records)) outcomes.push(...(await putGroup(target, group)));
      return outcomes;
    },
    ...ownRecords(target),
  };
}

/** Neighbours of one kind, no id twice among them: what one statement can write. */
function* groupsOf(records: readonly ImportRecord[]): Generator<ImportRecord[]> {
  let group: ImportRecord[] = [];
  const ids = new Set<string>();
  for (const record of records) {
    const id = idOf(record);
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

const idOf = (record: ImportRecord) => (record.kind === 'survey' ? record.surveyId : record.id);
const groupKey = (record: ImportRecord) => (record.kind === 'removal' ? `-${record.of}` : record.kind);

async function putGroup(target: Target, group: ImportRecord[]): Promise<Outcome[]> {
  switch (group[0]?.kind) {
    case 'submission':
      return putSubmissions(target, group as Of<'submission'>[]);
    case 'session':
      return putSessions(target, group as Of<'session'>[]);
    case 'survey':
      return putSurveys(target, group as Of<'survey'>[]);
    default:
      return removeAll(target, group as Of<'removal'>[]);
  }
}

/** @returns what became of each row, by id */
async function upsert(
  { inside, organizationId }: Target,
  table: SourcedTable,
  rows: readonly (Row & { id: string })[],
): Promise<Map<string, ImportOutcome>> {
  const outcomes = await inside.upsert(table, organizationId, rows);
  return new Map(rows.map(({ id }, index) => [id, outcomes[index] as ImportOutcome]));
}

async function putSubmissions(
  { inside, organizationId, sourceId }: Target,
  records: Of<'submission'>[],
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

async function putSessions(target: Target, records: Of<'session'>[]): Promise<Outcome[]> {
  const refusals = await unknownSubmissions(target, entriesOf(records));
  const accepted = records.filter(({ id }) => !refusals.has(id));
  const earlier = await storedCreatedAt(
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
      created_at: earliest(createdAt, earlier.get(id)),
      source_id: target.sourceId,
    })),
  );
  const withAgenda = accepted.filter(({ submissions }) => submissions !== undefined);
  const entries = entriesOf(withAgenda);
  const owners = withAgenda.map(({ id }) => id);
  const changed = new Set(await differing(target, sessionSubmission, owners, entries));
  if (changed.size > 0) {
    await empty(target, sessionSubmission, [...changed]);
    const wanted = entries.filter(({ session_id }) => changed.has(session_id));
    await insert(target, sessionSubmission, wanted);
  }
  return records.map(({ id }) => refusals.get(id) ?? withBelongings(outcomes, id, changed));
}

const earliest = (time: string, stored = time) => (stored < time ? stored : time);

/** By id. */
async function storedCreatedAt(
  { inside, recordset, organizationId }: Target,
  records: Of<'session'>[],
): Promise<Map<string, string>> {
  if (records.length === 0) return new Map();
  const stored = await inside.rows<{ id: string; createdAt: string }>(
    `SELECT id, created_at AS "createdAt" FROM session WHERE organization_id = $1
      AND id IN (SELECT id FROM ${recordset('incoming', '$2', { id: 'text' })})`,
    [organizationId, JSON.stringify(records.map(({ id }) => ({ id })))],
  );
  return new Map(stored.map(({ id, createdAt }) => [id, createdAt]));
}

/** What is unchanged itself has changed with what belongs to it. */
function withBelongings(outcomes: Map<string, ImportOutcome>, id: string, changed: Set<string>): Outcome {
  const outcome = outcomes.get(id) as ImportOutcome;
  return outcome === 'unchanged' && changed.has(id) ? 'changed' : outcome;
}

function entriesOf(records: readonly Of<'session'>[]) {
  return records.flatMap(({ id, submissions = [] }) =>
    submissions.map((submissionId, position) => ({ session_id: id, position, submission_id: submissionId })),
  );
}

/** @returns a refusal for each session that names a submission which is not there */
async function unknownSubmissions(
  { inside, recordset, organizationId }: Target,
  entries: ReturnType<typeof entriesOf>,
): Promise<Map<string, StoreConflictError>> {
  const unknown = await inside.rows<{ owner: string; missing: string; position: number }>(
    `SELECT session_id AS owner, submission_id AS missing, position FROM ${recordset('entries', '$2', columnsOf(sessionSubmission))}
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

async function putSurveys(target: Target, records: Of<'survey'>[]): Promise<Outcome[]> {
  const refusals = await overtaken(target, records);
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
  const wantedQuestions = accepted.flatMap(questionsOf);
  const wantedOptions = accepted.flatMap(optionsOf);
  const changed = new Set([
    ...(await differing(target, surveyQuestion, ids, wantedQuestions)),
    ...(await differing(target, surveyOption, ids, wantedOptions)),
  ]);
  if (changed.size > 0) {
    // Options go with their questions.
    await empty(target, surveyQuestion, [...changed]);
    const ofChanged = ({ survey_id }: { survey_id: string }) => changed.has(survey_id);
    await insert(target, surveyQuestion, wantedQuestions.filter(ofChanged));
    await insert(target, surveyOption, wantedOptions.filter(ofChanged));
  }
  return records.map(({ surveyId: id }) => refusals.get(id) ?? withBelongings(outcomes, id, changed));
}

/** @returns a refusal for each survey that another import published since it was read: its steps follow on what was before */
async function overtaken(
  { inside, organizationId }: Target,
  records: readonly Of<'survey'>[],
): Promise<Map<string, StoreConflictError>> {
  const refusals = new Map<string, StoreConflictError>();
  for (const { surveyId, follows } of records) {
    if (follows === undefined) continue;
    const rows = await inside.rows<SurveyRow>(surveyResults, [organizationId, surveyId]);
    if ((pickPublished(rows) ?? null) === follows) continue;
    refusals.set(
      surveyId,
      new StoreConflictError('was published or taken away by another import meanwhile: import it again'),
    );
  }
  return refusals;
}

function questionsOf({ surveyId, questions }: Of<'survey'>) {
  return questions.map(({ questionText, questionType }, position) => ({
    survey_id: surveyId,
    position,
    question_text: questionText,
    question_type: questionType,
  }));
}

function optionsOf({ surveyId, questions }: Of<'survey'>) {
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
