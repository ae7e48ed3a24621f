/**
 * Measures what the index of words costs imports and databases, and searches that it answers, on each engine. Imports with and
 * without it alternate, and so do the searches and pages without words, so that noise affects both. See docs/decisions/0135.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchDatabase, executeStatements, queryRows } from './fill-database.ts';
import { readAllProcessorTime, readEndedChildrenTime } from './process-usage.ts';
import { issueKey } from './rows.ts';
import { startPostgres } from './start-postgres.ts';
import { createEnvironment, mainFile, runRostra, startRostra } from './start-servers.ts';
import { frequentBeginning, markers, writeWordRecords } from './word-records.ts';

const help = `Usage: npm run bench:words -- [options]

Imports the same submissions with and without the index of words, compares processor time and size, and searches beside half as many
submissions of another municipality. Needs Linux. Takes about six minutes.

  --engine NAME       sqlite or postgres (default: both)
  --records N         submissions (default: 200000)
  --rounds N          rounds of imports (default: 2)
  --seconds N         seconds of each kind of search, in three rounds (default: 4.5)
  --check             the exit code is 1 if a limit is exceeded
  --help              show this text
`;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    records: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '4.5' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const records = Number(values.records);
const searchRounds = 3;
const secondsPerRound = Number(values.seconds) / searchRounds;

type EngineName = 'sqlite' | 'postgres';

/** Of a ratio, except the waits of a client. */
const limits = {
  importTime: 1.5,
  size: { sqlite: 1.5, postgres: 1.8 },
  /** Of a page without words. */
  oneWord: 3,
  /** Of an unknown word. */
  foreignWord: 1.5,
  p50Ms: 25,
  p99Ms: 100,
};

const losses: string[] = [];

function compare(name: string, figure: number, limit: number | undefined): string {
  if (limit === undefined) return '';
  if (figure <= limit) return `${limit} met`;
  losses.push(`${name}: ${figure.toFixed(2)} instead of ${limit} at most`);
  return `${limit} missed`;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-words-'));
  try {
    const file = join(folder, 'records.ndjson');
    const foreignFile = join(folder, 'foreign.ndjson');
    await writeWordRecords(file, records);
    await writeWordRecords(foreignFile, Math.ceil(records / 2), true);
    const files = { own: file, foreign: foreignFile };
    let databases = 0;
    if (values.engine !== 'postgres')
      await measureEngine('sqlite', undefined, files, async () => {
        databases += 1;
        return { database: join(folder, `${databases}.db`), owner: undefined };
      });
    if (values.engine !== 'sqlite') {
      const postgres = await startPostgres();
      try {
        await measureEngine('postgres', postgres.pid, files, () => {
          databases += 1;
          return postgres.newDatabase(`words_${databases}`);
        });
      } finally {
        await postgres.remove();
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const loss of losses) console.error(loss);
  if (values.check && losses.length > 0) process.exitCode = 1;
}

async function measureEngine(
  engine: EngineName,
  databasePid: number | undefined,
  files: { own: string; foreign: string },
  createDatabase: () => Promise<BenchDatabase>,
): Promise<void> {
  const place = await compareImports(engine, databasePid, files.own, createDatabase);
  const { id } = JSON.parse(runRostra(place, 'organization', 'add', 'Foreign', '--json'));
  await importFile(place, files.foreign, id, 'on', databasePid);
  await settle(place);
  await measureSearches(engine, databasePid, place);
}

/** What an import leaves. */
interface ImportResult {
  /** Processor time of the import, in seconds. */
  process: number;
  /** The same of PostgreSQL. */
  database: number;
  bytes: number;
  /** After VACUUM; PostgreSQL only. */
  settledBytes: number;
}

const municipality = 'Words';

/** @returns the last database with an index */
async function compareImports(
  engine: EngineName,
  databasePid: number | undefined,
  file: string,
  createDatabase: () => Promise<BenchDatabase>,
): Promise<BenchDatabase> {
  const results: Record<'off' | 'on', ImportResult[]> = { off: [], on: [] };
  let place: BenchDatabase | undefined;
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const setting of ['off', 'on'] as const) {
      place = await createDatabase();
      runRostra(place, 'organization', 'add', municipality);
      await settle(place);
      const times = await importFile(place, file, municipality, setting, databasePid);
      const bytes = await readSize(place);
      await settle(place);
      results[setting].push({ ...times, bytes, settledBytes: await readSize(place) });
    }
  printImports(engine, results);
  return place as BenchDatabase;
}

async function importFile(
  place: BenchDatabase,
  file: string,
  organization: string,
  wordSearch: 'off' | 'on',
  databasePid: number | undefined,
): Promise<Pick<ImportResult, 'process' | 'database'>> {
  const readTimes = () => [readEndedChildrenTime() ?? 0, readTimeOf(databasePid)] as const;
  const before = readTimes();
  const child = spawn(
    process.execPath,
    [mainFile, 'import', 'rostra', file, '--organization', organization],
    {
      env: { ...createEnvironment(place), ROSTRA_WORD_SEARCH: wordSearch },
      stdio: 'ignore',
    },
  );
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`The import ended with exit code ${exitCode}.`);
  // What PostgreSQL still has to write belongs to the import.
  if (place.owner !== undefined) await executeStatements(place, () => ['CHECKPOINT']);
  const after = readTimes();
  return { process: (after[0] - before[0]) / 1e6, database: (after[1] - before[1]) / 1e6 };
}

