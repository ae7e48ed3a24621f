/** Keys of data portals: how they are stored, where they are sent, and what they cannot appear in. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openStore } from '../../src/store/open.ts';
import { createCliWorkspace, runCli } from '../support/cli-workspace.ts';
import { startDataServer } from '../support/data-server.ts';
import { storeDefaults } from '../support/database.ts';
import { byNight } from '../support/nightly.ts';
import { resourceId, type SystemName, servePortal } from '../support/portal-server.ts';

const workspace = await createCliWorkspace({ after });
const server = await startDataServer({ after });
const otherServer = await startDataServer({ after });
const authorities = getCACertificates();
before(() => setDefaultCACertificates([...authorities, server.certificate, otherServer.certificate]));
after(() => setDefaultCACertificates(authorities));
const store = await openStore({ ...storeDefaults, database: workspace.database, lockTimeoutMs: 30_000 });
after(() => store.close());

const encryptionKey = randomBytes(32).toString('hex');
const createOptions = (extra: Record<string, string> = { ROSTRA_ENCRYPTION_KEY: encryptionKey }) => ({
  environment: { ROSTRA_DATABASE: workspace.database, ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1', ...extra },
});

/** Its spellings in URLs, JSON and HTML differ. */
const key = `geheim+/=&"${randomUUID()}`;

const mapping = workspace.writeFile(
  'mapping.yaml',
  'submission:\n  id: id\n  description: text\n  status: { column: state, values: { open: received } }\n  createdAt: { column: date, date: ISO }\n',
);
const rows = [{ id: 1, text: 'Broken lamp', state: 'open', date: '2026-01-05T10:00:00' }];

/** The others take no key. */
type KeySystem = Exclude<SystemName, 'open311' | 'decidim'>;

const pages: Record<KeySystem, string> = {
  socrata: '/Social-Services/Service-Requests/erm2-nwe9',
  ckan: `/dataset/reports/resource/${resourceId}`,
  opendatasoft: '/explore/dataset/reports/',
  arcgis: '/arcgis/rest/services/Reports/FeatureServer/0',
};

type Request = (typeof server.requests)[number];
const readParameter = ({ path }: Request, name: string) =>
  new URL(path, server.origin).searchParams.get(name);

/** Where each system expects its key. */
const places: Record<KeySystem, (request: Request) => unknown> = {
  socrata: ({ headers }) => headers['x-app-token'],
  ckan: ({ headers }) => headers.authorization,
  opendatasoft: (request) => readParameter(request, 'apikey'),
  arcgis: (request) => readParameter(request, 'token'),
};

async function addSource(system: KeySystem, input: string | null = key) {
  const town = await store.addOrganization(`Ort ${randomUUID()}`, randomUUID());
  const written: string[] = [];
  const run = async (
    args: readonly string[],
    { extra, text }: { extra?: Record<string, string>; text?: string } = {},
  ) => {
    const result = await runCli(['source', ...args, '--organization', town.id], {
      ...createOptions(extra),
      ...(text !== undefined && { input: text }),
    });
    written.push(result.stdout, result.stderr);
    return result;
  };
  const added = await run(
    [
      ...['add', 'Reports', '--format', 'table', '--mapping', mapping, '--system', system, '--pause', '0'],
      ...['--url', `${server.origin}${pages[system]}`, ...(input === null ? [] : ['--key-file', '-'])],
    ],
    { ...(input !== null && { text: `${input}\n` }) },
  );
  server.requests.length = 0;
  return { town, run, added, written };
}

const skip = byNight('it starts many commands; the other tests of this file import with keys, too');

/** The key and its spellings in URLs, JSON and HTML. */
const keyText = new RegExp(`geheim|${key.slice(-36)}`);

