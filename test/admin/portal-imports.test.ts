/** Imports from the page of a data portal in the admin area, without scripts, with APIs that a local server imitates. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, suite, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { emptySourceDefinition } from '../../src/domain/sources/import-source.ts';
import { startDataServer } from '../support/data-server.ts';
import {
  createSignedInClient,
  fetchCsrfToken,
  getFieldValue,
  type PageResponse,
} from '../support/form-client.ts';
import { byNight } from '../support/nightly.ts';
import {
  createRows,
  resourceId,
  rowMapping,
  type SystemName,
  servePortal,
} from '../support/portal-server.ts';
import { createRunBench } from '../support/run-bench.ts';

const bench = await createRunBench({ after });
const { fixture } = bench;
const { store, a } = fixture;
const data = await startDataServer({ after });
const authorities = getCACertificates();
setDefaultCACertificates([...authorities, data.certificate]);
after(() => setDefaultCACertificates(authorities));
const encryption = { ROSTRA_ENCRYPTION_KEY: randomBytes(32).toString('hex') };
const server = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: bench.folder, ...encryption });
const anna = await createSignedInClient(server, store, a);
const token = await fetchCsrfToken(anna);
const start = `/admin/organizations/${a}/imports/new`;
const settings = { ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1', ...encryption };

const rows = createRows(3);

const answerJson = (path: string, value: unknown) =>
  data.files.set(path, (_, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });

async function send(path: string, fields: Record<string, string>): Promise<PageResponse> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ token, ...fields })) form.set(name, value);
  return anna.send(path, form);
}

/** Runs the step that a form has queued. @returns where the form leads to */
async function runStep({ location, body }: PageResponse): Promise<string> {
  assert.ok(location !== undefined, body);
  await bench.runQueue(settings);
  return location;
}

/** Starts an import. @returns the path of its page */
const begin = async (system: string, address: string) =>
  runStep(await send(start, { source: 'new', system, url: data.origin + address }));

const post = async (path: string, fields: Record<string, string> = {}) =>
  runStep(await anna.post(path, { token, ...fields }));

const chooseSettings = async (path: string, name: string) =>
  runStep(await send(`${path}?settings=1&format=table`, { name, mapping: rowMapping, action: 'dry-run' }));

/** A municipality may have few open imports. */
const cancel = (path: string) => anna.post(`${path}/cancel`, { token });

const findSource = (name: string) => store.findSource({ organizationId: a, name });

