/** Key look-ups and rate limits in one transaction of SQLite that only writes to the counters file. */
import type Database from 'better-sqlite3';
import type { Caller } from '../../domain/store.ts';
import type { AdmissionBatch, AdmittedBatch, AdmittedKey } from '../admission.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import { composeGrant, computeWindowStart, type RateLimitOptions } from '../rate-limit-window.ts';
import { prepareNumbered } from './sqlite-queryable.ts';

export const findActiveKey = `
  SELECT organization_id AS "organizationId", api_key.id AS "keyId", prefix AS "keyPrefix", api_key.name AS "keyName",
    request_limit AS "requestLimit", time_zone AS "timeZone"
  FROM api_key JOIN organization ON organization.id = organization_id
  WHERE secret_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`;

/** Parameters: the columns of `composeGrant`. */
export const composeGrantQuery = (rateWindowMs: number) =>
  composeGrant('counters.rate_window', 'min', String(rateWindowMs), 'VALUES ($1, $2, $3, $4, $5, $6, $7)');

const readWindow =
  'SELECT window_start_ms AS "windowStartMs" FROM counters.rate_window WHERE organization_id = $1 AND key_id = $2';

interface ActiveKey extends Caller {
  requestLimit: number | null;
}

/** @param connection with attached counters. Its tables need not exist before the first request. */
export function createAdmissionTransaction(
  connection: Database.Database,
  { rateLimit, rateWindowMs, clock }: RateLimitOptions & { clock: () => number },
) {
  // Each parameter occurs once and in order.
  const prepareInOrder = (sql: string) => prepareNumbered(connection, sql).statement;
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

  const admitBatch = ({ keys }: AdmissionBatch): AdmittedBatch => {
    statements ??= prepare();
    const { find, grant, readWindow, readSecrets, readDataVersion } = statements;
    const nowMs = clock();
    const now = new Date(nowMs).toISOString();
    const rows = readSecrets.all() as { secret: Buffer }[];
    const secrets = rows.map(({ secret }) => secret) as [Buffer, ...Buffer[]];
    const dataVersion = readDataVersion.get() as number;
    const admitKey = ({ secretHash, requests }: AdmissionBatch['keys'][number]): AdmittedKey | undefined => {
      const key = find.get(secretHash, now) as ActiveKey | undefined;
      if (key === undefined) return undefined;
      const { requestLimit, ...caller } = key;
      const { organizationId, keyId } = caller;
      const limit = requestLimit ?? rateLimit;
      const wanted = Math.min(requests.length, limit);
      const startMs = computeWindowStart(keyId, nowMs, rateWindowMs);
      const minuteMs = nowMs - (nowMs % 60_000);
      const taken = grant.get(organizationId, keyId, startMs, wanted, wanted, limit, minuteMs) as
        | { used: number; granted: number; windowStartMs: number }
        | undefined;
      const { used, granted, windowStartMs } = taken ?? {
        used: limit,
        granted: 0,
        ...(readWindow.get(organizationId, keyId) as { windowStartMs: number }),
      };
      const window = { limit, nowMs, windowStartMs, used, grantedCount: granted };
      return { ...caller, ...window, secrets, dataVersion };
    };
    return { keys: keys.map(admitKey), pageRows: [] };
  };
  return connection.transaction(admitBatch);
}
