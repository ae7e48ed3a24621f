/** Files that are read within a second: forms lead to the next page, without one that waits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSignedInClient, type FormClient, fetchCsrfToken } from '../support/form-client.ts';
import { composeTable, createRunBench, definition } from '../support/run-bench.ts';

const bench = await createRunBench({ after });
const { fixture, environment, folder, find, settle } = bench;
const { store, a, b } = fixture;
const slowClock = new URL('../support/slow-clock.ts', import.meta.url);
const server = await fixture.startServerProcess({
  ...environment,
  NODE_OPTIONS: `${environment.NODE_OPTIONS} --import ${slowClock}`,
});
const anna = await createSignedInClient(server, store, a);
const token = await fetchCsrfToken(anna);
const base = `/admin/organizations/${a}/imports`;

const table = composeTable(1_600);
const columns = {
  'column.id': 'column:Nummer',
  'column.description': 'column:Text',
  'column.createdAt': 'column:Datum',
};

interface NextPage {
  body: string;
  /** Path of the run. */
  steps: string;
  run: NonNullable<Awaited<ReturnType<typeof store.findQueuedRun>>>;
}

async function followForm(
  { location = '' }: { location: string | undefined },
  client: FormClient = anna,
): Promise<NextPage> {
  const { body } = await client.get(location);
  const [id = ''] = /[0-9a-f-]{36}(?=\/steps)/.exec(location) ?? [];
  const run = await store.findQueuedRun(a, id);
  assert.ok(run, `no run at ${location}`);
  return { body, steps: location, run };
}

/** Sends the file with the form, as a person does. */
async function upload(source = 'new', content = table, client: FormClient = anna): Promise<NextPage> {
  await client.open(`${base}/new`);
  const form = new FormData();
  form.set('token', await fetchCsrfToken(client));
  form.set('source', source);
  form.set('file', new File([content], 'Export.csv'));
  return followForm(await client.send(`${base}/new`, form), client);
}

const cancel = ({ steps }: NextPage) => anna.post(`${steps}/cancel`, { token });

test('a file of 100 kB leads from its upload to the mapping, and from the mapping to the dry run', async () => {
  assert.ok(Buffer.byteLength(table) > 100_000);
  const mapping = await upload();
  assert.match(mapping.body, /class="page-form settings-form"/);
  const checked = await followForm(
    await anna.post(`${mapping.steps}?settings=1&format=table`, {
      ...{ token, action: 'dry-run', name: 'Meldungen' },
      ...columns,
    }),
  );
  assert.match(checked.body, /The dry run is complete/);
  assert.equal((await find(checked.run)).dryRun?.counts.inserted, 1_600);
  await cancel(checked);
});

test('a file of a stored source leads from its upload to the dry run, and from there to the result', async () => {
  await store.addSource(a, definition);
  const checked = await upload(`source:${definition.name}`, composeTable(10));
  assert.match(checked.body, /The dry run is complete/);
  const imported = await followForm(
    await anna.post(`${checked.steps}/confirm`, { token, personalData: 'publish' }),
  );
  assert.match(imported.body, /The import is complete/);
});

test('a form does not wait for a file that takes longer, and its page waits', async () => {
  const punctual = await fixture.startServerProcess(environment);
  const client = await createSignedInClient(punctual, store, a);
  const release = bench.hold('input');
  const startedMs = Date.now();
  const page = await upload('new', table, client);
  const tookMs = Date.now() - startedMs;
  assert.match(page.body, /data-run="detection (?:queued|running)" data-refresh-seconds/);
  assert.ok(tookMs >= 1_000, `${tookMs} ms`);
  assert.ok(['queued', 'running'].includes((await find(page.run)).state));
  release();
  assert.equal((await settle(page.run, 'detection')).state, 'done');
  const { body } = await anna.get(page.steps);
  assert.match(body, /class="page-form settings-form"/);
  await cancel(page);
  await punctual.stop();
});

test('a form waits for a step that another server runs', async (t) => {
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() / 200);
  const other = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: folder }, 'elsewhere');
  const bert = await createSignedInClient(other, store, b);
  const start = `/admin/organizations/${b}/imports/new`;
  const form = new FormData();
  form.set('token', await fetchCsrfToken(bert));
  form.set('source', 'new');
  form.set('file', new File([table], 'Export.csv'));
  // It prepares a process of the server that runs the step.
  await anna.open(`${base}/new`);
  const { location = '' } = await bert.send(start, form);
  const { body } = await bert.get(location);
  await bert.post(`${location}/cancel`, { token: await fetchCsrfToken(bert) });
  assert.match(body, /class="page-form settings-form"/);
});

test('one person prepares an import, and another one publishes it', async () => {
  const importer = await createSignedInClient(server, store, a, ['import']);
  const publisher = await createSignedInClient(server, store, a, ['publish']);
  const tokens = [await fetchCsrfToken(importer), await fetchCsrfToken(publisher)];
  const { steps, body, run } = await upload(`source:${definition.name}`, composeTable(12), importer);
  assert.match(body, /The dry run is complete/);
  assert.match(body, /Ask for approval/);
  const asked = await importer.post(`${steps}/confirm`, {
    token: tokens[0] ?? '',
    personalData: 'publish',
  });
  const request = /^[^?]*\/approvals\/[0-9a-f-]{36}/.exec(asked.location ?? '')?.[0] ?? '';
  assert.equal(asked.status, 303);
  assert.equal((await importer.post(`${request}/approve`, { token: tokens[0] ?? '' })).status, 403);
  for (const form of ['', '/statuses', '/replace'])
    assert.equal((await publisher.post(steps + form, { token: tokens[1] ?? '' })).status, 403, form);
  assert.equal((await find(run)).step, 'dry_run');
  await publisher.post(`${request}/approve`, { token: tokens[1] ?? '' });
  assert.equal((await settle(run, 'import')).state, 'done');
});
