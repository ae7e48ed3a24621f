/** One request and the answer to it: all that is written to a client who speaks HTTP is written here. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateLimitWindow } from '../domain/rate-limit-window.ts';
import type { Caller, LargeDocument } from '../domain/store.ts';
import { originHeaders } from './cors.ts';
import type { Body } from './handlers/call.ts';
import { announcesBody, jsonContentType, standardHeaders } from './headers.ts';
import type { ResponseWriter } from './response-writer.ts';

export interface RequestContext {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What the log calls the route; null for an address that has none. */
  readonly operation: string | null;
  /** As `performance.now()` tells it. */
  readonly startedMs: number;
  /** Whose request it is, once a valid key was presented, and the state of the key's window with it. */
  caller: Caller | undefined;
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

/** An answer beside its status. Headers are names and values in turn. */
export interface ResponseContent {
  body: string | Body;
  contentType?: string;
  headers?: readonly string[];
}

/** Answers, unless that was done already: whoever waited too long was told so. */
export type Respond = (exchange: RequestContext, status: number, content: ResponseContent) => void;

export interface AnswerOptions {
  /** What `X-RateLimit-Limit` says where no key was presented. */
  rateLimit: number;
  corsOrigins: readonly string[];
  sender: ResponseWriter;
  logRequest: (exchange: RequestContext, status: number) => void;
}

export function createResponder({ rateLimit, corsOrigins, sender, logRequest }: AnswerOptions): Respond {
  return (exchange, status, { body, contentType = jsonContentType, headers }) => {
    const { requestId, request, response, window } = exchange;
    if (response.headersSent) {
      if (isLarge(body)) void body.close();
      return;
    }
    const all = standardHeaders(contentType, requestId, rateLimit, window);
    if (corsOrigins.length > 0) all.push(...originHeaders(request, corsOrigins));
    if (headers !== undefined) all.push(...headers);
    if (announcesBody(request)) all.push('connection', 'close');
    // RFC 9110, 8.6: no length where there is no content at all.
    if (status !== 204)
      all.push('content-length', String(isLarge(body) ? body.bytes : Buffer.byteLength(body)));
    response.writeHead(status, all);
    if (isLarge(body)) sender.sendPieces(response, body, requestId);
    else sender.send(response, body);
    logRequest(exchange, status);
  };
}

const isLarge = (body: string | Body): body is LargeDocument =>
  typeof body !== 'string' && !Buffer.isBuffer(body);
