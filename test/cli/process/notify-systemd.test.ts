/** A service with `Type=notify`. `test/nightly/` starts it with systemd itself. */

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createCliWorkspace, createMunicipality } from '../../support/cli-workspace.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const workspace = await createCliWorkspace({ after });
await createMunicipality(workspace, 'Musterstadt');

/** Replaces the program of systemd, which needs its socket. @returns the environment and a function that reads the messages */
function createNotifyProgram(name: string) {
  const folder = join(workspace.folder, name);
  const messages = join(folder, 'messages');
  mkdirSync(folder);
  writeFileSync(messages, '');
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$1" >>'${messages}'\n`);
  chmodSync(join(folder, 'systemd-notify'), 0o755);
  return {
    environment: { NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${folder}${delimiter}${process.env.PATH}` },
    readMessages: () => readFileSync(messages, 'utf8').trim().split('\n'),
  };
}

suite('systemd', { concurrency: 3 }, () => {
  test('receives a message when the service listens and when it stops', async (t) => {
    const { environment, readMessages } = createNotifyProgram('single');
    const server = await startServerProcess(t, workspace.database, environment);
    await waitUntil('the message', () => readMessages()[0] === 'READY=1');
    assert.equal(await server.stop(), 0);
    assert.deepEqual(readMessages(), ['READY=1', 'STOPPING=1']);
  });
  test('receives messages about a rolling restart from the supervisor alone', async (t) => {
    const { environment, readMessages } = createNotifyProgram('workers');
    const server = await startServerProcess(t, workspace.database, { ...environment, ROSTRA_WORKERS: '2' });
    await waitUntil('the message', () => readMessages()[0] === 'READY=1');
    process.kill(server.pid, 'SIGHUP');
    await waitUntil('the end of the rolling restart', () => readMessages().length === 3);
    assert.equal(await server.stop(), 0);
    assert.deepEqual(readMessages(), ['READY=1', 'RELOADING=1', 'READY=1', 'STOPPING=1']);
  });

  test('receives nothing if its program is missing; the service continues and logs that', async (t) => {
    const server = await startServerProcess(t, workspace.database, {
      NOTIFY_SOCKET: '/run/systemd/notify',
      PATH: workspace.folder,
    });
    await server.waitForLine(/systemd-notify failed/);
    assert.equal((await server.get('/health')).status, 200);
  });
});
