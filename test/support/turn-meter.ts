/** Measures how long a request holds up this thread: the longest turn of the event loop, in processor time. */
import { setImmediate as waitForTurn } from 'node:timers/promises';
import { readProcessorMs } from './processor-time.ts';

export interface TurnMeter extends Disposable {
  /** Begins to measure. */
  reset(): void;
  /** Processor time of the longest turn since the reset, in milliseconds. */
  readLongestMs(): Promise<number>;
}

/** Keeps the event loop busy until it is disposed. */
export function createTurnMeter(): TurnMeter {
  let longestMs = 0;
  let beganMs = readProcessorMs();
  let next = setImmediate(endTurn);
  function endTurn(): void {
    const nowMs = readProcessorMs();
    longestMs = Math.max(longestMs, nowMs - beganMs);
    beganMs = nowMs;
    next = setImmediate(endTurn);
  }
  return {
    reset: () => {
      longestMs = 0;
      beganMs = readProcessorMs();
    },
    readLongestMs: async () => {
      await waitForTurn();
      return longestMs;
    },
    [Symbol.dispose]: () => clearImmediate(next),
  };
}
