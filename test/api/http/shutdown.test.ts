import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../../support/fixture.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';

const fixture = await createFixture({ after });

test('SIGTERM and SIGINT stop the server with exit code 0', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const server = await fixture.startServerProcess();
    await server.get('/health');
    process.kill(server.pid, signal);
    assert.equal(await server.waitForExit(), 0);
    await server.waitForLine(/stopped/);
  }
});

test('a request that was incomplete when the shutdown began gets 503 with Retry-After, then the connection is closed', async () => {
  const server = await fixture.startServerProcess();
  const connection = await openRawConnection(server.port);
  const request = composeRawRequest('/api/v1/me', [`Authorization: Bearer ${fixture.alice}`]);
  connection.socket.write(request.slice(0, 60));
  // A response on another connection shows that the server has read the incomplete request.
  await server.get('/health');
  process.kill(server.pid, 'SIGTERM');
  await server.waitForLine(/stopping/);
  connection.socket.write(request.slice(60));
  const { responses, closed } = await connection.finish();
  assert.equal(responses.length, 1);
  assert.equal(responses[0]?.status, 503);
  assert.equal(JSON.parse(responses[0]?.text as string).code, 'UNAVAILABLE');
  assert.equal(responses[0]?.headers.connection, 'close');
  assert.ok(closed);
  assert.equal(await server.waitForExit(), 0);
});

test('a 503 during the shutdown is not counted', async () => {
  const { secret: key, id } = await fixture.issueKey(fixture.a);
  const server = await fixture.startServerProcess();
  await server.get('/me', { key });
  const connection = await openRawConnection(server.port);
  connection.socket.write('GET /api/v1/me HTTP/1.1\r\nHost: x\r\n');
  await server.get('/health');
  process.kill(server.pid, 'SIGTERM');
  await server.waitForLine(/stopping/);
  connection.socket.write(`Authorization: Bearer ${key}\r\n\r\n`);
  const { responses } = await connection.finish();
  assert.equal(responses[0]?.status, 503);
  const [record] = await fixture.store.findKeys(id);
  assert.equal(record?.usedInWindow, 1);
  assert.equal(await server.waitForExit(), 0);
});

test('an incomplete request does not delay the shutdown beyond its timeout', async () => {
  const server = await fixture.startServerProcess({ ROSTRA_STOP_TIMEOUT: '1' });
  const connection = await openRawConnection(server.port);
  connection.socket.write('GET /api/v1/me HTTP/1.1\r\n');
  await server.get('/health');
  assert.equal(await server.stop(), 0);
  assert.ok((await connection.finish()).closed);
});

test('after the shutdown the port is free', async () => {
  const server = await fixture.startServerProcess();
  await server.stop();
  await assert.rejects(server.get('/health'), { code: 'ECONNREFUSED' });
});
