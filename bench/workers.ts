/**
 * Compares one worker with two workers that share the same connections: the processor time of a request should not rise.
 * The server runs on one core, the load generator on another, both at their maximum.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchDatabase, fillDatabase, fillOtherMunicipalities } from './fill-database.ts';
import { computeSpread, countKeys, selectPart } from './measure-row.ts';
import { readProcessorTime } from './process-usage.ts';
import { createRows, createTownRows, type Row } from './rows.ts';
import { runLoad } from './run-load.ts';
import { startPostgres } from './start-postgres.ts';
import { type StartedRostra, startRostra } from './start-servers.ts';

const help = `Usage: npm run bench:workers -- [options]

Compares one worker with two workers that share the same load, on Linux with two cores or more.

  --rounds N   on each server, alternately (default: 7)
  --seconds N  of load per round (default: 1)
  --help       show this text
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const submissions = 100_000;
const connections = 32;
const towns = 150;
/** Enough for pages that are requested once. */
const submissionsPerTown = 2_000;
const measured = [
  'first page of 20, repeated',
  'page of 20, all different, at the top',
  `first page of 20, repeated, ${towns} municipalities`,
  `page of 20, all different, ${towns} municipalities`,
];

const serverCore = 0;
const generatorCore = 1;

if (values.help) console.log(help);
else await main();

async function main(): Promise<void> {
  if (availableParallelism() < 2) throw new Error('The comparison needs two cores.');
  // Every process that this one starts runs on the core of the generator, unless it is moved.
  moveToCore(process.pid, generatorCore);
  const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
  const postgres = await startPostgres();
  try {
    await compare('sqlite', { database: join(folder, 'bench.db'), owner: undefined });
    await compare('postgres', await postgres.newDatabase('bench'));
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true });
  }
}

async function compare(engine: string, place: BenchDatabase): Promise<void> {
  const rows: Row[] = await createRows(place, await fillDatabase(place, submissions));
  rows.push(
    ...(await createTownRows(place, await fillOtherMunicipalities(place, towns, submissionsPerTown))),
  );
  const one = await startOnCore(place, 1);
  const two = await startOnCore(place, 2);
  try {
    for (const row of rows.filter(({ name }) => measured.includes(name))) {
      const times = { one: [] as number[], two: [] as number[] };
      for (let round = 0; round <= Number(values.rounds); round += 1) {
        const first = await measure(one, row, 2 * round);
        const second = await measure(two, row, 2 * round + 1);
        // The first round compiles the code.
        if (round === 0) continue;
        times.one.push(first);
        times.two.push(second);
      }
      const [alone, shared] = [computeSpread(times.one).median, computeSpread(times.two).median];
      console.log(
        `${engine}, ${row.name}: ${alone.toFixed(1)} µs with one worker, ${shared.toFixed(1)} µs with two (${(100 * (shared / alone - 1)).toFixed(0)} %)`,
      );
    }
  } finally {
    await one.stop();
    await two.stop();
  }
}

async function startOnCore(place: BenchDatabase, workers: number): Promise<StartedRostra> {
  const server = await startRostra(place, { ROSTRA_WORKERS: String(workers) });
  for (const pid of [server.pid, ...listChildren(server.pid)]) moveToCore(pid, serverCore);
  return server;
}

/** @returns microseconds of the server's processes for each request */
async function measure(server: StartedRostra, { paths, key }: Row, part: number): Promise<number> {
  const parts = 2 * (Number(values.rounds) + 1);
  const before = readProcessorTime(server.pid) as number;
  const { requests } = await runLoad({
    port: server.port,
    paths: selectPart(paths, countKeys(key), part, parts),
    key,
    connections,
    seconds: Number(values.seconds),
    status: 200,
  });
  return ((readProcessorTime(server.pid) as number) - before) / requests;
}

/** With all threads. */
function moveToCore(pid: number, core: number): void {
  execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' });
}

function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
