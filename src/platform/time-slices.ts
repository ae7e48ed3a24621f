/**
 * Work that other requests must not wait for: requests without a key, and pages of the admin area. It runs in short slices of the
 * event loop, one in a turn however many requests there are, and with pauses between them, so that requests with keys have
 * most of the time of the process. See docs/decisions/0122.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work asks for its next slice after this time. A step between two questions comes on top. */
const maxSliceMs = 2;

/** From the beginning of a slice to the next one, as a multiple of its length: half of the time is for other work. */
const intervalRatio = 2;

/** Timers have this resolution: shorter pauses add up. */
const minPauseMs = 1;

/** A slice seems to take hours if the process is stopped in it. The slices after it must not pay for that. */
const maxPauseMs = 100;

/** Requests without a key must not delay the pages of signed-in people. */
const queues = { signedIn: [] as (() => void)[], others: [] as (() => void)[] };
const isSignedIn = new AsyncLocalStorage<true>();
let isTurnOfOthers = false;
let isScheduled = false;
let sliceBeganMs = Number.NEGATIVE_INFINITY;
let pausedUntilMs = Number.NEGATIVE_INFINITY;

function schedule(): void {
  if (isScheduled || queues.signedIn.length + queues.others.length === 0) return;
  isScheduled = true;
  const nowMs = performance.now();
  pausedUntilMs = Math.min(pausedUntilMs, nowMs + maxPauseMs);
  const pauseMs = pausedUntilMs - nowMs;
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
  const [first, second] = isTurnOfOthers
    ? [queues.others, queues.signedIn]
    : [queues.signedIn, queues.others];
  isTurnOfOthers = !isTurnOfOthers;
  const resolve = first.shift() ?? second.shift();
  resolve?.();
}

function endSlice(): void {
  const nowMs = performance.now();
  pausedUntilMs = Math.max(pausedUntilMs, sliceBeganMs) + intervalRatio * (nowMs - sliceBeganMs);
  sliceBeganMs = Number.NEGATIVE_INFINITY;
  isScheduled = false;
  schedule();
}

/** Work of signed-in people has every second slice if others wait, too. */
export const runSignedIn = <Result>(work: () => Result): Result => isSignedIn.run(true, work);

/** @returns a promise that resolves at the beginning of a slice, in the order of the calls of its queue */
export function waitForSlice(): Promise<void> {
  return new Promise((resolve) => {
    queues[isSignedIn.getStore() ? 'signedIn' : 'others'].push(resolve);
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

/** Items that are sorted at once. */
const runLength = 256;

/** As `toSorted`, but waits for another slice whenever one is used up. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let first = 0; first < items.length; first += runLength) {
    if (isSliceUsedUp()) await waitForSlice();
    runs.push(items.slice(first, first + runLength).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergeInSlices(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeInSlices<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = [];
  let taken = 0;
  for (const item of one) {
    for (; taken < other.length && compare(other[taken] as Item, item) < 0; taken += 1) {
      merged.push(other[taken] as Item);
      if (isSliceUsedUp()) await waitForSlice();
    }
    merged.push(item);
    if (isSliceUsedUp()) await waitForSlice();
  }
  return merged.concat(other.slice(taken));
}
