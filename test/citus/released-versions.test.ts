/** A distributed database of each released version is upgraded, isolates its municipalities, and answers as that version did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { distribute } from '../../src/store/postgres/distribute-tables.ts';
import { openPostgres } from '../../src/store/postgres/postgres-engine.ts';
import { isolatedTables, sharedTables, tenantTables, wordTables } from '../../src/store/table-descriptors.ts';
import { storeDefaults } from '../support/database.ts';
import { workers } from '../support/postgres-database.ts';
import { dropPoliciesOfEarlierVersions } from '../support/postgres-setup.ts';
import { startServer } from '../support/server.ts';
import { assertSameAnswers } from '../upgrades/answers.ts';
import { createPostgresFixtures, listFixtures, readRecording } from '../upgrades/fixture.ts';

const cluster = process.env.ROSTRA_TEST_CLUSTER as string;
const fixtures = createPostgresFixtures(cluster);

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const run = (url: string, text: string) => withClient(url, async (client) => (await client.query(text)).rows);

/** Distributes a database that has rows, which `rostra migrate --citus` does not. */
async function distributeDatabase(name: string): Promise<void> {
  for (const worker of workers) {
    await run(`${worker}/postgres`, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    // The rows have fired their triggers in the version that wrote them.
    await run(`${worker}/postgres`, `ALTER DATABASE ${name} SET session_replication_role = replica`);
    await run(`${worker}/${name}`, 'CREATE EXTENSION citus');
  }
  await run(`${cluster}/${name}`, 'CREATE EXTENSION citus');
  await run(`${cluster}/${name}`, `SELECT citus_set_coordinator_host('127.0.0.1', ${new URL(cluster).port})`);
  for (const worker of workers)
    await run(`${cluster}/${name}`, `SELECT citus_add_node('127.0.0.1', ${new URL(worker).port})`);
  await using engine = openPostgres({ ...storeDefaults, url: `${cluster}/${name}` });
  // The migration of the index of words distributes its own tables.
  const released = tenantTables.filter((table) => !wordTables.some((name) => name === table));
  await engine.transaction(undefined, (transaction) => distribute(transaction, released));
  for (const worker of workers)
    await run(`${worker}/postgres`, `ALTER DATABASE ${name} RESET session_replication_role`);
}

async function assertIsolated(client: Client, organizationIds: readonly string[]): Promise<void> {
  const listOrganizations = async (table: string) => {
    const { rows } = await client.query(`SELECT DISTINCT organization_id AS id FROM ${table}`);
    return rows.map(({ id }) => id);
  };
  const isolated = [...tenantTables, ...isolatedTables];
  for (const table of isolated) assert.deepEqual(await listOrganizations(table), [], table);
  for (const id of organizationIds) {
    await client.query(`BEGIN; SET LOCAL citus.propagate_set_commands = 'local';
      SET LOCAL rostra.organization_id = '${id}'`);
    for (const table of [...isolated, ...Object.keys(sharedTables)])
      for (const found of await listOrganizations(table)) assert.equal(found, id, table);
    assert.deepEqual(await listOrganizations('change_history'), [id]);
    await client.query('ROLLBACK');
  }
}

for (const [version, folder] of listFixtures(fixtures))
  test(`a distributed database of ${version} is upgraded, isolates its municipalities, and gives the same answers`, async (t) => {
    const { access, answers } = readRecording(folder);
    const { ROSTRA_DATABASE: database, ...settings } = await fixtures.restore(t, folder);
    const name = new URL(database).pathname.slice(1);
    await distributeDatabase(name);
    const server = await startServer(t, database, settings);
    assert.ok((await assertSameAnswers(server.port, access, answers)) > 0);

    await run(`${cluster}/${name}`, dropPoliciesOfEarlierVersions);
    const organizations = await run(`${cluster}/${name}`, 'SELECT id FROM organization');
    assert.ok(organizations.length > 1);
    const ids = organizations.map(({ id }) => id);
    await withClient(database, (client) => assertIsolated(client, ids));
  });
