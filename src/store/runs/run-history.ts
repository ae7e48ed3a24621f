/** History of imports. Written outside of import transactions, so it includes imports that were rolled back. */

import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/accounts/actor.ts';
import { sanitizeText, serializeReason } from '../../domain/reasons/reason.ts';
import {
  type ImportHistoryStore,
  type ImportRun,
  type ImportRunReference,
  type ImportState,
  importCounts,
  LeaseLostError,
  leaseTimeoutMs,
  maxRejectedIdLength,
  maxStoredNotes,
  maxStoredRejections,
  type RejectedRecord,
  type RunLease,
  undoCounts,
} from '../../domain/runs/run-history.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { createTenantReader, type Engine, type Queryable, readTimestamp, type SqlValue } from '../engine.ts';
import { composeNewestFirst } from '../newest-first.ts';
import { importRejectionTable } from '../table-descriptors.ts';
import { deriveSourceId } from './import-sources.ts';
import { readReason, type StoredReason } from './stored-reasons.ts';

export const maxStoredLength = 1_000;

/** Other runs fetch their input. */
export const isListed = 'outcome IS NOT NULL';

export const selectImportRuns = `
  SELECT organization_id AS "organizationId", id, started_at AS "startedAt", heartbeat_at AS "heartbeatAt",
    ended_at AS "endedAt", actor, address, format, sources, outcome,
    (SELECT name FROM import_source AS source
      WHERE source.organization_id = import_run.organization_id AND source.id = import_run.source_id) AS "sourceName",
    undone_at AS "undoneAt", failure, notes, ${importCounts.join(', ')},
    ${undoCounts.map((name) => `undo_${name}`).join(', ')}
  FROM import_run`;

/**
 * The notes of an unfinished import belong to the run that has completed it, even if nothing was left to change. Otherwise the
 * next import would continue them.
 */
const takeOverNotes = `
  UPDATE import_undo SET run_id = $2
  WHERE organization_id = $1 AND state = 'available' AND run_id <> $2
    AND source_id = (SELECT source_id FROM import_run WHERE organization_id = $1 AND id = $2)
    AND EXISTS (SELECT 1 FROM import_run AS earlier
      WHERE earlier.organization_id = $1 AND earlier.id = import_undo.run_id AND earlier.outcome <> 'done')`;

/** @param first number of the first parameter */
const setCounts = (first: number) =>
  importCounts.map((name, index) => `${name} = $${first + index}`).join(', ');

/** A run that holds the lease of its municipality. */
export const isWriting = "lease_token IS NOT NULL AND step IN ('import', 'undo')";

export const isRun = 'organization_id = $1 AND id = $2';

/** The time of the oldest heartbeat of a held lease. */
export const toLeaseLimit = (nowMs: number): string => new Date(nowMs - leaseTimeoutMs).toISOString();

export const readLeaseLimit = async (statements: Queryable): Promise<string> =>
  toLeaseLimit(await statements.now());

/** Also a heartbeat. At the end of a transaction it detects a lease that was lost since. @throws LeaseLostError */
export const assertLease = (statements: Queryable, lease: RunLease): Promise<void> =>
  changeRun(statements, lease);

/** @param set parameters begin at $5 */
async function changeRun(
  statements: Queryable,
  { organizationId, id, leaseToken }: RunLease,
  set = '',
  values: readonly SqlValue[] = [],
): Promise<void> {
  const changed = await statements.execute(
    `UPDATE import_run SET heartbeat_at = $4${set === '' ? '' : `, ${set}`} WHERE ${isRun} AND lease_token = $3`,
    [organizationId, id, leaseToken, await readTimestamp(statements), ...values],
  );
  if (changed === 0) throw new LeaseLostError();
}

/** A process that fetched the input of its own run leaves nothing behind. */
export async function freeExpiredLease(
  transaction: Queryable,
  organizationId: string,
  leaseLimit: string,
): Promise<void> {
  const expired = `organization_id = $1 AND ${isWriting} AND heartbeat_at < $2`;
  const parameters = [organizationId, leaseLimit];
  await transaction.execute(
    `DELETE FROM import_run WHERE ${expired} AND outcome IS NULL AND state IS NULL`,
    parameters,
  );
  await transaction.execute(`UPDATE import_run SET lease_token = NULL WHERE ${expired}`, parameters);
}

const rejectionColumns = { position: 'integer', ...importRejectionTable.columns } as const;

