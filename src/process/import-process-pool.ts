/** Gives tasks to processes that read foreign files, one at a time to each, so that a file can end only its own process. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { settlesWithin } from './settles-within.ts';

export interface ImportProcessPool<Task, Answer> {
  /** @returns the answer of a process, or how it ended without one */
  run(task: Task): Promise<{ answer: Answer } | { failure: string }>;
  /** Asks the processes to end their tasks early. One that has not answered after ten seconds is killed. */
  stop(): void;
  /** Ends the processes, which have no tasks any more. */
  close(): Promise<void>;
}

interface ImportProcess {
  child: ChildProcess;
  /** What it has written last about its task. */
  lastLine: string;
  /** How it has ended, when everything that it wrote was read. */
  ended: Promise<string>;
}

/** The message that asks a process to end its task. */
export const stopMessage = 'stop';

const stopTimeoutMs = 10_000;

const maxLineCharacters = 1_000;

/**
 * @param start starts a process that answers each message with one message
 * @param onLine receives what the processes write to standard error
 */
export function createImportProcessPool<Task extends object, Answer>(
  start: () => ChildProcess,
  onLine: (line: string) => void,
): ImportProcessPool<Task, Answer> {
  const running = new Set<ImportProcess>();
  let idle: ImportProcess[] = [];

  function add(): ImportProcess {
    const child = start();
    const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
    // The event `close` of a process does not follow after `disconnect`.
    const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(
      ([[code, signal]]) => `Its process ended with ${signal ?? `exit code ${code}`}.`,
      (error) => `Its process did not start: ${error.message}.`,
    );
    const started: ImportProcess = { child, lastLine: '', ended };
    running.add(started);
    lines.on('line', (line) => {
      started.lastLine = line.slice(0, maxLineCharacters);
      onLine(started.lastLine);
    });
    void ended.then(() => {
      running.delete(started);
      idle = idle.filter((one) => one !== started);
    });
    return started;
  }

  const killAll = () => {
    for (const { child } of running) child.kill('SIGKILL');
  };

  return {
    run: async (task) => {
      const taken = idle.pop() ?? add();
      const { child } = taken;
      taken.lastLine = '';
      const answered = new AbortController();
      const ended = taken.ended.then((how) => ({ failure: `${how} ${taken.lastLine}`.trim() }));
      const answer = once(child, 'message', { signal: answered.signal }).then(([message]) => ({
        answer: message as Answer,
      }));
      // `ended` reports a process that cannot receive it.
      child.send(task, () => undefined);
      const end = await Promise.race([answer, ended]).finally(() => answered.abort());
      if ('answer' in end) idle.push(taken);
      return end;
    },
    stop: () => {
      for (const { child } of running) child.send(stopMessage, () => undefined);
      setTimeout(killAll, stopTimeoutMs).unref();
    },
    close: async () => {
      const ends = [...running].map(({ ended }) => ended);
      for (const { child } of running) if (child.connected) child.disconnect();
      if (!(await settlesWithin(stopTimeoutMs, Promise.all(ends)))) killAll();
    },
  };
}
