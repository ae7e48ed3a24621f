/** Every response of the admin area has security headers, safe cookies and no inline code. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  fetchCsrfToken,
  getFieldValue,
  type PageResponse,
  password,
  signIn,
} from '../../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const anna = await createSignedInClient(server, store, fixture.a);
const olga = await createSignedInClient(server, store);
const keys = `/admin/organizations/${fixture.a}/keys`;
const { id } = await fixture.issueKey(fixture.a);
await server.get('/me', { key: fixture.alice });
const stranger = () => createFormClient(server.address);

function assertHeaders({ headers }: Pick<PageResponse, 'headers'>): void {
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /(^|; )default-src 'none'(;|$)/);
  assert.match(policy, /(^|; )script-src 'self'(;|$)/);
  assert.match(policy, /(^|; )style-src 'self'(;|$)/);
  assert.match(policy, /(^|; )form-action 'self'(;|$)/);
  assert.match(policy, /(^|; )base-uri 'none'(;|$)/);
  assert.match(policy, /(^|; )frame-ancestors 'none'(;|$)/);
  assert.doesNotMatch(policy, /unsafe-|\*|https?:/);
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  assert.equal(headers.get('referrer-policy'), 'same-origin');
  assert.equal(headers.get('access-control-allow-origin'), null);
  assert.match(headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
}

suite('security headers are sent with', () => {
  const responses: Record<string, [number, () => Promise<PageResponse>]> = {
    'the sign-in page': [200, () => stranger().get('/admin/sign-in')],
    'a page of a municipality': [200, () => anna.get(keys)],
    'a file': [200, () => anna.get(`/admin/organizations/${fixture.a}/audit.csv`)],
    'a redirect to the sign-in page': [303, () => stranger().get(keys)],
    'a form that was rejected': [422, () => anna.submitForm(`${keys}/new`, { name: '' })],
    'a form of another site': [403, () => anna.post(`${keys}/new`, { name: 'x' })],
    'an unknown page': [404, () => anna.get('/admin/nothing')],
    'a page of another municipality': [404, () => anna.get(keys.replace(fixture.a, fixture.b))],
    'an invalid id': [404, () => anna.get(`${keys}/x`)],
    'a form that is too large': [413, () => anna.submitForm(`${keys}/new`, { name: 'x'.repeat(70_000) })],
    'a body that is not a form': [
      400,
      () => anna.send(`${keys}/new`, '{}', { 'content-type': 'application/json' }),
    ],
    'an invalid one-time link': [410, () => stranger().get('/admin/invitation/x')],
    'a key that can no longer be displayed': [410, () => anna.get(`${keys}/${id}/issued`)],
  };
  for (const [what, [status, ask]] of Object.entries(responses)) {
    test(what, async () => {
      const response = await ask();
      assert.equal(response.status, status);
      assertHeaders(response);
    });
  }

  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    test(`the response to ${method}, which changes nothing`, async () => {
      const before = (await store.listKeys(fixture.a)).length;
      const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const path of [keys, `${keys}/new`, `${keys}/${id}/revoke`, '/admin/sign-in']) {
        const body = `${new URLSearchParams({ token: await fetchCsrfToken(anna), name: 'x' })}`;
        const type = 'application/x-www-form-urlencoded';
        const options = {
          method,
          redirect: 'manual',
          headers: { cookie, 'content-type': type },
          body,
        } as const;
        const response = await fetch(server.address + path, options);
        assert.ok([404, 405].includes(response.status), `${path}: ${response.status}`);
        assertHeaders(response);
      }
      assert.equal((await store.listKeys(fixture.a)).length, before);
      assert.equal((await store.findKey(fixture.a, id))?.state, 'active');
    });
  }
});

test('unknown values of the parameter `done` show no notice', async () => {
  for (const done of ['constructor', '__proto__', 'x']) {
    const { status, body } = await anna.get(`/admin/account?done=${done}`);
    assert.equal(status, 200);
    assert.doesNotMatch(body, /function|object Object|kern-alert/);
  }
});

test('HEAD does not consume the display of a key’s secret', async () => {
  const { location = '' } = await anna.submitForm(`${keys}/new`, { name: 'Head' });
  const head = await fetch(server.address + location, {
    method: 'HEAD',
    headers: { cookie: [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  assert.equal(head.status, 404);
  assert.match((await anna.get(location)).body, /sk_rostra_\w{36}/);
});

test('static files are cacheable, and have the security headers of pages', async () => {
  const { body } = await stranger().get('/admin/sign-in');
  const files = [...body.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+)"/g)].map(
    ([, path]) => path as string,
  );
  assert.ok(files.length >= 4);
  for (const path of files) {
    const { status, headers } = await stranger().get(path);
    assert.equal(status, 200, path);
    assert.match(headers.get('cache-control') ?? '', /immutable/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.getSetCookie().length, 0);
  }
});

test('style sheets and scripts are compressed, but no page: it contains secrets beside values of the URL', async () => {
  for (const encoding of ['gzip', 'br']) {
    const accepted = { 'accept-encoding': encoding };
    const page = await stranger().get('/admin/sign-in', accepted);
    const files = [...page.body.matchAll(/="(\/admin\/assets\/[^"]+\.(?:css|js|woff2))"/g)];
    assert.ok(files.length >= 4);
    for (const [, path = ''] of files) {
      const { headers, body } = await stranger().get(path, accepted);
      const isCompressed = !path.endsWith('.woff2') && body.length >= 1_024;
      assert.equal(headers.get('content-encoding'), isCompressed ? encoding : null, path);
      assert.equal(headers.get('vary'), isCompressed ? 'Accept-Encoding' : null, path);
      const plain = await stranger().get(path, { 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(body, plain.body);
    }
    const pages = [page, await anna.get(keys, accepted)];
    pages.push(await anna.get(`/admin/organizations/${fixture.a}/audit.csv`, accepted));
    for (const { headers, path } of pages) assert.equal(headers.get('content-encoding'), null, path);
  }
});

test('no page has inline code, or loads anything from elsewhere', async () => {
  const paths = [keys, `${keys}/new`, `${keys}/${id}`, `${keys}/${id}/rotate`, `${keys}/${id}/revoke`].concat(
    `/admin/organizations/${fixture.a}/published`,
    `/admin/organizations/${fixture.a}/audit`,
    ['/admin/organizations', '/admin/accounts', '/admin/accounts/new', '/admin/audit'],
    ['/admin/account', '/admin/account/password', '/admin/account/second-factor', '/admin/confirm'],
  );
  const pages = await Promise.all(paths.map((path) => olga.get(path)));
  const issued = await anna.submitForm(`${keys}/new`, { name: 'x' });
  pages.push(await anna.open(issued.location ?? ''), await anna.submitForm(`${keys}/new`, { name: '' }));
  pages.push(await stranger().get('/admin/sign-in'), await stranger().get('/admin/nothing'));
  for (const { body, path } of pages) {
    assert.match(body, /^<!doctype html>/, path);
    assert.doesNotMatch(body, /<[^>]*\s(style|on\w+)\s*=/i, path);
    assert.doesNotMatch(
      body,
      /<script(?![^>]*\ssrc="\/admin\/assets\/[^"]+"[^>]*><\/script>)|<style|<base|<iframe/i,
      path,
    );
    assert.doesNotMatch(body, /(href|src|action)="(javascript:|data:|\/\/)/i, path);
    for (const [, address = ''] of body.matchAll(/(?:href|src|action)="(https?:[^"]*)"/g))
      assert.ok(address.startsWith(server.address), `${path}: ${address}`);
  }
});

suite('cookies', () => {
  const parts = (line: string) => line.split('; ').map((part) => part.toLowerCase());

  test('are limited to this origin and https, and hidden from scripts', async () => {
    const account = await createAccount(store, fixture.a);
    const client = stranger();
    const responses = [await client.get('/admin/sign-in?language=de')];
    responses.push(await client.submitForm(account.link, { password }));
    responses.push(await client.post('/admin/sign-out', { token: await fetchCsrfToken(client) }));
    const lines = responses.flatMap(({ headers }) => headers.getSetCookie());
    assert.ok(lines.length >= 4);
    for (const line of lines) {
      const [pair = '', ...attributes] = parts(line);
      assert.match(pair, /^__host-rostra/);
      for (const wanted of ['secure', 'httponly', 'samesite=lax', 'path=/'])
        assert.ok(attributes.includes(wanted), line);
      assert.ok(!attributes.some((attribute) => attribute.startsWith('domain')), line);
    }
  });

  test('of a login session are session cookies with random values', async () => {
    const { headers } = await stranger().get('/admin/sign-in');
    const [line = ''] = headers.getSetCookie();
    assert.match(line, /^__Host-rostra=[\w-]{43};/);
    assert.doesNotMatch(line, /expires|max-age/i);
    const [other = ''] = (await stranger().get('/admin/sign-in')).headers.getSetCookie();
    assert.notEqual(parts(line)[0], parts(other)[0]);
  });

  test('with unknown or invalid values are ignored', async () => {
    for (const value of [
      '',
      'x',
      'A'.repeat(43),
      `${'A'.repeat(43)}"`,
      '%00',
      "' OR 1=1 --",
      'x'.repeat(3_000),
    ]) {
      const client = stranger();
      client.cookies.set('__Host-rostra', value);
      const response = await client.get(keys);
      assert.equal(response.status, 303, value);
      assert.match(response.location ?? '', /^\/admin\/sign-in/);
    }
  });
});

suite('the return URL', () => {
  const foreign = [
    ...['//evil.example', '//evil.example/admin/', 'https://evil.example', 'https://evil.example/admin/keys'],
    ...[
      '/\\evil.example',
      '\\\\evil.example\\admin\\',
      '/admin\\..\\..\\\\evil.example',
      '/admin/..//evil.example',
    ],
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'http://rostra@evil.example/admin/',
      '/\t/evil.example/admin/',
    ],
    ...['/admin/%2e%2e//evil.example', 'evil.example', '/docs', ''],
  ];
  const start = '/admin/organizations';

  for (const address of foreign) {
    test(`${JSON.stringify(address)} does not redirect to another site`, async () => {
      const query = `return=${encodeURIComponent(address)}`;
      const signedInAlready = await olga.get(`/admin/sign-in?${query}`);
      assert.equal(signedInAlready.status, 303);
      assert.equal(signedInAlready.location, start);
      const page = await stranger().get(`/admin/sign-in?${query}`);
      assert.equal(getFieldValue(page.body, 'return'), '');
    });
  }

  test('is validated in a manipulated form too', async () => {
    for (const address of foreign.slice(0, 6)) {
      const client = stranger();
      const token = await fetchCsrfToken(client);
      const response = await client.post('/admin/sign-in', {
        token,
        email: olga.email,
        password,
        return: address,
      });
      assert.deepEqual([response.status, response.location], [303, start], address);
    }
  });

  test('is used if it is a page of the admin area', async () => {
    const client = stranger();
    const page = await client.open('/admin/accounts?x=1');
    assert.equal(getFieldValue(page.body, 'return'), '/admin/accounts?x=1');
    const response = await client.post('/admin/sign-in', {
      token: await fetchCsrfToken(client),
      email: anna.email,
      password,
      return: '/admin/account',
    });
    assert.equal(response.location, '/admin/account');
    assert.equal((await signIn(stranger(), anna.email)).location, `/admin/organizations/${fixture.a}`);
  });
});
