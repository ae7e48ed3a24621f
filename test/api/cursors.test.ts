import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import { formatSubmissionId } from '../support/records.ts';

const { server, a, alice, bob, charlie, putRecords, runCli, sql } = await createFixtureWithServer({ after });

/** The cursor after the first row of a list. */
async function readCursor(list: string, key = alice): Promise<string> {
  const { json } = await server.get(`${list}${list.includes('?') ? '&' : '?'}limit=1`, { key });
  assert.equal(typeof json.pagination.next_cursor, 'string', list);
  return json.pagination.next_cursor;
}

const addCursor = (list: string, cursor: string) =>
  `${list}${list.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;

/** The same response for every invalid cursor, so that it reveals nothing about the reason. */
let rejection: string;
before(async () => {
  rejection = (await server.get('/submissions?cursor=x', { key: alice })).text;
});

/** Requests that are sent at once share statements. */
const maxConcurrentRequests = 32;

async function assertRejected(paths: readonly string[], key = alice): Promise<void> {
  const waiting = paths.values();
  let rejected = 0;
  const send = async () => {
    for (const path of waiting) {
      const { status, text } = await server.get(path, { key });
      assert.equal(status, 400, path);
      assert.equal(text, rejection, path);
      rejected += 1;
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentRequests }, send));
  assert.equal(rejected, paths.length);
}

const lists = [
  '/submissions',
  '/submissions?status=in_review',
  '/submissions?topic=Mobility',
  '/submissions?status=in_review&topic=Mobility',
  '/sessions',
  '/support',
  '/surveys',
  '/facets',
  '/facets?kind=topic',
  '/search/submissions?status=in_review&status=accepted&topic=Mobility&topic=a%2Bb%3Dc&created_to=2026-12-31',
  '/search/submissions?status_changed_from=2026-01-01',
  '/search/submissions?status=in_review&status=accepted&status_changed_from=2026-01-01',
  '/search/sessions?committee=Committee%201&committee=Committee%203&committee=Committee%204&direction=asc',
];

test('cursors lead through all pages; the last one is null', async () => {
  for (const list of lists) {
    const { json: whole } = await server.get(list, { key: alice });
    const walked: unknown[] = [];
    let path = `${list}${list.includes('?') ? '&' : '?'}limit=2`;
    for (;;) {
      const { json } = await server.get(path, { key: alice });
      walked.push(...json.data);
      assert.ok(walked.length <= whole.data.length, `${list} repeats rows`);
      const { next_cursor: next, has_more: more } = json.pagination;
      assert.equal(more, next !== null);
      if (next === null) break;
      path = `${addCursor(list, next)}&limit=2`;
    }
    assert.deepEqual(walked, whole.data, list);
  }
});

test('a cursor needs no encoding in a URL and fits the documented length', async () => {
  for (const list of lists) assert.match(await readCursor(list), /^[A-Za-z0-9_-]{1,200}$/);
});

test('a cursor can be reused, with another key of the municipality and with any limit', async () => {
  const cursor = await readCursor('/submissions');
  const { json } = await server.get(addCursor('/submissions', cursor), { key: alice });
  for (const limit of [1, 3, 100]) {
    const page = await server.get(`${addCursor('/submissions', cursor)}&limit=${limit}`, { key: bob });
    assert.deepEqual(page.json.data, json.data.slice(0, limit));
  }
});

test('the order of the parameters does not matter to a cursor', async () => {
  const cursor = await readCursor('/submissions?status=in_review&topic=Mobility');
  const { status } = await server.get(
    `/submissions?topic=Mobility&cursor=${cursor}&limit=1&status=in_review`,
    { key: alice },
  );
  assert.equal(status, 200);
  const ofValues = await readCursor('/search/submissions?status=in_review&status=accepted');
  const values = 'status=accepted&status=in_review&status=accepted';
  assert.equal(
    (await server.get(`/search/submissions?${values}&cursor=${ofValues}`, { key: alice })).status,
    200,
  );
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

for (const list of lists) {
  test(`${list}: a cursor with one replaced character is rejected`, async () => {
    const cursor = await readCursor(list);
    const replaced = [...cursor].flatMap((character, place) => {
      const at = alphabet.indexOf(character);
      // Neighbours in the alphabet differ in the lowest bits, which the last character may not use.
      return [1, 2, 3, 16, 32, 63].map((step) => {
        const other = alphabet[(at + step) % 64];
        return cursor.slice(0, place) + other + cursor.slice(place + 1);
      });
    });
    await assertRejected(replaced.map((invalid) => addCursor(list, invalid)));
  });

  test(`${list}: a truncated, extended, doubled or reordered cursor is rejected`, async () => {
    const cursor = await readCursor(list);
    const invalid = [[...cursor].toReversed().join('')];
    for (let length = 1; length < cursor.length; length += 1) invalid.push(cursor.slice(0, length));
    for (let start = 1; start < cursor.length; start += 7) invalid.push(cursor.slice(start));
    for (const extra of ['A', 'AA', 'AAAA', '_', cursor.slice(0, 40)])
      invalid.push(cursor + extra, extra + cursor);
    await assertRejected(invalid.map((one) => addCursor(list, one)));
  });

  test(`${list}: a cursor with whitespace, padding or the other base64 alphabet is rejected`, async () => {
    const cursor = await readCursor(list);
    const wrapped = [
      ` ${cursor}`,
      `${cursor} `,
      `${cursor}=`,
      `${cursor}==`,
      `${cursor}\n`,
      `${cursor}\0`,
      `"${cursor}"`,
      `${cursor.slice(0, 9)} ${cursor.slice(9)}`,
      `${cursor.slice(0, 9)}.${cursor.slice(9)}`,
      `${cursor}.`,
      `${cursor}ä`,
    ];
    await assertRejected([
      ...wrapped.map((invalid) => addCursor(list, invalid)),
      `${addCursor(list, cursor)}=`,
    ]);
  });
}

test('a cursor in the standard base64 alphabet is rejected where the alphabets differ', async () => {
  let cursor: string;
  // The signature contains such a character with about half of all secrets.
  do {
    await runCli('cursor-secret', 'rotate');
    cursor = await readCursor('/submissions');
  } while (!/[-_]/.test(cursor));
  await assertRejected([addCursor('/submissions', cursor.replaceAll('-', '+').replaceAll('_', '/'))]);
});

test('a cursor is rejected by other lists, filters and municipalities', async () => {
  const others = [
    ...lists,
    '/submissions?status=In_Review',
    '/submissions?topic=in_review',
    '/submissions?status=Mobility',
    '/submissions?status=in_review&topic=mobility',
    '/submissions?topic=in_review&status=Mobility',
    `/support?submission_id=${formatSubmissionId(1)}`,
    '/search/submissions',
    '/search/submissions?status=in_review&status=accepted&topic=Mobility&topic=a%2Bb%3Dc&created_to=2026-12-30',
    '/search/submissions?status=in_review&topic=Mobility&topic=a%2Bb%3Dc&created_to=2026-12-31',
    '/search/sessions?committee=Committee%201&committee=Committee%203&direction=asc',
    '/search/sessions?committee=Committee%201&committee=Committee%203&committee=Committee%204',
  ];
  for (const list of lists) {
    const cursor = await readCursor(list);
    const foreign = others.filter((other) => other !== list);
    await assertRejected(foreign.map((other) => addCursor(other, cursor)));
    await assertRejected([addCursor(list, cursor)], charlie);
  }
});

test('a cursor of another municipality is rejected even if both have its row', async () => {
  const cursor = await readCursor('/submissions', charlie);
  await assertRejected([addCursor('/submissions', cursor)]);
  assert.equal((await server.get(addCursor('/submissions', cursor), { key: charlie })).status, 200);
});

test('words, numbers, JSON and forged cursors are rejected with the same message', async () => {
  const invalid = [
    'null',
    '0',
    '1',
    'true',
    '[]',
    '{}',
    'a',
    '-',
    '_',
    'A'.repeat(43),
    'A'.repeat(76),
    'A'.repeat(200),
    formatSubmissionId(1),
    Buffer.from(JSON.stringify({ id: formatSubmissionId(1) })).toString('base64url'),
    '2026-03-01T09:15:00.000Z',
    "' OR 1=1",
  ];
  await assertRejected(invalid.map((cursor) => addCursor('/submissions', cursor)));
});

test('empty cursors and cursors of more than 200 characters are rejected by length', async () => {
  for (const cursor of ['', 'A'.repeat(201), 'A'.repeat(5_000)]) {
    const { status, json } = await server.get(`/submissions?cursor=${cursor}`, { key: alice });
    assert.equal(status, 400);
    assert.match(json.error, /"cursor"/);
  }
});

test('a cursor stays valid after its row was removed', async () => {
  const { json: first } = await server.get('/submissions?limit=3', { key: alice });
  const { json: expected } = await server.get(addCursor('/submissions', first.pagination.next_cursor), {
    key: alice,
  });
  await putRecords(a, [{ kind: 'retraction', of: 'submission', id: first.data[2].id }]);
  const { status, json } = await server.get(addCursor('/submissions', first.pagination.next_cursor), {
    key: alice,
  });
  assert.equal(status, 200);
  assert.deepEqual(json.data, expected.data);
});

test('a cursor stays valid after all later rows were removed: the last page is empty', async () => {
  const { json: first } = await server.get('/sessions?limit=2', { key: alice });
  await sql('DELETE FROM session WHERE organization_id = $1', [a]);
  const { json } = await server.get(addCursor('/sessions', first.pagination.next_cursor), { key: alice });
  assert.deepEqual(json, { data: [], pagination: { next_cursor: null, has_more: false } });
});
