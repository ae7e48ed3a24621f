/** `rostra source run --due` with files of a real https server. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describeReason } from '../../src/domain/reasons/reason.ts';
import { runDueSources } from '../../src/ingest/runs/run-due-sources.ts';
import { openStore } from '../../src/store/open.ts';
import {
  assertNoStack,
  assertSucceeds,
  type CommandResult,
  createCliWorkspace,
  runCli,
  startCli,
} from '../support/cli-workspace.ts';
import { createServedPaper, startCouncilServer } from '../support/council-server.ts';
import { startDataServer } from '../support/data-server.ts';
import { storeDefaults } from '../support/database.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { byNight, runsEveryTest } from '../support/nightly.ts';
import { buildXlsx, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildZip } from '../support/zip-builder.ts';

const workspace = await createCliWorkspace({ after });
const server = await startDataServer({ after });
const temporary = createTemporaryFolder({ after });
/** Of processes that run at the same time. */
const temporaryOfProcesses = createTemporaryFolder({ after });
const environment = { ROSTRA_DATABASE: workspace.database, ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1' };
const options = { environment };
const ownProcess = {
  environment: {
    ...environment,
    NODE_EXTRA_CA_CERTS: workspace.writeFile('certificate.pem', server.certificate),
    TMPDIR: temporaryOfProcesses,
  },
};

const authorities = getCACertificates();
const { TMPDIR: earlierTemporary } = process.env;
before(() => {
  setDefaultCACertificates([...authorities, server.certificate]);
  process.env.TMPDIR = temporary;
});
after(() => {
  setDefaultCACertificates(authorities);
  if (earlierTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = earlierTemporary;
});

const mapping = workspace.writeFile(
  'mapping.yaml',
  `submission:
  id: Nr
  description: Text
  status:
    column: Status
    values: { offen: received }
  createdAt: { column: Datum, date: ISO }
`,
);
const toCsv = (...texts: string[]) =>
  `Nr,Text,Status,Datum\n${texts.map((text, index) => `${index + 1},${text},offen,2026-01-05\n`).join('')}`;

interface Town {
  id: string;
  name: string;
}

/** Creates the schema and municipalities without commands, which is faster. */
const store = await openStore({ ...storeDefaults, database: workspace.database, lockTimeoutMs: 30_000 });
after(() => store.close());

const addTown = (): Promise<Town> => store.addOrganization(`Ort ${randomUUID()}`, randomUUID());

/** A town whose source `Anliegen` is at the path. */
async function addSource(path: string, ...flags: string[]): Promise<Town> {
  const town = await addTown();
  const url = path.startsWith('https:') || path.startsWith('http:') ? path : `${server.origin}${path}`;
  await assertSucceeds(
    ['source', 'add', 'Anliegen', '--organization', town.id, '--format', 'table', '--mapping', mapping]
      .concat(['--url', url, '--every', '1d'])
      .concat(flags),
    options,
  );
  return town;
}

interface Line {
  source: string;
  organizationName: string;
  state: string;
  error: string | null;
  counts?: Record<string, number>;
  personalData?: Record<string, number>;
}

/** Runs all due sources. @returns the results of the town */
async function runDue(town?: Town, settings: Record<string, string> = {}) {
  const own = { environment: { ...environment, ...settings } };
  return readResults(await runCli(['source', 'run', '--due', '--json'], own), town);
}

function readResults(result: CommandResult, town?: Town) {
  assertNoStack(result);
  assert.deepEqual(readdirSync(temporary), [], 'temporary files stay');
  const lines: Line[] = result.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    ...result,
    lines: lines.filter(({ organizationName }) => organizationName === (town?.name ?? organizationName)),
  };
}

const show = async (town: Town) =>
  JSON.parse(
    await assertSucceeds(['source', 'show', 'Anliegen', '--organization', town.id, '--json'], options),
  );

async function countPublished(town: Town): Promise<number> {
  const sql = 'SELECT count(*) AS count FROM submission WHERE organization_id = $1';
  const [row] = await workspace.sql<{ count: number | string }>(sql, [town.id]);
  return Number(row?.count);
}

async function makeDue(town: Town): Promise<void> {
  const sql = "UPDATE import_source SET next_at = '2026-01-01T00:00:00.000Z' WHERE organization_id = $1";
  await workspace.sql(sql, [town.id]);
}

test('a source is fetched when it is due, and read again only if its content changed', async () => {
  server.files.set('/anliegen.csv', toCsv('Laterne', 'Schlagloch'));
  const town = await addSource('/anliegen.csv', '--delete-missing');
  const first = await runDue(town);
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(
    first.lines.map(({ state, counts }) => [state, counts?.inserted]),
    [['done', 2]],
  );
  assert.deepEqual((await runDue(town)).lines, [], 'it is due a day later');

  // A changed schedule is due at once.
  const change = ['source', 'edit', 'Anliegen', '--organization', town.id, '--every', '25h'];
  await assertSucceeds(change, options);
  const second = await runDue(town);
  assert.deepEqual(
    second.lines.map(({ state }) => state),
    ['unchanged'],
  );
  const conditional = server.requests.filter(({ path }) => path === '/anliegen.csv').at(-1);
  assert.match(String(conditional?.headers['if-none-match']), /^"[0-9a-f]{16}"$/);

  server.files.set('/anliegen.csv', toCsv('Laterne am Markt'));
  await makeDue(town);
  const third = await runDue(town);
  assert.deepEqual(
    third.lines.map(({ counts }) => [counts?.changed, counts?.removed]),
    [[1, 1]],
  );
  assert.equal(await countPublished(town), 1);
  const { state, runs, lastRunId, lastSuccessAt } = await show(town);
  assert.deepEqual([state, runs.length, lastRunId], ['done', 2, runs[0].id]);
  assert.ok(lastSuccessAt !== null);
});

test('the results list counts of records, and with --json those of personal data', async () => {
  server.files.set('/kontakte.csv', toCsv('Rückfragen an max@example.org'));
  const town = await addSource('/kontakte.csv', '--accept', 'email');
  const printed = await runCli(['source', 'run', '--due'], options);
  const line = printed.stdout.split('\n').find((one) => one.startsWith(town.name));
  assert.equal(line, `${town.name}, Anliegen: done: 1 read, 1 inserted`);

  server.files.set('/kontakte.csv', toCsv('Rückfragen an erika@example.org'));
  await makeDue(town);
  const [result] = (await runDue(town)).lines;
  assert.deepEqual([result?.counts?.changed, result?.personalData], [1, { email: 1 }]);
  assert.ok(Object.values(result?.counts ?? {}).every((count) => typeof count === 'number'));
});

test('content without validators is compared by its checksum', async () => {
  server.files.set('/ohne.csv', (_, response) => void response.end(toCsv('Laterne')));
  const town = await addSource('/ohne.csv');
  await runDue(town);
  await makeDue(town);
  assert.deepEqual(
    (await runDue(town)).lines.map(({ state }) => state),
    ['unchanged'],
  );
});

test('unchanged content is read again once if other words or kinds of personal data are to be replaced', async () => {
  server.files.set('/namen.csv', toCsv('Bank von Erika Mustermann (erika@example.org)'));
  const town = await addSource('/namen.csv', '--accept', 'email');
  await runDue(town);
  const runAgain = async (settings = {}) => {
    await makeDue(town);
    return (await runDue(town, settings)).lines.map(({ state, counts }) => [state, counts?.changed]);
  };
  assert.deepEqual(await runAgain(), [['unchanged', undefined]]);
  const edit = ['organization', 'edit', town.id, '--redaction-terms', 'Erika Mustermann'];
  await assertSucceeds(edit, options);
  assert.deepEqual(await runAgain(), [['done', 1]]);
  assert.deepEqual(await runAgain(), [['unchanged', undefined]]);
  assert.deepEqual(await runAgain({ ROSTRA_REDACT: 'email' }), [['done', 1]]);
});

test('unchanged content is read again if a date of its rows may have come', async () => {
  server.files.set('/befristet.csv', toCsv('Laterne'));
  const dated = workspace.writeFile(
    'befristet.yaml',
    `${readFileSync(mapping, 'utf8')}skip: { Datum: future }\n`,
  );
  const town = await addSource('/befristet.csv', '--mapping', dated);
  await runDue(town);
  await makeDue(town);
  assert.deepEqual(
    (await runDue(town)).lines.map(({ state, counts }) => [state, counts?.unchanged]),
    [['done', 1]],
  );
});

test('a compressed answer and a redirect are read', async () => {
  const content = gzipSync(toCsv('Laterne'));
  server.files.set(
    '/gzip.csv',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(content),
  );
  server.files.set(
    '/alt.csv',
    (_, response) => void response.writeHead(302, { location: '/gzip.csv' }).end(),
  );
  const town = await addSource('/alt.csv');
  const { code, stderr, lines } = await runDue(town);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    lines.map(({ counts }) => counts?.inserted),
    [1],
  );
});

