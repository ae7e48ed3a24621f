/** Steps of imports in processes of their own: restarts, crashes, several servers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ImportJob } from '../../src/domain/import-job.ts';
import type { SourceDefinition } from '../../src/domain/import-source.ts';
import { createUploadStorage } from '../../src/jobs/upload-storage.ts';
import { createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFixture, type Fixture } from '../support/fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const lisa = { name: 'lisa@stadt.example', address: '192.0.2.7' };

const definition: SourceDefinition = {
  name: 'Mängelmelder',
  format: 'table',
  url: null,
  intervalMs: null,
  options: {
    mapping: [
      'submission:',
      '  id: Nummer',
      '  description: Text',
      '  status: { column: Stand, values: { offen: received, erledigt: completed } }',
      '  createdAt: { column: Datum, date: DD.MM.YYYY }',
    ].join('\n'),
  },
  timeZone: null,
  redaction: { kinds: ['email'], country: 'DE', patterns: {} },
  maxDeletedPercent: null,
};

const composeTable = (rows: number, from = 1) =>
  [
    'Nummer,Text,Stand,Datum',
    ...Array.from(
      { length: rows },
      (_, index) =>
        `${index + from},Laterne ${index + from} ist defekt (max@stadt.example),${index % 3 === 0 ? 'offen' : 'erledigt'},0${(index % 9) + 1}.03.2026`,
    ),
  ].join('\n');

interface JobBench {
  fixture: Fixture;
  /** Upload folder. */
  folder: string;
  environment: Record<string, string>;
  /** Stores a file and queues its detection. */
  upload(content: string, organizationId?: string, source?: SourceDefinition | null): Promise<ImportJob>;
  find(job: ImportJob): Promise<ImportJob>;
  /** Runs the waiting steps, as a server does. */
  run(): Promise<string>;
  /** Waits for the end of the step. */
  settle(job: ImportJob, step: ImportJob['step']): Promise<ImportJob>;
}

async function createJobBench(scope: Scope): Promise<JobBench> {
  const fixture = await createFixture(scope);
  const folder = join(createTemporaryFolder(scope), 'uploads');
  const uploads = createUploadStorage(folder, 1e9);
  const find = async ({ organizationId, id }: ImportJob) =>
    (await fixture.store.findImportJob(organizationId, id)) as ImportJob;
  return {
    fixture,
    folder,
    environment: { ROSTRA_UPLOAD_FOLDER: folder },
    upload: async (content, organizationId = fixture.a, source = null) => {
      const key = { organizationId, id: randomUUID() };
      const { fileName, bytes } = await uploads.save(
        key,
        'C:\\Export.csv',
        Readable.from([Buffer.from(content)]),
        undefined,
      );
      return fixture.store.addImportJob(
        {
          ...key,
          step: 'detection',
          sourceName: null,
          input: { kind: 'upload', fileName, bytes },
          definition: source,
        },
        lisa,
      );
    },
    find,
    run: () => fixture.runCli('jobs', 'run', '--upload-folder', folder),
    settle: async (job, step) => {
      await waitUntil(`the end of ${step}`, async () => {
        const { step: current, state } = await find(job);
        return current === step && ['done', 'failed', 'cancelled'].includes(state);
      });
      return find(job);
    },
  };
}

