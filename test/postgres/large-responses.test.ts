import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createLargeSubmissions,
  largeSessionPath,
  largeSessionRecord,
  readUntilBroken,
  startSlowRead,
} from '../support/large-session.ts';
import { waitUntil } from '../support/wait-until.ts';

const { server, sql, putRecords, a, alice } = await createFixtureWithServer({ after });

test('a large response is aborted when its database connection breaks, and the next one is complete', async () => {
  await putRecords(a, createLargeSubmissions('before'));
  await putRecords(a, [largeSessionRecord]);
  const reading = await startSlowRead(server.port, alice);
  await waitUntil('the end of the reading transaction', async () => {
    const ended = await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    return ended.length === 1;
  });
  await readUntilBroken(reading);
  assert.equal((await server.get(largeSessionPath, { key: alice, absolute: true })).status, 200);
});
