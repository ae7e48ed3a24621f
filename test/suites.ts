/** What each run of the tests contains. CONTRIBUTING.md has the same table for people, which a test compares. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const checkout = join(import.meta.dirname, '..');

export const engines = ['SQLite', 'PostgreSQL', 'Citus'] as const;
export type Engine = (typeof engines)[number];

export const suiteNames = ['all', 'quick', 'nightly', 'citus'] as const;
export type SuiteName = (typeof suiteNames)[number];

export interface TestFolder {
  /** Below `test/`. */
  folder: string;
  engines: readonly Engine[];
  isQuick?: true;
  isNightly?: true;
  /** Processes that share the files. */
  processes?: number;
}

/** Citus runs what PostgreSQL runs. */
const everyEngine = engines;
const sqlite = ['SQLite'] as const;
const postgres = ['PostgreSQL', 'Citus'] as const;

/** The folders that take longest come first, so that no processor waits at the end. */
export const testFolders: readonly TestFolder[] = [
  { folder: 'admin/pages', engines: sqlite, processes: 3 },
  { folder: 'cli/process', engines: sqlite },
  { folder: 'api/http', engines: sqlite },
  { folder: 'admin', engines: everyEngine },
  { folder: 'import', engines: everyEngine },
  { folder: 'formats', engines: sqlite, processes: 2 },
  { folder: 'architecture', engines: sqlite, isQuick: true },
  { folder: 'architecture/examples', engines: sqlite },
  { folder: 'sqlite', engines: sqlite },
  { folder: 'api', engines: everyEngine, isQuick: true },
  { folder: 'cli', engines: everyEngine },
  { folder: 'client', engines: everyEngine },
  { folder: 'client/package', engines: sqlite },
  { folder: 'samples', engines: sqlite },
  { folder: 'postgres', engines: postgres, processes: 2 },
  { folder: 'citus', engines: ['Citus'] },
  { folder: 'nightly', engines: sqlite, isNightly: true },
  { folder: 'nightly/engines', engines: ['SQLite', 'PostgreSQL'], isNightly: true },
  { folder: 'nightly/postgres', engines: ['PostgreSQL'], isNightly: true },
];

/** Files that one process runs, one after another. */
export interface Batch {
  engine: Engine;
  name: string;
  /** Relative to the checkout. */
  files: string[];
}

/** Test files of a folder, without those of folders inside. */
export function listTestFiles(folder: string): string[] {
  const files = globSync(join(checkout, 'test', folder, '*.test.ts'));
  return files.map((file) => relative(checkout, file).split(sep).join('/')).toSorted();
}

/** Files of the daily folders that do more in the nightly suite. */
const growsAtNight = (file: string) =>
  readFileSync(join(checkout, file), 'utf8').includes(
    `from '${relative(dirname(file), 'test/support/nightly.ts').replace(/^(?!\.)/, './')}'`,
  );

/** @returns the batches of a suite, in the order in which they start */
export function planBatches(suite: SuiteName): Batch[] {
  const batches = testFolders.flatMap((row) => {
    const { folder, engines: runOn, processes = 1 } = row;
    const files = listTestFiles(folder);
    const engine = (name: Engine) => ({ engine: name });
    return runOn
      .filter((name) => (name === 'Citus' ? suite === 'citus' : suite !== 'citus'))
      .flatMap((name) => {
        if (suite === 'nightly') {
          const chosen = row.isNightly ? files : files.filter(growsAtNight);
          return chosen.map((file) => ({ ...engine(name), name: file, files: [file] }));
        }
        if (row.isNightly || (suite === 'quick' && (!row.isQuick || name !== 'SQLite'))) return [];
        return Array.from({ length: processes }, (_, part) => ({
          ...engine(name),
          name: processes === 1 ? folder : `${folder} ${part + 1}`,
          files: files.filter((_, index) => index % processes === part),
        }));
      });
  });
  // One engine after the other: the cluster of PostgreSQL starts meanwhile.
  return engines.flatMap((engine) => batches.filter((batch) => batch.engine === engine));
}
