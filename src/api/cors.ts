/** CORS (Fetch standard), off by default: a key in a web page is public, so the operator decides. */
import type { IncomingMessage } from 'node:http';

const exposedHeaders =
  'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Deprecation, Sunset, Link';

/** Whether responses depend on the origin of their request. */
export const isOriginVaried = (origins: readonly string[]): boolean =>
  origins.length > 0 && !origins.includes('*');

/** @returns headers for every response, names and values alternately */
export function createCorsHeaders({ headers }: IncomingMessage, origins: readonly string[]): string[] {
  const { origin } = headers;
  const any = origins.includes('*');
  if (origin === undefined || !(any || origins.includes(origin))) return [];
  return ['access-control-allow-origin', any ? '*' : origin, 'access-control-expose-headers', exposedHeaders];
}

/** Whether the request is a preflight from an allowed origin. A preflight has no credentials. */
export function isPreflight({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, authorization, 'access-control-request-method': wanted } = headers;
  const allowed = origin !== undefined && (origins.includes('*') || origins.includes(origin));
  return method === 'OPTIONS' && wanted !== undefined && authorization === undefined && allowed;
}

/** Names and values alternately. */
export const preflightHeaders = [
  'access-control-allow-methods',
  'GET, HEAD',
  'access-control-allow-headers',
  'Authorization',
  'access-control-max-age',
  '7200',
];
