/** A server that starts before its database. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sendApiRequest } from '../../support/api-client.ts';
import { startCli } from '../../support/cli-workspace.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRequest } from '../../support/http-client.ts';
import { composeRawRequest, sendRaw } from '../../support/raw-socket.ts';
import { waitUntil } from '../../support/wait-until.ts';

const port = await findFreePort();
const database = `postgres://rostra@127.0.0.1:${await findFreePort()}/rostra`;
const serving = startCli(['serve', '--port', String(port), '--database', database]);
after(async () => {
  serving.child.kill('SIGTERM');
  await serving.result;
});
await waitUntil('the server', () =>
  sendRequest(port, '/ready').then(
    () => true,
    () => false,
  ),
);

const key = `Authorization: Bearer sk_rostra_${'0'.repeat(36)}`;

for (const [what, bytes, status] of [
  ['garbage', 'garbage\r\n\r\n', 400],
  ['no Host header', 'GET /api/v1/health HTTP/1.1\r\n\r\n', 400],
  ['an empty Host header', 'GET /api/v1/me HTTP/1.1\r\nHost:\r\n\r\n', 400],
  ['20 kB of headers', composeRawRequest('/api/v1/health', [`X-A: ${'x'.repeat(20_000)}`]), 431],
  ['300 kB of headers', composeRawRequest('/api/v1/health', [`X-A: ${'x'.repeat(300_000)}`]), 431],
  ['an over-long URL', composeRawRequest(`/api/v1/health?${'x'.repeat(9_000)}`), 414],
  ['an over-long URL with a key', composeRawRequest(`/api/v1/me?${'x'.repeat(9_000)}`, [key]), 503],
  ['POST', composeRawRequest('/api/v1/health', [], 'POST'), 405],
  ['CONNECT', composeRawRequest('example.org:443', [], 'CONNECT'), 503],
  ['an unknown expectation', composeRawRequest('/api/v1/health', ['Expect: nonsense']), 200],
  ['a body that is not sent', composeRawRequest('/api/v1/me', [key, 'Content-Length: 5']), 503],
] as const)
  test(`${what}: ${status} in JSON, with the contract headers`, async () => {
    const { responses, closed } = await sendRaw(port, bytes);
    assert.deepEqual(
      responses.map((response) => response.status),
      [status],
    );
    const { text, headers } = responses[0] as (typeof responses)[number];
    assert.equal(typeof JSON.parse(text), 'object');
    assert.equal(headers.connection, 'close');
    assert.ok(closed);
  });

test('health and the OpenAPI document need no database, whatever their query is', async () => {
  for (const path of ['/health', '/openapi.json']) {
    const plain = await sendApiRequest(port, path);
    const { status, text, headers } = await sendApiRequest(port, `${path}?x=1`);
    assert.deepEqual([plain.status, status, text], [200, 200, plain.text], path);
    assert.equal(headers['x-ratelimit-remaining'], headers['x-ratelimit-limit']);
  }
});

test('all other requests are asked to come back', async () => {
  for (const path of ['/me', '/healthy', '/submissions?limit=0']) {
    const { status, json, headers } = await sendApiRequest(port, path, { key: 'sk_rostra_x' });
    assert.deepEqual([status, json.code, headers['retry-after']], [503, 'UNAVAILABLE', '5'], path);
  }
});
