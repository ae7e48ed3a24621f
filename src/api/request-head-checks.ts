import type { IncomingMessage } from 'node:http';
import { HttpError, headerTooLarge, maxUriBytes, uriTooLong } from './errors.ts';
import { readHeaderValues } from './headers.ts';

/** URL and header fields together. */
export const maxHeaderBytes = 16_384;

/**
 * Limit of the parser. It counts the URL and the header fields together and does not report which one is too long, so
 * it accepts more, and `findRequestHeadError` decides. Above this limit the status (414 or 431) depends on the packets.
 */
export const maxParsedHeaderBytes = 8 * maxHeaderBytes;

const oneHostRequired = new HttpError(400, 'The request must have exactly one Host header.');
const unsupportedCoding = new HttpError(400, 'The only supported transfer coding is "chunked".');

/** Finds the reason to reject a request whatever its URL (RFC 9112). */
export function findRequestHeadError(request: IncomingMessage): HttpError | undefined {
  const { url = '', rawHeaders, headers, httpVersion } = request;
  if (url.length > maxUriBytes) return uriTooLong;
  let bytes = url.length;
  for (const part of rawHeaders) bytes += part.length;
  if (bytes >= maxHeaderBytes) return headerTooLarge;
  const hosts = readHeaderValues(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return oneHostRequired;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unsupportedCoding;
  return undefined;
}

/** Whether the request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
