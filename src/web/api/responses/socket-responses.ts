/** Responses on sockets without a `ServerResponse`: to HTTP that Node cannot parse, and to CONNECT. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { findErrorCode } from '../../../contract/error-codes.ts';
import { unknownOperation } from '../../../domain/keys/key-usage.ts';
import type { RateLimitWindow } from '../../../domain/store.ts';
import {
  type ConnectionTracker,
  closeAfterResponse,
  isAllowedTimeout,
  type RequestTurns,
} from '../../../platform/http/connections.ts';
import { STATUS_CODES } from '../../../platform/http/node-http.ts';
import type { RequestMetrics } from '../../../platform/metrics/metrics-registry.ts';
import { isRequestTarget } from '../admit-request.ts';
import { HttpError, headerTooLarge, invalidUri, notAPath } from './errors.ts';
import { createStandardHeaders, jsonContentType } from './response-headers.ts';

/** Writes a complete response and closes the connection. */
export type WriteRawResponse = (error: HttpError, socket: Socket, window?: RateLimitWindow) => void;

export function createRawResponder(
  rateLimit: number,
  log: Logger,
  metrics: RequestMetrics | undefined,
): WriteRawResponse {
  return (error, socket, window) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const { body, status } = error;
    const headers = [
      ...createStandardHeaders(status, jsonContentType, requestId, rateLimit, window),
      ...error.headers,
      'content-length',
      String(Buffer.byteLength(body)),
      'date',
      new Date().toUTCString(),
      'connection',
      'close',
    ];
    const head = headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`));
    socket.on('error', () => socket.destroy());
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
    closeAfterResponse(socket);
    metrics?.recordRequest(unknownOperation, status, undefined);
    log.info(
      { requestId, status, error: findErrorCode(status), reason: error.message },
      'rejected a request before routing',
    );
  };
}

/** Error of Node's HTTP parser or of its timeouts. */
type ParserError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: number };

function toParserHttpError({ code, rawPacket, bytesParsed }: ParserError): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpError(408, 'The request did not arrive completely in time.');
  if (code === 'HPE_HEADER_OVERFLOW') return headerTooLarge;
  if (code === 'HPE_INVALID_URL') {
    // The parser stops within the target.
    const parsed = Buffer.isBuffer(rawPacket) ? rawPacket.subarray(0, bytesParsed).toString('latin1') : '';
    const [, target = '/'] = /(?:^|\n)[A-Z-]+ +(\S*)$/.exec(parsed) ?? [];
    return isRequestTarget(target) ? invalidUri : notAPath;
  }
  return new HttpError(400, 'The request is not well-formed HTTP.');
}

/**
 * Responds to a request that cannot be parsed, and closes the connection. A request that already has a response gets no
 * second one if the parser fails in its body.
 */
export function handleClientError(
  error: ParserError,
  socket: Socket,
  connections: ConnectionTracker,
  turns: RequestTurns,
  writeRaw: WriteRawResponse,
): void {
  if (isAllowedTimeout(error, socket)) return;
  if (error.code === 'ECONNRESET') socket.destroy();
  else if (!connections.isClosing(socket)) {
    connections.markClosing(socket);
    turns.finish(socket, () => writeRaw(toParserHttpError(error), socket));
  }
}
