/** Runs the tests: `npm test`, `npm run test:quick`, `npm run test:nightly`, `npm run test:citus`. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { type Engine, engines, planRuns, type SuiteName, suiteNames, type TestRun } from './suites.ts';
import { bundleProgram } from './support/bundle-program.ts';
import { cacheFolder, checkout, compileCacheEnvironment } from './support/checkout.ts';
import { createResult, type FileResult, runCheck, runFiles } from './support/run-files.ts';
import { describeMissingPrograms } from './support/system-programs.ts';
import { unpackBrowser } from './support/unpack-browser.ts';

const help = `Usage: npm run test[:SUITE] -- [options]

Checks types and style, runs the tests of a suite, and prints what failed.

Suites:
  npm test              everything except long runs, on SQLite and PostgreSQL
  npm run test:quick    the API and the architecture, on SQLite
  npm run test:nightly  long runs, one file at a time
  npm run test:citus    on a cluster of Citus, whose binaries are in the folder ROSTRA_TEST_CITUS

Options:
  --engine NAME  only this engine: ${engines.join(', ')}
  --file TEXT    only files whose path contains this text; without types and style. May be given several times
  --resume       nightly: only files that have not passed since the last run of the whole suite began
  --times        print the time of every file at the end
  --help         show this text

Exit codes: 0 if all tests passed, 1 if a test failed, 2 for invalid options.
`;

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        engine: { type: 'string' },
        file: { type: 'string', multiple: true, default: [''] },
        resume: { type: 'boolean', default: false },
        times: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    const [suite = 'all', ...others] = positionals;
    if (others.length > 0 || !suiteNames.some((name) => name === suite))
      throw new Error(`the suite must be one of ${suiteNames.join(', ')}: ${positionals.join(' ')}`);
    if (values.engine !== undefined && !engines.some((name) => name === values.engine))
      throw new Error(`--engine must be one of ${engines.join(', ')}: ${values.engine}`);
    if (values.resume && suite !== 'nightly') throw new Error('--resume needs the suite nightly');
    return { ...values, suite: suite as SuiteName };
  } catch (error) {
    console.error(`${(error as Error).message}\nRun "npm test -- --help" for help.`);
    process.exit(2);
  }
}

const options = readOptions();
const isNightly = options.suite === 'nightly';
const isWhole = options.file.join('') === '' && options.engine === undefined && !options.resume;
/** support/nightly.ts reads it once, so no static import above may load that module. */
if (isNightly) process.env.ROSTRA_TEST_NIGHTLY = '1';
const maxSilenceMs = isNightly ? 15_000_000 : 1_000_000;
mkdirSync(cacheFolder, { recursive: true });
Object.assign(process.env, compileCacheEnvironment);

const bundleFolder = mkdtempSync(join(cacheFolder, 'program-'));
process.once('exit', () => rmSync(bundleFolder, { recursive: true, force: true }));
/** By night, tests change the source of the program. */
if (!isNightly) {
  await Promise.all([bundleProgram(checkout, bundleFolder), unpackBrowser()]);
  process.env.ROSTRA_TEST_BUNDLE = bundleFolder;
}

/** Without the cluster of an engine. */
const ownEnvironment = { ...process.env };

const results: FileResult[] = [];

/** What the type checker knows since its last run. */
const typesFile = join(cacheFolder, 'types.tsbuildinfo');

/** Results of the nightly suite, for `--resume`. */
const resultsFile = join(cacheFolder, 'nightly-results.ndjson');

const formatSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Node.js decides on colours by standard error. */
const describeFailure = ({ title, error }: FileResult['failures'][number]) => {
  const text = process.stdout.isTTY ? error : stripVTControlCharacters(error);
  return `  ✖ ${title}\n${text.replaceAll(/^/gm, '    ')}`;
};

function record(result: FileResult): void {
  results.push(result);
  const { engine, file, durationMs, passed, failures, skips, notes } = result;
  const counts = [`${passed} passed`];
  if (failures.length > 0) counts.push(`${failures.length} failed`);
  if (skips.length > 0) counts.push(`${skips.length} skipped`);
  const sign = failures.length > 0 ? '✖' : '✔';
  console.log(`${sign} ${engine}: ${file}, ${counts.join(', ')} (${formatSeconds(durationMs)})`);
  // The errors follow at the end, once.
  for (const { title } of failures) console.log(`  ✖ ${title}`);
  if (!isNightly) return;
  for (const note of notes) console.log(`  ${note}`);
  appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
}

/** Results of an interrupted nightly run that need not be repeated. */
function readEarlierResults(): FileResult[] {
  if (!existsSync(resultsFile)) return [];
  const lines = readFileSync(resultsFile, 'utf8').trimEnd().split('\n');
  const latest = new Map<string, FileResult>();
  for (const line of lines) {
    const result = JSON.parse(line) as FileResult;
    latest.set(`${result.engine} ${result.file.replace(/^the end of /, '')}`, result);
  }
  return [...latest.values()].filter(({ failures }) => failures.length === 0);
}

interface RunningEngine {
  environment: NodeJS.ProcessEnv;
  remove: () => Promise<void>;
  startMs: number;
  endMs: number;
}

const running = new Map<Engine, Promise<RunningEngine>>();

/** Starts the servers of an engine once. */
function startEngine(engine: Engine): Promise<RunningEngine> {
  const started = running.get(engine) ?? startServers(engine);
  running.set(engine, started);
  return started;
}

