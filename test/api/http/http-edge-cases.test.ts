import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { composeRawRequest, openRawConnection } from '../../support/raw-socket.ts';
import { formatSubmissionId } from '../../support/records.ts';

const { server, a, alice, issueKey } = await createFixtureWithServer({ after });

const createMeRequest = (...lines: string[]) =>
  composeRawRequest('/api/v1/me', [`Authorization: Bearer ${alice}`, ...lines]);
const health = composeRawRequest('/api/v1/health');

/** Rejected with this status and BAD_REQUEST; then the connection is closed. */
const malformed: [what: string, bytes: string, status: number | number[]][] = [
  ['garbage', 'garbage\r\n\r\n', 400],
  ['binary garbage', '\x00\x01\x02\xff\xfe\r\n\r\n', 400],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an unknown method', 'NONSENSE /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a method in lower case', 'get /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an over-long method', `${'X'.repeat(5_000)} /api/v1/me HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
  ['an unknown version', 'GET /api/v1/me HTTP/9.9\r\nHost: x\r\n\r\n', 400],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no target', 'GET  HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a blank in the target', 'GET /api/v1/me ?x HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a NUL in the target', 'GET /api/v1/\x00me HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a NUL in a header', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n`, 400],
  ['a blank before the colon', 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-A : b\r\n\r\n', 400],
  ['a header without a colon', 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400],
  ['a header without a name', 'GET /api/v1/me HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n', 400],
  ['a bare CR', 'GET /api/v1/me HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n', 400],
  ['a folded first header', 'GET /api/v1/me HTTP/1.1\r\n Host: x\r\n\r\n', 400],
  ['HTTP/1.1 without Host', `GET /api/v1/me HTTP/1.1\r\nAuthorization: Bearer ${alice}\r\n\r\n`, 400],
  [
    'two Host headers',
    `GET /api/v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer ${alice}\r\n\r\n`,
    400,
  ],
  ['a Content-Length that is not a number', createMeRequest('Content-Length: x'), 400],
  ['a negative Content-Length', createMeRequest('Content-Length: -1'), 400],
  ['two Content-Lengths', `${createMeRequest('Content-Length: 1', 'Content-Length: 2')}ab`, 400],
  [
    'Content-Length with Transfer-Encoding',
    `${createMeRequest('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    400,
  ],
  ['chunked that is not last', `${createMeRequest('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`, 400],
  ['20 kB of headers', createMeRequest(`X-A: ${'x'.repeat(20_000)}`), 431],
  [
    '20 kB in many headers',
    createMeRequest(...Array.from({ length: 1_000 }, (_, index) => `X-${index}: 0123456789`)),
    431,
  ],
  ['100 kB of headers', createMeRequest(`X-A: ${'x'.repeat(100_000)}`), 431],
  ['a header name of 20 kB', createMeRequest(`${'x'.repeat(20_000)}: a`), 431],
  ['300 kB of headers', createMeRequest(`X-A: ${'x'.repeat(300_000)}`), 431],
  ['a URL of 300 kB', composeRawRequest(`/api/v1/me?${'x'.repeat(300_000)}`), 431],
];

for (const [what, bytes, expected] of malformed) {
  test(`${what}: ${expected} BAD_REQUEST in JSON, with the contract headers`, async () => {
    const { responses } = await server.sendRaw(bytes, { minResponses: 1 });
    assert.equal(responses[0]?.status, expected);
    assert.equal(JSON.parse(responses[0]?.text as string).code, 'BAD_REQUEST');
    // The request is counted only if the parser read its key.
    const admitted = responses[0]?.headers['x-ratelimit-reset'] !== undefined;
    assert.equal(responses[0]?.headers['x-ratelimit-remaining'] === '1000000', !admitted);
  });
}

test('malformed HTTP gets exactly one response, then the connection is closed', async () => {
  for (const bytes of [
    'garbage\r\n\r\n',
    'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
    createMeRequest('Content-Length: x'),
  ]) {
    const { responses, closed } = await server.sendRaw(`${bytes}${health}${health}`);
    assert.equal(responses.length, 1);
    assert.equal(responses[0]?.headers.connection, 'close');
    assert.ok(closed);
  }
});

test('a GET with invalid chunks gets one response, then the connection is closed', async () => {
  for (const body of [
    'zz\r\n\r\n',
    '5\r\nab',
    'fffffffffffffffffff\r\n',
    '5;\x00\r\nabcde\r\n0\r\n\r\n',
    '-1\r\n\r\n',
  ]) {
    const { responses } = await server.sendRaw(`${createMeRequest('Transfer-Encoding: chunked')}${body}`, {
      end: true,
    });
    assert.ok(responses.length >= 1 && responses.length <= 2, `${responses.length} answers`);
    assert.ok(responses.every(({ status }) => status === 200 || status === 400));
  }
});

test('an unknown transfer coding is 400, then the connection is closed', async () => {
  for (const coding of [
    'nonsense',
    'gzip, chunked',
    'chunked, gzip',
    'identity',
    'chunked, nonsense',
    'xchunked',
    '',
  ]) {
    for (const lines of [[], [`Authorization: Bearer ${alice}`]]) {
      const refused = composeRawRequest('/api/v1/me', [...lines, `Transfer-Encoding: ${coding}`]);
      const { responses, closed } = await server.sendRaw(
        `${refused}0\r\n\r\n${composeRawRequest('/api/v1/smuggled')}`,
      );
      const seen = responses.map(({ status, headers }) => [status, headers.connection]);
      assert.deepEqual(seen, [[400, 'close']], coding);
      assert.ok(closed, coding);
    }
  }
});

test('requests after a body are neither answered nor counted: the connection is closed after the first response', async () => {
  const { secret: key } = await issueKey(a, { requestLimit: 100 });
  const keyed = `Authorization: Bearer ${key}`;
  const next = composeRawRequest('/api/v1/me', [keyed]);
  const bodies = [
    ['Content-Length: 3', 'abc'],
    ['Transfer-Encoding: chunked', '3\r\nabc\r\n0\r\n\r\n'],
    ['Content-Length: 100000', 'x'.repeat(100_000)],
  ] as const;
  let counted = 0;
  for (const [announced, body] of bodies) {
    for (const [target, method, status] of [
      ['/api/v1/me', 'GET', 200],
      ['/api/v1/health', 'GET', 200],
      ['/api/v1/me', 'POST', 405],
      ['/api/v1/nothing', 'DELETE', 404],
      ['/api/v1/%zz', 'PUT', 400],
    ] as const) {
      const first = composeRawRequest(target, [keyed, announced], method);
      const { responses, closed } = await server.sendRaw(`${first}${body}${next}`);
      if (target !== '/api/v1/health') counted += 1;
      const seen = responses.map((response) => [response.status, response.headers.connection]);
      assert.deepEqual(seen, [[status, 'close']], `${method} ${target} ${announced}`);
      assert.ok(closed);
    }
  }
  const { headers } = await server.get('/me', { key });
  assert.equal(headers['x-ratelimit-remaining'], String(100 - counted - 1));
});

test('a client that keeps sending can read the complete response', async () => {
  const connection = await openRawConnection(server.port);
  connection.socket.write(composeRawRequest('/api/v1/me', ['Content-Length: 50000000'], 'POST'));
  const more = setInterval(() => connection.socket.write('x'.repeat(100_000)), 5);
  connection.socket.once('close', () => clearInterval(more));
  const { responses, closed } = await connection.finish();
  assert.deepEqual(
    responses.map((response) => [response.status, response.headers.connection]),
    [[405, 'close']],
  );
  assert.ok(closed);
});

test('Content-Length: 0 leaves the connection open', async () => {
  const { responses } = await server.sendRaw(createMeRequest('Content-Length: 0').repeat(3), {
    minResponses: 3,
  });
  assert.deepEqual(
    responses.map((response) => [response.status, response.headers.connection]),
    Array(3).fill([200, 'keep-alive']),
  );
});

test('CONNECT with a key is counted and shows the window', async () => {
  const { secret: key } = await issueKey(a, { requestLimit: 9 });
  const lines = [`Authorization: Bearer ${key}`];
  const { responses } = await server.sendRaw(composeRawRequest('example.org:443', lines, 'CONNECT'), {
    minResponses: 1,
  });
  assert.equal(responses[0]?.status, 405);
  assert.equal(responses[0]?.headers['x-ratelimit-remaining'], '8');
});

test('a request line without a version is rejected, then the connection is closed', async () => {
  const { responses, closed } = await server.sendRaw('GET /api/v1/me\r\n\r\n');
  assert.equal(responses.length, 1);
  assert.ok([400, 401].includes(responses[0]?.status as number));
  assert.ok(closed);
});

test('the body of a GET is not parsed as the next request', async () => {
  const smuggled = composeRawRequest('/api/v1/smuggled');
  const { responses } = await server.sendRaw(
    `${createMeRequest(`Content-Length: ${smuggled.length}`, 'Connection: close')}${smuggled}`,
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200],
  );
});

test('HTTP/1.0 works with and without Host, then the connection is closed', async () => {
  for (const host of ['', 'Host: x\r\n']) {
    const { responses, closed } = await server.sendRaw(
      `GET /api/v1/me HTTP/1.0\r\n${host}Authorization: Bearer ${alice}\r\n\r\n`,
    );
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200],
    );
    assert.ok(closed);
  }
});

for (const [host, isValid] of [
  ['', false],
  ['a b', false],
  ['a/b', false],
  ['user@example.org', false],
  ['example.org:http', false],
  ['[::1', false],
  ['a"b', false],
  ['xn--mnchen-3ya.example', true],
  ['example.org:', true],
  ['127.0.0.1:8080', true],
  ['[2001:db8::1]:443', true],
] as const) {
  test(`the Host "${host}" is ${isValid ? 'accepted' : 'rejected with the reason'} (RFC 9110, 7.2)`, async () => {
    const request = `GET /api/v1/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const { responses } = await server.sendRaw(request, { minResponses: 1 });
    assert.equal(responses[0]?.status, isValid ? 200 : 400);
    if (!isValid) assert.match(responses[0]?.text as string, /The Host header must be a host name/);
  });
}

for (const [what, target, method, reason] of [
  ['a fragment', '/api/v1/me#x', 'GET', /must not have a fragment/],
  ['a fragment in the query', '/api/v1/submissions?topic=#1', 'GET', /must not have a fragment/],
  ['no slash', 'api/v1/me', 'GET', /must begin with a slash/],
  ['an asterisk', '*', 'OPTIONS', /must begin with a slash/],
  ['an asterisk for GET', '*', 'GET', /must begin with a slash/],
  ['an umlaut', '/api/v1/submissions?topic=\u00c4', 'GET', /must be percent-encoded/],
] as const) {
  test(`a target with ${what} is 400 with the reason (RFC 9112, 3.2)`, async () => {
    const { responses } = await server.sendRaw(composeRawRequest(target, [], method), { minResponses: 1 });
    assert.equal(responses[0]?.status, 400);
    assert.match(responses[0]?.text as string, reason);
    assert.equal(responses[0]?.headers['access-control-allow-origin'], undefined);
  });
}

test('lines that end with a bare LF are rejected, or accepted as RFC 9112, 2.2 allows', async () => {
  const { responses } = await server.sendRaw(`GET /api/v1/health HTTP/1.1\nHost: x\n\n`, { end: true });
  assert.equal(responses.length, 1);
  assert.ok([200, 400].includes(responses[0]?.status as number));
});

test('empty lines before a request are skipped (RFC 9112, 2.2)', async () => {
  const { responses } = await server.sendRaw(`\r\n\r\n${health}`, { minResponses: 1 });
  assert.equal(responses[0]?.status, 200);
});

test('pipelined requests are answered in order', async () => {
  const paths = [
    '/me',
    `/submissions/${formatSubmissionId(1)}`,
    '/nothing',
    '/submissions?limit=0',
    '/health',
  ];
  const requests = paths.map((path) =>
    composeRawRequest(`/api/v1${path}`, [`Authorization: Bearer ${alice}`]),
  );
  const { responses } = await server.sendRaw(requests.join(''), { minResponses: paths.length });
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 404, 400, 200],
  );
});

test('valid pipelined requests are answered before the 400 for garbage', async () => {
  for (const good of [
    [health],
    [createMeRequest()],
    [createMeRequest(), createMeRequest(), createMeRequest()],
    [composeRawRequest('/api/v1/submissions', [`Authorization: Bearer ${alice}`])],
  ]) {
    const { responses, closed } = await server.sendRaw(`${good.join('')}garbage\r\n\r\n`);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [...good.map(() => 200), 400],
    );
    assert.ok(closed);
  }
});

test('an absolute-form target is accepted or rejected with 4xx', async () => {
  const target = `http://127.0.0.1:${server.port}/api/v1/health`;
  const { responses } = await server.sendRaw(composeRawRequest(target), { minResponses: 1 });
  assert.ok([200, 400, 404].includes(responses[0]?.status as number), String(responses[0]?.status));
});

test('CONNECT is rejected with a response', async () => {
  for (const target of ['example.org:443', '/api/v1/me', '127.0.0.1:80']) {
    const { responses } = await server.sendRaw(composeRawRequest(target, [], 'CONNECT'), { minResponses: 1 });
    assert.ok(
      [400, 404, 405].includes(responses[0]?.status as number),
      `${target}: ${responses.length} answers`,
    );
  }
});

test('CONNECT is answered after pipelined requests, but not after a request with a body', async () => {
  const { secret: key } = await issueKey(a, { requestLimit: 100 });
  const keyed = `Authorization: Bearer ${key}`;
  const tunnel = composeRawRequest('example.org:443', [keyed], 'CONNECT');
  for (const [first, statuses] of [
    [composeRawRequest('/api/v1/me', [keyed]), [200, 405]],
    [composeRawRequest('/api/v1/me', [keyed]).repeat(3), [200, 200, 200, 405]],
    [`${composeRawRequest('/api/v1/me', [keyed, 'Content-Length: 5'])}hello`, [200]],
  ] as const) {
    const { responses, closed } = await server.sendRaw(`${first}${tunnel}${health}`);
    const seen = responses.map(({ status }) => status);
    assert.deepEqual(seen, statuses);
    assert.ok(closed);
  }
  const { headers } = await server.get('/me', { key });
  assert.equal(headers['x-ratelimit-remaining'], String(100 - 7 - 1));
});

test('Expect: 100-continue gets the final response at once, because no body is read', async () => {
  for (const length of [0, 5]) {
    const request = createMeRequest('Expect: 100-continue', `Content-Length: ${length}`);
    const { responses, text } = await server.sendRaw(request, { minResponses: 1 });
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200],
    );
    assert.match(text, /^HTTP\/1\.1 200 /, 'no interim response precedes it');
  }
});

