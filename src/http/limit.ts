import type { FastifyReply } from 'fastify';
import { resetSeconds, retryAfterSeconds } from '../access/window.ts';
import type { Admission } from '../store/store.ts';
import { Failure } from './failure.ts';

/**
 * Tells the state of the key's window in the headers (specification section 8).
 *
 * @throws Failure 429 when the window is exhausted
 */
export function limit({ window, refused, nowMs }: Admission, reply: FastifyReply): void {
  reply.header('x-ratelimit-limit', String(window.limit));
  reply.header('x-ratelimit-remaining', String(window.remaining));
  reply.header('x-ratelimit-reset', String(resetSeconds(window.resetAtMs)));
  if (!refused) return;
  const seconds = retryAfterSeconds(window.resetAtMs, nowMs);
  throw new Failure(429, `The rate limit of this key is exhausted: try again in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  });
}
