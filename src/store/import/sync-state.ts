/** What is known of endpoints, in SQL. */
import { randomUUID } from 'node:crypto';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { MirroredObject, SyncLease, SyncStatus, SyncStore } from '../../domain/sync-state.ts';
import type { Engine, Queryable } from '../engine.ts';

/** A run that has not shown for so long that it lives was killed. */
const leaseTimeoutMs = 60_000;

const batchSize = 500;

type ListedSync = Omit<SyncStatus, 'counts' | 'body'> & { body: string; counts: string | null };

export function createSyncStore(engine: Engine): SyncStore {
  const timestamp = (ms: number) => new Date(ms).toISOString();
  return {
    listSyncs: async (organizationId) => {
      const rows = await engine.query<ListedSync>(listQuery(organizationId !== undefined), [
        (await engine.now()) - leaseTimeoutMs,
        ...(organizationId === undefined ? [] : [organizationId]),
      ]);
      return rows.map(({ body, counts, ...row }) => ({
        ...row,
        body: body === '' ? null : body,
        counts: counts === null ? null : JSON.parse(counts),
      }));
    },

    removeSync: async ({ organizationId, url, body = '' }) => {
      const source = [organizationId, url, body];
      const ofSource = 'sync_state WHERE organization_id = $1 AND url = $2 AND body = $3';
      const removed = await engine.execute(
        `DELETE FROM ${ofSource} AND (lease_token IS NULL OR heartbeat_at_ms < $4)`,
        [...source, (await engine.now()) - leaseTimeoutMs],
      );
      if (removed > 0) return true;
      if ((await engine.query(`SELECT 1 FROM ${ofSource}`, source)).length === 0) return false;
      throw new StoreConflictError(`${url} is being fetched. Stop that run first.`);
    },

    acquireSyncLease: async ({ organizationId, url, body = '' }) => {
      const nowMs = await engine.now();
      const startedAt = timestamp(nowMs);
      const leaseToken = randomUUID();
      const begun = await engine.execute(acquireQuery, [
        organizationId,
        randomUUID(),
        url,
        body,
        startedAt,
        nowMs,
        leaseToken,
        nowMs - leaseTimeoutMs,
      ]);
      const [row] = await engine.query<{
        id: string;
        since: string | null;
        validators: string;
        startedAt: string;
      }>(
        `SELECT id, since, validators, started_at AS "startedAt" FROM sync_state
        WHERE organization_id = $1 AND url = $2 AND body = $3`,
        [organizationId, url, body],
      );
      if (row === undefined) throw new StoreConflictError('The organization was removed.');
      if (begun === 0) {
        throw new StoreConflictError(
          `Another run is fetching ${url} since ${row.startedAt}. Wait for its end; if it was killed, another can begin a minute after.`,
        );
      }
      const { id, since, validators } = row;
      return { organizationId, id, leaseToken, startedAt, since, validators: JSON.parse(validators) };
    },

    renewSyncLease: (held) => assertLease(engine, held),

    releaseSyncLease: async ({ organizationId, id, leaseToken }, end) => {
      const now = timestamp(await engine.now());
      const [changes, values] =
        'error' in end
          ? [
              'failed_at = $4, next_at = $5, error = $6',
              // A text with half a character at its end could not be stored.
              [now, end.nextAt, end.error.slice(0, 2_000).toWellFormed()],
            ]
          : [
              'completed_at = $4, next_at = $5, since = $6, validators = $7, counts = $8, error = NULL, failed_at = NULL',
              [now, end.nextAt, end.since, JSON.stringify(end.validators), JSON.stringify(end.counts)],
            ];
      const ended = await engine.execute(
        `UPDATE sync_state SET ${changes}, lease_token = NULL, heartbeat_at_ms = NULL, started_at = NULL
        WHERE organization_id = $1 AND id = $2 AND lease_token = $3`,
        [organizationId, id, leaseToken, ...values],
      );
      if (ended === 0) throw leaseLostError();
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

    updateMirror: (held, objects) =>
      engine.transaction(held.organizationId, async (inside) => {
        let written = 0;
        for await (const batch of toBatches(objects))
          written += await upsertObjects(engine, inside, held.organizationId, held.id, batch);
        await assertLease(inside, held);
        return written;
      }),
  };
}

/** At the end of a transaction it sees a run that began meanwhile. @throws StoreRefusal when the run has lost its place */
export async function assertLease(
  statements: Queryable,
  { organizationId, id, leaseToken }: SyncLease,
): Promise<void> {
  const kept = await statements.execute(
    'UPDATE sync_state SET heartbeat_at_ms = $4 WHERE organization_id = $1 AND id = $2 AND lease_token = $3',
    [organizationId, id, leaseToken, await statements.now()],
  );
  if (kept === 0) throw leaseLostError();
}

const leaseLostError = () =>
  new StoreConflictError(
    `Another run took the place of this one, which had not shown for ${leaseTimeoutMs / 1_000} seconds that it lives; or the endpoint or its organization was removed.`,
  );

/** No id twice in a batch, as no statement writes a row twice. */
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
  inside: Queryable,
  organizationId: string,
  id: string,
  batch: readonly MirroredObject[],
): Promise<number> {
  return inside.execute(
    `INSERT INTO sync_object (organization_id, sync_id, id, object)
    SELECT $1, $2, id, object FROM ${recordset('incoming', '$3', { id: 'text', object: 'text' })} WHERE true
    ON CONFLICT (organization_id, sync_id, id) DO UPDATE SET object = excluded.object
    WHERE sync_object.object <> excluded.object`,
    [organizationId, id, JSON.stringify(batch)],
  );
}

const listQuery = (ofOne: boolean) => `
  SELECT sync_state.id, organization_id AS "organizationId", name AS "organizationName", url, body,
    CASE WHEN heartbeat_at_ms > $1 THEN started_at END AS "runningSince", completed_at AS "completedAt",
    next_at AS "nextAt", failed_at AS "failedAt", error, counts
  FROM sync_state JOIN organization ON organization.id = organization_id
  ${ofOne ? 'WHERE organization_id = $2' : ''}
  ORDER BY name, url, body`;

const acquireQuery = `
  INSERT INTO sync_state (organization_id, id, url, body, started_at, heartbeat_at_ms, lease_token, validators)
  SELECT id, $2, $3, $4, $5, CAST($6 AS bigint), $7, '{}' FROM organization WHERE id = $1
  ON CONFLICT (organization_id, url, body) DO UPDATE
  SET started_at = excluded.started_at, heartbeat_at_ms = excluded.heartbeat_at_ms, lease_token = excluded.lease_token
  WHERE sync_state.lease_token IS NULL OR sync_state.heartbeat_at_ms < $8`;
