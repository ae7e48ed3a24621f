/**
 * Measures the cost of metrics and traces. Two servers run in this process, one without them. Each gets a thousand requests
 * in turn, hundreds of times: other programs disturb turns, but not the median of their differences. See
 * docs/performance.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createMetrics, type Metrics } from '../src/platform/metrics/metrics-registry.ts';
import { watchProcess } from '../src/platform/metrics/process-metrics.ts';
import { lockTimeoutMs, statementTimeoutMs } from '../src/program/cli/commands/serve.ts';
import { startServers } from '../src/program/process/servers.ts';
import { createCommandContext } from '../src/program/run-command.ts';
import { type BenchDatabase, fillDatabase } from './fill-database.ts';
import { createRows, type RowOfOneKey } from './rows.ts';
import { startPostgres } from './start-postgres.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    submissions: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '400' },
    help: { type: 'boolean', default: false },
  },
});

const help = `Usage: npm run bench:metrics -- [options]

Compares a server with metrics, and one with metrics and traces, with one that has neither. Takes about five minutes.

  --engine NAME       sqlite or postgres (default: both)
  --submissions N     submissions of the municipality (default: 100000)
  --turns N           turns of each server per row, a quarter of them with traces (default: 400)
  --help              show this text
`;

const turns = Number(values.turns);
const connections = 32;
/** Thirty milliseconds: the system measures processor time in steps of a millisecond or more. */
const requestsPerConnection = 32;
const requestsPerTurn = connections * requestsPerConnection;
const warmUpTurns = 30;

/** The response cache answers the first three; the others read the database. */
const measuredRows = [
  'health',
  'me',
  'first page of 20, repeated',
  'one submission, all different',
  'page of 20, all different, at the top',
];

interface Server {
  sockets: Socket[];
  stop(): Promise<void>;
}

async function startServer(place: BenchDatabase, metrics: Metrics | undefined): Promise<Server> {
  const settings = { ROSTRA_DATABASE: place.database, ROSTRA_PORT: '0', ROSTRA_RATE_LIMIT: '2000000000' };
  const context = createCommandContext(settings);
  const config = context.readConfig({});
  const store = await context.openStore(config, {
    statementTimeoutMs,
    lockTimeoutMs,
    ...(metrics === undefined ? {} : { metrics }),
  });
  const stream = { write: () => undefined };
  const log = { log: pino(stream), stream, close: async () => undefined };
  const servers = await startServers(store, { ...config, stopTimeout: 0 }, log, () => undefined, metrics);
  const port = Number(new URL(servers.address).port);
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  return {
    sockets,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await servers.stop();
      await store.close();
    },
  };
}

/** Sends one request after the other on a connection. */
function sendAll(socket: Socket, requests: readonly Buffer[], status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let index = 0;
    let received: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (received.length < headEnd + 4 + length) return;
      if (!head.startsWith(`HTTP/1.1 ${status}`)) reject(new Error(head));
      received = Buffer.alloc(0);
      index += 1;
      if (index < requests.length) socket.write(requests[index] as Buffer);
      else {
        socket.off('data', onData);
        resolve();
      }
    };
    socket.on('data', onData);
    socket.write(requests[0] as Buffer);
  });
}

