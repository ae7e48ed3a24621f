/** PostgreSQL reads a page in the statement that looks up the key: one round trip. Traces show the statements. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import type { ApiResponse } from '../support/api-client.ts';
import { createFixture } from '../support/fixture.ts';
import { isCitus } from '../support/postgres-database.ts';
import { createSubmission, formatSessionId, formatSubmissionId, missingId } from '../support/records.ts';
import { requestInSharedBatch } from '../support/request-batch.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const fixture = await createFixture({ after });
const { a, b, alice, sql, putRecords, issueKey } = fixture;
const collector = await startTraceCollector({ after });
const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '20' };

async function startTraced(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await fixture.startServerProcess({ ...tracing, ...environment });
  // The first request asks PostgreSQL for its extensions, and Citus for the node of the municipality.
  await server.get('/submissions?topic=none', { key: alice });
  return server;
}

const server = await startTraced();

/** @returns the response, and its statements */
async function trace(
  path: string,
  key = alice,
  from = server,
): Promise<{ response: ApiResponse; statements: string[] }> {
  const response = await from.get(path, { key });
  const { spanId } = await collector.waitForSpan(
    ({ attributes }) => attributes['rostra.request.id'] === response.headers['x-request-id'],
  );
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  return { response, statements: statements.map(({ attributes }) => String(attributes['db.query.text'])) };
}

async function assertStatements(
  path: string,
  count: number,
  key = alice,
  from = server,
): Promise<ApiResponse> {
  const { response, statements } = await trace(path, key, from);
  assert.equal(statements.length, count, `${path}\n${statements.join('\n\n')}`);
  return response;
}

async function readCursor(path: string, hasId: boolean): Promise<string> {
  for (let limit = 1; ; limit += 1) {
    const { json } = await server.get(`${path}?limit=${limit}`, { key: alice });
    const cursor: string = json.pagination.next_cursor;
    assert.ok(cursor !== null, path);
    if ((Buffer.from(cursor, 'base64url')[0] !== 0) === hasId) return cursor;
  }
}

const onPlainPostgres = { skip: isCitus && 'Citus reads a page with a second statement' };

const forgedCursor = (position: string) =>
  Buffer.concat([Buffer.of(0), Buffer.from(position), Buffer.alloc(16, 7)]).toString('base64url');

test('a page and its key are read with one statement', onPlainPostgres, async () => {
  for (const path of [
    '/submissions',
    '/submissions?limit=100',
    '/submissions?status=in_review',
    '/submissions?topic=Mobility&limit=1',
    '/submissions?status=in_review&topic=Mobility',
    '/submissions?status=nothing',
    '/sessions',
    '/sessions?limit=2',
    '/support',
    '/support?limit=2',
    `/submissions?limit=2&cursor=${await readCursor('/submissions', false)}`,
    `/submissions?limit=2&cursor=${await readCursor('/submissions', true)}`,
    `/sessions?cursor=${await readCursor('/sessions', false)}`,
    `/sessions?cursor=${await readCursor('/sessions', true)}`,
    `/support?cursor=${await readCursor('/support', false)}`,
    `/support?cursor=${await readCursor('/support', true)}`,
  ]) {
    const { status } = await assertStatements(path, 1);
    assert.equal(status, 200, path);
  }
});

test('a request with a forged cursor executes one statement', async () => {
  for (const position of ['2026-03-01T09:15:00.000Z', '2026\0', '2026-ä', '\0', "'"]) {
    const { status } = await assertStatements(`/submissions?cursor=${forgedCursor(position)}`, 1);
    assert.equal(status, 400, position);
  }
});

test('a request that is rejected for its key, its window or its parameters executes one statement', async () => {
  const { secret: exhausted } = await issueKey(a, { requestLimit: 1 });
  await server.get('/me', { key: exhausted });
  assert.equal((await assertStatements('/submissions', 1, exhausted)).status, 429);
  assert.equal((await assertStatements('/submissions', 1, fixture.revoked)).status, 401);
  assert.equal((await assertStatements('/submissions?limit=0', 1)).status, 400);
});

test('other operations read their data with a second statement', async () => {
  for (const path of [
    `/submissions/${formatSubmissionId(1)}`,
    `/sessions/${formatSessionId(1)}`,
    `/support?submission_id=${formatSubmissionId(1)}`,
    '/surveys',
    '/organization',
  ]) {
    const { status } = await assertStatements(path, 2);
    assert.equal(status, 200, path);
  }
});

test('with a replica, even an unreachable one, a page is read with a second statement', async () => {
  const replicated = await startTraced({
    ROSTRA_DATABASE_REPLICAS: 'postgres://rostra@127.0.0.1:1/rostra',
  });
  for (const path of ['/submissions', '/sessions', '/support']) {
    const { text } = await assertStatements(path, 2, alice, replicated);
    assert.equal(text, (await server.get(path, { key: alice })).text, path);
  }
});

test(
  'a cached page, and the page after a write, are answered with one statement',
  onPlainPostgres,
  async () => {
    const { secret: key } = await issueKey(a);
    const path = '/submissions?limit=4';
    for (let round = 0; round < 3; round += 1) {
      const texts = new Set<string>();
      for (let time = 0; time < 4; time += 1) texts.add((await assertStatements(path, 1, key)).text);
      assert.equal(texts.size, 1);
      const n = 700 + round;
      await putRecords(a, [
        { kind: 'submission', ...createSubmission(n, { createdAt: `2027-01-0${1 + round}T00:00:00.000Z` }) },
      ]);
      const { json } = await assertStatements(path, 1, key);
      assert.equal(json.data[0].id, formatSubmissionId(n));
    }
  },
);

