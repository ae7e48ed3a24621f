/** Definitions of sources, and the state of their runs. */
import type { Actor } from '../../domain/actor.ts';
import { importLeaseTimeoutMs } from '../../domain/import-lease.ts';
import {
  getNextRunAtMs,
  getRetryAtMs,
  getStaleAtMs,
  maxOptionsLength,
  type SourceDefinition,
  type SourceKey,
  type SourceStore,
  type SourceSummary,
  type StoredSource,
} from '../../domain/import-source.ts';
import { listSourceEdits } from '../../domain/source-edits.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { createUuidV5 } from '../../domain/uuid.ts';
import { recordEvent } from '../administration/audit-log.ts';
import type { Engine, Queryable, SqlValue } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { deriveSourceId } from './import-sources.ts';

/** Sources per statement of a list. */
const listBatchSize = 100;

const maxErrorLength = 1_000;

const formatTimestamp = (ms: number) => new Date(ms).toISOString();

/** `$1` is the time of the oldest heartbeat of a held lease. */
const stateColumns = `source.name, format, url, interval_ms AS "intervalMs", last_success_at AS "lastSuccessAt",
  last_run_id AS "lastRunId", failing_since AS "failingSince", failed_at AS "failedAt", error, failures,
  next_at AS "nextAt", stale_at AS "staleAt",
  (SELECT started_at FROM import_lease AS lease WHERE lease.organization_id = source.organization_id
    AND lease.source_name = source.name AND heartbeat_at_ms >= $1) AS "runningSince"`;

const selectSource = `SELECT source.organization_id AS "organizationId", ${stateColumns}, options,
  requested_redaction AS redaction, time_zone AS "timeZone", max_deleted_percent AS "maxDeletedPercent", validators
  FROM import_source AS source WHERE source.organization_id = $2 AND source.name = $3 AND options IS NOT NULL`;

const selectSummaries = `SELECT source.organization_id AS "organizationId", organization.name AS "organizationName",
  ${stateColumns}
  FROM import_source AS source JOIN organization ON organization.id = source.organization_id
  WHERE options IS NOT NULL`;

type SourceRow = Omit<StoredSource, 'options' | 'redaction' | 'validators'> &
  Record<'options' | 'redaction' | 'validators', string>;

const toStoredSource = ({ options, redaction, validators, ...row }: SourceRow): StoredSource => ({
  ...row,
  options: JSON.parse(options),
  redaction: JSON.parse(redaction),
  validators: JSON.parse(validators),
});

