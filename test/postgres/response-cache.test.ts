/** Responses are cached by the data version of the primary, which replicas may not have reached. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../support/fixture.ts';
import { formatSubmissionId, missingId } from '../support/records.ts';
import type { Server } from '../support/server.ts';

const { a, alice, sql, startServer } = await createFixture({ after });
const path = `/submissions/${formatSubmissionId(1)}`;

/**
 * Changes data without its version, as if a replica had replayed it later.
 *
 * @param writeToken of a write that has not ended
 */
async function describeUnnoticed(description: string, writeToken: string | null): Promise<void> {
  const [{ version } = { version: '' }] = await sql<{ version: string }>(
    'SELECT data_version AS version FROM organization WHERE id = $1',
    [a],
  );
  await sql('UPDATE submission SET description = $1 WHERE organization_id = $2', [description, a]);
  await sql('UPDATE organization SET data_version = $1, write_token = $2 WHERE id = $3', [
    ...[version, writeToken, a],
  ]);
}

async function readDescription(server: Server): Promise<string> {
  const { json } = await server.get(path, { key: alice });
  return json.data.description;
}

async function readBeforeAndAfter(server: Server, writeToken: string | null = null): Promise<string[]> {
  await describeUnnoticed('before', writeToken);
  const responses = [await readDescription(server), await readDescription(server)];
  await describeUnnoticed('after', writeToken);
  return [...responses, await readDescription(server)];
}

test('the third response with the same data version comes from the cache', async () => {
  assert.deepEqual(await readBeforeAndAfter(await startServer()), ['before', 'before', 'before']);
});

test('with a replica, even an unreachable one, no response comes from the cache', async () => {
  const server = await startServer({ ROSTRA_DATABASE_REPLICAS: 'postgres://rostra@127.0.0.1:1/rostra' });
  assert.deepEqual(await readBeforeAndAfter(server), ['before', 'before', 'after']);
});

test('while a write has not ended, no response comes from the cache', async () => {
  assert.deepEqual(await readBeforeAndAfter(await startServer(), missingId), ['before', 'before', 'after']);
});
