import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';

const shortTimeouts = { ROSTRA_REQUEST_TIMEOUT: '1' };
const { server, alice, startServer } = await createFixtureWithServer({ after }, shortTimeouts);
/** The other server must not close a connection as idle before it notices the cut-off request on it. */
const serverOfIdleConnections = await startServer({ ...shortTimeouts, ROSTRA_KEEP_ALIVE_TIMEOUT: '1' });

const unfinished: Record<string, string> = {
  'half a method': 'GE',
  'half a request line': 'GET /api/v1/me',
  'a request line': 'GET /api/v1/me HTTP/1.1\r\n',
  'half a header': 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthoriz',
  'headers without their end': `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice}\r\n`,
  'a second request that is cut off': `${composeRawRequest('/api/v1/health')}GET /api/v1/me HTT`,
};

// Each test waits for a timeout of the server, so all wait at the same time.
test('requests that do not arrive in time', { concurrency: true }, async (t) => {
  const waits = Object.entries(unfinished).map(([what, bytes]) =>
    t.test(`${what}: 408 BAD_REQUEST, and the connection is closed`, async () => {
      const { responses, closed } = await server.sendRaw(bytes);
      const last = responses.at(-1);
      assert.equal(last?.status, 408);
      assert.equal(JSON.parse(last?.text as string).code, 'BAD_REQUEST');
      assert.equal(last?.headers.connection, 'close');
      assert.ok(closed);
    }),
  );

  waits.push(
    t.test('a byte now and then does not buy more time', async () => {
      const connection = await openRawConnection(server.port);
      const bytes = [...composeRawRequest('/api/v1/health', [`X-A: ${'x'.repeat(500)}`])];
      const drip = setInterval(() => connection.socket.write(bytes.shift() ?? 'x'), 50);
      connection.socket.once('close', () => clearInterval(drip));
      const { responses, closed } = await connection.finish();
      clearInterval(drip);
      assert.deepEqual(
        responses.map(({ status }) => status),
        [408],
      );
      assert.ok(closed);
    }),
    t.test('a connection that says nothing is closed', async () => {
      const { closed } = await serverOfIdleConnections.sendRaw('');
      assert.ok(closed);
    }),
    t.test('a connection that is idle after an answer is closed without another', async () => {
      const { responses, closed } = await serverOfIdleConnections.sendRaw(
        composeRawRequest('/api/v1/health'),
      );
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200],
      );
      assert.ok(closed);
    }),
    ...['Content-Length: 10', 'Transfer-Encoding: chunked'].map((announced) =>
      t.test(
        `a body that is announced with ${announced} and not sent: one answer, no 408 behind it`,
        async () => {
          for (const [target, key, status] of [
            ['/api/v1/me', alice, 200],
            ['/api/v1/me', undefined, 401],
            ['/api/v1/health', undefined, 200],
            ['/api/v1/nothing', alice, 404],
          ] as const) {
            const lines = key === undefined ? [announced] : [`Authorization: Bearer ${key}`, announced];
            const { responses, closed } = await server.sendRaw(composeRawRequest(target, lines));
            assert.deepEqual(
              responses.map((response) => [response.status, response.headers.connection]),
              [[status, 'close']],
            );
            assert.ok(closed);
          }
        },
      ),
    ),
  );
  await Promise.all(waits);
});

test('a request in several packets that arrives in time is answered', async () => {
  const connection = await openRawConnection(server.port);
  for (const piece of composeRawRequest('/api/v1/me', [`Authorization: Bearer ${alice}`]).match(
    /[\s\S]{1,10}/g,
  ) ?? []) {
    connection.socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { responses } = await connection.finish({ minResponses: 1 });
  assert.equal(responses[0]?.status, 200);
});

test('the server still works afterwards', async () => {
  assert.equal((await server.get('/health')).status, 200);
});

test('the time limit for requests can be an hour', async () => {
  const server = await startServer({
    ROSTRA_REQUEST_TIMEOUT: '3600',
  });
  assert.equal((await server.get('/health')).status, 200);
});
