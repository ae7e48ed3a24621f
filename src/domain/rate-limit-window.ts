/**
 * Rate windows: fixed, of one length for the whole installation, and shifted per key so that not all keys
 * reset at the same moment. Pure: the clock that is asked belongs to the store.
 */

/** What a key may still do. Times are Unix milliseconds. */
export interface RateLimitWindow {
  /** Requests the key may make in one window. */
  limit: number;
  /** Requests left, 0 to `limit`. */
  remaining: number;
  resetAtMs: number;
}

/**
 * When the window that contains `nowMs` began, in Unix milliseconds.
 *
 * @param keyId a UUID; its leading 48 bits give the shift
 */
export function windowStart(keyId: string, nowMs: number, windowMs: number): number {
  const shift = Number.parseInt(keyId.slice(0, 8) + keyId.slice(9, 13), 16) % windowMs;
  return nowMs - modulo(nowMs - shift, windowMs);
}

/** Whole seconds until the reset, at least 1: a client that waits this long meets a new window. */
export function retryAfterSeconds(resetAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
}

/** Unix seconds. Rounded up, so that the window has really ended at the time we name. */
export function resetSeconds(resetAtMs: number): number {
  return Math.ceil(resetAtMs / 1000);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
