/** The use of a key on its page: counts, rejected requests, and a warning about keys that are still in use. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listLatestDays } from '../../../src/domain/keys/key-usage.ts';
import { createFixture, type IssuedKey } from '../../support/fixture.ts';
import { createSignedInClient, decodeHtml, type FormClient } from '../../support/form-client.ts';

const fixture = await createFixture({ after });
const { a, b, store, sql, issueKey } = fixture;
const server = await fixture.startServer();
const reader = await createSignedInClient(server, store, a, 'reader');
const other = await createSignedInClient(server, store, b);

/** Requests to another server, which writes its counts when it stops. */
async function send({ secret: key }: IssuedKey, ...paths: string[]): Promise<void> {
  const counting = await fixture.startServer();
  for (const path of paths) await counting.get(path, { key });
  await counting.stop();
}

const keyPath = ({ id }: IssuedKey, organizationId = a) =>
  `/admin/organizations/${organizationId}/keys/${id}`;

/** Cells of the tables with this caption, by row, with the headings as first row. */
async function readTable(client: FormClient, path: string, caption: string): Promise<string[][]> {
  const { body } = await client.get(path);
  const text = (cell: string) =>
    decodeHtml(cell.replace(/<[^>]+>/g, ' '))
      .replaceAll(/[\s\u00a0]+/g, ' ')
      .trim();
  const [table = ''] = body.match(new RegExp(`<caption[^>]*>${caption}</caption>.+?</table>`, 's')) ?? [];
  return [...table.matchAll(/<tr[^>]*>(.+?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => text(cell)),
  );
}

test('the page of a key shows its requests by operation and status, the most used operation first', async () => {
  const key = await issueKey(a);
  await send(key, '/submissions', '/submissions', '/submissions?limit=0', '/me', '/me', '/nowhere');
  assert.deepEqual(await readTable(reader, keyPath(key), 'Requests by requested data and result'), [
    ['Requested data', '200 answered', '400 invalid request', '404 not found', 'Total'],
    ['Submissions ( listSubmissions )', '2', '1', '0', '3'],
    ['Key information ( getMe )', '2', '0', '0', '2'],
    ['Unknown path or method', '0', '0', '1', '1'],
    ['Total', '4', '1', '1', '6'],
  ]);
  const [headings, today, ...rest] = await readTable(reader, keyPath(key), 'Requests per day');
  assert.deepEqual(headings, ['Day', 'answered', 'client error', 'Total']);
  assert.deepEqual([today?.slice(1), rest], [['4', '2', '6'], []]);
});

test('the page counts the last 7, 30 or 90 days in UTC, 30 by default', async () => {
  const key = await issueKey(a);
  const days = listLatestDays(Date.now(), 91).toReversed();
  for (const [back, requests] of [
    [0, 1],
    [6, 2],
    [7, 4],
    [29, 8],
    [30, 16],
    [89, 32],
    [90, 64],
  ] as const) {
    await sql(`INSERT INTO key_usage_daily VALUES ($1, $2, $3, 'getMe', 200, $4)`, [
      ...[a, key.id, days[back] as string, requests],
    ]);
  }
  const total = async (query: string) =>
    (await readTable(reader, keyPath(key) + query, 'Requests by requested data and result')).at(-1)?.at(-1);
  assert.deepEqual(
    [await total('?days=7'), await total(''), await total('?days=90'), await total('?days=8')],
    ['3', '15', '63', '15'],
  );
  const { body } = await reader.get(`${keyPath(key)}?days=7`);
  assert.match(body, /aria-current="true"><strong>Last 7 days</);
  assert.match(body, /Days are in UTC/);
});

test('the CSV file has one line for each day, operation and status', async () => {
  const key = await issueKey(a);
  await send(key, '/me', '/me', '/me?x');
  const today = new Date().toISOString().slice(0, 10);
  const { status, headers, body } = await reader.get(`${keyPath(key)}/usage.csv?days=7`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.equal(
    body.replace('\uFEFF', ''),
    `day,operation,status,requests\r\n${today},getMe,400,1\r\n${today},getMe,200,2\r\n`,
  );
});

test('the latest rejected requests are listed with the answer that the client got and the meaning of its code', async () => {
  const key = await issueKey(a);
  await send(key, '/submissions?limit=geheim', '/sessions/geheim', '/me');
  const rows = await readTable(reader, keyPath(key), 'Latest rejected requests');
  assert.deepEqual(
    rows.map((row) => row.slice(1)),
    [
      ['Requested data', 'Code (status)', 'Parameter', 'Answer to the program'],
      ['Single session ( getSession )', 'NOT_FOUND (404)', '–', 'Resource not found.'],
      [
        'Submissions ( listSubmissions )',
        'BAD_REQUEST (400)',
        'limit',
        'The parameter "limit" must be an integer from 1 to 100.',
      ],
    ],
  );
  for (const row of rows.slice(1)) assert.match(row[0] ?? '', /\d\d:\d\d:\d\d /);
  const { body } = await reader.get(keyPath(key));
  assert.match(body, /BAD_REQUEST \(400\)<\/dt>.+A parameter or cursor is unknown or invalid/s);
  assert.match(body, /href="[^"]*\/docs#errors"/);
  assert.ok(!body.includes('geheim'));
});

test('more than ten rejected requests are folded', async () => {
  const key = await issueKey(a);
  await send(key, ...Array(60).fill('/me?x'));
  const rows = await readTable(reader, keyPath(key), 'Latest rejected requests');
  const folded = await readTable(reader, keyPath(key), 'Earlier rejected requests \\(40\\)');
  assert.deepEqual([rows.length, folded.length], [11, 41]);
});

test('a warning says that a revoked key is still in use, and how often', async () => {
  const [used, unused] = [await issueKey(a), await issueKey(a)];
  for (const { id } of [used, unused]) await store.revokeKey({ organizationId: a, id });
  await send(used, '/me', '/submissions');
  const { body } = await reader.get(keyPath(used));
  assert.match(body, /This key is no longer valid, but a program still uses it/);
  assert.match(body, /2 requests with this key were rejected in the last 7 days/);
  assert.ok(!(await reader.get(keyPath(unused))).body.includes('still uses it'));
});

test('a key without requests has neither tables nor a chart', async () => {
  const { body } = await reader.get(keyPath(await issueKey(a)));
  assert.match(body, /There were no requests with this key in the last 30 days/);
  assert.match(body, /No request was rejected while the key was valid/);
  assert.ok(!body.includes('<table') && !body.includes('chart-box'));
});

test('the use of a key of another municipality is not found', async () => {
  const key = await issueKey(a);
  await send(key, '/me?x');
  for (const path of [`${keyPath(key)}/usage.csv`, `${keyPath(key, b)}/usage.csv`, keyPath(key, b)])
    assert.equal((await other.get(path)).status, 404, path);
});

test('the page of a key shows the rest of its limit, and warns when it is used up', async () => {
  const key = await issueKey(a, { requestLimit: 3 });
  const read = async () => (await reader.get(keyPath(key))).body;
  assert.doesNotMatch(await read(), / left, all available again|is used up/);
  await send(key, '/me', '/me');
  const used = await read();
  assert.match(used, /2 of 3 requests<br>1 left, all available again in \d+ (?:minute|hour|day)s?</);
  assert.doesNotMatch(used, /is used up/);
  await send(key, '/me', '/me');
  assert.match(
    await read(),
    /role="alert"[\s\S]*The request limit of this key is used up[\s\S]*rejected until [^<]+ \(in \d+ (?:minute|hour|day)s?\)/,
  );
});
