/**
 * Questions to which everyone gave the same answer. Their counts are large, and still tell the answer of each person who is known to
 * have taken part.
 */

import type { CountedQuestion, CountedSurvey } from '../../records/counted-survey.ts';
import { isMultipleChoice } from './plausibility-checks.ts';
import { type SuppressionRule, sumCounts } from './small-count-suppression.ts';

/** Whether all people who answered chose one option. In several questions in one, or with several answers: all who took part. */
export function isUnanimous(question: CountedQuestion, { totalResponses }: CountedSurvey): boolean {
  const most = Math.max(0, ...question.options.map(({ count }) => count));
  if (most === 0) return false;
  return most === totalResponses || (!isMultipleChoice(question) && most === sumCounts(question.options));
}

/**
 * How many answers the options gained since everyone may have chosen them, when the question was published without options.
 *
 * @param before responses of the survey at that time
 * @returns a number for each option that everyone may have chosen; below 0 if some people did not answer
 */
export function listGainsSinceUnanimous(
  question: CountedQuestion,
  before: number,
  newResponses: number,
  { threshold }: SuppressionRule,
): number[] {
  const { options } = question;
  const isPossible = (count: number) =>
    count >= threshold &&
    (isMultipleChoice(question) ? count >= before : sumCounts(options) - count <= newResponses);
  return options.filter(({ count }) => isPossible(count)).map(({ count }) => count - before);
}
