/** Starts the processes that read foreign files, so that a file can end only its own process. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import type { SettingFlags } from '../../config/read-config.ts';
import { settlesWithin } from '../settles-within.ts';
import { startImportProcess } from './start-import-process.ts';

interface ImportLauncher<Task, Answer> {
  /** @returns the answer of a process, or how it ended without one */
  run(task: Task): Promise<{ answer: Answer } | { failure: string }>;
  /** Asks the processes to end their tasks early. One that has not ended after the time is killed. */
  stop(timeoutMs: number): Promise<void>;
  /** Ends the processes, which have no tasks any more. */
  close(): Promise<void>;
}

interface ImportProcess {
  child: ChildProcess;
  /** What it has written last about its task. */
  lastLine: string;
  /** How it has ended, when everything that it wrote was read. */
  ended: Promise<{ code: number | null; how: string }>;
}

/** Reads what a process writes to standard error. */
function follow(child: ChildProcess, onLine: (line: string) => void): ImportProcess {
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

/** The message that asks a process to end its task. */
export const stopMessage = 'stop';

/** The task to run the waiting steps of imports, one after the other, until none is left. */
export const queueTask = 'queue';

export const stopTimeoutMs = 10_000;

const maxLineCharacters = 1_000;

/**
 * @param start starts a process that answers each message with one message
 * @param onLine receives what the processes write to standard error
 */
export function createImportLauncher<Task extends object | string, Answer>(
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

  async function killAfter(timeoutMs: number): Promise<void> {
    if (await settlesWithin(timeoutMs, Promise.all([...running].map(({ ended }) => ended)))) return;
    for (const { child } of running) child.kill('SIGKILL');
  }

  return {
    run: async (task) => {
      const taken = idle.pop() ?? add();
      const { child } = taken;
      taken.lastLine = '';
      const answered = new AbortController();
      const ended = taken.ended.then(({ how }) => ({ failure: `${how} ${taken.lastLine}`.trim() }));
      const answer = once(child, 'message', { signal: answered.signal }).then(([message]) => ({
        answer: message as Answer,
      }));
      // `ended` reports a process that cannot receive it.
      child.send(task, () => undefined);
      const end = await Promise.race([answer, ended]).finally(() => answered.abort());
      if ('answer' in end) idle.push(taken);
      return end;
    },
    stop: (timeoutMs) => {
      for (const { child } of running) child.send(stopMessage, () => undefined);
      return killAfter(timeoutMs);
    },
    close: () => {
      for (const { child } of running) if (child.connected) child.disconnect();
      return killAfter(stopTimeoutMs);
    },
  };
}

/** Work for processes of its own: the number of steps of imports that no process has claimed, or an incomplete index of words. */
export type WaitingWork = { runs: number } | 'words';

/** The launcher of a server, which runs the steps of imports that were started in the admin area, and fills the index of words. */
export interface QueueLauncher {
  /** Starts a process if none does the work yet. */
  wake(work: WaitingWork): void;
  /** Ends the processes; they queue their steps again. A process that takes longer than `timeoutMs` is killed. */
  stop(timeoutMs: number): Promise<void>;
}

/** Concurrent processes of one server. */
export const maxQueueProcesses = 2;

/** A process that was started in this time may not have claimed its step yet. */
const startTimeMs = 3_000;

/**
 * @param flags of `serve`: the processes have the same settings
 * @param readVariables reads the settings of the environment and of the configuration file, which may have changed
 */
export function createQueueLauncher(
  flags: SettingFlags,
  readVariables: () => NodeJS.ProcessEnv,
  log: Logger,
): QueueLauncher {
  const running = new Set<ImportLauncher<string, unknown>>();
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let isStopping = false;

  async function start(): Promise<void> {
    startedAtMs = performance.now();
    let pid: number | undefined;
    const launcher = createImportLauncher<string, unknown>(
      () => {
        const child = startImportProcess(['source', 'work'], flags, readVariables());
        pid = child.pid;
        log.debug({ pid }, 'process for imports started');
        return child;
      },
      (line) => log.warn({ pid }, `import: ${line}`),
    );
    running.add(launcher);
    try {
      const end = await launcher.run(queueTask);
      if ('failure' in end && !isStopping)
        log.error({ pid, end: end.failure }, 'process for imports crashed');
      await launcher.close();
    } catch (error) {
      log.error({ err: error }, 'process for imports could not be started');
    } finally {
      running.delete(launcher);
    }
  }

  let filling: ImportProcess | undefined;

  async function fillWordIndex(): Promise<void> {
    const child = startImportProcess(['word-index', 'fill'], flags, readVariables());
    const { pid } = child;
    filling = follow(child, (line) => log.info({ pid }, `index of words: ${line}`));
    const { code, how } = await filling.ended;
    filling = undefined;
    if (code !== 0 && !isStopping) log.error({ pid, end: how }, 'the index of words was not filled');
  }

  async function stopFilling(timeoutMs: number): Promise<void> {
    if (filling === undefined) return;
    const { child, ended } = filling;
    // It ends after its transaction, and goes on after the next start.
    child.kill('SIGTERM');
    if (!(await settlesWithin(timeoutMs, ended))) child.kill('SIGKILL');
  }

  return {
    wake: (work) => {
      if (isStopping) return;
      if (work === 'words') {
        if (filling === undefined) void fillWordIndex();
        return;
      }
      const isStarting = performance.now() - startedAtMs < startTimeMs;
      if (work.runs === 0 || running.size >= maxQueueProcesses) return;
      if (running.size === 0 || !isStarting) void start();
    },
    stop: async (timeoutMs) => {
      isStopping = true;
      await Promise.all([
        ...[...running].map((launcher) => launcher.stop(timeoutMs)),
        stopFilling(timeoutMs),
      ]);
    },
  };
}