/** A page of submissions fails with this SQLSTATE when it is read. @param of only pages of this municipality */
async function withUnreadableSubmissions(
  state: string,
  work: () => Promise<void>,
  of?: string,
): Promise<void> {
  await sql(`CREATE FUNCTION reject() RETURNS boolean LANGUAGE plpgsql AS
    $$BEGIN RAISE 'read' USING ERRCODE = '${state}'; END$$`);
  const condition =
    of === undefined ? 'reject()' : `CASE organization_id WHEN '${of}' THEN reject() ELSE true END`;
  await sql(`CREATE POLICY unreadable ON submission AS RESTRICTIVE USING (${condition})`);
  try {
    await work();
  } finally {
    await sql('DROP POLICY unreadable ON submission');
    await sql('DROP FUNCTION reject');
  }
}

test(
  'a page is not read if the cache has it, or if the window of the key is exhausted',
  onPlainPostgres,
  async () => {
    const { secret: key } = await issueKey(a);
    const path = '/submissions?limit=5';
    for (let time = 0; time < 3; time += 1) await server.get(path, { key });
    const { secret: exhausted } = await issueKey(a, { requestLimit: 1 });
    await server.get('/me', { key: exhausted });
    await withUnreadableSubmissions('P0001', async () => {
      assert.equal((await assertStatements(path, 1, key)).status, 200);
      assert.equal((await assertStatements(path, 1, exhausted)).status, 429);
    });
  },
);

test('a page that cannot be read fails its own request only, every request is counted once, and the log says once why they take more statements', async () => {
  const inProcess = await fixture.startServer();
  const { secret: key } = await issueKey(a, { requestLimit: 100 });
  await withUnreadableSubmissions('P0001', async () => {
    const paths = ['/submissions', '/sessions', '/me', '/submissions'];
    const responses = await Promise.all(paths.map((path) => inProcess.get(path, { key })));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [500, 200, 200, 500],
    );
    const remaining = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    assert.deepEqual(
      remaining.toSorted((x, y) => y - x),
      [99, 98, 97, 96],
    );
    await inProcess.get('/submissions', { key });
    const warnings = inProcess.lines.filter((line) => line.includes('with separate statements'));
    assert.equal(warnings.length, isCitus ? 0 : 1);
  });
});

test('a page that cannot be read fails no request of another municipality in its statement', async () => {
  const inProcess = await fixture.startServer();
  const { secret: own } = await issueKey(a);
  const { secret: other } = await issueKey(b, { requestLimit: 100 });
  const requests = [own, other, own].map((key, index) => ({ key, path: `/submissions?limit=${1 + index}` }));
  const work = () => requestInSharedBatch({ ...fixture, server: inProcess }, requests);
  await withUnreadableSubmissions(
    'P0001',
    async () => {
      const responses = await Promise.all(await work());
      assert.deepEqual(
        responses.map(({ status }) => status),
        [500, 200, 500],
      );
      assert.equal(responses[1]?.headers['x-ratelimit-remaining'], '99');
    },
    a,
  );
  const responses = await Promise.all(await work());
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
});

test(
  'while pages cannot be read because the disk is full, requests for pages are 503 and not counted',
  onPlainPostgres,
  async () => {
    const inProcess = await fixture.startServer();
    const { secret: key } = await issueKey(a, { requestLimit: 100 });
    await withUnreadableSubmissions('53100', async () => {
      assert.equal((await inProcess.get('/submissions', { key })).status, 503);
    });
    const { status, headers } = await inProcess.get('/submissions', { key });
    assert.deepEqual([status, headers['x-ratelimit-remaining']], [200, '99']);
  },
);

test(
  'concurrent pages of a key are read with its look-up, each for its own request',
  onPlainPostgres,
  async (t) => {
    const inProcess = await fixture.startServer();
    const { secret: key } = await issueKey(a);
    const texts: string[] = [];
    const { query } = pg.Client.prototype;
    t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: [{ text: string }]) {
      texts.push(args[0].text);
      return query.apply(this, args as never);
    });
    const limits = Array.from({ length: 12 }, (_, index) => 1 + (index % 6));
    const pages = await Promise.all(
      limits.map((limit) => inProcess.get(`/submissions?limit=${limit}`, { key })),
    );
    assert.deepEqual(
      pages.map(({ json }) => json.data.length),
      limits,
    );
    // Without the readiness checks of other servers, which read a document.
    const own = texts.filter((text) => /key_and_window|string_agg\(document/.test(text));
    assert.ok(own.length > 0);
    for (const text of own) assert.match(text, /key_and_window.*string_agg\(document.*FROM submission/s);
  },
);

test('while a write has not ended, no page comes from the cache', async () => {
  const { secret: key } = await issueKey(a);
  const path = '/submissions?limit=3';
  for (let time = 0; time < 3; time += 1) await server.get(path, { key });
  const [row] = await sql<{ version: string }>(
    'SELECT data_version AS version FROM organization WHERE id = $1',
    [a],
  );
  await sql("UPDATE submission SET description = 'changed' WHERE organization_id = $1", [a]);
  await sql('UPDATE organization SET data_version = $1, write_token = $2 WHERE id = $3', [
    ...[row?.version ?? '', missingId, a],
  ]);
  const { json } = await server.get(path, { key });
  await sql('UPDATE organization SET write_token = NULL WHERE id = $1', [a]);
  for (const { description } of json.data) assert.equal(description, 'changed');
});
