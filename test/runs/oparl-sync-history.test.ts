/** The runs of OParl endpoints that the import history lists, and the removal of an endpoint. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { createServedPaper, createSyncCommands, startCouncilServer } from '../support/council-server.ts';
import { createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const { sync, readSyncState } = createSyncCommands(harness);

test('the history lists runs with changes or news, and the state of the source shows every run', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const town = await harness.createMunicipality();
  const listRuns = async () => {
    const printed = await assertSucceeds(
      harness.workspace.withDatabase('import', 'history', '--json', '--organization', town.id),
    );
    return (JSON.parse(printed) as Record<string, unknown>[]).map(
      ({ state, inserted, changed, removed, rejected }) => [state, inserted, changed, removed, rejected],
    );
  };
  const expected: unknown[][] = [];
  const syncAndExpect = async (row: unknown[] | undefined, ...flags: string[]) => {
    await sync(town, server.bodyUrl, ...flags);
    if (row !== undefined) expected.unshift(row);
    assert.deepEqual(await listRuns(), expected);
  };

  await syncAndExpect(['done', 4, 0, 0, 0]);
  const { lastSuccessAt } = await readSyncState(town);
  await syncAndExpect(undefined);
  assert.ok((await readSyncState(town)).lastSuccessAt > lastSuccessAt);
  server.put('paper', createServedPaper(at, 1, { name: 'Antrag 1 neu' }));
  await syncAndExpect(['done', 0, 1, 0, 0]);
  // A rejected record is news only in its first run.
  server.put('paper', createServedPaper(at, 4, { name: '' }));
  await syncAndExpect(['done', 0, 0, 0, 1]);
  await syncAndExpect(undefined);
  await syncAndExpect(undefined, '--full');
  server.remove('paper', `${at}/papers/2`);
  await syncAndExpect(['done', 0, 0, 1, 1]);

  server.findFault = (path) => (path === '/body' ? { status: 403 } : undefined);
  await syncAndExpect(undefined);
  assert.match((await readSyncState(town)).error, /Access to .* is denied/);
});

test('the removal of a source deletes its mirror but no records, and the next run fetches everything', async (t) => {
  const server = await startCouncilServer(t);
  const town = await harness.createMunicipality();
  const { counts } = await sync(town, server.bodyUrl);
  const published = await harness.listAll(town, '/submissions');
  await assertSucceeds(
    harness.workspace.withDatabase('source', 'remove', server.bodyUrl, '--organization', town.id),
  );
  assert.equal(await readSyncState(town), undefined);
  assert.deepEqual(await harness.listAll(town, '/submissions'), published);
  const left = await harness.workspace.sql('SELECT id FROM endpoint_object WHERE organization_id = $1', [
    town.id,
  ]);
  assert.deepEqual(left, []);
  const again = await sync(town, server.bodyUrl);
  assert.equal(again.counts.requests, counts.requests);
  assert.equal(again.counts.inserted, 0);
});

test('the import of an endpoint can be undone', async (t) => {
  const server = await startCouncilServer(t);
  const town = await harness.createMunicipality();
  await sync(town, server.bodyUrl);
  const published = await harness.listAll(town, '/submissions');
  server.put('paper', createServedPaper(server.origin, 1, { name: 'Antrag 1 neu' }));
  await sync(town, server.bodyUrl);
  assert.notDeepEqual(await harness.listAll(town, '/submissions'), published);
  await assertSucceeds(
    harness.workspace.withDatabase('source', 'undo', server.bodyUrl, '--organization', town.id, '--yes'),
  );
  assert.deepEqual(await harness.listAll(town, '/submissions'), published);
});
