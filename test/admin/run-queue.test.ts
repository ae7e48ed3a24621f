/** Steps of imports: reports, failures, addresses, undo. */

import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { maxOpenRuns, type QueuedRun } from '../../src/domain/runs/run-queue.ts';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { runCliProcess } from '../support/cli-workspace.ts';
import { endpointEnvironment, startCouncilServer } from '../support/council-server.ts';
import { startDataServer } from '../support/data-server.ts';
import { failureText } from '../support/failure-text.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { createSignedInClient, fetchCsrfToken, getFieldValue } from '../support/form-client.ts';
import { byNight } from '../support/nightly.ts';
import { resourceId, servePortal, systems } from '../support/portal-server.ts';
import { composeTable, createRunBench, definition, lisa } from '../support/run-bench.ts';

test('an import goes through detection, dry run and import, and is recorded as the account’s', async (t) => {
  const { fixture, upload, find, runQueue, folder } = await createRunBench(t);
  const { store, a } = fixture;
  const run = await upload(composeTable(30));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const [own = ''] = readdirSync(folder);
  assert.equal(statSync(join(folder, own, 'Export.csv')).mode & 0o777, 0o600);

  await runQueue();
  const detected = await find(run);
  assert.equal(detected.state, 'done', failureText(detected));
  assert.deepEqual(detected.detection?.files, ['Export.csv']);
  assert.ok(
    detected.detection?.formats.some(
      ({ format, reason }) => format === 'table' && reason.code === 'any-table',
    ),
  );

  const columns = detected.detection?.suggestion?.columns.map(({ name }) => name);
  assert.deepEqual(columns, ['Nummer', 'Text', 'Stand', 'Datum']);

  assert.equal(await store.queueImportStep(run, 'import'), false, 'nothing is imported without a dry run');
  assert.equal(await store.queueImportStep(run, 'dry_run', { definition }, lisa), true);
  await runQueue();
  const { dryRun, state, failure } = await find(run);
  assert.equal(state, 'done', failureText({ failure }));
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

  assert.equal(await store.queueImportStep(run, 'import', undefined, lisa), true);
  assert.equal(await store.queueImportStep(run, 'import', undefined, lisa), false, 'a form is sent twice');
  await runQueue();
  const imported = await find(run);
  assert.equal(imported.state, 'done', failureText(imported));
  assert.deepEqual([imported.detection, imported.dryRun], [null, null], 'reports are deleted with the file');
  const [importRun] = await store.listImportRuns(a, undefined, 10);
  assert.equal(importRun?.id, imported.id);
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

test('JSON with two lists is drafted from the longer one, and from the other one on request', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const anna = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
  const list = (length: number, text: string) =>
    Array.from({ length }, (_, n) => ({ id: `n-${n}`, text: `${text} ${n}`, created: 1_772_438_400 + n }));
  const run = await upload(JSON.stringify({ page: 1, ideas: list(30, 'Bench'), reports: list(20, 'Lamp') }));
  const steps = `/admin/organizations/${fixture.a}/imports/${run.id}/steps`;
  await runQueue();
  const { body } = await anna.open(steps);
  assert.match(body, /List: .*ideas.*href="[^"]+\/sheet">Choose another list/);
  assert.match(body, /The file has other lists, which are not imported: reports/);
  assert.equal(getFieldValue(body, 'option.records'), 'ideas');

  const token = await fetchCsrfToken(anna);
  assert.match((await anna.post(`${steps}/sheet`, { token, sheet: '' })).body, /Choose the list to import/);
  await anna.post(`${steps}/sheet`, { token, sheet: 'reports' });
  await runQueue();
  const settings = (await anna.open(steps)).body;
  assert.match(settings, /List: .*reports.*Choose another list/);
  assert.equal(getFieldValue(settings, 'option.records'), 'reports');
  assert.equal(getFieldValue(settings, 'date.createdAt'), 'unix');
  await anna.post(`${steps}?settings=1&format=table`, {
    ...{ token, action: 'dry-run', name: 'Reports', 'option.records': 'reports' },
    ...{
      'column.id': 'column:id',
      'column.description': 'column:text',
      'column.createdAt': 'column:created',
    },
  });
  await runQueue();
  const { dryRun, failure } = await find(run);
  assert.equal(dryRun?.counts.inserted, 20, failureText({ failure }));
  assert.match(String(dryRun?.samples[0]?.document.description), /^Lamp/);
});

test('a column of yes and no that a person chooses is read as such, also under an unknown name', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const anna = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
  const rows = Array.from({ length: 20 }, (_, n) => `${n};Bank ${n};2026-03-02;${n < 15 ? 'nein' : 'ja'}`);
  const run = await upload(`Nr;Inhalt;Eingang;X7\n${rows.join('\n')}\n`);
  await runQueue();
  const steps = `/admin/organizations/${fixture.a}/imports/${run.id}/steps`;
  await anna.post(`${steps}?settings=1&format=table`, {
    ...{ token: await fetchCsrfToken(anna), action: 'dry-run', name: 'Liste' },
    ...{ 'column.id': 'column:Nr', 'column.description': 'column:Inhalt' },
    ...{ 'column.createdAt': 'column:Eingang', 'column.hasAttachments': 'column:X7' },
  });
  await runQueue();
  const { dryRun, failure } = await find(run);
  assert.equal(dryRun?.counts.inserted, 20, failureText({ failure }));
  assert.deepEqual(
    dryRun?.samples.map(({ document }) => document.hasAttachments),
    dryRun?.samples.map(() => false),
    'the first rows say no',
  );
});