for (const system of Object.keys(pages) as KeySystem[])
  test(`each request to ${system} has the key, which is not printed`, {
    skip: system !== 'arcgis' && skip,
  }, async () => {
    servePortal(server, system, rows);
    const { run, added, written } = await addSource(system);
    assert.equal(added.code, 0, added.stderr);
    const imported = await run(['run', 'Reports']);
    assert.equal(imported.code, 0, imported.stderr);
    assert.ok(server.requests.length >= 2);
    for (const request of server.requests) assert.equal(places[system](request), key, request.path);
    await run(['show', 'Reports']);
    await run(['show', 'Reports', '--json']);
    await run(['list', '--json']);
    assert.match(written.join('\n'), /key of portal +stored, for https:\/\/127\.0\.0\.1/);
    assert.doesNotMatch(written.join('\n'), keyText);
  });

suite('a stored key', () => {
  test('is encrypted in the database, and the audit log has only its change', async () => {
    const { town, run } = await addSource('ckan');
    const [row] = await workspace.sql<{ portal_key: Buffer }>(
      'SELECT portal_key FROM import_source WHERE organization_id = $1',
      [town.id],
    );
    const stored = Buffer.from(row?.portal_key as Buffer);
    assert.doesNotMatch(stored.toString('latin1'), keyText);
    assert.equal(stored.length, 28 + key.length);
    await run(['edit', 'Reports', '--clear', 'key']);
    const events = await workspace.sql<{ action: string }>(
      'SELECT * FROM audit_event WHERE organization_id = $1 ORDER BY action',
      [town.id],
    );
    const actions = events.map(({ action }) => action).filter((action) => action.startsWith('source.'));
    assert.deepEqual(actions, ['source.added', 'source.key_removed', 'source.key_stored']);
    assert.doesNotMatch(JSON.stringify(events), keyText);
  });

  test('is replaced from a file, and removed', { skip }, async () => {
    servePortal(server, 'socrata', rows);
    const { run } = await addSource('socrata');
    const file = workspace.writeFile('key', 'another-key\n');
    assert.equal((await run(['edit', 'Reports', '--key-file', file])).code, 0);
    await run(['run', 'Reports']);
    assert.equal(server.requests.at(-1)?.headers['x-app-token'], 'another-key');
    assert.equal((await run(['edit', 'Reports', '--clear', 'key'])).code, 0);
    await run(['run', 'Reports']);
    assert.equal(server.requests.at(-1)?.headers['x-app-token'], undefined);
  });

  test('needs the setting, a portal that takes keys, and a usable text', { skip }, async () => {
    const { run } = await addSource('ckan', null);
    const edit = ['edit', 'Reports', '--key-file', '-'];
    const without = await run(edit, { extra: {}, text: key });
    assert.match(without.stderr, /encrypted with ROSTRA_ENCRYPTION_KEY, which is not set/);
    assert.equal(without.code, 2);
    const short = await run(edit, { text: 'short' });
    assert.match(short.stderr, /must have 8 to 4,096 letters/);
    const withoutPortal = await run([...edit, '--clear', 'system'], { text: key });
    assert.match(withoutPortal.stderr, /Only a source with the address of a data portal/);
  });

  test('of another installation fails its own source only', { skip }, async () => {
    servePortal(server, 'ckan', rows);
    const [lost, present] = [await addSource('ckan'), await addSource('ckan', null)];
    const extra = { ROSTRA_ENCRYPTION_KEY: randomBytes(32).toString('hex') };
    for (const { run } of [lost, present])
      assert.equal((await run(['edit', 'Reports', '--every', '1h'])).code, 0);
    const due = await runCli(['source', 'run', '--due', '--json'], createOptions(extra));
    const ended = due.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const find = ({ town }: typeof lost) => ended.find(({ organizationId }) => organizationId === town.id);
    assert.equal(find(present).state, 'done', due.stdout);
    assert.match(find(lost).error, /cannot be decrypted: it was stored with another ROSTRA_ENCRYPTION_KEY/);
    assert.deepEqual((await lost.run(['run', 'Reports'])).code, 0);
  });

  test('of another source or portal cannot be decrypted', { skip }, async () => {
    servePortal(server, 'ckan', rows);
    const [first, second] = [await addSource('ckan'), await addSource('ckan', null)];
    await workspace.sql(
      `UPDATE import_source SET (portal_key, portal_key_origin) = (SELECT portal_key, portal_key_origin
        FROM import_source AS other WHERE other.organization_id = $1) WHERE organization_id = $2`,
      [first.town.id, second.town.id],
    );
    assert.match((await second.run(['run', 'Reports'])).stderr, /cannot be decrypted/);
  });
});

