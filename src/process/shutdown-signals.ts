/** How a process is told to end; what serves, by one signal in good order, by the next one sooner. */
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { printError } from '../cli/command-context.ts';
import type { Log } from './logger.ts';

const ends = ['SIGTERM', 'SIGINT'] as const;

export interface Stoppable {
  /** From now on load balancers are told to send no more requests; those that come are still answered. */
  leave(): void;
  /** Resolves when every request under way is answered. */
  stop(): Promise<void>;
}

/**
 * A further signal ends the delay, and the process once the delay is over.
 *
 * @param signalled from before it began to serve, so that no signal is missed
 */
export async function shutdownOn(
  signalled: Promise<NodeJS.Signals>,
  stopDelayMs: number,
  { log, close }: Log,
  { leave, stop }: Stoppable,
): Promise<void> {
  log.info({ signal: await signalled }, 'stopping');
  leave();
  await patienceOf(stopDelayMs);
  const stopped = new AbortController();
  nextSignal(stopped.signal).then(async (signal) => {
    log.warn({ signal }, 'ended at once: requests under way were not answered');
    await close();
    process.exit(exitCodeOf(signal));
  });
  await stop();
  stopped.abort();
}

/** Waits, until the next signal at the longest: who is in a hurry asks twice. */
async function patienceOf(delayMs: number): Promise<void> {
  if (delayMs === 0) return;
  const over = new AbortController();
  await Promise.race([
    setTimeout(delayMs, undefined, { signal: over.signal }),
    nextSignal(over.signal),
  ]).finally(() => over.abort());
}

export function nextSignal(signal?: AbortSignal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ends) process.once(name, resolve);
    signal?.addEventListener('abort', () => {
      for (const name of ends) process.removeListener(name, resolve);
    });
  });
}

const standardError = 2;

/** Has SIGHUP do this. From a terminal that was closed it ends the process, as it does with every other. */
export function onHangUp(work: () => void): void {
  const onTerminal = isatty(standardError);
  const heed = () => {
    if (!onTerminal || isatty(standardError)) {
      work();
      return;
    }
    process.removeListener('SIGHUP', heed);
    process.kill(process.pid, 'SIGHUP');
  };
  process.on('SIGHUP', heed);
}

/** For work that ends early at SIGINT or SIGTERM, and at once at the next one; `dispose` when it has ended. */
export function abortOnSignal(): { signal: AbortSignal; dispose: () => void } {
  const interrupt = new AbortController();
  const onSignal = (name: NodeJS.Signals) => {
    if (interrupt.signal.aborted) {
      printError('Ended at once, without waiting for the work under way.');
      process.exit(exitCodeOf(name));
    }
    interrupt.abort();
  };
  for (const name of ends) process.on(name, onSignal);
  return {
    signal: interrupt.signal,
    dispose: () => {
      for (const name of ends) process.off(name, onSignal);
    },
  };
}

/** The exit code that shells give to a command which a signal ended. */
const exitCodeOf = (name: NodeJS.Signals) => 128 + constants.signals[name];
