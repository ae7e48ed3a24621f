/** Writes imported records in batches and returns the outcome of each record. */
import { listStoredFields } from '../../contract/field.ts';
import type { SurveyEnd, SurveySummary } from '../../contract/resources/survey.ts';
import { compareSurveyEnds } from '../../domain/records/compare-survey-ends.ts';
import { isDraft } from '../../domain/records/is-draft.ts';
import {
  fieldsByKind,
  type RecordKind,
  type RecordWrite,
  type Retraction,
} from '../../domain/records/records.ts';
import type { DryRun, ImportOutcome, ImportStore, RecordWriter } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { isSliceUsedUp, sortInSlices, waitForSlice } from '../../platform/time-slices.ts';
import { createTenantReader, type Engine, type SourcedRow } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import {
  correctTexts,
  readTexts,
  type SurveyCorrection,
  withTexts,
} from '../record-decisions/corrections.ts';
import { keepSurveys } from '../record-decisions/decided-surveys.ts';
import {
  forgetKeptRows,
  listKeptIds,
  readDecisions,
  readKeptRows,
  readSourceRows,
} from '../record-decisions/record-decisions.ts';
import { addMissingDigests } from '../record-decisions/record-digests.ts';
import { withholdMatches } from '../record-decisions/withhold-matches.ts';
import { deriveSourceId, saveSource } from '../runs/import-sources.ts';
import { assertLease } from '../runs/run-history.ts';
import { openUndoLog } from '../runs/undo-log.ts';
import {
  getColumns,
  type SourcedTable,
  sessionSubmissionTable,
  sessionTable,
  submissionTable,
  surveyOptionTable,
  surveyQuestionTable,
  surveyTable,
} from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';
import { type AgendaRow, forgetRecords, replaceAgendas } from './agendas.ts';
import { replaceQuestions } from './child-rows.ts';
import { noteAbsentRows, noteChangedField } from './dry-run-differences.ts';
import { readLocationLimit } from './limit-locations.ts';
import { limitStoredLocations } from './limit-stored-locations.ts';
import { logDistinguishedSurveys } from './log-distinguished-surveys.ts';
import { findPublishedElsewhere } from './published-elsewhere.ts';
import { composeRow, putRows } from './put-rows.ts';
import { forgetFormerSurveys, keepReleasedResults, readReleasedSurvey } from './released-surveys.ts';

export function createImportStore(engine: Engine): ImportStore {
  return {
    listSurveys: (organizationId, sourceId) => listSurveys(engine, organizationId, sourceId),
    findPublishedElsewhere: (...given) => findPublishedElsewhere(engine, ...given),
    write: (organizationId, work, { source, lease, runId, dryRun } = {}) =>
      engine.transaction(organizationId, async (transaction) => {
        if (source !== undefined && dryRun === undefined) {
          const isStricter = await saveSource(transaction, organizationId, source);
          if (isStricter)
            await limitStoredLocations({ transaction, recordset: engine.recordset, organizationId });
        }
        const sourceId = source === undefined ? null : deriveSourceId(source);
        await addMissingDigests(transaction, organizationId);
        const decisions = await readDecisions(transaction, organizationId);
        const limitLocation = await readLocationLimit(
          transaction,
          organizationId,
          source,
          dryRun !== undefined,
        );
        const { recordset } = engine;
        const context = { transaction, recordset, organizationId, sourceId, decisions, limitLocation };
        const undoLog =
          source === undefined || runId === undefined || dryRun !== undefined
            ? undefined
            : await openUndoLog(context, source, runId);
        const target = { ...context, undoLog, runId, dryRun };
        const result = await work({
          put: async (records) => {
            const outcomes = await putInOrder(target, records);
            await undoLog?.flush();
            return outcomes;
          },
          ...createSourceQueries(target),
        });
        if (lease !== undefined) await assertLease(transaction, lease);
        return result;
      }),
  };
}

/** Surveys that are read at a time. */
const surveyBatchSize = 200;

