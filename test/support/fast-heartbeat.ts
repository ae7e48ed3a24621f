/** Shortens intervals of ten seconds to 200 milliseconds: leases, counts of the use of keys. Processes preload this file. */
const original = globalThis.setInterval;

globalThis.setInterval = ((work: () => void, ms: number) =>
  original(work, ms === 10_000 ? 200 : ms)) as typeof globalThis.setInterval;
