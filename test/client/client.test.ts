/** The client against the real server. Only responses of failing proxies are invented. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import {
  type Change,
  type ClientOptions,
  createClient,
  type RequestAttempt,
  RostraError,
} from '../../packages/client/src/index.ts';
import { basePath, operations } from '../../src/contract/operations.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createSubmission,
  formatSessionId,
  formatSubmissionId,
  formatSurveyId,
  missingId,
  sortNewestFirst,
  submissions,
  toSpecified,
} from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, alice } = fixture;

/** A third municipality with more submissions than a page has. */
const { id: large } = await fixture.store.addOrganization('Großstadt', formatSurveyId(90));
const submissionsOfLarge = Array.from({ length: 250 }, (_, n) => createSubmission(1_000 + n));
await fixture.putRecords(
  large,
  submissionsOfLarge.map((record) => ({ kind: 'submission', ...record })),
);
const { secret: keyOfLarge } = await fixture.issueKey(large);

type Options = Partial<ClientOptions>;

/** A client that records its requests. */
function createRecordingClient(options: Options = {}) {
  const attempts: RequestAttempt[] = [];
  const onRequest = (attempt: RequestAttempt) => void attempts.push(attempt);
  const client = createClient({ baseUrl: server.address, apiKey: alice, onRequest, ...options });
  return { client, attempts };
}

const readData = async (path: string) => (await server.get(path, { key: alice })).json.data;

/** Responds with these responses or errors first, then as the server does. */
function failFirst(...failures: (Response | Error)[]): typeof fetch {
  return async (url, init) => {
    const failure = failures.shift();
    if (failure === undefined) return fetch(url, init);
    if (failure instanceof Error) throw failure;
    return failure;
  };
}

const createProxyError = (status: number, headers: Record<string, string> = {}) =>
  new Response('<h1>Bad gateway</h1>', { status, headers });

const catchError = async (work: Promise<unknown>): Promise<RostraError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RostraError, String(error));
  return error;
};

test('the client has a method for every operation, which returns what the API returns', async () => {
  const { client, attempts } = createRecordingClient();
  const session = formatSessionId(1);
  const submission = formatSubmissionId(3);
  const survey = formatSurveyId(1);
  assert.deepEqual(await client.health(), (await server.get('/health')).json);
  assert.deepEqual(await client.me(), (await server.get('/me', { key: alice })).json);
  assert.deepEqual(await client.organization(), await readData('/organization'));
  assert.deepEqual(await Array.fromAsync(client.submissions()), await readData('/submissions'));
  assert.deepEqual(await client.submission(submission), await readData(`/submissions/${submission}`));
  assert.deepEqual(await Array.fromAsync(client.sessions()), await readData('/sessions'));
  assert.deepEqual(await client.session(session), await readData(`/sessions/${session}`));
  assert.deepEqual(await Array.fromAsync(client.support()), await readData('/support'));
  assert.deepEqual(await Array.fromAsync(client.surveys()), await readData('/surveys'));
  assert.deepEqual(await client.surveyResults(survey), await readData(`/surveys/${survey}/results`));
  assert.deepEqual(await Array.fromAsync(client.searchSubmissions()), await readData('/search/submissions'));
  assert.deepEqual(await Array.fromAsync(client.searchSessions()), await readData('/search/sessions'));
  assert.deepEqual(await Array.fromAsync(client.facets()), await readData('/facets?limit=100'));
  assert.deepEqual(await client.statistics(), await readData('/statistics'));
  const [page] = await Array.fromAsync(client.changes());
  assert.deepEqual(page?.changes, await readData('/changes?limit=1000'));

  const requested = attempts.map(({ url }) =>
    new URL(url).pathname.replace(basePath, '').replace(/[0-9a-f-]{36}/, '{id}'),
  );
  const documented = Object.values(operations).map(({ path }) => path);
  assert.deepEqual(requested.sort(), documented.sort());
});

test('lists accept the filters of the API', async () => {
  const { client } = createRecordingClient();
  const topic = '100 % "Grün"';
  assert.deepEqual(
    await Array.fromAsync(client.submissions({ topic })),
    submissions.filter(({ topicCategoryName }) => topicCategoryName === topic).map(toSpecified),
  );
  const inReview = await Array.fromAsync(client.submissions({ status: 'in_review', topic: 'Mobility' }));
  assert.deepEqual(inReview.map(({ id }) => id).sort(), [5, 6].map(formatSubmissionId));
  const found = await Array.fromAsync(
    client.searchSubmissions({ status: ['accepted', 'rejected'], created_to: '2026-03-01' }),
  );
  assert.deepEqual(
    found.map(({ id, createdOn }) => [id, createdOn]),
    [
      [formatSubmissionId(7), '2026-03-01'],
      [formatSubmissionId(3), '2026-01-01'],
    ],
  );
  assert.deepEqual(
    await client.statistics({ from: '2026-01-01', to: '2026-01-01' }),
    await readData('/statistics?from=2026-01-01&to=2026-01-01'),
  );
  const committees = await Array.fromAsync(client.facets({ kind: 'committee' }));
  assert.ok(committees.length > 0 && committees.every(({ kind }) => kind === 'committee'));
  const [change] = await Array.fromAsync(client.changes({ kind: 'session' }));
  assert.ok(change?.changes.every(({ kind }) => kind === 'session'));
  const [tally, ...others] = await Array.fromAsync(client.support({ submission_id: formatSubmissionId(7) }));
  assert.deepEqual([tally?.supportCount, others], [7, []]);
  await assert.rejects(Array.fromAsync(client.searchSubmissions({ status: [] })), {
    name: 'TypeError',
    message: 'status has no values. Leave it out to get everything.',
  });
});

