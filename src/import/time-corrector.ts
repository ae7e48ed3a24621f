/** Corrects impossible times in records of all formats, and counts the corrections. */
import type { ImportRecord } from '../domain/records.ts';
import { isTimestamp } from '../domain/timestamps.ts';

export interface TimeCorrector {
  correct(record: ImportRecord): ImportRecord;
  /** One sentence per kind of correction. */
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
    notes: () => {
      const notes: string[] = [];
      if (early > 0)
        notes.push(
          `In ${early} ${early === 1 ? 'submission' : 'submissions'} statusChangedAt was before createdAt: createdAt is published for both.`,
        );
      if (future > 0)
        notes.push(
          `In ${future} ${future === 1 ? 'session' : 'sessions'} createdAt was in the future: the time of the first import is published.`,
        );
      return notes;
    },
  };
}
