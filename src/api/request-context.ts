import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateLimitWindow } from '../domain/rate-limit-window.ts';
import type { Caller } from '../domain/store.ts';

export interface RequestContext {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The connection closes after the response, because the server does not read the body. */
  readonly hasBody: boolean;
  /** Name of the route in the access log; null if the path or the method is unknown. */
  readonly operation: string | null;
  /** From `performance.now()`. */
  readonly startedMs: number;
  /** Undefined until a valid key was authenticated, like `window`. */
  caller: Caller | undefined;
  window: RateLimitWindow | undefined;
}

/** The variable parts of a URL. */
export interface RequestTarget {
  /** Path parameter; empty if the path has none. */
  id: string;
  /** Percent-encoded. */
  queryString: string;
}
