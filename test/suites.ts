/** What each run of the tests contains. CONTRIBUTING.md has the same table for people, which a test compares. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { checkout } from './support/checkout.ts';

export const engines = ['SQLite', 'PostgreSQL', 'Citus'] as const;
export type Engine = (typeof engines)[number];

export const suiteNames = ['all', 'quick', 'nightly', 'citus'] as const;
export type SuiteName = (typeof suiteNames)[number];

export interface TestFolder {
  /** Below `test/`. */
  folder: string;
  engines: readonly Engine[];
  /** Files of the quick suite, without `.test.ts`: those that docs/recipes.md names. */
  quick?: 'every file' | readonly string[];
  isNightly?: true;
  /**
   * Files, without `.test.ts`, that run by night only, except on Citus: they start many processes, kill or stop them, damage
   * files, or carry out a recipe.
   */
  byNight?: readonly string[];
  /**
   * Files, without `.test.ts`, that run on PostgreSQL by night only: they start many processes, wait long, write or read much
   * data, or test code that is the same for both engines. Other files run their statements on PostgreSQL by day.
   */
  postgresByNight?: 'every file' | readonly string[];
}

/** Citus runs what PostgreSQL runs. */
const everyEngine = engines;
const sqlite = ['SQLite'] as const;
const postgres = ['PostgreSQL', 'Citus'] as const;

/** The folders whose files take longest come first, so that no processor waits at the end. */
export const testFolders: readonly TestFolder[] = [
  {
    folder: 'postgres',
    engines: postgres,
    byNight: [
      'connection-failures',
      'copy',
      'large-responses',
      'multi-instance',
      'page-statements',
      'pooler',
      'query-plan',
      'response-cache',
      'server-failures',
      'startup-checks',
      'statement-counts',
      'statement-failures',
      'statement-timeouts',
    ],
  },
  {
    folder: 'admin/pages',
    engines: sqlite,
    quick: ['keys', 'language-negotiation', 'routes'],
    byNight: [
      'file-imports',
      'local-times',
      'mount-and-proxy',
      'navigation',
      'organization-search',
      'public-page',
    ],
  },
  {
    folder: 'cli/process',
    engines: sqlite,
    quick: ['configuration', 'help'],
    byNight: [
      'busy-import',
      'closed-pipe',
      'completion',
      'confirmation',
      'logging',
      'mail',
      'mirror',
      'notify-systemd',
    ],
  },
  {
    folder: 'api/http',
    engines: sqlite,
    byNight: ['abusive-connections', 'docs-page', 'metrics', 'slow-readers', 'tracing', 'workers'],
  },
  {
    folder: 'admin',
    engines: everyEngine,
    quick: ['import-formats', 'notifications'],
    byNight: ['mail-processes', 'prepared-processes', 'run-queue-processes', 'small-files'],
    postgresByNight: [
      'add-organization',
      'approvals',
      'audit-log',
      'audit-log-copies',
      'browse-data',
      'data-by-source',
      'dry-run-lists',
      'forgotten-password',
      'help',
      'import-archives',
      'import-reasons',
      'imports',
      'interrupted-forms',
      'invitation-mail',
      'key-reveal',
      'keys-of-all',
      'login-attempt-limits',
      'notifications',
      'password-of-changes',
      'portal-imports',
      'record-notes',
      'reopened-forms',
      'repeated-records',
      'roles',
      'run-path',
      'run-queue',
      'second-factor',
      'sessions',
      'sign-in',
      'statistics',
      'tenancy',
      'uploads',
    ],
  },
  {
    folder: 'runs',
    engines: everyEngine,
    byNight: ['concurrent-imports', 'interrupted', 'oparl-sync-lease'],
    postgresByNight: [
      'agenda',
      'former-survey-sequences',
      'former-surveys',
      'history',
      'idempotency',
      'live-sources',
      'locations',
      'missing',
      'oparl-increments',
      'oparl-sync',
      'oparl-sync-history',
      'options',
      'portal-keys',
      'record-decisions',
      'record-matches',
      'retractions',
      'round-trip',
      'scheduled-portals',
      'similar-surveys',
      'source-schedule',
      'survey-decisions',
      'survey-identity',
      'surveys',
      'undo',
    ],
  },
  {
    folder: 'formats',
    engines: sqlite,
    quick: ['formats', 'import-command', 'no-cell-values-in-errors', 'reasons'],
  },
  { folder: 'meaning', engines: everyEngine, postgresByNight: 'every file' },
  { folder: 'architecture', engines: sqlite, quick: 'every file' },
  {
    folder: 'architecture/examples',
    engines: sqlite,
    byNight: [
      'add-a-field',
      'add-a-field-of-a-key',
      'add-a-field-of-a-source',
      'add-a-filter',
      'add-a-preset',
      'add-a-setting',
      'add-an-admin-page',
      'add-an-import-format',
      'add-an-operation',
      'documented-output',
    ],
  },
  {
    folder: 'sqlite',
    engines: sqlite,
    quick: ['database'],
    byNight: [
      'admin-during-import',
      'drill',
      'large-responses',
      'replaced-file',
      'requests-on-a-full-disk',
      'store-failures',
      'sync-lease',
    ],
  },
  {
    folder: 'api',
    engines: everyEngine,
    quick: 'every file',
    byNight: ['large-responses', 'request-path', 'time-slices'],
    postgresByNight: [
      'admission-batches',
      'authorization',
      'changes-during-writes',
      'cursor-secret',
      'cursors',
      'facets',
      'internal-errors',
      'key-usage',
      'logo',
      'mcp-tools',
      'metrics',
      'open-data-catalog',
      'open-data-catalog-content',
      'open-data-downloads',
      'open-data-feeds',
      'open-data-map',
      'open-data-pages',
      'pagination-consistency',
      'parameters',
      'personal-data',
      'response-cache',
      'search-words-index',
      'statistics',
      'tracing',
    ],
  },
  { folder: 'api/contract', engines: sqlite, quick: 'every file' },
  {
    folder: 'cli',
    engines: everyEngine,
    quick: ['apply', 'key'],
    postgresByNight: [
      'admin',
      'apply',
      'doctor',
      'init',
      'key',
      'key-usage',
      'maintenance-runs',
      'mirror',
      'organization',
      'prune',
    ],
  },
  { folder: 'client', engines: everyEngine, quick: ['client'], postgresByNight: ['client', 'python-client'] },
  {
    folder: 'client/package',
    engines: sqlite,
    byNight: ['python-package', 'rostra-client', 'rostra-mirror'],
  },
  { folder: 'samples', engines: sqlite, byNight: ['mirror', 'results'] },
  { folder: 'upgrades', engines: ['SQLite', 'PostgreSQL'] },
  { folder: 'citus', engines: ['Citus'] },
  { folder: 'nightly', engines: sqlite, isNightly: true },
  { folder: 'nightly/pages', engines: sqlite, isNightly: true },
  { folder: 'nightly/engines', engines: ['SQLite', 'PostgreSQL'], isNightly: true },
  { folder: 'nightly/postgres', engines: ['PostgreSQL'], isNightly: true },
];

