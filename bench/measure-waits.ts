/** Measures how long a server holds up a request: a thread of its own sends one after the other. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface MeterData {
  port: number;
  /** The longest time since the last reset, in microseconds. */
  longest: Int32Array;
}

export interface WaitMeter {
  reset(): void;
  /** The longest completed request since the reset. */
  readLongestMs(): number;
  close(): Promise<void>;
}

export async function createWaitMeter(port: number): Promise<WaitMeter> {
  const longest = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { port, longest } satisfies MeterData });
  await once(worker, 'message');
  return {
    reset: () => void Atomics.store(longest, 0, 0),
    readLongestMs: () => Atomics.load(longest, 0) / 1_000,
    close: async () => {
      await worker.terminate();
    },
  };
}

async function measureForever({ port, longest }: MeterData): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0; ; count += 1) {
    const beganMs = performance.now();
    const sent = request({ port, host: '127.0.0.1', path: '/api/v1/health', agent });
    sent.end();
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'end');
    const microseconds = Math.round((performance.now() - beganMs) * 1_000);
    if (microseconds > Atomics.load(longest, 0)) Atomics.store(longest, 0, microseconds);
    // The first requests also load code.
    if (count === 100) parentPort?.postMessage('ready');
  }
}

if (!isMainThread) await measureForever(workerData);
