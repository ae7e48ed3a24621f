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

/** Parameters: the columns of `composeGrant`. */
export const composeGrantQuery = (rateWindowMs: number) =>
  composeGrant('counters.rate_window', 'min', String(rateWindowMs), 'VALUES ($1, $2, $3, $4, $5, $6, $7)');

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
  // Each parameter occurs once and in order. As named ones they would take a fifth of the time of an admission.
  const prepareInOrder = (sql: string) => connection.prepare(sql.replaceAll(/\$\d/g, '?'));
  const prepare = () => ({
    find: prepareInOrder(findActiveKey),
    grant: prepareInOrder(composeGrantQuery(rateWindowMs)),
    readWindow: prepareInOrder(readWindow),
    readSecrets: connection.prepare(selectCursorSecrets),
    // Changes with every commit of another connection. Its own commits do not change it, so that this connection may only
    // write what no response of the API contains, such as login sessions.
    readDataVersion: connection.prepare('PRAGMA main.data_version').pluck(),
  });
  let statements: ReturnType<typeof prepare> | undefined;

  const admitKey = (
    { find, grant, readWindow }: ReturnType<typeof prepare>,
    { secretHash, requests }: AdmissionBatch['keys'][number],
    now: string,
    shared: Pick<AdmittedKey, 'nowMs' | 'secrets' | 'dataVersion'>,
  ): AdmittedKey | undefined => {
    const { nowMs } = shared;
    const key = find.get(secretHash, now) as ActiveKey | undefined;
    if (key === undefined) return undefined;
    const { organizationId, id: keyId } = key;
    const limit = key.requestLimit ?? rateLimit;
    const wanted = Math.min(requests, limit);
    const taken = grant.get(
      organizationId,
      keyId,
      computeWindowStart(keyId, nowMs, rateWindowMs),
      wanted,
      wanted,
      limit,
      nowMs - (nowMs % 60_000),
    ) as { used: number; granted: number; windowStartMs: number } | undefined;
    const { windowStartMs } = taken ?? (readWindow.get(organizationId, keyId) as { windowStartMs: number });
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
    const now = new Date(shared.nowMs).toISOString();
    return { keys: keys.map((key) => admitKey(prepared, key, now, shared)), pageRows: [] };
  };
  return connection.transaction(admitBatch);
}
