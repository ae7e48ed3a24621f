import { setTimeout } from 'node:timers/promises';

/** Polls until `isTrue` returns true. @param condition for the error message */
export async function waitUntil(
  condition: string,
  isTrue: () => boolean | Promise<boolean>,
  everyMs = 50,
): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    if (await isTrue()) return;
    await setTimeout(everyMs);
  }
  throw new Error(`two minutes without ${condition}`);
}
