/** Logs the causes of failed requests, without filling the disk during an outage. */
import type { Logger } from 'pino';

/** An outage ends with the first response of the store after this time without a failed request. */
const recoveryMs = 1_000;

/** Distinct reasons of an outage in the log. */
const maxReasons = 10;

/** The stack of a repeated error is logged again after this time. */
const stackIntervalMs = 60_000;

/** Distinct stacks in memory. */
const maxStacks = 100;

export interface ErrorLog {
  /** Logs the error that made a request fail. */
  report(requestId: string, status: number, error: unknown): void;
  /** Records a response of the store, which can end an outage. */
  reportSuccess(): void;
}

interface Outage {
  startedMs: number;
  latestMs: number;
  requests: number;
  reasons: Set<string>;
}

export function createErrorLog(log: Logger): ErrorLog {
  const stacks = new Map<string, number>();
  let outage: Outage | undefined;

  function reportOutage(requestId: string, error: unknown): void {
    const nowMs = performance.now();
    outage ??= { startedMs: nowMs, latestMs: nowMs, requests: 0, reasons: new Set() };
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

  return {
    report: (requestId, status, error) =>
      status === 503 ? reportOutage(requestId, error) : reportError(requestId, status, error),
    reportSuccess: () => {
      if (outage === undefined || performance.now() - outage.latestMs < recoveryMs) return;
      const { startedMs, latestMs, requests, reasons } = outage;
      outage = undefined;
      log.info(
        {
          failedRequests: requests,
          seconds: Math.round((latestMs - startedMs) / 100) / 10,
          reasons: [...reasons],
        },
        'the database is available again',
      );
    },
  };
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