export function createSourceStore(engine: Engine, self: Actor): SourceStore {
  const readHeartbeatLimit = async () => (await engine.now()) - importLeaseTimeoutMs;

  return {
    addSource: (organizationId, definition, by = self) => {
      const { name } = definition;
      return engine.transaction(organizationId, async (transaction) => {
        const existing = await find(transaction, { organizationId, name });
        if (existing !== undefined)
          throw new StoreConflictError(`The municipality already has a source with the name ${name}.`);
        const found = await transaction.query('SELECT 1 FROM organization WHERE id = $1', [organizationId]);
        if (found.length === 0) throw new StoreConflictError('The municipality was removed.');
        await writeDefinition(transaction, organizationId, definition);
        await recordEvent(transaction, by, 'source.added', organizationId, name, {
          kind: 'source',
          id: createUuidV5(name, organizationId),
          changes: listSourceEdits(undefined, definition),
        });
        return (await find(transaction, { organizationId, name })) as StoredSource;
      });
    },

    editSource: (key, changes, by = self) =>
      engine.transaction(key.organizationId, async (transaction) => {
        const before = await find(transaction, key);
        if (before === undefined) return undefined;
        const after = { ...before, ...changes };
        const edits = listSourceEdits(before, after).filter((edit) => edit.before !== edit.after);
        if (edits.length === 0) return before;
        await writeDefinition(transaction, key.organizationId, after, before);
        await recordEvent(transaction, by, 'source.edited', key.organizationId, key.name, {
          kind: 'source',
          id: createUuidV5(key.name, key.organizationId),
          changes: edits,
        });
        return find(transaction, key);
      }),

    removeSource: (key, by = self) =>
      engine.transaction(key.organizationId, async (transaction) => {
        const source = await find(transaction, key);
        if (source === undefined) return false;
        if (source.runningSince !== null)
          throw new StoreConflictError(`${key.name} is being imported. Wait until that run ends.`);
        const id = deriveSourceId(source);
        await transaction.execute(`UPDATE import_source SET ${clearDefinition} WHERE ${isSource}`, [
          key.organizationId,
          id,
        ]);
        // Without a redaction policy, no import has written records of this source.
        await transaction.execute(`DELETE FROM import_source WHERE ${isSource} AND redaction IS NULL`, [
          key.organizationId,
          id,
        ]);
        await recordEvent(transaction, by, 'source.removed', key.organizationId, key.name);
        return true;
      }),

    findSource: (key) => find(engine, key),

    listSources: async (organizationId) => {
      const limit = await readHeartbeatLimit();
      if (organizationId !== undefined)
        return engine.query<SourceSummary>(
          `${selectSummaries} AND source.organization_id = $2 ORDER BY source.name`,
          [limit, organizationId],
        );
      const sources: SourceSummary[] = [];
      for (let last = { organizationId: '', name: '' }; ; ) {
        await nextEventLoopTurn();
        const rows = await engine.query<SourceSummary>(
          `${selectSummaries} AND (source.organization_id, source.name) > ($2, $3)
          ORDER BY source.organization_id, source.name LIMIT ${listBatchSize}`,
          [limit, last.organizationId, last.name],
        );
        sources.push(...rows);
        if (rows.length < listBatchSize) return sources.sort(compareByNames);
        last = rows.at(-1) ?? last;
      }
    },

    listSourceProblems: async () => {
      const limit = await readHeartbeatLimit();
      const now = formatTimestamp(await engine.now());
      const sources: SourceSummary[] = [];
      const parts: [condition: string, parameters: SqlValue[], column: string][] = [
        ['failing_since IS NOT NULL', [limit], 'failing_since'],
        ['stale_at <= $2 AND failing_since IS NULL', [limit, now], 'stale_at'],
      ];
      for (const [condition, parameters, column] of parts) {
        await nextEventLoopTurn();
        sources.push(
          ...(await engine.query<SourceSummary>(
            `${selectSummaries} AND ${condition} ORDER BY source.${column} LIMIT ${maxProblems}`,
            parameters,
          )),
        );
      }
      return sources.sort(compareByNames);
    },

    listDueSources: async (limit) =>
      engine.query<SourceKey>(
        `SELECT organization_id AS "organizationId", name FROM import_source AS source WHERE next_at <= $1
          AND NOT EXISTS (SELECT 1 FROM import_lease AS lease
            WHERE lease.organization_id = source.organization_id AND heartbeat_at_ms >= $2)
        ORDER BY next_at, organization_id, name LIMIT $3`,
        [formatTimestamp(await engine.now()), await readHeartbeatLimit(), limit],
      ),

    beginSourceRun: (key) =>
      engine.transaction(key.organizationId, async (transaction) => {
        const source = await find(transaction, key);
        if (source === undefined) return null;
        const retryAt = chooseRetryAt(source, await transaction.now());
        await setNextAt(transaction, source, retryAt);
        return retryAt;
      }),

    endSourceRun: (key, end) =>
      engine.transaction(key.organizationId, async (transaction) => {
        const source = await find(transaction, key);
        if (source === undefined) return;
        if (end.end === 'interrupted') {
          if (source.nextAt === end.retryAt) await setNextAt(transaction, source, end.dueAt);
          return;
        }
        const nowMs = await transaction.now();
        const { intervalMs } = source;
        const now = formatTimestamp(nowMs);
        const runId = end.runId ?? source.lastRunId;
        const identity = [key.organizationId, deriveSourceId(source), now, runId];
        if (end.end === 'failed') {
          const retryAt = chooseRetryAt(source, nowMs);
          await transaction.execute(
            `UPDATE import_source SET failing_since = coalesce(failing_since, $3), failed_at = $3, last_run_id = $4,
              error = $5, failures = failures + 1, next_at = $6 WHERE ${isSource}`,
            // Truncation may split a surrogate pair.
            [...identity, end.error.slice(0, maxErrorLength).toWellFormed(), retryAt],
          );
          return;
        }
        const dueAt = end.dueAt ?? source.nextAt;
        const dueAtMs = dueAt === null ? undefined : Date.parse(dueAt);
        await transaction.execute(
          `UPDATE import_source SET last_success_at = $3, last_run_id = $4, failing_since = NULL, failed_at = NULL,
            error = NULL, failures = 0, next_at = $5, stale_at = $6, validators = $7 WHERE ${isSource}`,
          [
            ...identity,
            intervalMs === null ? null : formatTimestamp(getNextRunAtMs(nowMs, intervalMs, dueAtMs)),
            intervalMs === null ? null : formatTimestamp(getStaleAtMs(nowMs, intervalMs)),
            JSON.stringify(end.validators),
          ],
        );
      }),
  };
}

