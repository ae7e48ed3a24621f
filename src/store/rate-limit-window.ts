/** The rate limit window of a key. */

export interface RateLimitOptions {
  /** Requests per window of keys without a limit of their own. */
  rateLimit: number;
  rateWindowMs: number;
}

/**
 * Start of the window that contains `nowMs`, in Unix milliseconds. Each key has its own offset, so that the windows of all keys
 * do not reset at once. postgres/admit-key.ts has the same formula in SQL.
 *
 * @param keyId a UUID. Its first 48 bits determine the offset.
 */
export function computeWindowStart(keyId: string, nowMs: number, windowMs: number): number {
  const offset = Number.parseInt(keyId.slice(0, 8) + keyId.slice(9, 13), 16) % windowMs;
  return nowMs - ((nowMs - offset) % windowMs);
}

/**
 * Grants requests within the limit. `present` is the stored window, `excluded` the one of the current time:
 *
 * - In the stored window, `used` grows up to the limit.
 * - In an exhausted window, all requests are rejected, and the statement returns no row.
 * - In a later window, counting starts again.
 *
 * A window never moves back after a small correction of the clock. If the stored window is more than one window ahead, the
 * clock was wrong, and counting starts again. The row has columns for the granted requests and for the limit, because
 * RETURNING cannot return the previous value of `used`, and `excluded` has only columns of the table.
 *
 * @param least the engine's function for the smaller of two values
 * @param rows query for the columns of the INSERT, as if there were no stored window: `used` and `granted` are the number of
 *   requests, up to the limit
 */
export function composeGrant(
  table: string,
  least: 'min' | 'least',
  rateWindowMs: string,
  rows: string,
): string {
  const isCurrent = `present.window_start_ms BETWEEN excluded.window_start_ms AND excluded.window_start_ms + ${rateWindowMs}`;
  return `INSERT INTO ${table} AS present
    (organization_id, key_id, window_start_ms, used, granted, request_limit, last_used_at_ms)
  ${rows}
  ON CONFLICT (organization_id, key_id) DO UPDATE SET
    window_start_ms = CASE WHEN ${isCurrent} THEN present.window_start_ms ELSE excluded.window_start_ms END,
    used = CASE WHEN ${isCurrent} THEN ${least}(present.used + excluded.used, excluded.request_limit) ELSE excluded.used END,
    granted = CASE WHEN ${isCurrent} THEN ${least}(excluded.used, excluded.request_limit - present.used) ELSE excluded.used END,
    request_limit = excluded.request_limit,
    last_used_at_ms = excluded.last_used_at_ms
  WHERE present.used < excluded.request_limit OR NOT (${isCurrent})
  RETURNING organization_id, key_id, used, granted, window_start_ms AS "windowStartMs"`;
}
