/** Measures one row: Rostra and another server alternately, so that noise affects both. */

import { readProcessorTime } from './process-usage.ts';
import type { Row } from './rows.ts';
import { type LoadOptions, type LoadResult, runLoad } from './run-load.ts';
import { type RunningServer, sendRequest, startBare } from './start-servers.ts';

const connections = 32;

/** Median and range of several rounds. */
export interface Spread {
  median: number;
  lowest: number;
  highest: number;
}

export interface RowResult {
  engine: 'sqlite' | 'postgres';
  name: string;
  bytes: number;
  requestsPerSecond: Spread;
  /** Per request, including the processes of PostgreSQL; undefined on systems other than Linux. */
  processorMicroseconds: Spread | undefined;
  p50Ms: Spread;
  p99Ms: Spread;
  /** At about half of the maximum rate. */
  halfLoadP99Ms: Spread;
  bareRequestsPerSecond: Spread;
  /** Requests per second divided by those of bare `node:http`, for each round. */
  ratio: Spread;
  target: number | undefined;
}

export interface Effort {
  rounds: number;
  seconds: number;
}

export async function measureRow(
  engine: RowResult['engine'],
  row: Row,
  server: RunningServer,
  databasePid: number | undefined,
  { rounds, seconds }: Effort,
): Promise<RowResult> {
  const { name, status, target } = row;
  const sample = await requestSample(row, server);
  await warmUp(row, server);
  const bare = await startBare({
    status,
    headers: removeNodeHeaders(sample.headers),
    body: sample.body.toString('base64'),
  });
  const ours: (LoadResult & { microseconds: number | undefined })[] = [];
  const theirs: LoadResult[] = [];
  const halfLoads: LoadResult[] = [];
  try {
    const bareRow = { ...row, paths: ['/'] };
    await warmUp(bareRow, bare);
    for (let round = 0; round < rounds; round += 1) {
      const part = { part: round, parts: rounds, seconds };
      theirs.push(await loadServer(bareRow, bare, part));
      const before = sumProcessorTime(server.pid, databasePid);
      const measured = await loadServer(row, server, part);
      const used = subtract(before, sumProcessorTime(server.pid, databasePid));
      ours.push({ ...measured, microseconds: used === undefined ? undefined : used / measured.requests });
    }
    const perSecond = computeSpread(ours.map(({ requestsPerSecond }) => requestsPerSecond)).median / 2;
    for (let round = 0; round < rounds; round += 1)
      halfLoads.push(await loadServer(row, server, { part: round, parts: rounds, seconds, perSecond }));
  } finally {
    await bare.stop();
  }
  const times = ours.flatMap(({ microseconds }) => microseconds ?? []);
  return {
    engine,
    name,
    bytes: sample.body.length,
    requestsPerSecond: computeSpread(ours.map(({ requestsPerSecond }) => requestsPerSecond)),
    processorMicroseconds: times.length > 0 ? computeSpread(times) : undefined,
    p50Ms: computeSpread(ours.map(({ p50Ms }) => p50Ms)),
    p99Ms: computeSpread(ours.map(({ p99Ms }) => p99Ms)),
    halfLoadP99Ms: computeSpread(halfLoads.map(({ p99Ms }) => p99Ms)),
    bareRequestsPerSecond: computeSpread(theirs.map(({ requestsPerSecond }) => requestsPerSecond)),
    ratio: computeSpread(
      ours.map(({ requestsPerSecond }, round) => requestsPerSecond / (theirs[round]?.requestsPerSecond ?? 1)),
    ),
    target: target[engine],
  };
}

/** A row and a server that answers it, from a database with the keys and cursors of its paths. */
export interface ServedRow {
  row: Row;
  server: RunningServer;
}

/**
 * Each of the servers goes first in every other round.
 *
 * @param repetitions how often each part of the paths is requested
 * @returns requests per second of the first server divided by those of the second, for each round
 */
export async function compareServers(
  first: ServedRow,
  second: ServedRow,
  { rounds, seconds }: Effort,
  repetitions: number,
): Promise<Spread> {
  for (const { row, server } of [first, second]) {
    await requestSample(row, server);
    await warmUp(row, server);
  }
  const ratios: number[] = [];
  for (let round = 0; round < rounds * repetitions; round += 1) {
    const measure = async ({ row, server }: ServedRow) =>
      (await loadServer(row, server, { part: round % rounds, parts: rounds, seconds })).requestsPerSecond;
    if (round % 2 === 0) {
      const dividend = await measure(first);
      ratios.push(dividend / (await measure(second)));
    } else {
      const divisor = await measure(second);
      ratios.push((await measure(first)) / divisor);
    }
  }
  return computeSpread(ratios);
}

/** Exhausts the rate limit first if the row expects that. @throws Error if the response has another status */
async function requestSample({ name, paths, key, headers, body, status }: Row, { port }: RunningServer) {
  const lastKey = typeof key === 'object' ? key.at(-1) : key;
  if (status === 429) await sendRequest(port, paths[0] as string, lastKey);
  const sample = await sendRequest(port, paths.at(-1) as string, lastKey, headers, body);
  if (sample.status !== status)
    throw new Error(`${name}: unexpected status ${sample.status} instead of ${status}.`);
  return sample;
}

/** Lets the server compile its code. */
function warmUp(row: Row, { port }: RunningServer) {
  const groupSize = countKeys(row.key);
  const last = row.paths.slice(-groupSize * Math.ceil(1_000 / groupSize));
  return runLoad({ port, ...selectRequest(row), paths: last, connections, seconds: 1 });
}

/** Paths of successive requests that have different keys. */
export const countKeys = (key: Row['key']) => (typeof key === 'object' ? key.length : 1);

/** Requests one of several equal parts of the paths; all of them if they are fewer than the parts. */
function loadServer(
  row: Row,
  { port }: RunningServer,
  { part, parts, ...load }: { part: number; parts: number } & Pick<LoadOptions, 'seconds' | 'perSecond'>,
): Promise<LoadResult> {
  const paths = selectPart(row.paths, countKeys(row.key), part, parts);
  return runLoad({ ...load, port, ...selectRequest(row), paths, connections });
}

const selectRequest = ({ key, headers, body, status }: Row) => ({
  key,
  status,
  ...(headers && { headers }),
  ...(body !== undefined && { method: 'POST', body }),
});

/** The parts differ by one group of items at most. If there are fewer groups than parts, each part has all. */
export function selectPart<Item>(
  items: readonly Item[],
  groupSize: number,
  part: number,
  parts: number,
): readonly Item[] {
  const groups = items.length / groupSize;
  if (groups < parts) return items;
  const start = (number: number) => groupSize * Math.floor((number * groups) / parts);
  return items.slice(start(part), start(part + 1));
}

const fromNode = ['connection', 'keep-alive', 'date', 'transfer-encoding'];

/** Names and values alternately, without the headers that Node adds. */
function removeNodeHeaders(headers: readonly string[]): string[] {
  return headers.filter(
    (_, place) => !fromNode.includes((headers[place - (place % 2)] as string).toLowerCase()),
  );
}

function sumProcessorTime(...pids: (number | undefined)[]): number | undefined {
  const times = pids.map((pid) => (pid === undefined ? 0 : readProcessorTime(pid)));
  return times.reduce((sum, time) => (sum === undefined || time === undefined ? undefined : sum + time), 0);
}

const subtract = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? undefined : to - from;

export function computeSpread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((one, other) => one - other);
  return {
    median: sorted[Math.floor(sorted.length / 2)] as number,
    lowest: sorted[0] as number,
    highest: sorted.at(-1) as number,
  };
}
