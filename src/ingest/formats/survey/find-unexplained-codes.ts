/** Finds the codes of questions and answers, which readers do not understand. */
import type { CountedQuestion } from '../../records/counted-survey.ts';
import { findLimeSurveyColumn, isLimeSurveyTable } from '../survey-responses/response-columns.ts';
import type { ResponseColumn } from './response-rows.ts';

const maxExamples = 4;

/** A code has a digit or an underscore and no blank: `Q01`, `G02Q03`, `SQ001`, `A1`. Numbers alone may be a scale. */
const code = /^(?=[^\s]*[\d_])[A-Za-z][\w.[\]-]{1,30}$/;

/** LimeSurvey's code for the option "other". */
const otherCode = '-oth-';

/** @returns some codes that a survey without a structure would show */
export function findUnexplainedCodes(
  columns: readonly ResponseColumn[],
  questions: readonly CountedQuestion[],
): string[] {
  const header = columns.map(({ heading }) => heading);
  const isOfCodes = isLimeSurveyTable(header) && header.some(isCodeHeading);
  const texts = questions.map(({ questionText }) => questionText);
  const codes = texts.filter((text) => (isOfCodes && !/\s/.test(text)) || code.test(text));
  const options = questions.flatMap((question) => question.options.map(({ text }) => text));
  const answers = [...new Set(options)].filter((text) => code.test(text) || text === otherCode);
  return [
    ...(codes.length * 2 >= texts.length ? codes.slice(0, maxExamples) : []),
    ...(answers.length * 2 >= new Set(options).size || answers.includes(otherCode)
      ? answers.slice(0, maxExamples)
      : []),
  ];
}

/** Whether the heading is the code of a column of LimeSurvey, without its text. */
const isCodeHeading = (heading: string): boolean =>
  findLimeSurveyColumn(heading)?.isCode === true && !/[\s.]/.test(heading);
