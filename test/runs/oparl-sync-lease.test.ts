/** A run of an OParl endpoint that missed its heartbeats, so that another run took over its lease. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startCli } from '../support/cli-workspace.ts';
import {
  createServedPaper,
  createSyncCommands,
  endpointEnvironment,
  startCouncilServer,
} from '../support/council-server.ts';
import { whileRunIsExpired } from '../support/expired-run.ts';
import { createImportHarness } from '../support/import-harness.ts';
import type { OparlServer } from '../support/oparl-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const harness = await createImportHarness({ after });
const { addEndpoint, composeRun, sync, readSyncState } = createSyncCommands(harness);

const hasPaperRequest = (server: OparlServer) =>
  waitUntil('it asks for papers', () => server.requests.some(({ path }) => path === '/lists/paper'));

test('a run that lost its lease writes none of the fetched objects', async (t) => {
  const server = await startCouncilServer(t);
  const old = JSON.stringify({ data: [createServedPaper(server.origin, 1, { name: 'alt' })] });
  const overtaken = Promise.withResolvers<void>();
  server.findFault = (path, time) =>
    path === '/lists/paper' && time === 1 ? { waitFor: overtaken.promise, body: old } : undefined;
  const town = await harness.createMunicipality();
  await addEndpoint(town, server.bodyUrl);
  const running = startCli(composeRun(town, server.bodyUrl), { environment: endpointEnvironment });
  await hasPaperRequest(server);
  const { code: codeOfOther } = await whileRunIsExpired(harness.workspace, town.id, () =>
    sync(town, server.bodyUrl),
  );
  assert.equal(codeOfOther, 0);
  const known = await readSyncState(town);
  overtaken.resolve();
  const { code, stderr } = await running.result;
  assert.equal(code, 1);
  assert.match(stderr, /This run lost its lease.* Nothing was imported/);
  const descriptions = (await harness.listAll(town, '/submissions')).map(({ description }) => description);
  assert.deepEqual(descriptions.sort(), ['Antrag 1', 'Antrag 2', 'Antrag 3']);
  const mirrored = await harness.workspace.sql<{ object: string }>(
    'SELECT object FROM endpoint_object WHERE organization_id = $1',
    [town.id],
  );
  assert.ok(mirrored.every(({ object }) => JSON.parse(object).name !== 'alt'));
  assert.deepEqual(await readSyncState(town), known, 'the state of the other run is unchanged');
});

test('a run that lost its lease stops its requests at its next heartbeat', async (t) => {
  const server = await startCouncilServer(t);
  server.findFault = (path) =>
    path === '/lists/paper' ? { waitFor: new Promise(() => undefined) } : undefined;
  const town = await harness.createMunicipality();
  const preload = new URL('../support/fast-heartbeat.ts', import.meta.url).href;
  await addEndpoint(town, server.bodyUrl);
  const running = startCli(composeRun(town, server.bodyUrl), {
    environment: {
      ...endpointEnvironment,
      NODE_OPTIONS: `--import ${preload}`,
      ROSTRA_DOWNLOAD_TIMEOUT: '5',
    },
  });
  await hasPaperRequest(server);
  await harness.workspace.sql(
    'UPDATE import_run SET lease_token = organization_id WHERE organization_id = $1',
    [town.id],
  );
  const { code, stderr } = await running.result;
  assert.equal(code, 1);
  // Otherwise the run would fail with a connection error.
  assert.match(stderr, /This run lost its lease.* Nothing was imported/);
});