suite('the page of a portal', () => {
  test('is enough to import its records: the dry run has the count of the server', async () => {
    servePortal(data, 'socrata', rows);
    const path = await begin('', '/Social-Services/Service-Requests/erm2-nwe9/about_data');
    const suggestion = (await anna.get(path)).body;
    assert.match(suggestion, /3 records, as the server says/);
    // Not ":id", the number of the row in the portal.
    assert.equal(getFieldValue(suggestion, 'column.id'), 'column:id');
    await chooseSettings(path, 'Lamps');
    const { body } = await anna.get(path);
    assert.match(body, /<dt>New<\/dt><dd>3<\/dd>/);
    assert.match(body, /3 records, as the server says/);
    await post(`${path}/confirm`, { personalData: 'publish' });
    const { url, options } = (await findSource('Lamps')) ?? {};
    assert.deepEqual([url, options?.system], [`${data.origin}/resource/erm2-nwe9.json`, 'socrata']);
    rows.push({ ...rows[0], id: 4 } as (typeof rows)[number]);
    const again = await post(`/admin/organizations/${a}/sources/Lamps/run`);
    assert.match((await anna.get(again)).body, /4 records, as the server says/);
  });

  test('asks which of several tables is meant', async () => {
    servePortal(data, 'ckan', rows);
    const file = { id: 'f', name: 'Reports', url: `${data.origin}/reports.csv`, datastore_active: false };
    const table = { id: resourceId, name: 'Reports', url: '', datastore_active: true };
    const numbered = { ...file, id: 'g', name: 'Reports (2)' };
    answerJson('/api/3/action/package_show', { result: { resources: [file, table, numbered] } });
    data.files.set('/reports.csv', 'id,text,state,date\n1,Lamp,open,2026-01-05\n');
    const path = await begin('ckan', '/dataset/reports');
    const question = await anna.get(path);
    assert.match(question.body, /This page has several tables/);
    const options = [...question.body.matchAll(/<option value="(Reports[^"]*)">/g)].map(([, name]) => name);
    assert.deepEqual(options, ['Reports', 'Reports (3)', 'Reports (2)']);
    const unanswered = await anna.post(`${path}/sheet`, { token });
    assert.match(unanswered.body, /Choose the table to import\./);
    assert.equal(unanswered.status, 422);
    await post(`${path}/sheet`, { sheet: 'Reports (3)' });
    const { body } = await anna.get(path);
    assert.match(body, new RegExp(`${rows.length} records, as the server says`));
    assert.match(body, /name="name"[^>]* value="Reports \(3\)"/);

    const ofFile = await begin('', '/dataset/reports');
    await post(`${ofFile}/sheet`, { sheet: 'Reports' });
    await chooseSettings(ofFile, 'File of the page');
    assert.match((await anna.get(ofFile)).body, /<dt>New<\/dt><dd>1<\/dd>/);
  });

  test('of a service with one layer is that layer', async () => {
    servePortal(data, 'arcgis', rows);
    const service = '/arcgis/rest/services/Reports/FeatureServer';
    answerJson(service, { layers: [{ id: 0, name: 'Reports' }], tables: [] });
    const path = await begin('', service);
    assert.match((await anna.get(path)).body, new RegExp(`${rows.length} records, as the server says`));
  });

  test('that looks like one, but is none, is read as a file', async () => {
    for (const address of ['/data/lamp-2026', '/services']) {
      data.files.set(address, 'id,text,state,date\n1,Lamp,open,2026-01-05\n');
      const path = await begin('', address);
      const { body } = await anna.get(path);
      assert.match(body, /Mapping of columns/, address);
      assert.doesNotMatch(body, /as the server says/);
      await cancel(path);
    }
    const ofSystem = await begin('socrata', '/data/lamp-2026');
    const { body } = await anna.get(ofSystem);
    assert.doesNotMatch(body, /Mapping of columns/);
    assert.match(body, /lamp-2026\S* does not exist \(404\)/);
    await cancel(ofSystem);
  });

  test('of another system than the chosen one is an error at its field, which keeps what was typed', async () => {
    const url = `${data.origin}/explore/assets/reports`;
    for (const system of ['ckan', 'socrata'] satisfies SystemName[]) {
      const { status, body } = await send(start, { source: 'new', system, url });
      assert.equal(status, 422);
      assert.match(body, /href="#url">[^<]*is not an address of \w+ that Rostra knows/);
      assert.deepEqual([getFieldValue(body, 'url'), getFieldValue(body, 'system')], [url, system]);
    }
  });

  test('that answers with an error shows the sentence of the server', async () => {
    servePortal(data, 'socrata', rows).fault = (_, response) =>
      !!response.writeHead(400).end('{"message":"No such column: stat"}');
    const path = await begin('', '/Reports/Lamps/erm2-nwe9');
    assert.match((await anna.get(path)).body, /No such column: stat/);
  });
});

