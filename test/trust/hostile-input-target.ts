/**
 * Reads hostile inputs one after another, as imports of the program do: with its limits of memory and of silence. Writes a
 * line of JSON before and after each input.
 *
 * Arguments: the entry point of the program, and JSON of `HostileInputPlan`.
 */
import { writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { createHostileInput, type Reader } from './hostile-inputs.ts';

export interface HostileInputPlan {
  folder: string;
  database: string;
  organizationId: string;
  /** Numbers of the inputs: `first` to `first + count - 1`. */
  first: number;
  count: number;
  maxMemory: number;
  maxSilenceMs: number;
}

export type TargetLine =
  | { begin: number; reader: string; bytes: number }
  /** `milliseconds` of processor time. */
  | { end: number; milliseconds: number; code: number; problem: string | undefined };

const [, , program = '', text = ''] = process.argv;
const plan = JSON.parse(text) as HostileInputPlan;
const load = (file: string) => import(pathToFileURL(join(dirname(program), file)).href);
const { runCommand } = await load('program/run-command.ts');
const { limitImportProcess } = await load('program/process/import-processes/limit-import-process.ts');
await limitImportProcess(plan.maxMemory, plan.maxSilenceMs);

// A write to a pipe is complete when it returns, so a line that was written survives the end of the process.
const report = (line: TargetLine) => void writeSync(1, `${JSON.stringify(line)}\n`);

function write(name: string, content: string | Buffer): string {
  const path = join(plan.folder, name);
  writeFileSync(path, content);
  return path;
}

function composeArguments({ args, file, others = {} }: Reader, content: Buffer): string[] {
  const words: Record<string, string> = { FILE: write(file, content), TOWN: plan.organizationId };
  for (const [word, other] of Object.entries(others)) words[word] = write(`${word.toLowerCase()}.txt`, other);
  const database = args[1] === 'detect' ? [] : ['--database', plan.database];
  return [...args.map((arg) => words[arg] ?? arg), ...database];
}

/** @returns why the end of a command is not one of a careful program */
function findProblem(code: number, written: string, isWellFormed: boolean): string | undefined {
  if (isWellFormed && code !== 0) return `a well-formed file is rejected: ${written.slice(0, 300)}`;
  if (![0, 1, 2, 3].includes(code)) return `exit code ${code}`;
  if (/\n\s+at .+:\d+/.test(written)) return `a stack: ${written.slice(0, 300)}`;
  return code !== 0 && written.trim() === '' ? 'no sentence' : undefined;
}

for (let number = plan.first; number < plan.first + plan.count; number += 1) {
  const { reader, content, isWellFormed } = createHostileInput(number);
  const args = composeArguments(reader, content);
  report({ begin: number, reader: reader.name, bytes: content.length });
  let written = '';
  const collect = () =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        if (written.length < 10_000) written += chunk;
        done();
      },
    });
  const before = process.cpuUsage();
  const streams = { stdin: Readable.from([]), stdout: collect(), stderr: collect(), env: {} };
  const code = await runCommand(args, streams);
  const { user, system } = process.cpuUsage(before);
  const milliseconds = (user + system) / 1_000;
  report({ end: number, milliseconds, code, problem: findProblem(code, written, isWellFormed) });
}
process.exit();
