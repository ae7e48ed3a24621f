/** Preload this file to shorten waits of a minute or more to 200 milliseconds. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const original = timers.setTimeout;

timers.setTimeout = ((ms: number, ...rest: []) =>
  original(ms >= 60_000 ? 200 : ms, ...rest)) as typeof timers.setTimeout;
syncBuiltinESMExports();
