/** Logs why requests failed: often enough to find the cause, and not so often that an outage fills the disk. */
import type { Logger } from 'pino';

/** Answers of the store end an outage when no request has failed for this long. */
const calmMs = 1_000;

/** Different reasons that one outage logs. */
const maxReasons = 10;

/** A fault that repeats is logged with its stack again after this time. */
const stackEveryMs = 60_000;

/** Different faults whose stacks are remembered. */
const maxStacks = 100;

export interface ErrorLog {
  /** A request failed with this status because of this error. */
  report(requestId: string, status: number, error: unknown): void;
  /** The store answered a request. */
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
    const reason = messageOf(error);
    if (outage.reasons.has(reason) || outage.reasons.size === maxReasons) return;
    outage.reasons.add(reason);
    log.error({ requestId, status: 503, err: error }, 'the database is unavailable');
  }

  /** Each request that fails has a line with its id; the stack is in the first one of a minute. */
  function reportFault(requestId: string, status: number, error: unknown): void {
    const nowMs = performance.now();
    const stack = error instanceof Error ? String(error.stack) : messageOf(error);
    const isKnown = nowMs - (stacks.get(stack) ?? Number.NEGATIVE_INFINITY) < stackEveryMs;
    if (!isKnown) {
      if (stacks.size === maxStacks) stacks.clear();
      stacks.set(stack, nowMs);
    }
    log.error({ requestId, status, err: isKnown ? { message: messageOf(error) } : error }, 'request failed');
  }

  return {
    report: (requestId, status, error) =>
      status === 503 ? reportOutage(requestId, error) : reportFault(requestId, status, error),
    reportSuccess: () => {
      if (outage === undefined || performance.now() - outage.latestMs < calmMs) return;
      const { startedMs, latestMs, requests } = outage;
      outage = undefined;
      log.info(
        { failedRequests: requests, seconds: Math.round((latestMs - startedMs) / 100) / 10 },
        'the database is available again',
      );
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
