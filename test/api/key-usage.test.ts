/** The counts of each key by day, operation and status, and its latest rejected requests. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generateKey } from '../../src/domain/keys/api-key.ts';
import { listLatestDays, type RejectedRequest } from '../../src/domain/keys/key-usage.ts';
import { createFixture } from '../support/fixture.ts';
import { sendMessage } from '../support/mcp-client.ts';
import { formatSubmissionId } from '../support/records.ts';
import type { Server } from '../support/server.ts';
import { waitUntil } from '../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a, b, issueKey, sql } = fixture;
const days = listLatestDays(Date.now(), 7);
const since = days[0] as string;

/** Runs requests against a server of its own, which writes its counts when it stops. */
async function serve(
  work: (server: Server) => Promise<void>,
  environment?: Record<string, string>,
): Promise<void> {
  const server = await fixture.startServer(environment);
  await work(server);
  await server.stop();
}

/** `operation status requests` of all days, ordered. */
async function readUsage(organizationId: string, keyId: string): Promise<string[]> {
  const usage = await store.listKeyUsage(organizationId, keyId, since);
  return usage.map(({ operation, status, requests }) => `${operation} ${status} ${requests}`).toSorted();
}

const readRejected = async (keyId: string) =>
  (await store.listRejectedRequests(a, keyId)).map(({ operation, status }) => `${operation} ${status}`);

