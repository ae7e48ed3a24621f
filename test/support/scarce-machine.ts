/**
 * Preload this file with the query `?state=PATH`: while the file at the path contains `memory`, the machine has no free memory, and
 * while it contains `time`, the clock that measures waits is an hour ahead.
 */
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const path = new URL(import.meta.url).searchParams.get('state') as string;
const { freemem } = os;
const now = performance.now.bind(performance);
const hourMs = 3_600_000;

const has = (state: string): boolean => {
  try {
    return readFileSync(path, 'utf8') === state;
  } catch {
    return false;
  }
};

os.freemem = () => (has('memory') ? 0 : freemem());
performance.now = () => (has('time') ? now() + hourMs : now());
syncBuiltinESMExports();
