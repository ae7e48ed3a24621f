/** A process that reads foreign files, as the process that has started it sees it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { settlesWithin } from '../settles-within.ts';

export interface ImportProcess {
  child: ChildProcess;
  /** What it has written last about its task. */
  lastLine: string;
  /** How it has ended, when everything that it wrote was read. */
  ended: Promise<{ code: number | null; how: string }>;
}

/** The message that asks a process to end its task. */
export const stopMessage = 'stop';

/** The task to run the steps of one waiting run of the admin area. The answer says whether there was one. */
export const queueTask = 'queue';

export const stopTimeoutMs = 10_000;

const maxLineCharacters = 1_000;

/** Reads what a process writes to standard error. */
export function follow(child: ChildProcess, onLine: (line: string) => void): ImportProcess {
  const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
  // The event `close` of a process does not follow after `disconnect`.
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(
    ([[code, signal]]) => ({ code, how: `Its process ended with ${signal ?? `exit code ${code}`}.` }),
    (error) => ({ code: null, how: `Its process did not start: ${error.message}.` }),
  );
  const followed: ImportProcess = { child, lastLine: '', ended };
  lines.on('line', (line) => {
    followed.lastLine = line.slice(0, maxLineCharacters);
    onLine(followed.lastLine);
  });
  return followed;
}

/** @returns the answer of the process to a task, or how it ended without one */
export async function ask<Answer>(
  asked: ImportProcess,
  task: object | string,
): Promise<{ answer: Answer } | { failure: string }> {
  const { child } = asked;
  asked.lastLine = '';
  const answered = new AbortController();
  const ended = asked.ended.then(({ how }) => ({ failure: `${how} ${asked.lastLine}`.trim() }));
  const answer = once(child, 'message', { signal: answered.signal }).then(([message]) => ({
    answer: message as Answer,
  }));
  // `ended` reports a process that cannot receive it.
  child.send(task, () => undefined);
  return Promise.race([answer, ended]).finally(() => answered.abort());
}

/** Asks processes to end their tasks early. One that has not ended after the time is killed. */
export function stopAll(processes: readonly ImportProcess[], timeoutMs: number): Promise<void> {
  for (const { child } of processes) child.send(stopMessage, () => undefined);
  return killAfter(processes, timeoutMs);
}

/** Ends processes without a task. */
export function closeAll(processes: readonly ImportProcess[]): Promise<void> {
  for (const { child } of processes) if (child.connected) child.disconnect();
  return killAfter(processes, stopTimeoutMs);
}

async function killAfter(processes: readonly ImportProcess[], timeoutMs: number): Promise<void> {
  if (await settlesWithin(timeoutMs, Promise.all(processes.map(({ ended }) => ended)))) return;
  for (const { child } of processes) child.kill('SIGKILL');
}
