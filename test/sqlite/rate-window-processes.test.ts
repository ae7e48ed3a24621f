import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ApiResponse } from '../support/api-client.ts';
import { createFixture } from '../support/fixture.ts';
import type { ServerProcess } from '../support/server-process.ts';

const limit = 200;
const fixture = await createFixture({ after });

const countdown = Array.from({ length: limit }, (_, index) => index);

/** Fifty clients that send one request at a time, until `requests` are sent. */
async function sendRequests(
  servers: readonly ServerProcess[],
  key: string,
  requests: number,
): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = [];
  let sent = 0;
  const client = async (number: number) => {
    while (sent < requests) {
      sent += 1;
      const server = servers[(sent + number) % servers.length] as ServerProcess;
      try {
        responses.push(await server.get('/me', { key }));
      } catch (error) {
        // The connections of a killed server break.
        if (!('code' in (error as object))) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, number) => client(number)));
  return responses;
}

const listRemaining = (responses: readonly ApiResponse[]) =>
  responses
    .filter(({ status }) => status === 200)
    .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    .toSorted((a, b) => a - b);

const filterRejected = (responses: readonly ApiResponse[]) =>
  responses.filter(({ status }) => status === 429);

async function issueLimitedKey(): Promise<string> {
  return (await fixture.issueKey(fixture.a, { requestLimit: limit })).secret;
}

test('fifty concurrent clients get exactly the limit, each value of Remaining once', async () => {
  const server = await fixture.startServerProcess();
  const responses = await sendRequests([server], await issueLimitedKey(), 500);
  assert.equal(responses.length, 500);
  assert.deepEqual(listRemaining(responses), countdown);
  assert.equal(filterRejected(responses).length, 300);
  await server.stop();
});

test('three processes on one database together admit exactly the limit', async () => {
  const servers = await Promise.all([
    fixture.startServerProcess(),
    fixture.startServerProcess(),
    fixture.startServerProcess(),
  ]);
  const responses = await sendRequests(servers, await issueLimitedKey(), 600);
  assert.equal(responses.length, 600);
  assert.deepEqual(listRemaining(responses), countdown);
  assert.equal(filterRejected(responses).length, 400);
  assert.equal(new Set(responses.map(({ headers }) => headers['x-ratelimit-reset'])).size, 1);
  for (const server of servers) await server.stop();
});

test('kill -9 between two requests loses no count', async () => {
  const key = await issueLimitedKey();
  const first = await fixture.startServerProcess();
  const before = await sendRequests([first], key, 80);
  await first.kill();
  const second = await fixture.startServerProcess();
  const then = await sendRequests([second], key, 200);
  assert.deepEqual(listRemaining([...before, ...then]), countdown);
  assert.equal(filterRejected(then).length, 80);
  await second.stop();
});

test('kill -9 during fifty requests never exceeds the limit and never repeats a value of Remaining', async () => {
  const key = await issueLimitedKey();
  const doomed = await fixture.startServerProcess();
  const running = sendRequests([doomed], key, 150);
  await doomed.get('/me', { key: await issueLimitedKey() });
  await doomed.kill();
  const before = await running;
  const next = await fixture.startServerProcess();
  const then = await sendRequests([next], key, 300);
  const remaining = listRemaining([...before, ...then]);
  assert.equal(new Set(remaining).size, remaining.length);
  assert.ok(remaining.length <= limit);
  // At most the requests in flight at the kill were counted without a response.
  assert.ok(remaining.length >= limit - 51, `${remaining.length} answered`);
  assert.equal((await next.get('/me', { key })).status, 429);
  await next.stop();
});

test('after one process is killed, the other still counts the requests of both', async () => {
  const key = await issueLimitedKey();
  const [doomed, survivor] = await Promise.all([fixture.startServerProcess(), fixture.startServerProcess()]);
  const before = await sendRequests([doomed, survivor], key, 100);
  await doomed.kill();
  const then = await sendRequests([survivor], key, 200);
  assert.deepEqual(listRemaining([...before, ...then]), countdown);
  await survivor.stop();
});