test('spreadsheets and zip archives at an address are read', async () => {
  const rows = toXlsxRows(
    toCsv('Laterne', 'Schlagloch')
      .trim()
      .split('\n')
      .map((line) => line.split(',')),
  );
  server.files.set('/tabelle', buildXlsx([{ name: 'Anliegen', rows }]));
  server.files.set('/archiv', buildZip([{ name: 'anliegen.csv', content: toCsv('Laterne', 'Schlagloch') }]));
  for (const path of ['/tabelle', '/archiv']) {
    const { lines, stderr } = await runDue(await addSource(path));
    assert.deepEqual(
      lines.map(({ counts }) => counts?.inserted),
      [2],
      stderr,
    );
  }
});

const published = toCsv('Laterne', 'Schlagloch');
const redirectTo = (location: string) => (_: unknown, response: import('node:http').ServerResponse) =>
  void response.writeHead(302, { location }).end();

server.files.set('/endlos.csv', redirectTo('/endlos.csv'));

const endlessAnswer = 'an answer that never ends';

const faults: [name: string, content: Parameters<typeof server.files.set>[1], error: RegExp][] = [
  ['a web page', '\n<!DOCTYPE html><html><body>Anmeldung</body></html>', /answered with a web page \(HTML\)/],
  ['a web page after comments', `${'<!-- -->\n'.repeat(40)}<html>`, /answered with a web page \(HTML\)/],
  ['comments that no web page follows', `${'<!---->'.repeat(250)}<svg/>`, /SVG|XML|table|rows/],
  ['a missing column', 'Nr,Beschreibung,Status,Datum\n1,Laterne,offen,2026-01-05\n', /Text/],
  [
    'rows without a usable value',
    'Nr,Text,Status,Datum\n1,Laterne,offen,gestern\n',
    /All 1 records were rejected/,
  ],
  ['a header without rows', 'Nr,Text,Status,Datum\n', /has no records|no rows/],
  ['an empty answer', '', /answered without content/],
  ['another format', '%PDF-1.7 anliegen', /PDF/],
  ['too much content', `${toCsv('Laterne')}${'x'.repeat(1_100_000)}`, /more than 1 MiB/],
  [
    endlessAnswer,
    (_, response) => void response.write(published),
    /did not answer completely within 1 seconds/,
  ],
  [
    'an answer that stops midway',
    (_, response) => {
      response.writeHead(200, { 'content-length': 10_000 });
      response.write(toCsv('Neu'), () => response.destroy());
    },
    /closed the connection before its answer was complete/,
  ],
  ['a fault of the server', (_, response) => void response.writeHead(503).end(), /answered with 503/],
  ['a removed file', (_, response) => void response.writeHead(404).end(), /does not exist \(404\)/],
  [
    'a redirect to a private network',
    redirectTo('https://10.0.0.1/anliegen.csv'),
    /10\.0\.0\.1.*private network/,
  ],
  ['a redirect to the metadata service', redirectTo('https://169.254.169.254/latest'), /private network/],
  [
    'a redirect to an address with a password',
    redirectTo('https://leser:geheim@127.0.0.1/anliegen.csv'),
    /https:\/\/127\.0\.0\.1\/anliegen\.csv is not requested: it contains a user name or password/,
  ],
  ['a redirect to http', redirectTo('http://127.0.0.1/anliegen.csv'), /does not use https/],
  ['endless redirects', redirectTo('/endlos.csv'), /redirects more than 5 times/],
];

