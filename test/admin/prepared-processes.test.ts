/** Processes of imports that start before their step: each is used once, and replaced if it ends. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createSignedInClient } from '../support/form-client.ts';
import { composeTable, createRunBench, definition, lisa, type RunBench } from '../support/run-bench.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const table = composeTable(5);

/** In the order of their start. */
const listProcesses = ({ lines }: ServerProcess): number[] =>
  lines.flatMap((line) => {
    const [, pid] = /"pid":(\d+).*process for imports started/.exec(line) ?? [];
    return pid === undefined ? [] : [Number(pid)];
  });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const waitForEnd = (pid: number) => waitUntil(`the end of process ${pid}`, async () => !isAlive(pid));

interface Preparation extends RunBench {
  server: ServerProcess;
  /** Opens the page from which imports start. @returns the process that is prepared then */
  prepare(): Promise<number>;
  open(): Promise<void>;
}

async function startPreparation(
  scope: Scope,
  settings: (bench: RunBench) => Record<string, string> = () => ({}),
): Promise<Preparation> {
  const bench = await createRunBench(scope);
  const { fixture, environment } = bench;
  const server = await fixture.startServerProcess({
    ...environment,
    ROSTRA_LOG_LEVEL: 'debug',
    ...settings(bench),
  });
  const anna = await createSignedInClient(server, fixture.store, fixture.a);
  const open = async () => {
    const { status } = await anna.get(`/admin/organizations/${fixture.a}/imports/new`);
    assert.equal(status, 200);
  };
  const prepare = async () => {
    await open();
    const find = () => listProcesses(server).findLast(isAlive);
    await waitUntil('a prepared process', async () => find() !== undefined);
    return find() as number;
  };
  return { ...bench, server, open, prepare };
}

suite('a prepared process', { concurrency: 1 }, () => {
  // On a busy machine, a process needs longer to claim its next step than the server waits before it starts another one.
  const slowClock = new URL('../support/slow-clock.ts', import.meta.url);
  const preparations: Promise<Preparation> = startPreparation({ after }, ({ environment }) => ({
    NODE_OPTIONS: `${environment.NODE_OPTIONS} --import ${slowClock}`,
  }));

  test('runs the steps that follow the upload of one file, and ends', async () => {
    const { server, prepare, upload, settle, fixture } = await preparations;
    const { store, b } = fixture;
    const first = await prepare();
    const started = listProcesses(server).length;
    const run = await upload(table, undefined, definition);
    assert.equal((await settle(run, 'dry_run')).dryRun?.counts.inserted, 5);
    await waitForEnd(first);
    assert.equal(listProcesses(server).length, started, 'no other process was needed');

    const second = await prepare();
    assert.notEqual(second, first);
    await store.queueImportStep(run, 'import', undefined, lisa);
    assert.equal((await settle(run, 'import')).state, 'done');
    await waitForEnd(second);

    const third = await prepare();
    const ofOther = await upload(table, b);
    assert.equal((await settle(ofOther, 'detection')).state, 'done');
    await waitForEnd(third);
  });

  test('reads no file of another run that waits at the same time', async () => {
    const { server, prepare, upload, settle, fixture } = await preparations;
    const { a, b } = fixture;
    await prepare();
    const started = listProcesses(server).length;
    const runs = [await upload(table, a), await upload(table, b), await upload(table, a)];
    for (const run of runs) assert.equal((await settle(run, 'detection')).state, 'done');
    assert.ok(listProcesses(server).length - started >= 2, 'the other two had processes of their own');
    await waitUntil('the end of all', async () => listProcesses(server).filter(isAlive).length <= 1);
  });

  test('is kept while the page is opened again', async () => {
    const { prepare } = await preparations;
    const first = await prepare();
    assert.equal(await prepare(), first);
  });

  test('is replaced after it was killed, and the next step runs', async () => {
    const { server, prepare, open, upload, settle } = await preparations;
    const first = await prepare();
    process.kill(first, 'SIGKILL');
    await server.waitForLine(new RegExp(`"pid":${first}.*prepared process for imports ended`));
    const run = await upload(table, undefined, definition);
    assert.equal((await settle(run, 'dry_run')).state, 'done');

    const second = await prepare();
    assert.notEqual(second, first);
    process.kill(second, 'SIGKILL');
    await open();
    const other = await upload(table, undefined, definition);
    assert.equal((await settle(other, 'dry_run')).state, 'done');
  });

  test('ends with the server', async () => {
    const { server, prepare } = await preparations;
    const pid = await prepare();
    assert.equal(await server.stop(), 0);
    await waitForEnd(pid);
  });
});

test('a prepared process ends when nobody uses it, or the machine needs the memory', async (t) => {
  const file = join(createTemporaryFolder(t), 'state');
  const machine = new URL('../support/scarce-machine.ts', import.meta.url);
  const { server, prepare, open, upload, settle } = await startPreparation(t, ({ environment }) => ({
    NODE_OPTIONS: `${environment.NODE_OPTIONS} --import ${machine}?state=${encodeURIComponent(file)}`,
  }));
  for (const state of ['time', 'memory']) {
    const pid = await prepare();
    writeFileSync(file, state);
    await waitForEnd(pid);
    assert.doesNotMatch(server.lines.join('\n'), /prepared process for imports ended/);
    if (state === 'time') rmSync(file);
  }
  const started = listProcesses(server).length;
  await open();
  assert.equal(listProcesses(server).length, started, 'without memory, no process is prepared');
  const run = await upload(table, undefined, definition);
  assert.equal((await settle(run, 'dry_run')).state, 'done');
});

test('a step has the settings of the time when it starts, not those of its prepared process', {
  skip: process.platform !== 'linux' && 'only Linux shows the environment of a process',
}, async (t) => {
  const file = join(createTemporaryFolder(t), 'rostra.env');
  writeFileSync(file, 'ROSTRA_MAX_UPLOAD=7\n');
  const { server, prepare, upload, find, settle, hold } = await startPreparation(t, () => ({
    ROSTRA_CONFIG: file,
  }));
  const pid = await prepare();
  writeFileSync(file, 'ROSTRA_MAX_UPLOAD=8\n');
  const release = hold('input');
  const run = await upload(table, undefined, definition);
  await waitForEnd(pid);
  await waitUntil('the step', async () => (await find(run)).state === 'running');
  const used = listProcesses(server).at(-1);
  const variables = readFileSync(`/proc/${used}/environ`, 'utf8').split('\0');
  release();
  assert.ok(variables.includes('ROSTRA_MAX_UPLOAD=8'));
  assert.equal((await settle(run, 'dry_run')).state, 'done');
});

test('a reload ends the prepared process of several workers', async (t) => {
  const { server, prepare, upload, settle } = await startPreparation(t, () => ({
    ROSTRA_WORKERS: '2',
    ROSTRA_KEEP_ALIVE_TIMEOUT: '1',
  }));
  const pid = await prepare();
  process.kill(server.pid, 'SIGHUP');
  await server.waitForLine(/rolling restart finished/);
  await waitForEnd(pid);
  assert.notEqual(await prepare(), pid);
  const run = await upload(table, undefined, definition);
  assert.equal((await settle(run, 'dry_run')).state, 'done');
});
