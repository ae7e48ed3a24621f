/**
 * Measures every page of the admin area in a large installation: the time of the page, and how long it holds up another
 * request. Follows the links of the pages, so new pages are measured without a change here.
 *
 *   npm run bench:admin -- [--engine postgres] [--municipalities 5000] [--keys 10000] [--submissions 1000000]
 *     [--audit-events 1000000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createFormClient, type FormClient, password } from '../test/support/form-client.ts';
import { type BenchDatabase, fillDatabase } from './fill-database.ts';
import { fillInstallation } from './fill-installation.ts';
import { computeSpread, type Spread } from './measure-row.ts';
import { createWaitMeter } from './measure-waits.ts';
import { startPostgres } from './start-postgres.ts';
import { runRostra, startRostra } from './start-servers.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    municipalities: { type: 'string', default: '5000' },
    keys: { type: 'string', default: '10000' },
    submissions: { type: 'string', default: '1000000' },
    'audit-events': { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
  },
});

const rounds = Number(values.rounds);
const operatorEmail = 'operator@bench.example';
const administratorEmail = 'administrator@bench.example';

/** Measured pages of one route: the first links to it that the crawl finds. */
const pagesPerRoute = 3;

/** A page should take at most this long, and hold up another request for at most `maxWaitMs`. */
const maxPageMs = 100;
const maxWaitMs = 10;

/** Of the pages that the crawl begins with. */
const warmUpRounds = 10;

/** The idle time before each page lets the server finish its work in the background. */
const pauseMs = 50;

interface PageResult {
  path: string;
  status: number;
  /** Time to the complete response, in milliseconds. */
  ms: Spread;
  /** Longest time of a concurrent `GET /api/v1/health`, in milliseconds. */
  waitMs: Spread;
}

await withDatabase(async (place) => {
  const organizationId = await fillDatabase(place, Number(values.submissions));
  await fillInstallation(place, organizationId, {
    municipalities: Number(values.municipalities),
    keys: Number(values.keys),
    auditEvents: Number(values['audit-events']),
  });
  const links = [
    runRostra(place, 'admin', 'add', operatorEmail),
    runRostra(place, 'admin', 'add', administratorEmail, '--organization', organizationId),
  ].map(extractInvitationPath);
  const server = await startRostra(place);
  try {
    for (const [index, link] of links.entries()) {
      const client = createFormClient(`http://127.0.0.1:${server.port}`);
      const signedIn = await client.submitForm(link, { password });
      if (signedIn.status !== 303) throw new Error(`The invitation was not accepted: ${signedIn.status}.`);
      const base = `/admin/organizations/${organizationId}`;
      const paths = index === 0 ? ['/admin', ...listOperatorSearches()] : ['/admin', ...listSearches(base)];
      const results = await measurePages(client, server.port, paths);
      printResults(index === 0 ? 'Operator' : 'Administrator', results);
    }
  } finally {
    await server.stop();
  }
});

/** Pages that no link leads to. The slowest searches find nothing, or everything. */
function listOperatorSearches(): string[] {
  return [
    '/admin/organizations.json',
    '/admin/organizations?words=Municipality',
    '/admin/organizations?words=nowhere',
    '/admin/imports?state=failed',
    '/admin/imports?state=running',
    '/admin/imports?words=Municipality+12',
    '/admin/imports?words=nowhere',
    '/admin/keys?words=Municipality+12',
    '/admin/keys?words=nowhere&state=expired',
    ...listAuditSearches('/admin'),
    ...['account', 'nobody'].map((words) => `/admin/accounts?words=${words}`),
  ];
}

function listSearches(base: string): string[] {
  return [
    ...['Key+4', 'nothing', 'sk_rostra_000001'].map((words) => `${base}/keys?words=${words}`),
    ...listAuditSearches(base),
    ...['bench', 'nobody'].map((words) => `${base}/accounts?words=${words}`),
    ...['nothing-like-this', 'nothing-like-this&topic=Verkehr', 'a', '2026%2F0142'].map(
      (words) => `${base}/data/submissions?words=${words}`,
    ),
    `${base}/data/submissions?from=2001-01-01&until=2001-01-01`,
    ...['sessions', 'surveys'].map((kind) => `${base}/data/${kind}?words=nothing`),
  ];
}

