/** One request and the answer to it: all that is written to a client who speaks HTTP is written here. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Window } from '../domain/rate-limit-window.ts';
import type { Caller, LargeDocument } from '../domain/store.ts';
import { originHeaders } from './cors.ts';
import type { Body } from './handlers/call.ts';
import { announcesBody, contractHeaders, jsonContentType } from './headers.ts';
import type { Sender } from './response-writer.ts';

export interface Exchange {
  readonly requestId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What the log calls the route; null for an address that has none. */
  readonly operation: string | null;
  /** As `performance.now()` tells it. */
  readonly startedMs: number;
  /** Whose request it is, once a valid key was presented, and the state of the key's window with it. */
  caller: Caller | undefined;
  window: Window | undefined;
}

export function exchangeOf(
  request: IncomingMessage,
  response: ServerResponse,
  operation: string | null,
): Exchange {
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
export interface Content {
  body: string | Body;
  contentType?: string;
  headers?: readonly string[];
}

/** Answers, unless that was done already: whoever waited too long was told so. */
export type Answer = (exchange: Exchange, status: number, content: Content) => void;

export interface AnswerOptions {
  /** What `X-RateLimit-Limit` says where no key was presented. */
  rateLimit: number;
  corsOrigins: readonly string[];
  sender: Sender;
  logRequest: (exchange: Exchange, status: number) => void;
}

export function answerWith({ rateLimit, corsOrigins, sender, logRequest }: AnswerOptions): Answer {
  return (exchange, status, { body, contentType = jsonContentType, headers }) => {
    const { requestId, request, response, window } = exchange;
    if (response.headersSent) {
      if (isLarge(body)) void body.close();
      return;
    }
    const all = contractHeaders(contentType, requestId, rateLimit, window);
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
