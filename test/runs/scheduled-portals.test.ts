/** Scheduled runs of sources with the API of a data portal: their notes, and what they fetch between complete runs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openStore } from '../../src/store/open.ts';
import { assertSucceeds, createCliWorkspace, runCli } from '../support/cli-workspace.ts';
import { startDataServer } from '../support/data-server.ts';
import { storeDefaults } from '../support/database.ts';
import { servePortal } from '../support/portal-server.ts';

const workspace = await createCliWorkspace({ after });
const server = await startDataServer({ after });
const authorities = getCACertificates();
before(() => setDefaultCACertificates([...authorities, server.certificate]));
after(() => setDefaultCACertificates(authorities));
const store = await openStore({ ...storeDefaults, database: workspace.database, lockTimeoutMs: 30_000 });
after(() => store.close());
const options = {
  environment: { ROSTRA_DATABASE: workspace.database, ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1' },
};

const mapping = workspace.writeFile(
  'mapping.yaml',
  `submission:
  id: id
  title: name
  description: text
  status: { column: state, values: { open: received } }
  createdAt: { column: date, date: ISO }
`,
);

const createRow = (id: number) => ({
  id,
  text: `Broken lamp ${id}`,
  state: 'open',
  date: '2026-01-05T10:00:00',
  internal: 'x',
});

/** A source that is due, whenever `runDue` runs. */
async function addSource(flags: readonly string[]) {
  const { id } = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  await assertSucceeds(
    [
      ...['source', 'add', 'Reports', '--organization', id, '--format', 'table', '--mapping', mapping],
      ...['--pause', '0', '--delete-missing', '--every', '1h', ...flags],
    ],
    options,
  );
  const runDue = async () => {
    await workspace.sql('UPDATE import_source SET next_at = $1 WHERE organization_id = $2', [
      '2026-01-01T00:00:00.000Z',
      id,
    ]);
    const { stdout, stderr } = await runCli(['source', 'run', '--due', '--json'], options);
    assert.notEqual(stdout, '', stderr);
    return JSON.parse(stdout);
  };
  const find = async () => {
    const found = await store.findSource({ organizationId: id, name: 'Reports' });
    assert.ok(found);
    return found;
  };
  const remove = () => assertSucceeds(['source', 'remove', 'Reports', '--organization', id], options);
  return { id, runDue, find, remove };
}

test('the notes of a scheduled run are stored, and shown with the run', async () => {
  const rows = [1, 2, 3].map((id) => ({ ...createRow(id), name: 'Lamp' }));
  const portal = servePortal(server, 'socrata', rows);
  portal.shown = [...rows, ...rows.slice(2)];
  const { runDue, remove } = await addSource([
    ...['--system', 'socrata', '--url', `${server.origin}/Services/Requests/erm2-nwe9`],
  ]);
  const { runId } = await runDue();
  const { notes } = JSON.parse(await assertSucceeds(['import', 'history', runId, '--json'], options));
  assert.match(notes[0], /The source returned records repeatedly \(1 repetition\)/);
  assert.match(notes.at(-1), /internal/);
  const printed = await assertSucceeds(['import', 'history', runId], options);
  assert.match(printed, /^note +The source returned records repeatedly/m);
  await remove();
});

const readConditions = () =>
  server.requests.map(({ path }) => new URL(path, server.origin).searchParams.get('$where'));

