/** Graceful shutdown: the first SIGTERM or SIGINT starts it, the next one skips the wait. */
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { Log } from './logger.ts';
import { notifySystemd } from './notify-systemd.ts';
import { settlesWithin } from './settles-within.ts';

const shutdownSignals = ['SIGTERM', 'SIGINT'] as const;

export interface Stoppable {
  /** Makes `/ready` return 503, so that load balancers stop sending requests. Requests still get responses. */
  markNotReady(): void;
  /** Resolves when all requests are done. */
  stop(): Promise<void>;
}

export interface ShutdownSignals {
  first: Promise<NodeJS.Signals>;
  second: Promise<NodeJS.Signals>;
  third: Promise<NodeJS.Signals>;
  /** Restores the default action: the next signal ends the process. */
  dispose(): void;
}

/** The handlers stay between the signals: without one, the system would end the process before its log is written. */
export function receiveSignals(): ShutdownSignals {
  const first = Promise.withResolvers<NodeJS.Signals>();
  const second = Promise.withResolvers<NodeJS.Signals>();
  const third = Promise.withResolvers<NodeJS.Signals>();
  const pending = [first, second, third];
  const onSignal = (name: NodeJS.Signals) => pending.shift()?.resolve(name);
  for (const name of shutdownSignals) process.on(name, onSignal);
  return {
    first: first.promise,
    second: second.promise,
    third: third.promise,
    dispose: () => {
      for (const name of shutdownSignals) process.off(name, onSignal);
    },
  };
}

/**
 * A second signal skips the delay. A signal after the delay exits at once.
 *
 * @param signals received since before the start of the server, so that no signal is missed
 */
export async function shutDownOnSignal(
  { first, second, third, dispose }: ShutdownSignals,
  stopDelayMs: number,
  { log, close }: Log,
  { markNotReady, stop }: Stoppable,
): Promise<void> {
  log.info({ signal: await first }, 'stopping');
  void notifySystemd(log, 'STOPPING=1', 'STATUS=Finishing open requests');
  markNotReady();
  const isDelaySkipped = stopDelayMs > 0 && (await settlesWithin(stopDelayMs, second));
  void (isDelaySkipped ? third : second).then(async (signal) => {
    log.warn({ signal }, 'exiting without waiting for open requests');
    await close();
    process.exit(getExitCode(signal));
  });
  await stop();
  dispose();
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
