/** Processor time of this thread in milliseconds. Other processes do not change it, unlike the time on the clock. */
export function readProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
