/** Events that cause notifications. Each statement reads one page by an index, so that it does not delay requests. */
import { setImmediate } from 'node:timers/promises';
import { type Publication, publishingActions } from '../../domain/accounts/audit-log.ts';
import type {
  ExpiringKey,
  ImportFault,
  KeyRejections,
  NotificationEventStore,
  PublishingOrganization,
} from '../../domain/accounts/mail-outbox.ts';
import { leaseTimeoutMs } from '../../domain/runs/run-history.ts';
import { failureGraceMs } from '../../domain/sources/source-schedule.ts';
import type { Engine, SqlValue } from '../engine.ts';
import { readReason, type StoredReason } from '../runs/stored-reasons.ts';

const pageSize = 100;

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Days of rejected requests that count, today excluded. */
const limitDays = 7;

/** Older failures of imports are not reported. */
const faultAgeMs = 3 * dayMs;

/** A person who starts an import sees its error, and usually corrects it at once. */
const importGraceMs = hourMs / 4;

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toTimestamp = (ms: number) => new Date(ms).toISOString();

export function createNotificationEventStore(engine: Engine): NotificationEventStore {
  /** Reads pages until one is not full. `cursor` returns the parameters of the next page. */
  async function* readPages<Row>(
    sql: string,
    first: readonly SqlValue[],
    cursor: (last: Row) => readonly SqlValue[],
    others: readonly SqlValue[],
  ): AsyncGenerator<Row[]> {
    for (let after = first; ; ) {
      const rows = await engine.query<Row>(sql, [...after, ...others]);
      if (rows.length > 0) yield rows;
      if (rows.length < pageSize) return;
      after = cursor(rows.at(-1) as Row);
      await setImmediate();
    }
  }

  return {
    scanExpiringKeys: async function* (nowMs, untilMs) {
      const pages = readPages<ExpiringKey & { isReplaced: boolean | number }>(
        selectExpiringKeys,
        [toTimestamp(nowMs), '', ''],
        ({ expiresAt, organizationId, id }) => [expiresAt, organizationId, id],
        [toTimestamp(untilMs)],
      );
      for await (const rows of pages) yield rows.filter(({ isReplaced }) => !isReplaced);
    },

    scanKeysAtLimit: async function* (nowMs, minDays) {
      const pages = readPages<UsageRow>(
        selectUsage,
        ['', ''],
        ({ organizationId, id }) => [organizationId, id],
        [toDay(nowMs - dayMs), toDay(nowMs - limitDays * dayMs)],
      );
      for await (const rows of pages) yield rows.filter(({ days }) => days >= minDays);
    },

    countKeyRejections: async (organizationId, keyId, nowMs) => {
      const [row] = await engine.query<KeyRejections>(
        `SELECT count(DISTINCT day) AS days, coalesce(CAST(sum(requests) AS bigint), 0) AS rejected
        FROM key_usage_daily
        WHERE organization_id = $1 AND key_id = $2 AND day >= $3 AND day <= $4 AND status = 429`,
        [organizationId, keyId, toDay(nowMs - limitDays * dayMs), toDay(nowMs - dayMs)],
      );
      return row as KeyRejections;
    },

    findPublishingOrganizations: (day) =>
      engine.query<PublishingOrganization>(selectPublishing, [day, toDay(Date.parse(day) + dayMs)]),

    listPublications: async (organizationId, day, exceptActor, limit) => {
      const rows = await engine.query<Omit<Publication, 'changes'> & { changes: string | null }>(
        selectPublications,
        [day, toDay(Date.parse(day) + dayMs), organizationId, exceptActor, limit],
      );
      return rows.map(({ changes, ...row }) => ({
        ...row,
        changes: changes === null ? [] : JSON.parse(changes),
      }));
    },

    findLatestImportFaults: async (nowMs) => {
      const latest = new Map<string, number>();
      for (const fault of faultQueries) {
        const pages = readPages<FaultRow>(
          fault.scan,
          [toTimestamp(nowMs - fault.maxAgeMs), '', ''],
          ({ at, organizationId, id }) => [at, organizationId, id],
          [toTimestamp(nowMs - fault.graceMs), toTimestamp(nowMs - leaseTimeoutMs)],
        );
        for await (const rows of pages) {
          for (const { organizationId, at } of rows.filter(({ isFault }) => Boolean(isFault))) {
            const beganMs = Date.parse(at) + fault.graceMs;
            latest.set(organizationId, Math.max(beganMs, latest.get(organizationId) ?? 0));
          }
        }
      }
      return latest;
    },

    listImportFaults: async (organizationId, nowMs, limit) => {
      const found: ImportFault[] = [];
      for (const { list, maxAgeMs, graceMs } of faultQueries) {
        const bounds = [
          toTimestamp(nowMs - maxAgeMs),
          toTimestamp(nowMs - graceMs),
          toTimestamp(nowMs - leaseTimeoutMs),
        ];
        const rows = await engine.query<StoredReason<ImportFault, 'error'>>(
          list(organizationId !== undefined),
          [...bounds, limit, ...(organizationId === undefined ? [] : [organizationId])],
        );
        found.push(...rows.map((row) => readReason<ImportFault, 'error'>(row, 'error')));
      }
      return found.sort((one, other) => (one.at > other.at ? -1 : 1)).slice(0, limit);
    },
  };
}