const compose = (path: string, key: string | undefined) =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`,
  );

/** @returns microseconds of processor time per request, client included */
async function takeTurn({ sockets }: Server, { key, status }: RowOfOneKey, paths: readonly string[]) {
  const requests = paths.map((path) => compose(path, key));
  const before = process.threadCpuUsage();
  await Promise.all(
    sockets.map((socket, index) =>
      sendAll(
        socket,
        requests.slice(index * requestsPerConnection, (index + 1) * requestsPerConnection),
        status,
      ),
    ),
  );
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / requestsPerTurn;
}

/** Different paths repeat long after the response cache has forgotten them. */
function selectPaths(paths: readonly string[], turn: number): readonly string[] {
  if (paths.length === 1) return new Array(requestsPerTurn).fill(paths[0]);
  const start = (turn * requestsPerTurn) % (paths.length - requestsPerTurn);
  return paths.slice(start, start + requestsPerTurn);
}

interface Difference {
  /** Of the server without metrics and traces, client included. */
  plain: number;
  microseconds: number;
  low: number;
  high: number;
}

async function compareServers(
  plain: Server,
  measured: Server,
  row: RowOfOneKey,
  turns: number,
): Promise<Difference> {
  const plainTimes: number[] = [];
  const differences: number[] = [];
  for (let turn = -warmUpTurns; turn < turns; turn += 1) {
    const paths = selectPaths(row.paths, turn + warmUpTurns);
    const isFirst = turn % 2 === 0;
    const first = await takeTurn(isFirst ? plain : measured, row, paths);
    const second = await takeTurn(isFirst ? measured : plain, row, paths);
    if (turn < 0) continue;
    plainTimes.push(isFirst ? first : second);
    differences.push(isFirst ? second - first : first - second);
  }
  plainTimes.sort((one, other) => one - other);
  differences.sort((one, other) => one - other);
  const middle = Math.floor(differences.length / 2);
  // 95 % confidence interval of a median.
  const half = Math.ceil(0.98 * Math.sqrt(differences.length));
  const at = (index: number) => differences[index] as number;
  return {
    plain: plainTimes[middle] as number,
    microseconds: at(middle),
    low: at(middle - half),
    high: at(middle + half),
  };
}

const format = ({ plain, microseconds, low, high }: Difference) =>
  `${microseconds.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) of ${plain.toFixed(0)}`;

async function reportProgress({ name }: RowOfOneKey, measuring: Promise<Difference>): Promise<Difference> {
  const difference = await measuring;
  console.error(`${name}: ${format(difference)} µs`);
  return difference;
}

async function compareRows(place: BenchDatabase, rows: readonly RowOfOneKey[]): Promise<Difference[]> {
  const metrics = createMetrics();
  const stopWatching = watchProcess(metrics.addReader);
  const plain = await startServer(place, undefined);
  const measured = await startServer(place, metrics);
  // Prometheus reads every fifteen seconds by default.
  const scrape = setInterval(() => metrics.collect(), 15_000);
  const differences: Difference[] = [];
  for (const row of rows)
    differences.push(await reportProgress(row, compareServers(plain, measured, row, turns)));
  clearInterval(scrape);
  stopWatching();
  await plain.stop();
  await measured.stop();
  return differences;
}

async function compareTraces(
  place: BenchDatabase,
  rows: readonly RowOfOneKey[],
  endpoint: string,
): Promise<Difference[]> {
  const plain = await startServer(place, undefined);
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
  const stopTracing = await createCommandContext(process.env).startTracing(console.error);
  const measured = await startServer(place, createMetrics());
  const differences: Difference[] = [];
  for (const row of rows)
    differences.push(await reportProgress(row, compareServers(plain, measured, row, turns / 4)));
  await plain.stop();
  await measured.stop();
  await stopTracing();
  return differences;
}

async function measureEngine(engine: string, place: BenchDatabase, endpoint: string): Promise<void> {
  const organizationId = await fillDatabase(place, Number(values.submissions));
  const all = await createRows(place, organizationId);
  const rows = measuredRows.map((name) => all.find((row) => row.name === name) as RowOfOneKey);
  const withMetrics = await compareRows(place, rows);
  const withBoth = await compareTraces(place, rows, endpoint);
  for (const [index, { name }] of rows.entries())
    console.log(
      `| ${engine} | ${name} | ${format(withMetrics[index] as Difference)} | ${format(withBoth[index] as Difference)} |`,
    );
}

/** A collector that accepts every span. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});

async function main(): Promise<void> {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  console.log(`Microseconds of processor time that each request takes longer: medians of ${turns} turns (with traces ${turns / 4}) of ${requestsPerTurn}
requests, the 95 % confidence interval, and the time without metrics and traces; each with the client in the same process.

| engine | request | with metrics | with metrics and traces |
| --- | --- | ---: | ---: |`);
  if (values.engine !== 'postgres') {
    const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
    try {
      await measureEngine('SQLite', { database: join(folder, 'bench.db'), owner: undefined }, endpoint);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres();
    try {
      await measureEngine('PostgreSQL', await postgres.newDatabase('bench'), endpoint);
    } finally {
      await postgres.remove();
    }
  }
  collector.close();
}

if (values.help) console.log(help);
else await main();
