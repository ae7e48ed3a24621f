/** Clients that send several requests on a connection before they have read the first response. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { createRequestTurns } from '../../../src/platform/http/connections.ts';
import { createFixture } from '../../support/fixture.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';
import { createSubmission } from '../../support/records.ts';

const fixture = await createFixture({ after });

test('a client that reads nothing occupies the server with one request, not with all that it has sent', async (t) => {
  const description = 'x'.repeat(100_000);
  const submissions = Array.from({ length: 60 }, (_, n) => createSubmission(100 + n, { description }));
  await fixture.putRecords(
    fixture.b,
    submissions.map((record) => ({ kind: 'submission', ...record })),
  );
  const { secret: key } = await fixture.issueKey(fixture.b, { requestLimit: 1_000 });
  const server = await fixture.startServer({ ROSTRA_COMPRESSION: 'off' });
  const sent = 40;
  const pages = composeRawRequest('/api/v1/submissions?limit=60', [`Authorization: Bearer ${key}`]);
  const socket = connect(server.port, '127.0.0.1').pause();
  t.after(() => socket.destroy());
  socket.write(pages.repeat(sent));
  await once(socket, 'readable');
  const others = 20;
  let used = 0;
  for (let turn = 0; turn < others; turn += 1)
    used = 1_000 - Number((await server.get('/me', { key })).headers['x-ratelimit-remaining']);
  // The buffers of the connection hold two or three responses of six megabytes.
  assert.ok(used - others < 10, `${used - others} of ${sent} requests were started`);
});

/** A server whose responses to `/wait` end when the test ends them. */
async function serve(t: TestContext, maxWaitingBytes: number) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const turns = createRequestTurns(log, maxWaitingBytes);
  const started: string[] = [];
  const pending: (() => void)[] = [];
  const server = createServer((request, response) =>
    turns.start(request, response, () => {
      started.push(request.url ?? '');
      if (request.url === '/wait') pending.push(() => response.end('waited\n'));
      else {
        if (request.url === '/close') response.setHeader('connection', 'close');
        response.end(`${request.url}\n`);
      }
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (...paths: string[]) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.write(paths.map((path) => composeRawRequest(path)).join(''));
    return socket;
  };
  return { lines, started, pending, open };
}

async function readUntil(socket: Socket, end: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (end.test(text)) break;
  }
  return text;
}

test('waiting requests start one after another, each after the response before it', async (t) => {
  const { started, pending, open } = await serve(t, 1e9);
  const paths = ['/wait', '/1', '/wait', ...Array.from({ length: 1_000 }, (_, n) => `/${n + 2}`)];
  const text = readUntil(open(...paths), /^\/1001$/m);
  for (const count of [1, 3]) {
    while (pending.length === 0) await setImmediate();
    assert.deepEqual(started, paths.slice(0, count));
    pending.shift()?.();
  }
  const bodies = (await text).match(/^(waited|\/\d+)$/gm);
  assert.deepEqual(
    bodies,
    paths.map((path) => (path === '/wait' ? 'waited' : path)),
  );
  assert.deepEqual(started, paths);
});

test('a connection whose requests take too much memory is closed, and others keep theirs', async (t) => {
  const { lines, started, pending, open } = await serve(t, 50_000);
  const other = open('/wait', '/other');
  const flood = open('/wait', ...Array.from({ length: 20 }, () => '/flood'));
  await once(flood.resume(), 'close');
  assert.deepEqual(lines, ['Closed a connection: pipelined requests take too much memory.']);
  // The memory of the closed connection is available again.
  const next = open('/wait', ...Array.from({ length: 5 }, () => '/next'), '/last');
  while (pending.length < 3) await setImmediate();
  for (const end of pending) end();
  assert.match(await readUntil(other, /^\/other$/m), /^waited$.*^\/other$/ms);
  assert.match(await readUntil(next, /^\/last$/m), /^waited$.*^\/last$/ms);
  assert.ok(!started.includes('/flood'));
});

test('requests behind a response that closes the connection are not started', async (t) => {
  const { started, pending, open } = await serve(t, 1e9);
  const socket = open('/wait', '/close', '/ignored', '/ignored');
  while (pending.length === 0) await setImmediate();
  pending[0]?.();
  assert.match(await readUntil(socket, /^$/), /^waited$.*^\/close$/ms);
  assert.deepEqual(started, ['/wait', '/close']);
});
