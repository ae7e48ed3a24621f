import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saysNothingOfTheInside } from '../support/exchange.ts';
import { servedTown } from '../support/fixture.ts';
import { submissionId } from '../support/records.ts';

test('an internal error is a 500 without SQL in its message, and the next request works', async (t) => {
  const { server, sql, alice } = await servedTown(t);
  await sql('ALTER TABLE submission RENAME TO elsewhere');
  for (const path of [
    '/submissions',
    '/submissions?status=x',
    `/submissions/${submissionId(1)}`,
    '/support',
  ]) {
    const answer = await server.get(path, { key: alice });
    assert.equal(answer.status, 500, path);
    assert.equal(answer.json.code, 'INTERNAL_ERROR');
    saysNothingOfTheInside(answer);
    // The request was counted before the error, so its window is known.
    assert.match(answer.headers['x-ratelimit-reset'] ?? '', /^\d+$/);
  }
  assert.equal((await server.get('/me', { key: alice })).status, 200);
  await sql('ALTER TABLE elsewhere RENAME TO submission');
  assert.equal((await server.get('/submissions', { key: alice })).status, 200);
});
