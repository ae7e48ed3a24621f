/** Selects the columns of questions in a table of survey responses, and those that say which responses are finished. */

import { InputError } from '../../input-error.ts';
import { getGivenName } from '../../readers/repeated-column-names.ts';
import type { CountedQuestion } from '../../records/counted-survey.ts';
import type { ImportObserver } from '../../records/import-observer.ts';
import {
  createTechnicalTest,
  findResponseFlag,
  findResponseSystem,
  isLimeSurveyTable,
  listDoubtfulStates,
  listResponseMarks,
  type ResponseMark,
} from '../survey-responses/response-columns.ts';
import type { ResponseSystem } from '../survey-responses/response-systems.ts';
import type { ColumnCounts } from './count-column-values.ts';
import { isPageHeading } from './detect-questions.ts';
import type { ResponseColumn, ResponseHeader } from './response-rows.ts';

type Columns = readonly ResponseColumn[];

const listNames = (columns: Columns) => columns.map(({ name }) => name);
const listCodes = (columns: Columns) => columns.map(({ code }) => code);

/** @param wanted columns that the user has named @throws InputError for a missing column */
export function selectColumns(
  columns: Columns,
  wanted: readonly string[] | undefined,
  file: string,
): ResponseColumn[] {
  if (wanted === undefined) {
    const isTechnical = createColumnTest(columns);
    return columns.filter((column) => !isTechnical(column));
  }
  const isNamed = (column: ResponseColumn, name: string) =>
    [column.name, column.heading, column.code].includes(name);
  const missing = wanted.find((name) => !columns.some((column) => isNamed(column, name)));
  if (missing !== undefined) throw new InputError({ code: 'survey-column-missing', file, column: missing });
  return columns.filter((column) => wanted.some((name) => isNamed(column, name)));
}

/** @returns a test for the columns about the response, the person or the time; either row of headings may name them */
function createColumnTest(columns: Columns): (column: ResponseColumn) => boolean {
  const isTechnicalName = createTechnicalTest(listNames(columns));
  const isTechnicalCode = createTechnicalTest(listCodes(columns));
  return ({ name, code }) => isTechnicalName(name) || isTechnicalCode(code);
}

/** @returns the columns in the cells, and tests of their cells; either row of headings may name them */
export function listMarkColumns(
  columns: Columns,
  kind: Parameters<typeof listResponseMarks>[1],
): ResponseMark[] {
  const byName = listResponseMarks(listNames(columns), kind);
  if (byName.length > 0) return byName;
  return listResponseMarks(listCodes(columns), kind).flatMap((mark) =>
    columns.filter(({ code }) => code === mark.column).map(({ name }) => ({ ...mark, column: name })),
  );
}

/** @returns the columns that mark a response as a draft, a test, deleted or spam, and a test of their cells */
export const listFlagColumns = (columns: Columns): ResponseMark[] =>
  columns.flatMap(({ name, code }) => {
    const has = findResponseFlag(getGivenName(name)) ?? findResponseFlag(code);
    return has === undefined ? [] : [{ column: name, has }];
  });

/** @returns the system that wrote the table; either row of headings may show it */
export const findSystem = (columns: Columns): ResponseSystem | undefined =>
  findResponseSystem(listNames(columns)) ?? findResponseSystem(listCodes(columns));

/** @returns cells for questions without an answer. LimeSurvey writes them into exports of full answers and into VV files */
export function listNoAnswers(columns: Columns): readonly string[] {
  const headers = [listNames(columns), listCodes(columns)];
  if (headers.some((header) => isLimeSurveyTable(header))) return ['N/A', '{question_not_shown}'];
  return findSystem(columns)?.noAnswers ?? [];
}

/** @param isDetected whether neither the user nor a structure names the questions */
export function reportHeader(
  { columns, hasTwoRows }: ResponseHeader,
  counted: readonly ColumnCounts[],
  isDetected: boolean,
  observer: ImportObserver,
): void {
  const selected = counted.map(({ column }) => column);
  const names = new Set(listNames(selected));
  const others = columns.filter(({ name }) => !names.has(name));
  observer.onLeftOutColumns?.(listNames(others));
  if (hasTwoRows) observer.onNote?.({ code: 'header-rows-joined' });
  if (!isDetected) return;
  if (others.length > 0)
    observer.onNote?.({ code: 'personal-columns-skipped', columns: others.map(({ heading }) => heading) });
  const headings = new Set(columns.map(({ heading }) => heading));
  const numbered = selected
    .map(({ heading }) => heading)
    .filter((heading) => getGivenName(heading) !== heading && headings.has(getGivenName(heading)));
  if (numbered.length > 0) observer.onNote?.({ code: 'columns-numbered', columns: numbered });
}

