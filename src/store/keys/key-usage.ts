/** SQL of the use of keys. `usage-counter.ts` collects the counts. */

import { setImmediate } from 'node:timers/promises';
import {
  type DailyRequests,
  type KeyUsage,
  type KeyUsageStore,
  type LimitedKey,
  maxStoredRejectedRequests,
  type RejectedRequest,
} from '../../domain/keys/key-usage.ts';
import { type Engine, readTimestamp } from '../engine.ts';
import { getColumns, keyUsageTable, listColumnNames, rejectedRequestTable } from '../table-descriptors.ts';

/** A row of `key_usage_daily`. */
export interface UsageRow extends KeyUsage {
  organization_id: string;
  key_id: string;
}

/** A row of `rejected_request`. */
export interface RejectedRequestRow extends RejectedRequest {
  organization_id: string;
  key_id: string;
  id: string;
}

/** Requests with one well-formed key that is not active. */
export interface InactiveKeyRow {
  /** Hexadecimal. */
  secret_hash: string;
  day: string;
  operation: string;
  requests: number;
}

export function createKeyUsageStore(engine: Engine): KeyUsageStore {
  /** One statement for all days; on SQLite, which would block the process meanwhile, one for each day. */
  async function readDays<Row>(
    sql: string,
    organizationIds: readonly string[],
    days: readonly string[],
    ...parameters: string[]
  ): Promise<Row[]> {
    const found: Row[][] = [];
    for (const some of engine.dialect === 'sqlite' ? days.map((day) => [day]) : [days]) {
      await setImmediate();
      const wanted = some.flatMap((day) =>
        organizationIds.map((organization_id) => ({ day, organization_id })),
      );
      found.push(await engine.query<Row>(sql, [JSON.stringify(wanted), ...parameters]));
    }
    return found.flat();
  }

  /** @param sql returns the keys of each day */
  async function sumByKey(
    sql: string,
    organizationIds: readonly string[],
    days: readonly string[],
  ): Promise<LimitedKey[]> {
    const sums = new Map<string, LimitedKey>();
    const rows = await readDays<Omit<LimitedKey, 'days'>>(
      sql,
      organizationIds,
      days,
      await readTimestamp(engine),
    );
    for (const row of rows) {
      const sum = sums.get(row.keyId);
      if (sum === undefined) sums.set(row.keyId, { ...row, days: 1 });
      else {
        sum.days += 1;
        sum.requests += row.requests;
        if (row.lastDay > sum.lastDay) sum.lastDay = row.lastDay;
      }
    }
    return [...sums.values()];
  }

  return {
    listKeyUsage: (organizationId, keyId, since) =>
      engine.query<KeyUsage>(selectKeyUsage, [organizationId, keyId, since]),
    listRejectedRequests: (organizationId, keyId) =>
      engine.query<RejectedRequest>(selectRejectedRequests, [organizationId, keyId]),
    listDailyRequests: (organizationIds, days) =>
      readDays<DailyRequests>(composeDailyRequestsQuery(engine), organizationIds, days),
    listInactiveKeysInUse: async (organizationIds, days) => {
      const keys = await sumByKey(composeInactiveUseQuery(engine), organizationIds, days);
      return keys.map(({ days: _, ...key }) => key).sort((one, other) => other.requests - one.requests);
    },
    listLimitedKeys: async (organizationIds, days) => {
      const keys = await sumByKey(composeLimitedKeysQuery(engine), organizationIds, days);
      return keys.sort((one, other) => other.days - one.days || other.requests - one.requests);
    },
  };
}

export const selectKeyUsage = `
  SELECT day, operation, status, requests FROM key_usage_daily
  WHERE organization_id = $1 AND key_id = $2 AND day >= $3 ORDER BY day DESC, operation DESC, status DESC`;

export const selectRejectedRequests = `
  SELECT at, operation, status, message, parameter FROM rejected_request
  WHERE organization_id = $1 AND key_id = $2 ORDER BY at DESC, id DESC LIMIT ${maxStoredRejectedRequests}`;

type Recordset = Pick<Engine, 'recordset'>;

/** The wanted municipalities and days: $1 is a JSON array with an object for each pair. */
const composeWanted = ({ recordset }: Recordset) =>
  recordset('wanted', '$1', { organization_id: 'text', day: 'text' });

const isWanted = 'usage.day = wanted.day AND usage.organization_id = wanted.organization_id';

const sumRequests = (condition = '') => `CAST(coalesce((SELECT sum(requests) FROM key_usage_daily AS usage
  WHERE ${isWanted} ${condition}), 0) AS bigint)`;

/** Subqueries: for GROUP BY, SQLite would sort all rows. */
export const composeDailyRequestsQuery = (engine: Recordset) => `
  SELECT organization_id AS "organizationId", day, ${sumRequests()} AS requests,
    ${sumRequests('AND usage.status >= 400')} AS rejected
  FROM ${composeWanted(engine)}`;

/**
 * Keys with requests of one status, for each day. MATERIALIZED makes both engines read the usage first, and then its keys.
 * CROSS JOIN keeps the order of the joins in SQLite: one index seek for each municipality and day.
 */
