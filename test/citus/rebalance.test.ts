import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertUnavailable } from '../support/api-client.ts';
import { createChangeMirror, readPublishedObjects } from '../support/change-mirror.ts';
import { addNode, createNode } from '../support/citus-cluster.ts';
import { createTownCluster, databaseName, findPort, type Town } from '../support/citus-towns.ts';
import { findBinaries } from '../support/postgres-cluster.ts';
import { createSubmission, formatSubmissionId, surveys } from '../support/records.ts';
import { startServerProcess } from '../support/server-process.ts';

const cluster = await createTownCluster({ after });
const { coordinator, towns, store, database } = cluster;
const server = await startServerProcess({ after }, database);

const surveyIds = surveys.map(({ surveyId }) => surveyId);
const writtenId = formatSubmissionId(900);

test('shards move to a third worker while clients read and imports write', async (t) => {
  const added = await createNode((await findBinaries()).folder);
  t.after(added.remove);
  await added.sql('postgres', `CREATE DATABASE ${databaseName}`);
  await added.sql(databaseName, 'CREATE EXTENSION citus');
  await addNode(coordinator, databaseName, added.port);

  const counts = { responses: 0, unavailable: 0, writes: 0 };
  let isMoving = true;
  /** @returns undefined while the municipality is unavailable */
  async function get(path: string, key: string) {
    const response = await server.get(path, { key });
    counts.responses += 1;
    if (response.status !== 503) {
      assert.equal(response.status, 200, response.text);
      return response.json.data;
    }
    assertUnavailable(response);
    counts.unavailable += 1;
    return undefined;
  }

  /** A committed write is visible to the next request, at every moment of the move. */
  async function writeAndRead({ id, key }: Town): Promise<void> {
    for (let supportCount = 1; isMoving; supportCount += 1) {
      const record = createSubmission(900, { supportCount });
      await store.write(id, (writer) => writer.put([{ kind: 'submission', ...record }]));
      counts.writes += 1;
      const data = await get(`/submissions/${writtenId}`, key);
      if (data !== undefined) assert.equal(data.supportCount, supportCount);
    }
  }

  /** Writes wait during a move, reads do not. */
  async function readOnly({ key }: Town): Promise<void> {
    for (let limit = 1; isMoving; limit = (limit % 100) + 1)
      for (const path of ['submissions', 'sessions', 'support']) await get(`/${path}?limit=${limit}`, key);
  }

  const clients = [...towns.map(writeAndRead), ...towns.map(readOnly)];
  // Logical replication does not write into tables with row-level security.
  await coordinator
    .sql(databaseName, "SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')")
    .finally(() => {
      isMoving = false;
    });
  await Promise.all(clients);

  const ports = await Promise.all(towns.map(({ id }) => findPort(cluster, id)));
  assert.ok(ports.includes(added.port), 'no municipality moved');
  for (const { key } of towns) {
    const mirror = createChangeMirror(server, key);
    await mirror.poll();
    assert.deepEqual(mirror.objects, await readPublishedObjects(server, key, surveyIds));
  }
  t.diagnostic(
    `during the move: ${counts.writes} writes, ${counts.responses} responses, ${counts.unavailable} of them 503`,
  );
});
