/** Runs tests with a mutation in a copy of the program. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../support/checkout.ts';
import type { Scope } from '../support/files.ts';
import { nodeBinary } from '../support/server-process.ts';
import { listCodeMutations } from './code-mutations.ts';
import { createDamagedCopy } from './damaged-copy.ts';
import { listSqlMutations, type SourceMutation } from './sql-mutations.ts';

export type MutationStatus = 'Killed' | 'Survived' | 'Timeout';

export interface MutatedFile {
  /** Relative to the checkout. */
  file: string;
  line: number;
  kind: 'code' | 'SQL';
  mutation: SourceMutation;
  source: string;
}

/** Each copy runs one mutation at a time. */
const copies = 2;

/** The mutations of code and then those of SQL, in the order of the source. */
export async function listMutatedFiles(file: string): Promise<MutatedFile[]> {
  const source = readFileSync(join(checkout, file), 'utf8');
  const toMutatedFile = (kind: MutatedFile['kind']) => (mutation: SourceMutation) => ({
    file,
    line: source.slice(0, mutation.start).split('\n').length,
    kind,
    mutation,
    source,
  });
  return [
    ...(await listCodeMutations(file, source)).map(toMutatedFile('code')),
    ...listSqlMutations(source).map(toMutatedFile('SQL')),
  ];
}

const applyMutation = ({ source, mutation: { start, end, replacement } }: MutatedFile) =>
  source.slice(0, start) + replacement + source.slice(end);

export interface TestRunOptions {
  testFiles: readonly string[];
  timeoutMs: number;
  environment: NodeJS.ProcessEnv;
}

/** Runs the test files one after another until one fails. */
async function runTests(
  copy: string,
  { testFiles, timeoutMs, environment }: TestRunOptions,
): Promise<MutationStatus> {
  for (const file of testFiles) {
    const status = await new Promise<MutationStatus>((resolve) => {
      const args = ['test/trust/run-test-file.ts', file];
      const options = { cwd: copy, env: environment, timeout: timeoutMs, maxBuffer: 100_000_000 };
      execFile(nodeBinary, args, { ...options, killSignal: 'SIGKILL' }, (error) =>
        resolve(error === null ? 'Survived' : error.killed ? 'Timeout' : 'Killed'),
      );
    });
    if (status !== 'Survived') return status;
  }
  return 'Survived';
}

/** @throws if the tests fail without a mutation */
export async function runMutations(
  scope: Scope,
  mutated: readonly MutatedFile[],
  options: TestRunOptions,
  report: (mutated: MutatedFile, status: MutationStatus) => void,
): Promise<void> {
  if (mutated.length === 0) return;
  const queue = [...mutated];
  const runCopy = async (isFirst: boolean) => {
    const copy = createDamagedCopy(scope, []);
    if (isFirst && (await runTests(copy, options)) !== 'Survived')
      throw new Error('the tests fail without a mutation');
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const path = join(copy, next.file);
      writeFileSync(path, applyMutation(next));
      report(next, await runTests(copy, options));
      writeFileSync(path, next.source);
    }
  };
  await Promise.all(Array.from({ length: copies }, (_, index) => runCopy(index === 0)));
}
