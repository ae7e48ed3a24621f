/**
 * Measures the same pages in growing databases, and with a growing number of municipalities. Constant speed is the goal.
 *
 *   npm run bench:growth -- [--engine postgres] [--smallest 1000] [--largest 10000000]
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fill, fillOthers, importFile, type Place, read } from './data.ts';
import { growthChart } from './growth-chart.ts';
import { load } from './load.ts';
import { startPostgres } from './postgres.ts';
import { residentMemory } from './processes.ts';
import { issueKey, walk } from './rows.ts';
import { rostra, startRostra } from './servers.ts';

export interface GrowthPoint {
  engine: 'sqlite' | 'postgres';
  municipalities: number;
  submissions: number;
  /** Requests per second for distinct pages: the newest, the middle and the oldest ones. */
  first: number;
  middle: number;
  last: number;
  databaseBytes: number;
  /** Resident memory of the server after the load. */
  residentBytes: number | undefined;
  /** Imported records per second. */
  importedPerSecond: number;
}

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    smallest: { type: 'string', default: '1000' },
    largest: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
  },
});

const imported = 20_000;
const ofEachOther = 100;
const seconds = Number(values.seconds);
const points: GrowthPoint[] = [];

for (let submissions = Number(values.smallest); submissions <= Number(values.largest); submissions *= 10)
  await withDatabase(async (place) => measure(place, submissions, 1));
// Row-level security prevents writes for several municipalities at once.
if (values.engine === 'sqlite') {
  for (let municipalities = 10; municipalities <= 10_000; municipalities *= 10)
    await withDatabase(async (place) => measure(place, 1_000, municipalities));
}
mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
const result = (name: string) => new URL(`./results/growth-${values.engine}.${name}`, import.meta.url);
writeFileSync(result('json'), `${JSON.stringify(points, null, 2)}\n`);
writeFileSync(result('svg'), growthChart(points));

async function withDatabase(work: (place: Place) => Promise<void>): Promise<void> {
  if (values.engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'rostra-growth-'));
    try {
      await work({ database: join(folder, 'growth.db'), owner: undefined });
    } finally {
      rmSync(folder, { recursive: true });
    }
    return;
  }
  const postgres = await startPostgres();
  try {
    await work(await postgres.newDatabase('growth'));
  } finally {
    await postgres.remove();
  }
}

async function measure(place: Place, submissions: number, municipalities: number): Promise<void> {
  const organizationId = await fill(place, submissions);
  if (municipalities > 1) await fillOthers(place, municipalities - 1, ofEachOther);
  const databaseBytes = await sizeOf(place);
  const key = issueKey(place, organizationId, 'growth');
  const middle = { order: 'DESC', skip: Math.floor(submissions / 2) } as const;
  const stretches = [{ order: 'DESC' }, middle, { order: 'ASC' }] as const;
  const paths = [];
  for (const stretch of stretches) paths.push(await walk(place, organizationId, stretch));
  const server = await startRostra(place);
  const perSecond: number[] = [];
  let residentBytes: number | undefined;
  try {
    const common = { port: server.port, key, connections: 32, status: 200 };
    for (const part of paths) await load({ ...common, paths: part, seconds: 1 });
    for (const part of paths)
      perSecond.push((await load({ ...common, paths: part.toReversed(), seconds })).requestsPerSecond);
    residentBytes = residentMemory(server.pid);
  } finally {
    await server.stop();
  }
  const [first = 0, half = 0, last = 0] = perSecond;
  const point: GrowthPoint = {
    engine: values.engine as GrowthPoint['engine'],
    municipalities,
    submissions: await countSubmissions(place),
    first,
    middle: half,
    last,
    databaseBytes,
    residentBytes,
    importedPerSecond: importRate(place, organizationId),
  };
  points.push(point);
  console.log(JSON.stringify(point));
}

async function countSubmissions(place: Place): Promise<number> {
  const [row] = await read<{ count: string | number }>(place, 'SELECT count(*) AS count FROM submission');
  return Number(row?.count);
}

async function sizeOf(place: Place): Promise<number> {
  if (place.owner === undefined) return statSync(place.database).size;
  const [size] = await read<{ bytes: string }>(place, 'SELECT pg_database_size(current_database()) AS bytes');
  return Number(size?.bytes);
}

function importRate(place: Place, organizationId: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  try {
    const file = join(folder, 'import.ndjson');
    importFile(file, imported);
    const beganMs = performance.now();
    rostra(place, 'import', 'rostra', file, '--organization', organizationId);
    return (imported * 1000) / (performance.now() - beganMs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
