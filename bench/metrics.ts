/**
 * Measures the cost of metrics and traces: servers on the same database, one without them, under the same load in turn.
 * See docs/performance.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchDatabase, fillDatabase } from './fill-database.ts';
import { computeSpread } from './measure-row.ts';
import { readProcessorTime } from './process-usage.ts';
import { createRows, type Row } from './rows.ts';
import { generator, runLoad } from './run-load.ts';
import { startPostgres } from './start-postgres.ts';
import { type RunningServer, sendRequest, startRostra } from './start-servers.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    submissions: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

const help = `Usage: npm run bench:metrics -- [options]

Compares a server with metrics, and one with metrics and traces, with one that has neither. Takes about 20 minutes.

  --engine NAME       sqlite or postgres (default: both)
  --submissions N     submissions of the municipality (default: 100000)
  --rounds N          rounds per row; in each, every server has the load once (default: 15)
  --seconds N         seconds of load per server and round (default: 2)
  --help              show this text
`;

const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const connections = 32;

/** The response cache answers the first four; the others read the database. */
const measuredRows = [
  'health',
  'me',
  '401',
  'first page of 20, repeated',
  'one submission, all different',
  'page of 20, all different, at the top',
];

const variants = ['neither', 'metrics', 'metrics and traces'] as const;
type Variant = (typeof variants)[number];

type Servers = Record<Variant, RunningServer & { metricsPort: number | undefined }>;

const firstMetricsPort = 19_464;

async function startServers(place: BenchDatabase, collectorPort: number): Promise<Servers> {
  const start = async (metricsPort: number | undefined, settings: Record<string, string> = {}) => ({
    ...(await startRostra(place, {
      ...(metricsPort === undefined ? {} : { ROSTRA_METRICS_PORT: String(metricsPort) }),
      ...settings,
    })),
    metricsPort,
  });
  return {
    neither: await start(undefined),
    metrics: await start(firstMetricsPort),
    'metrics and traces': await start(firstMetricsPort + 1, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
    }),
  };
}

interface Measurement {
  requestsPerSecond: number;
  /** Processor time of the server per request. */
  microseconds: number;
}

async function measure(
  { port, pid, metricsPort }: Servers[Variant],
  { key, status }: Row,
  paths: readonly string[],
): Promise<Measurement> {
  const before = readProcessorTime(pid) ?? 0;
  const load = runLoad({ port, paths, key, status, connections, seconds });
  // Prometheus reads more rarely.
  if (metricsPort !== undefined) await sendRequest(metricsPort, '/metrics');
  const { requests, requestsPerSecond } = await load;
  return { requestsPerSecond, microseconds: ((readProcessorTime(pid) ?? 0) - before) / requests };
}

function selectPart(paths: readonly string[], part: number, parts: number): readonly string[] {
  if (paths.length === 1) return paths;
  const size = Math.floor(paths.length / parts);
  return paths.slice(part * size, (part + 1) * size);
}

/** Other programs only add time, so the fastest quarter of the rounds differs least from an idle machine. */
function findQuartile(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 4)] as number;
}

const formatChange = (ratio: number) => `${ratio > 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;

async function measureRow(engine: string, row: Row, servers: Servers): Promise<void> {
  const turns = rounds * variants.length;
  for (const variant of variants) await measure(servers[variant], row, row.paths.slice(-1_000));
  const results: Record<Variant, Measurement[]> = { neither: [], metrics: [], 'metrics and traces': [] };
  let turn = 0;
  for (let round = 0; round < rounds; round += 1) {
    // Every variant is equally often the first one.
    const order = variants.map((_, place) => variants[(place + round) % variants.length] as Variant);
    for (const variant of order)
      results[variant].push(await measure(servers[variant], row, selectPart(row.paths, turn++, turns)));
  }
  const list = (variant: Variant, select: (measurement: Measurement) => number) =>
    results[variant].map((measurement) => select(measurement));
  const ofServer = (variant: Variant) => findQuartile(list(variant, ({ microseconds }) => microseconds));
  const ratios = (variant: Variant) =>
    results[variant].map(
      ({ requestsPerSecond }, round) =>
        requestsPerSecond / (results.neither[round] as Measurement).requestsPerSecond,
    );
  const { median } = computeSpread(list('neither', ({ requestsPerSecond }) => requestsPerSecond));
  const cells = [
    engine,
    row.name,
    Math.round(median).toLocaleString('en'),
    ofServer('neither').toFixed(1),
    ...(['metrics', 'metrics and traces'] as const).flatMap((variant) => [
      formatChange(ofServer(variant) / ofServer('neither')),
      formatChange(computeSpread(ratios(variant)).median),
    ]),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

async function measureEngine(engine: string, place: BenchDatabase, collectorPort: number): Promise<void> {
  const organizationId = await fillDatabase(place, Number(values.submissions));
  const rows = await createRows(place, organizationId);
  const servers = await startServers(place, collectorPort);
  try {
    for (const name of measuredRows)
      await measureRow(engine, rows.find((row) => row.name === name) as Row, servers);
  } finally {
    for (const variant of variants) await servers[variant].stop();
  }
}

/** A collector that accepts every span. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});

async function main(): Promise<void> {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  console.log(`Load from ${generator}, ${rounds} rounds of ${seconds} s. Processor: time of the server per request, in the quarter of the
rounds with the least. Requests/s: median, and median of the changes within a round.

| engine | what | requests/s without both | µs of processor | metrics: processor | metrics: requests/s | and traces: processor | and traces: requests/s |
| --- | --- | ---: | ---: | --- | --- | --- | --- |`);
  if (values.engine !== 'postgres') {
    const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
    try {
      await measureEngine('sqlite', { database: join(folder, 'bench.db'), owner: undefined }, port);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres();
    try {
      await measureEngine('postgres', await postgres.newDatabase('bench'), port);
    } finally {
      await postgres.remove();
    }
  }
  collector.close();
}

if (values.help) console.log(help);
else await main();