const readTimeOf = (pid: number | undefined) => (pid === undefined ? 0 : (readAllProcessorTime(pid) ?? 0));

const settle = (place: BenchDatabase) =>
  executeStatements(place, (dialect) =>
    dialect === 'sqlite' ? ['PRAGMA wal_checkpoint(TRUNCATE)'] : ['VACUUM ANALYZE', 'CHECKPOINT'],
  );

async function readSize(place: BenchDatabase): Promise<number> {
  if (place.owner === undefined) return statSync(place.database).size;
  const [row] = await queryRows<{ bytes: string }>(
    place,
    'SELECT pg_database_size(current_database()) AS bytes',
  );
  return Number(row?.bytes);
}

function printImports(engine: EngineName, { off, on }: Record<'off' | 'on', ImportResult[]>): void {
  console.log(`
${engine}: import of ${records} submissions, best of ${values.rounds} rounds

| | without index | with index | ratio | limit |
| --- | ---: | ---: | ---: | --- |`);
  const print = (
    name: string,
    read: (result: ImportResult) => number,
    format: (figure: number) => string,
    limit?: number,
  ) => {
    const [without, withIndex] = [off, on].map((results) => Math.min(...results.map(read))) as [
      number,
      number,
    ];
    const ratio = withIndex / without;
    const outcome = compare(`${engine}: ${name}`, ratio, limit);
    console.log(`| ${name} | ${format(without)} | ${format(withIndex)} | ${ratio.toFixed(2)} | ${outcome} |`);
  };
  const formatTime = (seconds: number) => `${seconds.toFixed(2)} s`;
  const formatSize = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const isPostgres = engine === 'postgres';
  print('processor time', (result) => result.process + result.database, formatTime, limits.importTime);
  if (isPostgres) {
    print('of it the import process', (result) => result.process, formatTime);
    print('of it PostgreSQL', (result) => result.database, formatTime);
  }
  print('size', ({ bytes }) => bytes, formatSize, limits.size[engine]);
  if (isPostgres)
    print('size after VACUUM', ({ settledBytes }) => settledBytes, formatSize, limits.size.postgres);
}

interface Search {
  name: string;
  limit: 20 | 100;
  words?: string;
  /** Of the first page, as a check; at least. */
  found: number;
  /** Whose time is compared, and how many times as long this search may take. */
  comparison?: { with: string; limit: number | undefined };
  /** Whether the wait of a client is limited. */
  limitsWait?: true;
}

const withoutWords = 'page without words';
const unknownWord = 'an unknown word';

function listSearches(): Search[] {
  const { once, rare, frequent, opposite, foreign, unknown } = markers;
  const ofPage = (limit: 20 | 100, isLimited: boolean) => ({
    limit,
    comparison: { with: `${withoutWords}, ${limit}`, limit: isLimited ? limits.oneWord : undefined },
  });
  const both = ([20, 100] as const).map((limit) => ({
    page: { name: `${withoutWords}, ${limit}`, limit, found: limit },
    rare: { name: `a word of ${records / 200}, ${limit}`, words: rare, found: limit, ...ofPage(limit, true) },
    frequent: {
      name: `a word of ${records / 4}, ${limit}`,
      words: frequent,
      found: limit,
      ...ofPage(limit, true),
    },
  }));
  return [
    ...both.map(({ page }) => page),
    ...both.map((each) => each.frequent),
    ...both.map((each) => each.rare),
    { name: 'a word of one, 20', words: once, found: 1, ...ofPage(20, true) },
    { name: unknownWord, words: unknown, found: 0, ...ofPage(20, false) },
    {
      name: `a word of ${records / 2} of another municipality`,
      words: foreign,
      found: 0,
      limit: 20,
      comparison: { with: unknownWord, limit: limits.foreignWord },
    },
    {
      name: `words of ${records / 4} and ${records / 200}`,
      words: `${frequent} ${rare}`,
      found: 20,
      ...ofPage(20, false),
      limitsWait: true,
    },
    {
      name: `two words of ${records / 4}, never together`,
      words: `${frequent} ${opposite}`,
      found: 0,
      ...ofPage(20, false),
      limitsWait: true,
    },
    {
      name: `the beginning ${frequentBeginning}`,
      words: frequentBeginning,
      found: 20,
      ...ofPage(20, false),
      limitsWait: true,
    },
  ];
}

interface SearchResult {
  /** Of the best round, in microseconds for each request. */
  processorTime: number;
  p50Ms: number;
  p99Ms: number;
}

