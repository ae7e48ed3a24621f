import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { createFixture } from '../support/fixture.ts';
import { findMetricsPort, scrape } from '../support/scrape.ts';
import { createServerLog } from '../support/server-log.ts';
import { mainFile, nodeBinary } from '../support/server-process.ts';

const fixture = await createFixture({ after });

test('while counters cannot be written, requests and /ready are 503, no request passes uncounted, and a metric shows it', async () => {
  const { secret, id } = await fixture.issueKey(fixture.a);
  // Limits files to 100 blocks of 512 bytes, enough for some updates in the log of the counters.
  const command = 'ulimit -f 100; exec "$@"';
  const args = [
    nodeBinary,
    mainFile,
    'serve',
    '--port',
    '0',
    '--database',
    fixture.database,
    '--log-format',
    'json',
    '--metrics-port',
    '0',
  ];
  const server = spawn('sh', ['-c', command, 'sh', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const log = createServerLog();
  createInterface({ input: server.stderr }).on('line', log.add);
  const { address } = JSON.parse(await log.waitForLine(/"listening"/));
  const metricsPort = await findMetricsPort(log);
  const statuses: number[] = [];
  for (let sent = 0; sent < 400; sent += 1) {
    const response = await fetch(`${address}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
    statuses.push(response.status);
    if (response.status === 503) assert.ok(response.headers.get('retry-after'));
    await response.arrayBuffer();
  }
  const ready = await fetch(`${address}/ready`);
  const health = await fetch(`${address}/api/v1/health`);
  const full = await scrape(metricsPort);
  assert.deepEqual([full.get('rostra_database_writable'), full.get('rostra_database_up')], [0, 1]);
  server.kill('SIGTERM');
  await once(server, 'exit');
  const answered = statuses.filter((status) => status === 200).length;
  assert.deepEqual([...new Set(statuses)], [200, 503]);
  assert.deepEqual([ready.status, health.status], [503, 200]);
  assert.equal((await fixture.store.listKeys()).find((key) => key.id === id)?.usedInWindow, answered);
});