/** Only a file of answers shows which of its columns are texts between the questions. */
export function leaveOutPageHeadings(
  columns: readonly ColumnCounts[],
  observer: ImportObserver,
): ColumnCounts[] {
  const headings = columns.filter(isPageHeading).map(({ column: { heading } }) => heading);
  if (headings.length > 0) observer.onNote?.({ code: 'columns-without-answers', columns: headings });
  return columns.filter((column) => !isPageHeading(column));
}

/** A column such as "Status" may say which responses count. */
export function noteStates(columns: readonly ColumnCounts[], observer: ImportObserver): void {
  for (const { column, values } of columns)
    for (const word of listDoubtfulStates(column.heading, [...values.keys()]))
      observer.onNote?.({
        code: 'responses-doubtful',
        column: column.heading,
        word,
        count: values.get(word) ?? 0,
      });
}

/** Codes of many systems for a missing answer, beside answers that are numbers. */
const missingCode = /^-(?:[6-9]|[6-9]{2}|9{3,4})$/;

/** Without a system that declares its codes, such a number may be an answer. */
export function noteMissingCodes(columns: readonly ColumnCounts[], observer: ImportObserver): void {
  for (const { column, values } of columns) {
    const [codes = [], others = []] = [true, false].map((is) =>
      [...values.keys()].filter((value) => missingCode.test(value) === is),
    );
    if (others.length === 0 || !others.every((value) => /^\d{1,9}$/.test(value))) continue;
    for (const code of codes)
      observer.onNote?.({
        code: 'answers-may-be-codes',
        column: column.heading,
        answer: code,
        count: values.get(code) ?? 0,
      });
  }
}

/** Such as `${q://QID1/ChoiceGroup}`, `{{field:1}}`, `{TOKEN:FIRSTNAME}` and `{Q1.shown}`. */
const placeholder = /\$\{\w{1,9}:\/\/|\{\{ ?[A-Za-z]\w{0,40} ?[:.}]|\{[A-Za-z]\w{0,40}[:.}]/;

/** A survey puts an answer or a name into a question that it shows. */
export function notePlaceholders(questions: readonly CountedQuestion[], observer: ImportObserver): void {
  const found = questions.map(({ questionText }) => questionText).filter((text) => placeholder.test(text));
  if (found.length > 0) observer.onNote?.({ code: 'questions-have-placeholders', questions: found });
}

/**
 * Forms write several answers to a question into a cell, as in "Bus;Rad;" and "Bus, Rad".
 *
 * @param separator between them, too
 */
export function noteLists(
  columns: readonly ColumnCounts[],
  separator: string | undefined,
  observer: ImportObserver,
): void {
  const found = columns
    .filter((column) => hasLists(column, separator))
    .map(({ column: { heading } }) => heading);
  if (found.length > 0) observer.onNote?.({ code: 'answers-are-lists', columns: found });
}

function hasLists({ values, filled }: ColumnCounts, separator = ';'): boolean {
  // Texts have no options.
  if (filled < 2 * values.size) return false;
  const lists = [...values.keys()].map((value) => splitList(value.replaceAll(separator, ';')));
  const uses = Map.groupBy(lists.flat(), (part) => part);
  return lists.some((parts) => parts.length > 1 && parts.every((part) => (uses.get(part)?.length ?? 0) > 1));
}

const splitList = (value: string): string[] => [
  ...new Set(
    value
      .split(/[;\n]|, /)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];

/**
 * Without a line of headings, the answers of the first person would be published as questions.
 *
 * @throws InputError if most headings are among the answers to their question
 */
export function assertHeadings(columns: readonly ColumnCounts[], file: string): void {
  const choices = columns.filter(({ values }) => values.size > 1);
  const answers = choices.filter(({ column: { heading }, values }) => values.has(getGivenName(heading)));
  if (answers.length >= 2 && answers.length * 2 >= choices.length)
    throw new InputError({ code: 'survey-header-missing', file });
}