suite('a source that answers with', () => {
  const towns = new Map<string, Town>();
  const paths = new Map<string, string>();
  let lines: Line[] = [];

  before(async () => {
    for (const [name] of faults) {
      const path = `/${randomUUID()}.csv`;
      server.files.set(path, published);
      paths.set(name, path);
      towns.set(name, await addSource(path, '--delete-missing', '--max-deleted', '100'));
    }
    assert.equal((await runDue()).code, 0);
    const fail = async (name: string, content: Parameters<typeof server.files.set>[1]) => {
      server.files.set(paths.get(name) as string, content);
      await makeDue(towns.get(name) as Town);
    };
    for (const [name, content] of faults) if (name !== endlessAnswer) await fail(name, content);
    const run = await runDue(undefined, { ROSTRA_MAX_DOWNLOAD: '1' });
    assert.equal(run.code, 1, run.stderr);
    assert.match(
      run.stderr,
      new RegExp(`${faults.length - 1} sources failed. "rostra source list" shows the errors.`),
    );
    // Alone, because other answers may take longer than a second on a busy machine.
    for (const [name, content] of faults) if (name === endlessAnswer) await fail(name, content);
    lines = [...run.lines, ...(await runDue(undefined, { ROSTRA_DOWNLOAD_TIMEOUT: '1' })).lines];
  });

  after(async () => {
    for (const [name] of faults) {
      server.files.set(paths.get(name) as string, published);
      await makeDue(towns.get(name) as Town);
    }
    assert.equal((await runDue()).code, 0);
    const listed: { organizationId: string; state: string }[] = JSON.parse(
      await assertSucceeds(['source', 'list', '--json'], options),
    );
    for (const { id } of towns.values())
      assert.equal(listed.find(({ organizationId }) => organizationId === id)?.state, 'done');
  });

  for (const [name, , error] of faults) {
    test(`${name} fails with a sentence, and the earlier records stay published`, async () => {
      const town = towns.get(name) as Town;
      const [line] = lines.filter(({ organizationName }) => organizationName === town.name);
      assert.match(String(line?.error), error);
      assert.equal(await countPublished(town), 2);
      const shown = await show(town);
      assert.deepEqual([shown.state, shown.failures, shown.error], ['failing', 1, line?.error]);
    });
  }
});

