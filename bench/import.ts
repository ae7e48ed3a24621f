/**
 * Measures imports of Rostra's own format: a first import in order of time, an unchanged repeat, imports with published points and
 * beside unpublished records, and pages that are requested during one import, and during ten with walks through all changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { SubmissionRecord } from '../src/domain/records/records.ts';
import { demoMunicipalities } from '../src/program/demo/generate-demo-municipalities.ts';
import { openStore } from '../src/store/open.ts';
import {
  type BenchDatabase,
  createStoreOptions,
  fillDatabase,
  fillOtherMunicipalities,
} from './fill-database.ts';
import { readPeakMemory, readProcessorTime } from './process-usage.ts';
import { createTownRows, issueKey, listPageUrls, type Row } from './rows.ts';
import { type LoadResult, runLoad } from './run-load.ts';
import { startPostgres } from './start-postgres.ts';
import { createEnvironment, mainFile, runRostra, sendRequest, startRostra } from './start-servers.ts';

const help = `Usage: npm run bench:import -- [options]

Imports submissions with random ids in order of time into an empty municipality, imports them again unchanged, imports
with published points, and beside unpublished records, and requests pages during another import, and during ten imports
and walks through all changes.
On a busy machine, compare processor times, not rates.

  --engine NAME       sqlite or postgres (default: both)
  --records LIST      numbers of records, one import each (default: 200000,1000000)
  --decisions N       unpublished records of the municipality, on as many days (default: 100); 0: none
  --pages N           pages a second during the import (default: 1000); 0: none
  --help              show this text
`;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    records: { type: 'string', default: '200000,1000000' },
    decisions: { type: 'string', default: '100' },
    pages: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});

const municipality = 'Import';
const firstMs = Date.UTC(2005, 0);
const intervalMs = 60_000;
const dayMs = 86_400_000;
/** Ten years of a large city. */
const comparedRecords = 200_000;
const comparedYears = 10;
const comparedIntervalMs = (comparedYears * 365 * dayMs) / comparedRecords;
const comparedRounds = 3;
const idleSeconds = 10;
const loadSeconds = 10;
const serverRecords = 100_000;
const connections = 8;
const pollIntervalMs = 50;
const towns = 150;
const importingTowns = 10;
const walkingTowns = 2;

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-import-'));
  try {
    if (values.engine !== 'postgres') {
      let databases = 0;
      await measureEngine('sqlite', folder, async () => {
        databases += 1;
        return { database: join(folder, `${databases}.db`), owner: undefined };
      });
    }
    if (values.engine !== 'sqlite') {
      const postgres = await startPostgres();
      let databases = 0;
      try {
        await measureEngine('postgres', folder, () => {
          databases += 1;
          return postgres.newDatabase(`import_${databases}`);
        });
      } finally {
        await postgres.remove();
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureEngine(
  engine: string,
  folder: string,
  createDatabase: () => Promise<BenchDatabase>,
): Promise<void> {
  for (const records of values.records.split(',').map(Number)) {
    const file = join(folder, 'import.ndjson');
    await writeRecords(file, records);
    const place = await createDatabase();
    runRostra(place, 'organization', 'add', municipality);
    for (const name of ['first import', 'unchanged repeat'])
      printImport(`${engine}: ${name}, ${records} records`, records, await importFile(place, file));
    rmSync(file);
  }
  await compareImports(engine, folder, createDatabase, {
    name: 'with points',
    prepare: async (place) => {
      runRostra(place, 'organization', 'edit', municipality, '--location-decimals', '4');
    },
    options: ['--locations', 'on'],
  });
  const decisions = Number(values.decisions);
  if (decisions > 0)
    await compareImports(engine, folder, createDatabase, {
      name: `beside ${decisions} unpublished ones`,
      prepare: (place, id) => unpublishRecords(place, id, decisions),
    });
  const perSecond = Number(values.pages);
  if (perSecond === 0) return;
  await measurePages(engine, folder, await createDatabase(), perSecond);
  await measureManyTowns(engine, folder, await createDatabase(), perSecond);
}

interface Variant {
  /** What differs from a plain import. */
  name: string;
  prepare: (place: BenchDatabase, organizationId: string) => Promise<void>;
  /** Of the command. */
  options?: readonly string[];
}

/** Imports the same file alternately as it is and as the variant, each time into a new database. */
async function compareImports(
  engine: string,
  folder: string,
  createDatabase: () => Promise<BenchDatabase>,
  variant: Variant,
): Promise<void> {
  const file = join(folder, 'compared.ndjson');
  await writeRecords(file, comparedRecords, comparedIntervalMs);
  const plain: Variant = { name: 'plain', prepare: async () => undefined };
  const best: number[] = [];
  for (let round = 0; round < comparedRounds; round += 1)
    for (const [at, { prepare, options = [] }] of [plain, variant].entries()) {
      const place = await createDatabase();
      const { id } = JSON.parse(runRostra(place, 'organization', 'add', municipality, '--json'));
      await prepare(place, id);
      const { processorSeconds = Number.NaN } = await importFile(place, file, options);
      best[at] = Math.min(best[at] ?? Number.POSITIVE_INFINITY, processorSeconds);
    }
  rmSync(file);
  const [without = Number.NaN, of = Number.NaN] = best;
  console.log(
    `- ${engine}: import of ${comparedRecords} records ${variant.name}: ${(of / without).toFixed(3)} of the processor time of a plain one (best of ${comparedRounds} rounds: ${of.toFixed(2)} s and ${without.toFixed(2)} s)`,
  );
}

/** Publishes and unpublishes submissions of days that the imported file has too, with a number and a text of their own. */
async function unpublishRecords(place: BenchDatabase, organizationId: string, count: number): Promise<void> {
  const store = await openStore(createStoreOptions(place));
  const template = listTemplates()[0] as SubmissionRecord;
  const days = comparedYears * 365;
  const records = Array.from({ length: count }, (_, index) => {
    const at = new Date(firstMs + Math.floor((index * days) / count) * dayMs).toISOString();
    const description = `Unpublished entry ${index}. ${template.description}`;
    return {
      ...template,
      kind: 'submission' as const,
      id: randomUUID(),
      referenceNumber: `Unpublished ${index}`,
      createdAt: at,
      statusChangedAt: at,
      description,
    };
  });
  try {
    await store.write(organizationId, (writer) => writer.put(records));
    for (const { kind, id } of records)
      await store.unpublishRecord({ organizationId, kind, id }, 'Unpublished by the bench.');
  } finally {
    await store.close();
  }
}

function listTemplates() {
  return [...(demoMunicipalities[0]?.records() ?? [])].filter((record) => record.kind === 'submission');
}

/** Writes submissions as lines of JSON, in order of time, with random ids and different points. */
async function writeRecords(file: string, count: number, everyMs = intervalMs): Promise<void> {
  const templates = listTemplates();
  function* generateLines() {
    for (let index = 0; index < count; index += 1) {
      const at = new Date(firstMs + index * everyMs).toISOString();
      const { referenceNumber, ...template } = templates[index % templates.length] as SubmissionRecord;
      const own = { id: randomUUID(), referenceNumber: referenceNumber && `${index}-${referenceNumber}` };
      const coordinates = [8 + (index % 9_973) / 10_000, 49 + (index % 9_967) / 10_000];
      const location = { type: 'Point', coordinates };
      yield `${JSON.stringify({ ...template, ...own, location, createdAt: at, statusChangedAt: at })}\n`;
    }
  }
  await pipeline(generateLines, createWriteStream(file));
}

interface ImportUsage {
  seconds: number;
  /** Without the database server; undefined on systems other than Linux. */
  processorSeconds: number | undefined;
  peakBytes: number | undefined;
}

function startImport(
  place: BenchDatabase,
  file: string,
  organization = municipality,
  options: readonly string[] = [],
): ChildProcess {
  const words = ['import', 'rostra', file, '--organization', organization, ...options];
  return spawn(process.execPath, [mainFile, ...words], {
    env: createEnvironment(place),
    stdio: 'ignore',
  });
}

async function importFile(
  place: BenchDatabase,
  file: string,
  options: readonly string[] = [],
): Promise<ImportUsage> {
  const beganMs = performance.now();
  const child = startImport(place, file, municipality, options);
  const pid = child.pid as number;
  let processorTime: number | undefined;
  let peakBytes: number | undefined;
  // The values of an ended process are gone, so the last poll counts.
  const timer = setInterval(() => {
    if (child.exitCode !== null) return;
    processorTime = readProcessorTime(pid) || processorTime;
    peakBytes = readPeakMemory(pid) || peakBytes;
  }, pollIntervalMs);
  await awaitSuccess(child);
  clearInterval(timer);
  return {
    seconds: (performance.now() - beganMs) / 1000,
    processorSeconds: processorTime && processorTime / 1_000_000,
    peakBytes,
  };
}

async function awaitSuccess(child: ChildProcess): Promise<void> {
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`The import ended with exit code ${exitCode}.`);
}

function printImport(name: string, records: number, usage: ImportUsage): void {
  const { seconds, processorSeconds, peakBytes } = usage;
  const parts = [
    `${Math.round(records / seconds)} a second`,
    `${seconds.toFixed(1)} s`,
    ...(processorSeconds === undefined
      ? []
      : [`${((processorSeconds * 1_000_000) / records).toFixed(1)} µs of processor time per record`]),
    ...(peakBytes === undefined ? [] : [`${Math.round(peakBytes / 1_000_000)} MB`]),
  ];
  console.log(`- ${name}: ${parts.join(', ')}`);
}

/** Requests pages of a filled municipality, alone and while another municipality imports. */
async function measurePages(
  engine: string,
  folder: string,
  place: BenchDatabase,
  perSecond: number,
): Promise<void> {
  const organizationId = await fillDatabase(place, serverRecords);
  runRostra(place, 'organization', 'add', municipality);
  const file = join(folder, 'during-pages.ndjson');
  await writeRecords(file, serverRecords * 4);
  const key = issueKey(place, organizationId, 'import');
  const paths = await listPageUrls(place, organizationId, { order: 'DESC' });
  const server = await startRostra(place);
  try {
    const load = { port: server.port, key, paths, connections, status: 200, perSecond };
    await runLoad({ ...load, seconds: 2 });
    const idle = await runLoad({ ...load, seconds: idleSeconds });
    const child = startImport(place, file);
    const ended = once(child, 'exit');
    const during = await runLoad({ ...load, seconds: loadSeconds });
    if (child.exitCode !== null) console.error('The import ended before the load did.');
    child.kill('SIGINT');
    await ended;
    printPages(`${engine}, one import`, idle, during);
  } finally {
    await server.stop();
  }
}

/** Requests pages of many municipalities, alone and while others import and are mirrored. */
async function measureManyTowns(
  engine: string,
  folder: string,
  place: BenchDatabase,
  perSecond: number,
): Promise<void> {
  await fillDatabase(place, serverRecords);
  const filled = await fillOtherMunicipalities(place, towns, 1_000);
  const [, row] = await createTownRows(place, filled);
  const file = join(folder, 'during-towns.ndjson');
  await writeRecords(file, serverRecords);
  const server = await startRostra(place);
  try {
    const { paths, key } = row as Row;
    // Enough for the time of the load: with more, the load generator itself pauses to collect garbage.
    const some = paths.slice(0, towns * 2 * loadSeconds * Math.ceil(perSecond / towns));
    const load = { port: server.port, key, paths: some, connections, status: 200, perSecond };
    await runLoad({ ...load, seconds: 2 });
    const idle = await runLoad({ ...load, seconds: idleSeconds });
    const imports = filled.slice(0, importingTowns).map(({ id }) => startImport(place, file, id));
    const ended = imports.map((child) => once(child, 'exit'));
    const stopping = new AbortController();
    const walks = filled
      .slice(-walkingTowns)
      .map((town) => walkChanges(server.port, town.key, stopping.signal));
    const during = await runLoad({ ...load, seconds: loadSeconds });
    stopping.abort();
    for (const child of imports) child.kill('SIGINT');
    await Promise.all([...ended, ...walks]);
    printPages(`${engine}, ${importingTowns} imports and ${walkingTowns} mirrors`, idle, during);
  } finally {
    await server.stop();
  }
}

/** Reads all changes of a municipality again and again. */
async function walkChanges(port: number, key: string, signal: AbortSignal): Promise<void> {
  let path = '/api/v1/changes?limit=1000';
  while (!signal.aborted) {
    const { body } = await sendRequest(port, path, key);
    const { pagination } = JSON.parse(body.toString());
    path = `/api/v1/changes?limit=1000${pagination.has_more ? `&cursor=${pagination.next_cursor}` : ''}`;
  }
}

function printPages(engine: string, idle: LoadResult, during: LoadResult): void {
  const ratio = (during.p99Ms / idle.p99Ms).toFixed(1);
  console.log(
    `- ${engine}: p99 of ${Math.round(idle.requestsPerSecond)} pages a second: ${idle.p99Ms} ms idle, ${during.p99Ms} ms during an import (${Math.round(during.requestsPerSecond)} pages a second): ${ratio} times`,
  );
}
