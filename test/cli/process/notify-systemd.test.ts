/** A service with `Type=notify`. `test/nightly/` starts it with systemd itself. */

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createCliWorkspace, createMunicipality, runCli } from '../../support/cli-workspace.ts';
import { findMetricsPort, scrape } from '../../support/scrape.ts';
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
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$*" >>'${messages}'\n`);
  chmodSync(join(folder, 'systemd-notify'), 0o755);
  return {
    environment: { NOTIFY_SOCKET: '/run/systemd/notify', PATH: `${folder}${delimiter}${process.env.PATH}` },
    readMessages: () => readFileSync(messages, 'utf8').trim().split('\n'),
  };
}

const serving = 'READY=1 STATUS=Serving';
const reloading = 'RELOADING=1 STATUS=Rolling restart in progress';
const stopping = 'STOPPING=1 STATUS=Finishing open requests';

suite('systemd', { concurrency: 3 }, () => {
  test('receives a message when the service listens and when it stops', async (t) => {
    const { environment, readMessages } = createNotifyProgram('single');
    const server = await startServerProcess(t, workspace.database, environment);
    await waitUntil('the message', () => readMessages()[0] === serving);
    assert.equal(await server.stop(), 0);
    assert.deepEqual(readMessages(), [serving, stopping]);
  });

  test('receives messages about a rolling restart from the supervisor alone', async (t) => {
    const { environment, readMessages } = createNotifyProgram('workers');
    const server = await startServerProcess(t, workspace.database, { ...environment, ROSTRA_WORKERS: '2' });
    await waitUntil('the message', () => readMessages()[0] === serving);
    process.kill(server.pid, 'SIGHUP');
    await waitUntil('the end of the rolling restart', () => readMessages().length === 3);
    assert.equal(await server.stop(), 0);
    assert.deepEqual(readMessages(), [serving, reloading, serving, stopping]);
  });

  test('receives the failure of a reload as the status, until another one succeeds; a metric has its time', async (t) => {
    const { environment, readMessages } = createNotifyProgram('failed-reload');
    const secretFile = workspace.writeFile('secret', 'geheim');
    const server = await startServerProcess(t, workspace.database, {
      ...environment,
      ROSTRA_WORKERS: '2',
      ROSTRA_METRICS_PORT: '0',
      ROSTRA_OIDC_CLIENT_SECRET_FILE: secretFile,
    });
    const metricsPort = await findMetricsPort(server);
    const reload = () =>
      runCli(['serve', '--workers', '2', '--reload', String(server.pid)], { folder: workspace.folder });
    const readReloadTime = async () =>
      (await scrape(metricsPort)).get('rostra_last_reload_timestamp_seconds');
    await waitUntil('the message', () => readMessages()[0] === serving);
    assert.equal(await readReloadTime(), 0);
    writeFileSync(secretFile, 'geheim nis');
    const beforeMs = Date.now();
    assert.equal((await reload()).code, 1);
    const failedAt = await readReloadTime();
    assert.ok(failedAt >= beforeMs / 1_000 && failedAt <= Date.now() / 1_000);
    writeFileSync(secretFile, 'geheim');
    assert.equal((await reload()).code, 0);
    assert.ok((await readReloadTime()) > failedAt);
    assert.deepEqual(readMessages(), [
      serving,
      reloading,
      'READY=1 STATUS=The last reload failed: a new worker did not start, and the log has the reason',
      reloading,
      serving,
    ]);
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
