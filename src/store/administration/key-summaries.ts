import { setImmediate } from 'node:timers/promises';
import { getKeyState, type KeyRecord, type KeySummary } from '../../domain/key-record.ts';
import type { Engine } from '../engine.ts';

/** Keys per statement: a municipality with thousands of keys must not hold up other requests. */
const batchSize = 500;

const selectBatch = `
  SELECT api_key.id, api_key.prefix, api_key.name, api_key.created_at AS "createdAt", api_key.expires_at AS "expiresAt",
    api_key.revoked_at AS "revokedAt", successor.id AS "successorId", rate_window.last_used_at_ms AS "lastUsedAtMs"
  FROM api_key
  LEFT JOIN api_key AS successor
    ON successor.organization_id = api_key.organization_id AND successor.predecessor_id = api_key.id
  LEFT JOIN rate_window ON rate_window.organization_id = api_key.organization_id AND rate_window.key_id = api_key.id
  WHERE api_key.organization_id = $1 AND api_key.id > $2 ORDER BY api_key.id LIMIT ${batchSize}`;

type SummaryRow = Omit<KeySummary, 'state' | 'lastUsedAt'> &
  Pick<KeyRecord, 'revokedAt'> & { lastUsedAtMs: number | null };

export async function listKeySummaries(engine: Engine, organizationId: string): Promise<KeySummary[]> {
  const nowMs = await engine.now();
  const summaries: KeySummary[] = [];
  for (let after = ''; ; ) {
    const rows = await engine.query<SummaryRow>(selectBatch, [organizationId, after]);
    for (const { revokedAt, lastUsedAtMs, ...row } of rows) {
      summaries.push({
        ...row,
        state: getKeyState({ revokedAt, expiresAt: row.expiresAt }, nowMs),
        lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
      });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return summaries;
    after = last.id;
    await setImmediate();
  }
}
