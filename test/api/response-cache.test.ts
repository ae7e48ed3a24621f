/** Repeated requests: clients must not notice the response cache. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { hashKey } from '../../src/domain/keys/api-key.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { formatSessionId, formatSubmissionId, formatSurveyId, missingId } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const { server, a, b, alice, bob, charlie, sql, putRecords, issueKey, runCli, store } =
  await createFixtureWithServer({ after });

const addresses = [
  '/submissions',
  '/submissions?limit=2',
  '/submissions?status=in_review',
  `/submissions/${formatSubmissionId(1)}`,
  '/support',
  '/sessions',
  `/sessions/${formatSessionId(1)}`,
  `/surveys/${formatSurveyId(1)}/results`,
  '/surveys',
  '/organization',
  '/changes',
  '/me',
];

/** Repeats a request until its response is cached. @returns the last response */
async function requestRepeatedly(path: string, key: string): Promise<ApiResponse> {
  const responses: ApiResponse[] = [];
  for (let time = 0; time < 4; time += 1) responses.push(await server.get(path, { key }));
  assert.equal(new Set(responses.map(({ text }) => text)).size, 1, path);
  return responses.at(-1) as ApiResponse;
}

const readRemaining = ({ headers }: ApiResponse) => Number(headers['x-ratelimit-remaining']);

test('cached responses are counted and show the remaining requests', async () => {
  const { secret: key } = await issueKey(a, { requestLimit: 6 });
  const remaining: number[] = [];
  for (let time = 0; time < 6; time += 1)
    remaining.push(readRemaining(await server.get('/submissions', { key })));
  assert.deepEqual(remaining, [5, 4, 3, 2, 1, 0]);
  assert.equal((await server.get('/submissions', { key })).status, 429);
});

test('writes of another process are visible to the next request on every path', async () => {
  const shown = addresses.filter((path) => /^\/(submissions|support|sessions\/|changes)/.test(path));
  for (let count = 100; count < 103; count += 1) {
    for (const path of shown) await requestRepeatedly(path, alice);
    await sql('UPDATE submission SET support_count = $1 WHERE organization_id = $2 AND id = $3', [
      count,
      a,
      formatSubmissionId(1),
    ]);
    const { json } = await server.get(`/submissions/${formatSubmissionId(1)}`, { key: alice });
    assert.equal(json.data.supportCount, count);
    for (const path of shown) {
      const { text } = await server.get(path, { key: alice });
      const fresh = await server.get(`${path}${path.includes('?') ? '&' : '?'}`, { key: alice });
      assert.equal(text, fresh.text, path);
    }
  }
});

test('writes to every published table are visible to the next request', async () => {
  const session = `/sessions/${formatSessionId(1)}`;
  const results = `/surveys/${formatSurveyId(1)}/results`;
  const ofSession = 'WHERE organization_id = $1 AND id = $2';
  const ofSurvey = 'WHERE organization_id = $1 AND survey_id = $2';
  const changes: [path: string, statement: string, id: string][] = [
    [session, `UPDATE session SET committee_name = 'Renamed' ${ofSession}`, formatSessionId(1)],
    [
      session,
      'DELETE FROM session_submission WHERE organization_id = $1 AND session_id = $2 AND position = 0',
      formatSessionId(1),
    ],
    [results, `UPDATE survey SET title = 'Renamed' ${ofSession}`, formatSurveyId(1)],
    [results, `UPDATE survey_question SET question_text = 'Renamed?' ${ofSurvey}`, formatSurveyId(1)],
    [results, `UPDATE survey_option SET response_count = response_count + 1 ${ofSurvey}`, formatSurveyId(1)],
  ];
  for (const [path, statement, id] of changes) {
    const { text } = await requestRepeatedly(path, alice);
    await sql(statement, [a, id]);
    const changed = await server.get(path, { key: alice });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.text, text, statement);
  }
});

test('removed and restored records are visible to the next request', async () => {
  const path = `/submissions/${formatSubmissionId(2)}`;
  const { text, json } = await requestRepeatedly(path, alice);
  await sql('DELETE FROM submission WHERE organization_id = $1 AND id = $2', [a, formatSubmissionId(2)]);
  assert.equal((await requestRepeatedly(path, alice)).status, 404);
  await putRecords(a, [{ kind: 'submission', ...json.data }]);
  assert.equal((await requestRepeatedly(path, alice)).text, text);
});

