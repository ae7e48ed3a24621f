/** Counts the answers of LimeSurvey responses by the questions of the survey structure. */

import { InputError } from '../../../input-error.ts';
import type { CountedQuestion } from '../../../records/counted-survey.ts';
import type { ImportObserver } from '../../../records/import-observer.ts';
import { isUnticked, tickedWords } from '../../survey-responses/answer-words.ts';
import type { ColumnCounts } from '../count-column-values.ts';
import type { ResponseColumn } from '../response-rows.ts';
import { createColumnKey, type OptionPlan, type QuestionPlan } from './plan-limesurvey-columns.ts';

/** @throws InputError for an unknown code */
export function selectQuestions(plan: QuestionPlan[], codes: readonly string[] | undefined): QuestionPlan[] {
  if (codes === undefined) return plan;
  const unknown = codes.find((code) => !plan.some((question) => question.code === code));
  if (unknown !== undefined) throw new InputError({ code: 'structure-question-missing', question: unknown });
  return plan.filter(({ code }) => codes.includes(code));
}

/** @returns the columns with answers to the questions @throws InputError for a missing column */
export function selectAnswerColumns(
  plan: QuestionPlan[],
  columns: readonly ResponseColumn[],
  file: string,
): ResponseColumn[] {
  const present = new Set(columns.map(({ code }) => createColumnKey(code)));
  const options = plan.flatMap((question) => question.options);
  const missing = options.find(({ column, isOptional }) => !isOptional && !present.has(column));
  if (missing !== undefined)
    throw new InputError({ code: 'structure-column-missing', file, column: missing.column });
  const wanted = new Set(options.map(({ column }) => column));
  return columns.filter(({ code }) => wanted.has(createColumnKey(code)));
}

/** @throws InputError if the structure lacks most answers to a question */
export function countAnswers(
  plan: QuestionPlan[],
  columns: ColumnCounts[],
  file: string,
  observer: ImportObserver,
): CountedQuestion[] {
  const columnByKey = new Map(columns.map((column) => [createColumnKey(column.column.code), column]));
  return plan.map(({ code, questionText, questionType, options }) => {
    const countByOption = new Map<OptionPlan, number>();
    let unknown = 0;
    for (const [key, optionsOfColumn] of Map.groupBy(options, ({ column }) => column)) {
      const column = columnByKey.get(key);
      if (column !== undefined) unknown += countColumn(column, optionsOfColumn, countByOption);
    }
    const known = countByOption.values().reduce((sum, count) => sum + count, 0);
    if (unknown > known) throw new InputError({ code: 'structure-answers-unknown', file, question: code });
    if (unknown > 0) observer.onNote?.({ code: 'answers-skipped', question: code });
    return {
      questionText,
      questionType,
      options: options.map((option) => ({ text: option.text, count: countByOption.get(option) ?? 0 })),
      isOneRow: true,
    };
  });
}

/** @returns the number of answers without an option */
function countColumn(
  { values, filled, isFreeText }: ColumnCounts,
  options: readonly OptionPlan[],
  countByOption: Map<OptionPlan, number>,
): number {
  const first = options[0] as OptionPlan;
  if (options.some(({ codes }) => codes === undefined)) {
    countByOption.set(first, filled);
    return 0;
  }
  if (isFreeText) return Number.POSITIVE_INFINITY;
  const isTickBox = first.codes === tickedWords;
  const answers = [...values]
    .map(([value, count]) => ({ value: value.toLowerCase(), count }))
    .filter(({ value }) => !isTickBox || !isUnticked(value));
  // The code of one answer can be the text of another, so a column has either codes or texts.
  const hasCodes = answers.every(({ value }) => options.some(({ codes }) => codes?.includes(value)));
  let unknown = 0;
  for (const { value, count } of answers) {
    const option = options.find(({ codes, texts }) => (hasCodes ? codes : texts)?.includes(value));
    if (option === undefined) unknown += count;
    else countByOption.set(option, (countByOption.get(option) ?? 0) + count);
  }
  return unknown;
}