test('requests are counted by operation and status, unknown paths and methods as one operation', async () => {
  const { secret: key, id } = await issueKey(a);
  await serve(async (server) => {
    for (let turn = 0; turn < 3; turn += 1) await server.get('/submissions?limit=1', { key });
    await server.get('/submissions?limit=0', { key });
    await server.get(`/submissions/${formatSubmissionId(9_999)}`, { key });
    await server.get('/submissions', { key, method: 'HEAD' });
    await server.get('/nowhere', { key });
    await server.get('/me', { key, method: 'DELETE' });
    await server.get('/me', { key });
    const connect = `CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    await server.sendRaw(connect, { minResponses: 1 });
  });
  assert.deepEqual(await readUsage(a, id), [
    'getMe 200 1',
    'getSubmission 404 1',
    'listSubmissions 200 4',
    'listSubmissions 400 1',
    'unknown 404 1',
    'unknown 405 2',
  ]);
  assert.deepEqual(await store.listKeyUsage(b, id, since), []);
  const [latest] = await store.listKeyUsage(a, id, since);
  assert.ok(latest !== undefined && latest.day >= (days.at(-1) as string));
});

test('messages of assistants are counted, and an error of JSON-RPC is no rejected request', async () => {
  const { secret: key, id } = await issueKey(a);
  await serve(async (server) => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'nothing' });
    assert.equal((await sendMessage(server, message, { key })).status, 200);
    assert.equal((await sendMessage(server, '{', { key })).status, 400);
    await server.get('/me', { key });
  });
  const usage = await readUsage(a, id);
  assert.equal(usage.length, 3);
  assert.deepEqual((await readRejected(id)).length, 1);
});

test('requests over the limit are counted, and the key is listed as one at its limit', async () => {
  const { secret: key, id } = await issueKey(a, { name: 'Busy', requestLimit: 2 });
  await serve(async (server) => {
    for (let turn = 0; turn < 5; turn += 1) await server.get('/me', { key });
  });
  assert.deepEqual(await readUsage(a, id), ['getMe 200 2', 'getMe 429 3']);
  const limited = (await store.listLimitedKeys([a], days)).find(({ keyId }) => keyId === id);
  assert.deepEqual(
    [limited?.organizationId, limited?.keyName, limited?.days, limited?.requests],
    [a, 'Busy', 1, 3],
  );
  assert.deepEqual(await store.listLimitedKeys([b], days), []);
});

test('the latest rejected requests have time, operation, status, answer and parameter, latest first', async () => {
  const { secret: key, id } = await issueKey(a);
  const before = new Date().toISOString();
  await serve(async (server) => {
    await server.get('/submissions?status=geheim', { key });
    await server.get('/submissions?statuss=geheim', { key });
    const latest = Date.now();
    await waitUntil('a later time', () => Date.now() > latest, 1);
    await server.get('/sessions/geheim', { key });
  });
  assert.deepEqual(await readRejected(id), ['getSession 404', 'listSubmissions 400']);
  const [missing, misspelt] = await store.listRejectedRequests(a, id);
  for (const { at } of [missing, misspelt] as RejectedRequest[])
    assert.ok(at >= before && at <= new Date().toISOString(), at);
  assert.deepEqual([missing?.message, missing?.parameter], ['Resource not found.', null]);
  assert.match(misspelt?.message ?? '', /^The parameter "statuss" is unknown\. Did you mean "status"\?/);
  assert.equal(misspelt?.parameter, 'statuss');
  assert.deepEqual(await store.listRejectedRequests(b, id), []);
  const rows = await sql('SELECT * FROM rejected_request WHERE key_id = $1', [id]);
  assert.ok(!JSON.stringify(rows).includes('geheim'));
});

test('a key that is sent as a parameter is stored with its prefix only', async () => {
  const { secret: key, id } = await issueKey(a);
  await serve(async (server) => {
    await server.get(`/submissions?${key}`, { key });
  });
  const [rejected] = await store.listRejectedRequests(a, id);
  assert.match(rejected?.message ?? '', /The parameter "sk_rostra_\w{4}/);
  for (const text of [rejected?.message ?? '', rejected?.parameter ?? ''])
    assert.ok(!text.includes(key.slice(0, 24)), text);
});

test('a long name of an unknown parameter is stored abbreviated', async () => {
  const { secret: key, id } = await issueKey(a);
  const name = 'ä\u0007'.repeat(400);
  let sent = '';
  await serve(async (server) => {
    sent = (await server.get(`/submissions?${encodeURIComponent(name)}=1`, { key })).json.error;
  });
  const [rejected] = await store.listRejectedRequests(a, id);
  assert.equal(rejected?.message, sent);
  assert.equal(rejected?.parameter, `${'ä\ufffd'.repeat(20)}…`);
});

test('fifty rejected requests of a key are kept, the latest ones of all processes', async () => {
  const { secret: key, id } = await issueKey(a);
  for (const [path, count] of [
    ['/submissions?limit=0', 40],
    ['/sessions?limit=0', 130],
    ['/support?limit=0', 12],
  ] as const) {
    await serve(async (server) => {
      for (let turn = 0; turn < count; turn += 1) await server.get(path, { key });
    });
  }
  assert.deepEqual(await readRejected(id), [
    ...Array(12).fill('listSupport 400'),
    ...Array(38).fill('listSessions 400'),
  ]);
  const [row] = await sql<{ count: number }>(
    'SELECT count(*) AS count FROM rejected_request WHERE key_id = $1',
    [id],
  );
  assert.equal(Number(row?.count), 50);
  assert.deepEqual(await readUsage(a, id), [
    'listSessions 400 130',
    'listSubmissions 400 40',
    'listSupport 400 12',
  ]);
});

test('requests with revoked and expired keys are counted; unknown keys leave nothing', async () => {
  const expiresAt = '2020-01-01T00:00:00.000Z';
  const [revoked, expired] = [
    await issueKey(a, { name: 'Gone' }),
    await issueKey(a, { name: 'Over', expiresAt }),
  ];
  await store.revokeKey({ organizationId: a, id: revoked.id });
  const [before] = await sql<{ count: number }>('SELECT count(*) AS count FROM key_usage_daily');
  await serve(async (server) => {
    for (let turn = 0; turn < 3; turn += 1) await server.get('/submissions', { key: revoked.secret });
    await server.get('/nowhere', { key: revoked.secret });
    await server.get('/me', { key: expired.secret });
    for (let turn = 0; turn < 20; turn += 1) await server.get('/me', { key: generateKey() });
    await server.get('/me', { key: `${revoked.secret.slice(0, -1)}!` });
  });
  assert.deepEqual(await readUsage(a, revoked.id), ['listSubmissions 401 3', 'unknown 401 1']);
  assert.deepEqual(await readUsage(a, expired.id), ['getMe 401 1']);
  const [afterwards] = await sql<{ count: number }>('SELECT count(*) AS count FROM key_usage_daily');
  assert.equal(Number(afterwards?.count), Number(before?.count) + 3);
  const used = await store.listInactiveKeysInUse([a, b], days);
  assert.deepEqual(
    used
      .filter(({ keyId }) => [revoked.id, expired.id].includes(keyId))
      .map(({ organizationId, keyName, requests }) => [organizationId, keyName, requests]),
    [
      [a, 'Gone', 4],
      [a, 'Over', 1],
    ],
  );
  assert.deepEqual(await store.listInactiveKeysInUse([b], days), []);
  // A key that is valid again is no longer a warning.
  await store.editKey({ organizationId: a, id: expired.id }, { expiresAt: null });
  const still = await store.listInactiveKeysInUse([a], days);
  assert.ok(still.every(({ keyId }) => keyId !== expired.id));
});

test('a flood of unknown keys takes a bounded place: beyond 500 keys, no further ones are counted', async (t) => {
  // Counts are stored when the server stops: at an interval, the server would make room for further keys.
  t.mock.method(globalThis, 'setInterval', () => setTimeout(() => undefined, 0));
  const { secret, id } = await issueKey(a);
  await store.revokeKey({ organizationId: a, id });
  await serve(async (server) => {
    const unknown = Array.from({ length: 500 }, generateKey);
    await Promise.all(unknown.map((key) => server.get('/me', { key })));
    await server.get('/me', { key: secret });
  });
  assert.deepEqual(await readUsage(a, id), []);
});

test('several processes add to the same counts', async () => {
  const { secret: key, id } = await issueKey(a);
  const servers = await Promise.all([fixture.startServer(), fixture.startServer(), fixture.startServer()]);
  await Promise.all(servers.map((server) => server.get('/me', { key })));
  await Promise.all(servers.map((server) => server.get('/me?x', { key })));
  await Promise.all(servers.map((server) => server.stop()));
  assert.deepEqual(await readUsage(a, id), ['getMe 200 3', 'getMe 400 3']);
  assert.equal((await store.listRejectedRequests(a, id)).length, 3);
});

test('daily requests are summed for each municipality and day', async () => {
  const [one, two] = [await issueKey(b), await issueKey(b)];
  const [early, , late] = days as [string, string, string];
  for (const [key, day, status, requests] of [
    [one.id, early, 200, 5],
    [one.id, early, 404, 2],
    [two.id, early, 200, 10],
    [two.id, late, 429, 1],
    [two.id, '2020-01-01', 200, 9],
  ] as const) {
    await sql('INSERT INTO key_usage_daily VALUES ($1, $2, $3, $4, $5, $6)', [
      ...[b, key, day, 'getMe', status, requests],
    ]);
  }
  const sums = await store.listDailyRequests([b], [early, late]);
  assert.deepEqual(
    sums.toSorted((x, y) => (x.day < y.day ? -1 : 1)),
    [
      { organizationId: b, day: early, requests: 17, rejected: 2 },
      { organizationId: b, day: late, requests: 1, rejected: 1 },
    ],
  );
  const ofAll = await store.listDailyRequests([a, b], days);
  assert.deepEqual(new Set(ofAll.map(({ organizationId }) => organizationId)), new Set([a, b]));
  assert.deepEqual(await store.listDailyRequests([], days), []);
});

test('old counts and old rejected requests are deleted', async (t) => {
  const { secret: key, id } = await issueKey(a);
  const old = await issueKey(a);
  const beforeDays = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
  for (const age of [399, 401]) {
    const day = beforeDays(age).slice(0, 10);
    await sql(`INSERT INTO key_usage_daily VALUES ($1, $2, $3, 'getMe', 200, 1)`, [a, old.id, day]);
  }
  for (const age of [89, 91]) {
    await sql(`INSERT INTO rejected_request VALUES ($1, $2, $3, $4, 'getMe', 404, 'Old', NULL)`, [
      ...[a, old.id, beforeDays(age), formatSubmissionId(age)],
    ]);
  }
  const server = await fixture.startServerProcess({
    NODE_OPTIONS: `--import ${new URL('../support/fast-heartbeat.ts', import.meta.url)}`,
  });
  t.after(() => server.stop());
  await server.get('/me?x', { key });
  await waitUntil('the deletion of old rows', async () => {
    const counts = await store.listKeyUsage(a, old.id, '2000-01-01');
    const rejected = await store.listRejectedRequests(a, old.id);
    return counts.length === 1 && rejected.length === 1;
  });
  await waitUntil('a counted request', async () => (await readUsage(a, id)).length === 1);
});

test('the use of a removed municipality is deleted', async () => {
  const { id: gone } = await store.addOrganization('Verschwunden', crypto.randomUUID());
  const { secret: key, id } = await issueKey(gone);
  await serve(async (server) => {
    await server.get('/me?x', { key });
  });
  assert.equal((await store.listRejectedRequests(gone, id)).length, 1);
  await store.removeOrganization(gone);
  assert.deepEqual(await store.listKeyUsage(gone, id, since), []);
  assert.deepEqual(await store.listRejectedRequests(gone, id), []);
});
