import { randomUUID } from 'node:crypto';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type {
  MirroredObject,
  SyncLease,
  SyncStatus,
  SyncStore,
  SyncSummary,
} from '../../domain/sync-state.ts';
import type { Engine, Queryable } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';

/** A lease without a heartbeat in this time is free. */
export const leaseTimeoutMs = 60_000;

const batchSize = 500;

/** Endpoints per statement of a list. */
const listBatchSize = 250;

type AcquiredRow = Pick<SyncLease, 'id' | 'since' | 'startedAt'> & { validators: string };

type ListedSync = Omit<SyncStatus, 'counts' | 'body'> & { body: string; counts: string | null };

export function createSyncStore(engine: Engine): SyncStore {
  const formatTimestamp = (ms: number) => new Date(ms).toISOString();
  return {
    listSyncs: async (organizationId) => {
      const rows = await engine.query<ListedSync>(composeListQuery(organizationId !== undefined), [
        (await engine.now()) - leaseTimeoutMs,
        ...(organizationId === undefined ? [] : [organizationId]),
      ]);
      return rows.map(({ body, counts, ...row }) => ({
        ...row,
        body: body === '' ? null : body,
        counts: counts === null ? null : JSON.parse(counts),
      }));
    },

    listSyncsInSteps: async () => {
      const heartbeatSince = (await engine.now()) - leaseTimeoutMs;
      const syncs: SyncSummary[] = [];
      for (let last = { organizationId: '', id: '' }; ; ) {
        await nextEventLoopTurn();
        const parameters = [heartbeatSince, last.organizationId, last.id];
        const rows = await engine.query<SyncSummary & { body: string }>(selectSyncBatch, parameters);
        syncs.push(...rows.map((row) => ({ ...row, body: row.body === '' ? null : row.body })));
        if (rows.length < listBatchSize) return syncs;
        last = rows.at(-1) ?? last;
      }
    },

    removeSync: async ({ organizationId, url, body = '' }) => {
      const source = [organizationId, url, body];
      const sourceRow = 'sync_state WHERE organization_id = $1 AND url = $2 AND body = $3';
      const removed = await engine.execute(
        `DELETE FROM ${sourceRow} AND (lease_token IS NULL OR heartbeat_at_ms < $4)`,
        [...source, (await engine.now()) - leaseTimeoutMs],
      );
      if (removed > 0) return true;
      if ((await engine.query(`SELECT 1 FROM ${sourceRow}`, source)).length === 0) return false;
      throw new StoreConflictError(`${url} is being fetched. Stop that run first.`);
    },

    acquireSyncLease: async ({ organizationId, url, body = '' }) => {
      const nowMs = await engine.now();
      const startedAt = formatTimestamp(nowMs);
      const leaseToken = randomUUID();
      const acquired = await engine.execute(acquireQuery, [
        organizationId,
        randomUUID(),
        url,
        body,
        startedAt,
        nowMs,
        leaseToken,
        nowMs - leaseTimeoutMs,
      ]);
      const [row] = await engine.query<AcquiredRow>(
        `SELECT id, since, validators, started_at AS "startedAt" FROM sync_state
        WHERE organization_id = $1 AND url = $2 AND body = $3`,
        [organizationId, url, body],
      );
      if (row === undefined) throw new StoreConflictError('The municipality was removed.');
      if (acquired === 0) {
        throw new StoreConflictError(
          `Another run has been fetching ${url} since ${row.startedAt}. Wait until it ends. If it was killed, a new run can start after one minute.`,
        );
      }
      const { id, since, validators } = row;
      return { organizationId, id, leaseToken, startedAt, since, validators: JSON.parse(validators) };
    },

    renewSyncLease: (lease) => assertLease(engine, lease),

    releaseSyncLease: async ({ organizationId, id, leaseToken }, end) => {
      const now = formatTimestamp(await engine.now());
      const [changes, values] =
        'error' in end
          ? [
              'failing_since = coalesce(failing_since, $4), failed_at = $4, next_at = $5, error = $6',
              // Truncation may split a surrogate pair.
              [now, end.nextAt, end.error.slice(0, 2_000).toWellFormed()],
            ]
          : [
              'completed_at = $4, next_at = $5, since = $6, validators = $7, counts = $8, error = NULL, failed_at = NULL, failing_since = NULL',
              [now, end.nextAt, end.since, JSON.stringify(end.validators), JSON.stringify(end.counts)],
            ];
      const ended = await engine.execute(
        `UPDATE sync_state SET ${changes}, lease_token = NULL, heartbeat_at_ms = NULL, started_at = NULL
        WHERE organization_id = $1 AND id = $2 AND lease_token = $3`,
        [organizationId, id, leaseToken, ...values],
      );
      if (ended === 0) throw createLeaseLostError();
    },

    readMirror: async function* ({ organizationId, id }) {
      for (let after = ''; ; ) {
        const rows = await engine.query<MirroredObject>(
          `SELECT id, object FROM sync_object
          WHERE organization_id = $1 AND sync_id = $2 AND id > $3 ORDER BY id LIMIT ${batchSize}`,
          [organizationId, id, after],
        );
        yield* rows;
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
      }
    },

    updateMirror: (lease, objects) =>
      engine.transaction(lease.organizationId, async (transaction) => {
        let written = 0;
        for await (const batch of toBatches(objects))
          written += await upsertObjects(engine, transaction, lease.organizationId, lease.id, batch);
        await assertLease(transaction, lease);
        return written;
      }),
  };
}