async function measureSearches(
  engine: EngineName,
  databasePid: number | undefined,
  place: BenchDatabase,
): Promise<void> {
  const key = issueKey(place, municipality, 'words');
  const server = await startRostra(place, { ROSTRA_WORD_SEARCH: 'on' });
  const client = createClient(server.port, key);
  const searches = listSearches();
  const results = new Map<string, SearchResult>();
  try {
    const listPaths = new Map(searches.map((search) => [search, generatePaths(search)]));
    const rounds: Map<Search, Round[]> = new Map(searches.map((search) => [search, []]));
    for (const search of searches) await assertFound(client, search);
    // The first round lets the server compile its code.
    for (let round = -1; round < searchRounds; round += 1)
      for (const search of searches) {
        const paths = listPaths.get(search) as Generator<string, never>;
        const measured = await measureRound(client, paths, [server.pid, databasePid]);
        if (round >= 0) rounds.get(search)?.push(measured);
      }
    for (const [{ name }, some] of rounds) results.set(name, summarize(some));
  } finally {
    client.close();
    await server.stop();
  }
  printSearches(engine, searches, results);
}

function printSearches(
  engine: EngineName,
  searches: readonly Search[],
  results: ReadonlyMap<string, SearchResult>,
): void {
  console.log(`
${engine}: searches in ${records} submissions, one request at a time, no response from the cache; processor time of the server${engine === 'postgres' ? ' and of PostgreSQL' : ''} in the best of ${searchRounds} rounds

| search, entries of a page | µs of processor | ratio | limit | p50 ms | p99 ms | limits |
| --- | ---: | ---: | --- | ---: | ---: | --- |`);
  for (const { name, comparison, limitsWait } of searches) {
    const { processorTime, p50Ms, p99Ms } = results.get(name) as SearchResult;
    const compared = comparison && processorTime / (results.get(comparison.with)?.processorTime as number);
    const outcome = compared === undefined ? '' : compare(`${engine}: ${name}`, compared, comparison?.limit);
    const waits = limitsWait
      ? [
          compare(`${engine}: ${name}: p50 ms`, p50Ms, limits.p50Ms),
          compare(`${engine}: ${name}: p99 ms`, p99Ms, limits.p99Ms),
        ].join(', ')
      : '';
    const figures = [processorTime.toFixed(0), compared?.toFixed(2) ?? '', outcome];
    console.log(
      `| ${[name, ...figures, p50Ms.toFixed(2), p99Ms.toFixed(2), waits].join(' | ')} |`.replaceAll(
        '  ',
        ' ',
      ),
    );
  }
}

interface Client {
  get(path: string): Promise<Buffer>;
  close(): void;
}

/** Sends requests on one connection. */
function createClient(port: number, key: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${key}` };
  return {
    get: async (path) => {
      const sent = request({ port, host: '127.0.0.1', path, headers, agent });
      sent.end();
      const [response] = await once(sent, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${body}`);
      return body;
    },
    close: () => agent.destroy(),
  };
}

/** Their product is more than the paths that the response cache remembers. */
const maxSeparators = 75;

/** Adds empty parameters, so that the response cache answers no request. */
function* generatePaths({ limit, words }: Search): Generator<string, never> {
  const query = `limit=${limit}${words === undefined ? '' : `&words=${encodeURIComponent(words)}`}`;
  for (let number = 0; ; number += 1) {
    const before = '&'.repeat(number % maxSeparators);
    const after = '&'.repeat(Math.floor(number / maxSeparators) % maxSeparators);
    yield `/api/v1/search/submissions?${before}${query}${after}`;
  }
}

async function assertFound(client: Client, search: Search): Promise<void> {
  const path = generatePaths(search).next().value;
  const { data } = JSON.parse((await client.get(path)).toString());
  if (data.length !== search.found) throw new Error(`${search.name}: ${data.length} records were found.`);
}

interface Round {
  processorTime: number;
  requests: number;
  waitsMs: number[];
}

async function measureRound(
  client: Client,
  paths: Generator<string, never>,
  pids: readonly (number | undefined)[],
): Promise<Round> {
  // Processes of PostgreSQL end at any time.
  const readTime = () => pids.reduce<number>((sum, pid) => sum + readTimeOf(pid), 0);
  const before = readTime();
  const endMs = performance.now() + secondsPerRound * 1_000;
  const waitsMs: number[] = [];
  for (let beganMs = performance.now(); beganMs < endMs; ) {
    await client.get(paths.next().value);
    const endedMs = performance.now();
    waitsMs.push(endedMs - beganMs);
    beganMs = endedMs;
  }
  return { processorTime: readTime() - before, requests: waitsMs.length, waitsMs };
}

function summarize(rounds: readonly Round[]): SearchResult {
  const waits = rounds.flatMap(({ waitsMs }) => waitsMs).sort((one, other) => one - other);
  const quantile = (share: number) => waits[Math.floor(waits.length * share)] as number;
  return {
    processorTime: Math.min(...rounds.map(({ processorTime, requests }) => processorTime / requests)),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

if (values.help) console.log(help);
else await main();
