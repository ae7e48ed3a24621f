/** Graceful shutdown: the first SIGTERM or SIGINT starts it, the next one skips the wait. */
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import type { Log } from './logger.ts';

const shutdownSignals = ['SIGTERM', 'SIGINT'] as const;

export interface Stoppable {
  /** Makes `/ready` return 503, so that load balancers stop sending requests. Requests still get responses. */
  markNotReady(): void;
  /** Resolves when all requests are done. */
  stop(): Promise<void>;
}

/**
 * A second signal skips the delay. A signal after the delay exits at once.
 *
 * @param signalled from `waitForSignal` before the start of the server, so that no signal is missed
 */
export async function shutDownOnSignal(
  signalled: Promise<NodeJS.Signals>,
  stopDelayMs: number,
  { log, close }: Log,
  { markNotReady, stop }: Stoppable,
): Promise<void> {
  log.info({ signal: await signalled }, 'stopping');
  markNotReady();
  await waitForDelay(stopDelayMs);
  const stopped = new AbortController();
  void waitForSignal(stopped.signal).then(async (signal) => {
    log.warn({ signal }, 'exiting without waiting for open requests');
    await close();
    process.exit(getExitCode(signal));
  });
  await stop();
  stopped.abort();
}

/** Waits for the delay or the next signal, whichever comes first. */
async function waitForDelay(delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  const done = new AbortController();
  await Promise.race([
    setTimeout(delayMs, undefined, { signal: done.signal }),
    waitForSignal(done.signal),
  ]).finally(() => done.abort());
}

/** @param until stops listening for signals when it aborts; the promise then stays pending */
export function waitForSignal(until?: AbortSignal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of shutdownSignals) process.once(name, resolve);
    until?.addEventListener('abort', () => {
      for (const name of shutdownSignals) process.removeListener(name, resolve);
    });
  });
}

const standardErrorFd = 2;

/** Handles SIGHUP. If the terminal was closed, the signal still ends the process. */
export function onHangup(handler: () => void): void {
  const hadTerminal = isatty(standardErrorFd);
  const onSignal = () => {
    if (!hadTerminal || isatty(standardErrorFd)) {
      handler();
      return;
    }
    process.removeListener('SIGHUP', onSignal);
    process.kill(process.pid, 'SIGHUP');
  };
  process.on('SIGHUP', onSignal);
}

/** The first SIGINT or SIGTERM aborts `signal`, the next one exits. Call `dispose` when the work has ended. */
export function abortOnSignal(): { signal: AbortSignal; dispose: () => void } {
  const controller = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      process.stderr.write('Exiting immediately. The batch in progress is discarded.\n');
      process.exit(getExitCode(name));
    }
    controller.abort();
  };
  for (const name of shutdownSignals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const name of shutdownSignals) process.off(name, onSignal);
    },
  };
}

/** The exit code that shells report for a process that was ended by a signal. */
const getExitCode = (name: NodeJS.Signals) => 128 + constants.signals[name];
