/** Runs test files and commands in processes, and collects their results. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkout } from './checkout.ts';
import type { Report, TestResult } from './result-reporter.ts';

/** Of a test file on one engine, or of a check. */
export interface FileResult {
  engine: string;
  file: string;
  durationMs: number;
  passed: number;
  failures: { title: string; error: string }[];
  skips: { title: string; reason: string }[];
  /** Measured figures. */
  notes: string[];
}

export const createResult = (engine: string, file: string): FileResult => ({
  engine,
  file,
  durationMs: 0,
  passed: 0,
  failures: [],
  skips: [],
  notes: [],
});

function addResult(file: FileResult, { titles, isPassed, isSuite, skipped, error }: TestResult): void {
  const title = titles.slice(1).join(' > ') || 'the file';
  if (error !== undefined) file.failures.push({ title, error });
  else if (skipped !== undefined) file.skips.push({ title, reason: skipped });
  else if (isPassed && !isSuite && titles.length > 1) file.passed += 1;
}

/** @returns how a process ended */
async function waitForEnd(child: ChildProcess): Promise<string> {
  const [code, signal] = await once(child, 'exit');
  return signal === null ? `exit code ${code}` : signal;
}

/**
 * Runs test files in one process, one after another.
 *
 * @param takeFile returns the next file, or undefined if there are no more
 * @param environment of the process: it names the engine
 * @param maxSilenceMs a process that reports nothing for so long hangs, and is killed. More than the time of a file
 * @yields the result of each file when it ends. A file that crashes the process has failed, and is the last one
 */
export async function* runFiles(
  engine: string,
  takeFile: () => string | undefined,
  environment: NodeJS.ProcessEnv,
  maxSilenceMs: number,
): AsyncGenerator<FileResult> {
  const first = takeFile();
  if (first === undefined) return;
  // Fewer collections of garbage, by five percent of the processor time.
  const memory = '--max-semi-space-size=64';
  const program = [memory, '--test-reporter', './test/support/result-reporter.ts'];
  const child = spawn(process.execPath, [...program, 'test/support/run-test-files.ts'], {
    cwd: checkout,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'],
  });
  const names = child.stdio[4] as NodeJS.WritableStream;
  // A process may crash before it reads the name.
  names.on('error', () => undefined);
  const sendFile = (file: string | undefined) =>
    file === undefined ? names.end() : names.write(`${file}\n`);
  const killChild = () => void child.kill('SIGKILL');
  process.once('exit', killChild);
  const watchdog = setTimeout(killChild, maxSilenceMs);
  const ended = waitForEnd(child);

  let sent: string | undefined = first;
  let current = createResult(engine, first);
  let hasFailed = false;
  sendFile(first);
  for await (const line of createInterface({ input: child.stdio[3] as NodeJS.ReadableStream })) {
    watchdog.refresh();
    const report = JSON.parse(line) as Report;
    if ('started' in report) current = createResult(engine, report.started);
    else if ('note' in report) current.notes.push(report.note);
    else {
      if (current.file !== sent) {
        if (report.result.error === undefined) continue;
        current = createResult(engine, `the end of ${current.file}`);
      }
      addResult(current, report.result);
      if (report.result.titles.length > 1) continue;
      current.durationMs = report.result.durationMs;
      hasFailed ||= current.failures.length > 0;
      sent = takeFile();
      sendFile(sent);
      yield current;
    }
  }
  const end = await ended;
  clearTimeout(watchdog);
  process.removeListener('exit', killChild);

  if (sent !== undefined) {
    const result = sent === current.file ? current : createResult(engine, sent);
    result.failures.push({ title: 'the process ended before the file', error: end });
    yield result;
  } else if (!hasFailed && end !== 'exit code 0') {
    const result = createResult(engine, `the end of ${current.file}`);
    result.failures.push({ title: 'the process ended with an error', error: end });
    yield result;
  }
}

/** Runs a command of an npm package, such as the type checker. */
export async function runCheck(name: string, command: string, ...args: string[]): Promise<FileResult> {
  const startMs = performance.now();
  const child = spawn(join(checkout, 'node_modules/.bin', command), args, {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  const result = createResult('Check', name);
  result.durationMs = performance.now() - startMs;
  if (code === 0) result.passed = 1;
  else result.failures.push({ title: `${command} ${args.join(' ')}`, error: output });
  return result;
}
