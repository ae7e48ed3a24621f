/** Imports in processes of their own: several servers, restarts, crashes, lost leases. */

import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { QueuedRun } from '../../src/domain/runs/run-queue.ts';
import { startCli } from '../support/cli-workspace.ts';
import { whileRunIsExpired } from '../support/expired-run.ts';
import { failureText } from '../support/failure-text.ts';
import { createScope } from '../support/files.ts';
import { takeOverLease } from '../support/recorded-runs.ts';
import { composeTable, createRunBench, definition, lisa, type RunBench } from '../support/run-bench.ts';
import { mainFile, type ServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const pollMs = 10;

const rows = 5;
const table = composeTable(rows);

/** Resolves while the step runs. */
const waitForStep = ({ find }: RunBench, run: QueuedRun, step: QueuedRun['step']) =>
  waitUntil(
    `a running ${step}`,
    async () => {
      const { step: current, state } = await find(run);
      return current === step && state === 'running';
    },
    pollMs,
  );

const waitForQueue = ({ find }: RunBench, run: QueuedRun) =>
  waitUntil('the step in the queue', async () => (await find(run)).state === 'queued', pollMs);

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
suite('two servers', { concurrency: 1 }, () => {
  const scope = createScope();
  after(() => scope.close());
  let bench: RunBench;
  let first: ServerProcess;
  let second: ServerProcess;
  /** Their dry run has ended. */
  let checkedRuns: QueuedRun[];
  let later: QueuedRun;

  before(async () => {
    bench = await createRunBench(scope);
    const { fixture, environment, upload, runQueue } = bench;
    const { a, b } = fixture;
    checkedRuns = [
      await upload(table, a, definition),
      await upload(table, a, definition),
      await upload(table, b, definition),
    ];
    later = await upload(composeTable(rows + 1), a, definition);
    await runQueue();
    [first, second] = await Promise.all([
      fixture.startServerProcess({
        ...environment,
        ROSTRA_WORKERS: '2',
        ROSTRA_LOG_LEVEL: 'debug',
        ROSTRA_KEEP_ALIVE_TIMEOUT: '1',
      }),
      fixture.startServerProcess(environment),
    ]);
  });

  test('run the steps of several municipalities once, one at a time for each municipality', async () => {
    const { fixture, settle } = bench;
    const { store, a, b } = fixture;
    for (const run of checkedRuns)
      assert.equal(await store.queueImportStep(run, 'import', undefined, lisa), true);
    for (const run of checkedRuns) assert.equal((await settle(run, 'import')).state, 'done');
    const runs = await store.listImportRuns(a, undefined, 10);
    assert.deepEqual(runs.map(({ inserted, unchanged }) => [inserted, unchanged]).sort(), [
      [0, rows],
      [rows, 0],
    ]);
    assert.equal((await store.listImportRuns(b, undefined, 10)).length, 1);
  });

  test('restart without interrupting an import', async () => {
    const { fixture, upload, settle, find } = bench;
    const { store } = fixture;
    const [server, run] = [first, later];
    await second.stop();
    const release = bench.hold('input');
    await store.queueImportStep(run, 'import', undefined, lisa);
    await waitForStep(bench, run, 'import');
    const started = listProcesses(server).length;
    process.kill(server.pid, 'SIGHUP');
    await server.waitForLine(/rolling restart finished/);
    assert.equal((await find(run)).state, 'running');
    release();
    assert.equal((await settle(run, 'import')).state, 'done');
    assert.equal(listProcesses(server).length, started, 'the process of the import was not replaced');

    const next = await upload(composeTable(rows + 2), undefined, definition);
    assert.equal(
      (await settle(next, 'dry_run')).dryRun?.counts.inserted,
      1,
      'new workers find waiting steps',
    );
  });
});

suite('the process of an import', { concurrency: 1 }, () => {
  const scope = createScope();
  after(() => scope.close());
  const secret = `secret-${randomUUID()}`;
  let bench: RunBench;
  let server: ServerProcess;
  let checked: QueuedRun;

  before(async () => {
    bench = await createRunBench(scope);
    checked = await bench.upload(table, undefined, definition);
    await bench.runQueue();
    server = await bench.fixture.startServerProcess({
      ...bench.environment,
      ROSTRA_PUBLIC_URL: 'https://api.stadt.example',
      ROSTRA_SMTP_URL: `smtp://rostra:${secret}@127.0.0.1:9`,
      ROSTRA_MAIL_FROM: 'rostra@stadt.example',
      ROSTRA_OIDC_CLIENT_SECRET: secret,
      CLOUD_TOKEN: secret,
      ROSTRA_LOG_LEVEL: 'debug',
      ROSTRA_MAX_UPLOAD: '7',
    });
  });
  test('is replaced after it was killed, and its step fails after three crashes', async () => {
    const { fixture, upload, settle, hold } = bench;
    const { sql } = fixture;
    const expire = (crashes: number) =>
      sql(
        "UPDATE import_run SET heartbeat_at = '2026-01-01T00:00:00.000Z', crashes = $1 WHERE state = 'running'",
        [crashes],
      );
    let release = hold('input');
    const run = await upload(table, undefined, definition);
    await waitForStep(bench, run, 'detection');
    killProcesses(server);
    await server.waitForLine(/process for imports crashed/);
    release();
    await expire(0);
    assert.equal((await settle(run, 'dry_run')).state, 'done');

    release = hold('input');
    const crashing = await upload(table, undefined, definition);
    await waitForStep(bench, crashing, 'detection');
    killProcesses(server);
    await expire(2);
    const { state, failure } = await settle(crashing, 'detection');
    release();
    assert.equal(state, 'failed');
    assert.match(failureText({ failure }), /crashed 3 times/);
    assert.equal((await server.get('/health')).status, 200);
  });

  test('stops when the import is cancelled, and its file and reports are deleted', async () => {
    const { fixture, find, folder, hold } = bench;
    const { store } = fixture;
    const run = checked;
    const release = hold('input');
    assert.equal(await store.queueImportStep(run, 'dry_run', undefined, lisa), true);
    await waitForStep(bench, run, 'dry_run');
    assert.equal(await store.cancelRun(run, lisa), true);
    assert.equal(await store.cancelRun(run, lisa), false);
    await waitUntil('the deletion of the file', () =>
      readdirSync(folder).every((name) => !name.endsWith(run.id)),
    );
    release();
    const { state, detection, dryRun } = await find(run);
    assert.deepEqual([state, detection, dryRun], ['cancelled', null, null]);
  });

  test('has no secrets of other services in its environment', {
    skip: process.platform !== 'linux' && 'only Linux shows the environment of a process',
  }, async () => {
    const { upload, settle, hold } = bench;
    const release = hold('input');
    const run = await upload(table, undefined, definition);
    await waitForStep(bench, run, 'detection');
    const pid = listProcesses(server).at(-1);
    const passed = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    release();
    assert.ok(passed.includes('ROSTRA_MAX_UPLOAD=7'));
    assert.deepEqual(
      passed.filter((variable) => variable.includes(secret)),
      [],
    );
    assert.equal((await settle(run, 'dry_run')).state, 'done');
  });
});
test('a stopped or killed server queues its running step again, and another server completes it with the same run', async (t) => {
  const bench = await createRunBench(t);
  const { fixture, upload, settle, find, runQueue, hold, environment } = bench;
  const { store } = fixture;
  const killed = await fixture.startServerProcess(environment);
  let release = hold('input');
  const run = await upload(table, undefined, definition);
  await waitForStep(bench, run, 'detection');
  await killed.kill();
  await waitForQueue(bench, run);
  assert.equal((await find(run)).step, 'detection');
  release();
  const stopped = await fixture.startServerProcess(environment);
  assert.equal((await settle(run, 'dry_run')).dryRun?.counts.inserted, rows);

  release = hold('first record');
  assert.equal(await store.queueImportStep(run, 'import', undefined, lisa), true);
  await waitUntil('a record', async () => ((await find(run)).progress?.written ?? 0) > 0, pollMs);
  await stopped.stop();
  await waitForQueue(bench, run);
  assert.equal((await find(run)).step, 'import');
  release();
  await runQueue();
  const { state, failure } = await find(run);
  assert.equal(state, 'done', failureText({ failure }));
  const [only, ...others] = await store.listImportRuns(fixture.a, undefined, 3);
  assert.ok(only);
  assert.deepEqual([only.state, others], ['done', []]);
  assert.ok(only.unchanged > 0);
  assert.equal(only.inserted + only.unchanged, rows);
  const { removed } = await store.undoImport(
    { organizationId: fixture.a, id: only.id },
    async (records) => [...records],
    false,
  );
  assert.equal(removed, rows);
});
test('an import that loses the lease of its municipality waits for the other import, and continues its run', async (t) => {
  const bench = await createRunBench(t);
  const { fixture, upload, find, runQueue, hold, environment } = bench;
  const { store, a, database } = fixture;
  const run = await upload(table, undefined, definition);
  await runQueue();
  await store.queueImportStep(run, 'import', undefined, lisa);
  const release = hold('input');
  const started = startCli(['source', 'work', '--database', database], { environment });
  await waitUntil(
    'a run',
    async () => (await store.findImportRun(run.organizationId, run.id)) !== undefined,
    pollMs,
  );
  const lease = await whileRunIsExpired(fixture, a, () => takeOverLease(store, a));
  const readStates = async () => (await store.listImportRuns(a, undefined, 5)).map(({ state }) => state);
  const { code, stderr } = await started.result;
  assert.equal(code, 0, stderr);
  release();
  assert.deepEqual([(await find(run)).state, await readStates()], ['queued', ['interrupted']]);
  await runQueue();
  assert.equal((await find(run)).state, 'queued', 'the other import runs');
  await store.releaseRun(lease);
  await runQueue();
  const { state, failure } = await find(run);
  assert.deepEqual([state, failure], ['done', null]);
  assert.deepEqual(await readStates(), ['done']);
});
test('a server removes partial files of an earlier process when it starts', async (t) => {
  const { fixture, upload, folder, environment } = await createRunBench(t);
  const run = await upload(composeTable(3));
  const partial = join(folder, `partial_${encodeURIComponent(hostname())}_4194305_${randomUUID()}`);
  mkdirSync(partial);
  writeFileSync(join(partial, 'Export.csv'), 'a,b');
  await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: environment.ROSTRA_UPLOAD_FOLDER as string });
  await waitUntil('the removal', () => !existsSync(partial));
  assert.ok(readdirSync(folder).some((name) => name.endsWith(run.id)));
});
test('the log says why the index of words was not filled', async (t) => {
  const { fixture } = await createRunBench(t);
  for (const name of ['word_index', 'word_pending']) await fixture.sql(`DELETE FROM ${name}`);
  const fail = `if(process.argv.includes('word-index')){console.error('no-space');process.exit(1)}`;
  const server = await fixture.startServerProcess({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fail)}`,
  });
  const line = await server.waitForLine(/the index of words was not filled/);
  assert.equal(JSON.parse(line).end, 'Its process ended with exit code 1. no-space');
});
test('a worker that the supervisor of 1.0 starts runs imports, fills the index of words itself, and sends no later metrics', async (t) => {
  const { fixture, environment, upload, settle } = await createRunBench(t);
  const { store, database, sql } = fixture;
  for (const table of ['word_index', 'word_pending']) await sql(`DELETE FROM ${table}`);
  const serve = ['serve', '--port', '0', '--metrics-port', '0', '--workers', '2', '--database', database];
  cluster.setupPrimary({ exec: mainFile, args: serve, silent: true });
  const worker = cluster.fork(environment);
  t.after(() => void worker.process.kill('SIGKILL'));
  // That supervisor takes every other message for the addresses.
  const received: string[][] = [];
  const metrics = new Set<string>();
  worker.on('message', (message) => {
    received.push(Object.keys(message));
    for (const name of Object.keys(message.metrics ?? {})) metrics.add(name);
  });
  await once(worker, 'message');
  assert.equal((await settle(await upload(table, undefined, definition), 'dry_run')).state, 'done');
  await waitUntil(
    'the index of words',
    async () => (await Array.fromAsync(store.listUnindexed())).length === 0,
  );
  worker.send('sendAllMetrics');
  await waitUntil('the metrics', () => metrics.size > 0);
  worker.send('stop');
  assert.deepEqual(await once(worker, 'exit'), [0, null]);
  assert.deepEqual(received, [['address'], ['metrics'], ['metrics']]);
  for (const name of ['rostra_database_up', 'rostra_workers']) assert.ok(metrics.has(name), name);
  for (const name of ['rostra_database_writable', 'rostra_disk_free_bytes', 'rostra_sign_in_failures_total'])
    assert.ok(!metrics.has(name), name);
});
