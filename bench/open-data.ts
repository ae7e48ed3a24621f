/**
 * Measures requests with a key while a thousand clients read open data, on each engine. Rounds with and without them alternate, so
 * that noise affects both. See docs/decisions/0094.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Store } from '../src/domain/store.ts';
import { openStore } from '../src/store/open.ts';
import { createSubmission } from '../test/support/records.ts';
import { type BenchDatabase, createStoreOptions, fillDatabase } from './fill-database.ts';
import { computeSpread } from './measure-row.ts';
import { createRows } from './rows.ts';
import { generator, type LoadResult, runLoad } from './run-load.ts';
import { startPostgres } from './start-postgres.ts';
import { type RunningServer, sendRequest, startRostra } from './start-servers.ts';

const help = `Usage: npm run bench:open-data -- [options]

Sends requests with a key at half of their maximum rate: alone, and while a thousand clients with as many addresses read
open data as fast as they can, 500 read a file slowly, and a few read pages that take long. Needs wrk. Takes about five minutes. The
exit code is 1 if the median of the requests with a key more than doubles, if their slowest hundredth takes more than 25 ms longer than
alone, or if their window changes.

  --engine NAME       sqlite or postgres (default: both)
  --submissions N     submissions of the municipality (default: 50000)
  --reads TEXT        only reads of open data whose name contains TEXT
  --rounds N          rounds of each kind (default: 5)
  --seconds N         seconds of each round (default: 4)
  --help              show this text
`;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    submissions: { type: 'string', default: '50000' },
    reads: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
});

const maxMedianRatio = 2;
const maxAddedMs = 25;
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const listAddresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}`);

const clients = 1_000;
const slowClients = 500;
/** Of each slow client. */
const slowBytesPerSecond = 65_536;

const settings = {
  ROSTRA_PUBLIC_URL: 'https://bench.example',
  ROSTRA_TRUSTED_PROXIES: '127.0.0.1',
  ROSTRA_OPEN_DATA_RATE_LIMIT: '3000',
};

const smallFile = '/open/bench/sessions.csv';
const largeFile = '/open/bench/submissions.csv';

/** Begins to read open data. @returns a function that ends it, and resolves with the number of responses */
type StartReaders = (server: RunningServer) => () => Promise<number>;

const hammer =
  (headers: Record<string, string>): StartReaders =>
  ({ port }) => {
    const load = runLoad({
      port,
      paths: [smallFile],
      key: undefined,
      headers,
      addresses: listAddresses(clients),
      connections: clients,
      seconds,
      status: 200,
      mayFail: true,
    });
    return async () => (await load).requests;
  };

/** From one address, whatever the responses are. @param perSecond of all connections; default: as fast as possible */
const readPages =
  (paths: readonly string[], connections: number, perSecond?: number): StartReaders =>
  ({ port }) => {
    const load = runLoad({
      port,
      paths,
      key: undefined,
      connections,
      seconds,
      status: 200,
      mayFail: true,
      ...(perSecond === undefined ? {} : { perSecond }),
    });
    return async () => (await load).requests;
  };

/** Another municipality, which has a placeholder in place of a date. */
const placeholderSlug = 'placeholder';
const pagesOfAllYears = Array.from({ length: 1_000 }, (_, n) => `/open/${placeholderSlug}?period=all&n=${n}`);

/** Two pages of the catalogue. */
const municipalities = 43;

async function addMunicipalities(place: BenchDatabase): Promise<void> {
  const store = await openStore(createStoreOptions(place));
  try {
    for (let n = 0; n < municipalities; n += 1) {
      const { id } = await store.addOrganization(`Municipality ${n}`, randomUUID());
      const slug = n === 0 ? placeholderSlug : `municipality-${n}`;
      await store.editOrganization(id, { slug, licenseName: 'CC-BY-4.0', openData: 'on' });
      if (n === 0) await addDistantSubmissions(store, id);
    }
  } finally {
    await store.close();
  }
}

async function addDistantSubmissions(store: Store, id: string): Promise<void> {
  const times = ['0001-01-01', '2026-03-17', '9999-12-31'].map((day) => `${day}T00:00:00.000Z`);
  await store.write(id, (writer) =>
    writer.put(
      times.map((time) => ({
        kind: 'submission',
        ...createSubmission(1, { id: randomUUID(), createdAt: time, statusChangedAt: time }),
      })),
    ),
  );
}

