import type { IncomingMessage } from 'node:http';
import { type Operation, operations } from '../../../contract/operations.ts';
import type { RateLimitWindow } from '../../../domain/store.ts';

/** A removal must be seen at once, and asking whether a file has changed costs little. */
export const openCacheControl = 'public, max-age=0, must-revalidate';

/** Names and values alternately. */
export const openCorsHeaders = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'Content-Range, ETag, Link, Retry-After, X-Request-Id',
];

export const jsonContentType = 'application/json; charset=utf-8';

/**
 * The headers of every response (specification section 1), names and values alternately.
 *
 * @param status of the response
 * @param rateLimit default limit, for requests without a valid key: they are not counted; undefined: a limit of addresses applies
 * @param window undefined without a valid key
 * @param cacheControl value of `Cache-Control`
 */
export function createStandardHeaders(
  status: number,
  contentType: string,
  requestId: string,
  rateLimit: number | undefined,
  window: RateLimitWindow | undefined,
  cacheControl = 'no-store',
): string[] {
  const headers = [
    'content-type',
    contentType,
    'x-content-type-options',
    'nosniff',
    'cache-control',
    cacheControl,
    'x-request-id',
    requestId,
  ];
  const limit = window?.limit ?? rateLimit;
  if (limit !== undefined) {
    // Without the store, it is unknown what a key has left.
    const remaining = window?.remaining ?? (status === 503 ? 0 : limit);
    headers.push('x-ratelimit-limit', String(limit), 'x-ratelimit-remaining', String(remaining));
  }
  // Rounded up, so that the window has ended at this time.
  if (window !== undefined) headers.push('x-ratelimit-reset', String(Math.ceil(window.resetAtMs / 1000)));
  return headers;
}

/** CORS (Fetch standard), off by default: a key in a web page is public, so the operator decides. */
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

const createPreflightHeaders = (methods: string, headers: string) => [
  'access-control-allow-methods',
  methods,
  'access-control-allow-headers',
  headers,
  'access-control-max-age',
  '7200',
];

/** Names and values alternately. */
export const preflightHeaders = createPreflightHeaders('GET, HEAD', 'Authorization');

/** Of the endpoint for AI assistants. */
export const postPreflightHeaders = createPreflightHeaders(
  'POST',
  'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
);

/** @returns names and values alternately, by operation; empty while no operation is deprecated */
export function createDeprecationHeaders(): ReadonlyMap<string | null, readonly string[]> {
  const headers = new Map<string | null, readonly string[]>();
  for (const [id, { deprecated }] of Object.entries<Operation>(operations)) {
    if (deprecated === undefined) continue;
    const { since, sunset, link } = deprecated;
    headers.set(id, [
      'deprecation',
      `@${Date.parse(since) / 1000}`,
      'sunset',
      new Date(sunset).toUTCString(),
      'link',
      `<${link}>; rel="deprecation"; type="text/html"`,
    ]);
  }
  return headers;
}
