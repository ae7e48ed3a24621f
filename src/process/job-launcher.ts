/** Starts processes that run the steps of imports, so that no import can slow down or crash the server. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import type { SettingName } from '../config/settings.ts';
import { startImportProcess } from './import-process.ts';
import { maxJobProcesses, silentJobTimeoutMs } from './job-limits.ts';
import { settlesWithin } from './settles-within.ts';

export interface JobLauncher {
  /** Starts a process if steps are waiting. @param waiting number of steps that no process has claimed */
  wake(waiting: number): void;
  /** Ends the processes; they queue their steps again. A process that takes longer than `timeoutMs` is killed. */
  stop(timeoutMs: number): Promise<void>;
}

/** A process that was started in this time may not have claimed its step yet. */
const startTimeMs = 3_000;

const maxLoggedCharacters = 10_000;

/**
 * @param flags of `serve`: the processes have the same settings
 * @param readVariables reads the settings of the environment and of the configuration file, which may have changed
 */
export function createJobLauncher(
  flags: Partial<Record<SettingName, string>>,
  readVariables: () => NodeJS.ProcessEnv,
  log: Logger,
): JobLauncher {
  const running = new Set<ChildProcess>();
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let isStopping = false;

  function start(): void {
    startedAtMs = performance.now();
    let child: ChildProcess;
    try {
      child = startImportProcess(['jobs', 'run'], flags, readVariables());
    } catch (error) {
      log.error({ err: error }, 'process for imports could not be started');
      return;
    }
    running.add(child);
    const fields = { pid: child.pid };
    log.debug(fields, 'process for imports started');
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) =>
      log.warn(fields, `import: ${line.slice(0, maxLoggedCharacters)}`),
    );
    const killSilent = createWatchdog(child, log);
    child.on('message', killSilent.reset);
    child.once('exit', (code, signal) => {
      running.delete(child);
      killSilent.stop();
      if (code !== 0 && !isStopping) log.error({ ...fields, code, signal }, 'process for imports crashed');
    });
    child.once('error', (error) => {
      running.delete(child);
      killSilent.stop();
      log.error({ err: error }, 'process for imports could not be started');
    });
  }

  return {
    wake: (waiting) => {
      const isStarting = performance.now() - startedAtMs < startTimeMs;
      if (isStopping || waiting === 0 || running.size >= maxJobProcesses) return;
      if (running.size === 0 || !isStarting) start();
    },
    stop: async (timeoutMs) => {
      isStopping = true;
      const exits = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGTERM');
      if (await settlesWithin(timeoutMs, Promise.all(exits))) return;
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

/** Kills a process that is stuck, before its lease expires and another process claims the step. */
function createWatchdog(child: ChildProcess, log: Logger) {
  const timer = setTimeout(() => {
    log.error({ pid: child.pid }, 'process for imports does not respond, killing it');
    child.kill('SIGKILL');
  }, silentJobTimeoutMs).unref();
  return { reset: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}