test('the row of the headings can be chosen, and several date patterns of a column are one text', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const anna = await createSignedInClient(await fixture.startServer(), fixture.store, fixture.a);
  const rows = [
    'Nr;Inhalt;Eingang;Zeichen',
    'laufend;Text;Datum;Zeichen',
    '1;Bank;01.03.2026;A1',
    '2;Baum;2026-03-02 10:15:00 UTC;A2',
  ];
  const run = await upload(`Liste;;;\n${rows.join('\n')}\n`);
  const steps = `/admin/organizations/${fixture.a}/imports/${run.id}/steps`;
  await runQueue();
  const { body } = await anna.open(steps);
  assert.match(body, /The headings are in row 2\. The rows above are not imported\./);
  assert.equal(getFieldValue(body, 'option.headerRow'), '');
  const token = await fetchCsrfToken(anna);
  const form = { token, action: 'dry-run', name: 'Liste' };
  const address = `${steps}?settings=1&format=table`;
  assert.match(
    (await anna.post(address, { ...form, 'option.headerRow': '101' })).body,
    /whole number from 1 to 100/,
  );
  await anna.post(address, {
    ...{ ...form, name: 'Meldungen', timeZone: 'Europe/Madrid', 'option.headerRow': '3' },
    ...{ 'column.title': 'column:Inhalt', 'column.topicCategoryName': 'column:Zeichen' },
  });
  await runQueue();
  const settings = (await anna.open(steps)).body;
  assert.match(settings, /read again with the headings in row 3.*instead of your entry: Title</s);
  assert.deepEqual(
    ['name', 'timeZone', 'column.topicCategoryName', 'column.description'].map((name) =>
      getFieldValue(settings, name),
    ),
    ['Meldungen', 'Europe/Madrid', 'column:Zeichen', 'column:Text'],
  );
  assert.equal(getFieldValue(settings, 'option.headerRow'), '3');
  assert.equal(getFieldValue(settings, 'date.createdAt'), 'DD.MM.YYYY | YYYY-MM-DD HH:mm:ss Z');
  const chosen = {
    ...{ ...form, 'option.headerRow': '3', 'column.id': 'column:laufend' },
    ...{ 'column.description': 'column:Text', 'column.createdAt': 'column:Datum' },
    'shown.createdAt': '["Datum"]',
  };
  await anna.post(address, { ...chosen, 'date.createdAt': 'YYYY-MM-DD HH:mm:ss Z | DD.MM.YYYY' });
  await runQueue();
  const { dryRun, failure, definition: stored } = await find(run);
  assert.equal(dryRun?.counts.inserted, 2, failureText({ failure }));
  assert.equal(stored?.options.headerRow, '3');
  assert.match(stored?.options.mapping ?? '', /date:\s+- YYYY-MM-DD HH:mm:ss Z\s+- DD\.MM\.YYYY/);
});