const selectExpiringKeys = `
  SELECT organization_id AS "organizationId", id, created_at AS "createdAt", expires_at AS "expiresAt",
    (SELECT 1 FROM api_key AS successor WHERE successor.organization_id = api_key.organization_id
      AND successor.predecessor_id = api_key.id) IS NOT NULL AS "isReplaced"
  FROM api_key
  WHERE revoked_at IS NULL AND expires_at IS NOT NULL
    AND (expires_at, organization_id, id) > ($1, $2, $3) AND expires_at <= $4
  ORDER BY expires_at, organization_id, id LIMIT ${pageSize}`;

interface UsageRow {
  organizationId: string;
  id: string;
  days: number;
}

/** Keys that exceeded their limit on the day $3, with the number of such days from $4 to $3. */
const selectUsage = `
  SELECT organization_id AS "organizationId", key_id AS id,
    (SELECT count(DISTINCT other.day) FROM key_usage_daily AS other
      WHERE other.organization_id = latest.organization_id AND other.key_id = latest.key_id
        AND other.day >= $4 AND other.day <= $3 AND other.status = 429) AS days
  FROM key_usage_daily AS latest
  WHERE status = 429 AND day = $3 AND (organization_id, key_id) > ($1, $2)
  GROUP BY organization_id, key_id ORDER BY organization_id, key_id LIMIT ${pageSize}`;

/** Of the days from $1 until before $2. An import counts if it has changed published data. */
const isPublication = `
  event.action IN (${publishingActions.map((action) => `'${action}'`).join(', ')}) AND event.at >= $1 AND event.at < $2
    AND (event.action <> 'organization.edited' OR event.changes LIKE '%"field":"openData%')
    AND (event.action <> 'import.started' OR EXISTS (SELECT 1 FROM import_run AS run
      WHERE run.organization_id = event.organization_id AND run.id = event.subject_id
        AND run.outcome = 'done' AND run.inserted + run.changed + run.removed > 0))`;

const selectPublishing = `
  SELECT publishing.organization_id AS "organizationId", account.id AS "onlyAccountId"
  FROM (SELECT event.organization_id, min(event.actor) AS actor, count(DISTINCT event.actor) AS people
    FROM audit_event AS event WHERE ${isPublication} GROUP BY event.organization_id) AS publishing
  LEFT JOIN account ON account.email = publishing.actor AND publishing.people = 1`;

const selectPublications = `
  SELECT event.at, event.actor, event.action, event.subject, event.subject_kind AS "subjectKind",
    event.subject_id AS "subjectId", event.changes
  FROM audit_event AS event
  WHERE ${isPublication} AND event.organization_id = $3 AND event.actor <> $4
  ORDER BY event.at DESC, event.id LIMIT $5`;

