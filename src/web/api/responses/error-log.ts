/** Logs the causes of failed requests, without filling the disk during an outage. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** An outage ends when the database is ready after this time without a failed request. */
const recoveryMs = 1_000;

/** During an outage, one look in this time. */
const probeIntervalMs = 250;

/** Distinct reasons of an outage in the log. */
const maxReasons = 10;

/** The stack of a repeated error is logged again after this time. */
const stackIntervalMs = 60_000;

/** Distinct stacks in memory. */
const maxStacks = 100;

export interface ErrorLog {
  /** Logs the error that made a request fail. */
  report(requestId: string, status: number, error: unknown): void;
}

interface Outage {
  startedMs: number;
  latestMs: number;
  requests: number;
  reasons: Set<string>;
}

/** @param assertReady rejects while the database is unavailable. Clients may be silent for long after an outage */
export function createErrorLog(log: Logger, assertReady: () => Promise<void>): ErrorLog {
  const stacks = new Map<string, number>();
  let outage: Outage | undefined;

  function reportOutage(requestId: string, error: unknown): void {
    const nowMs = performance.now();
    if (outage === undefined) {
      outage = { startedMs: nowMs, latestMs: nowMs, requests: 0, reasons: new Set() };
      void awaitEnd(outage);
    }
    outage.latestMs = nowMs;
    outage.requests += 1;
    const reason = getMessage(error);
    if (outage.reasons.has(reason) || outage.reasons.size === maxReasons) return;
    outage.reasons.add(reason);
    log.error({ requestId, status: 503, err: error }, 'the database is unavailable');
  }

  /** Logs every failed request with its id, and the stack once per minute. */
  function reportError(requestId: string, status: number, error: unknown): void {
    const nowMs = performance.now();
    const stack = error instanceof Error ? String(error.stack) : getMessage(error);
    const isKnown = nowMs - (stacks.get(stack) ?? Number.NEGATIVE_INFINITY) < stackIntervalMs;
    if (!isKnown) {
      if (stacks.size === maxStacks) stacks.clear();
      stacks.set(stack, nowMs);
    }
    log.error({ requestId, status, err: isKnown ? { message: getMessage(error) } : error }, 'request failed');
  }

  async function awaitEnd(current: Outage): Promise<void> {
    for (;;) {
      await setTimeout(probeIntervalMs, undefined, { ref: false });
      const isReady = await assertReady().then(
        () => true,
        () => false,
      );
      if (isReady && performance.now() - current.latestMs >= recoveryMs) break;
    }
    outage = undefined;
    const { startedMs, latestMs, requests, reasons } = current;
    log.info(
      {
        failedRequests: requests,
        seconds: Math.round((latestMs - startedMs) / 100) / 10,
        reasons: [...reasons],
      },
      'the database is available again',
    );
  }

  return {
    report: (requestId, status, error) =>
      status === 503 ? reportOutage(requestId, error) : reportError(requestId, status, error),
  };
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
