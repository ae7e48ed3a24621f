/**
 * Compares Rostra with a bare `node:http` server that sends the same headers and bodies, in one run with
 * interleaved rounds: each row of `rows.ts` on SQLite and on PostgreSQL. See docs/performance.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findSlowerRows, saveBaseline, tolerance } from './baseline.ts';
import { findBaselineCommit } from './baseline-code.ts';
import { confirmLosses } from './confirm-losses.ts';
import { drawChart } from './draw-chart.ts';
import { type BenchDatabase, fillDatabase } from './fill-database.ts';
import { formatReport } from './format-report.ts';
import { measurePeers, type PeerResult, peerSubmissions } from './measure-peers.ts';
import { measureProcess, type ProcessResult } from './measure-process.ts';
import { type Effort, measureRow, type RowResult } from './measure-row.ts';
import { createRows, fillRows, type Row } from './rows.ts';
import { generator } from './run-load.ts';
import { planSettings, startPostgres } from './start-postgres.ts';
import { startRostra } from './start-servers.ts';

const help = `Usage: npm run bench -- [options]

Fills a database on each engine, and compares every row with bare node:http. Takes about thirteen minutes.

  --engine NAME       sqlite or postgres (default: both)
  --submissions N     submissions of the municipality (default: 1000000)
  --rows TEXT         only rows whose name contains TEXT; none: no rows, for --peers alone
  --rounds N          rounds per row, bare and Rostra alternately (default: 3)
  --seconds N         seconds of load per round (default: 2)
  --peers             also alternatives to Rostra; run "npm ci" in bench/peers first
  --check             compare the ratios with bench/baseline.json, and rows that seem slower with the code of the
                      last commit that changed it; fail if a row is slower than that code by more than ${tolerance * 100} %
  --save-baseline     write the ratios of this run to bench/baseline.json
  --help              show this text
`;

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    submissions: { type: 'string', default: '1000000' },
    rows: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    peers: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    'save-baseline': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const effort: Effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) };

export interface Run {
  /** ISO 8601 in UTC. */
  at: string;
  node: string;
  processors: number;
  generator: string;
  submissions: number;
  rows: RowResult[];
  processes: ProcessResult[];
  peers: PeerResult[];
  /** With `--check`. */
  baselineCommit: string | undefined;
  /** Rows that are slower than the code of the baseline, as sentences. */
  losses: string[];
}

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  // Each row has to be as old as the commit of the baseline.
  if (values['save-baseline'] && (values.rows !== '' || values.engine !== undefined))
    throw new Error('--save-baseline saves all rows: use it without --rows and --engine.');
  const submissions = Number(values.submissions);
  const run: Run = {
    at: new Date().toISOString(),
    node: process.version,
    processors: availableParallelism(),
    generator,
    submissions,
    rows: [],
    processes: [],
    peers: [],
    baselineCommit: values.check ? await findBaselineCommit() : undefined,
    losses: [],
  };
  console.error(`Node.js ${run.node}, ${run.processors} processors, load from ${generator}.`);
  if (values.engine !== 'postgres')
    await withSqliteFiles((createPlace) => measureEngine(run, 'sqlite', createPlace, undefined));
  if (values.engine !== 'sqlite') {
    const postgres = await startPostgres();
    try {
      if (values.rows !== 'none') await measureEngine(run, 'postgres', postgres.newDatabase, postgres.pid);
    } finally {
      await postgres.remove();
    }
    if (values.peers) run.peers = await compareWithPeers();
  }
  console.log(formatReport(run));
  saveResults(run);
  if (values['save-baseline']) saveBaseline(run.rows);
  if (run.baselineCommit !== undefined) reportLosses(run);
}

function reportLosses({ rows, losses }: Run): void {
  for (const loss of losses) console.error(loss);
  if (losses.length === 0)
    console.error(
      `None of ${rows.length} rows is slower than the baseline by more than ${tolerance * 100} %.`,
    );
  else process.exitCode = 1;
}

function saveResults(run: Run): void {
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
  writeFileSync(new URL('./results/latest.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(new URL('./results/latest.svg', import.meta.url), drawChart(run));
}

async function compareWithPeers(): Promise<PeerResult[]> {
  const postgres = await startPostgres(planSettings);
  try {
    const place = await postgres.newDatabase('peers');
    const organizationId = await fillDatabase(place, peerSubmissions);
    const rows = await createRows(place, organizationId);
    const first = rows.find(({ name }) => name.startsWith('first page of 20')) as Row;
    const deep = rows.find(({ name }) => name.startsWith('page of 20') && name.endsWith('at the end')) as Row;
    return await measurePeers(postgres, place, organizationId, { first, deep }, effort);
  } finally {
    await postgres.remove();
  }
}

/** Creates an empty database with the given name. */
type CreatePlace = (name: string) => Promise<BenchDatabase>;

async function withSqliteFiles(work: (createPlace: CreatePlace) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
  try {
    await work(async (name) => ({ database: join(folder, `${name}.db`), owner: undefined }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureEngine(
  run: Run,
  engine: 'sqlite' | 'postgres',
  createPlace: CreatePlace,
  databasePid: number | undefined,
): Promise<void> {
  const { submissions } = run;
  console.error(`${engine}: filling a database with ${submissions} submissions …`);
  const place = await createPlace('bench');
  const rows = (await fillRows(place, submissions)).filter(({ name }) => name.includes(values.rows));
  run.processes.push(await measureProcess(engine, place));
  const results: RowResult[] = [];
  const server = await startRostra(place);
  try {
    for (const row of rows) {
      const result = await measureRow(engine, row, server, databasePid, effort);
      console.error(
        `${engine}: ${row.name}: ${Math.round(result.requestsPerSecond.median)}/s, ${result.ratio.median.toFixed(2)} of bare`,
      );
      results.push(result);
    }
  } finally {
    await server.stop();
  }
  run.rows.push(...results);
  saveResults(run);
  const suspects = findSlowerRows(results);
  if (run.baselineCommit === undefined || suspects.length === 0) return;
  const comparison = { commit: run.baselineCommit, submissions, effort };
  const earlierPlace = await createPlace('baseline');
  run.losses.push(...(await confirmLosses(suspects, { place, rows }, earlierPlace, comparison)));
}
