/** Where the admin area is served, and how it determines the browser's address and its own origin. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { loadContract } from '../../support/contract.ts';
import { createFixture } from '../../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  parseHiddenFields,
  password,
} from '../../support/form-client.ts';
import { findFreePort } from '../../support/free-port.ts';
import { sendRequest } from '../../support/http-client.ts';
import { assertTookAtMost } from '../../support/nightly.ts';
import { openRawConnection } from '../../support/raw-socket.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store } = fixture;

/** The header of a form whose body, `a=b`, follows the interim response. */
const composeFormHeader = (connection: 'keep-alive' | 'close') =>
  [
    'POST /admin/sign-in HTTP/1.1',
    'Host: x',
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 3',
    'Expect: 100-continue',
    `Connection: ${connection}`,
    '\r\n',
  ].join('\r\n');

/** Starts one server whose admin area has a port of its own, and one with the admin area beside the API. */
async function startOnEitherPort(environment: Record<string, string> = {}) {
  const adminPort = await findFreePort();
  const own = await fixture.startServer({
    ROSTRA_ADMIN_PORT: String(adminPort),
    ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
    ...environment,
  });
  const shared = await fixture.startServer(environment);
  return {
    ports: [adminPort, shared.port] as const,
    stop: () => Promise.all([own.stop(), shared.stop()]),
  };
}

test('when the admin area is off, /admin returns the usual 404', async () => {
  const server = await fixture.startServer({ ROSTRA_ADMIN: 'off' });
  for (const path of ['/admin', '/admin/sign-in', '/admin/assets/x/admin.css']) {
    const response = await sendRequest(server.port, path);
    assert.equal(response.status, 404);
    assert.equal(JSON.parse(response.text).code, 'NOT_FOUND');
  }
  await server.stop();
});

test('on a separate port it is not served beside the API, nor the API beside it', async () => {
  const adminPort = await findFreePort();
  const server = await fixture.startServer({
    ROSTRA_ADMIN_PORT: String(adminPort),
    ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
  });
  assert.equal((await sendRequest(server.port, '/admin/sign-in')).status, 404);
  assert.equal((await sendRequest(adminPort, '/api/v1/health')).status, 404);
  const page = await sendRequest(adminPort, '/admin/sign-in');
  assert.equal(page.status, 200);
  assert.ok(page.text.includes('https://api.stadt.example/docs'));
  await server.stop();
});

test('on a separate port, an endless form does not prevent the service from stopping', async () => {
  const adminPort = await findFreePort();
  const server = await fixture.startServerProcess({
    ROSTRA_ADMIN_PORT: String(adminPort),
    ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
    ROSTRA_STOP_TIMEOUT: '1',
  });
  const socket = connect(adminPort, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST /admin/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=',
  );
  await waitUntil('the request', () => socket.bytesWritten > 0);
  const before = performance.now();
  assert.equal(await server.stop(), 0);
  assertTookAtMost(10_000, performance.now() - before);
  socket.destroy();
});

test('a connection that is idle after a form does not delay the stop of the service, on either port', async () => {
  const adminPort = await findFreePort();
  for (const environment of [
    { ROSTRA_ADMIN_PORT: String(adminPort), ROSTRA_PUBLIC_URL: 'https://api.stadt.example' },
    {},
  ]) {
    const server = await fixture.startServerProcess(environment);
    const port = 'ROSTRA_ADMIN_PORT' in environment ? adminPort : server.port;
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(composeFormHeader('keep-alive'));
    await waitUntil('the interim response', () => text.includes('100 Continue'));
    socket.write('a=b');
    await waitUntil('the response', () => text.includes('</html>'));
    const before = performance.now();
    assert.equal(await server.stop(), 0);
    assertTookAtMost(10_000, performance.now() - before);
    socket.destroy();
  }
});

