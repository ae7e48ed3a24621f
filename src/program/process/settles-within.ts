import { setTimeout } from 'node:timers/promises';

/** Whether the promise is fulfilled before the timeout. */
export async function settlesWithin(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const settled = new AbortController();
  const timeout = setTimeout(timeoutMs, false, { signal: settled.signal });
  return Promise.race([work.then(() => true), timeout]).finally(() => settled.abort());
}
