/** Measures how long a request holds up this thread: the longest turn of the event loop, in processor time. */
import { setTimeout as wait } from 'node:timers/promises';
import { readProcessorMs } from './processor-time.ts';

export interface TurnMeter extends Disposable {
  /** Begins to measure. */
  reset(): void;
  /** Processor time of the longest turn since the reset, in milliseconds. */
  readLongestMs(): Promise<number>;
}

/** Short turns within this time are measured together. Measuring each would keep the processor busy. */
const intervalMs = 1;

export function createTurnMeter(): TurnMeter {
  let longestMs = 0;
  let beganMs = readProcessorMs();
  let next = setTimeout(endTurn, intervalMs);
  function endTurn(): void {
    const nowMs = readProcessorMs();
    longestMs = Math.max(longestMs, nowMs - beganMs);
    beganMs = nowMs;
    next = setTimeout(endTurn, intervalMs);
  }
  return {
    reset: () => {
      longestMs = 0;
      beganMs = readProcessorMs();
    },
    readLongestMs: async () => {
      await wait(2 * intervalMs);
      return longestMs;
    },
    [Symbol.dispose]: () => clearTimeout(next),
  };
}
