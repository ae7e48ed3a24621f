import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../../support/checkout.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { nodeBinary } from '../../support/server-process.ts';
import type { EngineName, Figure, FigureRun, Measurement } from '../figure.ts';
import { listMutatedFiles, type MutatedFile, runMutations } from '../mutation-runner.ts';
import { add, fail, getCount, type Tally } from '../tally.ts';

const runFile = promisify(execFile);

const admissionFiles = 'src/store/{rate-limit-window,admission}.ts';

/**
 * Keys, cursors, rate limit windows, and the admission that determines the municipality of a request. The file with SQL comes
 * first, so that the smallest size has it. Globs.
 */
const listFilesOfAdmission = (engine: EngineName) => [
  `src/store/${engine}/admit-key.ts`,
  'src/domain/keys/api-key.ts',
  'src/web/api/pagination.ts',
  'src/web/api/admit-request.ts',
  admissionFiles,
];

/**
 * Only PostgreSQL takes all branches of these files: it reads pages together with keys, and repeats a failed batch for each key
 * alone.
 */
const filesOfPostgres = ['src/web/api/pagination.ts', admissionFiles];

const listCoveredFiles = (engine: EngineName) =>
  listFilesOfAdmission(engine).filter((file) => engine === 'postgres' || !filesOfPostgres.includes(file));

/** The files that detect most mutations come first: the tests of a mutation end at the first failure. */
const listTestsOfAdmission = (engine: EngineName) => [
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
  'test/api/http/mcp-messages.test.ts',
  ...(engine === 'postgres'
    ? ['test/postgres/page-statements.test.ts', 'test/postgres/response-cache.test.ts']
    : []),
];

/** What an error here would publish, delete or permit. */
interface Room {
  name: string;
  /** Globs. */
  files: readonly string[];
  /** Globs, those that detect most mutations first. */
  tests: readonly string[];
}

const rooms: readonly Room[] = [
  {
    name: 'disclosure control',
    files: ['src/ingest/privacy/disclosure-control/*.ts'],
    tests: [
      'test/formats/survey-updates.test.ts',
      'test/runs/similar-surveys.test.ts',
      'test/formats/disclosure-*.test.ts',
      'test/formats/survey-anonymity.test.ts',
      'test/formats/survey-unanimous.test.ts',
      'test/runs/{former-surveys,former-survey-sequences,survey-identity,survey-decisions,surveys}.test.ts',
    ],
  },
  {
    name: 'redaction',
    files: ['src/ingest/privacy/redaction/*.ts'],
    tests: [
      'test/formats/redaction.test.ts',
      'test/formats/survey-redaction.test.ts',
      'test/formats/personal-data-detection.test.ts',
      'test/meaning/table-meaning.test.ts',
      'test/meaning/rostra-meaning.test.ts',
      'test/api/personal-data.test.ts',
    ],
  },
  {
    name: 'live sources',
    files: ['src/ingest/connectors/live-source/*.ts'],
    tests: [
      'test/runs/live-sources.test.ts',
      'test/runs/scheduled-portals.test.ts',
      'test/runs/portal-keys.test.ts',
      'test/admin/portal-imports.test.ts',
    ],
  },
  {
    name: 're-authentication',
    files: ['src/web/admin/pages/reauthenticate.ts'],
    tests: [
      'test/admin/password-of-changes.test.ts',
      'test/admin/sessions.test.ts',
      'test/admin/interrupted-forms.test.ts',
      'test/admin/pages/oidc.test.ts',
      'test/admin/pages/oidc-failures.test.ts',
      'test/admin/pages/portal-key.test.ts',
      'test/admin/pages/forms.test.ts',
    ],
  },
];

const mutationsOfRoom = 60;

const listFiles = (globs: readonly string[]) =>
  globs.flatMap((glob) => globSync(glob, { cwd: checkout }).sort());

/** Some of them, at equal distances. */
function selectEvenly<Item>(items: readonly Item[], count: number): Item[] {
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, index) => items[Math.floor(((index + 0.5) * items.length) / Math.min(count, items.length))] as Item,
  );
}

async function listMutations(files: readonly string[]): Promise<MutatedFile[]> {
  return (await Promise.all(files.map(listMutatedFiles))).flat();
}

/** Of the tests of a file with a mutation. */
const timeoutMs = 60_000;

