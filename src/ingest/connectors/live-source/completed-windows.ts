/** The times whose records a run has read. */
import type { TimeRange } from '../../pipeline/missing-records.ts';

export interface TimeWindow {
  fromMs: number;
  toMs: number;
}

export interface ReadWindow extends TimeWindow {
  /** Whether the server returned all of its records, or none. */
  isComplete: boolean;
  /** Whether the server returned as many records as it does at most. */
  isCut?: boolean;
}

/** Servers write local time and call it UTC, and some select whole days. */
export const toleranceMs = 2 * 86_400_000;

/** @returns the times of windows that were read completely, in the published form */
export function listCompleteTimes(windows: readonly ReadWindow[]): TimeRange[] {
  const joined: TimeWindow[] = [];
  for (const { fromMs, toMs } of windows.filter(({ isComplete }) => isComplete).toSorted(compareStart)) {
    const last = joined.at(-1);
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else joined.push({ fromMs, toMs });
  }
  return joined
    .map(({ fromMs, toMs }) => ({ fromMs: fromMs + toleranceMs, toMs: toMs - toleranceMs }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
    .map(({ fromMs, toMs }) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
    }));
}

const compareStart = (one: TimeWindow, other: TimeWindow) => one.fromMs - other.fromMs;
