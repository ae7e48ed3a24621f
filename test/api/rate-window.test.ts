import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer, type Fixture } from '../support/fixture.ts';
import { createSubmission, formatSurveyId } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after }, { ROSTRA_RATE_LIMIT: '5' });
const { server, a } = fixture;

const toNumber = (value: string | undefined) => Number(value);

/** Of the server of this file. */
const windowMs = 86_400_000;

const moveWindow = (keyId: string, ms: number) =>
  fixture.sql('UPDATE rate_window SET window_start_ms = window_start_ms + $1 WHERE key_id = $2', [ms, keyId]);

test('Remaining counts down to 0, then requests return 429 RATE_LIMITED', async () => {
  const { secret: key } = await fixture.issueKey(a);
  for (const left of ['4', '3', '2', '1', '0']) {
    const { status, headers } = await server.get('/me', { key });
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-limit'], '5');
    assert.equal(headers['x-ratelimit-remaining'], left);
  }
  const rejected = await server.get('/me', { key });
  assert.equal(rejected.status, 429);
  assert.equal(rejected.json.code, 'RATE_LIMITED');
  assert.equal(rejected.headers['x-ratelimit-remaining'], '0');
});

test('Retry-After and X-RateLimit-Reset of a 429 agree', async () => {
  const { secret: key } = await fixture.issueKey(a, { requestLimit: 1 });
  const admitted = await server.get('/me', { key });
  const rejected = await server.get('/me', { key });
  assert.equal(rejected.status, 429);
  assert.equal(rejected.headers['x-ratelimit-reset'], admitted.headers['x-ratelimit-reset']);
  const answeredAt = Date.parse(rejected.headers.date as string) / 1000;
  const named = answeredAt + toNumber(rejected.headers['retry-after']);
  // `Date` omits the fraction of the second and may be a second old; both values are rounded up.
  assert.ok(Math.abs(named - toNumber(rejected.headers['x-ratelimit-reset'])) <= 2);
});

test('a 429 names the seconds of Retry-After', async () => {
  const { secret: key } = await fixture.issueKey(a, { requestLimit: 1 });
  await server.get('/me', { key });
  const { json, headers } = await server.get('/me', { key });
  assert.equal(
    json.error,
    `The rate limit of this key is exhausted: try again in ${headers['retry-after']} seconds.`,
  );
});

/** Sends requests that share statements. @returns status and Remaining of each, sorted */
async function sendTogether(key: string, requests: number): Promise<string[]> {
  const responses = await Promise.all(Array.from({ length: requests }, () => server.get('/me', { key })));
  return responses.map(({ status, headers }) => `${status} ${headers['x-ratelimit-remaining']}`).toSorted();
}

test('concurrent requests of one key get each value of Remaining once', async () => {
  const { secret: key } = await fixture.issueKey(a);
  assert.deepEqual(await sendTogether(key, 12), [
    ...['200 0', '200 1', '200 2', '200 3', '200 4'],
    ...Array(7).fill('429 0'),
  ]);
});

test('concurrent requests get the rest of a window that has begun, also after a correction of the clock', async () => {
  for (const aheadMs of [0, windowMs]) {
    const { secret: key, id } = await fixture.issueKey(a);
    await server.get('/me', { key });
    await moveWindow(id, aheadMs);
    assert.deepEqual(await sendTogether(key, 2), ['200 2', '200 3']);
    assert.deepEqual(await sendTogether(key, 12), ['200 0', '200 1', ...Array(10).fill('429 0')]);
    assert.deepEqual(await sendTogether(key, 3), Array(3).fill('429 0'));
  }
});

test('a request stores the minute of the last use of its key', async () => {
  const { secret: key, id } = await fixture.issueKey(a);
  const startMs = Date.now();
  await server.get('/me', { key });
  const [record] = await fixture.store.findKeys(id);
  const usedMs = Date.parse(record?.lastUsedAt ?? '');
  assert.equal(usedMs % 60_000, 0);
  assert.ok(usedMs > startMs - 60_000 && usedMs <= Date.now(), `${usedMs} after ${startMs}`);
});

test('a 429 is not counted', async () => {
  const { secret: key, id } = await fixture.issueKey(a, { requestLimit: 2 });
  for (let turn = 0; turn < 10; turn += 1) await server.get('/me', { key });
  const [record] = await fixture.store.findKeys(id);
  assert.equal(record?.usedInWindow, 2);
});

test('a 429 is no use of the key, also after a correction of the clock', async () => {
  const { secret: key, id } = await fixture.issueKey(a, { requestLimit: 1 });
  await server.get('/me', { key });
  await fixture.sql('UPDATE rate_window SET last_used_at_ms = 60000 WHERE key_id = $1', [id]);
  for (const aheadMs of [0, windowMs]) {
    await moveWindow(id, aheadMs);
    assert.equal((await server.get('/me', { key })).status, 429);
    const [record] = await fixture.store.findKeys(id);
    assert.equal(record?.lastUsedAt, '1970-01-01T00:01:00.000Z');
  }
});

