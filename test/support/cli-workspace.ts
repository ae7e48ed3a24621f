/** Runs Rostra's commands, in this process or in their own, on a temporary folder and database. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import Database from 'better-sqlite3';
import { runCommand } from '../../src/program/run-command.ts';
import { compileCacheEnvironment } from './checkout.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { createTemporaryFolder, type Scope } from './files.ts';
import { isNightly } from './nightly.ts';
import { rostraFile } from './server-process.ts';

/** An aborted test run must leave no processes behind. */
const runningProcesses = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of runningProcesses) child.kill('SIGKILL');
});

/** Excludes Rostra's settings in the environment of the test run, and the system log. */
export function createEnvironment(extra: Record<string, string> = {}): Record<string, string | undefined> {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, NO_COLOR: '1', ROSTRA_AUDIT_LOG: 'off', ...compileCacheEnvironment, ...extra };
}

export interface CommandResult {
  /** null if a signal ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  environment?: Record<string, string>;
  /** Standard input. Default: empty. An empty string leaves it open for the test to write to. */
  input?: string | Buffer;
  /** Working directory. */
  folder?: string;
}

export interface RunningCommand {
  child: ChildProcess;
  /** Resolves when the output so far matches. Rejects if the process ends without a match. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  result: Promise<CommandResult>;
}

const timeoutMs = isNightly ? 1_200_000 : 240_000;

/** @param program executable to run instead of Rostra */
export function startCli(
  args: readonly string[],
  options: RunOptions = {},
  program = rostraFile,
): RunningCommand {
  const child = spawn(program, args, {
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: createEnvironment(options.environment),
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
  });
  // A process may end before it has read all of its input.
  child.stdin?.on('error', () => undefined);
  if (options.input !== undefined && options.input !== '') child.stdin?.end(options.input);
  runningProcesses.add(child);
  const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutMs);

  const written = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listen of listeners) listen();
  };
  let hasEnded = false;
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      written[stream] += text;
      notify();
    });
  }
  const result = once(child, 'close').then(([code, signal]): CommandResult => {
    clearTimeout(timeout);
    runningProcesses.delete(child);
    hasEnded = true;
    notify();
    return { code, signal, ...written };
  });
  const waitForOutput = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const listen = () => {
        const found = pattern.exec(written.stdout) ?? pattern.exec(written.stderr);
        if (found === null && !hasEnded) return;
        listeners.delete(listen);
        if (found !== null) resolve(found);
        else reject(new Error(`the process ended without ${pattern}:\n${written.stdout}${written.stderr}`));
      };
      listeners.add(listen);
      listen();
    });
  return { child, waitForOutput, result };
}

/** Commands in this process run one after another, because they share its working directory. */
let previousCommand: Promise<unknown> = Promise.resolve();

/** Runs a command in this process if that makes no difference, otherwise in its own. */
export function runCli(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const isServer =
    ['serve', 'demo'].includes(args[0] ?? '') &&
    !args.some((arg) => ['--help', '--check', '--reload'].includes(arg));
  // Servers write their log directly to the standard error of the process.
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

/** Runs a command in its own process, for concurrent commands that wait for each other's locks. */
export function runCliProcess(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  return startCli(args, options).result;
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
    const code = await runCommand(args, { stdin, stdout, stderr, env: environment });
    return { code, signal: null, ...written };
  } finally {
    process.chdir(before);
  }
}

/** Asserts exit code 0. @returns standard output without the final line break */
export async function assertSucceeds(args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, options);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

/**
 * Asserts the exit code, a message on standard error, no standard output and no stack trace. Standard error of a server is
 * returned as the messages of its log.
 */
export async function assertFails(
  args: readonly string[],
  code: number,
  message: RegExp,
  options: RunOptions = {},
): Promise<CommandResult> {
  // A server that fails does not start, so it can run in this process.
  const written = await (requiresProcess(args, options) ? runCliProcess : runSequentially)(args, options);
  const result = { ...written, stderr: readMessages(written.stderr) };
  assert.match(result.stderr, message);
  assert.equal(result.code, code, result.stderr);
  assert.equal(result.stdout, '');
  assertNoStack(result);
  return result;
}

/** Replaces lines of a log by their messages. */
const readMessages = (stderr: string) =>
  stderr.replaceAll(/^\{"level":.*\}$/gm, (line) => JSON.parse(line).msg);

/** Asserts that operators see neither a stack trace nor the name of an error class. */
export function assertNoStack({ stderr, stdout }: CommandResult): void {
  assert.doesNotMatch(stderr + stdout, /^\s+at .+:\d+:\d+\)?$|^\w*Error: /m);
}

export interface CliWorkspace extends TestDatabase {
  folder: string;
  /** Appends `--database` with the database of this workspace to the arguments. */
  withDatabase(...args: string[]): string[];
  /** Writes a file to the folder. @returns its path */
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

/** Opens an SQLite file without Rostra, and closes it after the work. */
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
  /** Secret of an active API key. */
  key: string;
}

/** Adds a municipality and a key with the commands that operators use. */
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
