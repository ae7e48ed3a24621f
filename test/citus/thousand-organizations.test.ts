import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createTownCluster, databaseName } from '../support/citus-towns.ts';
import { runCli } from '../support/cli-workspace.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { recordsOfA } from '../support/records.ts';

const count = 1_000;

/** Much more than one wait for a hanging worker, and less than one wait for each of ten batches. */
const maxListMs = 40_000;

/** Rows of a municipality in every table of a node, shards included. */
const composeCount = (id: string) => `SELECT coalesce(sum((xpath('/row/count/text()', query_to_xml(
    format('SELECT count(*) FROM %I WHERE organization_id = %L', table_name, '${id}'), false, true, '')))[1]::text::int), 0)::int
    AS rows
  FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organization_id'
    AND table_name <> 'audit_event'`;

test('a thousand municipalities are listed with their counts, also while a worker hangs, and a removed one leaves no row on any node', async (t) => {
  const { store, coordinator, workers, towns, database } = await createTownCluster(t);
  while (towns.length < count) {
    const { id } = await store.addOrganization(`Town ${towns.length}`, randomUUID());
    towns.push({ id, key: '', port: 0 });
  }
  const filled = towns.filter((_, index) => index % 50 === 0);
  for (const { id } of filled) await store.write(id, (writer) => writer.put(recordsOfA));
  const listed = await store.listOrganizations();
  assert.equal(listed.length, count);
  const counts = new Map(listed.map(({ id, submissions }) => [id, submissions]));
  assert.ok(filled.every(({ id }) => (counts.get(id) ?? 0) > 0));
  assert.equal((await store.listOverviews()).length, count);

  const heal = await (workers[0] as Cluster).suspend();
  const startMs = performance.now();
  const environment = { ROSTRA_DATABASE: database };
  const { stdout } = await runCli(['organization', 'list', '--json'], { environment }).finally(heal);
  assert.ok(performance.now() - startMs < maxListMs);
  const uncounted = JSON.parse(stdout).filter((row: { submissions: unknown }) => row.submissions === null);
  assert.ok(uncounted.length > 0 && uncounted.length < count);

  const nodes = [coordinator, ...workers];
  for (const { sql } of nodes)
    await sql('postgres', `ALTER DATABASE ${databaseName} SET citus.show_shards_for_app_name_prefixes = '*'`);
  const countEverywhere = async (id: string) => {
    const counted = await Promise.all(
      nodes.map(({ sql }) => sql<{ rows: number }>(databaseName, composeCount(id))),
    );
    return counted.flat().reduce((sum, { rows }) => sum + rows, 0);
  };
  for (const { id } of filled.slice(0, 3)) {
    assert.ok((await countEverywhere(id)) > 0);
    await store.removeOrganization(id);
    assert.equal(await countEverywhere(id), 0);
  }
});
