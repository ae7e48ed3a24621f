/** Converts objects of the API into rows of the tables, and back. */

import type { FieldValues } from '../field.ts';
import type { recordKinds } from '../resources/changes.ts';
import type { DocumentLink, ExtendedKind, extensionFields, Point } from '../resources/extension-fields.ts';
import type { Session } from '../resources/session.ts';
import type { Submission } from '../resources/submission.ts';
import type { SurveyEnd, SurveyResults } from '../resources/survey.ts';
import { coordinateColumns, localDates, type Row, type Table, tablesByKind } from './tables.ts';

export type Kind = (typeof recordKinds)[number];

type SessionWithSubmissionIds = Session & { submissionIds: readonly string[] };

/** An object of the API; of submissions and sessions with the extension fields, where they are known. */
export type PublishedObject =
  | (SurveyResults & Partial<SurveyEnd>)
  | (Submission & Partial<FieldValues<(typeof extensionFields)['submission']>>)
  | (SessionWithSubmissionIds & Partial<FieldValues<(typeof extensionFields)['session']>>);

/** @returns null for a text that is not a timestamp, and for an unknown time zone */
export function toLocalDate(timestamp: unknown, timeZone: string | undefined): string | null {
  try {
    const instant = Temporal.Instant.from(String(timestamp));
    return timeZone === undefined ? null : keepInCalendar(instant.toZonedDateTimeISO(timeZone).toPlainDate());
  } catch {
    return null;
  }
}

/** The first and the last hours of the calendar are another year's in some zones. `/search` has the same days. */
function keepInCalendar(day: Temporal.PlainDate): string {
  if (day.year > 9999) return '9999-12-31';
  return day.year < 1 ? '0001-01-01' : day.toString();
}

/** @returns for each table of the kind its rows */
export function createRows(kind: Kind, data: PublishedObject, timeZone: string | undefined): Row[][] {
  const rows = createRowsOfKind(kind, data);
  const [[row = {}] = []] = rows;
  for (const [column, timestamp] of Object.entries(localDates))
    if (timestamp in row) row[column] = toLocalDate(row[timestamp], timeZone);
  return rows;
}

function createRowsOfKind(kind: Kind, data: PublishedObject): Row[][] {
  if (kind === 'survey') return createSurveyRows(data as SurveyResults);
  const { documents, ...others } = data as Exclude<PublishedObject, SurveyResults>;
  const linkRows = createDocumentRows(kind, others.id, documents ?? []);
  if (kind === 'session') {
    const { submissionIds, ...session } = others as SessionWithSubmissionIds;
    const items = submissionIds.map((submissionId, index) => ({
      sessionId: session.id,
      position: index + 1,
      submissionId,
    }));
    return [[session], items, linkRows];
  }
  const { location, ...submission } = others as Row & { location?: Point | null };
  const coordinates = coordinateColumns.map((column, index) => [
    column,
    location?.coordinates[index] ?? null,
  ]);
  return [[{ ...submission, ...Object.fromEntries(coordinates) }], linkRows];
}

const createDocumentRows = (kind: ExtendedKind, id: string, documents: readonly DocumentLink[]): Row[] =>
  documents.map((link, index) => ({ [`${kind}Id`]: id, position: index + 1, ...link }));

function createSurveyRows({ questions, ...survey }: SurveyResults): Row[][] {
  const createRow = createPartRows();
  const rows: Row[][] = [[createRow('survey', survey)], [], []];
  for (const { options, ...question } of questions) {
    rows[1]?.push(createRow('question', question));
    rows[2]?.push(...options.map((option) => createRow('option', option)));
  }
  return rows;
}

/** The tables of a survey, in their order. */
export const surveyLevels = ['survey', 'question', 'option'] as const;

/** @returns a function from a part of a survey to its row. It counts the parts, which it gets in their order */
export function createPartRows(): (level: (typeof surveyLevels)[number], part: object) => Row {
  let surveyId: unknown;
  let questionPosition = 0;
  let optionPosition = 0;
  return (level, part) => {
    if (level === 'option') {
      optionPosition += 1;
      return { surveyId, questionPosition, position: optionPosition, ...part };
    }
    optionPosition = 0;
    if (level === 'question') {
      questionPosition += 1;
      return { surveyId, position: questionPosition, ...part };
    }
    questionPosition = 0;
    const { surveyId: id, ...survey } = part as Row;
    surveyId = id;
    return { id, ...survey };
  };
}

/** Finds the rows of one object in a table other than the first one of its kind, in their order. */
type FindRows = (table: Table, id: string) => Row[];

/** @param row of the first table of the kind @returns the object as /changes publishes it, with the extension fields */
export function createObject(kind: Kind, row: Row, findRows: FindRows): Row {
  const id = String(row.id);
  const published = Object.fromEntries(Object.entries(row).filter(([name]) => !(name in localDates)));
  if (kind === 'session') {
    const [, agendaItems, sessionDocuments] = tablesByKind.session;
    return {
      ...published,
      documents: findDocuments(findRows(sessionDocuments, id)),
      submissionIds: findRows(agendaItems, id).map(({ submissionId }) => submissionId),
    };
  }
  if (kind === 'submission') {
    const [, submissionDocuments] = tablesByKind.submission;
    const { longitude, latitude, ...submission } = published;
    return {
      ...submission,
      documents: findDocuments(findRows(submissionDocuments, id)),
      location: longitude === null ? null : { type: 'Point', coordinates: [longitude, latitude] },
    };
  }
  const [, surveyQuestions, surveyOptions] = tablesByKind.survey;
  const options = findRows(surveyOptions, id);
  const { id: surveyId, ...survey } = row;
  const questions = findRows(surveyQuestions, id).map(({ surveyId: _, position, ...question }) => ({
    ...question,
    options: options
      .filter(({ questionPosition }) => questionPosition === position)
      .map(({ surveyId: _, questionPosition: __, position: ___, ...option }) => option),
  }));
  return { surveyId, ...survey, questions };
}

const findDocuments = (rows: readonly Row[]): Row[] =>
  rows.map(({ title, url, mediaType }) => ({ title, url, mediaType }));
