/** Responses in the content coding that the client prefers (RFC 9110, 12.5.3). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { pino } from 'pino';
import { type BodyCompressor, createBodyCompressor } from '../../../src/platform/http/compression.ts';
import { listDocsFiles } from '../../../src/web/api/docs-page/docs-page.ts';
import type { RequestContext } from '../../../src/web/api/request-context.ts';
import {
  createResponseWriter,
  responseWriterLimits,
} from '../../../src/web/api/responses/bounded-response-writer.ts';
import { createErrorLog } from '../../../src/web/api/responses/error-log.ts';
import { createResponder, type Respond } from '../../../src/web/api/responses/send-response.ts';
import type { Scope } from '../../support/files.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { composeRawRequest } from '../../support/raw-socket.ts';
import { createSubmission, formatSubmissionId } from '../../support/records.ts';
import { createServerLog } from '../../support/server-log.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, alice, putRecords } = fixture;
const list = '/submissions?limit=100';
const styleSheet = listDocsFiles()[0]?.path ?? '';

const get = (path: string, acceptEncoding: string, method = 'GET') =>
  server.get(path, { key: alice, method, headers: { 'accept-encoding': acceptEncoding } });

const plain = await get(list, 'identity');
assert.ok(plain.body.length > 2_048);

const negotiations: [acceptEncoding: string, encoding: string | undefined][] = [
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['GZip', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip,br', 'br'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['gzip ; q=0.001', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000', undefined],
  ['deflate, compress', undefined],
  ['identity', undefined],
  ['identity, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.4', undefined],
  ['identity;q=0.4, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0', undefined],
  ['*', 'gzip'],
  ['gzip;q=0.5, *', 'br'],
  ['zstd, *', 'zstd'],
  ['br;q=0.5, *;q=0.1', 'br'],
  ['*;q=0.5, zstd;q=0, br;q=0', 'gzip'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['gzip;q=2', undefined],
  ['gzip;q=x', undefined],
  ['gzip;level=9', undefined],
  [',;=,gzip', 'gzip'],
  ['', undefined],
];

for (const [acceptEncoding, encoding] of negotiations) {
  test(`Accept-Encoding "${acceptEncoding}" selects ${encoding ?? 'no coding'}`, async () => {
    const { headers, text, body } = await get(list, acceptEncoding);
    assert.equal(headers['content-encoding'], encoding);
    assert.equal(headers.vary, 'Accept-Encoding');
    assert.deepEqual(JSON.parse(text).data, plain.json.data);
    assert.equal(body.length < plain.body.length / 2, encoding !== undefined);
  });
}

test('without Accept-Encoding, and with several, the lines count together', async () => {
  const { headers } = await server.get(list, { key: alice });
  assert.equal(headers['content-encoding'], undefined);
  const both = await server.get(list, { key: alice, headers: { 'accept-encoding': ['gzip;q=0.5', 'br'] } });
  assert.equal(both.headers['content-encoding'], 'br');
});

test('every large response is the same after decoding, in each encoding, repeatedly', async () => {
  for (const path of ['/api/v1/openapi.json', `/api/v1${list}`, '/docs', styleSheet]) {
    const read = (acceptEncoding: string) =>
      sendRequest(server.port, path, { key: alice, headers: { 'accept-encoding': acceptEncoding } });
    const { text, body } = await read('identity');
    for (const encoding of ['gzip', 'br', 'zstd']) {
      for (let time = 0; time < 4; time += 1) {
        const response = await read(encoding);
        assert.equal(response.text, text, `${path} ${encoding}`);
        assert.equal(response.headers['content-encoding'], encoding);
        assert.equal(response.headers['content-length'], String(response.body.length));
        assert.ok(response.body.length < body.length);
      }
    }
  }
});

test('a body of 1,024 bytes is compressed, and one of 1,023 is not', async () => {
  const path = `/submissions/${formatSubmissionId(500)}`;
  const put = (length: number) =>
    putRecords(a, [{ kind: 'submission', ...createSubmission(500, { description: 'x'.repeat(length) }) }]);
  await put(1);
  const overhead = (await get(path, 'gzip')).body.length - 1;
  await put(1_023 - overhead);
  const small = await get(path, 'gzip');
  assert.equal(small.body.length, 1_023);
  assert.equal(small.headers.vary, undefined);
  await put(1_024 - overhead);
  const large = await get(path, 'gzip');
  assert.equal(large.text.length, 1_024);
  assert.equal(large.headers['content-encoding'], 'gzip');
});

test('a compressed response shows a write at once', async () => {
  const path = `/submissions/${formatSubmissionId(501)}`;
  for (const text of ['first', 'second']) {
    const description = text.repeat(400);
    await putRecords(a, [{ kind: 'submission', ...createSubmission(501, { description }) }]);
    for (let time = 0; time < 4; time += 1)
      assert.equal((await get(path, 'zstd')).json.data.description, description);
  }
});

test('HEAD has the headers of GET in each encoding', async () => {
  const varying = ['date', 'x-request-id', 'x-ratelimit-remaining'];
  for (const encoding of ['gzip', 'br', 'zstd', 'identity']) {
    const listHeaders = async (method: string) =>
      Object.entries((await get(list, encoding, method)).headers).filter(([name]) => !varying.includes(name));
    assert.deepEqual(await listHeaders('HEAD'), await listHeaders('GET'));
  }
});

test('pipelined requests get their responses in order, each in its encoding', async () => {
  const encodings = ['br', 'identity', 'gzip', 'zstd', 'identity', 'gzip'];
  const requests = encodings.map((encoding) =>
    composeRawRequest(`/api/v1${list}`, [`Authorization: Bearer ${alice}`, `Accept-Encoding: ${encoding}`]),
  );
  const { responses } = await server.sendRaw(requests.join(''), { minResponses: encodings.length });
  assert.deepEqual(
    responses.map(({ headers }) => headers['content-encoding'] ?? 'identity'),
    encodings,
  );
  assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
});

test('clients that disconnect while their response is compressed do not harm others', async () => {
  const request = composeRawRequest(`/api/v1${list}`, [
    `Authorization: Bearer ${alice}`,
    'Accept-Encoding: br',
  ]);
  for (let turn = 0; turn < 50; turn += 1) {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(request.repeat(5), resolve));
    socket.destroy();
  }
  assert.equal((await get(list, 'br')).status, 200);
});

test('a response varies by origin, too, if origins are configured', async () => {
  const { port } = await fixture.startServer({ ROSTRA_CORS_ORIGINS: 'https://data.example.org' });
  const { headers } = await sendRequest(port, '/api/v1/openapi.json', {
    headers: { 'accept-encoding': 'gzip' },
  });
  assert.equal(headers.vary, 'Origin, Accept-Encoding');
});

test('with ROSTRA_COMPRESSION=off, no response is compressed or varies by encoding', async () => {
  const { port } = await fixture.startServer({ ROSTRA_COMPRESSION: 'off' });
  const headers = { 'accept-encoding': 'gzip, br, zstd' };
  const page = await sendRequest(port, '/admin/sign-in');
  const [, style = ''] = /href="(\/admin\/assets\/[^"]+\.css)"/.exec(page.text) ?? [];
  for (const path of [`/api/v1${list}`, '/api/v1/openapi.json', '/docs', styleSheet, style]) {
    const response = await sendRequest(port, path, { key: alice, headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers['content-encoding'], undefined, path);
    assert.equal(response.headers.vary, path === '/docs' ? 'Accept' : undefined, path);
  }
});

test('a body is compressed once for each encoding', async () => {
  const compressor = createBodyCompressor();
  const body = Buffer.alloc(2_000, 'x');
  const [first, second] = await Promise.all([
    compressor.compress(body, 'br', 'normal'),
    compressor.compress(body, 'br', 'normal'),
  ]);
  assert.ok(first !== undefined && first === second);
  assert.equal(await compressor.compress(body, 'br', 'normal'), first);
  assert.notEqual(await compressor.compress(body, 'gzip', 'normal'), first);
});

test('a failed compression is tried again with the next response', async () => {
  const compressor = createBodyCompressor();
  const body = Buffer.alloc(2_000, 'x');
  // zstd rejects a body that does not have the announced length.
  Object.defineProperty(body, 'length', { value: 1_999, configurable: true });
  assert.equal(await compressor.compress(body, 'zstd', 'normal'), undefined);
  Reflect.deleteProperty(body, 'length');
  const compressed = await compressor.compress(body, 'zstd', 'normal');
  assert.ok(zstdDecompressSync(compressed as Buffer).equals(body));
});

/** Starts a server with a compressor of the test, in the process of the test. */
async function startResponder(
  scope: Scope,
  compress: BodyCompressor['compress'],
  answer: (respond: Respond, context: RequestContext) => void,
) {
  const serverLog = createServerLog();
  const log = pino({}, { write: serverLog.add });
  const errorLog = createErrorLog(log, async () => undefined);
  const respond = createResponder({
    rateLimit: 1_000,
    corsOrigins: [],
    compressor: { compress },
    writer: createResponseWriter(log, errorLog, responseWriterLimits),
    errorLog,
    logRequest: () => undefined,
    metrics: undefined,
    recordUse: () => undefined,
  });
  const rest = {
    hasUnreadBody: false,
    operation: null,
    startedMs: 0,
    admission: undefined,
    span: undefined,
    formatError: undefined,
  };
  const responder = createServer((request, response) =>
    answer(respond, { requestId: 'f1e2d3c4', request, response, ...rest }),
  ).listen(0, '127.0.0.1');
  scope.after(() => {
    responder.closeAllConnections();
    responder.close();
  });
  await once(responder, 'listening');
  const { port } = responder.address() as AddressInfo;
  const read = () => sendRequest(port, '/', { headers: { 'accept-encoding': 'gzip' } });
  return { read, waitForLine: serverLog.waitForLine };
}

