/** The migration of docs/add-a-field.md on distributed tables, while a server of the previous version reads them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { createChangeMirror, readPublishedObjects } from '../support/change-mirror.ts';
import { createTownCluster, databaseName, type Town } from '../support/citus-towns.ts';
import { runCliProcess } from '../support/cli-workspace.ts';
import { ownerRole, servingRole } from '../support/postgres-database.ts';
import { formatSubmissionId, surveys } from '../support/records.ts';
import { startServerProcess } from '../support/server-process.ts';

const { coordinator, database, towns } = await createTownCluster({ after });
const surveyIds = surveys.map(({ surveyId }) => surveyId);

test('a later migration adds a field on all nodes, and a change of this field alone is listed', async (t) => {
  const server = await startServerProcess(t, database);
  const migrated = await runCliProcess(['migrate', '--json'], {
    environment: {
      ROSTRA_DATABASE: database,
      ROSTRA_DATABASE_OWNER: coordinator.url(ownerRole, databaseName),
      NODE_OPTIONS: `--import ${new URL('../support/second-migration.ts', import.meta.url)}`,
    },
  });
  assert.equal(migrated.code, 0, migrated.stderr);
  const client = new Client(coordinator.url(servingRole, databaseName));
  await client.connect();
  t.after(() => client.end());
  for (const { id, key } of towns as Town[]) {
    const mirror = createChangeMirror(server, key);
    await mirror.poll();
    assert.deepEqual(mirror.objects, await readPublishedObjects(server, key, surveyIds));
    await client.query(`BEGIN; SET LOCAL citus.propagate_set_commands = 'local';
      SET LOCAL rostra.organization_id = '${id}'; SET LOCAL rostra.write_token = 'x'`);
    const change = "UPDATE submission SET district = 'Old Town' WHERE organization_id = $1 AND id = $2";
    assert.equal((await client.query(change, [id, formatSubmissionId(1)])).rowCount, 1);
    await client.query('COMMIT');
    assert.deepEqual(
      (await mirror.poll()).map((each) => each.id),
      [formatSubmissionId(1)],
    );
  }
});
