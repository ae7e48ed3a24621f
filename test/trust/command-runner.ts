import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** @returns the exit code, and everything that the command printed */
export type CommandRunner = (args: readonly string[]) => Promise<{ code: number; output: string }>;

/** Runs commands of a program in this process. @param program its entry point */
export async function loadCommandRunner(program: string): Promise<CommandRunner> {
  const file = pathToFileURL(join(dirname(program), 'program/run-command.ts')).href;
  const { runCommand }: typeof import('../../src/program/run-command.ts') = await import(file);
  return async (args) => {
    let output = '';
    const collect = () =>
      new Writable({
        write: (chunk, _encoding, done) => {
          output += chunk;
          done();
        },
      });
    const streams = { stdin: Readable.from([]), stdout: collect(), stderr: collect(), env: {} };
    return { code: await runCommand([...args], streams), output };
  };
}
