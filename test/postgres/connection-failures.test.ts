import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertUnavailable } from '../support/api-client.ts';
import { assertHealthy, fetchReadiness, reportRecovery, startLoad } from '../support/failure-load.ts';
import { assertTookAtMost, isNightly } from '../support/nightly.ts';
import { createOwnCluster } from '../support/own-cluster.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const cluster = await createOwnCluster({ after });
const { keys } = cluster;

const proxy = await startProxy({ after }, cluster.port);
// One process survives all faults.
const server = await startServerProcess({ after }, proxy.getUrl(cluster.database));

const faults: [string, (proxy: TcpProxy) => void, (proxy: TcpProxy) => void | Promise<void>][] = [
  [
    'connections are reset and new ones refused',
    (proxy) => {
      proxy.refuse();
      proxy.cut();
    },
    (proxy) => proxy.accept(),
  ],
  [
    'connections are reset and new ones never answered',
    (proxy) => {
      proxy.swallow();
      proxy.cut();
    },
    (proxy) => proxy.accept(),
  ],
  [
    'connections freeze and new ones are never answered',
    (proxy) => {
      proxy.swallow();
      proxy.freeze();
    },
    async (proxy) => {
      proxy.thaw();
      await proxy.accept();
    },
  ],
];

for (const [what, harm, heal] of faults) {
  test(`while ${what}, requests are 503 within a second; afterwards they are 200 again`, async (t) => {
    const load = startLoad(server, keys);
    await load.waitForResponses(32, 200);
    harm(proxy);
    await load.waitForResponses(16, 503);
    assert.equal((await fetchReadiness(server)).status, 503);
    await heal(proxy);
    const recoveredMs = await load.waitForRecovery();
    reportRecovery(t, await load.stop(), recoveredMs);
    await assertHealthy(server);
  });
}

const resets = isNightly ? 20 : 5;

test('repeated connection resets fail only the requests on these connections', async (t) => {
  const load = startLoad(server, keys, { clients: 16 });
  for (let time = 0; time < resets; time += 1) {
    await load.waitForResponses(20, 200);
    proxy.cut();
  }
  const recoveredMs = await load.waitForRecovery();
  reportRecovery(t, await load.stop(), recoveredMs);
  await assertHealthy(server);
});

test('after all idle connections are lost silently, a single client is answered soon', async (t) => {
  // Enough clients to open all ten connections of the process.
  const load = startLoad(server, keys, { clients: 32 });
  await load.waitForResponses(100, 200);
  await load.stop();
  // New connections work, as after the database's address has moved to another machine.
  proxy.freeze();
  const startMs = performance.now();
  for (let status = 503; status !== 200; ) {
    const response = await server.get('/me', { key: keys[0] as string });
    if (response.status !== 200) assertUnavailable(response);
    status = response.status;
  }
  const tookMs = performance.now() - startMs;
  t.diagnostic(`answered after ${Math.round(tookMs)} ms`);
  assertTookAtMost(5_000, tookMs);
  await assertHealthy(server);
});

test('a process stops on a signal although its database does not respond', async () => {
  const load = startLoad(server, keys);
  await load.waitForResponses(100, 200);
  await load.stop();
  proxy.freeze();
  proxy.swallow();
  const stopped = await Promise.race([server.stop(), setTimeout(60_000, 'not stopped', { ref: false })]);
  assert.equal(stopped, 0);
});
