/** The program of the thread that `limit-import-process.ts` starts. It works while the thread of the import is busy. */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

export interface WatchdogData {
  /** Bytes of the whole process: beside the heap, buffers and native libraries use memory. */
  maxMemory: number;
  /** The thread of the import must count its turns within this time. */
  maxSilenceMs: number;
  /** Turns of the thread of the import: one shared 32-bit number. */
  turns: SharedArrayBuffer;
}

const { maxMemory, maxSilenceMs, turns: shared } = workerData as WatchdogData;
const turns = new Int32Array(shared);
const intervalMs = 100;
const standardErrorFd = 2;

/** Nothing less ends a process whose thread does not respond. Its database connections end with it. */
function endProcess(reason: string): void {
  writeSync(standardErrorFd, `${reason}\n`);
  process.kill(process.pid, 'SIGKILL');
}

let lastTurn = 0;
/** Checks instead of time: a machine may sleep. */
let silentChecks = 0;

setInterval(() => {
  const turn = Atomics.load(turns, 0);
  silentChecks = turn === lastTurn ? silentChecks + 1 : 0;
  lastTurn = turn;
  if (process.memoryUsage.rss() > maxMemory)
    endProcess(
      `The import needs more than ${maxMemory / 1_048_576} MiB of memory and was stopped. ROSTRA_IMPORT_MEMORY sets the limit.`,
    );
  else if (silentChecks * intervalMs > maxSilenceMs)
    endProcess(`The import did not respond for ${maxSilenceMs / 1_000} seconds and was stopped.`);
}, intervalMs);

parentPort?.postMessage('ready');