const composeKeysQuery = (engine: Recordset, status: number, condition: string) => `
  WITH used AS MATERIALIZED (
    SELECT usage.organization_id, usage.key_id, usage.day, CAST(sum(requests) AS bigint) AS requests
    FROM ${composeWanted(engine)} CROSS JOIN key_usage_daily AS usage WHERE ${isWanted} AND usage.status = ${status}
    GROUP BY usage.organization_id, usage.key_id, usage.day
  )
  SELECT used.organization_id AS "organizationId", key_id AS "keyId", name AS "keyName", prefix AS "keyPrefix", requests,
    day AS "lastDay"
  FROM used CROSS JOIN api_key
  WHERE api_key.organization_id = used.organization_id AND api_key.id = key_id AND ${condition}`;

export const composeInactiveUseQuery = (engine: Recordset) =>
  composeKeysQuery(engine, 401, '(revoked_at IS NOT NULL OR expires_at <= $2)');

export const composeLimitedKeysQuery = (engine: Recordset) =>
  composeKeysQuery(engine, 429, 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)');

const usageNames = listColumnNames(keyUsageTable);

/** Adds counts. Several processes may add to the same row. */
export const addUsage = (engine: Engine, rows: readonly UsageRow[]) =>
  engine.execute(
    `INSERT INTO key_usage_daily (organization_id, ${usageNames})
    SELECT organization_id, ${usageNames}
    FROM ${engine.recordset('counted', '$1', { organization_id: 'text', ...getColumns(keyUsageTable) })} WHERE true
    ON CONFLICT (organization_id, key_id, day, operation, status) DO UPDATE
    SET requests = key_usage_daily.requests + excluded.requests`,
    [JSON.stringify(rows)],
  );

/** The use of an inactive key, as a row of `key_usage_daily`, and the key. */
export interface InactiveUse extends UsageRow {
  prefix: string;
  /** Time of the revocation or the expiry. */
  inactiveSince: string;
}

/** Adds the counts of keys that exist and are revoked or expired. @returns those counts */
export async function addInactiveUse(
  engine: Engine,
  rows: readonly InactiveKeyRow[],
): Promise<InactiveUse[]> {
  const columns = { secret_hash: 'bytes', day: 'text', operation: 'text', requests: 'integer' } as const;
  const found = await engine.query<InactiveUse>(
    `SELECT organization_id, api_key.id AS key_id, prefix, day, operation, 401 AS status, requests,
      coalesce(revoked_at, expires_at) AS "inactiveSince"
    FROM ${engine.recordset('counted', '$1', columns)}
    JOIN api_key ON api_key.secret_hash = counted.secret_hash
    WHERE revoked_at IS NOT NULL OR expires_at <= $2`,
    [JSON.stringify(rows), await readTimestamp(engine)],
  );
  if (found.length > 0) await addUsage(engine, found);
  return found;
}

const rejectedNames = listColumnNames(rejectedRequestTable);

/** Stores rejected requests, and deletes those of the same keys beyond the latest ones. */
export async function addRejectedRequests(
  engine: Engine,
  rows: readonly RejectedRequestRow[],
): Promise<void> {
  const columns = { organization_id: 'text', ...getColumns(rejectedRequestTable) } as const;
  await engine.execute(
    `INSERT INTO rejected_request (organization_id, ${rejectedNames})
    SELECT organization_id, ${rejectedNames} FROM ${engine.recordset('added', '$1', columns)}`,
    [JSON.stringify(rows)],
  );
  await setImmediate();
  const keys = new Map(rows.map(({ organization_id, key_id }) => [key_id, { organization_id, key_id }]));
  await engine.execute(composeExcessDeletion(engine), [JSON.stringify([...keys.values()])]);
}

const composeExcessDeletion = ({ recordset }: Recordset) => `
  DELETE FROM rejected_request WHERE (organization_id, key_id, at, id) IN (
    SELECT organization_id, key_id, at, id FROM (
      SELECT stored.organization_id, stored.key_id, at, id, row_number() OVER (
        PARTITION BY stored.organization_id, stored.key_id ORDER BY at DESC, id DESC
      ) AS place
      FROM ${recordset('changed', '$1', { organization_id: 'text', key_id: 'text' })}
      JOIN rejected_request AS stored
        ON stored.organization_id = changed.organization_id AND stored.key_id = changed.key_id
    ) AS numbered
    WHERE place > ${maxStoredRejectedRequests}
  )`;

/** Rows per statement of the deletion of old rows. */
export const deletionBatchSize = 500;

export const selectExpiredDays = `
  SELECT organization_id, key_id, day, operation, status FROM key_usage_daily
  WHERE day < $1 ORDER BY day LIMIT ${deletionBatchSize}`;

export const selectExpiredRequests = `
  SELECT organization_id, key_id, at, id FROM rejected_request WHERE at < $1 ORDER BY at LIMIT ${deletionBatchSize}`;

/** Deletes one batch. @returns the number of deleted rows */
export const deleteUsageBefore = (engine: Engine, day: string) =>
  engine.execute(
    `DELETE FROM key_usage_daily WHERE (organization_id, key_id, day, operation, status) IN (${selectExpiredDays})`,
    [day],
  );

/** Deletes one batch. @returns the number of deleted rows */
export const deleteRejectedRequestsBefore = (engine: Engine, at: string) =>
  engine.execute(
    `DELETE FROM rejected_request WHERE (organization_id, key_id, at, id) IN (${selectExpiredRequests})`,
    [at],
  );
