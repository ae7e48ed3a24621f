/** Reads the results of a survey in parts from one snapshot, so that it does not block the process. */
import { setImmediate } from 'node:timers/promises';
import { isDraft } from '../../../domain/records/is-draft.ts';
import { joinSurveyPart, type SurveyPart, surveyClosings } from '../../../domain/records/join-survey-json.ts';
import type { SurveyTexts } from '../../../domain/records/record-decision.ts';
import type { ShownSurvey, SurveyRecord } from '../../../domain/records/records.ts';
import type { LargeDocument } from '../../../domain/store.ts';
import { isSliceUsedUp, waitForSlice } from '../../../platform/time-slices.ts';
import type { Engine, Snapshot, TenantParameters } from '../../engine.ts';
import { longSurvey, maxOptionRows, maxQuestionRows } from '../statements.ts';
import { countFitting, maxChunkBytes, readLargeDocument } from './large-document.ts';

/** Questions are read in batches of this size, or one by one if they are larger. */
const maxQuestionBytes = 64 * 1024;

interface QuestionRow {
  position: number;
  document: string;
}

interface OptionRow extends QuestionRow {
  questionPosition: number;
}

/** @returns undefined for a missing survey and a draft */
export const readLongSurvey = (
  engine: Engine,
  organizationId: string,
  id: string,
): Promise<string | LargeDocument | undefined> =>
  readLargeDocument(engine, organizationId, (snapshot) => openDocument(snapshot, organizationId, id));

/** Of the documents of a survey on a page: a thousand questions with ten short options each. */
const maxShownBytes = 1024 * 1024;

/** Reads and parses in slices. @returns undefined for a missing survey and, unless `showsDraft`, a draft */
export async function readShownSurvey(
  engine: Engine,
  organizationId: string,
  id: string,
  { showsDraft } = { showsDraft: false },
): Promise<ShownSurvey | undefined> {
  await using snapshot = await openSnapshot(engine, organizationId);
  const document = await readSurveyDocument(snapshot, organizationId, id, { showsDraft });
  if (document === undefined) return undefined;
  const [counted] = await snapshot.query<{ count: number }>(longSurvey.questionCount, [organizationId, id]);
  const questions: SurveyRecord['questions'] = [];
  let bytes = 0;
  for await (const part of readSurveyParts(snapshot, organizationId, id)) {
    if (isSliceUsedUp()) await waitForSlice();
    bytes += part.document.length;
    if (part.level === 'option') questions.at(-1)?.options.push(JSON.parse(part.document));
    else if (bytes > maxShownBytes) break;
    else questions.push({ ...JSON.parse(part.document), options: [] });
  }
  return { ...JSON.parse(document), questions, questionCount: counted?.count ?? 0 };
}

/** Reads and parses in slices. @returns undefined for a missing survey and a draft */
export async function readSurveyTexts(
  engine: Engine,
  organizationId: string,
  id: string,
): Promise<SurveyTexts | undefined> {
  await using snapshot = await openSnapshot(engine, organizationId);
  const document = await readSurveyDocument(snapshot, organizationId, id);
  if (document === undefined) return undefined;
  const questionTexts: string[] = [];
  for await (const question of readQuestions(snapshot.query, organizationId, id)) {
    if (isSliceUsedUp()) await waitForSlice();
    questionTexts.push(JSON.parse(question.document).questionText);
  }
  return { title: JSON.parse(document).title, questionTexts };
}

async function openSnapshot(engine: Engine, organizationId: string): Promise<Snapshot & AsyncDisposable> {
  const snapshot = await engine.openSnapshot(organizationId);
  // SQLite takes a slice to open a connection.
  if (isSliceUsedUp()) await waitForSlice();
  return { ...snapshot, [Symbol.asyncDispose]: () => snapshot.close() };
}

/** @returns the survey with its end, without its questions; undefined for a missing one and, unless `showsDraft`, a draft */
export async function readSurveyDocument(
  { query }: Snapshot,
  organizationId: string,
  id: string,
  { showsDraft } = { showsDraft: false },
): Promise<string | undefined> {
  const [row] = await query<{ status: string; document: string }>(longSurvey.survey, [organizationId, id]);
  return row === undefined || (isDraft(row.status) && !showsDraft) ? undefined : row.document;
}

/** The questions of a survey, each with its options. Statements run when their parts are read. */
export async function* readSurveyParts(
  { query }: Snapshot,
  organizationId: string,
  id: string,
  { hasOptions } = { hasOptions: true },
): AsyncGenerator<SurveyPart> {
  const options = hasOptions ? readOptions(query, organizationId, id) : noOptions();
  let option = await options.next();
  for await (const question of readQuestions(query, organizationId, id)) {
    yield { level: 'question', document: question.document };
    for (; !option.done && option.value.questionPosition === question.position; option = await options.next())
      yield { level: 'option', document: option.value.document };
  }
}

type Query = Snapshot['query'];

async function* noOptions(): AsyncGenerator<OptionRow> {}

async function* readQuestions(query: Query, organizationId: string, id: string): AsyncGenerator<QuestionRow> {
  for (let after = -1; ; ) {
    const parameters: TenantParameters = [organizationId, id, after];
    const sizes = await query<{ bytes: number }>(longSurvey.questionSizes, parameters);
    if (sizes.length === 0) return;
    const limit = countFitting(sizes, maxQuestionBytes);
    const rows = await query<QuestionRow>(longSurvey.questions, [...parameters, limit]);
    yield* rows;
    if (sizes.length < maxQuestionRows && rows.length === sizes.length) return;
    after = rows.at(-1)?.position as number;
  }
}

async function* readOptions(query: Query, organizationId: string, id: string): AsyncGenerator<OptionRow> {
  for (let after = [0, -1]; ; ) {
    const rows = await query<OptionRow>(longSurvey.options, [organizationId, id, ...after]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < maxOptionRows) return;
    after = [last.questionPosition, last.position];
  }
}

async function openDocument(
  snapshot: Snapshot,
  organizationId: string,
  id: string,
): Promise<Omit<LargeDocument, 'close'> | undefined> {
  const survey = await readSurveyDocument(snapshot, organizationId, id);
  if (survey === undefined) return undefined;
  const opening = joinSurveyPart({ level: 'survey', document: survey }, undefined);

  async function* readChunks(): AsyncGenerator<Buffer> {
    let chunk = opening;
    let previous: SurveyPart['level'] = 'survey';
    for await (const part of readSurveyParts(snapshot, organizationId, id)) {
      chunk += joinSurveyPart(part, previous);
      previous = part.level;
      if (chunk.length < maxChunkBytes) continue;
      yield Buffer.from(chunk);
      chunk = '';
      await setImmediate();
    }
    yield Buffer.from(chunk);
  }

  // Reading twice is simpler than adding up sizes in SQL, and such surveys are rare.
  let bytes = surveyClosings.option.length;
  for await (const chunk of readChunks()) bytes += chunk.length;
  return { bytes, chunks: readChunks(), closing: surveyClosings.option };
}
