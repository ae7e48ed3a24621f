import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNoInternals } from '../support/api-client.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { formatSubmissionId } from '../support/records.ts';

test('an internal error is a 500 without SQL in its message, and the next request works', async (t) => {
  const { server, sql, alice } = await createFixtureWithServer(t);
  await sql('ALTER TABLE submission RENAME TO elsewhere');
  for (const path of [
    '/submissions',
    '/submissions?status=x',
    `/submissions/${formatSubmissionId(1)}`,
    '/support',
  ]) {
    const response = await server.get(path, { key: alice });
    assert.equal(response.status, 500, path);
    assert.equal(response.json.code, 'INTERNAL_ERROR');
    assertNoInternals(response);
    // The request was counted before the error, so its window is known.
    assert.match(response.headers['x-ratelimit-reset'] ?? '', /^\d+$/);
  }
  assert.equal((await server.get('/me', { key: alice })).status, 200);
  await sql('ALTER TABLE elsewhere RENAME TO submission');
  assert.equal((await server.get('/submissions', { key: alice })).status, 200);
});
