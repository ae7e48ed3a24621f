/** Row-level security holds on the workers. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { tenantTables } from '../../src/store/table-descriptors.ts';
import { createTownCluster, databaseName, type Town } from '../support/citus-towns.ts';
import type { Scope } from '../support/files.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { servingRole } from '../support/postgres-database.ts';

const { coordinator, workers, towns } = await createTownCluster({ after });

async function connect(scope: Scope, cluster: Cluster): Promise<Client> {
  const client = new Client(cluster.url(servingRole, databaseName));
  await client.connect();
  scope.after(() => client.end());
  return client;
}

test('without a municipality, the serving role sees no rows, neither on the coordinator nor in a shard', async (t) => {
  const onCoordinator = await connect(t, coordinator);
  for (const name of tenantTables) {
    const { rows } = await onCoordinator.query(`SELECT count(*)::int AS count FROM ${name}`);
    assert.deepEqual(rows, [{ count: 0 }], name);
  }
  const shards = await coordinator.sql<{ name: string; port: number }>(
    databaseName,
    'SELECT shard_name AS name, nodeport AS port FROM citus_shards',
  );
  for (const worker of workers) {
    const client = await connect(t, worker);
    for (const { name } of shards.filter(({ port }) => port === worker.port)) {
      const { rows } = await client.query(`SELECT count(*)::int AS count FROM ${name}`);
      assert.deepEqual(rows, [{ count: 0 }], name);
    }
  }
});

test('with a municipality, the serving role sees only its rows, and writes no others', async (t) => {
  const [town, other] = towns as [Town, Town];
  for (const { id } of [town, other])
    await coordinator.sql(
      databaseName,
      `INSERT INTO word_pending (organization_id, kind, id) VALUES ('${id}', 'session', '')`,
    );
  const client = await connect(t, coordinator);
  await client.query(`BEGIN; SET LOCAL citus.propagate_set_commands = 'local';
    SET LOCAL rostra.organization_id = '${town.id}'; SET LOCAL rostra.write_token = 'x'`);
  for (const name of tenantTables) {
    const { rows } = await client.query(`SELECT DISTINCT organization_id AS id FROM ${name}`);
    assert.deepEqual(rows, [{ id: town.id }], name);
    const { rowCount } = await client.query(`DELETE FROM ${name} WHERE organization_id = $1`, [other.id]);
    assert.equal(rowCount, 0, name);
  }
  const foreign = client.query(
    "INSERT INTO survey (organization_id, id, title, status, total_responses) VALUES ($1, $2, 'x', 'closed', 0)",
    [other.id, town.id],
  );
  await assert.rejects(foreign, /violates row-level security policy/);
});

test('a write without a write token is rejected', async (t) => {
  const [town] = towns as [Town];
  const client = await connect(t, coordinator);
  await client.query(`BEGIN; SET LOCAL citus.propagate_set_commands = 'local';
    SET LOCAL rostra.organization_id = '${town.id}'`);
  const write = client.query('UPDATE submission SET support_count = 9 WHERE organization_id = $1', [town.id]);
  await assert.rejects(write, /only Rostra can write published data/);
});
