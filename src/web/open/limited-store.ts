/** The store of requests without a key. They use few connections to the database, so that requests with keys keep the others. */
import type { Store } from '../../domain/store.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { waitForSlice } from '../../platform/time-slices.ts';

/** Calls of a process at a time. */
const maxRunning = 4;

/** A call that has waited longer would be too late for its client. */
const maxWaitMs = 2_000;

/**
 * At most `maxRunning` calls of the store run at a time. The others wait, in the order of their arrival. Each call begins a slice,
 * because calls of SQLite are synchronous, and so does the work on its result.
 */
export function limitStore(store: Store): Store {
  const run = createSlots();
  return {
    ...limitCalls(store, run),
    findOpenData: shareLookups(run, store.findOpenData),
    listOpenData: shareLookups(run, store.listOpenData),
  };
}

/** Also of the objects in it. */
function limitCalls<Target extends object>(target: Target, run: RunInSlot): Target {
  const limit = (value: unknown): unknown => {
    if (typeof value === 'function') return (...parameters: unknown[]) => run(() => value(...parameters));
    return typeof value === 'object' && value !== null ? limitCalls(value, run) : value;
  };
  return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, limit(value)])) as Target;
}

type RunInSlot = <Result>(call: () => Promise<Result>) => Promise<Result>;

function createSlots(): RunInSlot {
  const waiting: { sinceMs: number; start: () => void; reject: (error: unknown) => void }[] = [];
  let running = 0;

  function startWaiting(): void {
    while (running < maxRunning) {
      const next = waiting.shift();
      if (next === undefined) return;
      if (performance.now() - next.sinceMs < maxWaitMs) next.start();
      else next.reject(new StoreUnavailableError('Too many requests without a key wait for the database.'));
    }
  }

  async function runInSlices<Result>(call: () => Promise<Result>): Promise<Result> {
    running += 1;
    try {
      await waitForSlice();
      return await call();
    } finally {
      running -= 1;
      startWaiting();
      await waitForSlice();
    }
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ sinceMs: performance.now(), start: () => resolve(runInSlices(call)), reject });
      startWaiting();
    });
}

/**
 * Requests that wait for the same look-up share it. It begins after each of them arrived, so it sees every change that was
 * committed before them.
 */
function shareLookups<Parameters extends readonly (string | number)[], Result>(
  run: RunInSlot,
  lookUp: (...parameters: Parameters) => Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  const waiting = new Map<string, Promise<Result>>();
  return (...parameters) => {
    const key = JSON.stringify(parameters);
    const present = waiting.get(key);
    if (present !== undefined) return present;
    const lookup = run(() => {
      waiting.delete(key);
      return lookUp(...parameters);
    });
    waiting.set(key, lookup);
    lookup.catch(() => waiting.delete(key));
    return lookup;
  };
}