test('the limit of a key overrides the default limit, higher or lower', async () => {
  for (const requestLimit of [1, 3, 7]) {
    const command = [
      'key',
      'issue',
      '--organization',
      a,
      '--name',
      'Own limit',
      '--limit',
      String(requestLimit),
    ];
    const key = (await fixture.runCli(...command)).trim();
    const statuses = [];
    for (let turn = 0; turn <= requestLimit; turn += 1) {
      const { status, headers } = await server.get('/me', { key });
      assert.equal(headers['x-ratelimit-limit'], String(requestLimit));
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array(requestLimit).fill(200), 429]);
  }
});

test('each key has its own window: an exhausted key does not affect others', async () => {
  const { secret: busy } = await fixture.issueKey(a);
  for (let turn = 0; turn < 6; turn += 1) await server.get('/me', { key: busy });
  assert.equal((await server.get('/me', { key: busy })).status, 429);
  assert.equal((await server.get('/me', { key: (await fixture.issueKey(a)).secret })).status, 200);
});

test('the windows of a key begin at an offset that its id determines', async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    const { secret: key, id } = await fixture.issueKey(a);
    const { headers } = await server.get('/me', { key });
    const offsetMs = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) % windowMs;
    const resetMs = offsetMs + windowMs * Math.ceil((Date.now() - offsetMs) / windowMs);
    assert.equal(headers['x-ratelimit-reset'], String(Math.ceil(resetMs / 1000)));
  }
});

test('the listed use of a key is that of its current window', async () => {
  const { secret: key, id } = await fixture.issueKey(a);
  const readUsed = async () => (await fixture.store.findKeys(id))[0]?.usedInWindow;
  await server.get('/me', { key });
  assert.equal(await readUsed(), 1);
  await fixture.sql('UPDATE rate_window SET window_start_ms = window_start_ms - 1 WHERE key_id = $1', [id]);
  assert.equal(await readUsed(), 0);
});

test('a window does not move back after the clock was corrected by up to one window', async () => {
  const { secret: key, id } = await fixture.issueKey(a);
  const before = await server.get('/me', { key });
  const resetSeconds = toNumber(before.headers['x-ratelimit-reset']);
  // As if the clock had been in the next window when the key was used.
  await moveWindow(id, windowMs);
  for (const left of ['3', '2', '1', '0']) {
    const { status, headers } = await server.get('/me', { key });
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-remaining'], left);
    assert.equal(toNumber(headers['x-ratelimit-reset']), resetSeconds + windowMs / 1000);
  }
  const rejected = await server.get('/me', { key });
  assert.equal(rejected.status, 429);
  assert.equal(toNumber(rejected.headers['x-ratelimit-reset']), resetSeconds + windowMs / 1000);
});

test('a window begins again after the clock was wrong by more than one window', async () => {
  const { secret: key, id } = await fixture.issueKey(a, { requestLimit: 2 });
  const { headers } = await server.get('/me', { key });
  await server.get('/me', { key });
  assert.equal((await server.get('/me', { key })).status, 429);
  for (const aheadMs of [2 * windowMs, windowMs + 1, -1]) {
    await moveWindow(id, aheadMs);
    for (const left of ['1', '0']) {
      const response = await server.get('/me', { key });
      assert.equal(response.headers['x-ratelimit-remaining'], left, String(aheadMs));
      assert.equal(response.headers['x-ratelimit-reset'], headers['x-ratelimit-reset']);
    }
    assert.equal((await server.get('/me', { key })).status, 429);
  }
});

test('keys with the same id in two municipalities have their own windows', async () => {
  const own = await fixture.issueKey(a, { requestLimit: 1 });
  const other = await fixture.issueKey(fixture.b, { requestLimit: 2 });
  await fixture.sql('UPDATE api_key SET id = $1 WHERE id = $2', [own.id, other.id]);
  const admitted = await server.get('/me', { key: own.secret });
  await moveWindow(own.id, windowMs);
  const resetSeconds = toNumber(admitted.headers['x-ratelimit-reset']);
  for (const left of ['1', '0']) {
    const { headers } = await server.get('/me', { key: other.secret });
    assert.equal(headers['x-ratelimit-remaining'], left);
    assert.equal(toNumber(headers['x-ratelimit-reset']), resetSeconds);
  }
  for (const [key, seconds] of [
    [own.secret, resetSeconds + windowMs / 1000],
    [other.secret, resetSeconds],
  ] as const) {
    const { status, headers } = await server.get('/me', { key });
    assert.equal(status, 429);
    assert.equal(toNumber(headers['x-ratelimit-reset']), seconds);
  }
});

