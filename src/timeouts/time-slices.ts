/**
 * Work that other requests must not wait for: requests without a key, and pages of the admin area. It runs in short slices of the
 * event loop, one in a turn however many requests there are, and with pauses between them, so that requests with keys have
 * most of the time of the process. See docs/decisions/0122.
 */

/** Work asks for its next slice after this time. A step between two questions comes on top. */
const maxSliceMs = 4;

/** Pause after a slice, as a multiple of its length. */
const pauseRatio = 2;

/** Timers have this resolution: shorter pauses add up. */
const minPauseMs = 1;

/** A slice seems to take hours if the machine sleeps in it. */
const maxPauseMs = 100;

const waiting: (() => void)[] = [];
let isScheduled = false;
let sliceBeganMs = Number.NEGATIVE_INFINITY;
let pausedUntilMs = Number.NEGATIVE_INFINITY;

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  const pauseMs = Math.min(pausedUntilMs - performance.now(), maxPauseMs);
  if (pauseMs < minPauseMs) runInNextTurn();
  else setTimeout(runInNextTurn, pauseMs);
}

/** Node.js runs both in one turn, and the promises of the first before the second. */
function runInNextTurn(): void {
  setImmediate(beginSlice);
  setImmediate(endSlice);
}

function beginSlice(): void {
  sliceBeganMs = performance.now();
  waiting.shift()?.();
}

function endSlice(): void {
  const nowMs = performance.now();
  pausedUntilMs = Math.max(pausedUntilMs, sliceBeganMs) + pauseRatio * (nowMs - sliceBeganMs);
  sliceBeganMs = Number.NEGATIVE_INFINITY;
  isScheduled = false;
  schedule();
}

/** @returns a promise that resolves at the beginning of a slice, in the order of the calls */
export function waitForSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

/** Also outside of a slice, such as after the response of the database. */
export const isSliceUsedUp = (): boolean => performance.now() - sliceBeganMs >= maxSliceMs;

/** Waits for another slice whenever one is used up. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    if (isSliceUsedUp()) await waitForSlice();
    results.push(map(item));
  }
  return results;
}