async function startServers(engine: Engine): Promise<RunningEngine> {
  const startMs = performance.now();
  if (engine === 'SQLite')
    return { environment: ownEnvironment, remove: async () => undefined, startMs, endMs: startMs };
  const { globalSetup, globalTeardown } = await (engine === 'Citus'
    ? import('./support/citus-setup.ts')
    : import('./support/postgres-setup.ts'));
  await globalSetup();
  return { environment: { ...process.env }, remove: globalTeardown, startMs, endMs: startMs };
}

/** Runs files of an engine in one process. If the servers of the engine do not start, the files have failed. */
async function runEngine(engine: Engine, takeFile: () => string | undefined): Promise<void> {
  let started: RunningEngine;
  try {
    started = await startEngine(engine);
  } catch (error) {
    const failures = [{ title: 'the servers of the engine did not start', error: String(error) }];
    for (let file = takeFile(); file !== undefined; file = takeFile())
      record({ ...createResult(engine, file), failures });
    return;
  }
  for await (const result of runFiles(engine, takeFile, started.environment, maxSilenceMs)) record(result);
  started.endMs = performance.now();
}

/** Without those that passed before, with `--resume`. */
function planRemainingRuns(): TestRun[] {
  const earlier = options.resume ? readEarlierResults() : [];
  results.push(...earlier);
  const runs = planRuns(options.suite).filter((run) => isOfEngine(run) && isOfFiles(run, options.file));
  for (const text of options.file) assertFound(text, runs);
  return runs.filter(
    (run) => !earlier.some((result) => result.engine === run.engine && result.file === run.file),
  );
}

const isOfEngine = ({ engine }: TestRun) => options.engine === undefined || options.engine === engine;
const isOfFiles = ({ file }: TestRun, texts: readonly string[]) => texts.some((text) => file.includes(text));

/** Ends the process if no run has a file with this text. */
function assertFound(text: string, runs: readonly TestRun[]): void {
  if (runs.some((run) => isOfFiles(run, [text]))) return;
  const others = suiteNames.filter((suite) =>
    planRuns(suite).some((run) => isOfEngine(run) && isOfFiles(run, [text])),
  );
  const where = others.length > 0 ? `these suites have one: ${others.join(', ')}` : 'no suite has one';
  const engine = options.engine === undefined ? '' : ` on ${options.engine}`;
  console.error(`The suite ${options.suite} has no file${text && ` "${text}"`}${engine}; ${where}.`);
  process.exit(2);
}

/** Runs the checks, and each file in the next free process. A process runs files of one engine; by night one file. */
async function runAll(): Promise<void> {
  const checks = [
    // The compiler checks again only what has changed since the last run, in an eighth of the time.
    // Several threads would each check the types that they share, which doubles the processor time.
    () =>
      runCheck(
        'types',
        'tsc',
        '--noEmit',
        '--singleThreaded',
        '--incremental',
        '--tsBuildInfoFile',
        typesFile,
      ),
    () => runCheck('style', 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'),
  ];
  const waitingChecks = isWhole && !isNightly ? checks : [];
  const waiting = planRemainingRuns();
  const work = async () => {
    for (let check = waitingChecks.shift(); check !== undefined; check = waitingChecks.shift())
      record(await check());
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const { engine } = next;
      let hasTaken = false;
      const takeFile = () => {
        if (waiting[0]?.engine !== engine || (isNightly && hasTaken)) return undefined;
        hasTaken = true;
        return waiting.shift()?.file;
      };
      await runEngine(engine, takeFile);
    }
  };
  // Two more than processors, because tests also wait.
  const processes = isNightly ? 1 : Math.min(availableParallelism() + 2, 8);
  await Promise.all(Array.from({ length: processes }, work));
}

function printSummary(started: readonly (readonly [Engine, RunningEngine])[]): void {
  if (options.times)
    for (const { engine, file, durationMs } of results.toSorted((a, b) => b.durationMs - a.durationMs))
      console.log(`${formatSeconds(durationMs).padStart(9)}  ${engine}: ${file}`);
  for (const { engine, file, skips } of results)
    for (const { title, reason } of skips) console.log(`skipped: ${engine}: ${file} > ${title}: ${reason}`);
  for (const { engine, file, failures } of results)
    for (const failure of failures) console.log(`✖ ${engine}: ${file}\n${describeFailure(failure)}`);
  const script = options.suite === 'all' ? 'test' : `run test:${options.suite}`;
  for (const { engine, file, failures } of results)
    if (failures.length > 0 && file.startsWith('test/'))
      console.log(`Run it again with: npm ${script} -- --engine ${engine} --file ${file}`);
  for (const [engine, { startMs, endMs }] of started)
    console.log(`${engine}: ${formatSeconds(endMs - startMs)}`);
  console.log(`total: ${formatSeconds(performance.now())}`);
  const count = (list: 'failures' | 'skips') => results.reduce((sum, result) => sum + result[list].length, 0);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  console.log(`${passed} passed, ${count('failures')} failed, ${count('skips')} skipped`);
  process.exitCode = count('failures') > 0 || passed === 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    printSummary([]);
    process.exit(130);
  });
if (isNightly) {
  if (isWhole) rmSync(resultsFile, { force: true });
  for (const line of describeMissingPrograms()) console.log(line);
}
await runAll();
const started: [Engine, RunningEngine][] = [];
for (const [engine, start] of running)
  await start.then(
    (own) => started.push([engine, own]),
    () => undefined,
  );
for (const [, { remove }] of started) await remove();
printSummary(started);
