import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { createFixture } from '../../support/fixture.ts';

const fixture = await createFixture({ after });
const tunnel = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n';

test('a CONNECT whose client resets the connection does not crash the server', async () => {
  const server = await fixture.startServerProcess();
  for (let round = 0; round < 300; round += 1) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(tunnel);
    // Some resets arrive before the response is written, some after it.
    if (round % 2 === 0) await new Promise(setImmediate);
    socket.resetAndDestroy();
  }
  assert.equal((await server.get('/health')).status, 200);
  assert.equal(await server.stop(), 0);
});

test('a client that keeps a rejected connection open delays neither other clients nor the shutdown', async () => {
  const server = await fixture.startServerProcess({
    ROSTRA_MAX_CONNECTIONS: '5',
    ROSTRA_STOP_TIMEOUT: '3600',
  });
  const sockets = [tunnel, tunnel, 'GARBAGE\r\n\r\n', 'GARBAGE\r\n\r\n'].map((request) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.write(request);
    // The client reads the complete response and sends nothing more.
    return { socket, answered: once(socket.resume(), 'end') };
  });
  await Promise.all(sockets.map(({ answered }) => answered));
  // The process would run for an hour if it waited for these connections.
  assert.equal(await server.stop(), 0);
  for (const { socket } of sockets) socket.destroy();
});

test('a request with a malformed URL is logged even if the client does not read the response', async () => {
  const server = await fixture.startServer();
  const { headers } = await server.get('/%zz');
  const line = await server.waitForLine(new RegExp(headers['x-request-id'] as string));
  assert.equal(JSON.parse(line).status, 400);
});