test('a host name is refused if it resolves to an internal address, unless the operator allows it', async () => {
  server.files.set('/intern.csv', published);
  const url = `${server.origin.replace('127.0.0.1', 'localhost')}/intern.csv`;
  const town = await addSource(url);
  const before = server.requests.length;
  for (const networks of ['', '10.0.0.0/8']) {
    const { code, lines } = await runDue(town, { ROSTRA_DOWNLOAD_NETWORKS: networks });
    assert.equal(code, 1);
    assert.match(
      String(lines[0]?.error),
      /localhost.*is not requested: its host is in a private network\. To allow it, .+ROSTRA_DOWNLOAD_NETWORKS/,
    );
    await makeDue(town);
  }
  assert.equal(server.requests.length, before);
  await assertSucceeds(['source', 'remove', 'Anliegen', '--organization', town.id], options);
});

interface Refusal {
  /** As the command prints it. */
  error: string;
  /** As a page shows it, without the URL. */
  onPage: string;
}

/** Runs sources at URLs that must be refused, without a process. @returns their errors by URL */
async function runRefused(urls: readonly string[]): Promise<Map<string, Refusal>> {
  const town = await addTown();
  for (const url of urls)
    await assertSucceeds(
      ['source', 'add', url, '--organization', town.id, '--format', 'table', '--mapping', mapping].concat([
        '--url',
        url,
        '--every',
        '1d',
      ]),
      options,
    );
  const { code, stdout } = await runCli(['source', 'run', '--due', '--json'], {
    environment: { ...environment, ROSTRA_DOWNLOAD_TIMEOUT: '1' },
  });
  assert.equal(code, 1);
  const lines: Line[] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const refusals = new Map<string, Refusal>();
  for (const { source: url, error } of lines) {
    const stored = (await store.findSource({ organizationId: town.id, name: url }))?.error;
    const onPage = stored ? describeReason(stored, 'en').replace(url, '') : '';
    refusals.set(url, { error: String(error), onPage });
  }
  await assertSucceeds(['organization', 'remove', town.id, '--yes'], options);
  return refusals;
}

test('addresses of every network that is not public are refused, from the first to the last', {
  skip: byNight('by day single addresses are refused'),
}, async () => {
  const hosts = [
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...['127.0.0.2', '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255'],
    ...['192.0.0.0', '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.255'],
    ...['192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255'],
    ...['203.0.113.0', '203.0.113.255', '224.0.0.0', '255.255.255.255'],
    ...['[::]', '[::1]', '[::ffff:a00:1]', '[64:ff9b::a00:1]', '[fc00::1]', '[fe80::1]', '[ff02::1]'],
    ...['[2001::]', '[2001:1ff:ffff::1]', '[2001:db8::]', '[2001:db8:ffff::1]', '[2002::]', '[2002:ffff::1]'],
    ...['[3fff::]', '[3fff:fff:ffff::1]'],
  ];
  const errors = await runRefused(hosts.map((host) => `https://${host}/anliegen.csv`));
  assert.equal(errors.size, hosts.length);
  for (const [url, { error }] of errors)
    assert.match(error, /is not requested: its host is in a private network/, url);
});

test('pages show one message for internal host names and those that DNS does not resolve, and commands the cause', {
  skip: byNight('by day a host name is refused'),
}, async (t) => {
  /** Addresses, or the code of an error; and the cause that a command prints. */
  const answers: Record<string, readonly [string[] | string, RegExp]> = {
    'first.example': [['10.0.0.1', '127.0.0.1'], /its host is in a private network/],
    'last.example': [['127.0.0.1', '10.0.0.1'], /its host is in a private network/],
    'missing.example': ['ENOTFOUND', /its host name does not exist/],
    'failing.example': ['EAI_AGAIN', /no name server answers for its host name/],
    'empty.example': ['ENODATA', /its host name does not exist/],
  };
  type Found = (error: Error | null, found: dns.LookupAddress[]) => void;
  const lookUp = (name: string, _: object, callback: Found) => {
    const [found] = answers[name] ?? assert.fail(name);
    if (typeof found === 'string')
      callback(Object.assign(new Error(`getaddrinfo ${found} ${name}`), { code: found }), []);
    else
      callback(
        null,
        found.map((address) => ({ address, family: 4 })),
      );
  };
  const mocked = t.mock.method(dns, 'lookup', lookUp);
  syncBuiltinESMExports();
  t.after(() => {
    mocked.mock.restore();
    syncBuiltinESMExports();
  });
  const port = new URL(server.origin).port;
  const before = server.requests.length;
  const unencrypted = /it uses http without encryption, and its host is not in ROSTRA_DOWNLOAD_NETWORKS/;
  const toUrl = {
    https: (name: string) => `https://${name}:${port}/anliegen.csv`,
    http: (name: string) => `http://${name}/anliegen.csv`,
  };
  const names = Object.keys(answers);
  const errors = await runRefused([...names.map(toUrl.https), ...names.map(toUrl.http)]);
  assert.equal(errors.size, 10);
  for (const [scheme, reason] of [
    ['https', /its host name cannot be resolved, or the host is in a private network/],
    ['http', unencrypted],
  ] as const) {
    const onPages = new Set(names.map((name) => errors.get(toUrl[scheme](name))?.onPage));
    assert.equal(onPages.size, 1, [...onPages].join());
    assert.match([...onPages].join(), reason);
    for (const [name, [, cause]] of Object.entries(answers)) {
      const isPlain = scheme === 'http' && /private/.test(cause.source);
      assert.match(errors.get(toUrl[scheme](name))?.error ?? '', isPlain ? unencrypted : cause);
    }
  }
  assert.equal(server.requests.length, before);
});

