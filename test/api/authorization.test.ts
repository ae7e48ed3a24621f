/** Revoked, expired and unknown keys return the same 401. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { generateKey } from '../../src/domain/keys/api-key.ts';
import type { StoredKey } from '../../src/domain/keys/stored-key.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import type { HttpResponse } from '../support/http-client.ts';

const { server, store, a, alice, bob, charlie, revoked, expired, issueKey, runCli } =
  await createFixtureWithServer({ after });

const unknown = generateKey();

const changing = ['date', 'x-request-id'];
const pickStableFields = ({ headers, text, status }: HttpResponse) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => !changing.includes(name)),
});

const plain = pickStableFields(await server.get('/me'));

test('every operation returns the same 401 for existing and missing resources', async () => {
  assert.equal(plain.status, 401);
  for (const path of [
    '/submissions',
    '/submissions?limit=0',
    '/submissions/x',
    '/sessions',
    '/support',
    '/surveys/x/results',
    '/surveys',
    '/organization',
    '/changes',
  ]) {
    for (const key of [undefined, revoked, expired, unknown]) {
      const response = await server.get(path, key === undefined ? {} : { key });
      assert.deepEqual(pickStableFields(response), plain, path);
    }
  }
});

test('a key that is revoked on the command line is rejected from the next request on', async () => {
  const { secret: key, id } = await issueKey(a);
  for (let turn = 0; turn < 5; turn += 1) assert.equal((await server.get('/me', { key })).status, 200);
  await runCli('key', 'revoke', id);
  const { status, text } = await server.get('/me', { key });
  assert.equal(status, 401);
  assert.equal(text, plain.text);
});

test('revoked keys are rejected immediately, under load on open connections', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const { secret: key, id } = await issueKey(a);
    let revocationDone = false;
    const late: number[] = [];
    const client = async () => {
      for (let request = 0; request < 15; request += 1) {
        const startedAfter = revocationDone;
        const { status } = await server.get('/me', { key });
        if (startedAfter) late.push(status);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const [record] = await store.findKeys(id);
    await store.revokeKey(record as StoredKey);
    revocationDone = true;
    await Promise.all([...clients, client()]);
    assert.ok(late.length > 0);
    assert.deepEqual([...new Set(late)], [401]);
  }
});

test('revoking one key does not affect other keys of the municipality', async () => {
  const { id } = await issueKey(a);
  await runCli('key', 'revoke', id);
  assert.equal((await server.get('/me', { key: alice })).status, 200);
});

test('a key is valid until it expires, then returns 401', async () => {
  const expiresAt = new Date(Date.now() + 700).toISOString();
  const { secret: key } = await issueKey(a, { expiresAt });
  assert.equal((await server.get('/me', { key })).status, 200);
  while (Date.now() <= Date.parse(expiresAt)) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await server.get('/me', { key })).status, 401);
});

test('keys of a removed municipality are rejected', async (t) => {
  const own = await createFixtureWithServer(t);
  assert.equal((await own.server.get('/me', { key: own.charlie })).status, 200);
  await own.runCli('organization', 'remove', own.b, '--yes');
  assert.equal((await own.server.get('/me', { key: own.charlie })).status, 401);
  assert.equal((await own.server.get('/me', { key: own.alice })).status, 200);
});

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const toBase62 = (value: number): string =>
  (value < 62 ? '' : toBase62(Math.trunc(value / 62))) + alphabet[value % 62];

const addChecksum = (rest: string) => rest + toBase62(crc32(rest)).padStart(6, '0');

test('issued keys end with the checksum of the rest, and differ in every random character', () => {
  const keys = [alice, bob, charlie, revoked, expired];
  for (const key of keys) {
    assert.match(key, /^sk_rostra_[0-9A-Za-z]{36}$/);
    assert.equal(key, addChecksum(key.slice(0, -6)));
  }
  for (let place = 10; place < 40; place += 1)
    assert.ok(new Set(keys.map((key) => key[place])).size > 1, `character ${place}`);
});

test('malformed keys return 401 without a query; only well-formed ones need the table of keys', async (t) => {
  const own = await createFixtureWithServer(t);
  await own.sql('ALTER TABLE api_key RENAME TO elsewhere');
  const random = 'x'.repeat(30);
  for (const key of [
    addChecksum(`sk_rostra_${random}`).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    `sk_rostra_${random}000000`,
    addChecksum(`xsk_rostra_${random}`),
    addChecksum(`sk_rostra_${random}x`),
    addChecksum(`sk_rostra_${random.slice(1)}`),
    addChecksum(`sk_rostra_${random.slice(1)}_`),
    addChecksum(`sk_other__${random}`),
    addChecksum(`SK_ROSTRA_${random}`),
  ]) {
    assert.equal((await own.server.get('/me', { key })).status, 401, key);
  }
  for (const digit of '0123456789') {
    const key = addChecksum(`sk_rostra_${digit.repeat(30)}`);
    assert.equal((await own.server.get('/me', { key })).status, 500, key);
  }
});
