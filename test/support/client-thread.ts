/** Sends requests from a thread of its own, so that the processor time of the calling thread is that of the server. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Scope } from './files.ts';
import { sendRequest } from './http-client.ts';

interface Sent {
  port: number;
  path: string;
  headers: Record<string, string>;
}

/** @returns a function that sends one request at a time, and returns its status: a body would be copied in the calling thread */
export function createClientThread(
  scope: Scope,
  port: number,
): (path: string, headers?: Record<string, string>) => Promise<number> {
  const worker = new Worker(new URL(import.meta.url));
  scope.after(async () => void (await worker.terminate()));
  return async (path, headers = {}) => {
    worker.postMessage({ port, path, headers } satisfies Sent);
    const [status] = await once(worker, 'message');
    return status;
  };
}

async function send({ port, path, headers }: Sent): Promise<void> {
  const { status } = await sendRequest(port, path, { headers });
  parentPort?.postMessage(status);
}

if (!isMainThread) parentPort?.on('message', send);
