import { describeReason, type Reason } from '../../../domain/reasons/reason.ts';
import type { PageContext } from '../requests/page-context.ts';

/** The sentence of a reason in the language of the page. Only if it is several sentences, it ends with a full stop. */
export function reasonText({ language }: PageContext, reason: Reason): string {
  const text = describeReason(reason, language);
  return /[.?!] \p{Lu}/u.test(text) && !/[.?!]$/.test(text) ? `${text}.` : text;
}