interface FaultRow {
  organizationId: string;
  id: string;
  at: string;
  isFault: boolean | number;
}

interface FaultSource {
  table: string;
  /** The column of an index with the municipality and the id. It begins with the rows that may be faults. */
  at: string;
  /** The last column of the index. Default: `id`. */
  id?: string;
  /** Condition of the partial index. */
  indexed: string;
  /** Condition on rows of the index, with `$now` for the end of expired leases. */
  isFault: string;
  /** Columns of `ImportFault`. */
  state: string;
  sources: string;
  error: string;
  /** Time until a fault needs attention. */
  graceMs: number;
  maxAgeMs: number;
}

/** Sources with an address are judged by their state, because a failed run is not always recorded. */
const isFile = `run.sources NOT LIKE 'http://%' AND run.sources NOT LIKE 'https://%'`;

const sourceColumns = {
  table: 'import_source AS run',
  id: 'name',
  sources: `run.name || coalesce(' (' || run.url || ')', '')`,
  maxAgeMs: 10 * 366 * dayMs,
};

const faultSources: readonly FaultSource[] = [
  {
    table: 'import_run AS run',
    at: 'heartbeat_at',
    indexed: `run.outcome IN ('failed', 'running')`,
    isFault: `${isFile} AND run.undone_at IS NULL AND NOT EXISTS (SELECT 1 FROM import_run AS later
      WHERE later.organization_id = run.organization_id AND later.started_at > run.started_at
        AND later.format = run.format AND later.outcome IN ('done', 'failed'))`,
    state: `CASE run.outcome WHEN 'failed' THEN 'failed' ELSE 'stale' END`,
    sources: 'run.sources',
    error: 'run.failure',
    graceMs: importGraceMs,
    maxAgeMs: faultAgeMs,
  },
  {
    ...sourceColumns,
    at: 'failing_since',
    indexed: 'run.failing_since IS NOT NULL',
    isFault: '1 = 1',
    state: `'source_failed'`,
    error: 'run.error',
    graceMs: failureGraceMs,
  },
  {
    ...sourceColumns,
    at: 'stale_at',
    indexed: 'run.stale_at IS NOT NULL',
    isFault: `run.failing_since IS NULL AND NOT EXISTS (SELECT 1 FROM import_run AS held
      WHERE held.organization_id = run.organization_id AND held.lease_token IS NOT NULL AND held.step IN ('import', 'undo') AND held.source_id = run.id
        AND held.heartbeat_at >= $now)`,
    state: `'source_stale'`,
    error: 'NULL',
    graceMs: 0,
  },
];

/** PostgreSQL rejects unused parameters, so statements without a lease only compare its time with an empty text. */
const faultQueries = faultSources.map(
  ({ table, at, id = 'id', indexed, isFault, state, sources, error, graceMs, maxAgeMs }) => ({
    graceMs,
    maxAgeMs,
    /** Returns rows that are no faults too, so that each statement is short. */
    scan: `
  SELECT run.organization_id AS "organizationId", run.${id} AS id, run.${at} AS at,
    CASE WHEN ${isFault.replace('$now', '$5')} THEN 1 ELSE 0 END AS "isFault"
  FROM ${table}
  WHERE ${indexed} AND (run.${at}, run.organization_id, run.${id}) > ($1, $2, $3) AND run.${at} <= $4
    AND CAST($5 AS text) > ''
  ORDER BY run.${at}, run.organization_id, run.${id} LIMIT ${pageSize}`,
    list: (isOfOne: boolean) => `
  SELECT run.organization_id AS "organizationId", organization.name AS "organizationName", ${state} AS state,
    ${sources} AS sources, run.${at} AS at, ${error} AS error
  FROM ${table} JOIN organization ON organization.id = run.organization_id
  WHERE ${indexed} AND run.${at} > $1 AND run.${at} <= $2 AND CAST($3 AS text) > ''
    AND ${isFault.replace('$now', '$3')} ${isOfOne ? 'AND run.organization_id = $5' : ''}
  ORDER BY run.${at} DESC LIMIT $4`,
  }),
);
