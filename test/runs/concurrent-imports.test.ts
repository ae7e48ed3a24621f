/** Imports from the command line that begin while another import of the municipality runs. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSucceeds, type Municipality, runCli, startCli } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { holdLease } from '../support/recorded-runs.ts';
import { createSubmission } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const harness = await createImportHarness({ after });
const { workspace, store } = harness;

const environment = { NODE_OPTIONS: `--import ${new URL('../support/fast-imports.ts', import.meta.url)}` };

const composeRecords = (description: string) =>
  toNdjson([{ kind: 'submission', ...createSubmission(1, { description }) }]);

const composeImport = (town: Municipality, path: string, ...flags: string[]) =>
  workspace.withDatabase('import', 'rostra', path, '--organization', town.id, ...flags);

/** An import that has begun, and reads its records from the open standard input. */
async function startWaitingImport(town: Municipality) {
  const running = startCli(composeImport(town, '-'), { input: '' });
  const isHeld = async () => {
    const held = await workspace.sql('SELECT 1 FROM import_run WHERE organization_id = $1', [town.id]);
    return held.length > 0;
  };
  await waitUntil('an import', isHeld);
  return running;
}

/** Holds the lease of an import. @returns a function that ends it */
async function holdDistantLease(town: Municipality): Promise<() => Promise<void>> {
  const lease = await holdLease(store, town.id);
  const distant = new Date(Date.now() + 86_400_000).toISOString();
  await workspace.sql('UPDATE import_run SET heartbeat_at = $1 WHERE lease_token IS NOT NULL', [distant]);
  return () => store.releaseRun(lease);
}

const waiting = /Another import of .+ is running\. This one begins when it has ended/;

const readDescription = async (town: Municipality) =>
  (await harness.listAll(town, '/submissions'))[0]?.description;

test('imports of one source run one after the other, so an undo restores the state between them', async () => {
  const town = await harness.createMunicipality();
  const first = await startWaitingImport(town);
  const second = startCli(composeImport(town, workspace.writeFile('second', composeRecords('second'))), {
    environment,
  });
  await second.waitForOutput(waiting);
  assert.equal(await readDescription(town), undefined);
  first.child.stdin?.end(composeRecords('first'));
  assert.equal((await first.result).code, 0);
  assert.equal((await second.result).code, 0);
  assert.equal(await readDescription(town), 'second');
  const undo = ['source', 'undo', '--organization', town.id, '--yes'];
  await assertSucceeds(workspace.withDatabase(...undo));
  assert.equal(await readDescription(town), 'first');
});

test('an import that waits for another one can be interrupted, and reads nothing', async () => {
  const town = await harness.createMunicipality();
  const endFirst = await holdDistantLease(town);
  const second = startCli(composeImport(town, workspace.writeFile('third', composeRecords('third'))));
  await second.waitForOutput(waiting);
  second.child.kill('SIGINT');
  const { code, stderr } = await second.result;
  assert.equal(code, 130);
  assert.match(stderr, /Interrupted\. Nothing was imported/);
  await endFirst();
  assert.equal(await readDescription(town), undefined);
});

test('a dry run does not wait for another import', async () => {
  const town = await harness.createMunicipality();
  const endFirst = await holdDistantLease(town);
  const file = workspace.writeFile('dry', composeRecords('dry'));
  const { code, stderr } = await runCli(composeImport(town, file, '--dry-run'));
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, waiting);
  await endFirst();
});
