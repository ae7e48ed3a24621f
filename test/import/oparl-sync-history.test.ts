/** The runs of `rostra sync oparl` that the import history lists. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertFails, assertSucceeds } from '../support/cli-workspace.ts';
import { createServedPaper, createSyncCommands, startCouncilServer } from '../support/council-server.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { missingId } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { sync, readSyncState } = createSyncCommands(harness);

test('the history lists runs with changes or news, and `sync list` shows the state of every endpoint', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const town = await harness.createMunicipality();
  const listRuns = async () => {
    const printed = await assertSucceeds(
      harness.workspace.withDatabase('import', '--history', '--json', '--organization', town.id),
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
  const { completedAt } = await readSyncState(town);
  await syncAndExpect(undefined);
  assert.ok((await readSyncState(town)).completedAt > completedAt);
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

test('`sync remove` removes an endpoint but no records, and the next run fetches everything', async (t) => {
  const server = await startCouncilServer(t);
  const town = await harness.createMunicipality();
  const other = await harness.createMunicipality();
  const remove = (of: string, url: string, ...flags: string[]) =>
    harness.workspace.withDatabase('sync', 'remove', url, '--organization', of, ...flags);
  const { counts } = await sync(town, server.bodyUrl);
  const published = await harness.listAll(town, '/submissions');
  await assertFails(remove(other.id, server.bodyUrl), 1, /is not an endpoint of .+"rostra sync list"/);
  await assertFails(remove(town.id, `${server.bodyUrl}x`), 1, /is not an endpoint/);
  await assertFails(remove(town.id, server.bodyUrl, '--body', 'Rat'), 1, /\(Rat\) is not an endpoint/);
  await harness.workspace.sql(
    'UPDATE sync_state SET lease_token = $2, heartbeat_at_ms = $3 WHERE organization_id = $1',
    [town.id, missingId, Date.now() + 600_000],
  );
  await assertFails(remove(town.id, server.bodyUrl), 1, /is being fetched\. Stop that run first\./);
  await harness.workspace.sql('UPDATE sync_state SET heartbeat_at_ms = 1 WHERE organization_id = $1', [
    town.id,
  ]);

  await assertSucceeds(remove(town.id, server.bodyUrl));
  assert.equal(await readSyncState(town), undefined);
  assert.deepEqual(await harness.listAll(town, '/submissions'), published);
  const left = await harness.workspace.sql('SELECT id FROM sync_object WHERE organization_id = $1', [
    town.id,
  ]);
  assert.deepEqual(left, []);
  const again = await sync(town, server.bodyUrl);
  assert.equal(again.counts.requests, counts.requests);
  assert.equal(again.counts.inserted, 0);
});

test('--every and --rejected cannot be combined', async () => {
  const town = await harness.createMunicipality();
  const args = ['sync', 'oparl', 'https://ris.example', '--organization', town.id];
  await assertFails(
    harness.workspace.withDatabase(...args, '--every', '1h', '--rejected', 'x'),
    2,
    /--rejected is for a single run/,
  );
});

test('`sync list` shows an overdue run', async (t) => {
  const server = await startCouncilServer(t);
  const town = await harness.createMunicipality();
  await sync(town, server.bodyUrl);
  const setNextAtAndList = async (ms: number) => {
    await harness.workspace.sql('UPDATE sync_state SET next_at = $2 WHERE organization_id = $1', [
      town.id,
      new Date(Date.now() + ms).toISOString(),
    ]);
    return await assertSucceeds(harness.workspace.withDatabase('sync', 'list', '--organization', town.id));
  };
  assert.match(await setNextAtAndList(-3_600_000), /overdue since \d{4}-\d\d-\d\d \d\d:\d\d/);
  assert.doesNotMatch(await setNextAtAndList(3_600_000), /overdue/);
});
