import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { assertUnavailable } from '../support/api-client.ts';
import { createFixtureWithServer, createFixtureWithServerProcess } from '../support/fixture.ts';
import { formatSubmissionId } from '../support/records.ts';
import { shortenTenSecondIntervals } from '../support/shorten-ten-second-intervals.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Overwrites a file in place with junk, as a failing disk may. */
function destroy(file: string): void {
  writeFileSync(file, Buffer.alloc(statSync(file).size, 'x'), { flag: 'r+' });
}

// Concurrent, because the server waits for a lock.
test('while the store is unavailable', { concurrency: true }, async (t) => {
  const { server, database, alice, charlie } = await createFixtureWithServerProcess(t, {
    ROSTRA_RATE_LIMIT: '2',
  });
  assert.equal((await server.get('/me', { key: alice })).headers['x-ratelimit-remaining'], '1');
  const other = new Database(`${database}-counters`);
  t.after(() => void other.close());
  other.exec('BEGIN EXCLUSIVE');
  const health = t.test('health is answered while a keyed request waits for a lock', async () => {
    const order: string[] = [];
    const waiting = server.get('/me', { key: charlie }).then(() => order.push('me'));
    // The start of the request is not visible from outside.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const answering = server.get('/health').then(() => order.push('health'));
    await Promise.all([waiting, answering]);
    assert.deepEqual(order, ['health', 'me']);
  });
  const count = t.test('a request that cannot be counted is 503, and the next one is counted', async () => {
    assertUnavailable(await server.get('/me', { key: alice }));
    await health;
    other.exec('ROLLBACK');
    const recovered = await server.get('/me', { key: alice });
    assert.equal(recovered.status, 200);
    assert.equal(recovered.headers['x-ratelimit-remaining'], '0');
    assert.equal((await server.get('/me', { key: alice })).status, 429);
  });
  await Promise.all([health, count]);
});

test('a write-ahead log that grew during a long read is truncated, and requests are answered meanwhile', async (t) => {
  shortenTenSecondIntervals(t);
  const { server, database, sql, alice } = await createFixtureWithServer(t);
  const reader = new Database(database, { readonly: true });
  reader.exec('BEGIN; SELECT * FROM organization');
  // The server, in this process, removes expired data at its start: it can only commit while the test waits for the lock.
  await sql('CREATE TABLE ballast (bytes)');
  await sql('INSERT INTO ballast VALUES (zeroblob(70000000))');
  const logSize = () => statSync(`${database}-wal`).size;
  assert.ok(logSize() > 70_000_000);
  reader.close();
  await waitUntil('a small log', async () => {
    assert.equal((await server.get('/submissions', { key: alice })).status, 200);
    return logSize() === 0;
  });
});

test('a damaged counters file is 503 for every key, and health still answers', async (t) => {
  const { server, database, alice, charlie } = await createFixtureWithServer(t);
  await server.get('/me', { key: alice });
  for (const suffix of ['', '-wal', '-shm']) destroy(`${database}-counters${suffix}`);
  for (const key of [alice, charlie]) {
    for (const path of ['/me', '/submissions', '/submissions?limit=0'])
      assertUnavailable(await server.get(path, { key }));
  }
  assert.equal((await server.get('/health')).status, 200);
  assert.equal((await server.get('/me')).status, 401);
});

test('a damaged database is 503, never a 401 for a valid key', async (t) => {
  const { server, database, sql, alice } = await createFixtureWithServer(t);
  await server.get('/submissions', { key: alice });
  // Otherwise the data is still in the log.
  await sql('PRAGMA wal_checkpoint(TRUNCATE)');
  for (const suffix of ['', '-wal', '-shm']) destroy(`${database}${suffix}`);
  for (const path of ['/me', '/submissions', `/submissions/${formatSubmissionId(1)}`]) {
    assertUnavailable(await server.get(path, { key: alice }));
  }
  assert.equal((await server.get('/health')).status, 200);
});