test('a response that was sent during the compression of another one is the only one', async (t) => {
  const pending = Promise.withResolvers<undefined>();
  const { read } = await startResponder(
    t,
    () => pending.promise,
    (respond, context) => {
      respond(context, 200, { body: 'x'.repeat(2_000) });
      respond(context, 503, { body: '{}' });
      pending.resolve(undefined);
    },
  );
  for (let turn = 0; turn < 2; turn += 1) {
    const { status, text } = await read();
    assert.deepEqual([status, text], [503, '{}']);
  }
});

test('an error of the compression closes the connection and is logged', async (t) => {
  const { read, waitForLine } = await startResponder(
    t,
    () => Promise.reject(new Error('The compressor is broken.')),
    (respond, context) => respond(context, 200, { body: 'x'.repeat(2_000) }),
  );
  await assert.rejects(read(), { code: 'ECONNRESET' });
  await waitForLine(/f1e2d3c4.*The compressor is broken/);
});

test('bodies wait for a free thread', async () => {
  const compressor = createBodyCompressor();
  const bodies = Array.from({ length: 20 }, (_, index) => Buffer.alloc(100_000, String(index)));
  const results = await Promise.all(bodies.map((body) => compressor.compress(body, 'gzip', 'normal')));
  for (const [index, result] of results.entries())
    assert.ok(gunzipSync(result as Buffer).equals(bodies[index] as Buffer));
});

test('while many large bodies wait for compression, further bodies are sent as they are', async () => {
  const compressor = createBodyCompressor();
  const compress = () => compressor.compress(Buffer.alloc(3 * 1024 * 1024, 'x'), 'gzip', 'normal');
  const results = await Promise.all([compress(), compress(), compress(), compress()]);
  assert.deepEqual(
    results.map((result) => result !== undefined),
    [true, true, false, false],
  );
  assert.notEqual(await compress(), undefined);
  const huge = await compressor.compress(Buffer.alloc(20 * 1024 * 1024), 'gzip', 'normal');
  assert.notEqual(huge, undefined);
});
