/** Starts the processes of a server: those that run the steps of imports of the admin area, and the one that fills the index of words. */
import { freemem } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { SettingFlags } from '../../config/read-config.ts';
import { settlesWithin } from '../settles-within.ts';
import { ask, closeAll, follow, type ImportProcess, queueTask, stopAll } from './import-process.ts';
import { startImportProcess } from './start-import-process.ts';

/**
 * Work for processes of its own: the number of steps of imports that no process has claimed, a step that a person will probably
 * start soon, or an incomplete index of words.
 */
export type WaitingWork = { runs: number } | 'expected step' | 'words';

export interface QueueLauncher {
  /** Starts a process if none does the work yet. */
  wake(work: WaitingWork): void;
  /** After a reload: the next steps run in processes that start from now on. */
  renew(): void;
  /** Ends the processes; they queue their steps again. A process that takes longer than `timeoutMs` is killed. */
  stop(timeoutMs: number): Promise<void>;
}

/** Concurrent processes of one server, a prepared one included. */
export const maxQueueProcesses = 2;

/** A process that got its task in this time may not have claimed its step yet. */
const claimTimeMs = 3_000;

/** A prepared process ends after this time. It has loaded the program, and takes 70 MB. */
const maxUnusedMs = 600_000;

/** Bytes. With less, the machine needs the memory for something else. */
const minFreeMemory = 256 * 1_048_576;

const checkIntervalMs = 10_000;

interface StepProcess extends ImportProcess {
  /** The settings that it was started with. */
  variables: NodeJS.ProcessEnv;
}

/**
 * The files of one run are read in a process that has read nothing else. So that small files are read at once, one process is prepared
 * while a person looks at the page from which a step starts.
 *
 * @param flags of `serve`: the processes have the same settings
 * @param readVariables reads the settings of the environment and of the configuration file, which may have changed
 */
export function createQueueLauncher(
  flags: SettingFlags,
  readVariables: () => NodeJS.ProcessEnv,
  log: Logger,
): QueueLauncher {
  const busy = new Set<StepProcess>();
  let prepared: StepProcess | undefined;
  let expectedUntilMs = Number.NEGATIVE_INFINITY;
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let isStopping = false;

  /** @throws Error if a file of settings cannot be read */
  function start(variables: NodeJS.ProcessEnv): StepProcess {
    const child = startImportProcess(['source', 'work'], flags, variables);
    const { pid } = child;
    log.debug({ pid }, 'process for imports started');
    return Object.assign(
      follow(child, (line) => log.warn({ pid }, `import: ${line}`)),
      { variables },
    );
  }

  function keep(unused: StepProcess): void {
    prepared = unused;
    const check = setInterval(() => {
      if (prepared === unused && !isExpected()) discard();
    }, checkIntervalMs).unref();
    void unused.ended.then(({ code, how }) => {
      clearInterval(check);
      if (prepared !== unused) return;
      prepared = undefined;
      if (code !== 0) log.warn({ pid: unused.child.pid, end: how }, 'prepared process for imports ended');
    });
  }

  function discard(): void {
    if (prepared === undefined) return;
    const unused = prepared;
    prepared = undefined;
    void closeAll([unused]);
  }

  const isExpected = () => performance.now() < expectedUntilMs && freemem() > minFreeMemory;

  function prepare(): void {
    if (isStopping || prepared !== undefined || busy.size >= maxQueueProcesses || !isExpected()) return;
    try {
      keep(start(readVariables()));
    } catch (error) {
      log.error({ err: error }, 'process for imports could not be prepared');
    }
  }

  /** @throws Error as `start` */
  function take(): StepProcess {
    const variables = readVariables();
    if (!isDeepStrictEqual(prepared?.variables, variables)) discard();
    const taken = prepared ?? start(variables);
    prepared = undefined;
    return taken;
  }

  async function runWaiting(): Promise<void> {
    startedAtMs = performance.now();
    let taken: StepProcess;
    try {
      taken = take();
    } catch (error) {
      log.error({ err: error }, 'process for imports could not be started');
      return;
    }
    const { pid } = taken.child;
    busy.add(taken);
    const end = await ask<boolean>(taken, queueTask);
    if ('failure' in end && !isStopping) log.error({ pid, end: end.failure }, 'process for imports crashed');
    const isUnused = 'answer' in end && !end.answer && !isStopping && prepared === undefined;
    if (isUnused) keep(taken);
    else await closeAll([taken]);
    busy.delete(taken);
  }

  let filling: ImportProcess | undefined;

  async function fillWordIndex(): Promise<void> {
    const child = startImportProcess(['word-index', 'fill'], flags, readVariables());
    const { pid } = child;
    filling = follow(child, (line) => log.info({ pid }, `index of words: ${line}`));
    const { code, how } = await filling.ended;
    const end = `${how} ${filling.lastLine}`.trim();
    filling = undefined;
    if (code !== 0 && !isStopping) log.error({ pid, end }, 'the index of words was not filled');
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
      } else if (work === 'expected step') {
        expectedUntilMs = performance.now() + maxUnusedMs;
        prepare();
      } else {
        const isClaiming = busy.size > 0 && performance.now() - startedAtMs < claimTimeMs;
        if (work.runs > 0 && !isClaiming && busy.size < maxQueueProcesses) void runWaiting();
      }
    },
    renew: discard,
    stop: async (timeoutMs) => {
      isStopping = true;
      const processes = prepared === undefined ? [...busy] : [...busy, prepared];
      prepared = undefined;
      await Promise.all([stopAll(processes, timeoutMs), stopFilling(timeoutMs)]);
    },
  };
}