test('two processes import each source once, and one source of a municipality at a time', {
  skip: byNight('it starts several processes'),
}, async () => {
  let open = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const answerLater = (_: unknown, response: import('node:http').ServerResponse) => {
    open += 1;
    most = Math.max(most, open);
    void release.promise.then(() => {
      open -= 1;
      response.end(published);
    });
  };
  server.files.set('/langsam.csv', answerLater);
  server.files.set('/langsam-2.csv', answerLater);
  const town = await addSource('/langsam.csv');
  await assertSucceeds(
    [
      'source',
      'add',
      'Beschwerden',
      '--organization',
      town.id,
      '--format',
      'table',
      '--mapping',
      mapping,
    ].concat(['--url', `${server.origin}/langsam-2.csv`, '--every', '1d']),
    options,
  );
  server.files.set('/schnell.csv', published);
  const otherTown = await addSource('/schnell.csv');
  const one = startCli(['source', 'run', '--due', '--json'], {
    environment: { ...ownProcess.environment, ROSTRA_IMPORT_CONCURRENCY: '1' },
  });
  await waitUntil('a source is fetched', () => open > 0);
  const other = await runDue();
  assert.equal(other.code, 0);
  assert.deepEqual(
    other.lines.map(({ organizationName }) => organizationName),
    [otherTown.name],
  );
  const busy = await runCli(['source', 'run', 'Anliegen', '--organization', town.id], options);
  assert.match(busy.stderr, /Another import of Ort .* is running/);
  // A dry run writes nothing, so it takes no lease.
  const file = workspace.writeFile('Probe.csv', published);
  const dryRun = ['source', 'run', 'Anliegen', file, '--dry-run', '--organization', town.id];
  assert.equal((await runCli(dryRun, options)).code, 0);
  release.resolve();
  const { code, lines } = readResults(await one.result);
  assert.equal(code, 0);
  assert.deepEqual(
    lines.map(({ organizationName, source, state }) => [organizationName, source, state]).sort(),
    [
      [town.name, 'Anliegen', 'done'],
      [town.name, 'Beschwerden', 'done'],
    ],
  );
  assert.equal(most, 1);
});

test('sources of one host are imported a few at a time, and those of other hosts meanwhile', async (t) => {
  const open: IncomingMessage[] = [];
  const most = new Map<string, number>();
  const answers: (() => void)[] = [];
  const answerLater: RequestListener = (request, response) => {
    open.push(request);
    const { host = '' } = request.headers;
    const count = open.filter(({ headers }) => headers.host === host).length;
    most.set(host, Math.max(most.get(host) ?? 0, count));
    answers.push(() => {
      open.splice(open.indexOf(request), 1);
      response.end(published);
    });
  };
  server.files.set('/viele.csv', answerLater);
  const other = createServer(answerLater).listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.after(() => {
    for (const answer of answers) answer();
    other.close();
  });
  const otherOrigin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const origins = [...Array(4).fill(server.origin), otherOrigin, otherOrigin];
  for (const origin of origins) await addSource(`${origin}/viele.csv`);
  const running = runDue(undefined, { ROSTRA_IMPORT_CONCURRENCY: '3', ROSTRA_IMPORTS_PER_HOST: '2' });
  for (let answered = 0; answered < origins.length; answered += 1) {
    const expected = Math.min(answered + 3, origins.length);
    await waitUntil('the next source is fetched', () => answers.length >= expected);
    answers[answered]?.();
  }
  assert.equal((await running).code, 0);
  assert.deepEqual(Object.fromEntries(most), {
    [new URL(server.origin).host]: 2,
    [new URL(otherOrigin).host]: 1,
  });
});

