import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { isNightly } from '../../support/nightly.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';
import { formatSessionId, formatSubmissionId, formatSurveyId, missingId } from '../../support/records.ts';

const limit = 1_000;
const { server, a, alice, issueKey } = await createFixtureWithServer(
  { after },
  { ROSTRA_RATE_LIMIT: String(limit) },
);

const keyed = [
  '/me',
  '/submissions',
  `/submissions/${formatSubmissionId(1)}`,
  '/sessions',
  `/sessions/${formatSessionId(1)}`,
  '/support',
  `/surveys/${formatSurveyId(1)}/results`,
  '/surveys',
  '/organization',
];
const known = ['/health', '/openapi.json', ...keyed];

/** Rejected after the check of the key. */
const rejectedEarly: [path: string, method: string, status: number][] = [
  ['/nothing', 'GET', 404],
  ['/nothing', 'HEAD', 404],
  ['/submissions/', 'GET', 404],
  ['/me', 'POST', 405],
  ['/health', 'PUT', 405],
  ['/me', 'OPTIONS', 405],
  ['/submissions/%zz', 'GET', 400],
  [`/nothing/${'x'.repeat(9_000)}`, 'GET', 414],
];

const readRemaining = async (key: string) =>
  Number((await server.get('/me', { key })).headers['x-ratelimit-remaining']);

/** @returns the number of requests that `work` takes from the window of a new key */
async function countConsumed(work: (key: string) => Promise<void>): Promise<number> {
  const { secret } = await issueKey(a);
  const before = await readRemaining(secret);
  await work(secret);
  return before - (await readRemaining(secret)) - 1;
}

test('an unknown path without a key is 404 for every method and query', async () => {
  for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
    for (const path of ['/nothing', '/nothing?limit=0', '/submissions/x/y']) {
      const { status, json } = await server.get(path, { method });
      assert.equal(status, 404, `${method} ${path}`);
      assert.equal(json.code, 'NOT_FOUND');
    }
  }
});

// CONNECT names an authority instead of a path: see http/http-edge-cases.test.ts.
for (const method of METHODS.filter((name) => !['GET', 'HEAD', 'CONNECT'].includes(name))) {
  test(`${method} is 405 with Allow, with and without a key`, async () => {
    const { secret } = await issueKey(a);
    let left = limit;
    // By day, one method is sent to every path, and every method to one path.
    for (const path of isNightly || method === 'POST' ? known : ['/me']) {
      for (const lines of [[], [`Authorization: Bearer ${secret}`]]) {
        const { responses } = await server.sendRaw(composeRawRequest(`/api/v1${path}`, lines, method), {
          minResponses: 1,
        });
        const keyed = lines.length > 0;
        if (keyed) left -= 1;
        assert.equal(responses[0]?.status, 405, path);
        assert.equal(responses[0]?.headers.allow, 'GET, HEAD');
        assert.equal(JSON.parse(responses[0]?.text as string).code, 'METHOD_NOT_ALLOWED');
        assert.equal(responses[0]?.headers['x-ratelimit-remaining'], String(keyed ? left : limit), path);
        assert.equal('x-ratelimit-reset' in (responses[0]?.headers ?? {}), keyed, path);
      }
    }
  });
}

