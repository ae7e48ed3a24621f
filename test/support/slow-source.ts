/**
 * Preload this file to publish a batch every ten milliseconds, as if the source delivered its records a thousand times slower.
 * Limits of time, such as those of statements, have another clock.
 */
const { uptime } = process;

process.uptime = () => uptime.call(process) * 1_000;