test('the address of a source is parsed once, however many sources wait for its host', async () => {
  let parsed = 0;
  const due = Array.from({ length: 50 }, (_, index) => ({
    organizationId: randomUUID(),
    name: String(index),
    dueAt: '2026-01-01T00:00:00.000Z',
    get url() {
      parsed += 1;
      return 'https://data.example.org/';
    },
  }));
  let [active, mostActive] = [0, 0];
  const isComplete = await runDueSources(
    { listDueSources: async () => due },
    {
      ...{ concurrency: 8, maxPerHost: 2, maxDurationMs: 60_000, signal: new AbortController().signal },
      run: async () => {
        active += 1;
        mostActive = Math.max(mostActive, active);
        await setImmediate();
        active -= 1;
        return undefined;
      },
      onEnd: () => {},
    },
  );
  assert.deepEqual(
    { isComplete, parsed, mostActive },
    { isComplete: true, parsed: due.length, mostActive: 2 },
  );
});

test('SIGTERM ends a run without a failure of its sources, which stay due', {
  skip: byNight('it starts and ends processes'),
}, async () => {
  server.files.set('/haengt.csv', (_, response) => void response.write('Nr,'));
  const town = await addSource('/haengt.csv');
  const requests = server.requests.length;
  const running = startCli(['source', 'run', '--due'], ownProcess);
  await waitUntil('the source is fetched', () => server.requests.length > requests);
  running.child.kill('SIGTERM');
  const { code, stderr } = await running.result;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /The other sources stay due/);
  assert.deepEqual(readdirSync(temporaryOfProcesses), []);
  const { state, error, runningSince } = await show(town);
  assert.deepEqual([state, error, runningSince], ['waiting', null, null]);
  server.files.set('/haengt.csv', published);
  assert.equal((await runDue(town)).lines[0]?.state, 'done');
});

test('a run that is killed is not repeated at once', {
  skip: byNight('it starts and ends processes'),
}, async (t) => {
  server.files.set('/getoetet.csv', (_, response) => void response.write('Nr,'));
  const town = await addSource('/getoetet.csv');
  const requests = server.requests.length;
  // Its download stays, for a day.
  const environment = { ...ownProcess.environment, TMPDIR: createTemporaryFolder(t) };
  const running = startCli(['source', 'run', '--due'], { ...ownProcess, environment });
  await waitUntil('the source is fetched', () => server.requests.length > requests);
  const parent = running.child.pid;
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean);
  // As when the machine stops: the process of the import has no time to react to the end of its parent.
  for (const pid of children) process.kill(Number(pid), 'SIGSTOP');
  running.child.kill('SIGKILL');
  for (const pid of children) process.kill(Number(pid), 'SIGKILL');
  await running.result;
  const { nextAt } = await show(town);
  assert.ok(Date.parse(nextAt) > Date.now() + 600_000, nextAt);
  assert.deepEqual((await runDue(town)).lines, []);
});

test('a run that takes too long fails, and the source waits for its next attempt', {
  skip: byNight('it starts and ends processes'),
}, async () => {
  server.files.set('/endlos.csv', (_, response) => void response.write('Nr,'));
  const town = await addSource('/endlos.csv');
  const { code, lines } = await runDue(town, { ROSTRA_IMPORT_TIMEOUT: '1' });
  assert.equal(code, 1);
  assert.deepEqual(
    lines.map(({ state, error }) => [state, error]),
    [
      [
        'failed',
        'The import took longer than 1 seconds and was stopped. ROSTRA_IMPORT_TIMEOUT sets the limit.',
      ],
    ],
  );
  assert.deepEqual((await runDue(town)).lines, []);
});

test('a file that needs too much memory ends its own process, and the other sources are imported', {
  skip: !runsEveryTest && 'by night: it fills 256 MiB; by day, runs that are killed or take too long fail',
}, async () => {
  const event = (number: number) =>
    `BEGIN:VEVENT\r\nUID:${number}\r\nDTSTART:20260105T170000Z\r\nSUMMARY:Sportausschuss\r\nEND:VEVENT\r\n`;
  const events = Array.from({ length: 60_000 }, (_, number) => event(number)).join('');
  server.files.set('/gross.ics', `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${events}END:VCALENDAR\r\n`);
  server.files.set('/klein.csv', published);
  const large = await addTown();
  const url = `${server.origin}/gross.ics`;
  await assertSucceeds(
    ['source', 'add', 'Anliegen', '--organization', large.id, '--format', 'icalendar'].concat(
      ['--url', url],
      ['--every', '1d'],
    ),
    options,
  );
  const small = await addSource('/klein.csv');
  const result = await startCli(['source', 'run', '--due', '--json'], {
    environment: {
      ...ownProcess.environment,
      ROSTRA_IMPORT_CONCURRENCY: '1',
      ROSTRA_IMPORT_MEMORY: '256',
    },
  }).result;
  const { code, lines } = readResults(result);
  assert.equal(code, 1, result.stderr);
  const find = ({ name }: Town) => lines.find(({ organizationName }) => organizationName === name);
  const reason =
    'The import failed. Its process ended with SIGKILL. The import needs more than 256 MiB of memory and was stopped. ROSTRA_IMPORT_MEMORY sets the limit.';
  assert.deepEqual([find(large)?.state, find(large)?.error], ['failed', reason]);
  assert.equal(find(small)?.state, 'done');
  assert.equal((await show(large)).error, reason);
  assert.deepEqual(readdirSync(temporaryOfProcesses), []);
});

