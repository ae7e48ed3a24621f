/** Requests that certainly share one statement, of one key or of several. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { slotCheckIntervalMs } from '../../src/store/admission.ts';
import type { ApiResponse } from './api-client.ts';
import type { Fixture, IssuedKey } from './fixture.ts';
import type { Server } from './server.ts';

const requestStart = 'http.server.request.start';

/** Resolves when this many requests of the key have reached a server of this process. */
function waitForArrivals(secret: string, count: number): Promise<void> {
  let arrived = 0;
  return new Promise((resolve) => {
    const onStart = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (request.headers.authorization === `Bearer ${secret}`) arrived += 1;
      if (arrived < count) return;
      unsubscribe(requestStart, onStart);
      resolve();
    };
    subscribe(requestStart, onStart);
  });
}

/** Waits until a server of this process has the request. */
async function send(server: Server, key: string, path: string): Promise<{ response: Promise<ApiResponse> }> {
  const arrival = waitForArrivals(key, 1);
  const response = server.get(path, { key });
  await arrival;
  return { response };
}

/** A statement begins in the turn after its request. */
async function waitForStatement(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
}

/** Stops the check that lets further batches begin after 50 ms. @returns ends this */
function keepSlots(): () => void {
  const { setTimeout } = globalThis;
  const held: (() => void)[] = [];
  const hold = (callback: (...values: unknown[]) => void, delayMs?: number, ...values: unknown[]) => {
    if (delayMs !== slotCheckIntervalMs) return setTimeout(callback, delayMs, ...values);
    held.push(callback);
    return setTimeout(() => undefined, delayMs);
  };
  globalThis.setTimeout = hold as typeof setTimeout;
  return () => {
    globalThis.setTimeout = setTimeout;
    for (const callback of held) setTimeout(callback, slotCheckIntervalMs).unref();
  };
}

/**
 * Sends requests while the earlier statements of two other keys, as many as run at a time, wait for locks.
 *
 * @param requests each `times` times at once
 * @param beforeStatement runs after the requests have arrived, and before their statement begins
 * @returns the responses. The requests arrive in this order.
 */
export async function requestInSharedBatch(
  { server, sql, issueKey, a }: Pick<Fixture, 'sql' | 'issueKey' | 'a'> & { server: Server },
  requests: readonly { key: string; path: string; times?: number }[],
  beforeStatement: () => Promise<unknown> = async () => undefined,
): Promise<Promise<ApiResponse>[]> {
  const holders = [await issueKey(a), await issueKey(a)];
  // Creates the windows.
  for (const { secret: key } of holders) await server.get('/me', { key });
  const responses: Promise<ApiResponse>[] = [];
  const releaseSlots = keepSlots();
  await sql('BEGIN');
  try {
    for (const { id } of holders) await sql('UPDATE rate_window SET used = used WHERE key_id = $1', [id]);
    for (const { secret } of holders) {
      await send(server, secret, '/me');
      await waitForStatement();
    }
    for (const { key, path, times = 1 } of requests) {
      const arrivals = waitForArrivals(key, times);
      for (let time = 0; time < times; time += 1) responses.push(server.get(path, { key }));
      await arrivals;
    }
    await beforeStatement();
  } finally {
    await sql('COMMIT');
    releaseSlots();
  }
  return responses;
}

/**
 * Sends requests while an earlier statement of their key waits for the lock of its window, so that they share the next
 * statement. Two further requests are counted before them.
 *
 * @param server in this process
 * @param beforeArrival runs after the earlier statement began, and before the requests
 * @returns the responses. The requests arrive in the order of `paths`.
 */
export async function requestInOneBatch(
  { server, sql }: Pick<Fixture, 'sql'> & { server: Server },
  { secret: key, id }: IssuedKey,
  paths: readonly string[],
  beforeArrival: () => Promise<unknown> = async () => undefined,
): Promise<ApiResponse[]> {
  const responses: Promise<ApiResponse>[] = [];
  const sendOwn = async (path: string) => {
    responses.push((await send(server, key, path)).response);
  };
  // Creates the window, whose lock holds up the statement of the next request.
  await server.get('/me', { key });
  await sql('BEGIN');
  try {
    await sql('UPDATE rate_window SET used = used WHERE key_id = $1', [id]);
    await sendOwn('/me');
    await waitForStatement();
    await beforeArrival();
    for (const path of paths) await sendOwn(path);
  } finally {
    await sql('COMMIT');
  }
  const [, ...received] = await Promise.all(responses);
  const counted = received.filter(({ status }) => status !== 401 && status !== 429).length;
  const [row] = await sql<{ granted: number }>('SELECT granted FROM rate_window WHERE key_id = $1', [id]);
  if (counted > 0) assert.equal(Number(row?.granted), counted, 'the requests did not share one statement');
  return received;
}
