/** Recognises a table of single answers to a survey, which is neither a table of counts nor one of citizens' submissions. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { getGivenName } from '../../readers/repeated-column-names.ts';
import { isTimeName, type NamedField, rankColumnName } from '../../records/vocabulary/vocabulary.ts';
import { isTicked, isUnticked } from './answer-words.ts';
import {
  createHeadingKey,
  createTechnicalTest,
  findResponseSystem,
  isLimeSurveyTable,
  isResponseHeading,
} from './response-columns.ts';
import { timeStampHeadings } from './response-systems.ts';

export interface SampledColumn {
  heading: string;
  /** Filled cells of the first rows. */
  values: readonly string[];
  /** Whether each row has a cell. */
  isFull: boolean;
}

/** @returns why the table seems to contain single answers; undefined if it does not */
export function recognizeResponses(columns: readonly SampledColumn[]): Reason | undefined {
  const header = columns.map(({ heading }) => heading);
  const isRecord = hasRecordFields(header, ['title', 'status', 'supportCount']);
  if (isLimeSurveyTable(header, isRecord)) return { code: 'limesurvey-columns' };
  const system = findResponseSystem(header);
  if (system !== undefined) return { code: 'response-system-columns', system: system.name };
  const hasText = isRecord || hasRecordFields(header, ['description', 'topicCategoryName']);
  if (!hasText && timeStampHeadings.includes(createHeadingKey(header[0] ?? '')))
    return { code: 'begins-with-time-stamp' };
  // Forms for ideas ask for a title.
  if (listNames(header).some((name) => hasField(name, ['title']))) return undefined;
  const isTechnical = createTechnicalTest(header);
  const content = columns.filter(({ heading }) => !isTechnical(heading));
  const hasQuestions =
    hasOptionColumns(content, isRecord ? content.length / 2 : 2) ||
    hasQuestionHeadings(content) ||
    (!hasText && hasOnlyAnswers(content));
  return hasQuestions ? { code: 'columns-are-questions' } : undefined;
}

const maxWordsOfField = 3;

/** Headings that may be names of fields. Questions contain such words, too. */
const listNames = (header: readonly string[]): string[] =>
  header.filter(
    (heading) =>
      !/[?[\]]/.test(heading) &&
      heading.split(/[\s_]+/).length <= maxWordsOfField &&
      !isResponseHeading(heading),
  );

/**
 * Whether the columns are those of records: an identifier, a number of votes or a title, and another one of these fields. Words
 * such as "status" alone occur in the short headings of questions, too.
 */
function hasRecordFields(header: readonly string[], fields: readonly NamedField[]): boolean {
  const names = listNames(header);
  const identifying = names.find((name) =>
    hasField(name, ['id', 'referenceNumber', 'supportCount', 'title']),
  );
  return identifying !== undefined && names.some((name) => name !== identifying && hasField(name, fields));
}

const hasField = (name: string, fields: readonly NamedField[]) =>
  fields.some((field) => rankColumnName(field, name) !== undefined);

/** `Question [Option]` has the parts `Question` and `Option`; a repeated heading has its number after the bracket. */
export function splitHeading(heading: string): { question: string; item: string } | undefined {
  const text = getGivenName(heading);
  const number = heading.slice(text.length);
  const open = text.lastIndexOf('[');
  const question = text.slice(0, Math.max(open, 0)).trim();
  const item = text.endsWith(']') ? text.slice(open + 1, -1).trim() : '';
  return question === '' || item === '' || item.includes(']')
    ? undefined
    : { question, item: `${item}${number}` };
}

/** Different answers of columns with the same options. */
const maxSharedAnswers = 15;

/**
 * Whether several columns are options or rows of the same questions. Figures such as `Votes [online]` are no answers.
 *
 * @param minColumns of all such questions
 */
function hasOptionColumns(columns: readonly SampledColumn[], minColumns: number): boolean {
  const groups = Map.groupBy(columns, ({ heading }) => splitHeading(heading)?.question);
  const found = [...groups].flatMap(([question, group]) => {
    const values = group.flatMap((column) => column.values);
    const areOptions =
      question !== undefined &&
      group.length >= 2 &&
      (values.every(isTickBoxCell) || areAnswers(values, maxSharedAnswers));
    return areOptions ? group : [];
  });
  return found.length > 0 && found.length >= minColumns;
}

const isTickBoxCell = (value: string) => isTicked(value) || isUnticked(value);

/** Whether few answers recur. */
function areAnswers(values: readonly string[], maxDifferent: number): boolean {
  const different = new Set(values);
  return (
    different.size <= maxDifferent &&
    values.length >= 2 * different.size &&
    !different.values().some(isFigure)
  );
}

/** Answers on a scale are numbers up to 10. */
const isFigure = (value: string) => /^\d+([.,]\d+)?$/.test(value) && Number(value.replace(',', '.')) > 10;

/** `Q01`, `G02Q03` and `Q2[SQ001]`, but not the quarters Q1 to Q4. */
const questionCode = /^(?:G\d{1,3})?Q\d{1,4}[\w.]{0,20}(?:\[[^\]]{1,40}\]){0,2}$/;
const quarter = /^Q[1-4]$/;

/**
 * Whether at least half of the columns, and two of them, are headed by questions, or by their codes or numbers. Columns of figures
 * may be counts of answers.
 */
function hasQuestionHeadings(columns: readonly SampledColumn[]): boolean {
  const headings = columns
    .filter(
      ({ values }) =>
        values.length === 0 || !values.every((value) => /^\d+$/.test(value)) || !values.some(isFigure),
    )
    .map(({ heading }) => heading.trim());
  const isMost = (found: readonly string[]) => found.length >= 2 && found.length * 2 >= columns.length;
  const codes = headings.filter((heading) => questionCode.test(heading));
  return (
    (isMost(codes) && !codes.every((code) => quarter.test(code))) ||
    isMost(headings.filter((heading) => /[?？؟]/.test(heading))) ||
    isMost(headings.filter((heading) => /^\d{1,3}[.)] ?\p{L}/u.test(heading)))
  );
}

const minRowsOfAnswers = 10;
const maxOptions = 10;

/** Whether the columns have no date and no identifier, but only recurring answers, and texts that some rows lack. */
function hasOnlyAnswers(columns: readonly SampledColumn[]): boolean {
  const choices = columns.filter(
    ({ values }) => values.length >= minRowsOfAnswers && areAnswers(values, maxOptions),
  );
  const others = columns.filter((column) => !choices.includes(column));
  return (
    choices.length >= 2 &&
    others.every(({ isFull }) => !isFull) &&
    !columns.some(({ heading }) => isTimeName(heading))
  );
}