test('the next file of a stored source goes straight to the dry run', async (t) => {
  const { upload, find, runQueue } = await createRunBench(t);
  const run = await upload(composeTable(5), undefined, definition);
  await runQueue();
  const { step, state, dryRun, failure } = await find(run);
  assert.deepEqual([step, state, failure], ['dry_run', 'done', null]);
  assert.equal(dryRun?.counts.inserted, 5);
});

test('a new file without a readable first line fails with the sentence of the command line', async (t) => {
  const { upload, find, runQueue } = await createRunBench(t);
  const run = await upload('"id"x,"title"\n1,a\n');
  await runQueue();
  assert.match(
    failureText(await find(run)),
    /line 1: the closing quotation mark of column 1 is followed by "x"/,
  );
});

test('a file that does not fit its stored source fails with a clear sentence, and publishes nothing', async (t) => {
  const { fixture, upload, find, runQueue } = await createRunBench(t);
  const json = await upload('{"data": [{"title": "Bank"}]}', undefined, definition);
  const changed = await upload(composeTable(5).replace('Stand', 'Status'), undefined, definition);
  await runQueue();
  assert.match(
    failureText(await find(json)),
    /Export\.csv does not have the format table of the source "Mängelmelder"/,
  );
  assert.match(failureText(await find(changed)), /Export\.csv has no column "Stand" of the mapping/);
  assert.equal((await fixture.store.listImportRuns(fixture.a, undefined, 10)).length, 0);
});

test('a file that is not on this machine fails with a remedy', async (t) => {
  const { runQueue, upload, find } = await createRunBench(t);
  const run = await upload(composeTable(5));
  await runQueue({ ROSTRA_UPLOAD_FOLDER: createTemporaryFolder(t) });
  assert.match(failureText(await find(run)), /not on this machine.*ROSTRA_UPLOAD_FOLDER/);
});

test('a municipality has at most ten unfinished imports', async (t) => {
  const { fixture, upload } = await createRunBench(t);
  for (let count = 0; count < 10; count++) await upload('a,b');
  await assert.rejects(upload('a,b'), /10 unfinished imports/);
  await upload('a,b', fixture.b);
});

test('a step that takes longer than its limit fails, and the import can be repeated', {
  skip: byNight('it waits'),
}, async (t) => {
  const { fixture, upload, find, runQueue, hold, environment } = await createRunBench(t);
  const { store, database } = fixture;
  const run = await upload(composeTable(5), undefined, definition);
  await runQueue();
  const release = hold('input');
  await store.queueImportStep(run, 'import', undefined, lisa);
  await runCliProcess(['source', 'work', '--database', database], {
    environment: { ...environment, ROSTRA_IMPORT_TIMEOUT: '1' },
  });
  assert.match(failureText(await find(run)), /longer than 1 seconds .*kept\. .*ROSTRA_IMPORT_TIMEOUT/);
  assert.equal((await find(run)).state, 'failed');
  release();
  assert.equal(await store.queueImportStep(run, 'import', undefined, lisa), true);
  await runQueue();
  assert.equal((await find(run)).state, 'done');
});

test('an undo restores the state before the run that the user saw, and is recorded as the account’s', async (t) => {
  const { fixture, find, runQueue, importFile } = await createRunBench(t);
  const { store, a } = fixture;
  const queueUndo = (run: QueuedRun) => store.queueUndo(run, definition.name, lisa);
  const countSubmissions = async () =>
    (await fixture.sql('SELECT id FROM submission WHERE organization_id = $1', [a])).length;
  const before = await countSubmissions();
  const first = await importFile(composeTable(5));
  const second = await importFile(composeTable(8));
  assert.equal(await countSubmissions(), before + 8);

  assert.equal(await queueUndo(first), true);
  await runQueue();
  assert.match(failureText(await find(first)), /Only the last import of a source can be undone/);
  assert.equal(await countSubmissions(), before + 8);

  assert.equal(await queueUndo(second), true);
  assert.equal(await queueUndo(second), false, 'it waits already');
  await runQueue();
  // The process of the first one may have crashed after the undo.
  assert.equal(await queueUndo(second), true);
  await runQueue();
  const { step, state, failure } = await find(second);
  assert.deepEqual([step, state, failure], ['undo', 'done', null]);
  assert.equal(await countSubmissions(), before + 5);
  const events = await store.listAuditEvents(a, undefined, 20);
  const undone = events.filter(({ action }) => action === 'import.undone');
  assert.deepEqual(
    undone.map(({ actor, address }) => [actor, address]),
    [[lisa.name, lisa.address]],
  );
});

