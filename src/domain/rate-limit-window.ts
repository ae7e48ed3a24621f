/**
 * Rate limit windows have one fixed length per installation. Each key has its own offset, so that the windows of all
 * keys do not reset at once.
 */

export interface RateLimitWindow {
  /** Maximum requests per window. */
  limit: number;
  /** Remaining requests, 0 to `limit`. */
  remaining: number;
  /** Unix milliseconds. */
  resetAtMs: number;
}

/**
 * Start of the window that contains `nowMs`, in Unix milliseconds. postgres/admit-key.ts has the same formula in SQL.
 *
 * @param keyId a UUID. Its first 48 bits determine the offset.
 */
export function computeWindowStart(keyId: string, nowMs: number, windowMs: number): number {
  const offset = Number.parseInt(keyId.slice(0, 8) + keyId.slice(9, 13), 16) % windowMs;
  return nowMs - computeModulo(nowMs - offset, windowMs);
}

/** Whole seconds until the reset, at least 1. */
export function computeRetryAfterSeconds(resetAtMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
}

/** Unix seconds, rounded up so that the window has ended at this time. */
export function toResetSeconds(resetAtMs: number): number {
  return Math.ceil(resetAtMs / 1000);
}

function computeModulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
