/** Imports in processes of their own: several servers, restarts, crashes, lost leases. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ImportJob } from '../../src/domain/import-job.ts';
import { startCli } from '../support/cli-workspace.ts';
import { composeTable, createJobBench, definition, type JobBench, lisa } from '../support/job-bench.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const pollMs = 10;

/** Takes long enough in each step to be interrupted. */
const rows = 10_000;
const largeTable = composeTable(rows);

/** Resolves while the step runs. */
const waitForStep = ({ find }: JobBench, job: ImportJob, step: ImportJob['step']) =>
  waitUntil(
    `a running ${step}`,
    async () => {
      const { step: current, state } = await find(job);
      return current === step && state === 'running';
    },
    pollMs,
  );

const listProcesses = ({ lines }: ServerProcess): number[] =>
  lines.flatMap((line) => {
    const [, pid] = /"pid":(\d+).*process for imports started/.exec(line) ?? [];
    return pid === undefined ? [] : [Number(pid)];
  });

function killProcesses(server: ServerProcess): void {
  for (const pid of listProcesses(server)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

test('two servers run the steps of several municipalities once, one at a time for each municipality', async (t) => {
  const { fixture, upload, settle, environment } = await createJobBench(t);
  const { store, a, b } = fixture;
  const jobs = [
    await upload(composeTable(50), a, definition),
    await upload(composeTable(50), a, definition),
    await upload(composeTable(50), b, definition),
  ];
  await Promise.all([
    fixture.startServerProcess({ ...environment, ROSTRA_WORKERS: '2' }),
    fixture.startServerProcess(environment),
  ]);
  for (const job of jobs) await settle(job, 'dry_run');
  for (const job of jobs) assert.equal(await store.queueImportStep(job, 'import', undefined, lisa), true);
  for (const job of jobs) assert.equal((await settle(job, 'import')).state, 'done');
  const runs = await store.listImportRuns(a, undefined, 10);
  assert.deepEqual(runs.map(({ inserted, unchanged }) => [inserted, unchanged]).sort(), [
    [0, 50],
    [50, 0],
  ]);
  assert.equal((await store.listImportRuns(b, undefined, 10)).length, 1);
});

test('a step continues after its process was killed, and fails after three crashes', async (t) => {
  const bench = await createJobBench(t);
  const { fixture, upload, settle, environment } = bench;
  const { sql } = fixture;
  const server = await fixture.startServerProcess({ ...environment, ROSTRA_LOG_LEVEL: 'debug' });
  const job = await upload(largeTable, undefined, definition);
  await waitForStep(bench, job, 'detection');
  killProcesses(server);
  await server.waitForLine(/process for imports crashed/);
  const expire = (crashes: number) =>
    sql("UPDATE import_job SET heartbeat_at_ms = 0, crashes = $1 WHERE state = 'running'", [crashes]);
  await expire(0);
  assert.equal((await settle(job, 'dry_run')).state, 'done');

  const crashing = await upload(largeTable, undefined, definition);
  await waitForStep(bench, crashing, 'detection');
  killProcesses(server);
  await expire(2);
  const { state, failure } = await settle(crashing, 'detection');
  assert.equal(state, 'failed');
  assert.match(failure ?? '', /crashed 3 times/);
  assert.equal((await server.get('/health')).status, 200);
});

test('a stopped or killed server queues its running step again, and another server completes it', async (t) => {
  const bench = await createJobBench(t);
  const { fixture, upload, settle, find, environment } = bench;
  const { store } = fixture;
  let server = await fixture.startServerProcess(environment);
  const job = await upload(largeTable, undefined, definition);
  const restart = async (step: ImportJob['step'], end: 'stop' | 'kill') => {
    await server[end]();
    await waitUntil('the step in the queue', async () => (await find(job)).state === 'queued', pollMs);
    assert.equal((await find(job)).step, step);
    server = await fixture.startServerProcess(environment);
  };
  await waitForStep(bench, job, 'detection');
  await restart('detection', 'stop');
  await waitForStep(bench, job, 'dry_run');
  await restart('dry_run', 'kill');
  assert.equal((await settle(job, 'dry_run')).dryRun?.counts.inserted, rows);

  assert.equal(await store.queueImportStep(job, 'import', undefined, lisa), true);
  await waitUntil('some records', async () => ((await find(job)).progress?.read ?? 0) > 0, pollMs);
  await restart('import', 'stop');
  const { state, failure } = await settle(job, 'import');
  assert.equal(state, 'done', failure ?? '');
  const runs = await store.listImportRuns(fixture.a, undefined, 3);
  assert.deepEqual(
    runs.map((run) => run.state),
    ['done', 'interrupted'],
  );
  assert.equal((runs[0]?.inserted ?? 0) + (runs[0]?.unchanged ?? 0), rows);
});

test('a rolling restart does not interrupt an import', async (t) => {
  const bench = await createJobBench(t);
  const { fixture, upload, settle, find, run, environment } = bench;
  const { store, a } = fixture;
  const job = await upload(composeTable(5), undefined, definition);
  await run();
  // The import waits for another one until the restart has finished.
  const lease = (await store.acquireImportLease(a, '')) as { organizationId: string; leaseToken: string };
  const server = await fixture.startServerProcess({
    ...environment,
    ROSTRA_WORKERS: '2',
    ROSTRA_LOG_LEVEL: 'debug',
    ROSTRA_KEEP_ALIVE_TIMEOUT: '1',
  });
  await store.queueImportStep(job, 'import', undefined, lisa);
  await waitForStep(bench, job, 'import');
  process.kill(server.pid, 'SIGHUP');
  await server.waitForLine(/rolling restart finished/);
  assert.equal((await find(job)).state, 'running');
  await store.releaseImportLease(lease);
  assert.equal((await settle(job, 'import')).state, 'done');
  assert.equal(listProcesses(server).length, 1, 'the process of the import was not replaced');

  const next = await upload(composeTable(6), undefined, definition);
  assert.equal((await settle(next, 'dry_run')).dryRun?.counts.inserted, 1, 'new workers find waiting steps');
});

test('an import that loses the lease of its municipality waits for the other import, and continues', async (t) => {
  const bench = await createJobBench(t);
  const { fixture, upload, find, run, environment } = bench;
  const { store, sql, a, database } = fixture;
  const job = await upload(largeTable, undefined, definition);
  await run();
  await store.queueImportStep(job, 'import', undefined, lisa);
  const started = startCli(['jobs', 'run', '--database', database], { environment });
  await waitUntil('a run', async () => (await find(job)).runId !== null, pollMs);
  // Its process was suspended for a minute, for example.
  const leaseToken = randomUUID();
  await sql('UPDATE import_lease SET lease_token = $1', [leaseToken]);
  const readStates = async () => (await store.listImportRuns(a, undefined, 5)).map(({ state }) => state);
  await waitUntil('the end of the run', async () => (await readStates())[0] === 'interrupted', pollMs);
  assert.equal((await find(job)).state, 'running');
  await store.releaseImportLease({ organizationId: a, leaseToken });
  const { code, stderr } = await started.result;
  assert.equal(code, 0, stderr);
  const { state, failure } = await find(job);
  assert.deepEqual([state, failure], ['done', null]);
  assert.deepEqual(await readStates(), ['done', 'interrupted']);
});

test('a cancelled import stops, and its file and reports are deleted', async (t) => {
  const bench = await createJobBench(t);
  const { fixture, upload, find, environment, folder } = bench;
  await fixture.startServerProcess(environment);
  const job = await upload(largeTable, undefined, definition);
  await waitForStep(bench, job, 'dry_run');
  assert.equal(await fixture.store.cancelImportJob(job, lisa), true);
  assert.equal(await fixture.store.cancelImportJob(job, lisa), false);
  await waitUntil('the deletion of the file', () => readdirSync(folder).length === 0);
  const { state, detection, dryRun } = await find(job);
  assert.deepEqual([state, detection, dryRun], ['cancelled', null, null]);
});

test('a server removes partial files of an earlier process when it starts', async (t) => {
  const { fixture, upload, folder, environment } = await createJobBench(t);
  const job = await upload(composeTable(3));
  const partial = join(folder, `partial_${encodeURIComponent(hostname())}_4194305_${randomUUID()}`);
  mkdirSync(partial);
  writeFileSync(join(partial, 'Export.csv'), 'a,b');
  await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: environment.ROSTRA_UPLOAD_FOLDER as string });
  await waitUntil('the removal', () => !existsSync(partial));
  assert.ok(readdirSync(folder).some((name) => name.endsWith(job.id)));
});

test('the process of an import has no secrets of other services in its environment', {
  skip: process.platform !== 'linux' && 'only Linux shows the environment of a process',
}, async (t) => {
  const bench = await createJobBench(t);
  const { fixture, upload, settle, environment } = bench;
  const secret = `secret-${randomUUID()}`;
  const server = await fixture.startServerProcess({
    ...environment,
    ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
    ROSTRA_SMTP_URL: `smtp://rostra:${secret}@127.0.0.1:9`,
    ROSTRA_MAIL_FROM: 'rostra@stadt.example',
    ROSTRA_OIDC_CLIENT_SECRET: secret,
    CLOUD_TOKEN: secret,
    ROSTRA_LOG_LEVEL: 'debug',
    ROSTRA_MAX_UPLOAD: '7',
  });
  const job = await upload(largeTable, undefined, definition);
  await waitForStep(bench, job, 'detection');
  const [pid] = listProcesses(server);
  const passed = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  assert.ok(passed.includes('ROSTRA_MAX_UPLOAD=7'));
  assert.deepEqual(
    passed.filter((variable) => variable.includes(secret)),
    [],
  );
  assert.equal((await settle(job, 'dry_run')).state, 'done');
});
