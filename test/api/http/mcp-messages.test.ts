/** Messages to the endpoint for AI assistants: valid ones of each revision, and what programs, browsers and attackers send instead. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { composeCall, composeModernRequest, composeRequest, sendMessage } from '../../support/mcp-client.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';

const fixture = await createFixtureWithServer({ after }, { ROSTRA_REQUEST_TIMEOUT: '2' });
const { server, a, alice, revoked, expired, issueKey, startServer } = fixture;

const list = composeRequest('tools/list');
const send = (body: string, headers?: Record<string, string>) =>
  sendMessage(server, body, { key: alice, ...(headers && { headers }) });

async function countConsumed(work: (key: string) => Promise<unknown>): Promise<number> {
  const { secret } = await issueKey(a);
  const readRemaining = async () =>
    Number((await server.get('/me', { key: secret })).headers['x-ratelimit-remaining']);
  const before = await readRemaining();
  await work(secret);
  return before - (await readRemaining()) - 1;
}

test('other methods than POST are 405, and count with a key', async () => {
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
    const { status, headers } = await sendRequest(server.port, '/mcp', { method });
    assert.deepEqual([method, status, headers.allow], [method, 405, 'POST']);
    const consumed = await countConsumed((key) => sendRequest(server.port, '/mcp', { method, key }));
    assert.equal(consumed, 1);
  }
});

test('a server without the tools responds 404 to all methods', async () => {
  const off = await startServer({ ROSTRA_MCP: 'off' });
  assert.equal((await sendMessage(off, list, { key: alice })).status, 404);
  assert.equal((await sendRequest(off.port, '/mcp')).status, 404);
});

test('a missing, malformed, unknown, revoked or expired key is 401 with a challenge, before the body is read', async () => {
  for (const key of [undefined, 'x', `${alice.slice(0, -1)}?`, revoked, expired]) {
    const { status, headers, json } = await sendMessage(server, '{', { key });
    assert.equal(status, 401);
    assert.match(headers['www-authenticate'] ?? '', /^Bearer /);
    assert.doesNotMatch(headers['www-authenticate'] ?? '', /resource_metadata/);
    assert.deepEqual(
      [json.jsonrpc, json.error.code, json.error.data],
      ['2.0', 401, { code: 'UNAUTHORIZED' }],
    );
    assert.equal(headers.connection, 'close');
  }
});

test('clients find no authorization server', async () => {
  for (const name of [
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
  ])
    assert.equal((await sendRequest(server.port, `/.well-known/${name}`)).status, 404);
});

test('each message counts once, whatever it is and however much its tool reads', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const messages = [
    list,
    composeRequest('initialize', { protocolVersion: '2025-11-25' }),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    composeCall('find_submissions', { limit: 100 }),
    composeCall('get_session', { id }),
    composeCall('no_tool'),
    `[${list},${list},${list}]`,
    '{',
    'x'.repeat(70_000),
  ];
  for (const body of messages)
    assert.equal(await countConsumed((key) => sendMessage(server, body, { key })), 1, body.slice(0, 60));
});

test('a message counts before its body arrives', async () => {
  const { secret } = await issueKey(a);
  const connection = await openRawConnection(server.port);
  const lines = [`Authorization: Bearer ${secret}`, 'Content-Length: 50'];
  connection.socket.write(composeRawRequest('/mcp', lines, 'POST'));
  let isRejected = false;
  connection.socket.once('data', () => {
    isRejected = true;
  });
  let asked = 0;
  let consumed = 0;
  while (consumed === asked && !isRejected) {
    asked += 1;
    consumed =
      1_000_000 - Number((await server.get('/me', { key: secret })).headers['x-ratelimit-remaining']);
  }
  assert.equal(consumed, asked + 1);
  assert.ok(!isRejected);
  const { responses } = await connection.finish();
  assert.deepEqual(
    responses.map(({ status }) => status),
    [408],
  );
});

test('an exhausted window is a 429 before the body arrives, which names the seconds for people and programs', async () => {
  const { secret } = await issueKey(a, { requestLimit: 1 });
  await sendMessage(server, list, { key: secret });
  const lines = [`Authorization: Bearer ${secret}`, 'Content-Length: 60000'];
  const { responses } = await server.sendRaw(composeRawRequest('/mcp', lines, 'POST'), { minResponses: 1 });
  const { status, headers, text } = responses[0] as (typeof responses)[0];
  const { error } = JSON.parse(text);
  const seconds = Number(headers['retry-after']);
  assert.equal(status, 429);
  assert.ok(seconds > 0);
  assert.equal(error.message, `The rate limit of this key is exhausted: try again in ${seconds} seconds.`);
  assert.deepEqual(error.data, { code: 'RATE_LIMITED', retryAfterSeconds: seconds });
  assert.deepEqual(
    [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers.connection],
    ['1', '0', 'close'],
  );
});

test('a response has the headers of the API', async () => {
  const { headers } = await send(list);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-ratelimit-limit'], '1000000');
  assert.match(headers['x-request-id'] ?? '', /^[\da-f-]{36}$/);
});

test('web pages of foreign origins are 403 and count, programs and own pages are not', async () => {
  const open = await startServer({
    ROSTRA_PUBLIC_URL: 'https://api.example',
    ROSTRA_CORS_ORIGINS: 'https://tool.example',
  });
  const origins: [typeof server, string, number][] = [
    [server, 'http://localhost:6274', 200],
    [server, 'http://127.0.0.1', 200],
    [server, 'http://evil.example', 403],
    [server, 'http://localhost.evil.example', 403],
    [server, 'null', 403],
    [open, 'https://api.example', 200],
    [open, 'https://tool.example', 200],
    [open, 'http://api.example', 403],
    [open, 'http://localhost', 403],
    [open, 'https://api.example.evil.example', 403],
  ];
  for (const [target, origin, expected] of origins) {
    const { status } = await sendMessage(target, list, {
      key: alice,
      headers: { origin, host: 'evil.example' },
    });
    assert.equal(status, expected, origin);
  }
  const sendForeign = (key: string) =>
    sendMessage(server, list, { key, headers: { origin: 'http://evil.example' } });
  assert.equal(await countConsumed(sendForeign), 1);
});

test('a page of an allowed origin may send messages and read the responses', async () => {
  const origin = 'https://tool.example';
  const open = await startServer({ ROSTRA_CORS_ORIGINS: origin });
  const wanted = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await sendRequest(open.port, '/mcp', { method: 'OPTIONS', headers: wanted });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers['access-control-allow-methods'], 'POST');
  assert.match(preflight.headers['access-control-allow-headers'] ?? '', /Content-Type, MCP-Protocol-Version/);
  const { headers } = await sendMessage(open, list, { key: alice, headers: { origin } });
  assert.equal(headers['access-control-allow-origin'], origin);
});

test('a body of 64 KiB is read, a larger one is 413, with its length and without', async () => {
  const pad = (bytes: number) => list.replace('{}', `{"x":"${'y'.repeat(bytes - list.length - 6)}"}`);
  const largest = pad(65_536);
  assert.equal(Buffer.byteLength(largest), 65_536);
  assert.equal((await send(largest)).status, 200);
  const { status, json, headers } = await send(pad(65_537));
  assert.deepEqual([status, json.error.code, headers.connection], [413, 413, 'close']);
  const lines = [`Authorization: Bearer ${alice}`, 'Transfer-Encoding: chunked'];
  const chunk = `${(65_537).toString(16)}\r\n${pad(65_537)}\r\n`;
  const { responses } = await server.sendRaw(`${composeRawRequest('/mcp', lines, 'POST')}${chunk}`);
  assert.deepEqual(
    responses.map((response) => [response.status, response.headers.connection]),
    [[413, 'close']],
  );
  assert.match(await server.waitForLine(/"operation":"mcp","status":413/), /"error":"BAD_REQUEST"/);
});

test('a body in pieces is one message, and the connection stays open for the next one', async () => {
  const connection = await openRawConnection(server.port);
  const lines = [`Authorization: Bearer ${alice}`, 'Transfer-Encoding: chunked'];
  connection.socket.write(composeRawRequest('/mcp', lines, 'POST'));
  for (const character of list) {
    connection.socket.write(`1\r\n${character}\r\n`);
    await new Promise(setImmediate);
  }
  const second = `Authorization: Bearer ${alice}\r\nContent-Length: ${list.length}`;
  connection.socket.write(`0\r\n\r\n${composeRawRequest('/mcp', [second], 'POST')}${list}`);
  const { responses, closed } = await connection.finish({ minResponses: 2 });
  assert.deepEqual(
    responses.map(({ status, text }) => [status, JSON.parse(text).result.tools.length]),
    [
      [200, 9],
      [200, 9],
    ],
  );
  assert.ok(!closed);
});

test('a client that waits for 100-continue gets it with a valid key only', async () => {
  const open = async (key: string) => {
    const connection = await openRawConnection(server.port);
    const lines = [`Authorization: Bearer ${key}`, 'Expect: 100-continue', `Content-Length: ${list.length}`];
    connection.socket.write(composeRawRequest('/mcp', lines, 'POST'));
    return connection;
  };
  const connection = await open(alice);
  await new Promise((resolve) => connection.socket.once('data', resolve));
  connection.socket.write(list);
  const { text, responses } = await connection.finish({ minResponses: 1 });
  assert.match(text, /^HTTP\/1\.1 100 Continue\r\n/);
  assert.equal(responses[0]?.status, 200);
  const rejected = await (await open(revoked)).finish({ minResponses: 1 });
  assert.match(rejected.text, /^HTTP\/1\.1 401 /);
});

test('a client that leaves in the middle of its body does no harm', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const { socket } = await openRawConnection(server.port);
    const lines = [`Authorization: Bearer ${alice}`, 'Content-Length: 60000'];
    socket.write(`${composeRawRequest('/mcp', lines, 'POST')}{"jsonrpc"`);
    await new Promise((resolve) => setTimeout(resolve, turn));
    socket.destroy();
  }
  assert.equal((await send(list)).status, 200);
  assert.ok(!server.lines.some((line) => line.includes('"status":500')));
});

const parseError = [400, -32700];
const invalidRequest = [400, -32600];
const invalidParams = [400, -32602];

/** @see https://www.jsonrpc.org/specification */
const malformed: [what: string, body: string, expected: number[]][] = [
  ['an empty body', '', parseError],
  ['half a message', '{"jsonrpc":"2.0","id":1,"meth', parseError],
  ['a form', 'method=tools/list', parseError],
  ['a byte order mark and nothing', '\ufeff', parseError],
  ['deep lists', '['.repeat(60_000), parseError],
  ['deep lists that end', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, invalidRequest],
  [
    'deep objects as params',
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    [200, 0],
  ],
  [
    'deep objects as an id',
    `{"jsonrpc":"2.0","id":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},"method":"ping"}`,
    invalidRequest,
  ],
  ['an empty batch', '[]', invalidRequest],
  ['a batch', `[${list}]`, invalidRequest],
  ['null', 'null', invalidRequest],
  ['a text', '"tools/list"', invalidRequest],
  ['a number', '1e999', invalidRequest],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', invalidRequest],
  ['no version of JSON-RPC', '{"id":1,"method":"ping"}', invalidRequest],
  ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', invalidRequest],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":["ping"]}', invalidRequest],
  ['the id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', invalidRequest],
  ['the id true', '{"jsonrpc":"2.0","id":true,"method":"ping"}', invalidRequest],
  ['a fraction as the id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', invalidRequest],
  ['a list as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', invalidParams],
  ['a text as params', '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', invalidParams],
  ['a cursor of tools', composeRequest('tools/list', { cursor: 'x' }), invalidParams],
  ['a tool without a name', composeRequest('tools/call'), [200, -32602]],
  ['an unknown tool', composeCall('constructor'), [200, -32602]],
  [
    'a tool with a name of an object',
    composeRequest('tools/call', { name: { toString: 'x' } }),
    [200, -32602],
  ],
  ['an unknown method', composeRequest('resources/list'), [200, -32601]],
  ['a method named like a member of all objects', composeRequest('__proto__'), [200, -32601]],
  ['a method of the later revision', composeRequest('server/discover'), [200, -32601]],
];

