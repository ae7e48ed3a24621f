/** Responses that are too large for memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createFixture } from '../support/fixture.ts';
import {
  checkLargeSession,
  createLargeSubmissions,
  largeSessionBytes,
  largeSessionPath,
  largeSessionRecord,
  readToEnd,
  startSlowRead,
} from '../support/large-session.ts';
import { createSession, createSubmission, formatSessionId, formatSubmissionId } from '../support/records.ts';

const fixture = await createFixture({ after });
const { putRecords, a, b, alice, charlie } = fixture;
const server = await fixture.startServerProcess({ ROSTRA_STOP_TIMEOUT: '1' });

before(async () => {
  await putRecords(a, createLargeSubmissions('before'));
  await putRecords(a, [largeSessionRecord]);
});

const read = (method = 'GET') => server.get(largeSessionPath, { key: alice, absolute: true, method });

test('a session with a long agenda arrives completely, with its Content-Length', async () => {
  const { status, json, headers } = await read();
  assert.equal(status, 200);
  assert.ok(Number(headers['content-length']) > largeSessionBytes);
  checkLargeSession(json.data, 'before');
  const head = await read('HEAD');
  assert.equal(head.status, 200);
  assert.equal(head.headers['content-length'], headers['content-length']);
});

test('a session with a long agenda is compressed while it is sent', async () => {
  const headers = { 'accept-encoding': 'zstd' };
  const options = { key: alice, absolute: true, headers } as const;
  const response = await server.get(largeSessionPath, options);
  assert.equal(response.headers['content-encoding'], 'zstd');
  assert.equal(response.headers['content-length'], undefined);
  assert.ok(response.body.length < largeSessionBytes / 10);
  checkLargeSession(response.json.data, 'before');
  const head = await server.get(largeSessionPath, { ...options, method: 'HEAD' });
  assert.equal(head.headers['content-encoding'], 'zstd');
  assert.equal(head.headers['content-length'], undefined);
  assert.equal(head.headers.vary, 'Accept-Encoding');
});

test('a session with few submissions and long texts is streamed, also to several clients at once', async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => 9_600 + n);
  const description = 'ä'.repeat(99_000);
  await putRecords(a, [
    ...numbers.map((n) => ({ kind: 'submission' as const, ...createSubmission(n, { description }) })),
    { kind: 'session', ...createSession(902, { submissions: numbers.map(formatSubmissionId) }) },
  ]);
  const get = (encoding?: string) =>
    server.get(`/sessions/${formatSessionId(902)}`, {
      key: alice,
      headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    });
  const responses = await Promise.all(Array.from({ length: 6 }, () => get()));
  assert.deepEqual(
    responses.map(({ status }) => status),
    Array(6).fill(200),
  );
  for (const { json } of responses)
    assert.deepEqual(
      json.data.submissions.map(({ id }: { id: string }) => id),
      numbers.map(formatSubmissionId),
    );
  // Only the length of a compressed stream is unknown.
  assert.equal((await get('zstd')).headers['content-length'], undefined);
});

test('a session below 1 MB is not streamed, also if one text is much longer than the others', async () => {
  const texts = ['x'.repeat(99_000), ...Array.from({ length: 19 }, (_, n) => `Text ${n}`)];
  await putRecords(a, [
    ...texts.map((description, n) => ({
      kind: 'submission' as const,
      ...createSubmission(9_800 + n, { description }),
    })),
    {
      kind: 'session',
      ...createSession(903, { submissions: texts.map((_, n) => formatSubmissionId(9_819 - n)) }),
    },
  ]);
  const { status, json, headers } = await server.get(`/sessions/${formatSessionId(903)}`, {
    key: alice,
    headers: { 'accept-encoding': 'zstd' },
  });
  assert.equal(status, 200);
  assert.notEqual(headers['content-length'], undefined);
  assert.deepEqual(
    json.data.submissions.map(({ description }: { description: string }) => description),
    texts.toReversed(),
  );
});

test('clients that do not read a large response do not hold it in memory', async () => {
  const residentBytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;
  const beforeBytes = residentBytes();
  const sockets: Socket[] = [];
  for (let turn = 0; turn < 6; turn += 1) sockets.push((await startSlowRead(server.port, alice)).socket);
  const grown = residentBytes() - beforeBytes;
  for (const socket of sockets) socket.destroy();
  assert.ok(grown < 3 * largeSessionBytes, `${Math.round(grown / 1e6)} MB for six answers of 15 MB`);
});

test('a large response shows one snapshot of the data', async () => {
  const reading = await startSlowRead(server.port, alice);
  await putRecords(a, createLargeSubmissions('after'));
  const text = await readToEnd(reading);
  checkLargeSession(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).data, 'before');
  checkLargeSession((await read()).json.data, 'after');
});

test('clients that disconnect during a large response do not block others', async () => {
  for (let turn = 0; turn < 20; turn += 1) (await startSlowRead(server.port, alice)).socket.destroy();
  assert.equal((await read()).status, 200);
});

test('slow clients of one municipality do not block large responses of another', async () => {
  const agenda = Array.from({ length: 101 }, (_, n) => 9_500 + n);
  await putRecords(b, [
    ...agenda.map((n) => ({ kind: 'submission' as const, ...createSubmission(n) })),
    { kind: 'session', ...createSession(901, { submissions: agenda.map(formatSubmissionId) }) },
  ]);
  const readings = await Promise.all(Array.from({ length: 20 }, () => startSlowRead(server.port, alice)));
  const { status } = await server.get(`/sessions/${formatSessionId(901)}`, { key: charlie });
  for (const { socket } of readings) socket.destroy();
  assert.equal(status, 200);
});

test('the shutdown does not wait for a client that does not read', async () => {
  const { socket } = await startSlowRead(server.port, alice);
  assert.equal(await server.stop(), 0);
  socket.destroy();
});
