/** Commands as the processes that they are, and a desk to work at: a folder, a database, municipalities. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { runCommand } from '../../src/run-command.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { createTemporaryFolder, type Scope } from './files.ts';
import { compileCache } from './server-process.ts';

/** The command in a checkout. It replaces itself by Node, so that its process id is that of the program. */
export const rostraFile = fileURLToPath(new URL('../../rostra', import.meta.url));

/** A test process that is ended early must leave no process behind. */
const runningProcesses = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of runningProcesses) child.kill('SIGKILL');
});

/** Of the surrounding environment only what a process needs: no setting of Rostra's reaches a test. */
export function createEnvironment(extra: Record<string, string> = {}): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NO_COLOR: '1', ...compileCache, ...extra };
}

export interface CommandResult {
  /** null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  environment?: Record<string, string>;
  /** What standard input holds; without it nothing. */
  input?: string | Buffer;
  folder?: string;
}

export interface RunningCommand {
  child: ChildProcess;
  /** Resolves once what the process has written so far matches; rejects when it ended without. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  result: Promise<CommandResult>;
}

const timeoutMs = 240_000;

/** @param program what to run in place of the command of the checkout */
export function startCommand(
  args: readonly string[],
  options: RunOptions = {},
  program = rostraFile,
): RunningCommand {
  const child = spawn(program, args, {
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: createEnvironment(options.environment),
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
  });
  // A process that ends before it has read all of its input is no fault of the test.
  child.stdin?.on('error', () => undefined);
  if (options.input !== undefined && options.input !== '') child.stdin?.end(options.input);
  runningProcesses.add(child);
  const patience = setTimeout(() => child.kill('SIGKILL'), timeoutMs);

  const written = { stdout: '', stderr: '' };
  const looks = new Set<() => void>();
  const wake = () => {
    for (const look of looks) look();
  };
  let over = false;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
      wake();
    });
  }
  const result = once(child, 'close').then(([code, signal]): CommandResult => {
    clearTimeout(patience);
    runningProcesses.delete(child);
    over = true;
    wake();
    return { code, signal, ...written };
  });
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(written.stdout) ?? pattern.exec(written.stderr);
        if (found === null && !over) return;
        looks.delete(look);
        if (found !== null) resolve(found);
        else reject(new Error(`it ended without ${pattern}:\n${written.stdout}${written.stderr}`));
      };
      looks.add(look);
      look();
    });
  return { child, waitForOutput: says, result };
}

/** Commands within this process wait for each other: they share its working directory. */
let previousCommand: Promise<unknown> = Promise.resolve();

/** Runs a command within this process, or as one of its own where only that shows the same. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const isServer = ['serve', 'demo'].includes(args[0] ?? '') && !args.includes('--help');
  // Servers write their log to standard error past what a test could collect.
  return isServer || requiresProcess(args, options)
    ? runCliProcess(args, options)
    : runSequentially(args, options);
}

function requiresProcess(args: readonly string[], { environment = {} }: RunOptions): boolean {
  const hasOnlySettings = Object.keys(environment).every((name) => name.startsWith('ROSTRA_'));
  return !hasOnlySettings || args.includes('--workers');
}

function runSequentially(args: readonly string[], options: RunOptions): Promise<CommandResult> {
  const result = previousCommand.then(() => runInThisProcess(args, options));
  previousCommand = result.catch(() => undefined);
  return result;
}

/** For commands that run at the same time and wait for the locks of each other. */
export function runCliProcess(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  return startCommand(args, options).result;
}

async function runInThisProcess(
  args: readonly string[],
  { environment = {}, folder = '.', input = '' }: RunOptions,
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const collect = (stream: 'stdout' | 'stderr') =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        written[stream] += text;
        done();
      },
    });
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  const [stdout, stderr] = [collect('stdout'), collect('stderr')];
  const before = process.cwd();
  // Imports read it without the context of their command.
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  process.chdir(folder);
  try {
    const code = await runCommand(args, { stdin, stdout, stderr, env: environment }, () => undefined);
    return { code, signal: null, ...written };
  } finally {
    process.chdir(before);
  }
}

/** A command that is expected to end well. @returns its standard output without the last line break */
export async function assertSucceeds(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, options);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

/** A command that is expected to be refused with a sentence on standard error, and with nothing else. */
export async function assertFails(
  args: readonly string[],
  code: number,
  sentence: RegExp,
  options: RunOptions = {},
): Promise<CommandResult> {
  // Also a server, as it ends before it serves.
  const result = await (requiresProcess(args, options) ? runCliProcess : runSequentially)(args, options);
  assert.match(result.stderr, sentence);
  assert.equal(result.code, code, result.stderr);
  assert.equal(result.stdout, '');
  assertNoStack(result);
  return result;
}

/** A stack, or the name of a class, is for whoever writes the program, not for whoever runs it. */
export function assertNoStack({ stderr, stdout }: CommandResult): void {
  assert.doesNotMatch(stderr + stdout, /^\s+at .+:\d+:\d+\)?$|^\w*Error: /m);
}

export interface CliWorkspace extends TestDatabase {
  folder: string;
  /** Arguments with the database of this desk behind them. */
  withDatabase(...args: string[]): string[];
  /** Writes a file into the folder. @returns its path */
  writeFile(name: string, content: string | Buffer): string;
}

export async function createCliWorkspace(scope: Scope): Promise<CliWorkspace> {
  const folder = createTemporaryFolder(scope);
  const own = await createDatabase(scope, folder);
  return {
    ...own,
    folder,
    withDatabase: (...args) => [...args, '--database', own.database],
    writeFile: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

/** Opens an SQLite file itself. */
export function openSqlite<Result>(database: string, work: (sql: Database.Database) => Result): Result {
  const sql = new Database(database);
  try {
    return work(sql);
  } finally {
    sql.close();
  }
}

export interface Municipality {
  id: string;
  name: string;
  /** A key that reads it. */
  key: string;
}

/** A municipality and a key of it, made by the commands that operators use. */
export async function createMunicipality(
  workspace: CliWorkspace,
  name = `Ort ${randomUUID()}`,
): Promise<Municipality> {
  const id = await assertSucceeds(workspace.withDatabase('organization', 'add', name));
  const key = await assertSucceeds(
    workspace.withDatabase('key', 'issue', '--organization', id, '--name', 'Test'),
  );
  return { id, name, key };
}