test('the windows of keys do not all end at the same moment', async () => {
  const resets = new Set<string | undefined>();
  for (let turn = 0; turn < 6; turn += 1) {
    const { secret: key } = await fixture.issueKey(a);
    resets.add((await server.get('/me', { key })).headers['x-ratelimit-reset']);
  }
  assert.ok(resets.size > 1);
});

test('the reset time is constant within a window', async (t) => {
  const standard = await createFixtureWithServer(t, { ROSTRA_RATE_LIMIT_WINDOW: '', ROSTRA_RATE_LIMIT: '' });
  const first = await standard.server.get('/me', { key: standard.alice });
  const second = await standard.server.get('/submissions', { key: standard.alice });
  const reset = toNumber(first.headers['x-ratelimit-reset']);
  assert.equal(toNumber(second.headers['x-ratelimit-reset']), reset);
  const answeredAt = Date.parse(first.headers.date as string) / 1000;
  assert.ok(reset >= answeredAt && reset <= answeredAt + 3_601, `${reset} after ${answeredAt}`);
  assert.equal(first.headers['x-ratelimit-limit'], '1000');
  assert.equal(first.headers['x-ratelimit-remaining'], '999');
});

test('after the reset the full limit is available', async (t) => {
  const quick = await createFixtureWithServer(t, { ROSTRA_RATE_LIMIT_WINDOW: '2', ROSTRA_RATE_LIMIT: '3' });
  for (let window = 0; window < 2; window += 1) {
    let response = await quick.server.get('/me', { key: quick.alice });
    while (response.status === 200) response = await quick.server.get('/me', { key: quick.alice });
    assert.equal(response.status, 429);
    const reset = toNumber(response.headers['x-ratelimit-reset']);
    assert.ok([1, 2].includes(toNumber(response.headers['retry-after'])));
    while (Date.now() < reset * 1000) await new Promise((resolve) => setTimeout(resolve, 20));
    response = await quick.server.get('/me', { key: quick.alice });
    assert.equal(response.status, 200);
    assert.equal(response.headers['x-ratelimit-remaining'], '2');
    assert.ok(toNumber(response.headers['x-ratelimit-reset']) > reset);
  }
});

test('a client that waits for Retry-After is admitted', async (t) => {
  const quick = await createFixtureWithServer(t, { ROSTRA_RATE_LIMIT_WINDOW: '1', ROSTRA_RATE_LIMIT: '1' });
  let response = await quick.server.get('/me', { key: quick.alice });
  while (response.status === 200) response = await quick.server.get('/me', { key: quick.alice });
  await new Promise((resolve) => setTimeout(resolve, toNumber(response.headers['retry-after']) * 1000));
  assert.equal((await quick.server.get('/me', { key: quick.alice })).status, 200);
});

/** Runs `ask` during an import that has written a row and holds its locks. */
function duringImport({ store, a }: Fixture, ask: () => Promise<void>): Promise<void> {
  return store.write(a, async (writer) => {
    await writer.put([{ kind: 'submission', ...createSubmission(9_999), supportCount: 123_456 }]);
    await ask();
  });
}

test('an import that holds the database lock does not block requests', async (t) => {
  const own = await createFixtureWithServer(t);
  const { json } = await own.server.get('/submissions?limit=1', { key: own.alice });
  const cursor = `/submissions?cursor=${json.pagination.next_cursor}`;
  await duringImport(own, async () => {
    for (const path of [
      '/me',
      '/submissions',
      cursor,
      `/submissions/${json.data[0].id}`,
      '/sessions',
      '/support',
      `/surveys/${formatSurveyId(1)}/results`,
    ]) {
      assert.equal((await own.server.get(path, { key: own.alice })).status, 200, path);
    }
    const restarted = await own.startServer();
    assert.equal((await restarted.get('/submissions', { key: own.alice })).status, 200);
  });
});

test('the very first list request works while an import holds the lock', async (t) => {
  const own = await createFixtureWithServer(t);
  await duringImport(own, async () => {
    assert.equal((await own.server.get('/submissions', { key: own.alice })).status, 200);
  });
});

test('uncommitted changes of an import are invisible, committed ones visible', async (t) => {
  const own = await createFixtureWithServer(t);
  const path = `/submissions/${createSubmission(9_999).id}`;
  await duringImport(own, async () => {
    assert.equal((await own.server.get(path, { key: own.alice })).status, 404);
  });
  const { json } = await own.server.get(path, { key: own.alice });
  assert.equal(json.data.supportCount, 123_456);
});
