/** History of imports. Written outside of import transactions, so it includes imports that were rolled back. */

import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import {
  type ImportCounts,
  type ImportHistoryStore,
  type ImportRun,
  type ImportRunKey,
  importCounts,
  maxStoredRejections,
  type RejectedRecord,
  staleAfterMs,
} from '../../domain/import-history.ts';
import type { Engine, SqlValue } from '../engine.ts';
import type { Columns } from '../table-descriptors.ts';

const maxStoredLength = 1_000;
const maxIdLength = 200;

const columns = `organization_id AS "organizationId", id, started_at AS "startedAt", heartbeat_at AS "heartbeatAt",
  ended_at AS "endedAt", actor, address, format, sources, outcome, failure, ${importCounts.join(', ')}`;

const rejectionColumns = {
  position: 'integer',
  source: 'text',
  line: 'integer',
  entry: 'integer',
  record_id: 'text',
  reason: 'text',
} as const satisfies Columns;

/** The limit is the last parameter. */
export function composeImportRunsQuery(conditions: readonly string[], parameterCount: number): string {
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return `SELECT ${columns} FROM import_run ${where} ORDER BY started_at DESC, id LIMIT $${parameterCount + 1}`;
}

/** Condition for the rows after a position in the list. */
export const composeAfterRun = (at: string, id: string) =>
  `started_at <= ${at} AND (started_at < ${at} OR id > ${id})`;

export function createImportHistoryStore(engine: Engine, self: Actor): ImportHistoryStore {
  const now = async () => new Date(await engine.now()).toISOString();

  async function select(conditions: string[], parameters: SqlValue[], limit: number): Promise<ImportRun[]> {
    const rows = await engine.query<ImportRow>(composeImportRunsQuery(conditions, parameters.length), [
      ...parameters,
      limit,
    ]);
    const nowMs = await engine.now();
    return rows.map(({ outcome, ...run }) => ({
      ...run,
      state: getRunState(outcome, run.heartbeatAt, nowMs),
    }));
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
      record_id: recordId === null ? null : sanitize(recordId, maxIdLength),
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
    beginImportRun: async ({ organizationId, format, sources }, by = self) => {
      const id = randomUUID();
      await engine.execute(
        `INSERT INTO import_run (organization_id, id, started_at, heartbeat_at, actor, address, format, sources, outcome)
        VALUES ($1, $2, $3, $3, $4, $5, $6, $7, 'running')`,
        [organizationId, id, await now(), by.name, by.address, format, sanitize(sources, maxStoredLength)],
      );
      return { organizationId, id };
    },

    updateImportRun: async (run, counts, rejections, offset) => {
      await insertRejections(run, rejections, offset);
      const set = importCounts.map((name, index) => `${name} = $${index + 4}`).join(', ');
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $3, ${set} WHERE organization_id = $1 AND id = $2`,
        [run.organizationId, run.id, await now(), ...importCounts.map((name) => counts[name])],
      );
    },

    endImportRun: async ({ organizationId, id }, end, failure) => {
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $3, ended_at = $3, outcome = $4, failure = $5
        WHERE organization_id = $1 AND id = $2`,
        [
          organizationId,
          id,
          await now(),
          end,
          failure === undefined ? null : sanitize(failure, maxStoredLength),
        ],
      );
    },

    deleteImportRun: async ({ organizationId, id }) => {
      await engine.execute('DELETE FROM import_run WHERE organization_id = $1 AND id = $2', [
        organizationId,
        id,
      ]);
    },

    listImportRuns: async (organizationId, after, limit) => {
      const parameters: SqlValue[] = [];
      const conditions: string[] = [];
      const bind = (value: SqlValue) => `$${parameters.push(value)}`;
      if (organizationId !== undefined) conditions.push(`organization_id = ${bind(organizationId)}`);
      if (after !== undefined) {
        conditions.push(composeAfterRun(bind(after.at), bind(after.id)));
      }
      return select(conditions, parameters, limit);
    },

    findImportRun: async (organizationId, id) => {
      const found =
        organizationId === undefined
          ? await select(['id = $1'], [id], 1)
          : await select(['organization_id = $1', 'id = $2'], [organizationId, id], 1);
      return found[0];
    },

    listRejectedRecords: ({ organizationId, id }) =>
      engine.query<RejectedRecord>(
        `SELECT source, line, entry, record_id AS id, reason FROM import_rejection
        WHERE organization_id = $1 AND run_id = $2 ORDER BY position`,
        [organizationId, id],
      ),
  };
}

interface ImportRow extends Omit<ImportRun, 'state'>, ImportCounts {
  outcome: 'running' | 'done' | 'failed' | 'interrupted';
}

function getRunState(outcome: ImportRow['outcome'], heartbeatAt: string, nowMs: number): ImportRun['state'] {
  return outcome === 'running' && nowMs - Date.parse(heartbeatAt) > staleAfterMs ? 'stale' : outcome;
}

/** Sources may contain any text: replaces control characters and truncates. */
function sanitize(text: string, maxLength: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
  const characters = [...text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}
