/** Clients that read their responses slowly or not at all. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import {
  createResponseWriter,
  type ResponseWriter,
  type ResponseWriterLimits,
} from '../../../src/web/api/responses/bounded-response-writer.ts';
import { createErrorLog } from '../../../src/web/api/responses/error-log.ts';

const body = Buffer.alloc(16 * 1024 * 1024, 'x');
const large = { maxSendMs: 3_600_000, fileIntervalMs: 3_600_000, minFileBytes: 0, maxUnsentBytes: 1e9 };

/** Starts a server that sends the same large body to every request. */
async function serve(
  t: TestContext,
  bounds: ResponseWriterLimits,
  respond = (writer: ResponseWriter): RequestListener =>
    (_request, response) =>
      writer.write(response, body),
): Promise<number> {
  const log = pino({ level: 'silent' });
  const writer = createResponseWriter(
    log,
    createErrorLog(log, async () => undefined),
    bounds,
  );
  const server = createServer(respond(writer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Reader {
  socket: Socket;
  closed: Promise<void>;
}

/** Sends a request and does not read the response. */
async function startReader(port: number): Promise<Reader> {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('readable', resolve));
  return { socket, closed };
}

const countBytes = async ({ socket }: Reader): Promise<number> => {
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return bytes;
};

suite('a response that is read slowly', () => {
  test('is aborted when the client takes too long', async (t) => {
    const aborted = Promise.withResolvers<void>();
    const port = await serve(t, { ...large, maxSendMs: 300 }, (writer) => (_request, response) => {
      response.once('close', aborted.resolve);
      writer.write(response, body);
    });
    const reader = await startReader(port);
    const drip = setInterval(() => reader.socket.read(4_096), 100);
    await aborted.promise;
    clearInterval(drip);
    assert.ok((await countBytes(reader)) < body.length);
  });

  test('is aborted if it is a file of which the client reads too little in that time', async (t) => {
    const sent = Promise.withResolvers<void>();
    const sendFile =
      (writer: ResponseWriter): RequestListener =>
      (_request, response) => {
        response.once('close', sent.resolve);
        const chunks = Readable.from(Array.from({ length: 64 }, () => body.subarray(0, body.length / 64)));
        const file = {
          bytes: body.length,
          chunks,
          closing: '',
          isFile: true,
          close: async () => undefined,
        } as const;
        writer.writeChunks(response, file, 'request', undefined);
      };
    const bounds = { ...large, fileIntervalMs: 300, minFileBytes: 100_000 };
    const reader = await startReader(await serve(t, bounds, sendFile));
    const drip = setInterval(() => reader.socket.read(4_096), 100);
    await sent.promise;
    clearInterval(drip);
    assert.ok((await countBytes(reader)) < body.length);
    const patient = await startReader(await serve(t, { ...bounds, minFileBytes: 0 }, sendFile));
    await setTimeout(3 * bounds.fileIntervalMs);
    assert.ok((await countBytes(patient)) > body.length);
  });

  test('is not aborted before the timeout', async (t) => {
    const port = await serve(t, large);
    const reader = await startReader(port);
    let bytes = 0;
    reader.socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes > body.length) reader.socket.end();
    });
    await reader.closed;
    assert.ok(bytes > body.length);
  });

  test('is not aborted when pipelined responses follow each other without a pause', async (t) => {
    const maxSendMs = 4_000;
    const port = await serve(t, { ...large, maxSendMs });
    const { socket, closed } = await startReader(port);
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request);
    const endMs = performance.now() + 1.5 * maxSendMs;
    let bytes = 0;
    let requested = 2;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      const received = Math.floor(bytes / body.length);
      if (received === requested) socket.end();
      // Another response is unsent while this one ends.
      if (received < requested - 1 || performance.now() > endMs) return;
      requested += 1;
      socket.write(request);
      // A tenth of the time for a response, so that a busy machine changes nothing.
      socket.pause();
      void setTimeout(maxSendMs / 10).then(() => socket.resume());
    });
    await closed;
    assert.ok(bytes > requested * body.length, `${bytes} bytes of ${requested} responses`);
    assert.ok(requested > 4);
  });

  test('is aborted when unread responses take too much memory, the oldest first', async (t) => {
    const port = await serve(t, { ...large, maxUnsentBytes: 3.5 * body.length });
    const readers: Reader[] = [];
    for (let turn = 0; turn < 5; turn += 1) readers.push(await startReader(port));
    const [first, second, ...others] = readers as [Reader, Reader, ...Reader[]];
    assert.ok((await countBytes(first)) < body.length);
    assert.ok((await countBytes(second)) < body.length);
    for (const { socket } of others) {
      let bytes = 0;
      for await (const chunk of socket) {
        bytes += chunk.length;
        if (bytes > body.length) break;
      }
      assert.ok(bytes > body.length);
    }
  });

  test('no longer counts once it is read: many fast clients are not disconnected', async (t) => {
    const port = await serve(t, { ...large, maxUnsentBytes: 1.5 * body.length });
    for (let turn = 0; turn < 5; turn += 1) {
      const { socket } = await startReader(port);
      let bytes = 0;
      for await (const chunk of socket) {
        bytes += chunk.length;
        if (bytes > body.length) break;
      }
      assert.ok(bytes > body.length);
    }
  });
});

for (const encoding of [undefined, 'gzip'] as const) {
  test(`a large response whose source fails is aborted, and its source is closed (${encoding ?? 'identity'})`, async (t) => {
    const closed = Promise.withResolvers<void>();
    async function* pieces() {
      yield Buffer.from('x'.repeat(1_000));
      throw new Error('The database is gone.');
    }
    const port = await serve(t, large, (writer) => (_request, response) => {
      const framing = encoding === undefined ? ['content-length', '2000'] : ['content-encoding', encoding];
      response.writeHead(200, framing);
      const document = {
        bytes: 2_000,
        chunks: pieces(),
        closing: '',
        close: async () => closed.resolve(),
      };
      writer.writeChunks(response, document, 'request', encoding);
    });
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text()));
    await closed.promise;
  });
}
