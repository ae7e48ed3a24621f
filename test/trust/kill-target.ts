/**
 * Runs commands one after another until the process is killed. Writes what each command writes to standard output and
 * standard error at once, as lines `begin`, `output` and `end`.
 *
 * Arguments: the entry point of the program, and JSON of `KillTargetPlan`.
 */
import { writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

export interface KillTargetPlan {
  /** Argument lists of commands. */
  commands: string[][];
}

const [, , program = '', text = ''] = process.argv;
const { commands } = JSON.parse(text) as KillTargetPlan;
const { runCommand } = await import(pathToFileURL(join(dirname(program), 'program/run-command.ts')).href);

// A write to a pipe is complete when it returns, so a line that was written survives the kill.
const report = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`);

report({ ready: true });
for (const [index, args] of commands.entries()) {
  const collect = () =>
    new Writable({
      decodeStrings: false,
      write: (output: string, _encoding, done) => {
        report({ index, output });
        done();
      },
    });
  const streams = { stdin: Readable.from([]), stdout: collect(), stderr: collect(), env: {} };
  const code = await runCommand(args, streams);
  report({ index, code });
}