export function createImportHistoryStore(engine: Engine, self: Actor): ImportHistoryStore {
  const ofTenant = createTenantReader(engine);

  async function select(
    statements: Pick<Queryable, 'query'>,
    sql: string,
    parameters: SqlValue[],
  ): Promise<ImportRun[]> {
    const rows = await statements.query<StoredReason<ImportRow, 'failure'>>(sql, parameters);
    const nowMs = await engine.now();
    return rows.map((row) => {
      const { outcome, undo_removed, undo_restored, undo_surveys, notes, ...run } = readReason<
        ImportRow,
        'failure'
      >(row, 'failure');
      const undone = { removed: undo_removed, restored: undo_restored, surveys: undo_surveys };
      return {
        ...run,
        notes: JSON.parse(notes),
        undoCounts: run.undoneAt === null ? null : undone,
        state: toImportState({ outcome, ...run }, nowMs),
      };
    });
  }

  async function insertRejections(
    { organizationId, id }: ImportRunReference,
    rejections: readonly RejectedRecord[],
    offset: number,
  ): Promise<void> {
    const stored = rejections.slice(0, Math.max(0, maxStoredRejections - offset));
    if (stored.length === 0) return;
    const rows = stored.map(({ source, line, entry, id: recordId, reason }, index) => ({
      position: offset + index,
      source: sanitizeText(source, maxStoredLength),
      line,
      entry,
      record_id: recordId === null ? null : sanitizeText(recordId, maxRejectedIdLength),
      reason: serializeReason(reason),
    }));
    const names = Object.keys(rejectionColumns).join(', ');
    await engine.tenantExecute(
      `INSERT INTO import_rejection (organization_id, run_id, ${names})
      SELECT $1, $2, ${names} FROM ${engine.recordset('incoming', '$3', rejectionColumns)} WHERE true
      ON CONFLICT (organization_id, run_id, position) DO NOTHING`,
      [organizationId, id, JSON.stringify(rows)],
    );
  }

  return {
    acquireRun: async (run, by = self) => {
      const { organizationId } = run;
      const id = 'id' in run ? run.id : randomUUID();
      const leaseToken = randomUUID();
      // Serialized, because two processes may find the lease free.
      return engine.transaction(undefined, async (transaction) => {
        const nowMs = await transaction.now();
        const acquiredAt = new Date(nowMs).toISOString();
        await freeExpiredLease(transaction, organizationId, toLeaseLimit(nowMs));
        const held = await transaction.query(
          `SELECT 1 FROM import_run WHERE organization_id = $1 AND ${isWriting}`,
          [organizationId],
        );
        if (held.length > 0) return undefined;
        const acquired =
          'id' in run
            ? await transaction.execute(
                `UPDATE import_run SET lease_token = $3, heartbeat_at = $4 WHERE ${isRun}`,
                [organizationId, id, leaseToken, acquiredAt],
              )
            : await transaction.execute(
                `INSERT INTO import_run (organization_id, id, started_at, heartbeat_at, actor, address, format, source_id,
                  sources, lease_token)
                SELECT id, $2, $3, $3, $4, $5, $6, CAST($7 AS bigint), $8, $9 FROM organization WHERE id = $1`,
                [
                  organizationId,
                  id,
                  acquiredAt,
                  by.name,
                  by.address,
                  run.source.format,
                  deriveSourceId(run.source),
                  sanitizeText(run.sources, maxStoredLength),
                  leaseToken,
                ],
              );
        if (acquired === 0) throw new StoreConflictError({ code: 'organization-removed' });
        return { organizationId, id, leaseToken, acquiredAt };
      });
    },

    startRun: async (lease) => {
      const { organizationId, id } = lease;
      await engine.tenantExecute('DELETE FROM import_rejection WHERE organization_id = $1 AND run_id = $2', [
        organizationId,
        id,
      ]);
      await changeRun(
        engine,
        lease,
        `started_at = CASE WHEN outcome IS NULL THEN $5 ELSE started_at END, ended_at = NULL, outcome = 'running', failure = NULL`,
        [await readTimestamp(engine)],
      );
    },

    renewRun: (lease, progress) =>
      progress === undefined
        ? assertLease(engine, lease)
        : changeRun(engine, lease, 'progress = $5', [JSON.stringify(progress)]),

    updateRun: async (lease, counts, rejections, offset) => {
      await insertRejections(lease, rejections, offset);
      const values = importCounts.map((name) => counts[name]);
      await changeRun(engine, lease, setCounts(5), values);
    },

    endRun: async (
      { organizationId, id, leaseToken },
      end,
      failure,
      hasSupportCounts,
      counts,
      personalData,
      notes = [],
    ) => {
      const storedFailure = failure === undefined ? null : serializeReason(failure);
      const storedNotes = `[${notes.slice(0, maxStoredNotes).map(serializeReason).join(',')}]`;
      if (end === 'done')
        await engine.execute(
          `UPDATE import_source SET has_support_counts = coalesce(CAST($3 AS bigint), has_support_counts),
            personal_data = coalesce($4, personal_data)
          WHERE organization_id = $1
            AND id = (SELECT source_id FROM import_run WHERE organization_id = $1 AND id = $2)`,
          [
            ...[organizationId, id, hasSupportCounts === undefined ? null : Number(hasSupportCounts)],
            personalData === undefined ? null : JSON.stringify(personalData),
          ],
        );
      if (end === 'done') await engine.tenantExecute(takeOverNotes, [organizationId, id]);
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $4, ended_at = $4, outcome = $5, failure = $6, notes = $7, lease_token = NULL
          ${counts === undefined ? '' : `, ${setCounts(8)}`}
        WHERE ${isRun} AND (lease_token IS NULL OR lease_token = $3)`,
        [
          ...[organizationId, id, leaseToken, await readTimestamp(engine), end, storedFailure, storedNotes],
          ...(counts === undefined ? [] : importCounts.map((name) => counts[name])),
        ],
      );
    },

    deleteRun: async ({ organizationId, id }) => {
      await engine.execute(`DELETE FROM import_run WHERE ${isRun}`, [organizationId, id]);
    },

    releaseRun: async ({ organizationId, id, leaseToken }) => {
      await engine.execute(
        `DELETE FROM import_run WHERE ${isRun} AND lease_token = $3 AND outcome IS NULL AND state IS NULL`,
        [organizationId, id, leaseToken],
      );
      await engine.execute(`UPDATE import_run SET lease_token = NULL WHERE ${isRun} AND lease_token = $3`, [
        organizationId,
        id,
        leaseToken,
      ]);
    },

    listImportRuns: async (organizationId, after, limit, state) => {
      const staleSince = await readLeaseLimit(engine);
      const compose = (bind: (value: SqlValue) => string) => [
        isListed,
        ...(state === undefined ? [] : [`outcome = ${bind(state === 'stale' ? 'running' : state)}`]),
        ...(state === 'stale' ? [`heartbeat_at < ${bind(staleSince)}`] : []),
        ...(state === 'running' ? [`heartbeat_at >= ${bind(staleSince)}`] : []),
      ];
      return select(
        organizationId === undefined ? engine : ofTenant,
        ...composeNewestFirst(selectImportRuns, 'started_at', organizationId, after, limit, compose),
      );
    },

    listImportRunsOfSource: (organizationId, source, limit) =>
      select(
        ofTenant,
        `${selectImportRuns} WHERE organization_id = $1 AND source_id = $2 AND ${isListed} ORDER BY started_at DESC, id LIMIT $3`,
        [organizationId, deriveSourceId(source), limit],
      ),

    findImportRun: async (organizationId, id) => {
      const [found] =
        organizationId === undefined
          ? await select(engine, `${selectImportRuns} WHERE id = $1 AND ${isListed}`, [id])
          : await select(ofTenant, `${selectImportRuns} WHERE ${isRun} AND ${isListed}`, [
              organizationId,
              id,
            ]);
      return found;
    },

    listRejectedRecords: async ({ organizationId, id }) => {
      const rows = await ofTenant.query<StoredReason<RejectedRecord, 'reason'>>(
        `SELECT source, line, entry, record_id AS id, reason FROM import_rejection
        WHERE organization_id = $1 AND run_id = $2 ORDER BY position`,
        [organizationId, id],
      );
      return rows.map((row) => readReason<RejectedRecord, 'reason'>(row, 'reason'));
    },
  };
}

export function toImportState(
  { outcome, heartbeatAt }: Pick<ImportRow, 'outcome' | 'heartbeatAt'>,
  nowMs: number,
): ImportState {
  return outcome === 'running' && nowMs - Date.parse(heartbeatAt) > leaseTimeoutMs ? 'stale' : outcome;
}

interface ImportRow
  extends Omit<ImportRun, 'state' | 'undoCounts' | 'notes'>,
    Record<`undo_${(typeof undoCounts)[number]}`, number> {
  outcome: Exclude<ImportState, 'stale'>;
  notes: string;
}
