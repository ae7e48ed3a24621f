/** Corrects times that cannot be right, in the records of every format, and counts them. */
import type { ImportRecord } from '../domain/records.ts';
import { isTimestamp } from '../domain/timestamps.ts';

export interface TimeCorrector {
  correct(record: ImportRecord): ImportRecord;
  /** A sentence for each kind of correction. */
  notes(): string[];
}

/** @param now in published form */
export function createTimeCorrector(now: string): TimeCorrector {
  let early = 0;
  let future = 0;
  return {
    correct: (record) => {
      if (record.kind === 'submission') {
        const { createdAt, statusChangedAt } = record;
        if (statusChangedAt >= createdAt || !isTimestamp(statusChangedAt)) return record;
        early += 1;
        return { ...record, statusChangedAt: createdAt };
      }
      if (record.kind !== 'session' || record.createdAt <= now) return record;
      if (!record.isCreatedAtEstimated) future += 1;
      return { ...record, createdAt: now, isCreatedAtEstimated: true };
    },
    notes: () => [
      ...(early > 0
        ? [
            `In ${early} ${early === 1 ? 'submission' : 'submissions'} statusChangedAt was before createdAt: createdAt is published for both.`,
          ]
        : []),
      ...(future > 0
        ? [
            `In ${future} ${future === 1 ? 'session' : 'sessions'} createdAt was in the future: the time of the first import is published.`,
          ]
        : []),
    ],
  };
}
