/** What keeps a slow or failing batch of `admission.ts` from delaying the others. */
import { createTimeoutQueue } from '../platform/timeout-queue.ts';

/** After this time, a batch no longer keeps others from beginning. */
const maxSlotMs = 50;

export const slotCheckIntervalMs = 25;

/** A key that fails alone has batches of its own, without pages, for this time after its last failure. */
const isolationMs = 10_000;

/** Counts the batches under way. @param onFree a slot may be free: a batch has ended, or takes too long to count any more */
export function createBatchSlots(maxRunning: number, onFree: () => void) {
  let running = 0;
  const taken = createTimeoutQueue(maxSlotMs, slotCheckIntervalMs, () => {
    running -= 1;
    onFree();
  });
  return {
    isFree: () => running < maxRunning,
    run: async (work: () => Promise<void>): Promise<void> => {
      running += 1;
      const slot = taken.add({ startedMs: performance.now() });
      await work();
      if (taken.remove(slot)) running -= 1;
      onFree();
    },
  };
}

/** By the hashes of their secrets. */
export function createIsolatedKeys() {
  const ends = new Map<string, NodeJS.Timeout>();
  return {
    get size() {
      return ends.size;
    },
    has: (hash: string) => ends.has(hash),
    add(hash: string): void {
      const end = ends.get(hash) ?? setTimeout(() => ends.delete(hash), isolationMs).unref();
      ends.set(hash, end.refresh());
    },
  };
}
