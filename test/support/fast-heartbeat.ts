/** Preloaded into a process, it makes whatever comes every ten seconds come every 200 milliseconds. */
const right = globalThis.setInterval;

globalThis.setInterval = ((work: () => void, ms: number) =>
  right(work, ms === 10_000 ? 200 : ms)) as typeof globalThis.setInterval;
