import assert from 'node:assert/strict';

/** Set by `npm run test:nightly`, in which tests repeat more often, and some run only then. The runner finds the files that import this one. */
export const isNightly = process.env.ROSTRA_TEST_NIGHTLY !== undefined;

/** Asserts a time by night, when no other file runs. By day other processes could use all processors. */
export function assertTookAtMost(maxMs: number, tookMs: number): void {
  if (isNightly) assert.ok(tookMs <= maxMs, `took ${Math.round(tookMs)} instead of at most ${maxMs} ms`);
}
