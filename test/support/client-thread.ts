/** Sends requests from a thread of its own, so that the processor time of the calling thread is that of the server. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { Scope } from './files.ts';
import { sendRequest } from './http-client.ts';

interface Sent {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** Body of a form; undefined: GET. */
  file: string | undefined;
}

/** @returns a function that sends one request at a time, and returns its status: a body would be copied in the calling thread */
export function createClientThread(
  scope: Scope,
  port: number,
): (path: string, headers?: Record<string, string>, file?: string) => Promise<number> {
  const worker = new Worker(new URL(import.meta.url));
  scope.after(async () => void (await worker.terminate()));
  return async (path, headers = {}, file) => {
    worker.postMessage({ port, path, headers, file } satisfies Sent);
    const [status] = await once(worker, 'message');
    return status;
  };
}

async function send({ port, path, headers, file }: Sent): Promise<void> {
  const form = file === undefined ? {} : { method: 'POST', body: readFileSync(file, 'utf8') };
  const { status } = await sendRequest(port, path, { headers, ...form });
  parentPort?.postMessage(status);
}

if (!isMainThread) parentPort?.on('message', send);
