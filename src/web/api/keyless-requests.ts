/** Starts requests without a key. They hold up requests with keys for a bounded time, and each client has limits. */
import {
  type IsTrustedProxy,
  readClientAddress,
  toClientNetwork,
} from '../../platform/http/client-address.ts';
import { runInSpan } from '../../platform/tracing/tracing.ts';
import type { AllowedRequest, ClientLimits } from '../open/client-limits.ts';
import type { RequestContext } from './request-context.ts';
import { getTooManyRequests } from './responses/errors.ts';

/** In a turn of the event loop. A request with a key that arrives meanwhile waits for them. */
export const maxStartsPerTurn = 4;

interface WaitingRequest {
  context: RequestContext;
  start: (allowed: AllowedRequest) => void;
}

/** @param fail responds with the error */
export function createKeylessRequests(
  limits: ClientLimits,
  isTrustedProxy: IsTrustedProxy | undefined,
  fail: (context: RequestContext, error: unknown) => void,
) {
  const waiting: WaitingRequest[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(startNext);
  }

  function startNext(): void {
    isScheduled = false;
    for (const request of waiting.splice(0, maxStartsPerTurn)) admit(request);
    schedule();
  }

  function admit({ context, start }: WaitingRequest): void {
    const { request, response } = context;
    // The client has gone.
    if (response.destroyed) return;
    const allowed = limits.begin(toClientNetwork(readClientAddress(request, isTrustedProxy)));
    if (typeof allowed === 'number') {
      fail(context, getTooManyRequests(allowed));
      return;
    }
    response.once('close', allowed.end);
    try {
      runInSpan(context.span, () => start(allowed));
    } catch (error) {
      fail(context, error);
    }
  }

  return (context: RequestContext, start: WaitingRequest['start']): void => {
    waiting.push({ context, start });
    schedule();
  };
}
