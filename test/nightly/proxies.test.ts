/** The examples for nginx and Caddy, with the packages of Debian. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { connect } from 'node:tls';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { createAccount, createFormClient, parseHiddenFields, password } from '../support/form-client.ts';
import { findFreePort } from '../support/free-port.ts';
import { type HttpResponse, parseHeaders, readResponse, sendRequest } from '../support/http-client.ts';
import { createSession } from '../support/records.ts';
import { createSelfSignedCertificate } from '../support/self-signed-certificate.ts';
import { skipWithout } from '../support/system-programs.ts';
import { waitUntil } from '../support/wait-until.ts';

const { key, cert } = createSelfSignedCertificate();
const folder = createTemporaryFolder({ after });
const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
writeFileSync(certFile, cert);
writeFileSync(keyFile, key);
// `fetch` has no option for an own authority.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
after(() => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
});

const read = (name: string) =>
  readFileSync(new URL(`../../examples/proxies/${name}`, import.meta.url), 'utf8');

interface Ports {
  rostra: number;
  http: number;
  https: number;
  /** Of the server behind the copies of nginx. */
  copies: number;
}

const proxyNames = ['nginx', 'caddy'] as const;
type ProxyName = (typeof proxyNames)[number];

/** Replaces what an operator replaces, and the ports. @returns the command line */
const proxies: Record<ProxyName, (ports: Ports, own: string) => string[]> = {
  nginx: ({ rostra, http, https, copies }, own) => {
    const site = read('nginx.conf')
      .replaceAll('/etc/letsencrypt/live/api.stadt.example/fullchain.pem', certFile)
      .replaceAll('/etc/letsencrypt/live/api.stadt.example/privkey.pem', keyFile)
      .replace('127.0.0.1:8080', `127.0.0.1:${rostra}`)
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${copies}`)
      .replace('/var/lib/nginx/rostra', join(own, 'cache'))
      .replace('burst=1000', 'burst=30')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443', `listen 127.0.0.1:${https}`)
      .replaceAll('api.stadt.example', '127.0.0.1');
    writeFileSync(join(own, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${own};`)
      .join('\n');
    // The defaults of Debian compress pages.
    // Otherwise its workers could not enter the folder.
    const user = process.getuid?.() === 0 ? 'user root;\n' : '';
    const main = `${user}pid ${own}/pid;\nevents {}\nhttp {\ngzip on;\naccess_log off;\n${temporary}\ninclude ${own}/site.conf;\n}\n`;
    writeFileSync(join(own, 'nginx.conf'), main);
    return ['nginx', '-p', own, '-c', join(own, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'];
  },
  caddy: ({ rostra, http, https }, own) => {
    const file = read('Caddyfile')
      .replace(
        '{$PROXY_DOMAIN:api.stadt.example} {',
        `https://127.0.0.1:${https} {\n\ttls ${certFile} ${keyFile}`,
      )
      .replace('127.0.0.1:8080', `127.0.0.1:${rostra}`);
    const global = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n}\n`;
    writeFileSync(join(own, 'Caddyfile'), global + file);
    return ['caddy', 'run', '--config', join(own, 'Caddyfile'), '--adapter', 'caddyfile'];
  },
};

async function startBehindProxy(name: ProxyName) {
  const fixture = await createFixture({ after });
  const ports = {
    rostra: await findFreePort(),
    http: await findFreePort(),
    https: await findFreePort(),
    copies: await findFreePort(),
  };
  const address = `https://127.0.0.1:${ports.https}`;
  const startRostra = (more: Record<string, string> = {}) =>
    fixture.startServerProcess({
      ...more,
      ROSTRA_PORT: String(ports.rostra),
      ROSTRA_PUBLIC_URL: address,
      ROSTRA_TRUSTED_PROXIES: '127.0.0.1',
    });
  const server = await startRostra();
  const own = join(folder, name);
  mkdirSync(own);
  const [program = '', ...args] = proxies[name](ports, own);
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: own } });
  after(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  });
  const send = (path: string, headers: Record<string, string> = {}) =>
    new Promise<HttpResponse>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: ports.https, path, headers, timeout: 60_000, agent: false };
      const pending = request(options, (response) => readResponse(response).then(resolve, reject))
        .on('timeout', () => pending.destroy(new Error(`no response from ${path}`)))
        .on('error', reject)
        .end();
    });
  await waitUntil('the proxy', () =>
    send('/api/v1/health').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return { fixture, ports, address, server, startRostra, send };
}

