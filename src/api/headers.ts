import type { IncomingMessage } from 'node:http';
import { type RateLimitWindow, toResetSeconds } from '../domain/rate-limit-window.ts';
import { immutableCacheControl } from '../http/static-files.ts';

export const jsonContentType = 'application/json; charset=utf-8';

/**
 * The headers of every response (specification section 1), names and values alternately.
 *
 * @param rateLimit default limit, for requests without a valid key: they are not counted
 * @param window undefined without a valid key
 */
export function createStandardHeaders(
  contentType: string,
  requestId: string,
  rateLimit: number,
  window: RateLimitWindow | undefined,
  isImmutable = false,
): string[] {
  const headers = [
    'content-type',
    contentType,
    'x-content-type-options',
    'nosniff',
    'cache-control',
    isImmutable ? immutableCacheControl : 'no-store',
    'x-request-id',
    requestId,
    'x-ratelimit-limit',
    String(window?.limit ?? rateLimit),
    'x-ratelimit-remaining',
    String(window?.remaining ?? rateLimit),
  ];
  if (window !== undefined) headers.push('x-ratelimit-reset', String(toResetSeconds(window.resetAtMs)));
  return headers;
}

/** All values of a header. For some headers, `request.headers` silently drops repeated values. */
export function readHeaderValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const rawName = rawHeaders[index] as string;
    if (rawName.length === name.length && rawName.toLowerCase() === name)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}
