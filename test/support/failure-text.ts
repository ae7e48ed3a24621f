import { describeReason, type Reason } from '../../src/domain/reasons/reason.ts';

/** The English sentence of a failed run or step; empty without one. */
export const failureText = (ended: { failure: Reason | null } | undefined): string =>
  ended?.failure ? describeReason(ended.failure) : '';
