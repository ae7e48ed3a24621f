/** Submissions on which the municipality has decided. */
import type { SubmissionRecord } from './records.ts';
import { isTimestamp } from './timestamps.ts';

/** Statuses that are decisions. Of one day, they are shown in this order. */
export const decidedStatuses = ['accepted', 'rejected', 'completed'] as const;

/** Latest decisions that are read at a time. */
export const maxDecisions = 100;

/** @param documents with the form of a time, but perhaps no valid one: it is published unchanged */
export const parseDecisions = (documents: readonly string[]): SubmissionRecord[] =>
  documents
    .map((document) => JSON.parse(document) as SubmissionRecord)
    .filter(({ statusChangedAt }) => isTimestamp(statusChangedAt));
