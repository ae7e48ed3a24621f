/** Mutations of code by the instrumenter of Stryker (https://stryker-mutator.io/docs/mutation-testing-elements/supported-mutators/). */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { checkout } from '../support/checkout.ts';
import type { SourceMutation } from './sql-mutations.ts';

/** Its packages are installed on the first run, because only one figure needs them. */
const packageFolder = join(checkout, 'test/trust/mutation');

/** With lines and columns from 0. */
interface Position {
  line: number;
  column: number;
}

interface Mutant {
  mutatorName: string;
  replacement: string;
  location: { start: Position; end: Position };
}

interface StrykerInstrumenter {
  Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly { name: string; content: string; mutate: true }[],
      options: { plugins: null; excludedMutations: readonly string[]; ignorers: readonly object[] },
    ): Promise<{ mutants: readonly Mutant[] }>;
  };
}

const silentLogger = {
  isDebugEnabled: () => false,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};

let loaded: Promise<StrykerInstrumenter> | undefined;

/** Once, also for several files at the same time. */
const loadInstrumenter = () => {
  loaded ??= installInstrumenter();
  return loaded;
};

async function installInstrumenter(): Promise<StrykerInstrumenter> {
  const entry = join(packageFolder, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js');
  if (!existsSync(entry)) await promisify(execFile)('npm', ['ci'], { cwd: packageFolder });
  return import(pathToFileURL(entry).href);
}

/** In the order of the source. @param name of the file, whose ending says the language */
export async function listCodeMutations(name: string, source: string): Promise<SourceMutation[]> {
  const { Instrumenter } = await loadInstrumenter();
  const { mutants } = await new Instrumenter(silentLogger).instrument(
    [{ name, content: source, mutate: true }],
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  const lines = source.split('\n');
  const starts = lines.map((_, line) => lines.slice(0, line).join('\n').length + Math.min(line, 1));
  const locate = ({ line, column }: Position) => (starts[line] as number) + column;
  return mutants
    .map(({ mutatorName, replacement, location: { start, end } }) => ({
      name: mutatorName,
      start: locate(start),
      end: locate(end),
      replacement,
    }))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
}
