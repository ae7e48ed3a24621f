/**
 * Cross-origin reading, off unless origins are configured (Fetch standard, CORS protocol). Only whole
 * origins, or `*`: a key in a web page is public, and the operator has to decide that.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const exposed = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After';

export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const { origin } = request.headers;
  const any = origins.includes('*');
  if (!any) reply.header('vary', 'Origin');
  if (origin === undefined || !(any || origins.includes(origin))) return;
  reply.header('access-control-allow-origin', any ? '*' : origin);
  reply.header('access-control-expose-headers', exposed);
}

/** Answers a preflight from an allowed origin. @returns whether it was one */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): boolean {
  const { origin, 'access-control-request-method': method } = request.headers;
  const allowed = origin !== undefined && (origins.includes('*') || origins.includes(origin));
  if (request.method !== 'OPTIONS' || method === undefined || !allowed) return false;
  reply.header('access-control-allow-methods', 'GET, HEAD');
  reply.header('access-control-allow-headers', 'Authorization');
  reply.header('access-control-max-age', '7200');
  reply.code(204).send();
  return true;
}
