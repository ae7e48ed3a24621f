/** Preload this file to shorten the polling, progress and leases of imports to 20 milliseconds. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const { setTimeout } = timers;
const original = globalThis.setInterval;
const shortMs = 20;

// Other waits, such as the time to stop, keep their length.
timers.setTimeout = (delayMs = 0, ...others) =>
  setTimeout(delayMs === 1_000 || delayMs === 2_000 || delayMs === 60_000 ? shortMs : delayMs, ...others);
globalThis.setInterval = ((work: () => void, ms: number) =>
  original(work, ms === 10_000 ? shortMs : ms)) as typeof globalThis.setInterval;
syncBuiltinESMExports();
