/**
 * Measures the same pages in growing databases, and with a growing number of municipalities. Constant speed is the goal.
 *
 *   npm run bench:growth -- [--engine postgres] [--smallest 1000] [--largest 10000000]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type BenchDatabase,
  fillDatabase,
  fillOtherMunicipalities,
  queryRows,
  writeImportFile,
} from './fill-database.ts';
import { readResidentMemory } from './process-usage.ts';
import { issueKey, listPageUrls } from './rows.ts';
import { runLoad } from './run-load.ts';
import { startPostgres } from './start-postgres.ts';
import { runRostra, startRostra } from './start-servers.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    smallest: { type: 'string', default: '1000' },
    largest: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '3' },
  },
});

const importedRecords = 20_000;
const submissionsPerOther = 100;
const seconds = Number(values.seconds);
const formatInteger = (value: number) => Math.round(value).toLocaleString('en');

console.log(`Pages of 20 a second, all different, on ${values.engine}; each further municipality has ${submissionsPerOther} submissions.

| municipalities | submissions | at the top | in the middle | at the end | bytes of database per submission | MB of memory after the load | imported a second |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`);
for (let submissions = Number(values.smallest); submissions <= Number(values.largest); submissions *= 10)
  await withDatabase(async (place) => measure(place, submissions, 1));
// Row-level security prevents writes for several municipalities at once.
if (values.engine === 'sqlite') {
  for (let municipalities = 10; municipalities <= 10_000; municipalities *= 10)
    await withDatabase(async (place) => measure(place, 1_000, municipalities));
}

async function withDatabase(work: (place: BenchDatabase) => Promise<void>): Promise<void> {
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

async function measure(place: BenchDatabase, submissions: number, municipalities: number): Promise<void> {
  const organizationId = await fillDatabase(place, submissions);
  if (municipalities > 1) await fillOtherMunicipalities(place, municipalities - 1, submissionsPerOther);
  const databaseBytes = await measureDatabaseSize(place);
  const key = issueKey(place, organizationId, 'growth');
  const middle = { order: 'DESC', skip: Math.floor(submissions / 2) } as const;
  const stretches = [{ order: 'DESC' }, middle, { order: 'ASC' }] as const;
  const paths = [];
  for (const stretch of stretches) paths.push(await listPageUrls(place, organizationId, stretch));
  const server = await startRostra(place);
  const perSecond: number[] = [];
  let residentBytes: number | undefined;
  try {
    const common = { port: server.port, key, connections: 32, status: 200 };
    for (const part of paths) await runLoad({ ...common, paths: part, seconds: 1 });
    for (const part of paths)
      perSecond.push((await runLoad({ ...common, paths: part.toReversed(), seconds })).requestsPerSecond);
    residentBytes = readResidentMemory(server.pid);
  } finally {
    await server.stop();
  }
  const count = await countSubmissions(place);
  const cells = [
    municipalities,
    count,
    ...perSecond,
    databaseBytes / count,
    (residentBytes ?? Number.NaN) / 1e6,
    measureImportRate(place, organizationId),
  ];
  console.log(`| ${cells.map(formatInteger).join(' | ')} |`);
}

async function countSubmissions(place: BenchDatabase): Promise<number> {
  const [row] = await queryRows<{ count: string | number }>(
    place,
    'SELECT count(*) AS count FROM submission',
  );
  return Number(row?.count);
}

async function measureDatabaseSize(place: BenchDatabase): Promise<number> {
  if (place.owner === undefined) return statSync(place.database).size;
  const [size] = await queryRows<{ bytes: string }>(
    place,
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  return Number(size?.bytes);
}

function measureImportRate(place: BenchDatabase, organizationId: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  try {
    const file = join(folder, 'import.ndjson');
    writeImportFile(file, importedRecords);
    const beganMs = performance.now();
    runRostra(place, 'import', 'rostra', file, '--organization', organizationId);
    return (importedRecords * 1000) / (performance.now() - beganMs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