export interface TestRun {
  engine: Engine;
  /** Relative to the checkout. */
  file: string;
}

/** Test files of a folder, without those of folders inside. */
function listTestFiles(folder: string): string[] {
  const files = globSync(join(checkout, 'test', folder, '*.test.ts'));
  return files.map((file) => relative(checkout, file).split(sep).join('/')).toSorted();
}

/** Files of the daily folders that do more in the nightly suite. */
const growsAtNight = (file: string) =>
  readFileSync(join(checkout, file), 'utf8').includes(
    `from '${relative(dirname(file), 'test/support/nightly.ts').replace(/^(?!\.)/, './')}'`,
  );

const suiteEngines: Record<SuiteName, readonly Engine[]> = {
  all: ['SQLite', 'PostgreSQL'],
  quick: ['SQLite'],
  nightly: ['SQLite', 'PostgreSQL'],
  citus: ['Citus'],
};

function listSuiteFiles(suite: SuiteName, engine: Engine, row: TestFolder): string[] {
  const { folder, quick, isNightly, byNight, postgresByNight } = row;
  const files = listTestFiles(folder);
  const isIn = (list: TestFolder['quick']) => (file: string) =>
    list === 'every file' || list?.includes(basename(file, '.test.ts')) === true;
  const waitsForNight = (file: string) =>
    engine !== 'Citus' && (isIn(byNight)(file) || (engine === 'PostgreSQL' && isIn(postgresByNight)(file)));
  switch (suite) {
    case 'nightly':
      return isNightly ? files : files.filter((file) => growsAtNight(file) || waitsForNight(file));
    case 'quick':
      return files.filter((file) => !waitsForNight(file) && isIn(quick)(file));
    default:
      return isNightly ? [] : files.filter((file) => !waitsForNight(file));
  }
}

/** @returns the files of a suite on each of its engines, in the order in which they start */
export const planRuns = (suite: SuiteName): TestRun[] =>
  suiteEngines[suite].flatMap((engine) =>
    testFolders
      .filter(({ engines }) => engines.includes(engine))
      .flatMap((row) => listSuiteFiles(suite, engine, row))
      .map((file) => ({ engine, file })),
  );
