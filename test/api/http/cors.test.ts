import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../../support/fixture.ts';
import type { HttpResponse } from '../../support/http-client.ts';

const fixture = await createFixture({ after });
const closed = await fixture.startServer();
const page = 'https://data.example.org';

const listCorsHeaders = ({ headers }: HttpResponse) =>
  Object.keys(headers).filter((name) => name === 'vary' || name.startsWith('access-control-'));

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: page,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  },
};

test('without configured origins there are no CORS headers, and a preflight is 405', async () => {
  for (const path of ['/health', '/me', '/nothing', '/submissions?limit=0']) {
    assert.deepEqual(
      listCorsHeaders(await closed.get(path, { key: fixture.alice, headers: { origin: page } })),
      [],
    );
  }
  const response = await closed.get('/me', preflight);
  assert.equal(response.status, 405);
  assert.deepEqual(listCorsHeaders(response), []);
});

test('a configured origin can read every response including errors; other origins cannot', async () => {
  const server = await fixture.startServer({ ROSTRA_CORS_ORIGINS: `https://other.example.org, ${page}` });
  for (const path of ['/health', '/me', '/nothing', '/submissions?limit=0']) {
    const { headers } = await server.get(path, { key: fixture.alice, headers: { origin: page } });
    assert.equal(headers['access-control-allow-origin'], page, path);
    assert.match(headers['access-control-expose-headers'] ?? '', /X-RateLimit-Remaining/);
    assert.equal(headers.vary, 'Origin');
    for (const origin of [
      'https://evil.example.org',
      `${page}.evil.org`,
      'http://data.example.org',
      'null',
      '*',
    ]) {
      const rejected = await server.get(path, { key: fixture.alice, headers: { origin } });
      assert.equal(rejected.headers['access-control-allow-origin'], undefined, origin);
    }
  }
  const { status } = await server.get('/me', { headers: { origin: page } });
  assert.equal(status, 401);
});

test('a preflight of a configured origin needs no key and allows the Authorization header', async () => {
  const server = await fixture.startServer({ ROSTRA_CORS_ORIGINS: page });
  const { status, headers, text } = await server.get('/submissions', preflight);
  assert.equal(status, 204);
  assert.equal(text, '');
  assert.equal(headers['access-control-allow-origin'], page);
  assert.equal(headers['access-control-allow-headers'], 'Authorization');
  assert.match(headers['access-control-allow-methods'] ?? '', /GET/);
  assert.equal(headers['access-control-allow-credentials'], undefined);
});
