/**
 * Measures cold pages of PostgreSQL over a simulated network. A page should take one round trip to the database, and at most
 * one millisecond.
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createScope } from '../test/support/files.ts';
import { startProxy } from '../test/support/tcp-proxy.ts';
import { type BenchDatabase, fillDatabase } from './fill-database.ts';
import { issueKey, listPageUrls } from './rows.ts';
import { startPostgres } from './start-postgres.ts';
import { startRostra } from './start-servers.ts';

const help = `Usage: npm run bench:round-trips -- [options]

Puts a proxy between Rostra and PostgreSQL that delays each direction by half of a round trip. Requests distinct pages of 20
one after another, and compares them with SELECT 1 through the same proxy. Takes about a minute. The exit code is 1 if a
page takes more than one round trip and a millisecond.

  --delays LIST       milliseconds of a round trip (default: 0,1,2,5)
  --pages N           pages per delay (default: 2000)
  --submissions N     submissions of the municipality (default: 20000)
  --help              show this text
`;

const { values } = parseArgs({
  options: {
    delays: { type: 'string', default: '0,1,2,5' },
    pages: { type: 'string', default: '2000' },
    submissions: { type: 'string', default: '20000' },
    help: { type: 'boolean', default: false },
  },
});

const maxOverheadMs = 1;
/** Both processes compile their code. */
const warmUpPages = 1_000;
const roundTrips = 1_000;

interface Percentiles {
  p50Ms: number;
  p99Ms: number;
}

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const pages = Number(values.pages);
  const postgres = await startPostgres();
  try {
    const place = await postgres.newDatabase('round_trips');
    const organizationId = await fillDatabase(place, Number(values.submissions));
    const key = issueKey(place, organizationId, 'round-trips');
    const paths = await listPageUrls(place, organizationId, { order: 'DESC' });
    if (paths.length < pages + warmUpPages) throw new Error('Too few submissions for distinct pages.');
    console.log(`| delay ms | SELECT 1 p50 ms | SELECT 1 p99 ms | page p50 ms | page p99 ms | overhead p50 ms | target |
| ---: | ---: | ---: | ---: | ---: | ---: | --- |`);
    for (const delay of values.delays.split(',')) {
      const { roundTrip, page } = await measureDelay(
        place,
        Number(delay),
        key,
        paths.slice(0, pages + warmUpPages),
      );
      const overheadMs = page.p50Ms - roundTrip.p50Ms;
      const isMet = overheadMs <= maxOverheadMs;
      if (!isMet) process.exitCode = 1;
      const figures = [roundTrip.p50Ms, roundTrip.p99Ms, page.p50Ms, page.p99Ms, overheadMs];
      console.log(
        `| ${delay} | ${figures.map((ms) => ms.toFixed(2)).join(' | ')} | ${isMet ? 'met' : 'missed'} |`,
      );
    }
    console.log(`Target: p50 of one round trip (SELECT 1) and at most ${maxOverheadMs} ms.`);
  } finally {
    await postgres.remove();
  }
}

async function measureDelay(
  place: BenchDatabase,
  roundTripMs: number,
  key: string,
  paths: readonly string[],
): Promise<{ roundTrip: Percentiles; page: Percentiles }> {
  const scope = createScope();
  try {
    const proxy = await startProxy(scope, Number(new URL(place.database).port), { roundTripMs });
    const database = proxy.getUrl(place.database);
    const client = new pg.Client(database);
    await client.connect();
    scope.after(() => client.end());
    const server = await startRostra({ database, owner: undefined });
    scope.after(server.stop);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    scope.after(() => agent.destroy());
    const readPage = (path: string) => requestPage(server.port, path, key, agent);
    for (const path of paths.slice(-warmUpPages)) await readPage(path);
    const page = await measureEach(paths.slice(0, -warmUpPages), readPage);
    const roundTrip = await measureEach(Array.from({ length: roundTrips }), () => client.query('SELECT 1'));
    return { roundTrip, page };
  } finally {
    await scope.close();
  }
}

async function measureEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<Percentiles> {
  const times: number[] = [];
  for (const item of items) {
    const beganMs = performance.now();
    await work(item);
    times.push(performance.now() - beganMs);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] as number;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

function requestPage(port: number, path: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Unexpected status ${response.statusCode}.`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end();
  });
}
