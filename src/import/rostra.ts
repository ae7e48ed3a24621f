/**
 * Rostra's own format: records of the published shapes, each with its `kind`, as NDJSON, as one JSON array, or
 * as CSV for submissions and sessions. The way in for every system that has no reader of its own.
 */
import { bounds } from '../contract/resources.ts';
import type { ImportRecord, SessionRecord, SubmissionRecord, SurveyRecord } from '../store/store.ts';
import { readCsv } from './csv.ts';
import { checkedFields, checkedList, checkedObject, FieldProblem } from './fields.ts';
import { recordId } from './identifier.ts';
import { firstCharacter, type JsonValue, readJson } from './json.ts';
import { InputProblem, type Reading, type ReadOptions } from './reading.ts';
import { peek, readSource, type Source } from './source.ts';
import { publishedTime, TimeProblem } from './time.ts';

export async function* readRostra(sources: readonly Source[], options: ReadOptions): AsyncGenerator<Reading> {
  for (const source of sources) {
    const { head, content } = await peek(source.name, readSource(source, options));
    const first = firstCharacter(head);
    if (first === '') throw new InputProblem(`${source.name} is empty.`);
    const json = first === '{' || first === '[';
    const values = json ? readJson(source.name, content) : readCsv(source.name, content);
    for await (const value of values) yield read(value, options);
  }
}

function read({ place, value, problem }: JsonValue, options: ReadOptions): Reading {
  if (problem !== undefined) return { place, refusal: problem };
  try {
    return { place, id: sourceIdOf(value), record: recordOf(checkedObject(value, 'the record'), options) };
  } catch (error) {
    if (!(error instanceof FieldProblem || error instanceof TimeProblem)) throw error;
    return { place, id: sourceIdOf(value), refusal: error.message };
  }
}

/** @throws FieldProblem, TimeProblem */
function recordOf(value: Record<string, unknown>, options: ReadOptions): ImportRecord {
  const { kind, deleted, ...rest } = value;
  if (kind !== 'submission' && kind !== 'session' && kind !== 'survey') {
    throw new FieldProblem('kind must be "submission", "session" or "survey"');
  }
  if (deleted === true) return { kind: 'removal', of: kind, id: idOf(rest, options) };
  if (deleted !== undefined && deleted !== false) throw new FieldProblem('deleted must be true or false');
  switch (kind) {
    case 'submission':
      return { kind, ...submission(rest, options) };
    case 'session':
      return { kind, ...session(rest, options) };
    case 'survey':
      return { kind, ...survey(rest, options) };
  }
}

function submission(value: Record<string, unknown>, options: ReadOptions): SubmissionRecord {
  const createdAt = timeOf(value, 'createdAt', options);
  const statusChangedAt = /^\d{4}-/.test(String(value.statusChangedAt ?? ''))
    ? timeOf(value, 'statusChangedAt', options)
    : value.statusChangedAt;
  const defaults = {
    referenceNumber: null,
    status: 'submitted',
    topicCategoryName: null,
    priorityLevel: 'normal',
    supportCount: 0,
    hasAttachments: false,
    protocolUrl: null,
    statusChangedAt: createdAt,
  };
  return checkedFields(
    'submission',
    { ...value, id: idOf(value, options), createdAt, statusChangedAt },
    defaults,
  );
}

function session(value: Record<string, unknown>, options: ReadOptions): SessionRecord {
  const fields = checkedFields<Omit<SessionRecord, 'submissions'>>(
    'session',
    { ...value, id: idOf(value, options), createdAt: sessionCreatedAt(value, options) },
    { timeSlot: null },
    // The count is derived from the agenda; the API gives it, so it may come back.
    ['submissions', 'submissionCount'],
  );
  return { ...fields, submissions: agenda(value.submissions, options) };
}

/** Unless it is given: midnight of the day, local where the time zone is known. */
function sessionCreatedAt(value: Record<string, unknown>, options: ReadOptions): string {
  if (value.createdAt !== undefined) return timeOf(value, 'createdAt', options);
  return timeOf(value, 'date', { ...options, timeZone: options.timeZone ?? 'UTC' });
}

/** Ids, or whole submissions as the API gives them, of which the id counts. */
function agenda(value: unknown, options: ReadOptions): string[] | undefined {
  if (value === undefined) return undefined;
  const ids = checkedList(value, 'submissions', bounds.entries).map((entry) =>
    idOf(
      typeof entry === 'string' ? { id: entry } : checkedObject(entry, 'an entry of submissions'),
      options,
    ),
  );
  if (new Set(ids).size < ids.length) throw new FieldProblem('submissions names a submission twice');
  return ids;
}

function survey(value: Record<string, unknown>, options: ReadOptions): SurveyRecord {
  const surveyId = idOf({ id: value.surveyId }, options, 'surveyId');
  const fields = checkedFields<Omit<SurveyRecord, 'questions'>>('survey', { ...value, surveyId }, {}, [
    'questions',
  ]);
  const questions = checkedList(value.questions, 'questions', bounds.entries).map((entry) => {
    const given = checkedObject(entry, 'a question');
    const question = checkedFields<Omit<SurveyRecord['questions'][number], 'options'>>(
      'question',
      given,
      {},
      ['options'],
    );
    const choices = checkedList(given.options ?? [], 'options', bounds.entries).map((choice) =>
      checkedFields<{ optionText: string; responseCount: number }>(
        'option',
        checkedObject(choice, 'an option'),
        {},
      ),
    );
    return { ...question, options: choices };
  });
  return { ...fields, questions };
}

function idOf(value: Record<string, unknown>, { organizationId }: ReadOptions, name = 'id'): string {
  const id = value[name] ?? value.id ?? value.surveyId;
  if (typeof id === 'number' && Number.isSafeInteger(id)) return recordId(organizationId, String(id));
  if (typeof id === 'string' && id.trim() !== '' && id.isWellFormed()) return recordId(organizationId, id);
  throw new FieldProblem(
    id === undefined ? `${name} is missing` : `${name} must be a text or a whole number`,
  );
}

function timeOf(value: Record<string, unknown>, name: string, { timeZone }: ReadOptions): string {
  const text = value[name];
  if (text === undefined) throw new FieldProblem(`${name} is missing`);
  if (typeof text !== 'string') throw new FieldProblem(`${name} must be string`);
  return publishedTime(name, text, timeZone);
}

function sourceIdOf(value: unknown): string | undefined {
  const { id, surveyId } = (value ?? {}) as Record<string, unknown>;
  const given = id ?? surveyId;
  return typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, 200) : undefined;
}
