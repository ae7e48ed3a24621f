/** Preload this file to shorten intervals of ten seconds to 200 milliseconds. */
const original = globalThis.setInterval;

globalThis.setInterval = ((work: () => void, ms: number) =>
  original(work, ms === 10_000 ? 200 : ms)) as typeof globalThis.setInterval;
