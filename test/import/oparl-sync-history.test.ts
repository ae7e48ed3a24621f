/** The runs of `rostra sync oparl` that the import history lists. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { refused, succeed } from '../support/cli-workspace.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { newCouncil, newEndpoints, paper } from '../support/oparl-endpoint.ts';
import { missingId } from '../support/records.ts';

const harness = await createImportHarness({ after });
const { sync, state } = newEndpoints(harness);

test('the history lists runs with changes or news, and `sync list` shows the state of every endpoint', async () => {
  const server = await newCouncil({ after });
  const at = server.origin;
  const town = await harness.createMunicipality();
  const listRuns = async () => {
    const printed = await succeed(
      harness.workspace.on('import', '--history', '--json', '--organization', town.id),
    );
    return (JSON.parse(printed) as Record<string, unknown>[]).map(
      ({ state, inserted, changed, removed, rejected }) => [state, inserted, changed, removed, rejected],
    );
  };
  const expected: unknown[][] = [];
  const syncAndExpect = async (row: unknown[] | undefined, ...flags: string[]) => {
    await sync(town, server.body, ...flags);
    if (row !== undefined) expected.unshift(row);
    assert.deepEqual(await listRuns(), expected);
  };

  await syncAndExpect(['done', 4, 0, 0, 0]);
  const { completedAt } = await state(town);
  await syncAndExpect(undefined);
  assert.ok((await state(town)).completedAt > completedAt);
  server.put('paper', paper(at, 1, { name: 'Antrag 1 neu' }));
  await syncAndExpect(['done', 0, 1, 0, 0]);
  // A rejected record is news only in its first run.
  server.put('paper', paper(at, 4, { name: '' }));
  await syncAndExpect(['done', 0, 0, 0, 1]);
  await syncAndExpect(undefined);
  await syncAndExpect(undefined, '--full');
  server.remove('paper', `${at}/papers/2`);
  await syncAndExpect(['done', 0, 0, 1, 1]);

  server.fault = (path) => (path === '/body' ? { status: 403 } : undefined);
  await syncAndExpect(undefined);
  assert.match((await state(town)).error, /Access to .* is denied/);
});

test('`sync remove` removes an endpoint but no records, and the next run fetches everything', async () => {
  const server = await newCouncil({ after });
  const town = await harness.createMunicipality();
  const other = await harness.createMunicipality();
  const remove = (of: string, url: string, ...flags: string[]) =>
    harness.workspace.on('sync', 'remove', url, '--organization', of, ...flags);
  const { counts } = await sync(town, server.body);
  const published = await harness.listAll(town, '/submissions');
  await refused(remove(other.id, server.body), 1, /is not an endpoint of .+"rostra sync list"/);
  await refused(remove(town.id, `${server.body}x`), 1, /is not an endpoint/);
  await refused(remove(town.id, server.body, '--body', 'Rat'), 1, /\(Rat\) is not an endpoint/);
  await harness.workspace.sql(
    'UPDATE sync_state SET lease_token = $2, heartbeat_at_ms = $3 WHERE organization_id = $1',
    [town.id, missingId, Date.now() + 600_000],
  );
  await refused(remove(town.id, server.body), 1, /is being fetched\. Stop that run first\./);
  await harness.workspace.sql('UPDATE sync_state SET heartbeat_at_ms = 1 WHERE organization_id = $1', [
    town.id,
  ]);

  await succeed(remove(town.id, server.body));
  assert.equal(await state(town), undefined);
  assert.deepEqual(await harness.listAll(town, '/submissions'), published);
  const left = await harness.workspace.sql('SELECT id FROM sync_object WHERE organization_id = $1', [
    town.id,
  ]);
  assert.deepEqual(left, []);
  const again = await sync(town, server.body);
  assert.equal(again.counts.requests, counts.requests);
  assert.equal(again.counts.inserted, 0);
});

test('--every and --rejected cannot be combined', async () => {
  const town = await harness.createMunicipality();
  const args = ['sync', 'oparl', 'https://ris.example', '--organization', town.id];
  await refused(
    harness.workspace.on(...args, '--every', '1h', '--rejected', 'x'),
    2,
    /--rejected is for a single run/,
  );
});

test('`sync list` shows an overdue run', async () => {
  const server = await newCouncil({ after });
  const town = await harness.createMunicipality();
  await sync(town, server.body);
  const setNextAtAndList = async (ms: number) => {
    await harness.workspace.sql('UPDATE sync_state SET next_at = $2 WHERE organization_id = $1', [
      town.id,
      new Date(Date.now() + ms).toISOString(),
    ]);
    return await succeed(harness.workspace.on('sync', 'list', '--organization', town.id));
  };
  assert.match(await setNextAtAndList(-3_600_000), /overdue since \d{4}-\d\d-\d\d \d\d:\d\d/);
  assert.doesNotMatch(await setNextAtAndList(3_600_000), /overdue/);
});
