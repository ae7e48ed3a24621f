/** Key look-ups and rate limits in one transaction of SQLite that only writes to the counters file. */
import type Database from 'better-sqlite3';
import {
  type AdmissionBatch,
  type AdmittedBatch,
  type AdmittedKey,
  composeGrant,
  computeWindowStart,
  type RateLimitOptions,
} from '../admission.ts';
import { selectCursorSecrets } from '../queries/statements.ts';

export const findActiveKey = `
  SELECT organization_id AS "organizationId", id, prefix, name, request_limit AS "requestLimit"
  FROM api_key
  WHERE secret_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;

/** $1 municipality, $2 key, $3 start of the window, $4 length of a window, $5 limit, $6 requests, $7 time. */
export const grantQuery = composeGrant(
  'counters.rate_window',
  'min',
  '$4',
  'VALUES ($1, $2, $3, min($6, $5), $6, $5, $7 - $7 % 60000)',
);

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
export function createAdmissionTransaction(
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

  const admitKey = (
    { find, grant, readWindow }: ReturnType<typeof prepare>,
    { secretHash, requests }: AdmissionBatch['keys'][number],
    shared: Pick<AdmittedKey, 'nowMs' | 'secrets' | 'dataVersion'>,
  ): AdmittedKey | undefined => {
    const { nowMs } = shared;
    const key = find.get({ 1: secretHash, 2: new Date(nowMs).toISOString() }) as ActiveKey | undefined;
    if (key === undefined) return undefined;
    const { organizationId, id: keyId } = key;
    const limit = key.requestLimit ?? rateLimit;
    const taken = grant.get({
      1: organizationId,
      2: keyId,
      3: computeWindowStart(keyId, nowMs, rateWindowMs),
      4: rateWindowMs,
      5: limit,
      6: requests,
      7: nowMs,
    }) as { used: number; granted: number; windowStartMs: number } | undefined;
    const { windowStartMs } =
      taken ?? (readWindow.get({ 1: organizationId, 2: keyId }) as { windowStartMs: number });
    return {
      organizationId,
      keyId,
      keyPrefix: key.prefix,
      keyName: key.name,
      limit,
      windowStartMs,
      used: taken?.used ?? limit,
      grantedCount: taken?.granted ?? 0,
      ...shared,
    };
  };
  const admitBatch = ({ keys }: AdmissionBatch): AdmittedBatch => {
    statements ??= prepare();
    const secrets = statements.readSecrets.all() as { secret: Buffer }[];
    const shared = {
      nowMs: clock(),
      secrets: secrets.map(({ secret }) => secret) as [Buffer, ...Buffer[]],
      dataVersion: statements.readDataVersion.get() as number,
    };
    const prepared = statements;
    return { keys: keys.map((key) => admitKey(prepared, key, shared)), pageRows: [] };
  };
  return connection.transaction(admitBatch);
}