/** @param group the mutations whose score is computed */
async function runTests(
  { scope, tally }: FigureRun,
  testFiles: readonly string[],
  mutations: readonly MutatedFile[],
  group: (mutation: MutatedFile) => string,
): Promise<void> {
  const folder = createTemporaryFolder(scope);
  // The processes of the tests run the node of the path.
  const environment = {
    ...process.env,
    PATH: `${join(nodeBinary, '..')}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    ROSTRA_TEST_EVERY_TEST: '1',
  };
  await runMutations(scope, mutations, { testFiles, timeoutMs, environment }, (mutated, status) => {
    const { file, line, mutation } = mutated;
    add(tally, `${group(mutated)} ${status}`);
    if (status !== 'Survived') return;
    const replacement = mutation.replacement.replaceAll(/\s+/g, ' ');
    add(tally, `undetected: ${file}:${line} ${mutation.name} ${replacement}`);
  });
}

/** @param output of the test runner */
function listCoverageProblems(output: string): string {
  const lines = output.split('\n').filter((line) => /^✖ |does not meet threshold/.test(line));
  return `the run with coverage failed: ${lines.join(', ')}`;
}

async function startAdmission(run: FigureRun): Promise<Measurement> {
  const { engine, tally } = run;
  const files = listFilesOfAdmission(engine);
  const testFiles = listTestsOfAdmission(engine);
  return {
    measure: async (first, count) =>
      runTests(
        run,
        testFiles,
        await listMutations(listFiles(files.slice(first, first + count))),
        ({ kind }) => kind,
      ),
    finish: async () => {
      const include = listFiles(listCoveredFiles(engine)).map((file) => `--test-coverage-include=${file}`);
      await runFile(
        nodeBinary,
        ['--test', '--experimental-test-coverage', '--test-coverage-branches=100', ...include, ...testFiles],
        { cwd: checkout, maxBuffer: 100_000_000 },
      ).then(
        () => add(tally, 'runs with complete coverage'),
        ({ stdout }) => fail(tally, listCoverageProblems(stdout)),
      );
    },
  };
}

async function startRooms(run: FigureRun): Promise<Measurement> {
  return {
    measure: async (first, count) => {
      const room = rooms[Math.floor(first / mutationsOfRoom)] as Room;
      const selected = selectEvenly(await listMutations(listFiles(room.files)), mutationsOfRoom);
      const batches = mutationsOfRoom / mutationsOfBatch;
      const batch = (first % mutationsOfRoom) / mutationsOfBatch;
      // A single batch is spread over the code, too.
      const ofBatch = selected.filter((_, index) => index % batches === batch).slice(0, count);
      await runTests(run, listFiles(room.tests), ofBatch, () => room.name);
    },
  };
}

/** Of each group. */
const minScore = 90;

function computeScore(tally: Tally, group: string): { score: number; text: string } | undefined {
  const detected = getCount(tally, `${group} Killed`) + getCount(tally, `${group} Timeout`);
  const all = detected + getCount(tally, `${group} Survived`);
  if (all === 0) return undefined;
  const score = (100 * detected) / all;
  return { score, text: `${score.toFixed(1)} % of ${all} (${group})` };
}

/** @param groups of mutations */
function concludeScores(tally: Tally, groups: readonly string[]) {
  const scores = groups.flatMap((group) => computeScore(tally, group) ?? []);
  return {
    measured: `detected were ${scores.map(({ text }) => text).join(', ')}`,
    violations: scores.every(({ score }) => score >= minScore) ? [] : ['too many undetected mutations'],
  };
}

export const mutations: Figure = {
  number: 15,
  promise:
    'The tests of keys, cursors, rate limit windows and admission detect at least 90 % of the mutations of their code, and cover all its branches.',
  unit: 'files',
  fullSize: listFilesOfAdmission('sqlite').length,
  minSize: 1,
  batchSize: 1,
  engines: ['sqlite', 'postgres'],
  minutes: 50,
  defect: undefined,
  start: startAdmission,
  conclude: (tally) => {
    const { measured, violations } = concludeScores(tally, ['code', 'SQL']);
    const isCovered = getCount(tally, 'runs with complete coverage') > 0;
    return { measured: `${measured}; branch coverage ${isCovered ? 'is' : 'is not'} 100 %`, violations };
  },
};

const mutationsOfBatch = 10;

/** Their code is the same on both engines. */
export const mutationsOfRooms: Figure = {
  number: 31,
  promise: `The tests of ${new Intl.ListFormat('en').format(rooms.map(({ name }) => name))} detect at least 90 % of ${mutationsOfRoom} mutations of each, spread evenly over the code.`,
  unit: 'mutations',
  fullSize: rooms.length * mutationsOfRoom,
  minSize: mutationsOfBatch,
  batchSize: mutationsOfBatch,
  engines: ['sqlite'],
  minutes: 60,
  defect: undefined,
  start: startRooms,
  conclude: (tally) =>
    concludeScores(
      tally,
      rooms.map(({ name }) => name),
    ),
};
