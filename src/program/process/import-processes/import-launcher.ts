/** Starts the processes that import for a schedule, so that a file can end only its own process. */
import type { ChildProcess } from 'node:child_process';
import { ask, closeAll, follow, type ImportProcess, stopAll } from './import-process.ts';

interface ImportLauncher<Task, Answer> {
  /** @returns the answer of a process, or how it ended without one */
  run(task: Task): Promise<{ answer: Answer } | { failure: string }>;
  /** Asks the processes to end their tasks early. One that has not ended after the time is killed. */
  stop(timeoutMs: number): Promise<void>;
  /** Ends the processes, which have no tasks any more. */
  close(): Promise<void>;
}

/**
 * @param start starts a process that answers each message with one message
 * @param onLine receives what the processes write to standard error
 */
export function createImportLauncher<Task extends object, Answer>(
  start: () => ChildProcess,
  onLine: (line: string) => void,
): ImportLauncher<Task, Answer> {
  const running = new Set<ImportProcess>();
  let idle: ImportProcess[] = [];

  function add(): ImportProcess {
    const started = follow(start(), onLine);
    running.add(started);
    void started.ended.then(() => {
      running.delete(started);
      idle = idle.filter((one) => one !== started);
    });
    return started;
  }

  return {
    run: async (task) => {
      const taken = idle.pop() ?? add();
      const end = await ask<Answer>(taken, task);
      if ('answer' in end) idle.push(taken);
      return end;
    },
    stop: (timeoutMs) => stopAll([...running], timeoutMs),
    close: () => closeAll([...running]),
  };
}
