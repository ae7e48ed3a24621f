import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newTown, servedTown } from '../support/fixture.ts';

const town = await newTown({ after });

test('a cursor survives a restart, and is good in a second process beside the first', async () => {
  const first = await town.serveAsProcess();
  const { json } = await first.get('/submissions?limit=2', { key: town.alice });
  const path = `/submissions?cursor=${json.pagination.next_cursor}`;
  const { text } = await first.get(path, { key: town.alice });
  const beside = await town.serveAsProcess();
  assert.equal((await beside.get(path, { key: town.alice })).text, text);
  assert.equal(await first.stop(), 0);
  await beside.kill();
  const restarted = await town.serveAsProcess();
  assert.equal((await restarted.get(path, { key: town.alice })).text, text);
});

test('a cursor survives one rotation of the secret under a running server, and not the second', async (t) => {
  const { server, alice, run } = await servedTown(t);
  const { json } = await server.get('/submissions?limit=2', { key: alice });
  const path = `/submissions?cursor=${json.pagination.next_cursor}`;
  const { text } = await server.get(path, { key: alice });

  await run('cursor-secret', 'rotate');
  const once = await server.get(path, { key: alice });
  assert.equal(once.status, 200);
  assert.equal(once.text.slice(0, 500), text.slice(0, 500));
  const { json: fresh } = await server.get('/submissions?limit=2', { key: alice });
  assert.notEqual(fresh.pagination.next_cursor, json.pagination.next_cursor);

  await run('cursor-secret', 'rotate');
  const twice = await server.get(path, { key: alice });
  assert.equal(twice.status, 400);
  assert.equal(twice.json.code, 'BAD_REQUEST');
  const younger = await server.get(`/submissions?cursor=${fresh.pagination.next_cursor}`, { key: alice });
  assert.equal(younger.status, 200);
});

test('a walk goes on through a rotation at every page', async (t) => {
  const { server, store, alice } = await servedTown(t);
  const { json: whole } = await server.get('/submissions', { key: alice });
  const walked: unknown[] = [];
  let path = '/submissions?limit=1';
  for (;;) {
    const { json } = await server.get(path, { key: alice });
    walked.push(...json.data);
    if (json.pagination.next_cursor === null) break;
    path = `/submissions?limit=1&cursor=${json.pagination.next_cursor}`;
    await store.rotateCursorSecret();
  }
  assert.deepEqual(walked, whole.data);
});

test('a cursor of one installation is refused by another', async (t) => {
  const { server, alice } = await servedTown(t);
  const other = await servedTown(t);
  const { json } = await server.get('/submissions?limit=2', { key: alice });
  const { status } = await other.server.get(`/submissions?cursor=${json.pagination.next_cursor}`, {
    key: other.alice,
  });
  assert.equal(status, 400);
});

test('several servers that start on an empty database at once agree on one secret', async (t) => {
  const own = await newTown(t);
  const servers = await Promise.all([own.serveAsProcess(), own.serveAsProcess(), own.serveAsProcess()]);
  const pages = await Promise.all(
    servers.map((server) => server.get('/submissions?limit=2', { key: own.alice })),
  );
  const cursors = new Set(pages.map(({ json }) => json.pagination.next_cursor));
  assert.equal(cursors.size, 1);
});
