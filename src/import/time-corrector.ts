/** Corrects impossible times in records of all formats, and counts the corrections. */

import type { ImportRecord } from '../domain/records.ts';
import { isTimestamp } from '../domain/timestamps.ts';
import type { Reason } from '../reasons/reason.ts';

export interface TimeCorrector {
  correct(record: ImportRecord): ImportRecord;
  /** One per kind of correction. */
  notes(): Reason[];
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
      ...(early > 0 ? [{ code: 'status-times-corrected', count: early } as const] : []),
      ...(future > 0 ? [{ code: 'future-times-corrected', count: future } as const] : []),
    ],
  };
}
