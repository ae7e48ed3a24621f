/** Sentences on how the counts of a survey were changed before they are published: how many options, and why, never which. */

import type { CountedQuestion, CountedSurvey } from './counted-survey.ts';
import type { Suppression, SuppressionRule } from './small-count-suppression.ts';

export const describeSuppression = (
  { title }: CountedSurvey,
  { questionText }: CountedQuestion,
  folding: Suppression,
  { threshold, otherText }: SuppressionRule,
) =>
  `“${truncate(title)}”, “${truncate(questionText)}”: ${suppressionReason(folding, threshold, otherText)}.`;

function suppressionReason(folding: Suppression, threshold: number, otherText: string): string {
  switch (folding.kind) {
    case 'withheld':
      return `too few answers for a threshold of ${threshold}, published without options`;
    case 'delayed':
      return `stays as it is published, as not every option gained nothing or at least ${threshold} answers`;
    case 'until-closed':
      return 'ranks are published when the survey is closed, as they tell about each other';
    case 'not-mergeable':
      return `options with fewer than ${threshold} answers cannot be folded into one, published without options`;
    case 'merged': {
      const { small, others } = folding;
      const rest = others === 0 ? '' : `, and ${others} more so that they cannot be computed`;
      return `${small} ${small === 1 ? 'option' : 'options'} with fewer than ${threshold} answers${rest}, told as “${otherText}”`;
    }
  }
}

/** What distinguishes questions of a matrix stands at their end. */
export const truncate = (text: string) =>
  text.length > 90 ? `${text.slice(0, 50).trimEnd()}…${text.slice(-39)}` : text;