for (const [what, body, [status, code]] of malformed) {
  test(`${what} is answered with ${status} ${code || 'and a result'}`, async () => {
    const response = await send(body);
    assert.deepEqual([response.status, response.json.error?.code ?? 0], [status, code]);
    assert.ok(Buffer.byteLength(response.text) < 16_384);
    assert.doesNotMatch(response.text, /\.ts:\d|SyntaxError|stack/);
  });
}

test('a body that is not UTF-8 is a parse error', async () => {
  const lines = [`Authorization: Bearer ${alice}`, 'Content-Length: 4'];
  const bytes = Buffer.from(`${composeRawRequest('/mcp', lines, 'POST')}"\xff\xfe"`, 'latin1');
  const { responses } = await server.sendRaw(bytes, { minResponses: 1 });
  assert.equal(responses[0]?.status, 400);
  assert.equal(JSON.parse(responses[0]?.text ?? '').error.code, -32700);
});

test('a response has the id of its request, as a text or as a number', async () => {
  for (const id of [0, -1, 9_007_199_254_740_991, '', '7', 'ä\u0000"']) {
    const { json } = await send(composeRequest('ping', {}, id));
    assert.deepEqual(json, { jsonrpc: '2.0', id, result: {} });
  }
});

test('a notification is accepted without a body', async () => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'unknown']) {
    const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', method }));
    assert.deepEqual([status, text], [202, '']);
  }
});

// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
test('a client of an earlier revision gets its revision, others the latest one that begins with initialize', async () => {
  for (const [asked, answered] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    [7, '2025-11-25'],
    [undefined, '2025-11-25'],
  ]) {
    const { status, json } = await send(composeRequest('initialize', { protocolVersion: asked }));
    assert.deepEqual([status, json.result.protocolVersion], [200, answered]);
    assert.deepEqual(json.result.capabilities, { tools: {} });
  }
});

test('an unknown revision in the header is a 400 that lists the known ones', async () => {
  const { status, json } = await send(list, { 'mcp-protocol-version': '1900-01-01' });
  assert.equal(status, 400);
  assert.deepEqual(json.error.data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    requested: '1900-01-01',
  });
});

test('definitions and discovery of the revision 2026-07-28 say how long they are valid', async () => {
  for (const method of ['tools/list', 'server/discover']) {
    const { status, json } = await send(...composeModernRequest(method));
    const { resultType, ttlMs, cacheScope, _meta } = json.result;
    assert.deepEqual([status, resultType, ttlMs, cacheScope], [200, 'complete', 3_600_000, 'public']);
    assert.equal(_meta['io.modelcontextprotocol/serverInfo'].name, 'rostra');
  }
  const { json } = await send(...composeModernRequest('server/discover'));
  assert.deepEqual(json.result.supportedVersions, ['2026-07-28']);
});

