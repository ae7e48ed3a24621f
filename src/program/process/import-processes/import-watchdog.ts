/** The program of the thread that `limit-import-process.ts` starts. It works while the thread of the import is busy. */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

export interface WatchdogData {
  /** Bytes of the whole process: beside the heap, buffers and native libraries use memory. */
  maxMemory: number;
  /** Processor time of the process within which the thread of the import must count a turn. */
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

/** Processor time of all threads, because a machine may sleep, or give the process little time. */
function readUsedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Bytes. Where /proc is not mounted, as in a chroot, the peak of the process is known, but not its current use. */
function readMemory(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1_024;
  }
}

/** Checks, ten minutes: a file on a network that hangs uses no processor time. */
const maxSilentChecks = 6_000;

let lastTurn = 0;
let usedMsAtTurn = readUsedMs();
let silentChecks = 0;

setInterval(() => {
  const turn = Atomics.load(turns, 0);
  if (turn !== lastTurn) usedMsAtTurn = readUsedMs();
  silentChecks = turn === lastTurn ? silentChecks + 1 : 0;
  lastTurn = turn;
  if (readMemory() > maxMemory)
    endProcess(
      `The import needs more than ${maxMemory / 1_048_576} MiB of memory and was stopped. ROSTRA_IMPORT_MEMORY sets the limit.`,
    );
  else if (readUsedMs() - usedMsAtTurn > maxSilenceMs)
    endProcess(
      `The import did not respond for ${maxSilenceMs / 1_000} seconds of processor time and was stopped.`,
    );
  else if (silentChecks > maxSilentChecks)
    endProcess('The import did not respond for ten minutes and was stopped.');
}, intervalMs);

parentPort?.postMessage('ready');
