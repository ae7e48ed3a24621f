/**
 * Cross-origin reading, off unless origins are configured (Fetch standard, CORS protocol). Only whole
 * origins, or `*`: a key in a web page is public, and the operator has to decide that.
 */
import type { IncomingMessage } from 'node:http';

const exposed = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After';

/** For every response, names and values in turn. */
export function originHeaders({ headers }: IncomingMessage, origins: readonly string[]): string[] {
  const { origin } = headers;
  const any = origins.includes('*');
  const vary = any ? [] : ['vary', 'Origin'];
  if (origin === undefined || !(any || origins.includes(origin))) return vary;
  return [
    ...vary,
    'access-control-allow-origin',
    any ? '*' : origin,
    'access-control-expose-headers',
    exposed,
  ];
}

/** Whether it is a preflight from an allowed origin. A preflight carries no credentials. */
export function isPreflight({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, authorization, 'access-control-request-method': wanted } = headers;
  const allowed = origin !== undefined && (origins.includes('*') || origins.includes(origin));
  return method === 'OPTIONS' && wanted !== undefined && authorization === undefined && allowed;
}

/** What a preflight is told, names and values in turn. */
export const preflightHeaders = [
  'access-control-allow-methods',
  'GET, HEAD',
  'access-control-allow-headers',
  'Authorization',
  'access-control-max-age',
  '7200',
];