function listAuditSearches(base: string): string[] {
  return [
    'action=key.issued',
    'action=key.rotated',
    'actor=nobody@bench.example',
    'actor=colleague-0-1@bench.example&action=key.edited',
    'actor=colleague-0-1@bench.example&action=key.rotated',
    'key=Key+4',
    'key=nothing',
    'key=sk_rostra_000001&action=key.rotated',
    'from=2001-01-01&until=2001-01-02',
  ].map((query) => `${base}/audit?${query}`);
}

function extractInvitationPath(output: string): string {
  const [path] = /\/admin\/invitation\/[\w-]+/.exec(output) ?? [];
  if (path === undefined) throw new Error(`No link in: ${output}`);
  return path;
}

/** Measures pages, and all pages that links lead to. A redirect is measured together with its target. */
async function measurePages(
  client: FormClient,
  port: number,
  paths: readonly string[],
): Promise<PageResult[]> {
  const queue = [...paths];
  const seen = new Set(queue);
  const perRoute = new Map<string, number>();
  const results: PageResult[] = [];
  const meter = await createWaitMeter(port);
  try {
    // A server that has just started compiles its code, and PostgreSQL still writes what was filled in.
    for (let round = 0; round < warmUpRounds; round += 1) for (const path of paths) await client.open(path);
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const times: number[] = [];
      const waits: number[] = [];
      let body = '';
      let status = 0;
      // A download of a million events takes a minute.
      const count = /\.csv\b/.test(path) ? 1 : rounds;
      for (let round = 0; round < count; round += 1) {
        await setTimeout(pauseMs);
        meter.reset();
        const beganMs = performance.now();
        ({ body, status } = await client.open(path));
        times.push(performance.now() - beganMs);
        waits.push(meter.readLongestMs());
      }
      if (status >= 400) throw new Error(`${path} returned ${status}.`);
      results.push({ path, status, ms: computeSpread(times), waitMs: computeSpread(waits) });
      for (const next of listLinks(body, path)) {
        const route = toRoute(next);
        const count = perRoute.get(route) ?? 0;
        if (seen.has(next) || count >= pagesPerRoute) continue;
        perRoute.set(route, count + 1);
        seen.add(next);
        queue.push(next);
      }
    }
  } finally {
    await meter.close();
  }
  return results;
}

/** Links to pages of the admin area, without those that only change the language. */
function listLinks(body: string, path: string): string[] {
  return [...body.matchAll(/href="([^"#]+)/g)]
    .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://localhost${path}`))
    .filter(({ pathname, searchParams }) => pathname.startsWith('/admin') && !searchParams.has('language'))
    .filter(({ pathname }) => !/^\/admin\/assets\/|\.(css|js|svg|woff2)$/.test(pathname))
    .map(({ pathname, search }) => pathname + search);
}

/** The path without ids, and the names of its parameters. */
function toRoute(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  return `${pathname.replace(/[\da-f]{8}-[\da-f-]{27}/g, ':id')}?${[...searchParams.keys()].sort()}`;
}

function printResults(account: string, results: readonly PageResult[]): void {
  const formatSpread = ({ median, highest }: Spread) => `${median.toFixed(1)} | ${highest.toFixed(1)}`;
  const lines = results
    .toSorted((one, other) => other.ms.median - one.ms.median)
    .map(
      ({ path, status, ms, waitMs }) =>
        `| ${status} | ${formatSpread(ms)} | ${formatSpread(waitMs)} | ${path} |`,
    );
  const slow = results.filter(({ ms, waitMs }) => ms.median > maxPageMs || waitMs.median > maxWaitMs);
  console.log(`${account}, ${values.engine}: ${slow.length} of ${results.length} pages take more than ${maxPageMs} ms or hold up another request
for more than ${maxWaitMs} ms. Median and highest of ${rounds}, in milliseconds:

| status | page | | longest wait of another request | | |
| --- | ---: | ---: | ---: | ---: | --- |
${lines.join('\n')}
`);
}

async function withDatabase(work: (place: BenchDatabase) => Promise<void>): Promise<void> {
  if (values.engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'rostra-admin-pages-'));
    try {
      await work({ database: join(folder, 'bench.db'), owner: undefined });
    } finally {
      rmSync(folder, { recursive: true });
    }
    return;
  }
  const postgres = await startPostgres();
  try {
    await work(await postgres.newDatabase('admin_pages'));
  } finally {
    await postgres.remove();
  }
}
