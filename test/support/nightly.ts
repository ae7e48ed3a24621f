import assert from 'node:assert/strict';

/** Set by `npm run test:nightly`, in which tests repeat more often. The runner finds the files that import this one. */
export const isNightly = process.env.ROSTRA_TEST_NIGHTLY !== undefined;

/**
 * By night, on Citus, and for the mutations of the trust report, which set `ROSTRA_TEST_EVERY_TEST`. By day single tests of a
 * file are left out for the reasons of `byNight` in test/suites.ts, which leaves out whole files.
 */
export const runsEveryTest =
  isNightly ||
  process.env.ROSTRA_TEST_WORKERS !== undefined ||
  process.env.ROSTRA_TEST_EVERY_TEST !== undefined;

/**
 * @param reason why a test runs by night only: what it costs, or what shows the same by day
 * @returns the reason to skip it by day
 */
export const byNight = (reason: string): string | false => !runsEveryTest && `by night: ${reason}`;

/** Reason to skip a test that imports real data. By day, tests with small files show the same. */
export const realDataByNight = byNight('it imports real data');

/** Asserts a time by night, when no other file runs. By day other processes could use all processors. */
export function assertTookAtMost(maxMs: number, tookMs: number): void {
  if (isNightly) assert.ok(tookMs <= maxMs, `took ${Math.round(tookMs)} instead of at most ${maxMs} ms`);
}
