import { computeRetryAfterSeconds } from '../domain/rate-limit-window.ts';
import type { Admission } from '../domain/store.ts';
import { HttpError } from './errors.ts';

/** @throws HttpError 429 if the rate limit of the key is exhausted (specification section 8) */
export function enforceRateLimit({ window, isRateLimited, nowMs }: Admission): void {
  if (!isRateLimited) return;
  const seconds = computeRetryAfterSeconds(window.resetAtMs, nowMs);
  throw new HttpError(429, `The rate limit of this key is exhausted: try again in ${seconds} seconds.`, [
    'retry-after',
    String(seconds),
  ]);
}