test('a cached response is never returned to a key of another municipality, and that of /me to no other key', async () => {
  for (const path of addresses) {
    const own = await requestRepeatedly(path, alice);
    const colleague = await requestRepeatedly(path, bob);
    const other = await requestRepeatedly(path, charlie);
    if (path !== '/me') assert.equal(colleague.text.slice(0, 200), own.text.slice(0, 200), path);
    else assert.notEqual(colleague.text, own.text);
    assert.notEqual(other.text, own.text, path);
    assert.equal(own.json.organization_id ?? a, a);
    assert.equal(other.json.organization_id ?? b, b);
  }
});

test('revoked and expired keys get no cached response', async () => {
  const revoked = await issueKey(a);
  await requestRepeatedly('/submissions', revoked.secret);
  const [record] = await store.findKeys(revoked.id);
  await store.revokeKey(record as NonNullable<typeof record>);
  assert.equal((await server.get('/submissions', { key: revoked.secret })).status, 401);

  const endMs = Date.now() + 2_500;
  const expiring = await issueKey(a, { expiresAt: new Date(endMs).toISOString() });
  await requestRepeatedly('/submissions', expiring.secret);
  await waitUntil('the end of the key', () => Date.now() > endMs);
  assert.equal((await server.get('/submissions', { key: expiring.secret })).status, 401);
});

test('after a rotation of the secret, responses have a cursor of the new secret', async () => {
  const { json: before } = await requestRepeatedly('/submissions?limit=2', alice);
  await runCli('cursor-secret', 'rotate');
  const { json: now } = await server.get('/submissions?limit=2', { key: alice });
  assert.notEqual(now.pagination.next_cursor, before.pagination.next_cursor);
});

test('errors are not cached', async () => {
  assert.equal((await requestRepeatedly(`/submissions/${missingId}`, alice)).status, 404);
  assert.equal((await requestRepeatedly('/submissions?limit=0', alice)).status, 400);
  assert.equal((await requestRepeatedly('/submissions?cursor=x', alice)).status, 400);
});

test('concurrent requests each get their own response', async () => {
  const paths = Array.from({ length: 60 }, (_, index) => `/submissions?limit=${1 + (index % 30)}`);
  const responses = await Promise.all(paths.map((path) => server.get(path, { key: alice })));
  for (const [index, path] of paths.entries()) {
    const { json } = responses[index] as ApiResponse;
    const limit = 1 + (index % 30);
    assert.ok(json.data.length <= limit, path);
    const alone = await server.get(`${path}&`, { key: alice });
    assert.deepEqual(json, alone.json, path);
  }
});

test('a key that moves gets nothing cached before, even if both municipalities have the same data version', async () => {
  // On PostgreSQL, a change of all municipalities gives them the same data version.
  await sql("UPDATE organization SET name = name || '.'");
  const { secret: key } = await issueKey(a);
  const secretHash = hashKey(key);
  for (const path of addresses) await requestRepeatedly(path, key);
  await sql('DELETE FROM api_key WHERE secret_hash = $1', [secretHash]);
  await issueKey(b, { secretHash });
  for (const path of addresses) {
    const { text } = await server.get(path, { key });
    const fresh = await server.get(`${path}${path.includes('?') ? '&' : '?'}`, { key });
    assert.equal(text, fresh.text, path);
  }
});

test('a key that moves to another municipality gets nothing that was cached for the first one', async () => {
  const { secret: key } = await issueKey(a);
  const secretHash = hashKey(key);
  const documents: string[] = [];
  const [id, otherId] = [randomUUID(), randomUUID()];
  for (const [name, given] of [
    ['First', id],
    ['Second', otherId],
    // It was removed, and is added again with the same id, as `rostra apply` does.
    ['Third', otherId],
  ] as const) {
    const { id: organizationId } = await store.addOrganization(name, given);
    await sql('DELETE FROM api_key WHERE secret_hash = $1', [secretHash]);
    await issueKey(organizationId, { secretHash });
    documents.push((await requestRepeatedly('/organization', key)).json.data.name);
    await requestRepeatedly('/submissions', key);
    await store.removeOrganization(organizationId);
  }
  assert.deepEqual(documents, ['First', 'Second', 'Third']);
});
