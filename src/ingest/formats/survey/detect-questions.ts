/** Detects the questions in a table of survey responses without a structure file. */

import { createTextKey } from '../../privacy/disclosure-control/plausibility-checks.ts';
import type { CountedQuestion, OptionCount } from '../../records/counted-survey.ts';
import {
  isCommentItem,
  isOtherItem,
  isRankItem,
  isTicked,
  isUnticked,
} from '../survey-responses/answer-words.ts';
import { splitHeading } from '../survey-responses/recognize-responses.ts';
import type { ColumnCounts } from './count-column-values.ts';

/**
 * Turns columns into questions. Columns named `Question [Option]` with ticks become one multiple-choice question; with
 * other values each becomes a row of a matrix, or a rank. Own words beside the answers to a question are no question.
 *
 * @param areNamed whether the user named the columns
 */
export function buildQuestions(columns: readonly ColumnCounts[], areNamed: boolean): CountedQuestion[] {
  const headings = new Set(columns.map(({ column: { heading } }) => heading));
  const isBesideAnswers = (column: ColumnCounts) =>
    isOwnWords(column) && headings.has(splitHeading(column.column.heading)?.question ?? '');
  const groups = Map.groupBy(
    columns.filter((column) => !isBesideAnswers(column)),
    ({ column: { heading } }) => splitHeading(heading)?.question ?? `\0${heading}`,
  );
  return [...groups.values()].flatMap((group) => {
    const question = splitHeading(group[0]?.column.heading ?? '')?.question;
    if (question !== undefined && isMultipleChoice(group)) return [buildMultipleChoice(question, group)];
    if (question !== undefined && group.every((column) => isRankItem(getItem(column))))
      return buildRanking(group);
    return group.map((column) => buildSingleQuestion(column, areNamed));
  });
}

/** Whether nobody answered the column, and it is not a question by its heading: LimeSurvey has such columns for texts. */
export const isPageHeading = ({ column: { heading }, filled }: ColumnCounts): boolean =>
  filled === 0 && splitHeading(heading) === undefined && !/[?？؟]/.test(heading);

const getItem = ({ column: { heading } }: ColumnCounts): string => splitHeading(heading)?.item ?? heading;

/** "Other (please specify)" */
const isOther = (column: ColumnCounts) => isOtherItem(getItem(column).replace(/\([^()]{1,60}\):?$/, ''));

const isComment = (column: ColumnCounts): boolean =>
  splitHeading(column.column.heading) !== undefined && isCommentItem(getItem(column));

/** Also of a column with the heading "Other" alone, as of Typeform. */
const isOwnWords = (column: ColumnCounts): boolean => isOther(column) || isComment(column);

/** Whether the columns with options have ticks only. A column with texts may hold the words of an option "other". */
function isMultipleChoice(group: readonly ColumnCounts[]): boolean {
  const options = group.filter((column) => !isOwnWords(column));
  const [ticks = [], others = []] = [true, false].map((is) =>
    options.filter((column) => hasOnlyTicks(column) === is),
  );
  const isAnswered = others.length === 0 || ticks.some(({ filled }) => filled > 0);
  return ticks.length > 0 && isAnswered && others.every((column) => !hasOptions(column, false));
}

/** A form may write the text of the option as a tick. */
const isTick = (value: string, item: string) => isTicked(value) || value.toLowerCase() === item.toLowerCase();

function hasOnlyTicks(column: ColumnCounts): boolean {
  const item = getItem(column);
  return (
    !column.isFreeText && column.values.keys().every((value) => isTick(value, item) || isUnticked(value))
  );
}

/** Own words are counted, and not read; comments on an answer are not counted. */
function buildMultipleChoice(questionText: string, columns: readonly ColumnCounts[]): CountedQuestion {
  const options = columns
    .filter((column) => isOtherItem(getItem(column)) || (hasOnlyTicks(column) && !isComment(column)))
    .map((column) => {
      const text = getItem(column);
      const ticks = [...column.values].filter(([value]) => isTick(value, text));
      return { text, count: hasOnlyTicks(column) ? sumValueCounts(ticks) : column.filled };
    });
  return { questionText, questionType: 'multiple_choice', options };
}

/** All ranks have the same options, also those that nobody put there, so that they are protected together. */
function buildRanking(group: readonly ColumnCounts[]): CountedQuestion[] {
  const all = new Map(group.flatMap(({ values }) => [...values.keys()].map((value) => [value, 0])));
  return group.map((column) => ({
    questionText: createQuestionText(column),
    questionType: 'ranking',
    options: column.isFreeText ? [] : listOptions(new Map([...all, ...column.values])),
  }));
}

function createQuestionText({ column: { heading } }: ColumnCounts): string {
  const parts = splitHeading(heading);
  return parts === undefined ? heading : `${parts.question} – ${parts.item}`;
}

function buildSingleQuestion(column: ColumnCounts, isNamed: boolean): CountedQuestion {
  const questionText = createQuestionText(column);
  const parts = splitHeading(column.column.heading);
  if (isOwnWords(column) || !hasOptions(column, isNamed))
    return { questionText, questionType: 'text', options: [] };
  const questionType = parts === undefined ? 'single_choice' : 'matrix';
  return { questionText, questionType, options: listOptions(column.values), isOneRow: true };
}

/** Values are options if each occurs at least twice on average. Columns that the user named are exempt. */
function hasOptions({ values, isFreeText }: ColumnCounts, isNamed: boolean): boolean {
  if (isFreeText || values.size === 0) return false;
  return isNamed || sumValueCounts([...values]) >= 2 * values.size;
}

/** Sorted by text, because the original order would reveal something about the first responses. */
const listOptions = (values: Map<string, number>): OptionCount[] =>
  [...Map.groupBy(values, ([text]) => createTextKey(text)).values()]
    .map(mergeSpellings)
    .sort((a, b) => a.text.localeCompare(b.text, 'de', { numeric: true }));

/** `Bus`, `bus` and `BUS` become one option with the most frequent spelling. */
function mergeSpellings(spellings: ValueCount[]): OptionCount {
  const [[text] = ['']] = spellings.toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return { text, count: sumValueCounts(spellings) };
}

type ValueCount = [value: string, count: number];

const sumValueCounts = (counts: readonly ValueCount[]) => counts.reduce((sum, [, count]) => sum + count, 0);