async function listSurveys(
  engine: Engine,
  organizationId: string,
  sourceId: number | undefined,
): Promise<SurveySummary[]> {
  const decisions = await readDecisions(createTenantReader(engine), organizationId);
  const surveys: SurveySummary[] = [];
  const statement = `SELECT id, ${surveyColumns.join(', ')}, ended FROM survey
    WHERE organization_id = $1 AND id > $2 ${sourceId === undefined ? '' : 'AND source_id = $3'}
    ORDER BY id LIMIT ${surveyBatchSize}`;
  for (let after = ''; ; ) {
    const rows = await engine.tenantQuery<Omit<SurveySummary, keyof SurveyEnd> & { ended: string }>(
      statement,
      sourceId === undefined ? [organizationId, after] : [organizationId, after, sourceId],
    );
    for (const { ended, ...row } of rows) {
      if (decisions.isWithheld('survey', row.id)) continue;
      const status = isDraft(row.status) ? 'draft' : row.status;
      surveys.push({ ...row, status, ...toSurveyEnd(ended) });
    }
    if (isSliceUsedUp()) await waitForSlice();
    const last = rows.at(-1);
    if (last === undefined || rows.length < surveyBatchSize) break;
    after = last.id;
  }
  return sortInSlices(
    surveys,
    (one, other) =>
      compareSurveyEnds(one, other) || (one.title < other.title ? -1 : Number(one.title > other.title)),
  );
}

/** @param ended as the database has it */
const toSurveyEnd = (ended: string): SurveyEnd => ({
  endedOn: ended.length === 10 ? ended : null,
  year: ended === '' ? null : Number(ended.slice(0, 4)),
});

type RecordOf<Kind extends RecordWrite['kind']> = Extract<RecordWrite, { kind: Kind }>;
type Outcome = ImportOutcome | StoreConflictError;

