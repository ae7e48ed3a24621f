/** Notes on how suppression changed the counts of a survey: the number of options and the reason, never their names. */
import type { CountedQuestion, CountedSurvey } from './counted-survey.ts';
import type { Suppression, SuppressionRule } from './small-count-suppression.ts';

export const describeSuppression = (
  { title }: CountedSurvey,
  { questionText }: CountedQuestion,
  suppression: Suppression,
  rule: SuppressionRule,
) => `“${truncate(title)}”, “${truncate(questionText)}”: ${explainSuppression(suppression, rule)}.`;

function explainSuppression(suppression: Suppression, { threshold, otherText }: SuppressionRule): string {
  switch (suppression.kind) {
    case 'withheld':
      return `too few answers for a threshold of ${threshold}, published without options`;
    case 'delayed':
      return `keeps its published counts until each option gained either no answer or at least ${threshold}`;
    case 'until-closed':
      return 'ranks are published when the survey is closed, because they reveal each other';
    case 'not-mergeable':
      return `options with fewer than ${threshold} answers cannot be merged, published without options`;
    case 'merged': {
      const { small, others } = suppression;
      const secondary = others === 0 ? '' : `, and ${others} more so that they cannot be computed`;
      return `${small} ${small === 1 ? 'option' : 'options'} with fewer than ${threshold} answers${secondary}, merged into “${otherText}”`;
    }
  }
}

/** Keeps the end, where the rows of a matrix differ. */
export const truncate = (text: string) =>
  text.length > 90 ? `${text.slice(0, 50).trimEnd()}…${text.slice(-39)}` : text;
