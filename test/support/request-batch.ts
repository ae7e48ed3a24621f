/** Requests of one key that certainly share one statement. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { ApiResponse } from './api-client.ts';
import type { Fixture, IssuedKey } from './fixture.ts';
import type { Server } from './server.ts';

const requestStart = 'http.server.request.start';

/** Resolves when the next request of the key reaches a server of this process. */
function waitForArrival(secret: string): Promise<void> {
  return new Promise((resolve) => {
    const onStart = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (request.headers.authorization !== `Bearer ${secret}`) return;
      unsubscribe(requestStart, onStart);
      resolve();
    };
    subscribe(requestStart, onStart);
  });
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
  async function send(path: string): Promise<void> {
    const arrival = waitForArrival(key);
    responses.push(server.get(path, { key }));
    await arrival;
  }
  // Creates the window, whose lock holds up the statement of the next request.
  await server.get('/me', { key });
  await sql('BEGIN');
  try {
    await sql('UPDATE rate_window SET used = used WHERE key_id = $1', [id]);
    await send('/me');
    // The statement begins in the turn after the request.
    for (let turn = 0; turn < 2; turn += 1) await setImmediate();
    await beforeArrival();
    for (const path of paths) await send(path);
  } finally {
    await sql('COMMIT');
  }
  const [, ...received] = await Promise.all(responses);
  const counted = received.filter(({ status }) => status !== 401 && status !== 429).length;
  const [row] = await sql<{ granted: number }>('SELECT granted FROM rate_window WHERE key_id = $1', [id]);
  if (counted > 0) assert.equal(Number(row?.granted), counted, 'the requests did not share one statement');
  return received;
}