test('an import goes through detection, dry run and import, and is recorded as the account’s', async (t) => {
  const { fixture, upload, find, run, folder } = await createJobBench(t);
  const { store, a } = fixture;
  const job = await upload(composeTable(30));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const [own = ''] = readdirSync(folder);
  assert.equal(statSync(join(folder, own, 'Export.csv')).mode & 0o777, 0o600);

  await run();
  const detected = await find(job);
  assert.equal(detected.state, 'done', detected.failure ?? '');
  assert.deepEqual(detected.detection?.files, ['Export.csv']);
  assert.ok(detected.detection?.formats.some(({ format, reason }) => format === 'table' && reason !== ''));

  const columns = detected.detection?.suggestion?.columns.map(({ name }) => name);
  assert.deepEqual(columns, ['Nummer', 'Text', 'Stand', 'Datum']);

  assert.equal(await store.queueImportStep(job, 'import'), false, 'nothing is imported without a dry run');
  assert.equal(await store.queueImportStep(job, 'dry_run', { definition }, lisa), true);
  await run();
  const { dryRun, state, failure } = await find(job);
  assert.equal(state, 'done', failure ?? '');
  assert.equal(dryRun?.counts.inserted, 30);
  assert.deepEqual(dryRun?.statistics.statuses, [
    { name: 'completed', count: 20 },
    { name: 'received', count: 10 },
  ]);
  assert.equal(dryRun?.statistics.support, null);
  assert.equal(dryRun?.samples.length, 10);
  assert.match(String(dryRun?.samples[0]?.document.description), /Laterne 1 ist defekt \(\[/);
  assert.deepEqual(dryRun?.personalData, [{ kind: 'email', count: 30, isRedacted: true }]);
  assert.equal((await store.listImportRuns(a, undefined, 10)).length, 0, 'a dry run is not an import');
  assert.equal(await store.findSource({ organizationId: a, name: definition.name }), undefined);

  assert.equal(await store.queueImportStep(job, 'import', undefined, lisa), true);
  assert.equal(await store.queueImportStep(job, 'import', undefined, lisa), false, 'a form is sent twice');
  await run();
  const imported = await find(job);
  assert.equal(imported.state, 'done', imported.failure ?? '');
  assert.deepEqual([imported.detection, imported.dryRun], [null, null], 'reports are deleted with the file');
  const [importRun] = await store.listImportRuns(a, undefined, 10);
  assert.equal(importRun?.id, imported.runId);
  assert.deepEqual(
    [importRun?.inserted, importRun?.actor, importRun?.address],
    [30, lisa.name, lisa.address],
  );
  assert.deepEqual(
    (await store.findSource({ organizationId: a, name: definition.name }))?.options,
    definition.options,
  );
  const events = await store.listAuditEvents(a, undefined, 10);
  assert.deepEqual(
    events.flatMap(({ action, subject, actor }) =>
      action.startsWith('import.') ? [[action, subject, actor]] : [],
    ),
    [
      ['import.started', 'Export.csv', lisa.name],
      ['import.added', 'Export.csv', lisa.name],
    ],
  );
});

test('the next file of a stored source goes straight to the dry run', async (t) => {
  const { upload, find, run } = await createJobBench(t);
  const job = await upload(composeTable(5), undefined, definition);
  await run();
  const { step, state, dryRun, failure } = await find(job);
  assert.deepEqual([step, state, failure], ['dry_run', 'done', null]);
  assert.equal(dryRun?.counts.inserted, 5);
});

test('a file that does not fit its stored source fails with a clear sentence, and publishes nothing', async (t) => {
  const { fixture, upload, find, run } = await createJobBench(t);
  const json = await upload('{"data": [{"title": "Bank"}]}', undefined, definition);
  const changed = await upload(composeTable(5).replace('Stand', 'Status'), undefined, definition);
  await run();
  assert.match(
    (await find(json)).failure ?? '',
    /Export\.csv does not have the format table of the source "Mängelmelder"/,
  );
  assert.match((await find(changed)).failure ?? '', /Export\.csv has no column "Stand" of the mapping/);
  assert.equal((await fixture.store.listImportRuns(fixture.a, undefined, 10)).length, 0);
});

test('a file that is not on this machine fails with a remedy', async (t) => {
  const { fixture, upload, find } = await createJobBench(t);
  const job = await upload(composeTable(5));
  await fixture.runCli('jobs', 'run', '--upload-folder', createTemporaryFolder(t));
  assert.match((await find(job)).failure ?? '', /not on this machine.*ROSTRA_UPLOAD_FOLDER/);
});

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
  const { fixture, upload, settle, find, environment } = await createJobBench(t);
  const { sql } = fixture;
  const server = await fixture.startServerProcess({ ...environment, ROSTRA_LOG_LEVEL: 'debug' });
  const started: number[] = [];
  const killed = setInterval(() => {
    for (const line of server.lines) {
      const [, pid] = /"pid":(\d+).*process for imports started/.exec(line) ?? [];
      if (pid === undefined || started.includes(Number(pid))) continue;
      started.push(Number(pid));
      if (started.length <= 1) kill(Number(pid));
    }
  }, 5);
  const first = await upload(composeTable(20_000), undefined, definition);
  await waitUntil('a killed process', () => started.length > 0);
  await sql("UPDATE import_job SET heartbeat_at_ms = 0 WHERE state = 'running'", []);
  assert.equal((await settle(first, 'dry_run')).state, 'done');
  clearInterval(killed);

  const crashing = await upload(composeTable(5));
  await settle(crashing, 'detection');
  await sql(
    "UPDATE import_job SET state = 'running', lease_token = $2, heartbeat_at_ms = 0, crashes = 2 WHERE id = $1",
    [crashing.id, randomUUID()],
  );
  await waitUntil('the end', async () => (await find(crashing)).state === 'failed');
  assert.match((await find(crashing)).failure ?? '', /crashed 3 times/);
  assert.equal((await server.get('/health')).status, 200);
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

test('a stopped or killed server queues its running step again, and another server completes it', async (t) => {
  const { fixture, upload, settle, find, environment } = await createJobBench(t);
  const { store } = fixture;
  for (const stop of ['stop', 'kill'] as const) {
    const server = await fixture.startServerProcess(environment);
    const job = await upload(composeTable(15_000, stop === 'stop' ? 1 : 100_000), undefined, definition);
    await settle(job, 'dry_run');
    assert.equal(await store.queueImportStep(job, 'import', undefined, lisa), true);
    await waitUntil('some records', async () => ((await find(job)).progress?.read ?? 0) > 0);
    const startedAtMs = performance.now();
    await server[stop]();
    assert.ok(performance.now() - startedAtMs < 9_000);
    await waitUntil('the step in the queue', async () => (await find(job)).state === 'queued');
    const next = await fixture.startServerProcess(environment);
    const { state, failure } = await settle(job, 'import');
    assert.equal(state, 'done', failure ?? '');
    await next.stop();
    const [last, interrupted] = await store.listImportRuns(fixture.a, undefined, 2);
    assert.equal(interrupted?.state, 'interrupted');
    assert.equal((last?.inserted ?? 0) + (last?.unchanged ?? 0), 15_000);
  }
});

test('a cancelled import stops, and its file and reports are deleted', async (t) => {
  const { fixture, upload, find, environment, folder } = await createJobBench(t);
  await fixture.startServerProcess({
    ...environment,
    NODE_OPTIONS: `--import ${new URL('../support/fast-timers.ts', import.meta.url)}`,
  });
  const job = await upload(composeTable(15_000), undefined, definition);
  await waitUntil('a running dry run', async () => {
    const { step, state } = await find(job);
    return step === 'dry_run' && state === 'running';
  });
  assert.equal(await fixture.store.cancelImportJob(job, lisa), true);
  assert.equal(await fixture.store.cancelImportJob(job, lisa), false);
  await waitUntil('the deletion of the file', () => readdirSync(folder).length === 0);
  const { state, detection, dryRun } = await find(job);
  assert.deepEqual([state, detection, dryRun], ['cancelled', null, null]);
});

test('a municipality has at most ten unfinished imports', async (t) => {
  const { fixture, upload } = await createJobBench(t);
  for (let count = 0; count < 10; count++) await upload('a,b');
  await assert.rejects(upload('a,b'), /10 unfinished imports/);
  await upload('a,b', fixture.b);
});

test('a server removes partial files of an earlier process when it starts', async (t) => {
  const { fixture, upload, folder, environment } = await createJobBench(t);
  const job = await upload(composeTable(3));
  const { hostname } = await import('node:os');
  const { mkdirSync, writeFileSync } = await import('node:fs');
  const partial = join(folder, `partial_${encodeURIComponent(hostname())}_4194305_${randomUUID()}`);
  mkdirSync(partial);
  writeFileSync(join(partial, 'Export.csv'), 'a,b');
  await fixture.startServerProcess(environment);
  await waitUntil('the removal', () => !existsSync(partial));
  assert.ok(readdirSync(folder).some((name) => name.endsWith(job.id)));
});
