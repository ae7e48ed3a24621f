/** When a source runs, retries after a failure and becomes stale. */
import type { SourceState } from './import-source.ts';

export const maxIntervalMs = 31 * 86_400_000;

/** Endpoints fail now and then: a source that has failed for a shorter time does not need attention. */
export const failureGraceMs = 86_400_000;

/** A scheduled source is stale without a success in two intervals, and at the earliest after this time. */
const minStaleAfterMs = 3_600_000;

const firstRetryMs = 900_000;
const maxRetryMs = 6 * 3_600_000;

/** @returns when a source without another success becomes stale. All times in Unix milliseconds */
export const getStaleAtMs = (successAtMs: number, intervalMs: number): number =>
  successAtMs + Math.max(2 * intervalMs, minStaleAfterMs);

/** The time between retries doubles after each failure: from 15 minutes to 6 hours. */
export const getRetryAtMs = (failedAtMs: number, intervalMs: number, failures: number): number =>
  failedAtMs + Math.min(maxRetryMs, Math.min(firstRetryMs, intervalMs) * 2 ** Math.min(failures - 1, 20));

/** Keeps the time of the day: runs start a little after they are due. */
export function getNextRunAtMs(nowMs: number, intervalMs: number, dueAtMs: number | undefined): number {
  if (dueAtMs === undefined || dueAtMs > nowMs) return nowMs + intervalMs;
  return dueAtMs + (Math.floor((nowMs - dueAtMs) / intervalMs) + 1) * intervalMs;
}

export type SourceCondition = 'running' | 'failing' | 'stale' | 'waiting' | 'done';

/** `waiting`: without a run so far. */
export function getSourceCondition(
  {
    runningSince,
    failingSince,
    staleAt,
    lastSuccessAt,
  }: Pick<SourceState, 'runningSince' | 'failingSince' | 'staleAt' | 'lastSuccessAt'>,
  nowMs: number,
): SourceCondition {
  if (runningSince !== null) return 'running';
  if (failingSince !== null) return 'failing';
  if (staleAt !== null && Date.parse(staleAt) <= nowMs) return 'stale';
  return lastSuccessAt === null ? 'waiting' : 'done';
}
