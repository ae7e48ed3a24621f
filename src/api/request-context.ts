import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateLimitWindow } from '../domain/rate-limit-window.ts';
import type { Caller } from '../domain/store.ts';

export interface RequestContext {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Name of the route in the access log; null if the path or the method is unknown. */
  readonly operation: string | null;
  /** From `performance.now()`. */
  readonly startedMs: number;
  /** Undefined until a valid key was authenticated. */
  caller: Caller | undefined;
  /** Undefined until a valid key was authenticated. */
  window: RateLimitWindow | undefined;
}

export function createRequestContext(
  request: IncomingMessage,
  response: ServerResponse,
  operation: string | null,
): RequestContext {
  return {
    requestId: randomUUID(),
    request,
    response,
    operation,
    startedMs: performance.now(),
    caller: undefined,
    window: undefined,
  };
}
