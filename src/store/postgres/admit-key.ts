/** Key look-up and rate limit in one statement of PostgreSQL, with the clock of the database. */

import type { GrantedBatch, RateLimitOptions } from '../admission-batcher.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import type { Query } from './connection-pool.ts';

/**
 * $1 hash of the key, $2 default limit, $3 length of a window in milliseconds, $4 number of requests.
 *
 * A rejected request reads the row as of the start of the statement, and ignores a window that had ended by then.
 *
 * The formula for the start of the window is that of `computeWindowStart` in domain/rate-limit-window.ts. The row has a column
 * for the number of granted requests because RETURNING cannot return the previous value of `used`. As in sqlite/admit-key.ts,
 * a window never moves back, unless the clock was wrong by more than one window.
 */
const grantQuery = `
WITH clock AS (
  SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS now_ms
), found AS (
  SELECT api_key.*, now_ms, coalesce(request_limit, $2) AS effective_limit,
    now_ms - mod(
      mod(now_ms - mod(('x' || substr(id, 1, 8) || substr(id, 10, 4))::bit(48)::bigint, $3), $3) + $3, $3
    ) AS start_ms
  FROM api_key, clock
  WHERE secret_hash = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at::timestamptz > statement_timestamp())
), taken AS (
  INSERT INTO rate_window AS present (organization_id, key_id, window_start_ms, used, granted, last_used_at_ms)
  SELECT organization_id, id, start_ms, least($4, effective_limit), least($4, effective_limit),
    now_ms - mod(now_ms, 60000)
  FROM found
  ON CONFLICT (organization_id, key_id) DO UPDATE SET (window_start_ms, used, granted, last_used_at_ms) = (
    SELECT CASE WHEN is_current THEN present.window_start_ms ELSE excluded.window_start_ms END,
      CASE WHEN is_current THEN least(present.used + $4, effective_limit) ELSE excluded.used END,
      CASE WHEN is_current THEN least($4, effective_limit - present.used) ELSE excluded.granted END,
      excluded.last_used_at_ms
    FROM found, (
      SELECT present.window_start_ms BETWEEN excluded.window_start_ms AND excluded.window_start_ms + $3 AS is_current
    ) AS same_window
  )
  WHERE present.used < (SELECT effective_limit FROM found)
    OR present.window_start_ms NOT BETWEEN excluded.window_start_ms AND excluded.window_start_ms + $3
  RETURNING window_start_ms, used, granted
)
SELECT found.organization_id AS "organizationId", found.id AS "keyId", found.prefix AS "keyPrefix",
  found.name AS "keyName", effective_limit AS "limit", now_ms AS "nowMs",
  coalesce(
    taken.window_start_ms,
    CASE WHEN rate_window.window_start_ms BETWEEN start_ms AND start_ms + $3 THEN rate_window.window_start_ms END,
    start_ms
  ) AS "windowStartMs",
  coalesce(taken.used, effective_limit) AS used, coalesce(taken.granted, 0) AS granted,
  newest.secrets,
  CASE WHEN write_token IS NULL THEN organization.data_version || '.' || newest.generation END AS "dataVersion"
FROM found
JOIN organization ON organization.id = found.organization_id
CROSS JOIN (
  SELECT array_agg(secret ORDER BY generation DESC) AS secrets, max(generation) AS generation
  FROM (${selectCursorSecrets}) AS newest
) AS newest
LEFT JOIN taken ON true
LEFT JOIN rate_window ON rate_window.organization_id = found.organization_id AND rate_window.key_id = found.id`;

interface GrantedRow extends Omit<GrantedBatch, 'dataVersion'> {
  /** null: a write has not ended, see write-tokens.ts. */
  dataVersion: string | null;
}

/** @param query on the primary */
export function createRateLimiter(
  query: Query,
  { rateLimit, rateWindowMs, readUrls }: RateLimitOptions & { readUrls: readonly string[] },
) {
  return async (secretHash: Buffer, requests: number): Promise<GrantedBatch | undefined> => {
    const { rows } = await query<GrantedRow>(grantQuery, [secretHash, rateLimit, rateWindowMs, requests]);
    const [batch] = rows;
    if (batch === undefined) return undefined;
    const { dataVersion, ...granted } = batch;
    // A replica may be behind the data version of the primary.
    return { ...granted, dataVersion: readUrls.length > 0 ? undefined : (dataVersion ?? undefined) };
  };
}