test('a body of any content type does not change the response to a wrong method', async () => {
  for (const type of [
    'application/json',
    'text/plain',
    'multipart/form-data',
    'nonsense',
    '',
    'a/b; charset=\u00ff',
  ]) {
    for (const body of ['{', '{"__proto__":1}', '', 'x'.repeat(100_000)]) {
      const { status } = await server.get('/submissions', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      assert.equal(status, 405, type);
    }
  }
});

test('a body of two megabytes does not change the response to a wrong method', async () => {
  const { responses } = await server.sendRaw(
    `${composeRawRequest('/api/v1/me', ['Content-Length: 2000000'], 'POST')}${'x'.repeat(2_000_000)}`,
    { minResponses: 1 },
  );
  assert.equal(responses[0]?.status, 405);
});

test('a GET with a body returns the same response as without one', async () => {
  const plain = await server.get('/me', { key: alice });
  for (const body of ['{}', '{', 'x'.repeat(10_000)]) {
    const { status, text } = await server.get('/me', {
      key: alice,
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(status, 200);
    assert.equal(text, plain.text);
  }
});

test('a missing key takes precedence over invalid parameters and missing resources', async () => {
  for (const path of [
    '/submissions?limit=0',
    '/submissions?%zz',
    '/me?x=1',
    `/submissions/${missingId}`,
    '/sessions/x',
  ]) {
    const { status } = await server.get(path);
    assert.equal(status, 401, path);
  }
});

test('an exhausted rate limit takes precedence over invalid parameters and missing resources', async () => {
  const { secret: key } = await issueKey(a, { requestLimit: 1 });
  assert.equal((await server.get('/me', { key })).status, 200);
  for (const [path, method] of [
    ['/submissions?limit=0', 'GET'],
    ['/me?x=1', 'GET'],
    [`/submissions/${missingId}`, 'GET'],
    ['/me', 'GET'],
    ['/nothing', 'GET'],
    ['/me', 'PUT'],
    ['/submissions/%zz', 'GET'],
    [`/nothing/${'x'.repeat(9_000)}`, 'GET'],
  ] as const) {
    const { status, json } = await server.get(path, { key, method });
    assert.equal(status, 429, path);
    assert.equal(json.code, 'RATE_LIMITED');
  }
});

test('an invalid key is 401 on unknown paths, wrong methods and malformed URLs too', async () => {
  const key = `sk_rostra_${'x'.repeat(36)}`;
  for (const [path, method] of rejectedEarly) {
    const { status, json, headers } = await server.get(path, { key, method });
    assert.equal(status, 401, `${method} ${path.slice(0, 30)}`);
    assert.equal(json?.code, method === 'HEAD' ? undefined : 'UNAUTHORIZED');
    assert.equal(headers['x-ratelimit-remaining'], String(limit));
  }
});

test('an invalid parameter takes precedence over a missing resource', async () => {
  for (const id of [missingId, 'x']) {
    const { status } = await server.get(`/submissions/${id}?x=1`, { key: alice });
    assert.equal(status, 400);
  }
});

test('requests that are rejected early still count against a valid key and show its window', async () => {
  for (const [path, method, expected] of rejectedEarly) {
    const { secret: key } = await issueKey(a, { requestLimit: 7 });
    const { status, headers } = await server.get(path, { key, method });
    const what = `${method} ${path.slice(0, 30)}`;
    assert.equal(status, expected, what);
    assert.equal(headers['x-ratelimit-limit'], '7', what);
    assert.equal(headers['x-ratelimit-remaining'], '6', what);
    assert.match(headers['x-ratelimit-reset'] ?? '', /^\d+$/, what);
    assert.equal(await readRemaining(key), 5, what);
  }
});

test('every request with a valid key is counted, whatever its status', async () => {
  for (const path of [
    ...keyed,
    '/submissions?limit=0',
    '/submissions?cursor=x',
    '/me?x',
    `/submissions/${missingId}`,
    '/sessions/x',
    '/support?submission_id=x',
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const consumed = await countConsumed(async (key) => void (await server.get(path, { key, method })));
      assert.equal(consumed, 1, `${method} ${path}`);
    }
  }
});

test('health and the OpenAPI document are not counted and show the full limit', async () => {
  const tooLong = `?${'x'.repeat(9_000)}`;
  const free = ['/health', '/openapi.json'].flatMap((path) =>
    [path, path + tooLong].flatMap((url) => ['GET', 'HEAD'].map((method) => [method, url] as const)),
  );
  for (const [method, path] of free) {
    const consumed = await countConsumed(async (key) => {
      const { headers } = await server.get(path, { key, method });
      assert.equal(headers['x-ratelimit-limit'], String(limit));
      assert.equal(headers['x-ratelimit-remaining'], String(limit));
      assert.equal(headers['x-ratelimit-reset'], undefined);
    });
    assert.equal(consumed, 0, `${method} ${path.slice(0, 20)}`);
  }
});

test('a 401 shows the full limit and no reset', async () => {
  const { status, headers } = await server.get('/me');
  assert.equal(status, 401);
  assert.equal(headers['x-ratelimit-limit'], String(limit));
  assert.equal(headers['x-ratelimit-remaining'], String(limit));
});

test('HEAD returns the status and the headers of GET without a body', async () => {
  const changing = ['date', 'x-request-id', 'x-ratelimit-remaining'];
  const lasting = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)));
  for (const path of [...known, '/nothing', '/submissions?limit=0', `/sessions/${missingId}`]) {
    for (const options of [{ key: alice }, {}]) {
      const get = await server.get(path, options);
      const head = await server.get(path, { ...options, method: 'HEAD' });
      assert.equal(head.status, get.status, path);
      assert.equal(head.text, '');
      assert.deepEqual(lasting(head.headers), lasting(get.headers), path);
    }
  }
});

test('an X-Request-Id of the client is ignored', async () => {
  const own = '00000000-0000-4000-8000-000000000000';
  const { headers } = await server.get('/health', { headers: { 'x-request-id': own, 'request-id': own } });
  assert.notEqual(headers['x-request-id'], own);
});
