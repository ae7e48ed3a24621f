/** How many files a reader of one import opens: those with a function that runs from the upload to the row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runQueuedSteps } from '../../src/ingest/runs/run-queued-steps.ts';
import { createUploadStorage } from '../../src/ingest/runs/upload-storage.ts';
import { createCommandContext } from '../../src/program/run-command.ts';
import { engine } from '../support/database.ts';
import { createSignedInClient, fetchCsrfToken } from '../support/form-client.ts';
import { isCitus } from '../support/postgres-database.ts';
import { composeTable, createRunBench, definition } from '../support/run-bench.ts';
import { watchFiles } from '../support/watch-files.ts';

/** From the form with the file to the run in the queue. On Citus, transactions of the same process run one more. */
const maxFilesToQueue = isCitus ? 45 : 44;

/** Of the engine alone, more than with SQLite. */
const moreFiles = isCitus ? 2 : engine === 'PostgreSQL' ? 1 : 0;

/** From the queue to the row: of the run itself, and of reading, checking and redacting a table. */
const maxFilesOfRun = 38 + moreFiles;
const maxFilesToRow = 96 + moreFiles;

/** The server of the test runs them in the same process, while it waits for PostgreSQL during every turn. */
const filesOfServer = ['program/process/import-processes/queue-poller.ts', 'program/process/servers.ts'];

/** Timers of the same process run other files, on a busy machine during most turns. */
const maxTurns = 8;

test('an uploaded table passes few files to the queue, and few from there to its rows', async (t) => {
  const { fixture, folder } = await createRunBench(t);
  const { store, a, database } = fixture;
  await store.addSource(a, definition);
  const server = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: folder });
  const anna = await createSignedInClient(server, store, a);
  const token = await fetchCsrfToken(anna);
  const { readConfig } = createCommandContext({ ROSTRA_UPLOAD_FOLDER: folder });
  const options = {
    uploads: createUploadStorage(folder, 1e9),
    config: readConfig({ database, port: '0' }),
    userAgent: 'Rostra/test',
    signal: t.signal,
    onProblem: assert.fail,
  };

  const watch = watchFiles(t, (sql) => /INSERT INTO (?:import_run|submission)\b/.test(sql));
  let toQueue = new Set<string>();
  let toRow = new Set<string>();
  const listFilesOfRun = () => [...toRow].filter((file) => !/^ingest\/(?!runs\/|connectors\/)/.test(file));
  const hasFewFiles = () =>
    toQueue.size <= maxFilesToQueue &&
    toRow.size <= maxFilesToRow &&
    listFilesOfRun().length <= maxFilesOfRun;
  for (let turn = 0; turn < maxTurns && (turn === 0 || !hasFewFiles()); turn += 1) {
    const form = new FormData();
    form.set('token', token);
    form.set('source', `source:${definition.name}`);
    form.set('file', new File([composeTable(1, turn)], 'Export.csv'));
    watch.begin();
    const { location = '' } = await anna.send(`/admin/organizations/${a}/imports/new`, form);
    const upload = watch.end();
    await runQueuedSteps(store, options);
    await anna.post(`${location}/confirm`, { token, personalData: 'publish' });
    watch.begin();
    await runQueuedSteps(store, options);
    const run = watch.end();
    for (const file of filesOfServer) run.toStatement.delete(file);
    toQueue = turn === 0 ? upload.toStatement : toQueue.intersection(upload.toStatement);
    toRow = turn === 0 ? run.toStatement : toRow.intersection(run.toStatement);
  }

  assert.ok(toQueue.has('web/admin/server.ts') && toQueue.has('store/runs/run-queue.ts'));
  assert.ok(toRow.has('ingest/runs/run-queued-steps.ts') && toRow.has('store/records/write-records.ts'));
  assert.ok(toQueue.size <= maxFilesToQueue, [toQueue.size, ...toQueue].join(' '));
  const filesOfRun = listFilesOfRun();
  assert.ok(filesOfRun.length <= maxFilesOfRun, [filesOfRun.length, ...filesOfRun].join(' '));
  assert.ok(toRow.size <= maxFilesToRow, [toRow.size, ...toRow].join(' '));
});
