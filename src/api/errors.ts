/**
 * Every error that leaves the server is made here: thrown ones by `failWith`, those that never became a request
 * (malformed or unfinished HTTP) by a `RawAnswer`.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import type { Logger } from 'pino';
import { type ErrorStatus, errorCodeFor } from '../contract/error-codes.ts';
import { InvalidParameterError } from '../contract/query-parameters.ts';
import type { RateLimitWindow } from '../domain/rate-limit-window.ts';
import { StoreUnavailableError } from '../domain/store.ts';
import { type ConnectionTracker, closeAfterResponse } from './connection-tracker.ts';
import type { ErrorLog } from './error-log.ts';
import { jsonContentType, standardHeaders } from './headers.ts';
import type { RequestContext, Respond } from './request-context.ts';

/**
 * An answer other than 200. The message is the published sentence; `cause` stays in the log. Those that say the same
 * every time are made once: to note where an error comes from takes longer than to answer.
 */
export class HttpError extends Error {
  readonly status: ErrorStatus;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** The envelope of specification section 7. */
  readonly body: string;

  constructor(status: ErrorStatus, sentence: string, headers: readonly string[] = [], cause?: unknown) {
    super(sentence, { cause });
    this.status = status;
    this.headers = headers;
    this.body = JSON.stringify({ error: sentence, code: errorCodeFor(status) });
  }
}

/** How long a client should wait when the store or the process is not available. */
const retryAfterUnavailable = 5;

export const unavailable = (cause?: unknown, headers: readonly string[] = []) =>
  new HttpError(
    503,
    `The service is not available at the moment: try again in ${retryAfterUnavailable} seconds.`,
    ['retry-after', String(retryAfterUnavailable), ...headers],
    cause,
  );

export const badRequest = (sentence: string) => new HttpError(400, sentence);

/** Bytes of path and query. Filters of 200 characters in any script, a cursor and a limit need less than half. */
export const maxUriBytes = 8_192;

export const uriTooLong = new HttpError(
  414,
  `The address of the request is longer than ${maxUriBytes} bytes.`,
);

export const headerTooLarge = new HttpError(431, 'The header of the request is too large.');

export const methodNotAllowed = new HttpError(405, 'This address answers GET and HEAD only.', [
  'allow',
  'GET, HEAD',
]);

export const notFound = new HttpError(
  404,
  'There is nothing at this address. The API is described at /docs.',
);

const internal = (cause: unknown) =>
  new HttpError(
    500,
    'The service failed to answer; the operator finds the cause by the request id.',
    [],
    cause,
  );

export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidParameterError) return new HttpError(400, error.message);
  if (error instanceof StoreUnavailableError) return unavailable(error);
  return internal(error);
}

/** Answers with what was thrown on the way. */
export function createErrorHandler(
  answer: Respond,
  faults: ErrorLog,
): (exchange: RequestContext, error: unknown) => void {
  return (exchange, error) => {
    const failure = toHttpError(error);
    const { status, headers, body, cause } = failure;
    // A request whose time was up is answered already, and counted.
    const isCounted = status === 503 && exchange.response.headersSent;
    if (cause !== undefined && !isCounted) faults.report(exchange.requestId, status, cause);
    answer(exchange, status, { body, headers });
  };
}

/** What Node's HTTP parser and its timers report, as the failure a client is told. */
function parserFailure({ code, rawPacket, bytesParsed }: ConnectionError): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpError(408, 'The request did not arrive completely in time.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    // The parser counts address and header together. If it has read no line break before it gave up, it was the address.
    const stillInAddress = Buffer.isBuffer(rawPacket) && !rawPacket.subarray(0, bytesParsed).includes('\n');
    return stillInAddress ? uriTooLong : headerTooLarge;
  }
  return badRequest('The request is not well-formed HTTP.');
}

/**
 * Answers on a socket whose request could not be parsed, and closes it. A request is never answered twice: one whose
 * body broke off has its answer already, or gets it, and the connection is closed behind it.
 */
export function handleClientError(
  error: ConnectionError,
  socket: Socket,
  connections: ConnectionTracker,
  writeRaw: RawResponder,
): void {
  if (error.code === 'ECONNRESET') socket.destroy();
  else if (!connections.isClosing(socket))
    respondAfterPending(socket, connections, () => writeRaw(parserFailure(error), socket));
}

/** Takes no further request from the connection, and writes its last answer behind those to earlier requests. */
export function respondAfterPending(socket: Socket, connections: ConnectionTracker, write: () => void): void {
  connections.stopReading(socket);
  const pending = connections.pending(socket);
  if (pending?.req.complete) pending.once('close', write);
  else if (pending?.headersSent) socket.destroy();
  else write();
}

/** Writes a whole answer to a socket that no response stands for, and closes it. */
export type RawResponder = (failure: HttpError, socket: Socket, window?: RateLimitWindow) => void;

export function createRawResponder(rateLimit: number, log: Logger): RawResponder {
  return (failure, socket, window) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const { body } = failure;
    const headers = [
      ...standardHeaders(jsonContentType, requestId, rateLimit, window),
      ...failure.headers,
      'content-length',
      String(Buffer.byteLength(body)),
      'date',
      new Date().toUTCString(),
      'connection',
      'close',
    ];
    const head = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
    socket.on('error', () => socket.destroy());
    socket.write(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${head.join('')}\r\n${body}`);
    closeAfterResponse(socket);
    log.info({ requestId, status: failure.status, reason: failure.message }, 'no request');
  };
}
