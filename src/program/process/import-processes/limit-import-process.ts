import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { startThread } from '../../../platform/assets.ts';
import type { WatchdogData } from './import-watchdog.ts';

const smallHeapFlags = ['--heap-growing-percent=20', '--semi-space-growth-factor=1'];

const turnMs = 500;

/** Shorter than the lease of a run, if the process gets a processor. */
const defaultMaxSilenceMs = 45_000;

/**
 * For commands that read foreign files, perhaps beside the server on a small machine: a smaller heap, lower CPU priority, and
 * a thread that ends the process if it needs too much memory or does not respond. Resolves when the thread works.
 *
 * @param maxMemory bytes of the whole process
 * @param maxSilenceMs processor time that the process may use without a turn of its event loop
 */
export async function limitImportProcess(
  maxMemory: number,
  maxSilenceMs = defaultMaxSilenceMs,
): Promise<void> {
  for (const flag of smallHeapFlags) setFlagsFromString(flag);
  // A process that was started with a still lower priority may not raise it.
  if (getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const turns = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  setInterval(() => Atomics.add(new Int32Array(turns), 0, 1), turnMs).unref();
  const data: WatchdogData = { maxMemory, maxSilenceMs, turns };
  const watchdog = startThread('src/program/process/import-processes/import-watchdog', data);
  await once(watchdog, 'message');
  watchdog.unref();
}
