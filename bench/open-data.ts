/**
 * Measures requests with a key while a thousand clients read open data, on each engine. Rounds with and without them alternate, so
 * that noise affects both. See docs/decisions/0094.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BenchDatabase, fillDatabase } from './fill-database.ts';
import { computeSpread } from './measure-row.ts';
import { createRows } from './rows.ts';
import { generator, type LoadResult, runLoad } from './run-load.ts';
import { startPostgres } from './start-postgres.ts';
import { type RunningServer, sendRequest, startRostra } from './start-servers.ts';

const help = `Usage: npm run bench:open-data -- [options]

Sends requests with a key at half of their maximum rate: alone, and while a thousand clients with as many addresses read
open data as fast as they can, and 500 read a file slowly. Needs wrk. Takes about three minutes. The exit code is 1 if the
slowest hundredth of the requests with a key takes more than twice as long as alone, or if their window changes.

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

const maxRatio = 2;
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const listAddresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `10.1.${index >> 8}.${index & 255}`);

const clients = 1_000;
const slowClients = 500;
/** Of each slow client. */
const slowBytesPerSecond = 65_536;

const settings = {
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
};

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  if (generator !== 'wrk') throw new Error('This measurement needs wrk.');
  console.log(`| requests with a key | while open data is read as | responses/s of open data | p50 ms | p99 ms | p99 alone ms | ratio | target |
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
  const ratio = median(beside, 'p99Ms') / median(alone, 'p99Ms');
  if (ratio > maxRatio) process.exitCode = 1;
  const figures = [
    Math.round(computeSpread(responses).median / seconds).toLocaleString('en'),
    median(beside, 'p50Ms').toFixed(2),
    median(beside, 'p99Ms').toFixed(2),
    median(alone, 'p99Ms').toFixed(2),
    ratio.toFixed(2),
  ];
  console.log(
    `| ${engine} | ${name} | ${figures.join(' | ')} | ${maxRatio} ${ratio > maxRatio ? 'missed' : 'met'} |`,
  );
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