async function putInOrder(target: TenantTransaction, records: readonly RecordWrite[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const { dryRun } = target;
  // A dry run knows the records of the whole batch, an import only earlier ones.
  const later = new Set(dryRun === undefined ? [] : records.map(toKey));
  const inOrder: DryRun | undefined = dryRun && {
    ...dryRun,
    hasRecord: (kind, id) => !later.has(`${kind} ${id}`) && dryRun.hasRecord(kind, id),
  };
  for (const group of groupRecords(records)) {
    outcomes.push(...(await putGroup({ ...target, dryRun: inOrder }, group)));
    if (dryRun !== undefined) for (const record of group) later.delete(toKey(record));
  }
  return outcomes;
}

const toKey = (record: RecordWrite) => `${record.kind} ${getRecordId(record)}`;

/** Consecutive records of one kind with unique ids: one statement can write them. */
function* groupRecords(records: readonly RecordWrite[]): Generator<RecordWrite[]> {
  let group: RecordWrite[] = [];
  const ids = new Set<string>();
  for (const record of records) {
    const id = getRecordId(record);
    const [first] = group;
    if (first !== undefined && (getGroupKey(first) !== getGroupKey(record) || ids.has(id))) {
      yield group;
      group = [];
      ids.clear();
    }
    group.push(record);
    ids.add(id);
  }
  if (group.length > 0) yield group;
}

const getRecordId = (record: RecordWrite) => (record.kind === 'survey' ? record.surveyId : record.id);
const getGroupKey = (record: RecordWrite) => (record.kind === 'retraction' ? `-${record.of}` : record.kind);

async function putGroup(target: TenantTransaction, group: RecordWrite[]): Promise<Outcome[]> {
  switch (group[0]?.kind) {
    case 'submission':
      return putSubmissions(target, group as RecordOf<'submission'>[]);
    case 'session':
      return putSessions(target, group as RecordOf<'session'>[]);
    case 'survey':
      return putSurveys(target, group as RecordOf<'survey'>[]);
    default:
      return deleteRetracted(target, group as [Retraction, ...Retraction[]]);
  }
}

/** @returns outcomes by id */
async function putRowsById(
  target: TenantTransaction,
  table: SourcedTable,
  rows: readonly SourcedRow[],
): Promise<Map<string, ImportOutcome>> {
  const outcomes = await putRows(target, table, rows);
  return new Map(rows.map(({ id }, index) => [id, outcomes[index] as ImportOutcome]));
}

const surveyColumns = listStoredFields(fieldsByKind.survey).map(
  ({ field, column }) => `${column} AS "${field}"`,
);

async function putSubmissions(
  target: TenantTransaction,
  records: RecordOf<'submission'>[],
): Promise<Outcome[]> {
  const rows = records.map((record) => ({
    ...composeRow.submission(record),
    id: record.id,
    source_id: target.sourceId,
  }));
  return putRows(target, submissionTable, rows);
}

async function putSessions(target: TenantTransaction, records: RecordOf<'session'>[]): Promise<Outcome[]> {
  const rejections = await findMissingSubmissions(target, toAgendaRows(records));
  const accepted = records.filter(({ id }) => !rejections.has(id));
  const estimated = accepted.filter(({ isCreatedAtEstimated }) => isCreatedAtEstimated);
  const stored = await readSourceRows(
    target,
    sessionTable,
    estimated.map(({ id }) => id),
  );
  const storedCreatedAt = new Map(stored.map(({ id, created_at: time }) => [id, time as string]));
  const rows = accepted.map((record) => ({
    ...composeRow.session(record),
    created_at: pickEarlier(record.createdAt, storedCreatedAt.get(record.id)),
    id: record.id,
    source_id: target.sourceId,
  }));
  const outcomes = await putRowsById(target, sessionTable, rows);
  const withAgenda = accepted.filter(({ submissions }) => submissions !== undefined);
  const sessionIds = withAgenda.map(({ id }) => id);
  const changed = await replaceAgendas(target, sessionIds, toAgendaRows(withAgenda));
  noteChangedParents(target, 'session', rows, outcomes, changed);
  return records.map(({ id }) => rejections.get(id) ?? addChildChanges(outcomes, id, changed));
}

const pickEarlier = (time: string, stored = time) => (stored < time ? stored : time);

/** A record with changed child rows has changed. */
function addChildChanges(outcomes: Map<string, ImportOutcome>, id: string, changed: Set<string>): Outcome {
  const outcome = outcomes.get(id) as ImportOutcome;
  return outcome === 'unchanged' && changed.has(id) ? 'changed' : outcome;
}

/** Published records whose child rows a dry run finds changed. */
function noteChangedParents(
  { dryRun }: TenantTransaction,
  kind: 'session' | 'survey',
  rows: readonly SourcedRow[],
  outcomes: ReadonlyMap<string, ImportOutcome>,
  changed: ReadonlySet<string>,
): void {
  if (dryRun === undefined) return;
  const published = rows.filter(({ id }) => {
    const outcome = outcomes.get(id);
    return changed.has(id) && (outcome === 'changed' || outcome === 'unchanged');
  });
  noteChangedField(dryRun, kind, published, kind === 'session' ? 'submissions' : 'questions');
}

function toAgendaRows(records: readonly RecordOf<'session'>[]): AgendaRow[] {
  return records.flatMap(({ id, submissions = [] }) =>
    submissions.map((submissionId, position) => ({ session_id: id, position, submission_id: submissionId })),
  );
}

/** @returns an error for each session that refers to a missing submission */
async function findMissingSubmissions(
  { transaction, recordset, organizationId, decisions, dryRun }: TenantTransaction,
  entries: readonly AgendaRow[],
): Promise<Map<string, StoreConflictError>> {
  const unknown = await transaction.query<{ sessionId: string; missing: string; position: number }>(
    `SELECT session_id AS "sessionId", submission_id AS missing, position FROM ${recordset('entries', '$2', getColumns(sessionSubmissionTable))}
    WHERE NOT EXISTS (SELECT 1 FROM submission WHERE organization_id = $1 AND id = submission_id)
    ORDER BY session_id, position DESC`,
    [organizationId, JSON.stringify(entries)],
  );
  // Descending order: the last entry for a session wins, which is the first missing submission of its agenda.
  return new Map(
    unknown
      .filter(
        ({ missing }) =>
          !decisions.isWithheld('submission', missing) && !dryRun?.hasRecord('submission', missing),
      )
      .map(({ sessionId, missing, position }) => [
        sessionId,
        new StoreConflictError({
          code: 'agenda-unknown-submission',
          entry: Number(position) + 1,
          id: missing,
        }),
      ]),
  );
}

async function putSurveys(target: TenantTransaction, records: RecordOf<'survey'>[]): Promise<Outcome[]> {
  const { decisions } = target;
  const matched = await withholdMatches(
    target,
    'survey',
    decisions.isEmpty ? [] : records.map(toKeptSurvey(target)),
  );
  const released = records.filter(({ surveyId }) => !decisions.isWithheld('survey', surveyId));
  const rejections = await findConflictingSurveys(target, released);
  const allowed = released.filter(({ surveyId }) => !rejections.has(surveyId));
  if (target.dryRun === undefined) {
    const withheld = records.filter(({ surveyId }) => decisions.isWithheld('survey', surveyId));
    await keepReleasedResults(target, listSurveyIds([...allowed, ...withheld], isDraft));
    // Otherwise the earlier results of a draft would be public once its decision is taken back.
    await forgetKeptRows(target, 'survey', listSurveyIds(withheld, isDraft));
  }
  const accepted = decisions.isEmpty ? allowed : await correctSurveys(target, allowed);
  const surveys = accepted.map((record) => toSurveyRow(target, record));
  const outcomes = await putRowsById(target, surveyTable, surveys);
  const ids = surveys.map(({ id }) => id);
  const changed = await replaceQuestions(
    target,
    ids,
    [surveyQuestionTable, accepted.flatMap(toQuestionRows)],
    [surveyOptionTable, accepted.flatMap(toOptionRows)],
  );
  noteChangedParents(target, 'survey', surveys, outcomes, changed);
  if (target.dryRun === undefined) await forgetFormerSurveys(target, listSurveyIds(accepted, isPublic));
  await logDistinguishedSurveys(target, accepted, outcomes);
  return records.map(({ surveyId: id }) => {
    if (matched.has(id)) return 'matched';
    return decisions.isWithheld('survey', id)
      ? 'withheld'
      : (rejections.get(id) ?? addChildChanges(outcomes, id, changed));
  });
}

const isPublic = (status: string) => !isDraft(status);

const listSurveyIds = (records: readonly RecordOf<'survey'>[], isWanted: (status: string) => boolean) =>
  records.filter(({ status }) => isWanted(status)).map(({ surveyId }) => surveyId);

function toSurveyRow({ sourceId }: TenantTransaction, record: RecordOf<'survey'>) {
  const { surveyId, endedOn, year } = record;
  const ended = endedOn ?? year?.toString().padStart(4, '0') ?? '';
  return { ...composeRow.survey(record), id: surveyId, ended, source_id: sourceId };
}

const toKeptSurvey = (target: TenantTransaction) => (record: RecordOf<'survey'>) => ({
  ...toSurveyRow(target, record),
  ...readTexts(record),
});

/** Keeps the texts of the source, and publishes the corrected ones. */
async function correctSurveys(
  target: TenantTransaction,
  records: RecordOf<'survey'>[],
): Promise<RecordOf<'survey'>[]> {
  const rows = records
    .filter(({ surveyId }) => target.decisions.has('survey', surveyId))
    .map(toKeptSurvey(target));
  await keepSurveys(target, rows);
  return records.map((record) => {
    const correction = target.decisions.findCorrection<SurveyCorrection>('survey', record.surveyId);
    return correction === undefined ? record : withTexts(record, correctTexts(readTexts(record), correction));
  });
}

/** @returns an error for each survey whose released results have changed since the disclosure control read them */
async function findConflictingSurveys(
  target: TenantTransaction,
  records: readonly RecordOf<'survey'>[],
): Promise<Map<string, StoreConflictError>> {
  const rejections = new Map<string, StoreConflictError>();
  for (const { surveyId, follows } of records) {
    if (follows === undefined) continue;
    const released = await readReleasedSurvey(target, surveyId);
    if ((released?.state ?? null) === follows) continue;
    rejections.set(surveyId, new StoreConflictError({ code: 'published-meanwhile' }));
  }
  return rejections;
}

function toQuestionRows({ surveyId, questions }: RecordOf<'survey'>) {
  return questions.map((question, position) => ({
    ...composeRow.question(question),
    survey_id: surveyId,
    position,
  }));
}

function toOptionRows({ surveyId, questions }: RecordOf<'survey'>) {
  return questions.flatMap((question, questionPosition) =>
    question.options.map((option, position) => ({
      ...composeRow.option(option),
      survey_id: surveyId,
      question_position: questionPosition,
      position,
    })),
  );
}

/** The ids are in memory, and the transaction blocks other writers while the import compares them. */
const maxListedIds = 5_000;

/** @param retractions of one kind of record */
async function deleteRetracted(
  target: TenantTransaction,
  retractions: readonly [Retraction, ...Retraction[]],
): Promise<ImportOutcome[]> {
  const { transaction, recordset, organizationId, undoLog, dryRun } = target;
  const [{ of: kind }] = retractions;
  const given = retractions.map(({ id }) => id);
  await undoLog?.noteRemoval(kind, given, false);
  if (kind === 'survey' && dryRun === undefined) await keepReleasedResults(target, given);
  const isGiven = `organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`;
  const removed = await transaction.query<{ id: string }>(
    dryRun === undefined
      ? `DELETE FROM ${kind} WHERE ${isGiven} RETURNING id`
      : `SELECT id FROM ${kind} WHERE ${isGiven}`,
    [organizationId, toIdRows(given)],
  );
  if (dryRun === undefined) await forgetRecords(target, kind, given);
  const ids = new Set(removed.map(({ id }) => id));
  if (dryRun !== undefined) {
    const disappearing = [...ids].filter((id) => !dryRun.removed.has(`${kind} ${id}`));
    await noteAbsentRows(target, 'disappearing', kind, isGiven, [organizationId, toIdRows(disappearing)]);
  }
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

/** A record that a decision keeps unpublished counts as the source's, too. */
function createSourceQueries(
  target: TenantTransaction,
): Pick<RecordWriter, 'listIds' | 'readCreationTimes' | 'countPublished' | 'countOwn' | 'deleteOwn'> {
  const { transaction, recordset, organizationId, sourceId, decisions, undoLog, dryRun } = target;
  const isOwn = `organization_id = $1 AND source_id = $2 AND id IN (${selectIds(recordset, '$3')})`;
  const listOwnKept = async (kind: RecordKind, ids: readonly string[]) => {
    const kept = await readKeptRows(target, kind, ids);
    return kept.filter((row) => row.source_id === sourceId).map(({ id }) => id);
  };
  // A dry run leaves what the input removes.
  const isPresent = (kind: RecordKind) => (id: string) => !dryRun?.removed.has(`${kind} ${id}`);
  const countRows: RecordWriter['countOwn'] = async (kind, stored) => {
    const ids = stored.filter(isPresent(kind));
    const undecided = ids.filter((id) => !decisions.has(kind, id));
    const [row] = await transaction.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${kind} WHERE ${isOwn}`,
      [organizationId, sourceId, toIdRows(undecided)],
    );
    return Number(row?.count) + (await listOwnKept(kind, ids)).length;
  };
  const note = (list: 'disappearing' | 'missing', kind: RecordKind, ids: readonly string[]) =>
    noteAbsentRows(target, list, kind, isOwn, [
      organizationId,
      sourceId,
      toIdRows(ids.filter(isPresent(kind))),
    ]);
  return {
    listIds: async (kind, after) => {
      const rows = await transaction.query<{ id: string }>(
        `SELECT id FROM ${kind} WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT ${maxListedIds}`,
        [organizationId, after],
      );
      const published = rows.map(({ id }) => id);
      if (decisions.isEmpty) return published;
      const kept = await listKeptIds(target, kind, after, maxListedIds);
      return [...new Set([...published, ...kept])].sort().slice(0, maxListedIds);
    },
    readCreationTimes: async (ids) => {
      const rows = await transaction.query<{ id: string; created_at: string }>(
        `SELECT id, created_at FROM submission WHERE organization_id = $1 AND id IN (${selectIds(recordset, '$2')})`,
        [organizationId, toIdRows(ids)],
      );
      const kept = await readKeptRows(target, 'submission', ids);
      return new Map([...rows, ...kept].map((row) => [row.id, String(row.created_at)]));
    },
    countPublished: async (kind, ids) => {
      const [row] = await transaction.query<{ count: number }>(
        `SELECT count(*) AS count FROM ${kind} WHERE ${ids === undefined ? 'organization_id = $1 AND source_id = $2' : isOwn}`,
        [organizationId, sourceId, ...(ids === undefined ? [] : [toIdRows(ids)])],
      );
      return Number(row?.count);
    },
    countOwn: async (kind, ids) => {
      if (dryRun !== undefined) await note('missing', kind, ids);
      return countRows(kind, ids);
    },
    deleteOwn: async (kind, ids) => {
      if (dryRun !== undefined) {
        await note('disappearing', kind, ids);
        return countRows(kind, ids);
      }
      await undoLog?.noteRemoval(kind, ids, true);
      if (kind === 'survey') await keepReleasedResults(target, ids);
      const deleted = await transaction.query<{ id: string }>(
        `DELETE FROM ${kind} WHERE ${isOwn} RETURNING id`,
        [organizationId, sourceId, toIdRows(ids)],
      );
      const kept = await listOwnKept(kind, ids);
      const removed = new Set([...deleted.map(({ id }) => id), ...kept]);
      await forgetRecords(target, kind, [...removed]);
      await undoLog?.flush();
      return removed.size;
    },
  };
}
