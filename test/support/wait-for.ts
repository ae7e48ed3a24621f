import { setTimeout } from 'node:timers/promises';

/** Resolves when `seen` resolves with true; asked again and again until then. */
export async function comes(
  what: string,
  seen: () => boolean | Promise<boolean>,
  everyMs = 50,
): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    if (await seen()) return;
    await setTimeout(everyMs);
  }
  throw new Error(`two minutes passed, and never: ${what}`);
}
