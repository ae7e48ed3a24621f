/** Sequences of imports of surveys into one database. They run in the process of the figure, because each one is short. */
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createTemporaryFolder } from '../support/files.ts';
import type { Fixture } from '../support/fixture.ts';
import type { FigureRun, Measurement } from './figure.ts';
import { add, fail, type Tally } from './tally.ts';

export interface SurveyImports {
  fixture: Fixture;
  /** For the files to import. */
  folder: string;
  runCommand: typeof import('../../src/program/run-command.ts')['runCommand'];
  tally: Tally;
}

const discard = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Measures by one sequence for each seed. */
export async function startSequences(
  { createFixture, program, scope, tally }: FigureRun,
  runSequence: (imports: SurveyImports, seed: number) => Promise<void>,
): Promise<Measurement> {
  const { runCommand } = await import(pathToFileURL(join(dirname(program), 'program/run-command.ts')).href);
  const fixture = await createFixture();
  const imports: SurveyImports = { fixture, folder: createTemporaryFolder(scope), runCommand, tally };
  return {
    measure: async (first, count) => {
      for (let seed = first; seed < first + count; seed += 1) await runSequence(imports, seed);
    },
  };
}

/** Rejected records are part of a sequence. All other errors fail the figure. */
export async function importSurveyFile(
  { fixture, runCommand, tally }: SurveyImports,
  organizationId: string,
  format: string,
  file: string,
  options: readonly string[] = [],
): Promise<void> {
  const into = ['--organization', organizationId, '--database', fixture.database, '--json'];
  const streams = { stdin: Readable.from([]), stdout: discard(), stderr: discard(), env: {} };
  const code = await runCommand(['import', format, file, ...into, ...options], streams);
  add(tally, code === 0 ? 'accepted' : 'rejected');
  if (code !== 0 && code !== 3) fail(tally, `${organizationId}: an import ended with ${code}`);
}
