import type { IncomingMessage } from 'node:http';
import { type RateLimitWindow, resetSeconds } from '../domain/rate-limit-window.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/**
 * The headers of every response (specification section 1), names and values in turn.
 *
 * @param rateLimit the installation's: without a valid key nothing was consumed, so all of it remains
 * @param window that of the key, where a valid one was presented
 */
export function standardHeaders(
  contentType: string,
  requestId: string,
  rateLimit: number,
  window: RateLimitWindow | undefined,
): string[] {
  const headers = [
    'content-type',
    contentType,
    'x-content-type-options',
    'nosniff',
    'cache-control',
    'no-store',
    'x-request-id',
    requestId,
    'x-ratelimit-limit',
    String(window?.limit ?? rateLimit),
    'x-ratelimit-remaining',
    String(window?.remaining ?? rateLimit),
  ];
  if (window !== undefined) headers.push('x-ratelimit-reset', String(resetSeconds(window.resetAtMs)));
  return headers;
}

/** Each value of a header. Node keeps one of some that must not be repeated, and says nothing. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

/** Whether a body follows the header (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