test('a list fetches its pages one after another, and none after the loop ends', async () => {
  const { client, attempts } = createRecordingClient({ apiKey: keyOfLarge });
  const all = await Array.fromAsync(client.submissions());
  assert.deepEqual(all, sortNewestFirst(submissionsOfLarge).map(toSpecified));
  assert.equal(attempts.length, 3);
  for await (const { id } of client.submissions()) {
    assert.equal(id, all[0]?.id);
    break;
  }
  assert.equal(attempts.length, 4);
});

test('a program reads the data of a change without a check for null, after it has read deleted and kind', async () => {
  const { client } = createRecordingClient();
  const [page] = await Array.fromAsync(client.changes());
  // TypeScript checks it.
  const texts = page?.changes.map((change) => {
    if (change.deleted) return change.id;
    if (change.kind === 'submission') return change.data.description;
    return change.kind === 'session' ? change.data.committeeName : change.data.title;
  });
  assert.ok(texts?.includes(submissions[0]?.description ?? ''));
});

test('changes continue at the cursor of the last page', async () => {
  const { client } = createRecordingClient({ apiKey: keyOfLarge });
  const walk = async (cursor?: string) => {
    const changes: Change[] = [];
    let last = cursor;
    for await (const page of client.changes({ cursor: last })) {
      changes.push(...page.changes);
      last = page.cursor;
      assert.equal(page.hasMore, false);
    }
    return { changes, cursor: last };
  };
  const first = await walk();
  assert.equal(first.changes.length, 250);
  const idle = await walk(first.cursor);
  assert.deepEqual(idle.changes, []);
  const removed = formatSubmissionId(1_000);
  await fixture.putRecords(large, [{ kind: 'retraction', of: 'submission', id: removed }]);
  const next = await walk(idle.cursor);
  const [{ changedAt, ...change } = {}, ...others] = next.changes as Partial<Change>[];
  assert.deepEqual([change, others], [{ kind: 'submission', id: removed, deleted: true, data: null }, []]);
  assert.match(String(changedAt), /^\d{4}-\d{2}-\d{2}T/);
});

test('the base URL can end in a slash or in /api/v1', async () => {
  for (const end of ['', '/', '/api/v1', '/api/v1/']) {
    const { client } = createRecordingClient({ baseUrl: server.address + end });
    assert.equal((await client.me()).key_name, 'Alice');
  }
});

test('failed requests reject with the code, the status and the request ID', async () => {
  const { client } = createRecordingClient();
  const revoked = createRecordingClient({ apiKey: fixture.revoked }).client;
  const iterate = async (list: AsyncIterable<unknown>) => void (await Array.fromAsync(list));
  const cases: [work: () => Promise<unknown>, code: string, status: number, message: RegExp][] = [
    [() => client.submission(missingId), 'NOT_FOUND', 404, /^Resource not found/],
    [() => client.session('../me'), 'NOT_FOUND', 404, /not found/],
    [() => revoked.me(), 'UNAUTHORIZED', 401, /API key/],
    [() => iterate(client.submissions({ status: '' })), 'BAD_REQUEST', 400, /"status"/],
    [() => iterate(client.changes({ cursor: 'AAAA' })), 'BAD_REQUEST', 400, /"cursor"/],
  ];
  for (const [work, code, status, message] of cases) {
    const error = await catchError(work());
    assert.equal(error.name, 'RostraError');
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.match(error.message, message);
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/);
    assert.ok(error.url.startsWith(`${server.address}/api/v1/`));
    assert.equal(error.retryAfterSeconds, undefined);
    assert.doesNotMatch(JSON.stringify(error), /sk_rostra/);
  }
});