/** Also a heartbeat. At the end of a transaction it detects a lease that was lost since. @throws StoreConflictError */
export async function assertLease(
  statements: Queryable,
  { organizationId, id, leaseToken }: SyncLease,
): Promise<void> {
  const renewed = await statements.execute(
    'UPDATE sync_state SET heartbeat_at_ms = $4 WHERE organization_id = $1 AND id = $2 AND lease_token = $3',
    [organizationId, id, leaseToken, await statements.now()],
  );
  if (renewed === 0) throw createLeaseLostError();
}

const createLeaseLostError = () =>
  new StoreConflictError(
    `This run lost its lease: it sent no heartbeat for ${leaseTimeoutMs / 1_000} seconds and another run started, or the endpoint or its municipality was removed.`,
  );

/** Batches with unique ids: one statement cannot write a row twice. */
async function* toBatches(objects: AsyncIterable<MirroredObject>): AsyncGenerator<MirroredObject[]> {
  let batch = new Map<string, MirroredObject>();
  for await (const object of objects) {
    batch.set(object.id, object);
    if (batch.size < batchSize) continue;
    yield [...batch.values()];
    batch = new Map();
  }
  if (batch.size > 0) yield [...batch.values()];
}

function upsertObjects(
  { recordset }: Engine,
  transaction: Queryable,
  organizationId: string,
  id: string,
  batch: readonly MirroredObject[],
): Promise<number> {
  return transaction.execute(
    `INSERT INTO sync_object (organization_id, sync_id, id, object)
    SELECT $1, $2, id, object FROM ${recordset('incoming', '$3', { id: 'text', object: 'text' })} WHERE true
    ON CONFLICT (organization_id, sync_id, id) DO UPDATE SET object = excluded.object
    WHERE sync_object.object <> excluded.object`,
    [organizationId, id, JSON.stringify(batch)],
  );
}

const summaryColumns = `
  sync_state.id, organization_id AS "organizationId", name AS "organizationName", url, body,
  CASE WHEN heartbeat_at_ms > $1 THEN started_at END AS "runningSince", completed_at AS "completedAt",
  next_at AS "nextAt", failed_at AS "failedAt", error`;

export const selectSyncBatch = `
  SELECT ${summaryColumns} FROM sync_state JOIN organization ON organization.id = organization_id
  WHERE (organization_id, sync_state.id) > ($2, $3) ORDER BY organization_id, sync_state.id LIMIT ${listBatchSize}`;

const composeListQuery = (hasOrganization: boolean) => `
  SELECT ${summaryColumns}, counts
  FROM sync_state JOIN organization ON organization.id = organization_id
  ${hasOrganization ? 'WHERE organization_id = $2' : ''}
  ORDER BY name, url, body`;

const acquireQuery = `
  INSERT INTO sync_state (organization_id, id, url, body, started_at, heartbeat_at_ms, lease_token, validators)
  SELECT id, $2, $3, $4, $5, CAST($6 AS bigint), $7, '{}' FROM organization WHERE id = $1
  ON CONFLICT (organization_id, url, body) DO UPDATE
  SET started_at = excluded.started_at, heartbeat_at_ms = excluded.heartbeat_at_ms, lease_token = excluded.lease_token
  WHERE sync_state.lease_token IS NULL OR sync_state.heartbeat_at_ms < $8`;
