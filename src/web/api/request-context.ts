import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admission } from '../../domain/store.ts';
import type { Span } from '../../platform/tracing/tracing.ts';
import type { HttpError } from './responses/errors.ts';

/** What the steps of an API request share, from the dispatcher to the access log. */
export interface RequestContext {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The connection closes after the response, because the server has not read the body. */
  hasUnreadBody: boolean;
  /** Name of the route in the access log; null if the path or the method is unknown. */
  readonly operation: string | null;
  /** From `performance.now()`. Later by the time that a client took to send a body that the server reads. */
  startedMs: number;
  /** Undefined if requests are not traced. */
  readonly span: Span | undefined;
  /** Format of errors other than that of the API. */
  readonly formatError: ((error: HttpError) => string) | undefined;
  /** Undefined until a valid key was authenticated. */
  admission: Admission | undefined;
}

/** The variable parts of a URL. */
export interface RequestTarget {
  /** Path parameter; empty if the path has none. */
  id: string;
  /** Percent-encoded. */
  queryString: string;
}
