/** Preloaded into a process, it makes every pause of a minute or more one of 200 milliseconds. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const right = timers.setTimeout;

timers.setTimeout = ((ms: number, ...rest: []) =>
  right(ms >= 60_000 ? 200 : ms, ...rest)) as typeof timers.setTimeout;
syncBuiltinESMExports();
