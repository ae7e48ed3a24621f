/** How a request is framed (RFC 9112): the bounds of its header, and the reasons for a refusal whatever its address. */
import type { IncomingMessage } from 'node:http';
import { badRequest, type HttpError, headerTooLarge, maxUriBytes, uriTooLong } from './errors.ts';
import { headerValues } from './headers.ts';

/** Bytes of address and header fields together; the address alone is bounded more tightly. */
export const maxHeaderBytes = 16_384;

/**
 * The parser's own limit in bytes. The parser counts the address and the header fields together and does not report
 * which one is too long, so it accepts more and `framingFailure` decides. Above this limit the answer depends on how
 * the request was split into packets.
 */
export const maxParsedHeaderBytes = 8 * maxHeaderBytes;

/** The reason why a request is refused before its address is looked at. */
export function framingFailure(request: IncomingMessage): HttpError | undefined {
  const { url = '', rawHeaders, headers, httpVersion } = request;
  if (url.length > maxUriBytes) return uriTooLong;
  let size = url.length;
  for (const part of rawHeaders) size += part.length;
  if (size >= maxHeaderBytes) return headerTooLarge;
  const hosts = headerValues(request, 'host').length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return badRequest('The request must have one Host header.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return badRequest('The only transfer coding that the server reads is "chunked".');
  return undefined;
}
