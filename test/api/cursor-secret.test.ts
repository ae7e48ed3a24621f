import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture, createFixtureWithServer } from '../support/fixture.ts';
import { isNightly } from '../support/nightly.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, alice, runCli } = fixture;

test('a cursor stays valid after a restart and on a second server', async () => {
  const first = await fixture.startServer();
  const { json } = await first.get('/submissions?limit=2', { key: fixture.alice });
  const path = `/submissions?cursor=${json.pagination.next_cursor}`;
  const { text } = await first.get(path, { key: fixture.alice });
  const beside = await fixture.startServer();
  assert.equal((await beside.get(path, { key: fixture.alice })).text, text);
  await first.stop();
  await beside.stop();
  const restarted = await fixture.startServer();
  assert.equal((await restarted.get(path, { key: fixture.alice })).text, text);
});

test('a cursor stays valid after one rotation of the secret, not after two', async () => {
  const { json } = await server.get('/submissions?limit=2', { key: alice });
  const path = `/submissions?cursor=${json.pagination.next_cursor}`;
  const { text } = await server.get(path, { key: alice });

  await runCli('cursor-secret', 'rotate');
  const once = await server.get(path, { key: alice });
  assert.equal(once.status, 200);
  assert.equal(once.text.slice(0, 500), text.slice(0, 500));
  const { json: fresh } = await server.get('/submissions?limit=2', { key: alice });
  assert.notEqual(fresh.pagination.next_cursor, json.pagination.next_cursor);

  await runCli('cursor-secret', 'rotate');
  const twice = await server.get(path, { key: alice });
  assert.equal(twice.status, 400);
  assert.equal(twice.json.code, 'BAD_REQUEST');
  const younger = await server.get(`/submissions?cursor=${fresh.pagination.next_cursor}`, { key: alice });
  assert.equal(younger.status, 200);
});

test('a client can walk a list while the secret is rotated at every page', async () => {
  const { json: whole } = await server.get('/submissions', { key: alice });
  const walked: unknown[] = [];
  let path = '/submissions?limit=1';
  for (;;) {
    const { json } = await server.get(path, { key: alice });
    walked.push(...json.data);
    assert.ok(walked.length <= whole.data.length, 'the list repeats rows');
    if (json.pagination.next_cursor === null) break;
    path = `/submissions?limit=1&cursor=${json.pagination.next_cursor}`;
    await store.rotateCursorSecret();
  }
  assert.deepEqual(walked, whole.data);
});

test('a cursor of another installation is rejected', async (t) => {
  const other = await createFixtureWithServer(t);
  const { json } = await server.get('/submissions?limit=2', { key: alice });
  const { status } = await other.server.get(`/submissions?cursor=${json.pagination.next_cursor}`, {
    key: other.alice,
  });
  assert.equal(status, 400);
});

test('several servers that start on an empty database at once agree on one secret', async (t) => {
  const own = await createFixture(t);
  // By night, processes also run statements of SQLite at the same time.
  const start = isNightly ? own.startServerProcess : own.startServer;
  const servers = await Promise.all([start(), start(), start()]);
  const pages = await Promise.all(
    servers.map((server) => server.get('/submissions?limit=2', { key: own.alice })),
  );
  const cursors = new Set(pages.map(({ json }) => json.pagination.next_cursor));
  assert.equal(cursors.size, 1);
});
