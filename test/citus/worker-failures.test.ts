import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertUnavailable } from '../support/api-client.ts';
import { createTownCluster, databaseName, type Town } from '../support/citus-towns.ts';
import { assertFails, runCli } from '../support/cli-workspace.ts';
import { fetchReadiness } from '../support/failure-load.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { ownerRole, servingRole } from '../support/postgres-database.ts';
import { createSubmission } from '../support/records.ts';
import { findMetricsPort, scrape } from '../support/scrape.ts';
import { startServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const { coordinator, workers, towns, store, database } = await createTownCluster({ after });
const server = await startServerProcess({ after }, database);
const [stopped, other] = workers as [Cluster, Cluster];
const nameOf = ({ port }: Cluster) => `127.0.0.1:${port}`;
const ofNode = ({ port }: Cluster) => towns.filter((town) => town.port === port);

let requests = 0;
/** Each has another URL, so that no response is from the cache. */
const read = ({ key }: Town) => server.get(`/submissions?topic=${requests++}`, { key });

async function assertServed(): Promise<void> {
  for (const town of towns) assert.equal((await read(town)).status, 200);
}

for (const how of ['fast', 'immediate'] as const) {
  test(`while a worker is down (${how}), its municipalities are unavailable and all others are served`, async () => {
    await assertServed();
    await stopped.stop(how);
    for (let round = 0; round < 10; round += 1) {
      for (const town of ofNode(stopped)) assertUnavailable(await read(town));
      for (const town of ofNode(other)) assert.equal((await read(town)).status, 200);
    }
    // The instance still serves others.
    assert.equal((await fetchReadiness(server)).status, 200);
    await stopped.start();
    await assertServed();
  });
}

/** Two municipalities have few connections for many clients. */
const clientCount = 100;

for (const [what, harm] of [
  [
    'is down',
    async () => {
      await stopped.stop('immediate');
      return () => stopped.start();
    },
  ],
  ['hangs', () => stopped.suspend()],
] as const) {
  test(`while a worker ${what}, the log names it, and requests of many clients for its municipalities do not delay others`, async (t) => {
    await assertServed();
    const { length: logged } = server.lines;
    const isLogged = (sentence: string) =>
      server.lines
        .slice(logged)
        .some((line) => line.includes(`The node ${nameOf(stopped)} of Citus ${sentence}`));
    const heal = await harm();
    let unavailable = 0;
    let served = 0;
    let isStopped = false;
    const run = async (town: Town) => {
      while (!isStopped) {
        assertUnavailable(await read(town));
        unavailable += 1;
      }
    };
    const dead = ofNode(stopped);
    const clients = Promise.all(
      Array.from({ length: clientCount }, (_, index) => run(dead[index % dead.length] as Town)),
    );
    try {
      while (unavailable < 4 * clientCount) {
        for (const town of ofNode(other)) assert.equal((await read(town)).status, 200);
        served += ofNode(other).length;
      }
      assert.equal((await fetchReadiness(server)).status, 200);
      await waitUntil('the name of the worker in the log', () => isLogged('does not answer'));
      assert.ok(!isLogged('answers again'));
    } finally {
      isStopped = true;
      await clients;
      await heal();
    }
    await waitUntil('the worker', async () => (await read(dead[0] as Town)).status === 200);
    await waitUntil('the return of the worker in the log', () => isLogged('answers again'));
    await assertServed();
    t.diagnostic(`${served} responses were 200, ${unavailable} were 503`);
  });
}

test('errors of a worker do not close connections to the coordinator', async () => {
  const listBackends = async () => {
    const query = "SELECT pid FROM pg_stat_activity WHERE usename = 'rostra' ORDER BY state_change DESC";
    return (await coordinator.sql<{ pid: number }>('postgres', query)).map(({ pid }) => pid);
  };
  await assertServed();
  // The next request uses it, too.
  const [lastUsed = assert.fail()] = await listBackends();
  await stopped.stop();
  for (const town of ofNode(stopped)) assertUnavailable(await read(town));
  const backends = await listBackends();
  await stopped.start();
  assert.ok(backends.includes(lastUsed));
});

test('while a worker is down, rostra doctor and the metrics name it, and the list of municipalities shows the others', async (t) => {
  const metered = await startServerProcess(t, database, { ROSTRA_METRICS_PORT: '0' });
  const port = await findMetricsPort(metered);
  const listHealth = async () => {
    for (const { key } of towns) await metered.get('/sessions', { key });
    const samples = (await scrape(port)).list('rostra_citus_node_healthy');
    return samples.map(({ labels, value }) => [labels.node, value]).toSorted();
  };
  const names = [stopped, other].map(nameOf);
  const environment = { ROSTRA_DATABASE: database };
  const listFindings = async () => {
    const { stdout } = await runCli(['doctor', '--json'], { environment });
    return JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check === 'nodes');
  };
  const listCounts = async () => {
    const { code, stdout } = await runCli(['organization', 'list', '--json'], { environment });
    assert.equal(code, 0);
    return new Map(
      JSON.parse(stdout).map((row: { id: string; sessions: unknown }) => [row.id, row.sessions]),
    );
  };
  assert.deepEqual(await listHealth(), names.map((name) => [name, 1]).toSorted());
  const counts = await listCounts();
  await stopped.stop();
  assert.deepEqual(await listHealth(), names.map((name, index) => [name, index]).toSorted());
  const found = (await listFindings()).map(({ status, message }: { status: string; message: string }) => [
    message.match(/127\.0\.0\.1:\d+/)?.[0],
    status,
  ]);
  assert.deepEqual(
    found.toSorted(),
    names.map((name, index) => [name, ['critical', 'ok'][index]]).toSorted(),
  );
  const left = await listCounts();
  await stopped.start();
  for (const town of towns)
    assert.equal(left.get(town.id), town.port === stopped.port ? null : counts.get(town.id));
  await waitUntil('the worker', async () => (await read(ofNode(stopped)[0] as Town)).status === 200);
});

