/** Corrects impossible times in records of all formats, and counts the corrections and the days that may be unknown ones. */

import type { Reason } from '../../domain/reasons/reason.ts';
import type { ImportRecord } from '../../domain/records/records.ts';
import { createLocalDays, isTimestamp } from '../../domain/values/timestamps.ts';
import { createCounter } from './bounded-counter.ts';
import { zeroDays } from './plausible-dates.ts';

export interface TimeCorrector {
  correct(record: ImportRecord): ImportRecord;
  /** One per kind of correction, and per field and day that may be an unknown one. */
  notes(): Reason[];
}

/** Published times, and days. No zero day is later. */
const endOfZeroDays = '1970-01-03';

/**
 * @param now in published form
 * @param timeZone of local days
 */
export function createTimeCorrector(now: string, timeZone: string): TimeCorrector {
  let early = 0;
  let future = 0;
  const toLocalDay = createLocalDays(timeZone);
  const onZeroDays = createCounter<{ field: string; day: string }>();
  const noteZeroDay = (field: string, at: string) => {
    if (at > endOfZeroDays) return;
    // The zero itself may be a day earlier in local time.
    const isMidnight = at.length === 10 || at.endsWith('T00:00:00.000Z');
    const days = [isMidnight ? at.slice(0, 10) : '', at.length === 10 ? '' : toLocalDay(at)];
    const day = days.find((each) => zeroDays.has(each));
    if (day !== undefined) onZeroDays.add({ field, day });
  };
  return {
    correct: (record) => {
      if (record.kind === 'submission') {
        const { createdAt, statusChangedAt } = record;
        noteZeroDay('createdAt', createdAt);
        if (statusChangedAt >= createdAt || !isTimestamp(statusChangedAt)) return record;
        early += 1;
        return { ...record, statusChangedAt: createdAt };
      }
      if (record.kind !== 'session') return record;
      noteZeroDay('date', record.date);
      if (record.createdAt <= now) return record;
      if (!record.isCreatedAtEstimated) future += 1;
      return { ...record, createdAt: now, isCreatedAtEstimated: true };
    },
    notes: () => [
      ...(early > 0 ? [{ code: 'status-times-corrected', count: early } as const] : []),
      ...(future > 0 ? [{ code: 'future-times-corrected', count: future } as const] : []),
      ...onZeroDays.list().map((found) => ({ code: 'zero-days', ...found }) as const),
    ],
  };
}