test('a form that is rejected before its end gets one complete response, and the connection is closed, on either port', async () => {
  const { ports, stop } = await startOnEitherPort({ ROSTRA_REQUEST_TIMEOUT: '1' });
  const begun = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\na=`;
  const form = 'application/x-www-form-urlencoded';
  const forms = [
    ['/admin/nothing', form],
    ['/admin/sign-in', 'text/plain'],
    ['/admin/sign-in', form],
  ] as const;
  await Promise.all(
    ports.flatMap((port) =>
      forms.map(async ([path, type]) => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        socket.write(begun(path, type));
        let text = '';
        for await (const chunk of socket) text += chunk;
        assert.equal(text.match(/^HTTP\/1\.1 /gm)?.length, 1, `${path} ${type}: ${text}`);
      }),
    ),
  );
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(begun('/admin/sign-in', 'text/plain').replace('100', '100000'));
    // The response is on its way while the client still writes, within the time that the server waits for the rest.
    for (let part = 0; part < 20; part += 1) {
      await setImmediate();
      socket.write('a'.repeat(1_000));
    }
    let text = '';
    for await (const chunk of socket) text += chunk;
    assert.match(text, /^HTTP\/1\.1 400 .*<\/html>/s);
  }
  await stop();
});

test('a form that is read to its end leaves the connection open for the next request, on either port', async () => {
  const { ports, stop } = await startOnEitherPort();
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const form = `POST /admin/sign-in HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 3\r\n\r\na=b`;
  const last = 'GET /admin/sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(form + last);
    let text = '';
    for await (const chunk of socket) text += chunk;
    assert.deepEqual(text.match(/(?<=^HTTP\/1\.1 )\d+|(?<=^connection: ).*/gim), [
      '403',
      'keep-alive',
      '200',
      'close',
    ]);
  }
  await stop();
});

test('a form with Expect: 100-continue gets an interim response before its body is sent, on either port', async () => {
  const { ports, stop } = await startOnEitherPort({ ROSTRA_REQUEST_TIMEOUT: '1' });
  for (const port of ports) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(composeFormHeader('close'));
    const [interim] = await once(socket, 'data');
    assert.equal(String(interim), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('a=b');
    let text = '';
    for await (const chunk of socket) text += chunk;
    assert.match(text, /^HTTP\/1\.1 403 .*<\/html>/s);
  }
  await stop();
});

test('a separate port that is in use or lacks a public URL is rejected with an error message', async () => {
  const server = await fixture.startServer();
  const taken = { ROSTRA_ADMIN_PORT: String(server.port), ROSTRA_PUBLIC_URL: 'https://api.stadt.example' };
  await assert.rejects(fixture.startServer(taken), /choose another port with --admin-port/);
  await assert.rejects(
    fixture.startServer({ ROSTRA_ADMIN_PORT: '0' }),
    /ROSTRA_ADMIN_PORT requires ROSTRA_PUBLIC_URL/,
  );
  await server.stop();
});

suite('forwarded headers', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 192.0.2.77', 'x-forwarded-proto': 'https' };

  async function addressInLog(
    environment: Record<string, string>,
    forwardedFor = forwarded['x-forwarded-for'],
  ): Promise<string> {
    const server = await fixture.startServer(environment);
    const { link, email } = await createAccount(store, fixture.b);
    const client = createFormClient(server.address);
    const page = await client.get(link);
    await client.post(
      link,
      { ...parseHiddenFields(page.body), password },
      {
        ...forwarded,
        'x-forwarded-for': forwardedFor,
      },
    );
    const events = await store.listAuditEvents(fixture.b, undefined, 10);
    await server.stop();
    return events.find(({ actor, action }) => actor === email && action === 'signed_in')?.address ?? '';
  }

  test('are ignored by default', async () => {
    assert.equal(await addressInLog({}), '127.0.0.1');
    assert.equal(await addressInLog({ ROSTRA_TRUSTED_PROXIES: '10.0.0.0/8' }), '127.0.0.1');
  });

  test('are used from trusted proxies, up to the first untrusted one', async () => {
    assert.equal(await addressInLog({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1' }), '192.0.2.77');
    assert.equal(await addressInLog({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1,192.0.2.0/24' }), '203.0.113.9');
  });

  test('are used only if they contain an IP address', async () => {
    for (const forwardedFor of ['x'.repeat(300), 'unknown', '<b>', '127.0.0.1:80'])
      assert.equal(await addressInLog({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1' }, forwardedFor), '127.0.0.1');
  });

  test('determine the origin of the API if no public URL is set', async () => {
    const server = await fixture.startServer({ ROSTRA_TRUSTED_PROXIES: '127.0.0.1' });
    const client = createFormClient(server.address);
    const headers = { ...forwarded, 'x-forwarded-host': 'api.stadt.example' };
    assert.ok((await client.get('/admin/sign-in', headers)).body.includes('https://api.stadt.example/docs'));
    const linkTo = async (more: Record<string, string>) =>
      /href="([^"]*)\/docs"/.exec((await client.get('/admin/sign-in', { ...headers, ...more })).body)?.[1];
    const own = new URL(server.address).host;
    assert.equal(await linkTo({ 'x-forwarded-proto': 'javascript' }), 'http://api.stadt.example');
    for (const host of [
      'evil.example/path',
      'user@evil.example',
      'evil.example#',
      'a b',
      '"><script>',
      'x:y',
      'x:99999',
      '999.999.999.999',
    ])
      assert.equal(await linkTo({ 'x-forwarded-host': host }), `https://${own}`, host);
    assert.equal(await linkTo({ 'x-forwarded-host': 'rostra_app:8080' }), 'https://rostra_app:8080');
    await server.stop();
  });

  test('cannot break the password form, whatever they contain', async () => {
    const server = await fixture.startServer();
    const { link } = await createAccount(store, fixture.a);
    for (const [host, status] of [
      ['rostra_app:8080', 422],
      ['x:99999', 422],
      ['m\u00fcnchen.example', 400],
    ] as const) {
      const page = await sendRequest(server.port, link, { headers: { host } });
      const headers = {
        host,
        cookie: page.headers['set-cookie']?.split(';')[0] ?? '',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const body = String(new URLSearchParams({ ...parseHiddenFields(page.text), password: 'passwort1234' }));
      const response = await sendRequest(server.port, link, { method: 'POST', headers, body });
      assert.equal(response.status, status, host);
    }
    await server.stop();
  });

  test('do not change links if the proxy is untrusted', async () => {
    const server = await fixture.startServer();
    const headers = { ...forwarded, 'x-forwarded-host': 'evil.example' };
    const { body } = await createFormClient(server.address).get('/admin/sign-in', headers);
    assert.ok(body.includes(`href="${server.address}/docs"`));
    await server.stop();
  });
});