function assertJsonError({ status, headers, text }: HttpResponse, expected: number, code: string): void {
  assert.equal(status, expected, text);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(JSON.parse(text).code, code);
}

for (const name of proxyNames) {
  const skip = skipWithout(name);
  if (skip) {
    test(`the example for ${name}`, { skip }, () => undefined);
    continue;
  }
  const { fixture, ports, address, server, startRostra, send } = await startBehindProxy(name);
  const authorization = `Bearer ${fixture.alice}`;
  const sendWithKey = (path: string, headers: Record<string, string> = {}) =>
    send(path, { authorization, ...headers });

  let restarted: Awaited<ReturnType<typeof startRostra>> | undefined;

  suite(`behind ${name}`, () => {
    test('answers with TLS, and redirects requests without it', async () => {
      const response = await sendWithKey('/api/v1/me');
      assert.equal(response.status, 200);
      assert.match(response.headers['strict-transport-security'] as string, /max-age=31536000/);
      if (name === 'nginx') {
        const plain = await sendRequest(ports.http, '/api/v1/me', { absolute: true });
        assert.equal(plain.status, 308);
        assert.match(plain.headers.location as string, /^https:/);
      }
    });

    test('passes responses as Rostra sends them, compressed for the client', async () => {
      for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
        const headers = { authorization, 'accept-encoding': encoding };
        const path = '/api/v1/submissions?limit=100';
        const direct = await sendRequest(ports.rostra, path, { headers });
        const forwarded = await send(path, headers);
        const contract = (response: HttpResponse) =>
          Object.entries(response.headers)
            .filter(
              ([header]) =>
                !/^(date|server|connection|keep-alive|strict-.*|x-request-id|x-ratelimit-remaining|transfer-encoding|content-length|alt-svc)$/.test(
                  header,
                ),
            )
            .sort();
        assert.deepEqual(contract(forwarded), contract(direct));
        assert.deepEqual(forwarded.body, direct.body);
        assert.equal(forwarded.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      }
    });

    test('never compresses pages of the admin area', async () => {
      const page = await send('/admin/sign-in', { 'accept-encoding': 'gzip, br, zstd' });
      assert.equal(page.status, 200);
      assert.equal(page.headers['content-encoding'], undefined);
    });

    test('passes 429 and 503 with their headers and bodies', async () => {
      const { secret } = await fixture.issueKey(fixture.a, { requestLimit: 1 });
      const headers = { authorization: `Bearer ${secret}` };
      assert.equal((await send('/api/v1/me', headers)).status, 200);
      const limited = await send('/api/v1/me', headers);
      assert.equal(limited.status, 429);
      assert.match(limited.headers['retry-after'] as string, /^\d+$/);
      assert.equal(limited.headers['x-ratelimit-remaining'], '0');
      assert.equal(JSON.parse(limited.text).code, 'RATE_LIMITED');
      renameSync(fixture.database, `${fixture.database}.away`);
      await waitUntil('the outage', async () => (await sendWithKey('/api/v1/me')).status === 503);
      const unavailable = await sendWithKey('/api/v1/me');
      renameSync(`${fixture.database}.away`, fixture.database);
      assert.equal(JSON.parse(unavailable.text).code, 'UNAVAILABLE');
      assert.notEqual(unavailable.headers['x-request-id'], undefined);
      await waitUntil('the database', async () => (await sendWithKey('/api/v1/me')).status === 200);
      // This process also watches the file.
      const write = () =>
        fixture.issueKey(fixture.a).then(
          () => true,
          () => false,
        );
      await waitUntil('the database of this process', write);
    });

    test('passes the address of the browser, and no address that it claims', async () => {
      const { link, email } = await createAccount(fixture.store, fixture.b);
      const client = createFormClient(address);
      const fields = { ...parseHiddenFields((await client.get(link)).body), password };
      const forged = {
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      };
      assert.equal((await client.post(link, fields, forged)).status, 303);
      const events = await fixture.store.listAuditEvents(fixture.b, undefined, 10);
      const event = events.find(({ actor, action }) => actor === email && action === 'signed_in');
      assert.equal(event?.address, '127.0.0.1');
    });

    test('passes an upload of 100 MB', async () => {
      const { link } = await createAccount(fixture.store, fixture.a);
      const client = createFormClient(address);
      assert.equal((await client.submitForm(link, { password })).status, 303);
      const path = `/admin/organizations/${fixture.a}/imports/new`;
      const [, token = ''] = /name="token" value="([^"]+)"/.exec((await client.open(path)).body) ?? [];
      const form = new FormData();
      form.append('token', token);
      form.append('source', 'new');
      const line = '1,Bank,erledigt,01.03.2026\n';
      form.append(
        'file',
        new File(
          ['Nummer,Beschreibung,Status,Datum\n', line.repeat(100_000_000 / line.length)],
          'Export.csv',
        ),
      );
      const { status, location = '' } = await client.send(path, form);
      assert.equal(status, 303);
      assert.match(location, /\/imports\/[^/]+\/steps$/);
    });

    test('passes files of open data, and none that was changed or switched off', async () => {
      const { store, a, putRecords } = fixture;
      await store.editOrganization(a, { slug: 'musterstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
      const path = '/open/musterstadt/sessions.csv';
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': encoding };
        const direct = await sendRequest(ports.rostra, path, { headers });
        for (let copy = 0; copy < 2; copy += 1) {
          const passed = await send(path, headers);
          assert.equal(passed.status, 200, passed.text);
          assert.deepEqual(passed.body, direct.body);
          for (const header of ['etag', 'content-encoding', 'cache-control', 'vary'])
            assert.equal(passed.headers[header], direct.headers[header], header);
        }
        const isExpected = () => {
          const [last = '{}'] = server.lines.filter((line) => line.includes('"openData"')).slice(-1);
          return JSON.parse(last).status === (name === 'nginx' ? 304 : 200);
        };
        await waitUntil('the status in the log', isExpected);
        const etag = direct.headers.etag ?? '';
        assert.equal((await send(path, { ...headers, 'if-none-match': etag })).status, 304);
      }
      const part = await send(path, { range: 'bytes=0-9' });
      assert.deepEqual([part.status, part.body.length], [206, 10]);
      await putRecords(a, [{ kind: 'session', ...createSession(80, { committeeName: 'Seniorenbeirat' }) }]);
      assert.match((await send(path)).text, /Seniorenbeirat/);
      await store.editOrganization(a, { openData: 'off' });
      assertJsonError(await send(path), 404, 'NOT_FOUND');
    });

    test('limits the requests of an address to open data', {
      skip: name === 'caddy' && 'Rostra limits them',
    }, async () => {
      const responses = await Promise.all(Array.from({ length: 200 }, () => send('/open/unknown/x.csv')));
      const rejected = responses.filter(({ status }) => status === 429);
      assert.ok(rejected.length > 0 && rejected.length < 180, `${rejected.length}`);
      for (const response of rejected) {
        assertJsonError(response, 429, 'RATE_LIMITED');
        assert.equal(response.headers['retry-after'], '5');
      }
      assert.equal((await sendWithKey('/api/v1/me')).status, 200);
    });

    test('answers malformed and too large requests with JSON', {
      skip: name === 'caddy' && 'Rostra answers them',
    }, async () => {
      const ok = `authorization: ${authorization}\r\nconnection: close\r\n`;
      const sendRaw = (bytes: string) =>
        new Promise<HttpResponse>((resolve, reject) => {
          const chunks: Buffer[] = [];
          const socket = connect({ host: '127.0.0.1', port: ports.https, rejectUnauthorized: false })
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', reject)
            .on('close', () => {
              const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
              const [first = '', ...lines] = head.split('\r\n');
              const headers = parseHeaders(lines.flatMap((line) => line.split(/: (.*)/, 2)));
              resolve({ status: Number(first.split(' ')[1]), headers, body: Buffer.from(text), text });
            });
          socket.write(bytes);
        });
      const cases: [request: string, status: number, code: string][] = [
        [`GET /api/v1/me?x=${'x'.repeat(10_000)} HTTP/1.1\r\nhost: a\r\n${ok}\r\n`, 414, 'BAD_REQUEST'],
        [`GET /api/v1/me HTTP/1.1\r\nhost: a\r\nx-y: ${'x'.repeat(20_000)}\r\n${ok}\r\n`, 431, 'BAD_REQUEST'],
        [`GET /api/v1/me HTTP/1.1\r\nhost: a b\r\n${ok}\r\n`, 400, 'BAD_REQUEST'],
        [`GET /api/v1/me HTTP/1.1\r\nhost: a\r\n${ok}content-length: 20000\r\n\r\n`, 413, 'BAD_REQUEST'],
        [`GET /open/x HTTP/1.1\r\nhost: a\r\n${ok}content-length: 20000\r\n\r\n`, 413, 'BAD_REQUEST'],
        [`GET /api/v1/me HTTP/1.1\r\nhost: a\r\n${ok}transfer-encoding: x\r\n\r\n`, 501, 'BAD_REQUEST'],
        [`TRACE /api/v1/me HTTP/1.1\r\nhost: a\r\n${ok}\r\n`, 405, 'METHOD_NOT_ALLOWED'],
        [`GET /rostra-error HTTP/1.1\r\nhost: a\r\n${ok}\r\n`, 404, 'NOT_FOUND'],
      ];
      for (const [request, status, code] of cases) assertJsonError(await sendRaw(request), status, code);
      const client = connectHttp2(address, { rejectUnauthorized: false });
      const sendHttp2 = async (headers: Record<string, string>) => {
        const stream = client.request(
          { ':path': '/api/v1/me', authorization, ...headers },
          { endStream: headers['content-length'] === undefined },
        );
        const [received] = await once(stream, 'response', { signal: AbortSignal.timeout(30_000) });
        const body = await buffer(stream);
        return { status: received[':status'], headers: received, body, text: body.toString() };
      };
      try {
        assert.equal((await sendHttp2({})).status, 200);
        for (const [headers, status] of [
          [{ ':path': `/api/v1/me?x=${'x'.repeat(10_000)}` }, 414],
          [{ 'x-y': 'x'.repeat(20_000) }, 431],
          [{ 'content-length': '20000' }, 413],
          [{ ':path': '/open/x', 'content-length': '20000' }, 413],
        ] as [Record<string, string>, number][])
          assertJsonError(await sendHttp2(headers), status, 'BAD_REQUEST');
      } finally {
        client.destroy();
      }
    });

    test('serves again after a restart, without a restart of its own', async () => {
      await server.stop();
      const [error, page] = await Promise.all([sendWithKey('/api/v1/me'), send('/admin/sign-in')]);
      assertJsonError(error, 503, 'UNAVAILABLE');
      assert.equal(error.headers['retry-after'], '5');
      assert.equal(page.status, 503);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(page.headers['retry-after'], '5');
      assert.match(page.text, /<h1>Wartung<\/h1>.+Reload the page in a minute/);
      const during = sendWithKey('/api/v1/me');
      if (name === 'nginx') assert.equal((await during).status, 503);
      restarted = await startRostra();
      // Caddy holds the request meanwhile.
      if (name === 'caddy') assert.equal((await during).status, 200);
      assert.equal((await sendWithKey('/api/v1/me')).status, 200);
    });

    test('fails no request while the workers are replaced, as an upgrade of the package does', async () => {
      await restarted?.stop();
      const workers = await startRostra({ ROSTRA_WORKERS: '2' });
      await waitUntil('the workers', async () => (await sendWithKey('/api/v1/me')).status === 200);
      const statuses: number[] = [];
      let isReloaded = false;
      const request = async () => {
        do statuses.push((await sendWithKey('/api/v1/me')).status);
        while (!isReloaded);
      };
      const clients = Array.from({ length: 4 }, request);
      process.kill(workers.pid, 'SIGHUP');
      await workers.waitForLine(/rolling restart finished/);
      isReloaded = true;
      await Promise.all(clients);
      assert.deepEqual(
        statuses.filter((status) => status !== 200),
        [],
      );
    });
  });
}