suite('a key is sent to its portal only:', () => {
  test('not after a redirect to another origin, whose address is masked', async () => {
    const portal = servePortal(server, 'opendatasoft', rows);
    otherServer.files.set('/elsewhere', '[]');
    portal.fault = (query, response) => {
      const location = `${otherServer.origin}/elsewhere?apikey=${encodeURIComponent(query.get('apikey') ?? '')}`;
      return !!response.writeHead(302, { location: `${location}#${query.get('apikey')}` }).end();
    };
    const { run, written } = await addSource('opendatasoft');
    const { stderr } = await run(['run', 'Reports']);
    assert.match(stderr, /redirects to https:\/\/127\.0\.0\.1:\d+\/elsewhere/);
    assert.deepEqual(otherServer.requests, []);
    assert.doesNotMatch(written.join('\n'), keyText);
  });

  test('but after a redirect inside of its origin', { skip }, async () => {
    const portal = servePortal(server, 'opendatasoft', rows);
    portal.fault = (query, response) => {
      if (query.has('moved')) return false;
      const to = '/api/explore/v2.1/catalog/datasets/reports/records?moved=1&apikey=x';
      return !!response.writeHead(302, { location: to }).end();
    };
    const { run } = await addSource('opendatasoft');
    await run(['run', 'Reports']);
    assert.equal(readParameter(server.requests[1] as Request, 'apikey'), key);
  });

  test('not to another address of the source', { skip }, async () => {
    servePortal(otherServer, 'ckan', rows);
    const { run } = await addSource('ckan');
    assert.equal((await run(['edit', 'Reports', '--url', `${otherServer.origin}${pages.ckan}`])).code, 0);
    const { stderr } = await run(['run', 'Reports']);
    assert.match(stderr, /The stored key belongs to https:\/\/127\.0\.0\.1:\d+, but the address/);
    assert.deepEqual(otherServer.requests, []);
  });
});

suite('a portal that denies access', () => {
  test('asks for a key, and refuses one, with a sentence of its own', async () => {
    servePortal(server, 'ckan', rows).fault = (_, response, __, { headers }) =>
      !!response
        .writeHead(403)
        .end(JSON.stringify({ error: { message: `Bad key ${headers.authorization}` } }));
    const withKey = await addSource('ckan');
    const refused = await withKey.run(['run', 'Reports']);
    assert.match(refused.stderr, /refuses the key \(403\).*Get a new key there, and store it with/);
    const without = await addSource('ckan', null);
    const { stderr } = await without.run(['run', 'Reports']);
    assert.match(stderr, /denies access without a key \(403\)/);
  });

  test('may do so with status 200 and each code of ArcGIS', async () => {
    const portal = servePortal(server, 'arcgis', rows);
    const { run } = await addSource('arcgis');
    for (const code of [401, 403, 498, 499]) {
      portal.fault = (_, response) =>
        !!response.writeHead(200).end(`{"error":{"code":${code},"message":"Invalid token."}}`);
      assert.match((await run(['run', 'Reports'])).stderr, new RegExp(`refuses the key \\(${code}\\)`));
    }
  });

  test('does not show the key in its error, wherever the text is cut', { skip }, async () => {
    const portal = servePortal(server, 'opendatasoft', rows);
    for (const length of [0, 150, 190]) {
      portal.fault = (query, response) =>
        !!response
          .writeHead(400)
          .end(JSON.stringify({ message: `${'x'.repeat(length)} ${query.get('apikey')} ${query}` }));
      const { run } = await addSource('opendatasoft');
      const { stderr } = await run(['run', 'Reports']);
      assert.match(stderr, /refuses the request \(400\): "x* \*/);
      assert.doesNotMatch(stderr, keyText);
    }
  });
});
