import type { IncomingMessage } from 'node:http';

export const jsonContentType = 'application/json; charset=utf-8';

/**
 * The headers of every response (specification section 1). Without a valid key nothing was consumed, so the
 * whole limit of the installation remains.
 */
export function contractHeaders(requestId: string, rateLimit: number): Record<string, string> {
  return {
    'content-type': jsonContentType,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    'x-ratelimit-limit': String(rateLimit),
    'x-ratelimit-remaining': String(rateLimit),
  };
}

/** How often a header was sent. Node keeps the first of some that must not be repeated, and says nothing. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}
