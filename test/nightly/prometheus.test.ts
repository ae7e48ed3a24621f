/** A real Prometheus reads the metrics of a real server, loads the alert rules and runs every query of the dashboard. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTemporaryFolder } from '../support/files.ts';
import { createFixture } from '../support/fixture.ts';
import { findFreePort } from '../support/free-port.ts';
import { dashboardQueries, monitoringFolder, rules } from '../support/monitoring-files.ts';
import { findMetricsPort } from '../support/scrape.ts';
import { skipWithout } from '../support/system-programs.ts';
import { waitUntil } from '../support/wait-until.ts';

test('the unit tests of the alert rules pass', {
  skip: skipWithout('promtool'),
}, () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rostra.rules.test.yml'], {
    cwd: monitoringFolder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});

test('Prometheus reads the metrics, and every query of the dashboard and the alerts is valid', {
  skip: skipWithout('prometheus'),
}, async (t) => {
  const fixture = await createFixture(t);
  await fixture.store.recordMaintenanceRun({
    kind: 'backup',
    startedAt: new Date().toISOString(),
    finishedAt: new Date().toISOString(),
    outcome: 'succeeded',
    detail: {},
  });
  const { secret: exhausted } = await fixture.issueKey(fixture.a, { requestLimit: 1 });
  const server = await fixture.startServerProcess({ ROSTRA_METRICS_PORT: '0', ROSTRA_WORKERS: '2' });
  const metricsPort = await findMetricsPort(server);
  const folder = createTemporaryFolder(t);
  const port = await findFreePort();
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ['${join(monitoringFolder, 'rostra.rules.yml')}']
scrape_configs:
  - job_name: rostra
    static_configs: [{ targets: ['127.0.0.1:${metricsPort}'] }]
`,
  );
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  t.after(async () => {
    const exited = once(prometheus, 'exit');
    prometheus.kill();
    await exited;
  });

  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    return (await response.json()) as { status: string; error?: string; data: { result: unknown[] } };
  };
  const query = async (text: string) => {
    const { status, error, data } = await read(`query?query=${encodeURIComponent(text)}`);
    assert.equal(status, 'success', `${text}: ${error}`);
    return data.result;
  };
  await waitUntil('several scrapes', async () => {
    await server.get('/submissions', { key: fixture.alice });
    await server.get('/me');
    await server.get('/nothing');
    await server.get('/me', { key: exhausted });
    return query('count_over_time(rostra_workers[1m]) > 5').then(
      (result) => result.length > 0,
      () => false,
    );
  });
  assert.equal((await query('up{job="rostra"} == 1')).length, 1);
  /** Without replicas, nodes, sources, crashes, failures and reloads, these have no data. */
  const isEmpty =
    /replica|citus|source_|crashes_total|failures_total|last_reload_timestamp|database_connections|waiting_statements|wait_duration|succeeded\{[^}]*\}\) > 0/;
  for (const text of dashboardQueries) {
    const found = await query(text);
    assert.ok(found.length > 0 || isEmpty.test(text), `no data: ${text}`);
  }
  for (const { expr } of rules) await query(expr);
  const { data } = (await read('rules')) as unknown as {
    data: { groups: { rules: { name: string; health: string; state: string }[] }[] };
  };
  const loaded = data.groups.flatMap((group) => group.rules);
  assert.equal(loaded.length, rules.length);
  assert.deepEqual(
    loaded.filter(({ health, state }) => health === 'err' || state === 'firing').map(({ name }) => name),
    [],
  );
});
