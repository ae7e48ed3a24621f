import type { Scope } from './files.ts';

const original = globalThis.setInterval;

/** Shortens intervals of ten seconds to 200 milliseconds: the heartbeat of leases, the counts of the use of keys. */
export function shortenTenSecondIntervals(scope: Scope): void {
  globalThis.setInterval = ((work: () => void, ms: number) =>
    original(work, ms === 10_000 ? 200 : ms)) as typeof globalThis.setInterval;
  scope.after(() => {
    globalThis.setInterval = original;
  });
}
