/** Pages of requests that share a statement with other requests of their key: clients must not notice the others. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ApiResponse } from '../support/api-client.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { contentOfB, createSubmission, formatSubmissionId } from '../support/records.ts';
import { requestInOneBatch } from '../support/request-batch.ts';

const fixture = await createFixtureWithServer({ after });
const { server, a, b, alice, charlie, revoked, sql, store, putRecords, issueKey } = fixture;

const numbers = Array.from({ length: 150 }, (_, index) => 1_001 + index);

/** Three submissions share each timestamp, so that some cursors have an id. Both municipalities have the same ids. */
const createSubmissions = (content: string) =>
  numbers.map((n) => ({
    kind: 'submission' as const,
    ...createSubmission(n, {
      description: `${content} ${n}`,
      status: n % 2 === 0 ? 'in_review' : 'accepted',
      topicCategoryName: n % 5 === 0 ? '{"a,b\\"}' : 'NULL',
      createdAt: new Date(Date.UTC(2026, 4) + Math.floor(n / 3) * 60_000).toISOString(),
    }),
  }));

await putRecords(a, createSubmissions('belongs to A'));
await putRecords(b, createSubmissions(contentOfB));

const addParameters = (path: string, parameters: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameters}`;

async function readCursor(path: string, limit: number, key = alice): Promise<string> {
  const { json } = await server.get(addParameters(path, `limit=${limit}`), { key });
  assert.equal(typeof json.pagination.next_cursor, 'string', path);
  return json.pagination.next_cursor;
}

/** Cursors after the first rows of a list: the one after the third row of a timestamp has no id. */
const readCursors = (path: string) => Promise.all([2, 3, 4, 5, 6].map((limit) => readCursor(path, limit)));

const hasId = (cursor: string) => Buffer.from(cursor, 'base64url')[0] === 16;

const readRemaining = ({ headers }: ApiResponse) => Number(headers['x-ratelimit-remaining']);

/** Reads with a new key, for which the cache has no response. */
async function readAlone(path: string): Promise<string> {
  const { secret } = await issueKey(a);
  const { status, text } = await server.get(path, { key: secret });
  assert.equal(status, 200, path);
  return text;
}

const filters = [
  '/submissions?status=in_review',
  '/submissions?status=accepted',
  `/submissions?topic=${encodeURIComponent('{"a,b\\"}')}`,
  '/submissions?topic=NULL',
  '/submissions?topic=null',
  '/submissions?status=in_review&topic=NULL',
];

test('requests of one batch with different lists, filters, cursors and limits each get the page that they get alone', async () => {
  const cursors = await readCursors('/submissions');
  assert.deepEqual([...new Set(cursors.map(hasId))].toSorted(), [false, true]);
  const paths = [
    '/submissions',
    // More rows than one statement reads.
    ...[1, 2, 96, 97, 98, 99, 100].map((limit) => `/submissions?limit=${limit}`),
    ...cursors.flatMap((cursor) => [
      `/submissions?cursor=${cursor}`,
      `/submissions?limit=7&cursor=${cursor}`,
    ]),
    ...filters,
    ...filters.slice(0, 2).map((path) => `${path}&limit=3`),
    `/submissions?status=in_review&cursor=${await readCursor('/submissions?status=in_review', 2)}`,
    '/sessions',
    '/sessions?limit=1',
    `/sessions?cursor=${await readCursor('/sessions', 2)}`,
    '/support',
    '/support?limit=2',
    `/support?cursor=${await readCursor('/support', 5)}`,
    `/support?submission_id=${formatSubmissionId(1)}`,
    `/submissions/${formatSubmissionId(1)}`,
    '/surveys',
    '/organization',
  ];
  const expected: string[] = [];
  for (const path of paths) expected.push(await readAlone(path));
  // The first page decides which others the statement reads.
  for (const first of [
    '/submissions',
    `cursor=${cursors[0]}`,
    `cursor=${cursors[1]}`,
    'topic=NULL',
    '/support',
  ]) {
    const start = paths.findIndex((path) => path.endsWith(first));
    const rotate = <Item>(items: readonly Item[]) => [...items.slice(start), ...items.slice(0, start)];
    const responses = await requestInOneBatch(fixture, await issueKey(a), rotate(paths));
    for (const [index, path] of rotate(paths).entries())
      assert.equal(responses[index]?.text, rotate(expected)[index], path);
  }
});

test('equal requests of one batch get the same bytes, with and without the cache', async () => {
  const key = await issueKey(a);
  const expected = await readAlone('/submissions?limit=9');
  // The cache distinguishes URLs: it has the first from the third round on, and never the others.
  for (let round = 0; round < 4; round += 1) {
    const other = `/submissions?limit=9${'&'.repeat(1 + round)}`;
    const paths = ['/submissions?limit=9', other, '/submissions?limit=9', other];
    // Without the cached one, the page comes after another.
    const sent = round % 2 === 0 ? paths : [`/submissions?limit=${20 + round}`, other, other];
    const responses = await requestInOneBatch(fixture, key, sent);
    for (const { text } of responses.filter((_, index) => sent[index]?.includes('limit=9')))
      assert.equal(text, expected);
  }
});

test('requests of a batch get their own page if the cache has the pages of others', async () => {
  const key = await issueKey(a);
  const paths = [1, 2, 3, 4, 5].map((limit) => `/submissions?limit=${limit}`);
  const expected: string[] = [];
  for (const path of paths) expected.push(await readAlone(path));
  for (const cached of [0, 2]) {
    for (let time = 0; time < 3; time += 1) await server.get(paths[cached] as string, { key: key.secret });
    const responses = await requestInOneBatch(fixture, key, paths);
    assert.deepEqual(
      responses.map(({ text }) => text),
      expected,
    );
  }
});

interface Town {
  key: string;
  /** All submissions in the order of the list. */
  documents: unknown[];
  /** Each after this number of submissions. */
  cursors: { skipped: number; cursor: string }[];
}

async function readTown(key: string): Promise<Town> {
  const documents: unknown[] = [];
  for (let path = '/submissions?limit=100'; ; ) {
    const { json } = await server.get(path, { key });
    documents.push(...json.data);
    if (json.pagination.next_cursor === null) break;
    path = `/submissions?limit=100&cursor=${json.pagination.next_cursor}`;
  }
  const cursors = [];
  for (const skipped of [1, 2, 3])
    cursors.push({ skipped, cursor: await readCursor('/submissions', skipped, key) });
  return { key, documents, cursors };
}

test('keys of two municipalities that send requests at the same time get the pages of their own municipality', async () => {
  const towns = [await readTown(alice), await readTown(charlie)];
  assert.notDeepEqual(towns[0]?.documents[0], towns[1]?.documents[0]);
  for (let round = 0; round < 200; round += 1) {
    const limit = 1 + (round % 50);
    const pages = towns.flatMap(({ key, documents, cursors }) => {
      const { skipped, cursor } = cursors[round % 3] as Town['cursors'][number];
      return [
        { key, path: `/submissions?limit=${limit}`, expected: documents.slice(0, limit) },
        {
          key,
          path: `/submissions?limit=${limit}&cursor=${cursor}`,
          expected: documents.slice(skipped, skipped + limit),
        },
      ];
    });
    const responses = await Promise.all(pages.map(({ key, path }) => server.get(path, { key })));
    for (const [index, { path, expected }] of pages.entries())
      assert.deepEqual(responses[index]?.json.data, expected, path);
  }
});

/** A cursor with any position, signed with a wrong secret. */
const forgeCursor = (idLength: number, position: Buffer) =>
  Buffer.concat([Buffer.of(idLength), position, Buffer.alloc(16, 7)]).toString('base64url');

const time = Buffer.from('2026-05-01T00:00:00.000Z');
const id = Buffer.alloc(16, 0xaa);

async function listInvalidCursors(): Promise<string[]> {
  const cursor = await readCursor('/submissions', 2);
  const timeOnly = await readCursor('/submissions', 3);
  const signature = Buffer.from(cursor, 'base64url').subarray(-16);
  const replaceFirst = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  const replaceLast = (text: string) =>
    `${text.slice(0, -5)}${text.at(-5) === 'A' ? 'B' : 'A'}${text.slice(-4)}`;
  return [
    'x',
    replaceFirst(cursor),
    replaceLast(cursor),
    replaceLast(timeOnly),
    cursor.slice(0, 20),
    cursor.slice(0, -1),
    `${cursor}A`,
    await readCursor('/submissions', 2, charlie),
    await readCursor('/support', 2),
    await readCursor('/sessions', 2),
    await readCursor('/submissions?status=in_review', 2),
    forgeCursor(0, time),
    forgeCursor(0, Buffer.from('~')),
    forgeCursor(0, Buffer.from("' OR 1=1 --")),
    forgeCursor(0, Buffer.from('{"a",NULL}')),
    forgeCursor(0, Buffer.from('2026\0')),
    forgeCursor(0, Buffer.from('2026-ä-\u{1f332}')),
    forgeCursor(0, Buffer.of(0xff, 0xfe, 0x80)),
    forgeCursor(0, Buffer.of()),
    forgeCursor(16, Buffer.concat([id, time])),
    forgeCursor(16, Buffer.concat([id, Buffer.from('2026\0')])),
    forgeCursor(16, id.subarray(0, 9)),
    forgeCursor(16, Buffer.of()),
    forgeCursor(5, Buffer.concat([id, time])),
    forgeCursor(5, Buffer.from('12345678')),
    forgeCursor(255, time),
    Buffer.concat([Buffer.of(0), Buffer.from('2026\0'), signature]).toString('base64url'),
    Buffer.concat([Buffer.of(0), Buffer.from('2027'), signature]).toString('base64url'),
  ];
}

test('invalid cursors are 400 and counted, and valid requests of their batch get their pages', async () => {
  const { text: rejection } = await server.get('/submissions?cursor=x', { key: alice });
  const cursor = await readCursor('/submissions', 2);
  const valid = ['/submissions', `/submissions?cursor=${cursor}`, '/submissions?limit=3', '/me'];
  const expected = new Map<string, string>();
  for (const path of valid.slice(0, 3)) expected.set(path, await readAlone(path));
  for (const invalid of await listInvalidCursors()) {
    const path = `/submissions?cursor=${invalid}`;
    // The first page of a batch decides which others the statement reads.
    for (const paths of [
      [path, ...valid],
      [...valid, path],
    ]) {
      const responses = await requestInOneBatch(fixture, await issueKey(a, { requestLimit: 20 }), paths);
      assert.deepEqual(responses.map(readRemaining), [17, 16, 15, 14, 13], path);
      for (const [index, sent] of paths.entries()) {
        const { status, text } = responses[index] as ApiResponse;
        assert.equal(status, sent === path ? 400 : 200, `${sent} with ${invalid}`);
        if (sent !== '/me') assert.equal(text, sent === path ? rejection : expected.get(sent), sent);
      }
    }
  }
});

test('revoked keys are 401 and exhausted keys are 429, even with a forged cursor or an invalid parameter', async () => {
  const exhausted = await issueKey(a, { requestLimit: 1 });
  await server.get('/me', { key: exhausted.secret });
  for (const path of [
    '/submissions',
    `/submissions?cursor=${forgeCursor(0, time)}`,
    '/submissions?limit=0',
  ]) {
    const unauthorized = await server.get(path, { key: revoked });
    assert.deepEqual([unauthorized.status, unauthorized.json.code], [401, 'UNAUTHORIZED'], path);
    const limited = await server.get(path, { key: exhausted.secret });
    assert.deepEqual([limited.status, limited.json.code], [429, 'RATE_LIMITED'], path);
  }
});

test('a key that is revoked before a batch gets no page, not even from the cache', async () => {
  const key = await issueKey(a);
  const paths = ['/submissions', '/submissions?limit=3', '/support', '/me'];
  for (const path of paths.slice(0, 2)) {
    for (let time = 0; time < 3; time += 1)
      assert.equal((await server.get(path, { key: key.secret })).status, 200);
  }
  const responses = await requestInOneBatch(fixture, key, paths, async () => {
    const [record] = await store.findKeys(key.id);
    await store.revokeKey(record as NonNullable<typeof record>);
  });
  for (const { status, json } of responses)
    assert.deepEqual([status, json.code, json.data], [401, 'UNAUTHORIZED', undefined]);
});

test('if the window ends within a batch, the first requests get their pages and the others 429', async () => {
  const expected = await readAlone('/submissions?limit=4');
  // Two requests come before the batch.
  for (const granted of [0, 1, 3, 5]) {
    const key = await issueKey(a, { requestLimit: 2 + granted });
    const path = '/submissions?limit=4';
    const responses = await requestInOneBatch(fixture, key, [path, `${path}&`, path, `${path}&&`, path]);
    for (const [index, { status, text, json, headers }] of responses.entries()) {
      const isGranted = index < granted;
      assert.equal(status, isGranted ? 200 : 429, `${index} of ${granted}`);
      assert.equal(headers['x-ratelimit-limit'], String(2 + granted));
      assert.equal(headers['x-ratelimit-remaining'], String(isGranted ? granted - index - 1 : 0));
      assert.equal(headers['x-ratelimit-reset'], responses[0]?.headers['x-ratelimit-reset']);
      if (isGranted) assert.equal(text, expected);
      else assert.equal(json.code, 'RATE_LIMITED');
      assert.equal(headers['retry-after'] === undefined, isGranted);
    }
    const [record] = await store.findKeys(key.id);
    assert.equal(record?.usedInWindow, 2 + granted);
  }
});

test('a write that is committed before a batch is visible on its pages, including cached pages', async () => {
  const key = await issueKey(a);
  const paths = ['/submissions?limit=2', '/submissions?limit=2&', '/support?limit=2'];
  for (let round = 0; round < 3; round += 1) {
    for (const path of paths) {
      for (let time = 0; time < 3; time += 1) await server.get(path, { key: key.secret });
    }
    const n = 2_000 + round;
    const responses = await requestInOneBatch(fixture, key, paths, () =>
      putRecords(a, [
        { kind: 'submission', ...createSubmission(n, { createdAt: `2027-01-0${1 + round}T00:00:00.000Z` }) },
      ]),
    );
    for (const { json } of responses) {
      const [{ id, submissionId }] = json.data;
      assert.equal(id ?? submissionId, formatSubmissionId(n));
    }
  }
});

test('pages after a rotation of the secret have cursors of the new secret in the same batch, and accept old ones', async () => {
  const old = await readCursor('/submissions', 2);
  const key = await issueKey(a);
  const responses = await requestInOneBatch(
    fixture,
    key,
    [`/submissions?limit=1&cursor=${old}`, '/submissions?limit=2'],
    // A command could take longer than the statement may wait.
    () => store.rotateCursorSecret(),
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  );
  assert.notEqual(responses[1]?.json.pagination.next_cursor, old);
});

test('an error of a page does not fail the other requests of its batch', async () => {
  const key = await issueKey(a, { requestLimit: 10 });
  await sql('ALTER TABLE submission RENAME TO elsewhere');
  try {
    const paths = ['/submissions', '/me', '/submissions?limit=3', '/sessions', '/me'];
    const responses = await requestInOneBatch(fixture, key, paths);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [500, 200, 500, 200, 200],
    );
    // Each request is counted once.
    assert.deepEqual(responses.map(readRemaining), [7, 6, 5, 4, 3]);
  } finally {
    await sql('ALTER TABLE elsewhere RENAME TO submission');
  }
  assert.equal((await server.get('/submissions', { key: key.secret })).status, 200);
});
