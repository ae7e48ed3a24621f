/** Processor time of this thread in milliseconds. Other processes do not change it, unlike the time on the clock. */
export function readProcessorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** @returns milliseconds of processor time of this thread, the client's included */
export async function measureProcessorMs(action: () => Promise<unknown>): Promise<number> {
  const startedMs = readProcessorMs();
  await action();
  return readProcessorMs() - startedMs;
}