/** Failing sources, and stale ones, in `listSourceProblems`. */
const maxProblems = 1_000;

const isSource = 'organization_id = $1 AND id = $2';

/** When a source is imported again after a failure; null without a schedule. */
const chooseRetryAt = ({ intervalMs, failures }: StoredSource, nowMs: number): string | null =>
  intervalMs === null ? null : formatTimestamp(getRetryAtMs(nowMs, intervalMs, failures + 1));

async function setNextAt(statements: Queryable, source: StoredSource, nextAt: string | null): Promise<void> {
  if (source.intervalMs === null) return;
  await statements.execute(`UPDATE import_source SET next_at = $3 WHERE ${isSource}`, [
    source.organizationId,
    deriveSourceId(source),
    nextAt,
  ]);
}

const clearDefinition = `url = NULL, interval_ms = NULL, options = NULL, requested_redaction = NULL, time_zone = NULL,
  max_deleted_percent = NULL, last_success_at = NULL, last_run_id = NULL, failing_since = NULL, failed_at = NULL,
  error = NULL, failures = 0, next_at = NULL, stale_at = NULL, validators = '{}'`;

const collator = new Intl.Collator('de', { numeric: true });

const compareByNames = (a: SourceSummary, b: SourceSummary) =>
  collator.compare(a.organizationName, b.organizationName) || collator.compare(a.name, b.name);

async function find(
  statements: Queryable,
  { organizationId, name }: SourceKey,
): Promise<StoredSource | undefined> {
  const heartbeatLimit = (await statements.now()) - importLeaseTimeoutMs;
  const [row] = await statements.query<SourceRow>(selectSource, [heartbeatLimit, organizationId, name]);
  return row && toStoredSource(row);
}

/**
 * @param before the stored definition, if there is one
 * @throws StoreConflictError for options that are too long
 */
async function writeDefinition(
  transaction: Queryable,
  organizationId: string,
  definition: SourceDefinition,
  before?: StoredSource,
): Promise<void> {
  const { name, format, url, intervalMs, timeZone, maxDeletedPercent } = definition;
  const options = JSON.stringify(definition.options);
  const redaction = JSON.stringify(definition.redaction);
  if (options.length > maxOptionsLength)
    throw new StoreConflictError(
      `The options of the source are longer than ${maxOptionsLength} characters in total.`,
    );
  const nowMs = await transaction.now();
  const readsTheSame =
    before !== undefined &&
    before.url === url &&
    JSON.stringify(before.options) === options &&
    JSON.stringify(before.redaction) === redaction &&
    before.timeZone === timeZone &&
    before.maxDeletedPercent === maxDeletedPercent;
  const isScheduleKept = readsTheSame && before.intervalMs === intervalMs;
  const nextAt =
    intervalMs === null ? null : isScheduleKept ? (before?.nextAt ?? null) : formatTimestamp(nowMs);
  const staleAt =
    intervalMs === null
      ? null
      : before?.intervalMs === intervalMs
        ? before.staleAt
        : formatTimestamp(getStaleAtMs(nowMs, intervalMs));
  await transaction.execute(
    `INSERT INTO import_source (organization_id, id, format, name, url, interval_ms, options, requested_redaction,
      time_zone, max_deleted_percent, next_at, stale_at, validators)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    ON CONFLICT (organization_id, id) DO UPDATE SET url = excluded.url, interval_ms = excluded.interval_ms,
      options = excluded.options, requested_redaction = excluded.requested_redaction, time_zone = excluded.time_zone,
      max_deleted_percent = excluded.max_deleted_percent, next_at = excluded.next_at, stale_at = excluded.stale_at,
      validators = excluded.validators`,
    [
      organizationId,
      deriveSourceId({ format, name }),
      format,
      name,
      url,
      intervalMs,
      options,
      redaction,
      timeZone,
      maxDeletedPercent,
      nextAt,
      staleAt,
      readsTheSame ? JSON.stringify(before.validators) : '{}',
    ],
  );
}
