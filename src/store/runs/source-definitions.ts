/** Definitions of sources, and the state of their runs. */

import { setImmediate } from 'node:timers/promises';
import { toColumnName } from '../../contract/field.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { ProvisionedSource } from '../../domain/installation/provisioning-store.ts';
import { readLicense } from '../../domain/organizations/licenses.ts';
import { serializeReason } from '../../domain/reasons/reason.ts';
import { listSourceChanges } from '../../domain/sources/audited-source-changes.ts';
import {
  type DueSource,
  maxOptionsLength,
  type SourceDefinition,
  type SourceReference,
  type SourceStore,
  type SourceSummary,
  type StoredSource,
} from '../../domain/sources/import-source.ts';
import type { EncryptedPortalKey } from '../../domain/sources/portal-key-encryption.ts';
import { describeSourceField, sourceFields } from '../../domain/sources/source-fields.ts';
import { getNextRunAtMs, getRetryAtMs, getStaleAtMs } from '../../domain/sources/source-schedule.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { createUuidV5 } from '../../domain/values/uuid.ts';
import { createTenantReader, type Engine, type Queryable, type SqlValue } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { assertOrganizationExists } from '../organizations/organizations.ts';
import { limitStoredLocations } from '../records/limit-stored-locations.ts';
import { type Columns, sourceValueColumns } from '../table-descriptors.ts';
import { deriveSourceId } from './import-sources.ts';
import { isWriting, readLeaseLimit } from './run-history.ts';
import { readReason, type StoredReason } from './stored-reasons.ts';

/** Sources per statement of a list. */
const listBatchSize = 500;

const formatTimestamp = (ms: number) => new Date(ms).toISOString();

/** `$1` is the time of the oldest heartbeat of a held lease. */
const stateColumns = `source.name, format, url, interval_ms AS "intervalMs", last_success_at AS "lastSuccessAt",
  last_run_id AS "lastRunId", failing_since AS "failingSince", failed_at AS "failedAt", error, failures,
  next_at AS "nextAt", stale_at AS "staleAt",
  (SELECT started_at FROM import_run AS run WHERE run.organization_id = source.organization_id
    AND ${isWriting} AND source_id = source.id AND heartbeat_at >= $1) AS "runningSince"`;

/** `stateColumns` has the others. */
const selectLongValues = sourceFields.names
  .filter((field) => field !== 'url' && field !== 'intervalMs')
  .map((field) => `${toColumnName(field)} AS "${field}"`)
  .join(', ');

const selectSource = `SELECT source.organization_id AS "organizationId", ${stateColumns}, options,
  requested_redaction AS redaction, ${selectLongValues}, validators, portal_key_origin AS "portalKeyOrigin"
  FROM import_source AS source WHERE options IS NOT NULL`;

const selectSummaries = `SELECT source.organization_id AS "organizationId", organization.name AS "organizationName",
  ${stateColumns}
  FROM import_source AS source JOIN organization ON organization.id = source.organization_id
  WHERE options IS NOT NULL`;

type SourceRow = Omit<StoredSource, 'options' | 'redaction' | 'validators' | 'error'> &
  Record<'options' | 'redaction' | 'validators', string> & { error: string | null };

type SummaryRow = StoredReason<SourceSummary, 'error'>;

const toSummary = (row: SummaryRow) => readReason<SourceSummary, 'error'>(row, 'error');

const toStoredSource = ({ error, options, redaction, validators, ...row }: SourceRow): StoredSource => ({
  ...row,
  error: error === null ? null : JSON.parse(error),
  options: JSON.parse(options),
  redaction: JSON.parse(redaction),
  validators: JSON.parse(validators),
});

