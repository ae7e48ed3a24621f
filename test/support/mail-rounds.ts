/**
 * Lets a test start the rounds of the mail schedulers in its process, instead of waiting for minutes. Import this file before
 * the code that sends emails.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { waitUntil } from './wait-until.ts';

/** Between two searches for events. Nothing else waits as long. */
const scanIntervalMs = 300_000;
const deliveryIntervalMs = 60_000;

/** Functions that end the waits for the next rounds; undefined during a round. */
interface Waits {
  isMailScheduler: boolean;
  scan: (() => void) | undefined;
  delivery: (() => void) | undefined;
}

/** By the signal that stops them. */
const waits = new Map<AbortSignal, Waits>();

const { setTimeout } = timers;
const pollMs = 5;

timers.setTimeout = ((delayMs = 0, value, options = {}) => {
  const { signal } = options;
  const isScan = delayMs === scanIntervalMs;
  if (signal === undefined || (!isScan && delayMs !== deliveryIntervalMs))
    return setTimeout(delayMs, value, options);
  const own = waits.get(signal) ?? { isMailScheduler: false, scan: undefined, delivery: undefined };
  waits.set(signal, own);
  const early = new AbortController();
  own.isMailScheduler ||= isScan;
  own[isScan ? 'scan' : 'delivery'] = () => early.abort();
  return setTimeout(delayMs, value, { ...options, signal: AbortSignal.any([signal, early.signal]) });
}) as typeof setTimeout;
syncBuiltinESMExports();

const listMailSchedulers = () =>
  [...waits].flatMap(([signal, own]) => (own.isMailScheduler && !signal.aborted ? [own] : []));

const waitForSchedulers = () =>
  waitUntil(
    'mail schedulers that wait for their next round',
    () => {
      const schedulers = listMailSchedulers();
      return schedulers.length > 0 && schedulers.every(({ scan, delivery }) => scan && delivery);
    },
    pollMs,
  );

/** Lets every mail scheduler search for events, and then send the queued messages. */
export async function runMailRounds(): Promise<void> {
  for (const name of ['scan', 'delivery'] as const) {
    await waitForSchedulers();
    for (const scheduler of listMailSchedulers()) {
      const end = scheduler[name];
      scheduler[name] = undefined;
      end?.();
    }
  }
  await waitForSchedulers();
}
