/** Concurrent requests of one key share a statement, which stores how many of them it has granted. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createFixtureWithServer } from '../support/fixture.ts';

const { server, a, issueKey, sql } = await createFixtureWithServer({ after });

/** Requests of the last statement. */
async function readGranted(keyId: string): Promise<number> {
  const rows = await sql<{ granted: number }>('SELECT granted FROM rate_window WHERE key_id = $1', [keyId]);
  return Number(rows[0]?.granted);
}

test('requests that arrive together share a statement', async () => {
  const { secret: key, id } = await issueKey(a);
  const granted: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(Array.from({ length: 3 }, () => server.get('/me', { key })));
    granted.push(await readGranted(id));
  }
  // In the first round, connections may open one after another.
  assert.ok(granted.slice(1).includes(3), granted.join(', '));
});

test('requests that arrive during a statement of their key share the next one', async () => {
  const { secret: key, id } = await issueKey(a);
  await server.get('/me', { key });
  await sql('BEGIN');
  await sql('UPDATE rate_window SET used = used WHERE key_id = $1', [id]);
  const requests = [];
  for (let request = 0; request < 5; request += 1) {
    requests.push(server.get('/me', { key }));
    await setTimeout(30);
  }
  await sql('COMMIT');
  for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
  const granted = await readGranted(id);
  assert.ok(granted > 1, String(granted));
});