export function createSourceStore(engine: Engine, self: Actor): SourceStore {
  return {
    addSource: (organizationId, definition, by = self) => {
      const { name } = definition;
      return engine.transaction(organizationId, async (transaction) => {
        const existing = await find(transaction, { organizationId, name });
        if (existing !== undefined)
          throw new StoreConflictError(`The municipality already has a source with the name ${name}.`);
        await assertOrganizationExists(transaction, organizationId);
        const earlier = await transaction.query<{ locations: string | null }>(
          `SELECT locations FROM import_source WHERE ${isSource}`,
          [organizationId, deriveSourceId(definition)],
        );
        await writeDefinitions(engine, transaction, [{ organizationId, definition }]);
        if (earlier[0]?.locations === 'on' && definition.locations !== 'on')
          await limitStoredLocations({ transaction, recordset: engine.recordset, organizationId });
        await recordEvent(transaction, by, ...describeSourceEvent(organizationId, definition, undefined));
        return (await find(transaction, { organizationId, name })) as StoredSource;
      });
    },

    editSource: (reference, changes, by = self) =>
      engine.transaction(reference.organizationId, async (transaction) => {
        const before = await find(transaction, reference);
        if (before === undefined) return undefined;
        const after = { ...before, ...changes };
        if (listSourceChanges(before, after).length === 0) return before;
        await writeDefinitions(engine, transaction, [{ ...reference, definition: after }]);
        if (before.locations === 'on' && after.locations !== 'on')
          await limitStoredLocations({ transaction, recordset: engine.recordset, ...reference });
        await recordEvent(transaction, by, ...describeSourceEvent(reference.organizationId, after, before));
        return find(transaction, reference);
      }),

    removeSource: (reference, by = self) =>
      engine.transaction(reference.organizationId, async (transaction) => {
        const source = await find(transaction, reference);
        if (source === undefined) return false;
        if (source.runningSince !== null)
          throw new StoreConflictError(`${reference.name} is being imported. Wait until that run ends.`);
        const id = deriveSourceId(source);
        await transaction.execute(`UPDATE import_source SET ${clearDefinition} WHERE ${isSource}`, [
          reference.organizationId,
          id,
        ]);
        await transaction.execute(
          'DELETE FROM endpoint_object WHERE organization_id = $1 AND source_id = $2',
          [reference.organizationId, id],
        );
        // Without a redaction policy, no import has written records of this source.
        await transaction.execute(`DELETE FROM import_source WHERE ${isSource} AND redaction IS NULL`, [
          reference.organizationId,
          id,
        ]);
        await recordEvent(transaction, by, 'source.removed', reference.organizationId, reference.name);
        return true;
      }),

    findSource: (reference) => find(engine, reference),

    listSources: async (organizationId) => {
      const limit = await readLeaseLimit(engine);
      if (organizationId !== undefined)
        return (
          await engine.query<SummaryRow>(
            `${selectSummaries} AND source.organization_id = $2 ORDER BY source.name`,
            [limit, organizationId],
          )
        ).map(toSummary);
      const sources: SourceSummary[] = [];
      for (let last = { organizationId: '', name: '' }; ; ) {
        await setImmediate();
        const rows = await engine.query<SummaryRow>(
          `${selectSummaries} AND (source.organization_id, source.name) > ($2, $3)
          ORDER BY source.organization_id, source.name LIMIT ${listBatchSize}`,
          [limit, last.organizationId, last.name],
        );
        sources.push(...rows.map(toSummary));
        if (rows.length < listBatchSize) return sources.sort(compareByNames);
        last = rows.at(-1) ?? last;
      }
    },

    listSourceProblems: async () => {
      const limit = await readLeaseLimit(engine);
      const now = formatTimestamp(await engine.now());
      const sources: SourceSummary[] = [];
      const parts: [condition: string, parameters: SqlValue[], column: string][] = [
        ['failing_since IS NOT NULL', [limit], 'failing_since'],
        ['stale_at <= $2 AND failing_since IS NULL', [limit, now], 'stale_at'],
      ];
      for (const [condition, parameters, column] of parts) {
        await setImmediate();
        sources.push(
          ...(
            await engine.query<SummaryRow>(
              `${selectSummaries} AND ${condition} ORDER BY source.${column} LIMIT ${maxProblems}`,
              parameters,
            )
          ).map(toSummary),
        );
      }
      return sources.sort(compareByNames);
    },

    listDueSources: async () =>
      engine.query<DueSource>(
        `SELECT organization_id AS "organizationId", name, url, next_at AS "dueAt" FROM import_source AS source
        WHERE next_at <= $1
          AND NOT EXISTS (SELECT 1 FROM import_run AS run WHERE run.organization_id = source.organization_id
            AND ${isWriting} AND heartbeat_at >= $2)
        ORDER BY next_at, organization_id, name`,
        [formatTimestamp(await engine.now()), await readLeaseLimit(engine)],
      ),

    setPortalKey: (reference, portalKey, by = self) =>
      engine.transaction(reference.organizationId, async (transaction) => {
        const source = await find(transaction, reference);
        if (source === undefined) return false;
        if (portalKey === null && source.portalKeyOrigin === null) return true;
        // With another key, the portal may return other records.
        await transaction.execute(
          `UPDATE import_source SET portal_key = $3, portal_key_origin = $4, validators = '{}' WHERE ${isSource}`,
          [
            reference.organizationId,
            deriveSourceId(source),
            portalKey?.encrypted ?? null,
            portalKey?.origin ?? null,
          ],
        );
        const action = portalKey === null ? 'source.key_removed' : 'source.key_stored';
        const id = deriveSubjectId(reference);
        await recordEvent(transaction, by, action, reference.organizationId, reference.name, {
          kind: 'source',
          id,
        });
        return true;
      }),

    findPortalKey: async ({ organizationId, name, format }) => {
      const [row] = await createTenantReader(engine).query<EncryptedPortalKey>(
        `SELECT portal_key AS encrypted, portal_key_origin AS origin FROM import_source
        WHERE ${isSource} AND portal_key IS NOT NULL`,
        [organizationId, deriveSourceId({ format, name })],
      );
      return row;
    },

    beginSourceRun: (reference) =>
      engine.transaction(reference.organizationId, async (transaction) => {
        const source = await find(transaction, reference);
        if (source === undefined) return null;
        const retryAt = chooseRetryAt(source, await transaction.now());
        await setNextAt(transaction, source, retryAt);
        return retryAt;
      }),

    endSourceRun: (reference, end) =>
      engine.transaction(reference.organizationId, async (transaction) => {
        const source = await find(transaction, reference);
        if (source === undefined) return;
        if (end.end === 'interrupted') {
          if (source.nextAt === end.retryAt) await setNextAt(transaction, source, end.dueAt);
          return;
        }
        const nowMs = await transaction.now();
        const { intervalMs } = source;
        const now = formatTimestamp(nowMs);
        const runId = end.runId ?? source.lastRunId;
        const identity = [reference.organizationId, deriveSourceId(source), now, runId];
        if (end.end === 'failed') {
          const retryAt = chooseRetryAt(source, nowMs);
          await transaction.execute(
            `UPDATE import_source SET failing_since = coalesce(failing_since, $3), failed_at = $3, last_run_id = $4,
              error = $5, failures = failures + 1, next_at = $6 WHERE ${isSource}`,
            [...identity, serializeReason(end.error), retryAt],
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

/** Published records stay, with their locations. */
const clearDefinition = `${Object.keys(sourceValueColumns)
  .filter((column) => column !== 'locations')
  .map((column) => `${column} = NULL`)
  .join(', ')},
  options = NULL, requested_redaction = NULL, last_success_at = NULL, last_run_id = NULL, failing_since = NULL, failed_at = NULL,
  error = NULL, failures = 0, next_at = NULL, stale_at = NULL, validators = '{}', portal_key = NULL,
  portal_key_origin = NULL`;

const collator = new Intl.Collator('de', { numeric: true });

const compareByNames = (a: SourceSummary, b: SourceSummary) =>
  collator.compare(a.organizationName, b.organizationName) || collator.compare(a.name, b.name);

async function find(
  statements: Queryable,
  { organizationId, name }: SourceReference,
): Promise<StoredSource | undefined> {
  const heartbeatLimit = await readLeaseLimit(statements);
  const [row] = await statements.query<SourceRow>(
    `${selectSource} AND source.organization_id = $2 AND source.name = $3`,
    [heartbeatLimit, organizationId, name],
  );
  return row && toStoredSource(row);
}

/** @returns the source of each reference, in their order */
export async function findSources(
  { recordset }: Engine,
  statements: Queryable,
  references: readonly SourceReference[],
): Promise<(StoredSource | undefined)[]> {
  const heartbeatLimit = await readLeaseLimit(statements);
  const wanted = recordset('wanted', '$2', { organization_id: 'text', name: 'text' });
  const rows = await statements.query<SourceRow>(
    `${selectSource} AND (source.organization_id, source.name) IN (SELECT organization_id, name FROM ${wanted})`,
    [
      heartbeatLimit,
      JSON.stringify(
        references.map(({ organizationId, name }) => ({ organization_id: organizationId, name })),
      ),
    ],
  );
  const toText = ({ organizationId, name }: SourceReference) => `${organizationId} ${name}`;
  const found = new Map(rows.map((row) => [toText(row), toStoredSource(row)]));
  return references.map((reference) => found.get(toText(reference)));
}

const deriveSubjectId = ({ organizationId, name }: SourceReference) => createUuidV5(name, organizationId);

/** Arguments of `recordEvent`. */
export const describeSourceEvent = (
  organizationId: string,
  definition: SourceDefinition,
  before: SourceDefinition | undefined,
) =>
  [
    before === undefined ? 'source.added' : 'source.edited',
    organizationId,
    definition.name,
    {
      kind: 'source',
      id: deriveSubjectId({ organizationId, name: definition.name }),
      changes: listSourceChanges(before, definition),
    },
  ] as const;

/** Columns of a definition, and the state of a new one. */
const definitionColumns: Columns = {
  organization_id: 'text',
  id: 'integer',
  format: 'text',
  name: 'text',
  license: 'text',
  ...sourceValueColumns,
  options: 'text',
  requested_redaction: 'text',
  next_at: 'text',
  stale_at: 'text',
  validators: 'text',
};

const replacedColumns = ['license', 'options', 'requested_redaction', ...Object.keys(sourceValueColumns)];

const isUnchanged = (...columns: string[]) =>
  columns.map((column) => `import_source.${column} IS NOT DISTINCT FROM excluded.${column}`).join(' AND ');

const readFields = sourceFields.names.filter((field) => describeSourceField(field).isRead);

const readsTheSame = isUnchanged('options', 'requested_redaction', ...readFields.map(toColumnName));

const keepIf = (condition: string, column: string) =>
  `${column} = CASE WHEN ${condition} THEN import_source.${column} ELSE excluded.${column} END`;

/**
 * Sources that exist keep what their change does not concern: schedule, and validators of the last content.
 *
 * @throws StoreConflictError for options that are too long
 */
export async function writeDefinitions(
  { recordset }: Engine,
  transaction: Queryable,
  sources: readonly ProvisionedSource[],
): Promise<void> {
  const nowMs = await transaction.now();
  const rows = sources.map(({ organizationId, definition }) => {
    const { name, format, intervalMs } = definition;
    const license = readLicense(definition.options);
    const options = JSON.stringify(definition.options);
    if (options.length > maxOptionsLength)
      throw new StoreConflictError(
        `The options of the source are longer than ${maxOptionsLength} characters in total.`,
      );
    return {
      organization_id: organizationId,
      id: deriveSourceId(definition),
      format,
      name,
      license: license && JSON.stringify(license),
      ...Object.fromEntries(sourceFields.names.map((field) => [toColumnName(field), definition[field]])),
      options,
      requested_redaction: JSON.stringify(definition.redaction),
      next_at: intervalMs === null ? null : formatTimestamp(nowMs),
      stale_at: intervalMs === null ? null : formatTimestamp(getStaleAtMs(nowMs, intervalMs)),
      validators: '{}',
    };
  });
  const names = Object.keys(definitionColumns).join(', ');
  await transaction.execute(
    `INSERT INTO import_source (${names})
    SELECT ${names} FROM ${recordset('incoming', '$1', definitionColumns)} WHERE true
    ON CONFLICT (organization_id, id) DO UPDATE SET ${replacedColumns.map((column) => `${column} = excluded.${column}`).join(', ')},
      ${keepIf(`${readsTheSame} AND ${isUnchanged('interval_ms')}`, 'next_at')},
      ${keepIf(isUnchanged('interval_ms'), 'stale_at')}, ${keepIf(readsTheSame, 'validators')}`,
    [JSON.stringify(rows)],
  );
}
