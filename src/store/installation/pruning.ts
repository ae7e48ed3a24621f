/** Removal of old records, in short transactions, so that a service that uses the database continues. */
import { recordKinds } from '../../contract/resources/changes.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { RecordedAuditEvent } from '../../domain/accounts/audit-log.ts';
import {
  type PrunableHistory,
  type PrunedKind,
  type PruningStore,
  prunedKindNames,
} from '../../domain/installation/pruning.ts';
import { type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { globalTenantId } from '../table-descriptors.ts';
import { recordEvent } from './audit-log.ts';

const maxExaminedRows = 1_000;

/** With a run, up to 100 rejected records are deleted. */
const maxRuns = 200;

const maxKeys = 500;

/** @param getOwner the engine that may delete from the audit log; throws StoreConflictError without one */
export function createPruningStore(engine: Engine, getOwner: () => Engine, self: Actor): PruningStore {
  const count = async (statements: Queryable, sql: string, before: string) =>
    Number((await statements.query<{ count: number }>(sql, [before]))[0]?.count);

  return {
    countPrunable: async (before) => {
      const counts: Partial<Record<PrunedKind, number>> = {};
      for (const [kind, sql] of Object.entries(countStatements)) {
        const time = before[kind as PrunedKind];
        if (time !== undefined)
          counts[kind as PrunedKind] = await engine.transaction(undefined, (transaction) =>
            count(transaction, sql, time),
          );
      }
      if (before.tombstones === undefined) return counts;
      counts.tombstones = 0;
      for (const history of await listPrunableHistories(engine, before.tombstones)) {
        for (let after: number | undefined = 0; after !== undefined; ) {
          const { removed, next }: ExaminedChanges = await engine.transaction(
            history.organizationId,
            (transaction) => examineChanges(transaction, history, after as number),
          );
          counts.tombstones += removed.length;
          after = next;
        }
      }
      return counts;
    },

    recordPruning: (kind, before, by = self) =>
      engine.transaction(undefined, (transaction) =>
        recordEvent(transaction, by, 'database.pruned', null, `${prunedKindNames[kind]} before ${before}`),
      ),

    listAuditEventsBefore: async (before, after) => {
      const rows = await engine.query<RecordedAuditEvent & { changes: string | null }>(
        selectAuditEvents(after !== undefined),
        after === undefined ? [before, maxExaminedRows] : [before, maxExaminedRows, after.at, after.id],
      );
      return rows.map(({ changes, ...event }) => ({
        ...event,
        organizationId: event.organizationId === globalTenantId ? null : event.organizationId,
        changes: changes === null ? [] : JSON.parse(changes),
      }));
    },

    listAuditExports: (from, until) =>
      engine.query(
        `SELECT file, first_at AS "firstAt", last_at AS "lastAt", entries, sha256 FROM audit_export
        WHERE last_at >= $1 AND first_at < $2 ORDER BY first_at, file`,
        [from, until],
      ),

    recordAuditExport: async ({ file, firstAt, lastAt, entries, sha256 }) => {
      await getOwner().transaction(undefined, async (transaction) =>
        transaction.execute(
          `INSERT INTO audit_export (file, first_at, last_at, entries, sha256, exported_at)
          VALUES ($1, $2, $3, $4, $5, $6)`,
          [file, firstAt, lastAt, entries, sha256, await readTimestamp(transaction)],
        ),
      );
    },

    deleteAuditEvents: async (events) => {
      const owner = getOwner();
      const columns = { organization_id: 'text', id: 'text' } as const;
      const rows = events.map(({ organizationId, id }) => ({
        organization_id: organizationId ?? globalTenantId,
        id,
      }));
      return owner.transaction(undefined, (transaction) =>
        transaction.execute(
          `DELETE FROM audit_event WHERE (organization_id, id) IN (
            SELECT organization_id, id FROM ${owner.recordset('exported', '$1', columns)})`,
          [JSON.stringify(rows)],
        ),
      );
    },

    assertAuditLogPrunable: async () => {
      await getOwner().query('SELECT 1');
    },

    pruneImportRuns: (before, after) =>
      engine.transaction(undefined, async (transaction) => {
        const runs = await transaction.query<RunRow>(selectRuns, [
          before,
          maxRuns,
          after?.at ?? '',
          after?.id ?? '',
        ]);
        const surplus = runs.filter(({ isSurplus }) => Boolean(isSurplus));
        for (const { organizationId, id } of surplus)
          await transaction.execute('DELETE FROM import_run WHERE organization_id = $1 AND id = $2', [
            organizationId,
            id,
          ]);
        const last = runs.length < maxRuns ? undefined : runs.at(-1);
        return { deleted: surplus.length, next: last && { at: last.at, id: last.id } };
      }),

    pruneKeys: async (before) => {
      const keys = await engine.query<KeyRow>(
        `SELECT organization_id AS "organizationId", id FROM api_key WHERE ${isInactiveSince} LIMIT $2`,
        [before, maxKeys],
      );
      // On SQLite, they are in another file. Without its key, nothing would find them again.
      for (const table of ['rate_window', 'rejected_request'])
        for (const { organizationId, id } of keys)
          await engine.execute(`DELETE FROM ${table} WHERE organization_id = $1 AND key_id = $2`, [
            organizationId,
            id,
          ]);
      if (keys.length === 0) return 0;
      return engine.transaction(undefined, async (transaction) => {
        let deleted = 0;
        for (const { organizationId, id } of keys) {
          await transaction.execute(
            'UPDATE api_key SET predecessor_id = NULL WHERE organization_id = $1 AND predecessor_id = $2',
            [organizationId, id],
          );
          // It may be valid again: its expiry can be edited.
          deleted += await transaction.execute(
            `DELETE FROM api_key WHERE ${isInactiveSince} AND organization_id = $2 AND id = $3`,
            [before, organizationId, id],
          );
        }
        return deleted;
      });
    },

    addChangeCheckpoints: async (since) => {
      const organizations = await engine.query<{ id: string }>('SELECT id FROM organization ORDER BY id');
      const histories = await engine.queryForEachTenant(
        `SELECT organization_id AS id, change_sequence AS sequence FROM change_history
        WHERE organization_id = $1 AND change_sequence > 0`,
        organizations.map(({ id }) => id),
        [],
      );
      const columns = { id: 'text', sequence: 'integer' } as const;
      await engine.transaction({ purpose: 'pruning' }, async (transaction) => {
        // A municipality may have been removed since. On Citus, histories and checkpoints are on different nodes.
        await transaction.execute(
          `INSERT INTO change_checkpoint (organization_id, at, sequence)
          SELECT id, $1, sequence FROM ${engine.recordset('history', '$3', columns)}
          WHERE id IN (SELECT id FROM organization) AND NOT EXISTS (
            SELECT 1 FROM change_checkpoint AS latest WHERE latest.organization_id = history.id
              AND (latest.at > $2 OR latest.sequence = history.sequence))`,
          [await readTimestamp(transaction), since, JSON.stringify(histories)],
        );
      });
    },

    listPrunableHistories: (before) => listPrunableHistories(engine, before),

    pruneTombstones: (history, after) =>
      engine.transaction(history.organizationId, async (transaction) => {
        const { removed, next } = await examineChanges(transaction, history, after);
        const last = removed.at(-1);
        if (last !== undefined) {
          await transaction.execute(
            `DELETE FROM change WHERE organization_id = $1 AND sequence IN (
              SELECT sequence FROM ${engine.recordset('removed', '$2', { sequence: 'integer' })})`,
            [history.organizationId, JSON.stringify(removed.map((sequence) => ({ sequence })))],
          );
          await transaction.execute(
            'UPDATE change_history SET pruned_sequence = $2 WHERE organization_id = $1 AND pruned_sequence < $2',
            [history.organizationId, last],
          );
        }
        return { deleted: removed.length, next };
      }),

    deleteChangeCheckpoints: async (organizationId, before) => {
      await engine.tenantExecute('DELETE FROM change_checkpoint WHERE organization_id = $1 AND at < $2', [
        organizationId,
        before,
      ]);
    },
  };
}

const isInactiveSince = '(revoked_at < $1 OR expires_at < $1)';

interface KeyRow {
  organizationId: string;
  id: string;
}

interface RunRow extends KeyRow {
  at: string;
  isSurplus: boolean | number;
}

/**
 * The last run of each source stays, and the last one that succeeded. A source without a definition is named by its
 * address.
 */
const isSurplusRun = `
  run.outcome IS NOT NULL AND (run.ended_at IS NOT NULL OR run.heartbeat_at < $1)
  AND EXISTS (SELECT 1 FROM import_run AS later
    WHERE later.organization_id = run.organization_id AND later.started_at >= run.started_at AND later.id <> run.id
      AND (later.source_id = run.source_id
        OR (later.source_id IS NULL AND run.source_id IS NULL AND later.sources = run.sources))
      AND (later.started_at > run.started_at OR later.id > run.id)
      AND (later.outcome = 'done' OR run.outcome <> 'done'))
  AND NOT EXISTS (SELECT 1 FROM import_source AS source
    WHERE source.organization_id = run.organization_id AND source.last_run_id = run.id)`;

/** The oldest runs after a position. Parameters: time, limit, position. */
const selectRuns = `
  SELECT run.organization_id AS "organizationId", run.id, run.started_at AS at, (${isSurplusRun}) AS "isSurplus"
  FROM import_run AS run
  WHERE run.started_at < $1 AND run.started_at >= $3 AND (run.started_at > $3 OR run.id < $4)
  ORDER BY run.started_at, run.id DESC LIMIT $2`;

const countStatements = {
  auditLog: "SELECT count(*) AS count FROM audit_event WHERE at > '0001' AND at < $1",
  importHistory: `SELECT count(*) AS count FROM import_run AS run WHERE run.started_at < $1 AND ${isSurplusRun}`,
  revokedKeys: `SELECT count(*) AS count FROM api_key WHERE ${isInactiveSince}`,
} satisfies Partial<Record<PrunedKind, string>>;

/** Parameters: time, limit, and with `isContinued` the position. */
const selectAuditEvents = (isContinued: boolean) => `
  SELECT organization_id AS "organizationId", id, at, actor, address, action, subject,
    subject_kind AS "subjectKind", subject_id AS "subjectId", changes
  FROM audit_event
  WHERE at > '0001' AND at < $1 ${isContinued ? 'AND at >= $3 AND (at > $3 OR id < $4)' : ''}
  ORDER BY at, id DESC LIMIT $2`;

const listPrunableHistories = (engine: Engine, before: string) =>
  engine.queryAcrossTenants<PrunableHistory>(
    'pruning',
    `SELECT organization_id AS "organizationId", max(sequence) AS sequence FROM change_checkpoint
    WHERE at < $1 GROUP BY organization_id ORDER BY organization_id`,
    [before],
  );

interface ExaminedChanges {
  /** Numbers of removals, ascending. */
  removed: number[];
  next: number | undefined;
}

const exists = (kind: string) =>
  `WHEN '${kind}' THEN EXISTS (SELECT 1 FROM ${kind} WHERE ${kind}.organization_id = $1 AND ${kind}.id = change.id)`;

/** The latest change stays in any case, because it shows that a walk is complete. Drafts count as present. */
const selectChanges = `
  SELECT sequence, CASE kind ${recordKinds.map(exists).join(' ')} END AS "isPresent"
  FROM change WHERE organization_id = $1 AND sequence > $2 AND sequence <= $3
    AND sequence < (SELECT change_sequence FROM change_history WHERE organization_id = $1)
  ORDER BY sequence LIMIT ${maxExaminedRows}`;

async function examineChanges(
  transaction: Queryable,
  { organizationId, sequence }: PrunableHistory,
  after: number,
): Promise<ExaminedChanges> {
  const changes = await transaction.query<{ sequence: number; isPresent: boolean | number | null }>(
    selectChanges,
    [organizationId, after, sequence],
  );
  return {
    removed: changes.flatMap((change) => (change.isPresent ? [] : [Number(change.sequence)])),
    next: changes.length < maxExaminedRows ? undefined : Number(changes.at(-1)?.sequence),
  };
}
