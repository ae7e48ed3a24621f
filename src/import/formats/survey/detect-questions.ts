/** Detects the questions in a table of survey responses without a structure file. */

import { createTextKey } from '../../disclosure-control/plausibility-checks.ts';
import type { OptionCount } from '../../disclosure-control/small-count-suppression.ts';
import type { CountedQuestion } from '../../disclosure-control/unsuppressed-survey.ts';
import type { ColumnCounts } from './count-column-values.ts';
import { tickedWords, untickedWords } from './limesurvey-questions.ts';

/** Columns about the person or the time, in the words of LimeSurvey, Google Forms and Microsoft Forms. */
const personalColumn =
  /^(#|id|.*[ _-]id|response ?id|antwort[- ]?id|submitdate|date submitted|datum abgesendet|lastpage|last page|letzte seite|start ?language|start-?sprache|seed|zufallsstartwert|startdate|date started|datum gestartet|datestamp|date last action|datum letzte aktivität|ip[- _]?(addr(ess)?|adresse)?|refurl|referrer url|weiterleitungs-url|token|access code|zugangs(code|schlüssel)|time ?stamp|zeitstempel|start ?(time|zeit)|startzeit|completion time|fertigstellungszeit|uhrzeit.*|(first|last|full|sur|vor|nach)?[ -]?names?|e-?mail.*|mail|telefon.*|phone.*|mobile?|adresse|address|stra(ß|ss)e.*|street|plz|postleitzahl|zip( ?code)?|geburts.*|birth.*|date of birth|interviewtime|interviewzeit|gesamtzeit|total time|(group|question)time.*|(gruppen|fragen)zeit.*)$/i;

export const isPersonalColumn = (column: string) =>
  personalColumn.test((column.split('. ', 1)[0] ?? '').trim());

/**
 * Turns columns into questions. Columns named `Question [Option]` with ticks become one multiple-choice question; with
 * other values each becomes a row of a matrix.
 *
 * @param areNamed whether the user named the columns
 */
export function buildQuestions(columns: readonly ColumnCounts[], areNamed: boolean): CountedQuestion[] {
  const groups = Map.groupBy(columns, ({ column }) => splitHeader(column)?.question ?? `\0${column}`);
  return [...groups.values()].flatMap((group) => {
    const question = splitHeader(group[0]?.column ?? '')?.question;
    if (question === undefined || !group.some(hasOnlyTicks))
      return group.map((column) => buildSingleQuestion(column, areNamed));
    return [buildMultipleChoice(question, group.filter(hasOnlyTicks))];
  });
}

function splitHeader(column: string): { question: string; item: string } | undefined {
  const [, question = '', item = ''] = /^(.*\S)\s*\[([^[\]]+)\]$/.exec(column) ?? [];
  return item === '' ? undefined : { question, item };
}

function hasOnlyTicks({ values, isFreeText }: ColumnCounts): boolean {
  const words = [...values.keys()].map((value) => value.toLowerCase());
  return !isFreeText && words.every((word) => tickedWords.includes(word) || untickedWords.includes(word));
}

function buildMultipleChoice(questionText: string, columns: readonly ColumnCounts[]): CountedQuestion {
  const options = columns.map(({ column, values }) => ({
    text: splitHeader(column)?.item ?? column,
    count: sumValueCounts([...values].filter(([value]) => tickedWords.includes(value.toLowerCase()))),
  }));
  return { questionText, questionType: 'multiple_choice', options };
}

function buildSingleQuestion(column: ColumnCounts, isNamed: boolean): CountedQuestion {
  const parts = splitHeader(column.column);
  const questionText = parts === undefined ? column.column : `${parts.question} – ${parts.item}`;
  if (!hasOptions(column, isNamed)) return { questionText, questionType: 'text', options: [] };
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
