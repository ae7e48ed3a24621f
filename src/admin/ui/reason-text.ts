import { describeReason, type Reason } from '../../reasons/reason.ts';
import type { PageContext } from '../page-context.ts';

/** The sentence of a reason in the language of the page. */
export const reasonText = ({ language }: PageContext, reason: Reason): string =>
  describeReason(reason, language);
