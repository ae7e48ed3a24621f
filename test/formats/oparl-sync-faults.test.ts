/** Runs of faulty OParl endpoints, and runs that are stopped. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describeReason } from '../../src/domain/reasons/reason.ts';
import { assertFails, runCli, startCli } from '../support/cli-workspace.ts';
import {
  createServedItem,
  createServedMeeting,
  createServedOrganization,
  createServedPaper,
  createSyncCommands,
  endpointEnvironment,
  startCouncilServer,
} from '../support/council-server.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';
import { type Fault, schema } from '../support/oparl-server.ts';
import { createSelfSignedCertificate } from '../support/self-signed-certificate.ts';

const harness = await createImportHarness({ after });
const options = { environment: endpointEnvironment };
const authorities = getCACertificates();
const { addEndpoint, composeRun, sync, readSyncState } = createSyncCommands(harness);

test('errors of an endpoint are reported with the URL, nothing is applied, and the next run succeeds', {
  skip: byNight('it synchronises for each error'),
}, async (t) => {
  const server = await startCouncilServer(t);
  server.pageSize = 1;
  const at = server.origin;
  const town = await harness.createMunicipality();
  // A gzip file may have many members, and compressing one is faster.
  const mebibyte = gzipSync(Buffer.alloc(1024 * 1024, ' '));
  const redirect = (location: string): Fault => ({ status: 302, headers: { location } });
  const cases: [path: string, fault: Fault, sentence: RegExp, ...flags: string[]][] = [
    ['/lists/paper', { status: 404 }, /http.*\/lists\/paper does not exist \(404\)/],
    ['/lists/paper', { status: 403 }, /Access to http.*\/lists\/paper is denied \(403\)/],
    ['/body', { status: 401 }, /Access to http.*\/body is denied \(401\)/],
    // The request was not conditional, so 304 is an error: as an empty page it would end the list.
    ['/lists/paper?page=2', { status: 304 }, /page=2 answered with the unexpected status 304/],
    ['/lists/paper', { status: 400 }, /\/lists\/paper answered with the unexpected status 400/],
    ['/lists/paper?page=2', { status: 500 }, /page=2 answered with 500, 4 times/],
    ['/lists/paper?page=2', { body: '{"data":[{"id":"htt' }, /page=2 did not answer with complete JSON/],
    [
      '/lists/paper',
      { body: '<html>Wartung</html>', headers: { 'content-type': 'text/html' } },
      /"text\/html"/,
    ],
    ['/lists/paper', { body: '\u001b[31m' }, /did not answer with complete JSON/],
    ['/lists/paper', { body: '{"data":{}}' }, /is not an OParl list: it has no "data"/],
    ['/lists/paper', { body: '{"data":[],"links":{"next":7}}' }, /The URL of the next page .* is invalid/],
    [
      '/lists/paper?page=3',
      { body: `{"data":[],"links":{"next":"${at}/lists/paper?page=2"}}` },
      /is circular: it leads to http.*page=2 twice/,
    ],
    ['/lists/paper', redirect('/lists/paper'), /redirects more than 5 times/],
    ['/lists/paper', redirect('http://[:::'), /which is not a valid URL/],
    ['/lists/paper', { status: 302 }, /which is not a valid URL/],
    ['/lists/paper', redirect('http://169.254.169.254/'), /another host .*--allow-host 169\.254\.169\.254/],
    ['/lists/paper', redirect('file:///etc/passwd'), /neither http nor https/],
    [
      '/lists/paper',
      { headers: { 'retry-after': '7200' }, status: 429 },
      /429, and requests a pause of 7200 seconds/,
    ],
    [
      '/lists/paper',
      { body: Buffer.concat(Array(65).fill(mebibyte)), headers: { 'content-encoding': 'gzip' } },
      /answered with more than 64 MiB/,
    ],
    // Ten thousand parsed brackets are harmless; ten million took a gigabyte.
    [
      '/lists/paper',
      { body: '['.repeat(10_000) },
      /answered with JSON that is nested more than 100 levels deep/,
    ],
    [
      '/lists/paper',
      { body: `{"data":[${'[],'.repeat(2_100_000)}[]]}` },
      /answered with JSON that has more than 4 million values/,
    ],
    ['/none', {}, /more than 4 requests.*--max-requests/, '--max-requests', '4'],
    ['/body', { body: `{"type":"${schema}Body","id":"x"}` }, /"x" has no list/],
    ['/body', { body: `{"type":"${schema}Paper"}` }, /is not an OParl system, body or list.*Paper/],
  ];
  for (const [path, fault, sentence, ...flags] of cases) {
    server.findFault = (asked) => (asked === path ? fault : undefined);
    const { code, stderr, stdout } = await sync(town, server.bodyUrl, ...flags);
    assert.match(stderr, sentence);
    assert.match(stderr, /Nothing was imported/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it must not reach a terminal
    assert.doesNotMatch(stderr, /\u001b/);
    assert.deepEqual([code, stdout], [1, '']);
    const [kept] = await harness.workspace.sql<{ error: string }>(
      'SELECT error FROM import_source WHERE organization_id = $1',
      [town.id],
    );
    assert.match(describeReason(JSON.parse(kept?.error ?? '')), sentence);
  }
  assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  server.findFault = () => undefined;
  assert.equal((await sync(town, server.bodyUrl)).counts.inserted, 4);
  const { error, failedAt } = await readSyncState(town);
  assert.deepEqual([error, failedAt], [null, null]);

  server.findFault = (path) => (path.includes('page=2') ? { status: 500 } : undefined);
  server.put('paper', createServedPaper(at, 1, { name: 'neu' }));
  server.put('paper', createServedPaper(at, 2, { name: 'neu' }));
  assert.equal((await sync(town, server.bodyUrl)).code, 1);
  assert.ok((await harness.listAll(town, '/submissions')).every(({ description }) => description !== 'neu'));
  assert.ok((await readSyncState(town)).lastSuccessAt, 'the last complete run is still known');
});

test('an endpoint that answers later than ROSTRA_DOWNLOAD_TIMEOUT is reported', {
  skip: byNight('it waits'),
}, async (t) => {
  const [town, server] = [await harness.createMunicipality(), await startCouncilServer(t)];
  server.findFault = (asked) => (asked === '/lists/paper' ? { delayMs: 1_500 } : undefined);
  const impatient = createSyncCommands(harness, { ROSTRA_DOWNLOAD_TIMEOUT: '1' });
  const { code, stderr } = await impatient.sync(town, server.bodyUrl);
  assert.match(stderr, /did not answer within 1 seconds, 4 times/);
  assert.equal(code, 1);
});

test('the sync waits for temporary errors, lost connections and "too many requests"', {
  skip: byNight('it waits'),
}, async (t) => {
  const server = await startCouncilServer(t);
  server.findFault = (path, time) => {
    if (path === '/lists/paper' && time < 3) return { status: 503 };
    if (path === '/lists/meeting' && time === 1) return { status: 429, headers: { 'retry-after': '1' } };
    if (path === '/lists/organization' && time === 1) {
      const date = new Date(Date.now() + 2_000).toUTCString();
      return { status: 503, headers: { 'retry-after': date } };
    }
    if (path === '/body' && time === 1)
      return { headers: { 'content-length': '100000' }, body: '{"id":"', truncated: true };
    return undefined;
  };
  const town = await harness.createMunicipality();
  const { code, stderr, counts } = await sync(town, server.bodyUrl);
  assert.equal(code, 0, stderr);
  assert.deepEqual([counts.inserted, counts.requests], [4, 9]);
  const gap = (path: string) => {
    const [first, second] = server.requests.filter((asked) => asked.path === path).map(({ atMs }) => atMs);
    return (second as number) - (first as number);
  };
  assert.ok(gap('/lists/meeting') >= 990);
  assert.ok(gap('/lists/organization') >= 900);
});

test('missing hosts and hosts without TLS are reported', async (t) => {
  const town = await harness.createMunicipality();
  const plain = await startCouncilServer(t);
  const silent = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const { port } = silent.address() as { port: number };
  for (const [url, sentence] of [
    // Without a network, no name server says that the name does not exist.
    [
      'https://nowhere.invalid/oparl',
      /: (its host name does not exist|no name server answers for its host name)\. Check/,
    ],
    [plain.systemUrl.replace('http:', 'https:'), /The request to .* failed: .*(SSL|TLS|ssl)|failed/],
    [`http://127.0.0.1:${port}/`, /connection to http.* failed \((UND_ERR_SOCKET|ECONNRESET)\), 4 times/],
  ] as const) {
    const { code, stderr } = await sync(town, url);
    assert.match(stderr, sentence);
    assert.equal(code, 1);
  }
});

test('requests stay on https, and untrusted certificates are reported', async (t) => {
  const tls = createSelfSignedCertificate();
  const server = await startCouncilServer(t, tls);
  const town = await harness.createMunicipality();
  assert.match(
    (await sync(town, server.systemUrl)).stderr,
    /The certificate of .+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  );
  setDefaultCACertificates([...authorities, tls.cert]);
  t.after(() => setDefaultCACertificates(authorities));
  const open = server.origin.replace('https:', 'http:');

  server.findFault = (path) =>
    path === '/lists/paper' ? { status: 301, headers: { location: `${open}/lists/paper` } } : undefined;
  await assertFails(
    composeRun(town, server.systemUrl),
    1,
    /is not requested: it uses http, but the endpoint uses https/,
    options,
  );

  // Endpoints behind a proxy return links with http.
  const data = server.lists.paper?.slice(0, 2);
  server.findFault = (path) =>
    path === '/lists/paper'
      ? { body: JSON.stringify({ data, links: { next: `${open}/lists/paper?page=2` } }) }
      : undefined;
  server.pageSize = 2;
  assert.equal((await runCli(composeRun(town, server.systemUrl), options)).code, 0);
  assert.equal((await harness.listAll(town, '/submissions')).length, 3);
});

test('the sync requests only the host of the endpoint, regardless of references', async (t) => {
  const [server, other] = [await startCouncilServer(t), await startCouncilServer(t)];
  const at = server.origin;
  const town = await harness.createMunicipality();
  other.unlistedObjects = [
    { ...createServedItem(at, 3, 'abgelehnt'), id: `${other.origin}/items/3` },
    { id: `${other.origin}/organizations/9`, type: `${schema}Organization`, name: 'Ausschuss' },
  ];
  server.lists.meeting = [
    createServedMeeting(at, 1, [`${other.origin}/items/3`], {
      organization: [`${other.origin}/organizations/9`],
    }),
  ];
  const { counts } = await sync(town, server.bodyUrl);
  assert.deepEqual([counts.inserted, counts.unresolved, other.requests.length], [4, 2, 0]);
  const allowed = await sync(town, server.bodyUrl, '--full', '--allow-host', new URL(other.origin).host);
  assert.deepEqual([allowed.counts.changed, allowed.counts.unresolved, other.requests.length], [2, 0, 2]);
  const [session] = await harness.listAll(town, '/sessions');
  assert.deepEqual([session.committeeName, session.submissionCount], ['Ausschuss', 1]);

  server.lists = { paper: [] };
  server.findFault = (path) =>
    path === '/body'
      ? {
          body: JSON.stringify({
            id: server.bodyUrl,
            type: `${schema}Body`,
            paper: `${other.origin}/lists/paper`,
          }),
        }
      : undefined;
  const elsewhere = await sync(await harness.createMunicipality(), server.bodyUrl);
  assert.match(elsewhere.stderr, /lists\/paper is not requested: it is on another host/);
  assert.equal(other.requests.length, 2);
});

test('invalid entries are rejected one by one, and references to missing objects are counted', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const data = [
    createServedPaper(at, 1),
    createServedPaper(at, 2, { name: '' }),
    null,
    { id: 7 },
    'x',
    { id: 'a\u0000b', type: `${schema}Paper` },
    createServedPaper(at, 3, { name: 'a\u0000b' }),
    {
      ...createServedPaper(at, 4),
      keyword: 7,
      consultation: [null, 7, {}],
      mainFile: 'x',
      auxiliaryFile: {},
    },
  ];
  // Some endpoints mark the last page with an empty URL.
  const body = JSON.stringify({ data, links: { next: '' } });
  server.findFault = (path) => (path === '/lists/paper' ? { body } : undefined);
  server.lists.organization = [createServedOrganization(at, 'Rat')];
  server.lists.meeting = [createServedMeeting(at, 1, [`${at}/items/404`, 'no address', null, 7])];
  const town = await harness.createMunicipality();
  const { code, counts, stderr } = await sync(town, server.bodyUrl);
  assert.equal(code, 3);
  assert.deepEqual([counts.rejected, counts.inserted, counts.unresolved], [6, 3, 2]);
  assert.match(stderr, /^Rejected 3 records: is not an OParl object.*\n {2}http.*\/lists\/paper, entry 3\n/m);
  assert.match(stderr, /papers\/2.*name is missing/);
});

test('a stopped run stores nothing, and the next run starts anew', {
  skip: byNight('it waits'),
}, async (t) => {
  const server = await startCouncilServer(t);
  server.findFault = (path) => (path === '/lists/paper' ? { delayMs: 30_000 } : undefined);
  const town = await harness.createMunicipality();
  await addEndpoint(town, server.bodyUrl);
  const running = startCli(composeRun(town, server.bodyUrl), options);
  while (!server.requests.some(({ path }) => path === '/lists/paper'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok((await readSyncState(town)).runningSince);
  await assertFails(
    composeRun(town, server.bodyUrl),
    1,
    /Another import of .* is running\. .* after one minute/,
    options,
  );
  running.child.kill('SIGINT');
  const { code, stderr } = await running.result;
  assert.equal(code, 130);
  assert.match(stderr, /Interrupted\. Nothing was imported/);
  const { error, runningSince } = await readSyncState(town);
  assert.deepEqual([error, runningSince], [null, null]);
  server.findFault = () => undefined;
  assert.equal((await sync(town, server.bodyUrl)).counts.inserted, 4);
});

test('types with the names of object properties are skipped, and not stored', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const names = ['constructor', 'hasOwnProperty', 'toString', '__proto__', 'valueOf'];
  server.lists.paper?.push(
    ...names.map((name) => ({
      ...createServedPaper(at, 9),
      id: `${at}/people/${name}`,
      type: schema + name,
    })),
  );
  const town = await harness.createMunicipality();
  const { code, stderr, counts } = await sync(town, server.bodyUrl);
  assert.deepEqual([code, counts.inserted], [0, 4], stderr);
  const stored = await harness.workspace.sql<{ id: string }>(
    'SELECT id FROM endpoint_object WHERE id LIKE $1',
    [`${at}/people/%`],
  );
  assert.deepEqual(stored, []);
});

test('an unexpected error is recorded without its message, which may quote the endpoint', {
  skip: byNight('it starts several processes'),
}, async (t) => {
  const server = await startCouncilServer(t);
  server.findFault = (path) => (path === '/lists/paper' ? { body: '"meet a fault"' } : undefined);
  const town = await harness.createMunicipality();
  await addEndpoint(town, server.bodyUrl);
  const preload = new URL('../support/faulty-json.ts', import.meta.url).href;
  const { code, stderr } = await startCli(composeRun(town, server.bodyUrl), {
    environment: { ...endpointEnvironment, NODE_OPTIONS: `--import ${preload}` },
  }).result;
  assert.equal(code, 1);
  assert.match(stderr, /^TypeError: a fault of a test$/m);
  assert.match((await readSyncState(town)).error, /^Unexpected error/);
});

test('contradictory options are reported before the first request', async () => {
  const town = await harness.createMunicipality();
  for (const [url, ...flags] of [
    ['council.example'],
    ['ftp://council.example/'],
    ['https://name:word@council.example/'],
    ['https://council.example/', '--every', '30s'],
    ['https://council.example/', '--every', '32d'],
    ['https://council.example/', '--pause', '-1'],
    ['https://council.example/', '--max-requests', '0'],
    ['https://council.example/', '--allow-host', 'https://council.example/'],
    ['https://council.example/', '--time-zone', 'Mars'],
  ] as [string, ...string[]][]) {
    const { code, stderr } = await addEndpoint(town, url, ...flags);
    assert.equal(code, 2);
    assert.match(stderr, /It must be|is not an https URL|must not contain/);
  }
  assert.equal(await readSyncState(town), undefined);
});