test('scheduled runs fetch changed records, and everything once a week to find those that no longer exist', async () => {
  const rows: Record<string, unknown>[] = [1, 2, 3, 4].map((id) => ({
    ...createRow(id),
    ':updated_at': '2026-01-05T10:00:00.000Z',
  }));
  Object.assign(rows[0] ?? {}, { name: 'Lamp', text: 'Broken lamp, write to a@stadt.example' });
  const portal = servePortal(server, 'socrata', rows);
  const { id, runDue, find, remove } = await addSource([
    ...['--system', 'socrata', '--url', `${server.origin}/Services/Requests/erm2-nwe9`],
    ...['--redact', 'email'],
  ]);
  server.requests.length = 0;
  const first = await runDue();
  assert.equal(first.counts?.inserted, 4, JSON.stringify(first));
  assert.deepEqual([...new Set(readConditions())], [null]);
  assert.equal((await runDue()).state, 'unchanged', 'no record has changed');

  const later = '2999-01-01T00:00:00.000Z';
  Object.assign(rows[1] ?? {}, { name: 'Old lamp', text: 'Mended lamp', ':updated_at': later });
  portal.rows.splice(3, 1);
  portal.rows.push({ ...createRow(5), ':updated_at': later });
  server.requests.length = 0;
  const second = await runDue();
  const { inserted, changed, removed, unchanged } = second.counts ?? {};
  assert.deepEqual([inserted, changed, removed, unchanged], [1, 1, 0, 0], JSON.stringify(second));
  const day = new Date(Date.parse((await find()).validators.completeAt ?? '') - 86_400_000);
  assert.deepEqual([...new Set(readConditions())], [`:updated_at >= '${day.toISOString().slice(0, 10)}'`]);
  const [used] = await store.listUsedSources(id);
  assert.deepEqual(used?.personalData, [{ kind: 'email', count: 1, isRedacted: true }]);
  assert.equal((await runDue()).state, 'unchanged');

  // The portal counts the changed records and returns none of them: each run says so.
  portal.shown = [];
  const empty = await runDue();
  assert.deepEqual([empty.state, empty.counts?.removed], ['done', 0], JSON.stringify(empty));
  const { notes } = JSON.parse(await assertSucceeds(['import', 'history', empty.runId, '--json'], options));
  assert.match(notes[0], /The source counts 2 records, but did not return 2 of them/);
  assert.equal((await runDue()).state, 'done');
  portal.shown = undefined;
  assert.equal((await runDue()).counts?.unchanged, 2);

  const runComplete = async () => {
    const { validators } = await find();
    const completeAt = new Date(Date.parse(validators.completeAt ?? '') - 7 * 86_400_000).toISOString();
    await workspace.sql('UPDATE import_source SET validators = $1 WHERE organization_id = $2', [
      JSON.stringify({ ...validators, completeAt }),
      id,
    ]);
    return runDue();
  };
  const complete = await runComplete();
  assert.deepEqual([complete.counts?.removed, complete.counts?.unchanged], [1, 4], JSON.stringify(complete));

  // The portal replaces all records, without one of them: then the changes are all records.
  portal.rows.splice(1, 1);
  for (const row of portal.rows) row[':updated_at'] = later;
  assert.equal((await runDue()).counts?.removed, 0);
  assert.equal((await runComplete()).counts?.removed, 1);
  await remove();
});

test('a run fetches everything if no changed record has a column of the mapping, which the portal may have renamed', async () => {
  const rows: Record<string, unknown>[] = [1, 2, 3].map((id) => ({
    ...createRow(id),
    ':updated_at': '2026',
  }));
  Object.assign(rows[0] ?? {}, { name: 'Lamp' });
  servePortal(server, 'socrata', rows);
  const { runDue, remove } = await addSource([
    ...['--system', 'socrata', '--url', `${server.origin}/Services/Requests/erm2-nwe9`],
  ]);
  assert.equal((await runDue()).counts?.inserted, 3);

  Object.assign(rows[1] ?? {}, { text: 'Mended lamp', ':updated_at': '2999' });
  server.requests.length = 0;
  const { counts } = await runDue();
  assert.deepEqual([counts?.changed, counts?.unchanged], [1, 2]);
  assert.deepEqual(
    [...new Set(readConditions())].map((condition) => condition === null),
    [false, true],
  );

  for (const row of rows) Object.assign(row, { label: row.name, name: null });
  Object.assign(rows[0] ?? {}, { ':updated_at': '2999' });
  const failed = await runDue();
  assert.equal(failed.state, 'failed');
  assert.match(JSON.stringify(failed), /has no column \\"name\\" of the mapping/);
  await remove();
});
