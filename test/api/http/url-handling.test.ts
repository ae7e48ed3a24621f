import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';
import { formatSubmissionId } from '../../support/records.ts';

const { server, alice } = await createFixtureWithServer({ after });

/** Maximum bytes of path and query, as documented for the 414. */
const longest = 8_192;

async function getStatus(path: string, key?: string): Promise<number> {
  return (await server.get(path, key === undefined ? {} : { key })).status;
}

test('a URL of 8192 bytes is accepted and one of 8193 is 414, with and without a key', async () => {
  const padded = (path: string, length: number) => path + 'x'.repeat(length - '/api/v1'.length - path.length);
  for (const path of ['/submissions?topic=', '/submissions/', '/me?', '/nothing/']) {
    const fits = await getStatus(padded(path, longest), alice);
    assert.ok([400, 404].includes(fits), `${path} ${fits}`);
    for (const key of [alice, undefined]) {
      const response = await server.get(padded(path, longest + 1), key === undefined ? {} : { key });
      assert.equal(response.status, 414, path);
      assert.equal(response.json.code, 'BAD_REQUEST');
    }
  }
});

test('two filters of 200 four-byte characters and a limit fit into a URL', async () => {
  const value = encodeURIComponent('🌳'.repeat(200));
  assert.equal(await getStatus(`/submissions?status=${value}&topic=${value}&limit=100`, alice), 200);
});

test('URLs of 16 kB, 20 kB and 100 kB are 414 or 431', async () => {
  for (const length of [16_000, 16_383, 16_384, 16_385, 20_000, 100_000]) {
    for (const path of ['/api/v1/submissions?topic=', '/api/v1/submissions/', '/']) {
      const { responses } = await server.sendRaw(composeRawRequest(path + 'x'.repeat(length)), {
        minResponses: 1,
      });
      const [response] = responses;
      assert.ok([414, 431].includes(response?.status as number), `${length}: ${response?.status}`);
      assert.equal(JSON.parse(response?.text as string).code, 'BAD_REQUEST');
    }
  }
});

test('a URL of 20,000 bytes is 414, in one packet and in several', async () => {
  const request = composeRawRequest(`/api/v1/submissions?topic=${'x'.repeat(20_000)}`);
  for (const size of [request.length, 15_000, 7_000, 1_000]) {
    const connection = await openRawConnection(server.port);
    connection.socket.setNoDelay(true);
    for (let from = 0; from < request.length; from += size) {
      connection.socket.write(request.slice(from, from + size));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const { responses } = await connection.finish({ minResponses: 1 });
    assert.deepEqual(
      responses.map((response) => response.status),
      [414],
      `pieces of ${size} bytes`,
    );
  }
});

test('a URL of 40,000 bytes in one packet is 414', async () => {
  const { responses } = await server.sendRaw(composeRawRequest(`/${'x'.repeat(40_000)}`), {
    minResponses: 1,
  });
  assert.equal(responses[0]?.status, 414);
});

test('a path with invalid percent-encoding is rejected in JSON', async () => {
  for (const part of ['%zz', '%', '%4', '%ff', '%c3%28', '%c0%80', '%ed%a0%80']) {
    for (const path of [`/submissions/${part}`, `/surveys/${part}/results`, `/sessions/${part}?limit=1`]) {
      for (const key of [alice, undefined]) {
        const response = await server.get(path, key === undefined ? {} : { key });
        assert.equal(response.status, 400, path);
        assert.equal(response.json.code, 'BAD_REQUEST');
      }
    }
  }
});

test('unknown paths are 404 in JSON', async () => {
  const paths = [
    '',
    '/',
    '//',
    '/me/',
    '/ME',
    '/Me',
    '/submission',
    '/submissionsx',
    '/health/',
    '/me;x=1',
    '/.',
    '/me/..',
    '/submissions/',
    '/submissions//',
    '/sessions/',
    '/surveys//results',
    '/%00',
    '/me%20',
    '/me%2F',
    '/__proto__',
    '/constructor',
    '/api/v1/me',
    '/v1/me',
    '/%F0%9F%8C%B3',
    '/metrics',
    '/admin',
  ];
  const wrong: string[] = [];
  for (const path of paths) {
    for (const key of [alice, undefined]) {
      const response = await server.get(path, key === undefined ? {} : { key });
      if (response.status !== 404 || response.json.code !== 'NOT_FOUND')
        wrong.push(`${path}: ${response.status}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('paths outside /api/v1 and /docs are 404', async () => {
  for (const path of [
    '//',
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/me',
    '/me',
    '/health',
    '/favicon.ico',
    '/.env',
    '/docs/..%2fpackage.json',
    '/docs/index.html',
    '/docs/../package.json',
  ]) {
    const { status, json } = await server.get(path, { absolute: true, key: alice });
    assert.equal(status, 404, path);
    assert.equal(json.code, 'NOT_FOUND');
  }
});

test('percent-encoded letters in a path are decoded, for every method', async () => {
  const plain = await server.get('/me', { key: alice });
  const encoded = await server.get('/%6d%65', { key: alice });
  assert.equal(encoded.status, 200);
  assert.equal(encoded.text, plain.text);
  const { status: posted } = await server.get('/%6d%65', { method: 'POST' });
  assert.equal(posted, 405);
});

test('a fragment in the request line is rejected', async () => {
  const { responses } = await server.sendRaw(
    composeRawRequest(`/api/v1/submissions/${formatSubmissionId(1)}#x`, [
      `Authorization: Bearer ${alice}`,
      'Connection: close',
    ]),
  );
  assert.ok([400, 404].includes(responses[0]?.status as number), String(responses[0]?.status));
});

test('an umlaut that is not percent-encoded is a 400 that says so, and is not counted', async () => {
  const remaining = async () =>
    Number((await server.get('/me', { key: alice })).headers['x-ratelimit-remaining']);
  const before = await remaining();
  for (const target of [
    '/api/v1/submissions/\xff',
    '/api/v1/\xc3\xa4',
    '/api/v1/submissions?topic=\xc3\xa4',
  ]) {
    const { responses } = await server.sendRaw(
      composeRawRequest(target, [`Authorization: Bearer ${alice}`, 'Connection: close']),
    );
    assert.equal(responses[0]?.status, 400, target);
    assert.deepEqual(JSON.parse(responses[0]?.text as string), {
      error:
        'The URL of the request has characters that must be percent-encoded: "Ä" is "%C3%84", for example.',
      code: 'BAD_REQUEST',
    });
  }
  assert.equal(await remaining(), before - 1);
});