suite('a portal that demands a key', () => {
  const address = `/dataset/reports/resource/${resourceId}`;
  const key = 'geheim-4711-portal';

  test('gets it from the user who is asked for it, and the key is stored encrypted with the source', async () => {
    servePortal(data, 'ckan', rows).fault = (_, response, __, { headers }) =>
      headers.authorization !== key && !!response.writeHead(403).end();
    data.files.set(address, '<!doctype html><title>Reports</title><p>Lamps');
    const shown: string[] = [];
    const open = async (path: string) => {
      const { body } = await anna.get(path);
      shown.push(body);
      return body;
    };
    const path = await begin('', address);
    const denied = await open(path);
    assert.match(denied, /denies access without a key \(403\)\. Get a key there, and enter it\./);
    assert.ok(denied.includes(`href="${path}/key"`), denied);
    assert.match(denied, /href="[^"]*\/new\?url=https%3A%2F%2F[^"]*#url"><span[^>]*>Change the address</);
    assert.match(await open(`${path}/key`), /<input[^>]+name="portalKey" type="password" value=""/);
    const short = await anna.post(`${path}/key`, { token, portalKey: 'short' });
    assert.match(short.body, /must have 8 to 4,096/);
    assert.equal(short.status, 422);
    await post(`${path}/key`, { portalKey: `${key}-wrong` });
    assert.match(await open(path), /refuses the key \(403\)/);
    await post(`${path}/key`, { portalKey: key });
    assert.match(await open(path), new RegExp(`${rows.length} records, as the server says`));
    const readDetection = async () => {
      const id = /[^/]+(?=\/steps)/.exec(path)?.[0] ?? '';
      const sql = 'SELECT detection FROM import_run WHERE id = $1';
      return (await fixture.sql<{ detection: string | null }>(sql, [id]))[0];
    };
    const stored = await readDetection();
    assert.match(stored?.detection ?? '', /"encrypted":"/);
    await chooseSettings(path, 'Locked');
    await post(`${path}/confirm`, { personalData: 'publish' });
    assert.equal((await findSource('Locked'))?.portalKeyOrigin, data.origin);
    const again = await post(`/admin/organizations/${a}/sources/Locked/run`);
    assert.match(await open(again), new RegExp(`${rows.length} records, as the server says`));
    assert.match(await open(`/admin/organizations/${a}/audit`), /Key of a portal stored/);
    assert.doesNotMatch([...shown, stored?.detection].join('\n'), /geheim/);
    assert.deepEqual(await readDetection(), { detection: null });
    assert.equal((await anna.get(`${path}/key`)).location, path);
  });

  test('keeps no key in an address: it is refused, with the remedy', async () => {
    const source = { ...emptySourceDefinition, name: 'Lamps of a file', format: 'table' };
    await store.addSource(a, { ...source, options: { mapping: rowMapping } });
    const edit = `/admin/organizations/${a}/sources/${encodeURIComponent(source.name)}/edit`;
    for (const [address, name] of [
      ['/explore/dataset/reports/', 'apikey'],
      ['/resource/erm2-nwe9.json', '$$app_token'],
    ]) {
      const url = `${data.origin}${address}?${name}=geheim-4711`;
      for (const { status, body } of [
        await send(start, { source: 'new', url }),
        await send(edit, { url, mapping: rowMapping, redaction: 'email' }),
      ]) {
        assert.equal(status, 422);
        assert.ok(
          body.includes(`Remove the key from the address (the part beginning with “${name}=”)`),
          body,
        );
      }
    }
  });
});

test('an import from a service without requests, which answers with 404, says that it has none', async () => {
  const period = 'start_date=2026-01-01T00:00:00Z&end_date=2026-01-20T00:00:00Z';
  servePortal(data, 'open311', []).fault = (_, response, __, { url }) =>
    url?.includes('/requests.json') === true && !!response.writeHead(404).end();
  const path = await begin('', `/georeport/v2/requests.json?${period}`);
  assert.match((await anna.get(path)).body, /requests\.json\S* answered, but has no records\./);
});

suite('the address of a system with a format of its own', {
  skip: byNight('the pauses between requests take seconds'),
}, () => {
  const addresses = {
    open311: '/georeport/v2/requests.json?start_date=2026-01-01T00:00:00Z&end_date=2026-02-01T00:00:00Z',
    decidim: '/processes/budget/f/17/',
  };
  for (const [format, address] of Object.entries(addresses))
    test(`is enough to import from ${format}, also again`, async () => {
      servePortal(data, format as SystemName, rows.slice(0, 2));
      const path = await begin('', address);
      assert.match((await anna.get(path)).body, /<strong>[^<]*(?:Open311|Decidim)/);
      await runStep(await send(`${path}?settings=1&format=${format}`, { name: format, action: 'dry-run' }));
      assert.match((await anna.get(path)).body, /<dt>New<\/dt><dd>2<\/dd>/);
      await post(`${path}/confirm`, { personalData: 'publish' });
      const source = await findSource(format);
      assert.deepEqual([source?.format, source?.options.system], [format, format]);
      const again = await post(`/admin/organizations/${a}/sources/${format}/run`);
      assert.match((await anna.get(again)).body, /<dt>New<\/dt><dd>0<\/dd>/);
      await cancel(again);
    });
});

test('an import from a server that returns only some records of a second says so before and after', async () => {
  const date = '2026-01-05T10:00:00';
  const portal = servePortal(
    data,
    'open311',
    createRows(12).map((row) => ({ ...row, date })),
  );
  portal.maxRows = 10;
  const period = `start_date=${date}Z&end_date=2026-01-05T10:00:01Z`;
  const path = await begin('', `/georeport/v2/requests.json?${period}`);
  await runStep(await send(`${path}?settings=1&format=open311`, { name: 'Crowd', action: 'dry-run' }));
  const { body } = await anna.get(path);
  assert.match(body, /<dt>New<\/dt><dd>10<\/dd>/);
  const note = /returned only some of its records for one period \(from 2026-01-05T10:00:00\S+ to/;
  assert.match(body, note);
  await post(`${path}/confirm`, { personalData: 'publish' });
  const [id = ''] = /[0-9a-f-]{36}(?=\/steps)/.exec(path) ?? [];
  const run = await store.findImportRun(a, id);
  assert.deepEqual([run?.state, run?.notes.map(({ code }) => code)], ['done', ['live-windows-cut']]);
  const source = await anna.get(`/admin/organizations/${a}/sources/Crowd`);
  assert.match(source.body, /The last import may not have all records/);
});

suite('the address of an OParl system', () => {
  test('becomes a source without a dry run', async () => {
    answerJson('/oparl', { id: `${data.origin}/oparl`, type: 'https://schema.oparl.org/1.1/System' });
    const path = await begin('', '/oparl');
    assert.match((await anna.get(path)).body, /Save source/);
    await runStep(await send(`${path}?settings=1&format=oparl`, { name: 'Council', action: 'dry-run' }));
    const { url, format, intervalMs } = (await findSource('Council')) ?? {};
    assert.deepEqual([url, format, intervalMs], [`${data.origin}/oparl`, 'oparl', null]);
  });

  test('is rejected if it answers with other data', async () => {
    data.files.set('/table.csv', 'id,text\n1,Lamp\n');
    const path = await begin('oparl', '/table.csv');
    assert.match((await anna.get(path)).body, /not as the chosen system does/);
  });
});

suite('a portal whose terms forbid to publish its data', () => {
  const url = 'https://crm.seeclickfix.com/api/v2/issues';

  test('is refused with the reason, unless somebody confirms the permission', async () => {
    const refused = await send(start, { source: 'new', url });
    assert.equal(refused.status, 422);
    assert.match(
      refused.body,
      /href="#url">SeeClickFix publishes its data under CC BY-NC-SA, so others may not/,
    );
    assert.match(refused.body, /<input[^>]* name="mayRepublish"/);
    const { location = '' } = await send(start, { source: 'new', url, mayRepublish: '1' });
    const [id = ''] = /[0-9a-f-]{36}(?=\/steps)/.exec(location) ?? [];
    const run = await store.findQueuedRun(a, id);
    await store.cancelRun({ organizationId: a, id });
    assert.equal(run?.detection?.address?.isPermitted, true);
  });

  test('has the permission in the audit log', async () => {
    const name = 'Concerns';
    await store.addSource(a, {
      ...emptySourceDefinition,
      name,
      format: 'table',
      options: { mapping: rowMapping },
    });
    const path = `/admin/organizations/${a}/sources/${name}/edit`;
    assert.equal((await send(path, { url, mapping: rowMapping, redaction: 'email' })).status, 422);
    assert.equal(
      (await send(path, { url, mapping: rowMapping, redaction: 'email', mayRepublish: '1' })).status,
      303,
    );
    const { body } = await anna.open(`/admin/organizations/${a}/audit`);
    assert.match(body, /We have permission to publish this data under our licence: /);
    assert.equal(
      (await send(path, { url, mapping: rowMapping, redaction: 'email' })).status,
      422,
      'withdrawn',
    );
  });
});
