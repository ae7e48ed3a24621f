/** A run of an OParl endpoint that loses its lease during the import. A trigger takes the lease at the right moment. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { createServedPaper, createSyncCommands, startCouncilServer } from '../support/council-server.ts';
import { createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const { sync } = createSyncCommands(harness);

test('a run that loses its lease during the import keeps only the first batch, and is listed as interrupted', async (t) => {
  // The trigger fires when the first batch of 5,000 records is written, before it is committed.
  const [papers, published] = [6_000, 5_000];
  const server = await startCouncilServer(t);
  server.pageSize = 20_000;
  server.lists = { paper: Array.from({ length: papers }, (_, n) => createServedPaper(server.origin, n)) };
  const town = await harness.createMunicipality();
  await harness.workspace.sql(`CREATE TRIGGER IF NOT EXISTS takes_the_lease AFTER UPDATE OF heartbeat_at ON import_run
      WHEN EXISTS (SELECT 1 FROM submission WHERE organization_id = NEW.organization_id)
      BEGIN UPDATE import_run SET lease_token = NULL WHERE organization_id = NEW.organization_id; END`);
  const { code, stderr } = await sync(town, server.bodyUrl);
  assert.equal(code, 1);
  assert.match(stderr, /This run lost its lease.* Records imported so far are kept/);
  assert.equal((await harness.listAll(town, '/submissions')).length, published);
  const printed = await assertSucceeds(
    harness.workspace.withDatabase('import', 'history', '--json', '--organization', town.id),
  );
  const [{ state, inserted }] = JSON.parse(printed);
  assert.deepEqual([state, inserted], ['interrupted', published]);
});