test('the lines for people name the counts, and texts with personal data do not disturb them', async () => {
  server.files.set('/kontakt.csv', toCsv('Bitte an anna@example.org', 'Laterne'));
  const town = await addTown();
  const { stderr } = await runCli(
    [
      'source',
      'add',
      'Anliegen',
      '--organization',
      town.id,
      '--format',
      'table',
      '--mapping',
      mapping,
    ].concat([
      '--url',
      `${server.origin}/kontakt.csv`,
      '--every',
      '1d',
      '--redact',
      'off',
      '--accept',
      'email',
    ]),
    options,
  );
  assert.ok(stderr.includes(`rostra source run "Anliegen" --organization "${town.name}" --dry-run`), stderr);
  const { stdout } = await runCli(['source', 'run', '--due'], options);
  assert.ok(stdout.split('\n').includes(`${town.name}, Anliegen: done: 2 read, 2 inserted`), stdout);
});

test('a certificate that is not trusted fails with its remedy', async () => {
  server.files.set('/zertifikat.csv', published);
  const town = await addSource('/zertifikat.csv');
  setDefaultCACertificates(authorities);
  const { code, stderr } = await runCli(['source', 'run', 'Anliegen', '--organization', town.id], options);
  setDefaultCACertificates([...authorities, server.certificate]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^The certificate of 127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*set NODE_EXTRA_CA_CERTS/m,
  );
  assert.equal((await runDue(town)).code, 0);
});

test('rejected records give exit code 3, and the import history lists them', async () => {
  server.files.set('/teils.csv', `${published}3,Ohne Datum,offen,\n`);
  const town = await addSource('/teils.csv');
  const { code, lines, stderr } = await runDue(town);
  assert.equal(code, 3, stderr);
  assert.deepEqual([lines[0]?.state, lines[0]?.counts?.rejected], ['done', 1]);
  const history = await assertSucceeds(
    ['import', 'history', (await show(town)).lastRunId, '--json'],
    options,
  );
  assert.match(history, /createdAt/);
});

test('an OParl endpoint is a source', async (t) => {
  const tls = await startCouncilServer(t);
  tls.put('paper', createServedPaper(tls.origin, 1));
  const town = await addTown();
  await assertSucceeds(
    ['source', 'add', 'Anliegen', '--organization', town.id, '--format', 'oparl'].concat([
      '--url',
      tls.systemUrl,
      '--every',
      '1h',
      '--pause',
      '1',
    ]),
    options,
  );
  const first = await runDue(town);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.lines[0]?.state, 'done');
  assert.ok((await countPublished(town)) > 0);
  await makeDue(town);
  const repeated = await runDue(town);
  assert.equal(repeated.lines[0]?.counts?.inserted, 0);
  const refused = await addTown();
  await assertSucceeds(
    ['source', 'add', 'Anliegen', '--organization', refused.id, '--format', 'oparl'].concat([
      '--url',
      tls.systemUrl,
      '--every',
      '1h',
      '--pause',
      '1',
    ]),
    options,
  );
  const { lines } = await runDue(refused, { ROSTRA_DOWNLOAD_NETWORKS: '' });
  assert.match(String(lines[0]?.error), /is not requested: it uses http without encryption/);
  await assertSucceeds(['source', 'remove', 'Anliegen', '--organization', refused.id], options);
});

test('doctor warns of failing and stale sources', async () => {
  server.files.set('/fehlt.csv', (_, response) => void response.writeHead(404).end());
  const failing = await addSource('/fehlt.csv');
  await runDue(failing);
  const stale = await addSource('/vorgaenge.csv');
  await workspace.sql('UPDATE import_source SET stale_at = $1 WHERE organization_id = $2', [
    '2026-01-01T00:00:00.000Z',
    stale.id,
  ]);
  const { code, stdout } = await runCli(['doctor', '--json'], options);
  assert.equal(code, 1);
  const { findings } = JSON.parse(stdout);
  const find = ({ id }: Town) =>
    findings.find((finding: { organizationId?: string }) => finding.organizationId === id);
  assert.match(find(failing).message, /^Ort .*, Anliegen: failing since .*does not exist \(404\)/);
  assert.match(find(failing).remedy, /^Run "rostra source run "Anliegen" --organization "Ort /);
  assert.match(
    find(stale).message,
    /^Ort .*, Anliegen: stale: it never succeeded, though it is due every 1d\.$/,
  );
  assert.match(find(stale).remedy, /"rostra source run --due" is scheduled/);
  assert.deepEqual(
    [find(stale).check, find(stale).status, find(stale).source],
    ['sources', 'warning', 'Anliegen'],
  );
});

