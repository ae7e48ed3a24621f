import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../../support/checkout.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { nodeBinary } from '../../support/server-process.ts';
import type { EngineName, Figure, FigureRun, Measurement } from '../figure.ts';
import { listMutatedFiles, runSqlMutations } from '../sql-mutation-runner.ts';
import { add, fail, getCount, type Tally } from '../tally.ts';

const runFile = promisify(execFile);

/**
 * Keys, cursors, rate limit windows, and the admission that determines the municipality of a request. The file with SQL comes
 * first, so that the smallest size has it.
 */
const listFiles = (engine: EngineName) => [
  `src/store/${engine}/admit-key.ts`,
  'src/domain/keys/api-key.ts',
  'src/web/api/pagination.ts',
  'src/web/api/admit-request.ts',
  'src/store/admission.ts',
];

/**
 * Only PostgreSQL takes all branches of these files: it reads pages together with keys, and repeats a failed batch for each key
 * alone.
 */
const filesOfPostgres = ['src/web/api/pagination.ts', 'src/store/admission.ts'];

const listCoveredFiles = (engine: EngineName) =>
  listFiles(engine).filter((file) => engine === 'postgres' || !filesOfPostgres.includes(file));

/** The files that detect most mutations come first: the tests of a mutation end at the first failure. */
const listTestFiles = (engine: EngineName) => [
  'test/api/authorization.test.ts',
  'test/api/http/authorization-header.test.ts',
  'test/api/rate-window.test.ts',
  'test/api/admission-batches.test.ts',
  'test/api/cursors.test.ts',
  'test/api/cursor-secret.test.ts',
  'test/api/tenancy.test.ts',
  'test/api/key-usage.test.ts',
  'test/admin/key-reveal.test.ts',
  'test/api/search.test.ts',
  'test/api/http/http-edge-cases.test.ts',
  'test/api/http/url-handling.test.ts',
  ...(engine === 'postgres'
    ? ['test/postgres/page-statements.test.ts', 'test/postgres/response-cache.test.ts']
    : []),
];

/** Its packages are installed on the first run, because only this figure needs them. */
const packageFolder = join(checkout, 'test/trust/mutation');
const stryker = join(packageFolder, 'node_modules/.bin/stryker');

/** Of the tests of a mutation in code, or of one test file with a mutation in SQL. */
const timeoutMs = 60_000;

/** https://stryker-mutator.io/docs/stryker-js/configuration/ */
const createConfig = (folder: string, engine: EngineName, mutate: readonly string[]) => ({
  mutate,
  testRunner: 'tap',
  plugins: [join(stryker, '../../@stryker-mutator/tap-runner/dist/src/index.js')],
  tap: {
    testFiles: listTestFiles(engine),
    nodeArgs: ['--test-reporter=tap', '-r', '{{hookFile}}', 'test/trust/run-test-file.ts', '{{testFile}}'],
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: timeoutMs,
  // Node.js strips types of the mutated files. Stryker would need an older TypeScript to read the configuration.
  tsconfigFile: 'none',
  tempDirName: join(folder, 'sandbox'),
  ignorePatterns: ['/dist', '/data', '/bench', '/test/trust/results', '/docs/images'],
  reporters: ['json'],
  jsonReporter: { fileName: join(folder, 'mutation.json') },
});

/** mutation-testing-report-schema, as far as it is read here. */
interface MutationReport {
  files: Record<
    string,
    {
      mutants: {
        status: string;
        mutatorName: string;
        replacement?: string;
        location: { start: { line: number } };
      }[];
    }
  >;
}

/** @param output of the test runner */
function listCoverageProblems(output: string): string {
  const lines = output.split('\n').filter((line) => /^✖ |does not meet threshold/.test(line));
  return `the run with coverage failed: ${lines.join(', ')}`;
}

async function start({ engine, scope, tally }: FigureRun): Promise<Measurement> {
  if (!existsSync(stryker)) await runFile('npm', ['ci'], { cwd: packageFolder });
  const files = listFiles(engine);
  const folder = createTemporaryFolder(scope);
  const configFile = join(folder, 'stryker.config.json');
  const options = { cwd: checkout, maxBuffer: 100_000_000 };
  // The processes of the tests run the node of the path.
  const environment = {
    ...process.env,
    PATH: `${join(nodeBinary, '..')}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };

  const count = (kind: 'code' | 'SQL', status: string, location: string, replacement: string) => {
    add(tally, `${kind} ${status}`);
    if (status === 'Survived' || status === 'NoCoverage')
      add(tally, `undetected: ${location} ${replacement.replaceAll(/\s+/g, ' ')}`);
  };

  return {
    measure: async (first, fileCount) => {
      const mutated = files.slice(first, first + fileCount);
      const config = createConfig(folder, engine, mutated);
      writeFileSync(configFile, JSON.stringify(config));
      await runFile(nodeBinary, [stryker, 'run', configFile], { ...options, env: environment });
      const report = JSON.parse(readFileSync(config.jsonReporter.fileName, 'utf8')) as MutationReport;
      for (const [file, { mutants }] of Object.entries(report.files))
        for (const { status, mutatorName, replacement, location } of mutants)
          count('code', status, `${file}:${location.start.line} ${mutatorName}`, replacement ?? '');
      await runSqlMutations(
        scope,
        listMutatedFiles(mutated),
        { testFiles: listTestFiles(engine), timeoutMs, environment },
        ({ file, line, mutation: { name, replacement } }, status) =>
          count('SQL', status, `${file}:${line} ${name}`, replacement),
      );
    },
    finish: async () => {
      const include = listCoveredFiles(engine).map((file) => `--test-coverage-include=${file}`);
      await runFile(
        nodeBinary,
        [
          '--test',
          '--experimental-test-coverage',
          '--test-coverage-branches=100',
          ...include,
          ...listTestFiles(engine),
        ],
        options,
      ).then(
        () => add(tally, 'runs with complete coverage'),
        ({ stdout }) => fail(tally, listCoverageProblems(stdout)),
      );
    },
  };
}

/** Of the code, and of the SQL in it. */
const minScore = 90;

function computeScore(tally: Tally, kind: 'code' | 'SQL'): { score: number; text: string } {
  const detected = getCount(tally, `${kind} Killed`) + getCount(tally, `${kind} Timeout`);
  const all = detected + getCount(tally, `${kind} Survived`) + getCount(tally, `${kind} NoCoverage`);
  const score = (100 * detected) / all;
  return { score, text: `${score.toFixed(1)} % of ${all}` };
}

export const mutations: Figure = {
  number: 15,
  promise:
    'The tests of keys, cursors, rate limit windows and admission detect at least 90 % of the mutations of their code, and cover all its branches.',
  unit: 'files',
  fullSize: listFiles('sqlite').length,
  minSize: 1,
  // One batch, because each begins with a run of all tests.
  batchSize: listFiles('sqlite').length,
  engines: ['sqlite', 'postgres'],
  minutes: 50,
  defect: undefined,
  start,
  conclude: (tally) => {
    const code = computeScore(tally, 'code');
    const sql = computeScore(tally, 'SQL');
    const isCovered = getCount(tally, 'runs with complete coverage') > 0;
    return {
      measured: `${code.text} mutations of the code and ${sql.text} mutations of its SQL were detected; branch coverage ${isCovered ? 'is' : 'is not'} 100 %`,
      violations: [code, sql].every(({ score }) => score >= minScore)
        ? []
        : ['too many undetected mutations'],
    };
  },
};
