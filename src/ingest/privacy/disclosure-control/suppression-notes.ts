/** Notes on how suppression changed the counts of a survey: the number of options and the reason, never their names. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import type { CountedQuestion, CountedSurvey } from '../../records/counted-survey.ts';
import type { Suppression, SuppressionRule } from './small-count-suppression.ts';

const codes = {
  withheld: 'answers-withheld',
  delayed: 'answers-delayed',
  unanimous: 'answers-unanimous',
  'until-update': 'answers-await-update',
  'until-closed': 'ranks-delayed',
  'not-mergeable': 'answers-not-mergeable',
} as const;

export function toSuppressionNote(
  { title, totalResponses }: CountedSurvey,
  { questionText, questionType, options, isOneRow }: CountedQuestion,
  suppression: Suppression,
  { threshold, otherText: into }: SuppressionRule,
): Reason {
  const values = { title: truncateMiddle(title), question: truncateMiddle(questionText), threshold };
  // A column of an option has cells of those who chose it.
  const [{ count = 0 } = {}, ...others] = options;
  const isColumnOfOption = isOneRow === true && others.length === 0 && questionType !== 'multiple_choice';
  if (suppression.kind === 'unanimous' && isColumnOfOption && count < Number(totalResponses))
    return { code: 'answers-one-value', ...values, count, total: Number(totalResponses) };
  if (suppression.kind !== 'merged') return { code: codes[suppression.kind], ...values };
  return { code: 'answers-merged', ...values, small: suppression.small, others: suppression.others, into };
}

/** Keeps the end, where the rows of a matrix differ. */
export const truncateMiddle = (text: string) =>
  text.length > 90 ? `${text.slice(0, 50).trimEnd()}…${text.slice(-39)}` : text;
