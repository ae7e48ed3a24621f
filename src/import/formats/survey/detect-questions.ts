/** Which columns of single responses are questions, where no questionnaire tells it. */

import type { CountedQuestion } from '../../disclosure-control/counted-survey.ts';
import { createTextKey } from '../../disclosure-control/plausibility-checks.ts';
import type { OptionCount } from '../../disclosure-control/small-count-suppression.ts';
import { ticked, unticked } from './limesurvey-questions.ts';

/** What stands in one column. Memory is bounded by the number of different values. */
export interface ColumnCount {
  column: string;
  /** How often each value but the empty one stands there. */
  values: Map<string, number>;
  /** How many cells are not empty. */
  filled: number;
  /** Whether there were more different values, or longer ones, than options have: it is free text. */
  free: boolean;
}

/** Most different values of a column whose values are options. */
export const mostValues = 200;

/** Columns that say who or when, and no answer; in the words of LimeSurvey, Google Forms and Microsoft Forms. */
const ofPersons =
  /^(#|id|.*[ _-]id|response ?id|antwort[- ]?id|submitdate|date submitted|datum abgesendet|lastpage|last page|letzte seite|start ?language|start-?sprache|seed|zufallsstartwert|startdate|date started|datum gestartet|datestamp|date last action|datum letzte aktivität|ip[- _]?(addr(ess)?|adresse)?|refurl|referrer url|weiterleitungs-url|token|access code|zugangs(code|schlüssel)|time ?stamp|zeitstempel|start ?(time|zeit)|startzeit|completion time|fertigstellungszeit|uhrzeit.*|(first|last|full|sur|vor|nach)?[ -]?names?|e-?mail.*|mail|telefon.*|phone.*|mobile?|adresse|address|stra(ß|ss)e.*|street|plz|postleitzahl|zip( ?code)?|geburts.*|birth.*|date of birth|interviewtime|interviewzeit|gesamtzeit|total time|(group|question)time.*|(gruppen|fragen)zeit.*)$/i;

export const saysWhoOrWhen = (column: string) => ofPersons.test((column.split('. ', 1)[0] ?? '').trim());

/**
 * A column is a question with options when its values come again: no more than 200 different ones, each of them
 * twice in the mean. What is asked for by name is one as long as it has so few.
 */
export function hasOptions({ values, free }: ColumnCount, asked: boolean): boolean {
  if (free || values.size === 0) return false;
  return asked || sumOf(values) >= 2 * values.size;
}

const sumOf = (values: Map<string, number>) => [...values.values()].reduce((sum, count) => sum + count, 0);

/**
 * Columns as questions, in their order. `Question [Option]` with ticks is one question of several choices, with
 * other values a matrix.
 *
 * @param asked whether each column was named by the person who imports
 */
export function questionsOf(columns: readonly ColumnCount[], asked: boolean): CountedQuestion[] {
  const groups = Map.groupBy(columns, ({ column }) => partsOf(column)?.question ?? `\0${column}`);
  return [...groups.values()].flatMap((group) => {
    const question = partsOf(group[0]?.column ?? '')?.question;
    if (question === undefined || !group.some(isTicked)) return group.map((column) => single(column, asked));
    return [multiple(question, group.filter(isTicked))];
  });
}

function partsOf(column: string): { question: string; item: string } | undefined {
  const [, question = '', item = ''] = /^(.*\S)\s*\[([^[\]]+)\]$/.exec(column) ?? [];
  return item === '' ? undefined : { question, item };
}

function isTicked({ values, free }: ColumnCount): boolean {
  const known = [...values.keys()].map((value) => value.toLowerCase());
  return !free && known.every((value) => ticked.includes(value) || unticked.includes(value));
}

function multiple(questionText: string, columns: readonly ColumnCount[]): CountedQuestion {
  const options = columns.map(({ column, values }) => ({
    text: partsOf(column)?.item ?? column,
    count: [...values].reduce(
      (sum, [value, count]) => sum + (ticked.includes(value.toLowerCase()) ? count : 0),
      0,
    ),
  }));
  return { questionText, questionType: 'multiple_choice', options };
}

function single(column: ColumnCount, asked: boolean): CountedQuestion {
  const parts = partsOf(column.column);
  const questionText = parts === undefined ? column.column : `${parts.question} – ${parts.item}`;
  if (!hasOptions(column, asked)) return { questionText, questionType: 'text', options: [] };
  const questionType = parts === undefined ? 'single_choice' : 'matrix';
  return { questionText, questionType, options: inOrder(column.values), isOneRow: true };
}

/** By their text: the order in which they were given would tell about the first responses. */
const inOrder = (values: Map<string, number>): OptionCount[] =>
  [...Map.groupBy(values, ([text]) => createTextKey(text)).values()]
    .map(mergeSpellings)
    .sort((a, b) => a.text.localeCompare(b.text, 'de', { numeric: true }));

/** `Bus`, `bus` and `BUS` are one option, in the commonest spelling. */
function mergeSpellings(spellings: [text: string, count: number][]): OptionCount {
  const [[text] = ['']] = spellings.toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return { text, count: spellings.reduce((sum, [, count]) => sum + count, 0) };
}
