/** Key look-up and rate limit in one transaction of SQLite that only writes to the counters file. */
import type Database from 'better-sqlite3';
import { computeWindowStart } from '../../domain/rate-limit-window.ts';
import type { BatchResult, RateLimitOptions } from '../admission-batcher.ts';
import { selectCursorSecrets } from '../queries/statements.ts';

export const findActiveKey = `
  SELECT organization_id AS "organizationId", id, prefix, name, request_limit AS "requestLimit"
  FROM api_key
  WHERE secret_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;

/**
 * Grants up to $6 requests within the limit $5. A window never moves back after a small correction of the clock. If the
 * stored window is more than one window ahead, the clock was wrong, and the window starts again. The row has a column for
 * the number of granted requests because RETURNING cannot return the previous value of `used`.
 */
export const grantQuery = `
  INSERT INTO counters.rate_window (organization_id, key_id, window_start_ms, used, granted, last_used_at_ms)
  VALUES ($1, $2, $3, min($6, $5), min($6, $5), $7)
  ON CONFLICT (organization_id, key_id) DO UPDATE SET
    granted = iif(window_start_ms BETWEEN $3 AND $3 + $4, min($6, $5 - used), excluded.granted),
    used = iif(window_start_ms BETWEEN $3 AND $3 + $4, min(used + $6, $5), excluded.used),
    window_start_ms = iif(window_start_ms BETWEEN $3 AND $3 + $4, window_start_ms, $3),
    last_used_at_ms = $7
  WHERE used < $5 OR window_start_ms NOT BETWEEN $3 AND $3 + $4
  RETURNING used, granted, window_start_ms AS "windowStartMs"`;

const readWindow =
  'SELECT window_start_ms AS "windowStartMs" FROM counters.rate_window WHERE organization_id = $1 AND key_id = $2';

interface ActiveKey {
  organizationId: string;
  id: string;
  prefix: string;
  name: string;
  requestLimit: number | null;
}

/** @param connection with attached counters. Its tables need not exist before the first request. */
export function createKeyAdmission(
  connection: Database.Database,
  { rateLimit, rateWindowMs, clock }: RateLimitOptions & { clock: () => number },
) {
  const prepare = () => ({
    find: connection.prepare(findActiveKey),
    grant: connection.prepare(grantQuery),
    readWindow: connection.prepare(readWindow),
    readSecrets: connection.prepare(selectCursorSecrets),
    // Changes with every commit of another connection. Its own commits do not change it, so that this connection may only
    // write what no response of the API contains, such as login sessions.
    readDataVersion: connection.prepare('PRAGMA main.data_version').pluck(),
  });
  let statements: ReturnType<typeof prepare> | undefined;

  const admitBatch = (secretHash: Buffer, requests: number): BatchResult | undefined => {
    statements ??= prepare();
    const nowMs = clock();
    const key = statements.find.get({ 1: secretHash, 2: new Date(nowMs).toISOString() }) as
      | ActiveKey
      | undefined;
    if (key === undefined) return undefined;
    const { organizationId, id: keyId } = key;
    const limit = key.requestLimit ?? rateLimit;
    const taken = statements.grant.get({
      1: organizationId,
      2: keyId,
      3: computeWindowStart(keyId, nowMs, rateWindowMs),
      4: rateWindowMs,
      5: limit,
      6: requests,
      7: nowMs - (nowMs % 60_000),
    }) as { used: number; granted: number; windowStartMs: number } | undefined;
    const { windowStartMs } =
      taken ?? (statements.readWindow.get({ 1: organizationId, 2: keyId }) as { windowStartMs: number });
    const secrets = statements.readSecrets.all() as { secret: Buffer }[];
    return {
      organizationId,
      keyId,
      keyPrefix: key.prefix,
      keyName: key.name,
      limit,
      nowMs,
      windowStartMs,
      used: taken?.used ?? limit,
      grantedCount: taken?.granted ?? 0,
      secrets: secrets.map(({ secret }) => secret) as [Buffer, ...Buffer[]],
      dataVersion: statements.readDataVersion.get() as number,
      pageRows: [],
    };
  };
  return connection.transaction(admitBatch);
}
