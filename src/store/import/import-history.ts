/** History of imports. Written outside of import transactions, so it includes imports that were rolled back. */
import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import {
  type ImportHistoryStore,
  type ImportRun,
  type ImportRunKey,
  type ImportState,
  importCounts,
  maxRejectedIdLength,
  maxStoredRejections,
  type RejectedRecord,
  staleAfterMs,
} from '../../domain/import-history.ts';
import { type Engine, readTimestamp, type SqlValue } from '../engine.ts';
import { composeNewestFirst } from '../queries/newest-first.ts';
import { importRejectionTable } from '../table-descriptors.ts';
import { deriveSourceId } from './import-sources.ts';

const maxStoredLength = 1_000;

export const selectImportRuns = `
  SELECT organization_id AS "organizationId", id, started_at AS "startedAt", heartbeat_at AS "heartbeatAt",
    ended_at AS "endedAt", actor, address, format, sources, outcome, undone_at AS "undoneAt", failure, ${importCounts.join(', ')}
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

const rejectionColumns = { position: 'integer', ...importRejectionTable.columns } as const;

export function createImportHistoryStore(engine: Engine, self: Actor): ImportHistoryStore {
  async function select(sql: string, parameters: SqlValue[]): Promise<ImportRun[]> {
    const rows = await engine.query<ImportRow>(sql, parameters);
    const nowMs = await engine.now();
    return rows.map(({ outcome, ...run }) => ({ ...run, state: toImportState({ outcome, ...run }, nowMs) }));
  }

  async function insertRejections(
    { organizationId, id }: ImportRunKey,
    rejections: readonly RejectedRecord[],
    offset: number,
  ): Promise<void> {
    const stored = rejections.slice(0, Math.max(0, maxStoredRejections - offset));
    if (stored.length === 0) return;
    const rows = stored.map(({ source, line, entry, id: recordId, reason }, index) => ({
      position: offset + index,
      source: sanitize(source, maxStoredLength),
      line,
      entry,
      record_id: recordId === null ? null : sanitize(recordId, maxRejectedIdLength),
      reason: sanitize(reason, maxStoredLength),
    }));
    const names = Object.keys(rejectionColumns).join(', ');
    await engine.execute(
      `INSERT INTO import_rejection (organization_id, run_id, ${names})
      SELECT $1, $2, ${names} FROM ${engine.recordset('incoming', '$3', rejectionColumns)} WHERE true
      ON CONFLICT (organization_id, run_id, position) DO NOTHING`,
      [organizationId, id, JSON.stringify(rows)],
    );
  }

  return {
    beginImportRun: async ({ organizationId, format, source, sources }, { name, address } = self) => {
      const id = randomUUID();
      const startedAt = await readTimestamp(engine);
      await engine.execute(
        `INSERT INTO import_run
          (organization_id, id, started_at, heartbeat_at, actor, address, format, source_id, sources, outcome)
        VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, 'running')`,
        [
          organizationId,
          id,
          startedAt,
          name,
          address,
          format,
          source === undefined ? null : deriveSourceId(source),
          sanitize(sources, maxStoredLength),
        ],
      );
      return { organizationId, id };
    },

    resumeImportRun: async ({ organizationId, id }) => {
      await engine.execute('DELETE FROM import_rejection WHERE organization_id = $1 AND run_id = $2', [
        organizationId,
        id,
      ]);
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $3, ended_at = NULL, outcome = 'running', failure = NULL
        WHERE organization_id = $1 AND id = $2`,
        [organizationId, id, await readTimestamp(engine)],
      );
    },

    updateImportRun: async (run, counts, rejections, offset) => {
      await insertRejections(run, rejections, offset);
      const set = importCounts.map((name, index) => `${name} = $${index + 4}`).join(', ');
      const values = importCounts.map((name) => counts[name]);
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $3, ${set} WHERE organization_id = $1 AND id = $2`,
        [run.organizationId, run.id, await readTimestamp(engine), ...values],
      );
    },

    endImportRun: async ({ organizationId, id }, end, failure, hasSupportCounts) => {
      const storedFailure = failure === undefined ? null : sanitize(failure, maxStoredLength);
      if (end === 'done' && hasSupportCounts !== undefined)
        await engine.execute(
          `UPDATE import_source SET has_support_counts = $3
          WHERE organization_id = $1
            AND id = (SELECT source_id FROM import_run WHERE organization_id = $1 AND id = $2)`,
          [organizationId, id, Number(hasSupportCounts)],
        );
      if (end === 'done') await engine.execute(takeOverNotes, [organizationId, id]);
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $3, ended_at = $3, outcome = $4, failure = $5
        WHERE organization_id = $1 AND id = $2`,
        [organizationId, id, await readTimestamp(engine), end, storedFailure],
      );
    },

    deleteImportRun: async ({ organizationId, id }) => {
      const sql = 'DELETE FROM import_run WHERE organization_id = $1 AND id = $2';
      await engine.execute(sql, [organizationId, id]);
    },

    listImportRuns: async (organizationId, after, limit, state) => {
      const staleSince = new Date((await engine.now()) - staleAfterMs).toISOString();
      const compose = (bind: (value: SqlValue) => string) => [
        ...(state === undefined ? [] : [`outcome = ${bind(state === 'stale' ? 'running' : state)}`]),
        ...(state === 'stale' ? [`heartbeat_at < ${bind(staleSince)}`] : []),
        ...(state === 'running' ? [`heartbeat_at >= ${bind(staleSince)}`] : []),
      ];
      return select(
        ...composeNewestFirst(selectImportRuns, 'started_at', organizationId, after, limit, compose),
      );
    },

    listImportRunsOfSource: (organizationId, source, limit) =>
      select(
        `${selectImportRuns} WHERE organization_id = $1 AND source_id = $2 ORDER BY started_at DESC, id LIMIT $3`,
        [organizationId, deriveSourceId(source), limit],
      ),

    findImportRun: async (organizationId, id) => {
      const [found] =
        organizationId === undefined
          ? await select(`${selectImportRuns} WHERE id = $1`, [id])
          : await select(`${selectImportRuns} WHERE organization_id = $1 AND id = $2`, [organizationId, id]);
      return found;
    },

    listRejectedRecords: ({ organizationId, id }) =>
      engine.query<RejectedRecord>(
        `SELECT source, line, entry, record_id AS id, reason FROM import_rejection
        WHERE organization_id = $1 AND run_id = $2 ORDER BY position`,
        [organizationId, id],
      ),
  };
}

export function toImportState(
  { outcome, heartbeatAt }: Pick<ImportRow, 'outcome' | 'heartbeatAt'>,
  nowMs: number,
): ImportState {
  return outcome === 'running' && nowMs - Date.parse(heartbeatAt) > staleAfterMs ? 'stale' : outcome;
}

interface ImportRow extends Omit<ImportRun, 'state'> {
  outcome: Exclude<ImportState, 'stale'>;
}

/** Sources may contain any text: replaces control characters and truncates. */
function sanitize(text: string, maxLength: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
  const characters = [...text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}