test('while a worker hangs, commands wait for it for seconds, and name it', async (t) => {
  const environment = { ROSTRA_DATABASE: database };
  const [town] = ofNode(stopped) as [Town];
  const heal = await stopped.suspend();
  t.after(heal);
  const failure = `could not establish any connections to the node ${nameOf(stopped)} after 5000 ms`;
  const { code, stdout, stderr } = await runCli(['organization', 'list', '--json'], { environment });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /The records of \d+ municipalities cannot be counted/);
  assert.ok(stderr.includes(failure), stderr);
  for (const { id, port } of towns)
    assert.equal(
      JSON.parse(stdout).find((row: { id: string }) => row.id === id).sessions === null,
      port === stopped.port,
    );
  const input = `${JSON.stringify({ kind: 'submission', ...createSubmission(800) })}\n`;
  const importing = ['import', 'rostra', '-', '--organization', town.id];
  await assertFails(importing, 1, new RegExp(`${failure}\\. Nothing was imported`), { environment, input });
});

test('an import that writes when its worker begins to hang waits until the worker responds', async () => {
  const [town] = ofNode(stopped) as [Town];
  const [first, second] = [createSubmission(801), createSubmission(802)];
  await store.write(town.id, async (writer) => {
    await writer.put([{ kind: 'submission', ...first }]);
    const heal = await stopped.suspend();
    const writing = writer.put([{ kind: 'submission', ...second }]);
    try {
      assertUnavailable(await read(town));
    } finally {
      heal();
    }
    await writing;
  });
  await waitUntil('the worker', async () => (await read(town)).status === 200);
  for (const { id } of [first, second])
    assert.equal((await server.get(`/submissions/${id}`, { key: town.key })).status, 200);
});

test('without workers, rostra migrate --citus changes nothing, and names the missing step', async (t) => {
  const name = 'without_workers';
  await coordinator.sql('postgres', `CREATE DATABASE ${name} OWNER ${ownerRole}`);
  t.after(() => coordinator.sql('postgres', `DROP DATABASE ${name} WITH (FORCE)`));
  const environment = {
    ROSTRA_DATABASE: coordinator.url(servingRole, name),
    ROSTRA_DATABASE_OWNER: coordinator.url(ownerRole, name),
  };
  const listTables = () =>
    coordinator.sql(name, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");
  await assertFails(['migrate', '--citus'], 1, /does not have the extension Citus/, { environment });
  assert.deepEqual(await listTables(), []);
  await coordinator.sql(name, 'CREATE EXTENSION citus');
  const before = await listTables();
  await assertFails(['migrate', '--citus'], 1, /Citus has no workers\. .*citus_add_node/, { environment });
  assert.deepEqual(await listTables(), before);
});

test('the address of a worker is rejected with a sentence, and the worker gets no tables', async () => {
  const address = stopped.url('postgres', databaseName);
  const environment = {
    ROSTRA_DATABASE: stopped.url(servingRole, databaseName),
    ROSTRA_DATABASE_OWNER: address,
  };
  const sentence = /ROSTRA_DATABASE is a worker of Citus\..* addresses of the coordinator\./;
  await assertFails(['migrate', '--citus'], 1, sentence, { environment });
  const owner = { ROSTRA_DATABASE: database, ROSTRA_DATABASE_OWNER: address };
  await assertFails(['migrate', '--citus'], 1, /ROSTRA_DATABASE_OWNER is a worker of Citus/, {
    environment: owner,
  });
  const [table] = await stopped.sql(databaseName, "SELECT to_regclass('organization') AS name");
  assert.deepEqual(table, { name: null });
});

test('while all workers are down, the instance is not ready', async () => {
  for (const worker of workers) await worker.stop();
  assert.equal((await fetchReadiness(server)).status, 503);
  for (const town of towns) assertUnavailable(await read(town));
  for (const worker of workers) await worker.start();
  await waitUntil('readiness', async () => (await fetchReadiness(server)).status === 200);
  await assertServed();
});

test('an import into a municipality of a worker that is down fails, and can be repeated', async () => {
  const [town] = ofNode(stopped) as [Town];
  const record = createSubmission(700);
  const write = () => store.write(town.id, (writer) => writer.put([{ kind: 'submission', ...record }]));
  const path = `/submissions/${record.id}`;
  assert.equal((await server.get(path, { key: town.key })).status, 404);
  await stopped.stop();
  await assert.rejects(write(), /database failed/);
  await stopped.start();
  assert.equal((await server.get(path, { key: town.key })).status, 404);
  await write();
  assert.equal((await server.get(path, { key: town.key })).status, 200);
});