const readSlowly: StartReaders = ({ port }) => {
  const readers = listAddresses(slowClients).map((address) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${largeFile} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    return { socket, isDownload: once(socket, 'readable').then(() => takeHead(socket)) };
  });
  const reading = setInterval(() => {
    for (const { socket } of readers) socket.read(slowBytesPerSecond);
  }, 1_000);
  return async () => {
    const downloads = await Promise.all(readers.map(({ isDownload }) => isDownload));
    clearInterval(reading);
    for (const { socket } of readers) socket.destroy();
    return downloads.filter(Boolean).length;
  };
};

const takeHead = (socket: Socket): boolean => /^HTTP\/1\.1 200/.test(String(socket.read(16)));

const kinds: Record<string, StartReaders> = {
  'files, 1,000 clients': hammer({}),
  'unchanged files (304), 1,000 clients': hammer({ 'if-none-match': '*' }),
  'files, 500 slow clients': readSlowly,
  'a record of 9999-12-31, 3 connections, 3 requests a second': readPages(pagesOfAllYears, 3, 3),
  'a record of 9999-12-31, 3 connections': readPages(pagesOfAllYears, 3),
  [`catalogue of ${municipalities} municipalities, 48 connections`]: readPages(['/open/catalog.ttl'], 48),
};

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  if (generator !== 'wrk') throw new Error('This measurement needs wrk.');
  console.log(`| requests with a key | while open data is read as | responses/s of open data | p50 ms | p50 alone ms | p99 ms | p99 alone ms | target |
| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |`);
  if (values.engine !== 'postgres') {
    const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
    try {
      await measureEngine('SQLite', { database: join(folder, 'bench.db'), owner: undefined });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres();
    try {
      await measureEngine('PostgreSQL', await postgres.newDatabase('bench'));
    } finally {
      await postgres.remove();
    }
  }
}

async function measureEngine(engine: string, place: BenchDatabase): Promise<void> {
  const rows = await createRows(place, await fillDatabase(place, Number(values.submissions)));
  await addMunicipalities(place);
  const row = rows.find(({ name }) => name === 'page of 20, all different, at the top');
  if (row?.key === undefined) throw new Error('The row is missing.');
  const { key, paths } = row;
  const server = await startRostra(place, settings);
  const load = (perSecond?: number) =>
    runLoad({
      port: server.port,
      paths,
      key,
      status: 200,
      connections: 32,
      seconds,
      ...(perSecond === undefined ? {} : { perSecond }),
    });
  try {
    for (const path of [smallFile, largeFile]) await waitForFile(server, path);
    await load();
    const perSecond = (await load()).requestsPerSecond / 2;
    await assertWindowUnchanged(server, key);
    for (const [name, start] of Object.entries(kinds)) {
      if (!name.includes(values.reads)) continue;
      const alone: LoadResult[] = [];
      const beside: LoadResult[] = [];
      const responses: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await load(perSecond));
        const end = start(server);
        beside.push(await load(perSecond));
        responses.push(await end());
      }
      report(engine, name, alone, beside, responses);
    }
  } finally {
    await server.stop();
  }
}

function report(
  engine: string,
  name: string,
  alone: readonly LoadResult[],
  beside: readonly LoadResult[],
  responses: readonly number[],
): void {
  const median = (results: readonly LoadResult[], figure: 'p50Ms' | 'p99Ms') =>
    computeSpread(results.map((result) => result[figure])).median;
  const isMet =
    median(beside, 'p50Ms') <= maxMedianRatio * median(alone, 'p50Ms') &&
    median(beside, 'p99Ms') <= median(alone, 'p99Ms') + maxAddedMs;
  if (!isMet) process.exitCode = 1;
  const figures = [
    Math.round(computeSpread(responses).median / seconds).toLocaleString('en'),
    median(beside, 'p50Ms').toFixed(2),
    median(alone, 'p50Ms').toFixed(2),
    median(beside, 'p99Ms').toFixed(2),
    median(alone, 'p99Ms').toFixed(2),
  ];
  console.log(`| ${engine} | ${name} | ${figures.join(' | ')} | ${isMet ? 'met' : 'missed'} |`);
}

/** The server builds it first. */
async function waitForFile({ port }: RunningServer, path: string): Promise<void> {
  while ((await sendRequest(port, path)).status !== 200) await setTimeout(1_000);
}

async function assertWindowUnchanged(server: RunningServer, key: string): Promise<void> {
  const readRemaining = async () => {
    const { headers } = await sendRequest(server.port, '/api/v1/me', key);
    return Number(headers[headers.findIndex((name) => /^x-ratelimit-remaining$/i.test(name)) + 1]);
  };
  const before = await readRemaining();
  await hammer({})(server)();
  if ((await readRemaining()) !== before - 1) {
    console.error('Open data has changed the window of a key.');
    process.exitCode = 1;
  }
}
