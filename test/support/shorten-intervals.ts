/** Preload this file to wait a moment instead of a minute or more. */

import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const { setTimeout } = timers;
timers.setTimeout = (delayMs = 0, ...others) => setTimeout(delayMs < 60_000 ? delayMs : 10, ...others);
syncBuiltinESMExports();
