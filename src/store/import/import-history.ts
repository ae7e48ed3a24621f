/** The record of imports. It is written beside their transactions, so that it tells of those that were undone too. */

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
import type { Engine, Value } from '../engine.ts';
import type { Columns } from '../schema.ts';

const maxTextLength = 1_000;
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

/** The limit is the parameter behind those of the conditions. */
export function importRunsQuery(conditions: readonly string[], parameterCount: number): string {
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return `SELECT ${columns} FROM import_run ${where} ORDER BY started_at DESC, id LIMIT $${parameterCount + 1}`;
}

/** Conditions for the rows behind a position in the list. */
export const isAfterRun = (at: string, id: string) =>
  `started_at <= ${at} AND (started_at < ${at} OR id > ${id})`;

export function createImportHistoryStore(engine: Engine, self: Actor): ImportHistoryStore {
  const now = async () => new Date(await engine.now()).toISOString();

  async function select(conditions: string[], parameters: Value[], limit: number): Promise<ImportRun[]> {
    const rows = await engine.query<ImportRow>(importRunsQuery(conditions, parameters.length), [
      ...parameters,
      limit,
    ]);
    const nowMs = await engine.now();
    return rows.map(({ outcome, ...run }) => ({ ...run, state: runState(outcome, run.heartbeatAt, nowMs) }));
  }

  async function insertRejections(
    { organizationId, id }: ImportRunKey,
    refusals: readonly RejectedRecord[],
    before: number,
  ): Promise<void> {
    const kept = refusals.slice(0, Math.max(0, maxStoredRejections - before));
    if (kept.length === 0) return;
    const rows = kept.map(({ source, line, entry, id: recordId, reason }, index) => ({
      position: before + index,
      source: sanitize(source, maxTextLength),
      line,
      entry,
      record_id: recordId === null ? null : sanitize(recordId, maxIdLength),
      reason: sanitize(reason, maxTextLength),
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
        [organizationId, id, await now(), by.name, by.address, format, sanitize(sources, maxTextLength)],
      );
      return { organizationId, id };
    },

    updateImportRun: async (run, found, refusals, before) => {
      await insertRejections(run, refusals, before);
      const set = importCounts.map((name, index) => `${name} = $${index + 4}`).join(', ');
      await engine.execute(
        `UPDATE import_run SET heartbeat_at = $3, ${set} WHERE organization_id = $1 AND id = $2`,
        [run.organizationId, run.id, await now(), ...importCounts.map((name) => found[name])],
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
          failure === undefined ? null : sanitize(failure, maxTextLength),
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
      const parameters: Value[] = [];
      const conditions: string[] = [];
      const place = (value: Value) => `$${parameters.push(value)}`;
      if (organizationId !== undefined) conditions.push(`organization_id = ${place(organizationId)}`);
      if (after !== undefined) {
        conditions.push(isAfterRun(place(after.at), place(after.id)));
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

function runState(outcome: ImportRow['outcome'], seenAt: string, nowMs: number): ImportRun['state'] {
  return outcome === 'running' && nowMs - Date.parse(seenAt) > staleAfterMs ? 'stale' : outcome;
}

/** What a source brings along may be anything: of a text that is shown, no control character and no more than so much. */
function sanitize(text: string, longest: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown
  const characters = [...text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}