suite('the language', () => {
  const languageOf = (body: string) => /<html lang="(\w+)">/.exec(body)?.[1];

  test('is the browser’s first supported language, else English', async () => {
    const server = await fixture.startServer();
    for (const [wanted, given] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['fr,de;q=0.5,en;q=0.4', 'de'],
      ['en-US', 'en'],
      ['fr', 'en'],
      ['*', 'en'],
      ['', 'en'],
      [';;;q=x', 'en'],
    ] as const) {
      assert.equal(
        languageOf((await createFormClient(server.address, wanted).get('/admin/sign-in')).body),
        given,
        wanted,
      );
    }
    await server.stop();
  });

  test('stays as chosen, also on error pages', async () => {
    const server = await fixture.startServer();
    const client = await createSignedInClient(server, store, fixture.a);
    await client.open('/admin?language=de');
    for (const path of ['/admin/account', '/admin/nowhere'])
      assert.equal(languageOf((await client.open(path)).body), 'de');
    await client.get('/admin/account?language=xx');
    assert.equal(languageOf((await client.open('/admin/account')).body), 'de');
    await server.stop();
  });
});

test('on either port it rejects the same requests as the API, with the headers of the contract', async () => {
  const { ports, stop } = await startOnEitherPort({ ROSTRA_REQUEST_TIMEOUT: '1' });
  const host = 'Host: a\r\nConnection: close';
  const rejected: [what: string, bytes: string, status: number][] = [
    ['two Host headers', 'GET /admin/sign-in HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['no Host header', 'GET /admin/sign-in HTTP/1.1\r\n\r\n', 400],
    ['an empty Host header', 'GET /admin/sign-in HTTP/1.1\r\nHost:\r\n\r\n', 400],
    ['a malformed URL', `GET /admin/%zz HTTP/1.1\r\n${host}\r\n\r\n`, 400],
    ['an over-long URL', `GET /admin/sign-in?${'x'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n\r\n`, 414],
    ['20 kB of headers', `GET /admin HTTP/1.1\r\n${host}\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['200 kB of headers', `GET /admin HTTP/1.1\r\n${host}\r\nX-A: ${'x'.repeat(200_000)}\r\n\r\n`, 431],
    ['garbage', 'garbage\r\n\r\n', 400],
    ['an unfinished request', 'GET /admin/sign-in HTTP/1.1\r\n', 408],
    ['CONNECT', `CONNECT a:1 HTTP/1.1\r\n${host}\r\n\r\n`, 405],
  ];
  // Only the API has the document, which a connection needs to check headers.
  await loadContract(ports[1]);
  for (const [what, bytes, status] of rejected) {
    const answers: string[] = [];
    for (const port of ports) {
      const connection = await openRawConnection(port);
      connection.socket.write(bytes);
      const { responses } = await connection.finish({ minResponses: 1 });
      assert.deepEqual(
        responses.map((response) => response.status),
        [status],
        what,
      );
      answers.push(responses[0]?.text as string);
    }
    assert.equal(answers[0], answers[1], what);
  }
  await stop();
});

test('an id or a secret of any length gets the page of one that does not exist', async () => {
  const htmlType = 'text/html; charset=utf-8';
  const server = await fixture.startServer();
  for (const path of ['/admin/invitation/', '/admin/unsubscribe/', '/admin/organizations/']) {
    const short = await sendRequest(server.port, `${path}x`);
    const long = await sendRequest(server.port, path + 'x'.repeat(5_000));
    assert.deepEqual([long.status, long.headers['content-type']], [short.status, htmlType], path);
    assert.notEqual(long.headers['x-request-id'], undefined);
  }
  await server.stop();
});

test('on either port, unknown expectations are ignored', async () => {
  const { ports, stop } = await startOnEitherPort();
  for (const port of ports) {
    const { status, headers } = await sendRequest(port, '/admin/sign-in', {
      headers: { expect: 'nonsense' },
    });
    assert.equal(status, 200);
    assert.notEqual(headers['x-request-id'], undefined);
  }
  await stop();
});