test('a call of the revision 2026-07-28 is complete', async () => {
  const [body, headers] = composeModernRequest('tools/call', { name: 'get_municipality', arguments: {} });
  const encoded = `=?base64?${Buffer.from('get_municipality').toString('base64')}?=`;
  for (const name of ['get_municipality', encoded]) {
    const { status, json } = await send(body, { ...headers, 'mcp-name': name });
    assert.deepEqual([status, json.result.resultType, json.result.isError], [200, 'complete', undefined]);
  }
});

// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
test('headers that differ from the body are rejected in the revision 2026-07-28', async () => {
  const [body, headers] = composeModernRequest('tools/call', { name: 'get_municipality', arguments: {} });
  for (const [name, value] of [
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-protocol-version', undefined],
    ['mcp-method', 'tools/list'],
    ['mcp-method', 'TOOLS/CALL'],
    ['mcp-method', undefined],
    ['mcp-name', 'count_records'],
    ['mcp-name', '=?base64?!!?='],
    ['mcp-name', undefined],
  ] as const) {
    const changed = Object.fromEntries(
      Object.entries({ ...headers, [name]: value }).filter(([, each]) => each !== undefined),
    ) as Record<string, string>;
    const { status, json } = await send(body, changed);
    assert.deepEqual([status, json.error.code, json.id], [400, -32020, 1], `${name}: ${value}`);
  }
});

test('incomplete metadata, an unknown version and an unknown method have the errors of the revision 2026-07-28', async () => {
  const incomplete = composeRequest('tools/list', {
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
  });
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  for (const body of [incomplete, list]) {
    const { status, json } = await send(body, headers);
    assert.deepEqual([status, json.error.code], [400, -32602]);
  }
  const unknownVersion = await send(...composeModernRequest('tools/list', {}, '2031-01-01'));
  assert.deepEqual([unknownVersion.status, unknownVersion.json.error.code], [400, -32022]);
  assert.deepEqual(unknownVersion.json.error.data, { supported: ['2026-07-28'], requested: '2031-01-01' });
  for (const method of ['initialize', 'ping', 'subscriptions/listen']) {
    const { status, json } = await send(...composeModernRequest(method));
    assert.deepEqual([status, json.error.code], [404, -32601], method);
  }
});

test('definitions are the same for every key', async () => {
  const texts = await Promise.all(
    [alice, fixture.charlie].map(async (key) => (await sendMessage(server, list, { key })).text),
  );
  assert.equal(texts[0], texts[1]);
});
