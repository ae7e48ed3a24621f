import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';

const { server, alice } = await createFixtureWithServer({ after }, { ROSTRA_RATE_LIMIT: '50' });

test('health returns status ok and the API version without a key', async () => {
  const { status, json, text } = await server.get('/health');
  assert.equal(status, 200);
  assert.equal(json.status, 'ok');
  assert.match(json.version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(Object.keys(JSON.parse(text)), ['status', 'version']);
});

test('health ignores query parameters', async () => {
  const plain = await server.get('/health');
  for (const query of [
    '?',
    '?a=1',
    '?limit=0',
    '?limit=1&limit=2',
    '?%zz',
    '?=',
    '?__proto__=1',
    '?a=%ff&&&',
  ]) {
    const { status, text } = await server.get(`/health${query}`);
    assert.equal(status, 200, query);
    assert.equal(text, plain.text, query);
  }
});

test('health shows the default limit, whatever a key has used', async () => {
  await server.get('/me', { key: alice });
  for (const key of [undefined, alice, 'junk']) {
    const { status, headers } = await server.get('/health', key === undefined ? {} : { key });
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-limit'], '50');
    assert.equal(headers['x-ratelimit-remaining'], '50');
  }
});

test('health with a key is not counted', async () => {
  const before = await server.get('/me', { key: alice });
  for (let turn = 0; turn < 3; turn += 1) await server.get('/health', { key: alice });
  const then = await server.get('/me', { key: alice });
  assert.equal(
    Number(then.headers['x-ratelimit-remaining']),
    Number(before.headers['x-ratelimit-remaining']) - 1,
  );
});

test('health and the OpenAPI document have the same version', async () => {
  const { json: health } = await server.get('/health');
  const { json: document } = await server.get('/openapi.json');
  assert.equal(health.version, document.info.version);
});