test('temporary errors and broken connections are retried, and every attempt is reported', async () => {
  const { client, attempts } = createRecordingClient({
    fetch: failFirst(
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 192.0.2.1:443') }),
      createProxyError(503, { 'retry-after': '0' }),
      createProxyError(502, { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
      createProxyError(429, { 'retry-after': '0' }),
    ),
    maxRetryDelayMs: 10,
  });
  assert.equal((await client.me()).key_name, 'Alice');
  assert.deepEqual(
    attempts.map(({ attempt, status, error }) => [attempt, status, error?.code]),
    [
      [1, undefined, 'NETWORK_ERROR'],
      [2, 503, 'UNAVAILABLE'],
      [3, 502, 'UNAVAILABLE'],
      [4, 429, 'UNAVAILABLE'],
      [5, 200, undefined],
    ],
  );
  assert.match(attempts[0]?.error?.message ?? '', /ECONNREFUSED 192\.0\.2\.1/);
  const delays = attempts.map(({ retryDelayMs }) => retryDelayMs);
  assert.deepEqual(delays, [10, 10, 10, 0, undefined]);
  assert.match(attempts[4]?.requestId ?? '', /^[0-9a-f-]{36}$/);
});

/** The waits of a client whose requests all fail, without waiting. */
async function listDelays(t: TestContext, response: () => Response | Error): Promise<number[]> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(Math, 'random', () => 0);
  const { client, attempts } = createRecordingClient({
    fetch: async () => {
      const answer = response();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onRequest: (attempt) => {
      attempts.push(attempt);
      const { retryDelayMs } = attempt;
      if (retryDelayMs !== undefined) setImmediate(() => t.mock.timers.tick(Math.ceil(retryDelayMs)));
    },
  });
  await catchError(client.me());
  t.mock.timers.reset();
  return attempts.flatMap(({ retryDelayMs }) => retryDelayMs ?? []);
}

test('by default, the waits of a request outlast a restart of 30 seconds, also if the server asks for shorter ones', async (t) => {
  for (const response of [
    () => new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
    () => createProxyError(502),
    () => createProxyError(503, { 'retry-after': '1' }),
    () => createProxyError(503, { 'retry-after': '0' }),
  ]) {
    const delays = await listDelays(t, response);
    const total = delays.reduce((sum, delay) => sum + delay);
    assert.ok(total > 30_000 && total < 120_000, delays.join(', '));
  }
  const longer = await listDelays(t, () => createProxyError(503, { 'retry-after': '5' }));
  assert.deepEqual(longer, [5_000, 5_000, 5_000, 5_000, 8_000, 16_000]);
});

test('a walk page by page can be resumed after the last page that the program has processed', async () => {
  const { client, attempts } = createRecordingClient({ apiKey: keyOfLarge });
  const all = await Array.fromAsync(client.submissions());
  let stored: string | null = null;
  for await (const { items, cursor, hasMore } of client.submissions().pages()) {
    assert.deepEqual(items, all.slice(0, 100));
    assert.ok(hasMore);
    stored = cursor;
    break;
  }
  const before = attempts.length;
  const rest = await Array.fromAsync(client.submissions({ cursor: stored ?? '' }));
  assert.deepEqual(rest, all.slice(100));
  assert.equal(attempts.length - before, 2);
  const pages = await Array.fromAsync(client.submissions({ cursor: stored ?? '' }).pages());
  assert.deepEqual(
    pages.map(({ items, hasMore, cursor }) => [items.length, hasMore, cursor === null]),
    [
      [100, true, false],
      [all.length - 200, false, true],
    ],
  );
});

test('a walk of changes can begin at the end', async () => {
  const { client } = createRecordingClient({ apiKey: keyOfLarge });
  const [page, ...others] = await Array.fromAsync(client.changes({ start: 'end' }));
  assert.deepEqual([page?.changes, page?.hasMore, others], [[], false, []]);
  const [later] = await Array.fromAsync(client.changes({ cursor: page?.cursor }));
  assert.deepEqual(later?.changes, []);
});

test('retries are limited', async () => {
  const { client, attempts } = createRecordingClient({
    fetch: async () => createProxyError(503, { 'retry-after': '0' }),
    maxRetries: 2,
    maxRetryDelayMs: 1,
  });
  assert.equal((await catchError(client.me())).status, 503);
  assert.equal(attempts.length, 3);
});

test('permanent errors are not retried', async () => {
  const { client, attempts } = createRecordingClient();
  await catchError(client.submission(missingId));
  assert.equal(attempts.length, 1);
});

test('an exhausted rate limit rejects if the wait is longer than allowed', async () => {
  const { secret } = await fixture.issueKey(a, { requestLimit: 1 });
  const { client, attempts } = createRecordingClient({ apiKey: secret, maxRetryDelayMs: 1_000 });
  await client.me();
  const error = await catchError(client.me());
  assert.deepEqual([error.code, error.status, attempts.length], ['RATE_LIMITED', 429, 2]);
  assert.ok((error.retryAfterSeconds ?? 0) > 1);
});

test('a walk waits for the next rate limit window and continues', async () => {
  const { secret } = await fixture.issueKey(large, { requestLimit: 2 });
  const { address } = await fixture.startServer({ ROSTRA_RATE_LIMIT_WINDOW: '1' });
  const { client, attempts } = createRecordingClient({ baseUrl: address, apiKey: secret, maxRetries: 20 });
  for (let walks = 0; !attempts.some(({ status }) => status === 429); walks += 1) {
    assert.ok(walks < 20);
    assert.equal((await Array.fromAsync(client.submissions())).length, 249);
  }
  const limited = attempts.filter(({ status }) => status === 429);
  assert.ok(limited.every(({ retryDelayMs }) => retryDelayMs === 1_000));
});

test('an aborted signal ends requests, waits and walks with its reason', async (t) => {
  const waiting = new AbortController();
  const { client } = createRecordingClient({
    fetch: async () => createProxyError(503, { 'retry-after': '3000' }),
    onRequest: () => setImmediate(() => waiting.abort(new Error('enough'))),
  });
  await assert.rejects(client.me({ signal: waiting.signal }), /^Error: enough$/);

  const hanging = createServer(() => hangingRequest.abort(new Error('too slow'))).listen(0, '127.0.0.1');
  t.after(() => hanging.close());
  await once(hanging, 'listening');
  const hangingRequest = new AbortController();
  const baseUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const slow = createRecordingClient({ baseUrl, signal: hangingRequest.signal });
  await assert.rejects(slow.client.me(), /^Error: too slow$/);
  assert.equal(slow.attempts.length, 0);

  const walking = new AbortController();
  const walk = createRecordingClient({ apiKey: keyOfLarge });
  await assert.rejects(async () => {
    for await (const _ of walk.client.submissions({ signal: walking.signal })) walking.abort();
  }, /abort/i);
  assert.equal(walk.attempts.length, 1);
});

test('an attempt without a response ends after the timeout', async (t) => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const { client } = createRecordingClient({ baseUrl, timeoutMs: 10, maxRetries: 0 });
  const error = await catchError(client.me());
  assert.equal(error.code, 'NETWORK_ERROR');
  assert.match(error.message, /timeout/i);
  silent.closeAllConnections();
});

test('the client neither follows redirects with the key nor accepts other responses', async (t) => {
  const received: (string | undefined)[] = [];
  const other = createServer(({ url, headers }, response) => {
    received.push(headers.authorization);
    if (url?.startsWith('/redirect')) response.writeHead(302, { location: '/elsewhere' }).end();
    else response.end(url?.startsWith('/html') ? '<html></html>' : '{"status":"ok"}');
  }).listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  for (const [path, status] of [
    ['/redirect', 302],
    ['/html', 200],
    ['/json', 200],
  ] as const) {
    const { client } = createRecordingClient({ baseUrl: origin + path });
    const error = await catchError(client.me());
    assert.deepEqual([error.code, error.status, error.requestId], ['INVALID_RESPONSE', status, undefined]);
    assert.match(error.message, new RegExp(`^HTTP ${status}, .* Check the URL`));
  }
  assert.equal(received.length, 3);
});

test('a walk ends with an error if a page leads to itself', async (t) => {
  let requests = 0;
  const cache = createServer((_, response) => {
    requests += 1;
    const pagination = { limit: 1, next_cursor: 'first', has_more: true };
    response.end(JSON.stringify({ data: [{ id: '1' }], pagination }));
  }).listen(0, '127.0.0.1');
  t.after(() => cache.close());
  await once(cache, 'listening');
  const baseUrl = `http://127.0.0.1:${(cache.address() as AddressInfo).port}`;
  const { client } = createRecordingClient({ baseUrl });
  const received: string[] = [];
  const walk = async () => {
    for await (const { id } of client.submissions()) received.push(id);
  };
  const error = await catchError(walk());
  assert.deepEqual([error.code, error.status], ['INVALID_RESPONSE', 200]);
  assert.match(error.message, /this page again/);
  assert.deepEqual([requests, received], [2, ['1']]);
});

test('a key with a line break at its end is accepted, and one without or with others is rejected before a request', async () => {
  for (const apiKey of [`${alice}\n`, `  ${alice}\r\n`]) {
    const { client } = createRecordingClient({ apiKey });
    assert.equal((await client.me()).key_name, 'Alice');
  }
  for (const apiKey of [undefined, '', '\n'] as string[])
    assert.throws(() => createClient({ baseUrl: server.address, apiKey }), /apiKey is missing/);
  for (const apiKey of ['sk_rostra_1\nsk_rostra_2', 'sk_rostra_1 2', 'sk_rostra_…'])
    assert.throws(
      () => createClient({ baseUrl: server.address, apiKey }),
      ({ message }) => /apiKey has a space, a line break/.test(message) && !message.includes('sk_rostra'),
    );
});
