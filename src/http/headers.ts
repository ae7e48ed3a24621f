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