test('a file or a portal at an address is downloaded once, only from public addresses, and only if it has data', {
  skip: byNight('it starts several processes'),
}, async (t) => {
  const { fixture, addAddress, find, folder, environment } = await createRunBench(t);
  const server = await startDataServer(t);
  const certificate = join(createTemporaryFolder(t), 'certificate.pem');
  writeFileSync(certificate, server.certificate);
  server.files.set('/Anliegen.csv', composeTable(5));
  server.files.set('/login', '<!doctype html><html><title>Anmelden</title></html>');
  const redirect = (location: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location }).end();
  server.files.set('/inside', redirect('https://10.0.0.1/Anliegen.csv'));
  server.files.set('/plain', redirect('http://127.0.0.1/Anliegen.csv'));
  const rows = Array.from({ length: 5 }, (_, id) => ({
    id,
    Nummer: id,
    Text: 'x',
    Stand: 'offen',
    Datum: '01.03.2026',
  }));
  servePortal(server, 'ckan', rows).maxRows = 2;
  const portalUrl = `${server.origin}${systems.ckan.path}?resource_id=${resourceId}`;
  const portalOptions = { ...definition.options, system: 'ckan', pause: '0' };
  const expected = [
    [`${server.origin}/Anliegen.csv`, null],
    [portalUrl, null],
    [`${server.origin}/login`, /\/login answered with a web page \(HTML\)/],
    [`${server.origin}/fehlt.csv`, /\/fehlt\.csv does not exist \(404\)/],
    [`${server.origin}/inside`, /10\.0\.0\.1.*not (?:requested|public|allowed)|10\.0\.0\.1.*internal/],
    [`${server.origin}/plain`, /does not use https/],
    ['https://192.168.1.1/Anliegen.csv', /192\.168\.1\.1/],
  ] as const;
  const runs = [];
  for (const [url] of expected) {
    const portal = url === portalUrl ? { url, options: portalOptions } : {};
    runs.push(await addAddress(url, { ...definition, ...portal }));
  }
  const { code, stderr } = await runCliProcess(['source', 'work', '--database', fixture.database], {
    environment: {
      ...environment,
      NODE_EXTRA_CA_CERTS: certificate,
      ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1',
    },
  });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  for (const [index, [url, failure]] of expected.entries()) {
    const run = await find(runs[index] as (typeof runs)[number]);
    assert.equal(run.state, failure === null ? 'done' : 'failed', url);
    if (failure !== null) assert.match(failureText(run), failure);
    if (failure === null) assert.equal(run.dryRun?.counts.inserted, 5);
  }
  assert.deepEqual(server.requests.filter(({ path }) => path === '/Anliegen.csv').length, 1);
  assert.equal(readdirSync(folder).length, 2, 'only complete files are stored');
});

