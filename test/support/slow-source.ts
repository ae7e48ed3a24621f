/** Preload this file to publish a batch every ten milliseconds, as if the source delivered its records a thousand times slower. */
const { now } = performance;

performance.now = () => now.call(performance) * 1_000;
