/**
 * Fair scheduling between municipalities. Reads are synchronous, and a page of very long texts blocks the process for tens
 * of milliseconds. After the second such read the municipality pauses, so that requests of others can run.
 */

import { setImmediate } from 'node:timers/promises';
import { StoreUnavailableError } from '../../domain/store-errors.ts';

/** Longer reads cause a pause. */
const longReadMs = 5;

/** A municipality with a long read will soon have another. */
const suspicionMs = 10_000;

/** Length of the pause in turns of the event loop. Node.js accepts only one connection in each turn. */
const pauseTurns = 16;

/** CPU time of this thread: on a busy machine the elapsed time says little about the cost of a read. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** @param timeoutMs maximum wait of a read */
export function createFairReadScheduler(timeoutMs: number) {
  const paused = new Set<string>();
  /** Time until which reads of a municipality are measured in CPU time, after a read that was long by the clock. */
  const suspectedUntilMs = new Map<string, number>();

  async function pause(organizationId: string): Promise<void> {
    paused.add(organizationId);
    for (let turn = 0; turn < pauseTurns; turn += 1) await setImmediate();
    paused.delete(organizationId);
  }

  /**
   * @param read reads synchronously, before it returns its promise
   * @throws StoreUnavailableError if the pause lasts longer than the timeout
   */
  return async <Result>(organizationId: string, read: () => Promise<Result>): Promise<Result> => {
    const latestMs = performance.now() + timeoutMs;
    while (paused.has(organizationId)) {
      await setImmediate();
      if (performance.now() > latestMs)
        throw new StoreUnavailableError('A municipality requests more long pages than the process can read.');
    }
    // Reading the CPU time is slower than reading the clock, so only reads after a long one use it.
    const startedMs = performance.now();
    const isSuspected = suspectedUntilMs.size > 0 && (suspectedUntilMs.get(organizationId) ?? 0) > startedMs;
    const cpuBeforeMs = isSuspected ? readCpuMs() : 0;
    const result = read();
    if (isSuspected && readCpuMs() - cpuBeforeMs > longReadMs) void pause(organizationId);
    const endedMs = performance.now();
    if (endedMs - startedMs > longReadMs) suspectedUntilMs.set(organizationId, endedMs + suspicionMs);
    else if (!isSuspected && suspectedUntilMs.size > 0) suspectedUntilMs.delete(organizationId);
    return result;
  };
}
