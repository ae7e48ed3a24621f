/** Loaded into a server before its program: appends the end and the length of each long turn of the event loop to the file TURNS_FILE. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import { readProcessorMs } from '../support/processor-time.ts';

const { TURNS_FILE: file } = process.env;

/** Collections end before their turn does, and are reported later. */
let collections: readonly { startTime: number; duration: number }[] = [];
new PerformanceObserver((list) => {
  collections = [...collections, ...list.getEntries()].slice(-100);
}).observe({ entryTypes: ['gc'] });

interface Turn {
  began: number;
  ended: number;
  processorMs: number;
}

/** Shorter turns are not recorded. */
const minTurnMs = 5;

let began = performance.now();
let beganProcessorMs = readProcessorMs();
const candidates: Turn[] = [];

function endTurn(): void {
  const [ended, endedProcessorMs] = [performance.now(), readProcessorMs()];
  // The processor clock of some machines has steps of 4 ms. A turn takes no more processor time than time.
  const processorMs = Math.min(endedProcessorMs - beganProcessorMs, ended - began);
  if (processorMs > minTurnMs) candidates.push({ began, ended, processorMs });
  [began, beganProcessorMs] = [ended, endedProcessorMs];
  setImmediate(endTurn).unref();
}

/** Without garbage collections, of which only the time on the clock is known. */
function judgeCandidates(): void {
  for (const { began, ended, processorMs } of candidates.splice(0)) {
    const collected = collections
      .filter(({ startTime }) => startTime >= began && startTime <= ended)
      .reduce((sum, { duration }) => sum + duration, 0);
    const lengthMs = processorMs - collected;
    if (lengthMs <= minTurnMs) continue;
    appendFileSync(file as string, `${performance.timeOrigin + ended} ${lengthMs.toFixed(2)}\n`);
  }
}

if (file !== undefined) {
  writeFileSync(file, '');
  setInterval(judgeCandidates, 100).unref();
  setImmediate(endTurn).unref();
}