test('“Run now” synchronises an OParl endpoint as its schedule does, and lists the run without changes too', async (t) => {
  const { fixture, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const council = await startCouncilServer(t);
  const name = 'Rat';
  const source = { name, format: 'oparl', url: council.systemUrl, options: { pause: '1' } };
  await store.addSource(a, { ...emptySourceDefinition, ...source });
  const server = await fixture.startServer();
  const anna = await createSignedInClient(server, store, a);
  const path = `/admin/organizations/${a}/sources/${name}`;
  const runNow = async () => {
    const { location } = await anna.post(`${path}/run`, { token: await fetchCsrfToken(anna) });
    await runQueue(endpointEnvironment);
    return (await anna.open(location ?? '')).body;
  };

  assert.match(await runNow(), /The import is complete/);
  assert.ok(council.requests.some(({ path: requested }) => requested === '/lists/paper'));
  const requests = council.requests.length;
  assert.match(await runNow(), /The import is complete/);
  assert.ok(council.requests.slice(requests).some(({ path: requested }) => /modified_since/.test(requested)));
  const runs = await store.listImportRuns(a, undefined, 10);
  assert.deepEqual(
    runs.map(({ state, inserted, actor }) => [state, inserted, actor]),
    [
      ['done', 0, anna.email],
      ['done', 4, anna.email],
    ],
  );
  assert.notEqual((await store.findSource({ organizationId: a, name }))?.lastSuccessAt, null);

  council.findFault = () => ({ status: 503 });
  assert.match(await runNow(), /The import failed[\s\S]+answered with 503/);
  assert.notEqual((await store.findSource({ organizationId: a, name }))?.failingSince, null);
});

test('a file at the address of an OParl endpoint is examined before anything is published, like any other', async (t) => {
  const { fixture } = await createRunBench(t);
  const { store, a } = fixture;
  const source = { name: 'Rat', format: 'oparl', url: 'https://rat.example/oparl/system' };
  await store.addSource(a, { ...emptySourceDefinition, ...source });
  const anna = await createSignedInClient(await fixture.startServer(), store, a);
  const form = new FormData();
  form.set('token', await fetchCsrfToken(anna));
  form.set('source', 'source:Rat');
  form.set('url', source.url);
  await anna.send(`/admin/organizations/${a}/imports/new`, form);
  const [run] = await store.listOpenRuns(a);
  assert.deepEqual([run?.step, run?.state], ['detection', 'queued']);
  assert.deepEqual(await store.listImportRuns(a, undefined, 10), []);
});

test('runs of an endpoint that failed leave room for imports of files', async (t) => {
  const { fixture, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const council = await startCouncilServer(t);
  council.findFault = () => ({ status: 404 });
  const source = { name: 'Rat', format: 'oparl', url: council.systemUrl, options: { pause: '1' } };
  await store.addSource(a, { ...emptySourceDefinition, ...source });
  const anna = await createSignedInClient(await fixture.startServer(), store, a);
  const token = await fetchCsrfToken(anna);
  for (let run = 0; run <= maxOpenRuns; run += 1) {
    const { location = '' } = await anna.post(`/admin/organizations/${a}/sources/Rat/run`, { token });
    await runQueue(endpointEnvironment);
    assert.match(
      (await anna.open(location)).body,
      /The import failed[\s\S]+The earlier data stays published/,
    );
  }
});

test('too many open imports are listed where another one starts, and make room when one is cancelled', async (t) => {
  const { fixture, runQueue } = await createRunBench(t);
  const { store, a } = fixture;
  const anna = await createSignedInClient(await fixture.startServer(), store, a);
  const path = `/admin/organizations/${a}/imports/new`;
  const start = async () => {
    const form = new FormData();
    form.set('token', await fetchCsrfToken(anna));
    form.set('source', 'new');
    form.set('url', 'https://data.example/issues.csv');
    return anna.send(path, form);
  };
  const started: string[] = [];
  for (let run = 0; run < maxOpenRuns; run += 1) started.push((await start()).location ?? '');
  assert.equal(new Set(started).size, maxOpenRuns);
  // Runs that failed keep their place until they are repeated or cancelled.
  await runQueue();

  const { status, body } = await start();
  assert.equal(status, 422);
  assert.match(body, /href="#open-runs">Your municipality has too many open imports/);
  assert.equal(/name="url"[^>]* value="([^"]*)"/.exec(body)?.[1], 'https://data.example/issues.csv');
  const opened = (await anna.open(path)).body;
  for (const page of [body, opened])
    for (const steps of started)
      assert.ok(page.includes(`href="${steps}"`) && page.includes(`action="${steps}/cancel"`), steps);
  assert.match(opened, /role="alert"[\s\S]*too many open imports/);
  assert.match(opened, /At most 536\.8 MB/, 'the default');

  await anna.post(`${started[0]}/cancel`, { token: await fetchCsrfToken(anna) });
  assert.doesNotMatch((await anna.open(path)).body, /too many open imports/);
  assert.equal((await start()).status, 303);
});