test('a survey with the questions of a published one is not published by its schedule, which says why', async () => {
  const town = await addTown();
  const createResponses = (yes: number) =>
    `Timestamp,More trees?\n${'2026-03-01,Yes\n'.repeat(yes)}${'2026-03-01,No\n'.repeat(20)}`;
  const at = ['--organization', town.id];
  const first = workspace.writeFile('march.csv', createResponses(30));
  await assertSucceeds(['import', 'survey-rows', first, ...at], options);
  server.files.set('/april', createResponses(31));
  const address = ['--url', `${server.origin}/april`, '--every', '1d'];
  await assertSucceeds(['source', 'add', 'Trees', ...at, '--format', 'survey-rows', ...address], options);
  const { lines } = await runDue(town);
  assert.deepEqual(
    lines.map(({ state }) => state),
    ['failed'],
  );
  assert.match(
    lines[0]?.error ?? '',
    /rejected, so nothing was imported\. The first one may ask the same questions as the published survey “march”: add --continues/,
  );
});

test('a schedule stops before it publishes personal data about which its owner has not decided', async () => {
  const texts = ['Call 0721 1331234', 'Write to anna@web.de', 'Plate KA-AB 1234'];
  server.files.set('/personal', toCsv(...texts));
  const town = await addSource('/personal', '--redact', 'email');
  const findError = async () => (await runDue(town)).lines[0]?.error ?? null;
  const edit = (...flags: string[]) =>
    assertSucceeds(['source', 'edit', 'Anliegen', '--organization', town.id, ...flags], options);
  assert.match(
    (await findError()) ?? '',
    /nor may publish: 1 telephone number, 1 licence plate\. Use .*--redact email,phone,plate to .*--accept phone,plate to publish it\. Names of people are not detected\. Nothing was imported\.$/,
  );
  const published = () =>
    workspace.sql<{ description: string }>(
      'SELECT description FROM submission WHERE organization_id = $1 ORDER BY description',
      [town.id],
    );
  assert.deepEqual(await published(), []);
  await edit('--accept', 'phone', '--redact', 'email,plate');
  await workspace.sql('UPDATE import_source SET next_at = $1 WHERE organization_id = $2', [
    '2026-01-01T00:00:00.000Z',
    town.id,
  ]);
  assert.equal(await findError(), null);
  assert.deepEqual(
    (await published()).map(({ description }) => description),
    ['Call 0721 1331234', 'Plate [Kennzeichen]', 'Write to [E-Mail]'],
  );
});

test('more than ten sources with one cause are one line of a schedule and of doctor', async () => {
  server.files.set('/none.csv', (_, response) => void response.writeHead(404).end());
  server.files.set('/closed.csv', (_, response) => void response.writeHead(403).end());
  const other = await addSource('/closed.csv');
  await Promise.all(Array.from({ length: 11 }, () => addSource('/none.csv')));
  const { code, stdout, stderr } = await runCli(['source', 'run', '--due'], options);
  assert.equal(code, 1, stderr);
  const failed = stdout.split('\n').filter((line) => line.includes(': failed'));
  assert.equal(failed.length, 2, stdout);
  assert.match(stdout, /^1\d sources of 1\d municipalities: failed, such as Ort .+, Anliegen: .+\(404\)/m);
  assert.match(stdout, new RegExp(`^${other.name}, Anliegen: failed: .+\\(403\\)`, 'm'));
  const findMessage = async (pattern: RegExp) => {
    const { findings } = JSON.parse((await runCli(['doctor', '--json'], options)).stdout);
    return findings.filter(({ message }: { message: string }) => pattern.test(message));
  };
  const [failing, ...others] = await findMessage(/\(404\)/);
  assert.match(
    failing.message,
    /^\d+ sources of \d+ municipalities have one problem, such as Ort .+: failing/,
  );
  assert.match(failing.remedy, /^"rostra source list" shows all of them\. Run "rostra source run "Anliegen"/);
  assert.deepEqual([failing.organizationId, others], [undefined, []]);
  await workspace.sql(
    'UPDATE import_source SET failing_since = NULL, stale_at = $1 WHERE interval_ms IS NOT NULL',
    ['2026-01-01T00:00:00.000Z'],
  );
  assert.equal((await findMessage(/^\d+ sources of \d+ municipalities .+: stale: /)).length, 1);
});
