import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { createFixtureWithServerProcess } from '../support/fixture.ts';
import {
  createLargeSubmissions,
  largeSessionRecord,
  readUntilBroken,
  startSlowRead,
} from '../support/large-session.ts';
import { composeRawRequest } from '../support/raw-socket.ts';

const { server, database, putRecords, a, alice, charlie } = await createFixtureWithServerProcess({ after });

test('a new client does not wait for many clients of another municipality that read large pages', async () => {
  await putRecords(a, createLargeSubmissions('before'));
  let answered = 0;
  const ask = async (key: string, limit: number) => {
    const socket = connect(server.port, '127.0.0.1');
    const target = `/api/v1/submissions?limit=${limit}`;
    socket.write(composeRawRequest(target, [`Authorization: Bearer ${key}`, 'Connection: close'], 'HEAD'));
    await once(socket.resume(), 'end');
    answered += 1;
  };
  const others = Array.from({ length: 40 }, (_, n) => ask(alice, 100 - n));
  await ask(charlie, 1);
  assert.ok(answered < 20, `${answered} others were answered first`);
  await Promise.all(others);
});

test('a large response is aborted when the database file is removed meanwhile', async () => {
  await putRecords(a, [largeSessionRecord]);
  const reading = await startSlowRead(server.port, alice);
  renameSync(database, `${database}-away`);
  await server.waitForLine(/was removed/);
  await readUntilBroken(reading);
  assert.equal((await server.get('/health')).status, 200);
});
