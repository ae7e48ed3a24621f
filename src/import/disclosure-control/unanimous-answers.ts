/**
 * Questions to which everyone gave the same answer. Their counts are large, and still tell the answer of each person who is known to
 * have taken part.
 */
import { isMultipleChoice } from './plausibility-checks.ts';
import { sumCounts } from './small-count-suppression.ts';
import type { CountedQuestion, CountedSurvey } from './unsuppressed-survey.ts';

/** Whether all people who answered chose one option. In several questions in one, or with several answers: all who took part. */
export function isUnanimous(question: CountedQuestion, { totalResponses }: CountedSurvey): boolean {
  const most = Math.max(0, ...question.options.map(({ count }) => count));
  if (most === 0) return false;
  return most === totalResponses || (!isMultipleChoice(question) && most === sumCounts(question.options));
}

/** @param newResponses since the last release, when the question was published without options */
export function mayHaveBeenUnanimous(
  { options }: CountedQuestion,
  newResponses: number,
  threshold: number,
): boolean {
  const sum = sumCounts(options);
  return options.some(({ count }) => count >= threshold && sum - count <= newResponses);
}