test('other expectations are ignored', async () => {
  for (const value of ['nonsense', '200-maybe', '', '100-continue, x']) {
    const { text } = await server.sendRaw(createMeRequest(`Expect: ${value}`), { minResponses: 1 });
    assert.match(text, /^HTTP\/1\.1 200 /, value);
  }
});

test('Upgrade is ignored', async () => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0', 'nonsense']) {
    const { responses } = await server.sendRaw(
      createMeRequest('Connection: Upgrade', `Upgrade: ${protocol}`),
      {
        minResponses: 1,
      },
    );
    assert.equal(responses[0]?.status, 200, protocol);
  }
});

test('150 small headers are accepted', async () => {
  const { responses } = await server.sendRaw(
    createMeRequest(...Array.from({ length: 150 }, (_, index) => `X-${index}: 0`)),
    {
      minResponses: 1,
    },
  );
  assert.equal(responses[0]?.status, 200);
});

test('a key after thousands of headers is used, or the request is rejected', async () => {
  const many = Array.from({ length: 2_500 }, () => 'A: 0');
  const { responses } = await server.sendRaw(
    composeRawRequest('/api/v1/me', [...many, `Authorization: Bearer ${alice}`]),
    { minResponses: 1 },
  );
  assert.ok([200, 431].includes(responses[0]?.status as number), String(responses[0]?.status));
});

test('the authority of an absolute-form target is ignored', async () => {
  const targets: [target: string, method: string, status: number][] = [
    ['http://x/api/v1/health', 'GET', 200],
    ['http://x/unknown', 'GET', 404],
    ['http://u%zz@x/unknown', 'GET', 404],
    ['http://%@x/api/v1/submissions/', 'GET', 404],
    ['http://x/api/v1/me', 'POST', 405],
  ];
  for (const [target, method, status] of targets) {
    const { responses } = await server.sendRaw(
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.deepEqual(
      responses.map((response) => response.status),
      [status],
      target,
    );
  }
});
