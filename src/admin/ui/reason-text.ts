import { describeReason, type Reason } from '../../reasons/reason.ts';
import type { PageContext } from '../page-context.ts';

/** The sentence of a reason in the language of the page. */
export function reasonText(
  { language, text: { submissionFields, dryRun } }: PageContext,
  reason: Reason,
): string {
  const fields = Object.entries(submissionFields).map(([name, { label }]) => [name, label]);
  const labels = { ...dryRun.surveyFields, ...dryRun.sessionFields, ...Object.fromEntries(fields) };
  return describeReason(reason, { language, labels });
}
