/** Concurrent requests share a statement, which stores how many requests of each key it has granted. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { getKeyPrefix } from '../../src/domain/keys/api-key.ts';
import { maxBatchRequests } from '../../src/store/admission.ts';
import { engine } from '../support/database.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { contentOfB } from '../support/records.ts';
import { requestInSharedBatch } from '../support/request-batch.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, b, issueKey, sql, store } = fixture;

/** Requests of the last statement. */
async function readGranted(keyId: string): Promise<number> {
  const rows = await sql<{ granted: number }>('SELECT granted FROM rate_window WHERE key_id = $1', [keyId]);
  return Number(rows[0]?.granted);
}

test('requests that arrive together share a statement', async () => {
  const { secret: key, id } = await issueKey(a);
  const granted: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(Array.from({ length: 3 }, () => server.get('/me', { key })));
    granted.push(await readGranted(id));
  }
  // In the first round, connections may open one after another.
  assert.ok(granted.slice(1).includes(3), granted.join(', '));
});

test('requests that arrive during a statement of their key share the next one', async () => {
  const { secret: key, id } = await issueKey(a);
  await server.get('/me', { key });
  await sql('BEGIN');
  await sql('UPDATE rate_window SET used = used WHERE key_id = $1', [id]);
  const requests = [];
  for (let request = 0; request < 5; request += 1) {
    requests.push(server.get('/me', { key }));
    await setTimeout(30);
  }
  await sql('COMMIT');
  for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
  const granted = await readGranted(id);
  assert.ok(granted > 1, String(granted));
});

/** Of a key in a batch, the id of the transaction that wrote its window last; PostgreSQL only. */
async function readWriters(keyIds: readonly string[]): Promise<Set<string>> {
  const writers = new Set<string>();
  for (const id of keyIds) {
    const [row] = await sql<{ writer: string }>(
      'SELECT xmin::text AS writer FROM rate_window WHERE key_id = $1',
      [id],
    );
    writers.add(row?.writer ?? '');
  }
  return writers;
}

test('keys of several municipalities share a statement, and each gets its own answer, window and pages', async () => {
  const [ofA, alsoOfA, ofB] = [await issueKey(a), await issueKey(a, { requestLimit: 3 }), await issueKey(b)];
  const paths = ['/submissions', '/submissions?limit=2', '/submissions?limit=1'];
  const expected = new Map<string, string>();
  for (const owner of [a, b])
    for (const path of paths)
      expected.set(owner + path, (await server.get(path, { key: (await issueKey(owner)).secret })).text);
  const requests = paths.flatMap((path) =>
    [
      { owner: a, key: ofA.secret },
      { owner: a, key: alsoOfA.secret },
      { owner: b, key: ofB.secret },
    ].map((each) => ({ ...each, path })),
  );
  const responses = await Promise.all(await requestInSharedBatch(fixture, requests));
  for (const [index, { owner, path }] of requests.entries()) {
    const { status, text } = responses[index] as (typeof responses)[number];
    assert.equal(status, 200);
    assert.equal(text, expected.get(owner + path), path);
    assert.equal(text.includes(contentOfB), owner === b);
  }
  const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  assert.deepEqual([remaining[1], remaining[4], remaining[7]], [2, 1, 0]);
  assert.deepEqual([remaining[0], remaining[3], remaining[6]], [remaining[2], remaining[5], remaining[8]]);
  if (engine === 'PostgreSQL')
    assert.equal((await readWriters([ofA.id, alsoOfA.id, ofB.id])).size, 1, 'they did not share a statement');
});

test('keys that are exhausted, unknown, revoked or removed with their municipality change no other answer of their batch', async () => {
  const { id: removedId } = await store.addOrganization('Kurzstadt', crypto.randomUUID());
  const keys = {
    exhausted: await issueKey(a, { requestLimit: 1 }),
    revoked: await issueKey(b),
    removed: await issueKey(removedId),
    own: await issueKey(a, { requestLimit: 9 }),
    other: await issueKey(b, { requestLimit: 7 }),
  };
  const deleted = await issueKey(b);
  for (const { secret: key } of [keys.exhausted, keys.removed]) await server.get('/submissions', { key });
  await sql('DELETE FROM api_key WHERE id = $1', [deleted.id]);
  const requests = [...Object.values(keys), deleted].flatMap(({ secret: key }) => [
    { key, path: '/submissions' },
    { key, path: '/submissions?limit=1' },
  ]);
  // On SQLite, the lock of the transaction that holds up the batch would hold up these too.
  const withdraw = async () => {
    const [record] = await store.findKeys(keys.revoked.id);
    await store.revokeKey(record as NonNullable<typeof record>);
    await store.removeOrganization(removedId);
  };
  if (engine === 'SQLite') await withdraw();
  const responses = await Promise.all(
    await requestInSharedBatch(fixture, requests, engine === 'SQLite' ? undefined : withdraw),
  );
  assert.deepEqual(
    responses.map(({ status, headers }) => `${status} ${headers['x-ratelimit-remaining']}`),
    [
      ...['429 0', '429 0'],
      ...Array(4).fill(`401 ${responses[2]?.headers['x-ratelimit-remaining']}`),
      ...['200 8', '200 7', '200 6', '200 5'],
      ...Array(2).fill(`401 ${responses[2]?.headers['x-ratelimit-remaining']}`),
    ],
  );
  assert.deepEqual(
    responses.slice(6, 10).map(({ text }) => text.includes(contentOfB)),
    [false, false, true, true],
  );
});

// PostgreSQL runs two batches at a time, and either may end first.
const oneAtATime = { skip: engine === 'PostgreSQL' && 'SQLite shows the order: it runs one batch at a time' };

test(
  'many waiting requests of one key delay a request of another municipality by one batch',
  oneAtATime,
  async () => {
    // Compression ends in another order.
    const logged = await fixture.startServer({ ROSTRA_COMPRESSION: 'off' });
    const [greedy, other] = [await issueKey(a), await issueKey(b)];
    const path = '/me';
    const requests = [
      { key: greedy.secret, path, times: maxBatchRequests + 18 },
      { key: other.secret, path },
    ];
    const responses = await Promise.all(await requestInSharedBatch({ ...fixture, server: logged }, requests));
    for (const { status } of responses) assert.equal(status, 200);
    const prefixes = [greedy, other].map(({ secret }) => getKeyPrefix(secret));
    const answered = logged.lines.filter((line) => prefixes.some((prefix) => line.includes(prefix)));
    assert.equal(answered.length, responses.length);
    const place = answered.findIndex((line) => line.includes(b));
    // It is the first of the second batch, whose responses may end in a slightly different order, and not the last of all.
    assert.ok(place >= 0 && place < maxBatchRequests + 9, `${place} responses came before it`);
  },
);
