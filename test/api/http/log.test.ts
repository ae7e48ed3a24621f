import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServerProcess } from '../../support/fixture.ts';
import { byNight } from '../../support/nightly.ts';

const fixture = await createFixtureWithServerProcess({ after });
const { server, a, alice, revoked } = fixture;

const secretText = 'Geheimnis';

/** Waits for the log entry of a request. */
async function readEntry(requestId: string | undefined) {
  return JSON.parse(await server.waitForLine(new RegExp(requestId as string)));
}

test('the access log has one line of JSON per request with id, operation, status, duration, municipality and key prefix', async () => {
  const { headers } = await server.get(`/submissions?topic=${secretText}`, { key: alice });
  const entry = await readEntry(headers['x-request-id']);
  assert.equal(entry.operation, 'listSubmissions');
  assert.equal(entry.method, 'GET');
  assert.equal(entry.status, 200);
  assert.equal(typeof entry.durationMs, 'number');
  assert.equal(entry.organization, a);
  assert.equal(entry.keyPrefix, alice.slice(0, 16));
  assert.ok(!Number.isNaN(Date.parse(entry.time)));
});

test('rejected requests are logged too, without a municipality if the key is invalid', async () => {
  const refused: [path: string, key: string | undefined, status: number, operation: string | null][] = [
    ['/me', undefined, 401, 'getMe'],
    ['/me', revoked, 401, 'getMe'],
    ['/nothing', alice, 404, null],
    ['/submissions?limit=0', alice, 400, 'listSubmissions'],
    ['/sessions/x', alice, 404, 'getSession'],
    ['/health', undefined, 200, 'getHealth'],
  ];
  for (const [path, key, status, operation] of refused) {
    const { headers } = await server.get(path, key === undefined ? {} : { key });
    const entry = await readEntry(headers['x-request-id']);
    assert.equal(entry.status, status);
    assert.equal(entry.operation, operation);
    assert.equal(entry.organization, key === undefined || status === 401 ? null : a);
  }
});

test('malformed HTTP is logged with the request id of its response', async () => {
  const { responses } = await server.sendRaw('garbage\r\n\r\n');
  const entry = await readEntry(responses[0]?.headers['x-request-id']);
  assert.equal(entry.status, 400);
});

test('an internal error is logged with its cause and the request id of the response', {
  skip: byNight('it starts another server'),
}, async (t) => {
  const own = await createFixtureWithServerProcess(t);
  await own.sql('ALTER TABLE session RENAME TO elsewhere');
  const { status, headers } = await own.server.get('/sessions', { key: own.alice });
  assert.equal(status, 500);
  const entry = JSON.parse(
    await own.server.waitForLine(new RegExp(`${headers['x-request-id']}.*(no such table|does not exist)`)),
  );
  assert.equal(entry.status, 500);
});

test('keys and query strings are never logged', async () => {
  for (const path of [
    `/submissions?topic=${secretText}`,
    `/submissions?${secretText}=1`,
    `/submissions?limit=${secretText}`,
    `/${secretText}`,
    `/submissions/${secretText}?x=${secretText}`,
  ]) {
    for (const key of [alice, revoked, `${alice}x`]) await server.get(path, { key });
  }
  await server.sendRaw(`GET /api/v1/${secretText}\0 HTTP/1.1\r\nAuthorization: Bearer ${alice}\r\n\r\n`);
  assert.equal(await server.stop(), 0);
  const all = server.lines.join('\n');
  assert.ok(server.lines.length > 10);
  assert.ok(!all.includes(secretText));
  for (const key of [alice, revoked]) assert.ok(!all.includes(key.slice(0, 20)));
});
