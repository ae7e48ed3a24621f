/** Key and window in one statement of PostgreSQL, with the database's clock: `Access.admit`. */
import type { Ask } from './postgres-pool.ts';
import { newestSecrets } from './queries.ts';
import type { Admission } from './store.ts';

/**
 * $1 hash of the key, $2 limit of the installation, $3 length of a window in milliseconds, $4 how many requests.
 *
 * Who is refused reads the row as it was when the statement began: a window that had ended by then is not the one
 * that refuses.
 *
 * The start of the window is that of `windowStart` in access/window.ts. Beside `used` the row keeps how many
 * requests its last writer was granted: what was there before cannot be returned otherwise. For the rest the
 * rules are those of SQLite's statement: a window never goes back, unless the clock was wrong by more than one.
 */
const takeRequests = `
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
  INSERT INTO key_use AS present (organization_id, key_id, window_start_ms, used, granted, last_used_ms)
  SELECT organization_id, id, start_ms, least($4, effective_limit), least($4, effective_limit),
    now_ms - mod(now_ms, 60000)
  FROM found
  ON CONFLICT (organization_id, key_id) DO UPDATE SET (window_start_ms, used, granted, last_used_ms) = (
    SELECT CASE WHEN goes_on THEN present.window_start_ms ELSE excluded.window_start_ms END,
      CASE WHEN goes_on THEN least(present.used + $4, effective_limit) ELSE excluded.used END,
      CASE WHEN goes_on THEN least($4, effective_limit - present.used) ELSE excluded.granted END,
      excluded.last_used_ms
    FROM found, (
      SELECT present.window_start_ms BETWEEN excluded.window_start_ms AND excluded.window_start_ms + $3 AS goes_on
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
    CASE WHEN key_use.window_start_ms BETWEEN start_ms AND start_ms + $3 THEN key_use.window_start_ms END,
    start_ms
  ) AS "windowStartMs",
  coalesce(taken.used, effective_limit) AS used, coalesce(taken.granted, 0) AS granted,
  (SELECT array_agg(secret ORDER BY generation DESC) FROM (${newestSecrets}) AS newest) AS secrets
FROM found
LEFT JOIN taken ON true
LEFT JOIN key_use ON key_use.organization_id = found.organization_id AND key_use.key_id = found.id`;

interface Taken {
  organizationId: string;
  keyId: string;
  keyPrefix: string;
  keyName: string;
  limit: number;
  nowMs: number;
  windowStartMs: number;
  /** Requests used in the window, those granted among them. */
  used: number;
  /** How many of those asked for were granted; the first ones, in the order they were asked. */
  granted: number;
  secrets: [Buffer, ...Buffer[]];
}

/** Requests of one key that came while a statement for it was under way: the next one takes them together. */
interface Gathering {
  requests: number;
  taken: Promise<Taken | undefined>;
}

/**
 * One statement at a time for each key: two would only wait for each other's row. Requests that come meanwhile
 * share the next statement, which begins after each of them, so they see every revocation that they must.
 */
export function admission(ask: Ask, rateLimit: number, rateWindowMs: number) {
  const gatherings = new Map<string, Gathering>();
  const running = new Map<string, Promise<unknown>>();

  async function take(secretHash: Buffer, requests: number): Promise<Taken | undefined> {
    const { rows } = await ask<Taken>(takeRequests, [secretHash, rateLimit, rateWindowMs, requests]);
    return rows[0];
  }

  function gather(key: string, secretHash: Buffer): Gathering {
    const gathering: Gathering = {
      requests: 0,
      taken: Promise.resolve(running.get(key)).then(() => {
        gatherings.delete(key);
        const taken = take(secretHash, gathering.requests);
        const settled = taken.then(
          () => undefined,
          () => undefined,
        );
        running.set(key, settled);
        settled.then(() => {
          if (running.get(key) === settled) running.delete(key);
        });
        return taken;
      }),
    };
    gatherings.set(key, gathering);
    return gathering;
  }

  return async (secretHash: Buffer): Promise<Admission | undefined> => {
    const key = secretHash.toString('latin1');
    const gathering = gatherings.get(key) ?? gather(key, secretHash);
    gathering.requests += 1;
    const place = gathering.requests;
    const taken = await gathering.taken;
    return taken && admitted(taken, place, rateWindowMs);
  };
}

/** @param place of the request among those that were taken together, from 1 */
function admitted(taken: Taken, place: number, rateWindowMs: number): Admission {
  const { organizationId, keyId, keyPrefix, keyName, limit, nowMs, windowStartMs } = taken;
  const refused = place > taken.granted;
  return {
    caller: { organizationId, keyId, keyPrefix, keyName },
    window: {
      limit,
      remaining: refused ? 0 : limit - (taken.used - taken.granted + place),
      resetAtMs: windowStartMs + rateWindowMs,
    },
    refused,
    cursorSecrets: taken.secrets,
    nowMs,
  };
}
