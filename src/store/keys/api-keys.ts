import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { toColumnName } from '../../contract/field.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import { type AuditAction, type FieldChange, listChanges } from '../../domain/accounts/audit-log.ts';
import { type KeyValues, keyFields } from '../../domain/keys/key-fields.ts';
import {
  getKeyState,
  type KeyChanges,
  type KeyEnd,
  type KeyState,
  type KeySummary,
  type NewKey,
  type StoredKey,
} from '../../domain/keys/stored-key.ts';
import type { ApiKeyStore } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, type Queryable, type Row, readTimestamp, type SqlValue } from '../engine.ts';
import { recordEvent } from '../installation/audit-log.ts';
import { createNameSearch } from '../organizations/name-search.ts';
import { assertOrganizationExists } from '../organizations/organizations.ts';
import { computeWindowStart } from '../rate-limit-window.ts';
import { insertRow, updateRow } from '../write-row.ts';

interface KeyRow extends Omit<StoredKey, 'state' | 'lastUsedAt' | 'usedInWindow' | 'windowEndsAt'> {
  lastUsedAtMs: number | null;
  windowStartMs: number | null;
  used: number | null;
}

/** The columns of the entered values. */
export const selectKeyValues = keyFields.names
  .map((field) => `api_key.${toColumnName(field)} AS "${field}"`)
  .join(', ');

/** @param table the keys to read: a table, or a common table expression */
const composeSelect = (table = 'api_key') => `
  SELECT api_key.id, api_key.organization_id AS "organizationId", organization.name AS "organizationName",
    api_key.prefix, ${selectKeyValues}, api_key.created_at AS "createdAt", api_key.created_by AS "createdBy",
    api_key.revoked_at AS "revokedAt", api_key.predecessor_id AS "predecessorId", successor.id AS "successorId",
    rate_window.last_used_at_ms AS "lastUsedAtMs", rate_window.window_start_ms AS "windowStartMs", rate_window.used
  FROM ${table} AS api_key
  JOIN organization ON organization.id = api_key.organization_id
  LEFT JOIN api_key AS successor
    ON successor.organization_id = api_key.organization_id AND successor.predecessor_id = api_key.id
  LEFT JOIN rate_window ON rate_window.organization_id = api_key.organization_id AND rate_window.key_id = api_key.id`;

const newestFirst = 'ORDER BY api_key.created_at DESC, api_key.id';

/** Issues, edits, rotates, revokes and lists API keys. The events of the audit log name `self` as the actor by default. */
export function createApiKeyStore(engine: Engine, rateWindowMs: number, self: Actor): ApiKeyStore {
  const select = async (condition: string, parameters: SqlValue[]): Promise<StoredKey[]> =>
    read(`${composeSelect()} ${condition} ${newestFirst}`, parameters, await engine.now());

  async function read(sql: string, parameters: SqlValue[], nowMs: number): Promise<StoredKey[]> {
    const rows = await engine.query<KeyRow>(sql, parameters);
    return rows.map(({ lastUsedAtMs, windowStartMs, used, ...key }) => {
      const currentStartMs = computeWindowStart(key.id, nowMs, rateWindowMs);
      const isCurrent = windowStartMs !== null && windowStartMs >= currentStartMs;
      return {
        ...key,
        state: getKeyState(key, nowMs),
        lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
        usedInWindow: isCurrent ? (used ?? 0) : 0,
        windowEndsAt: new Date((isCurrent ? windowStartMs : currentStartMs) + rateWindowMs).toISOString(),
      };
    });
  }

  /** @returns the id */
  async function insert(
    transaction: Queryable,
    key: NewKey,
    by: Actor,
    predecessorId: string | null = null,
  ): Promise<string> {
    const id = key.id ?? randomUUID();
    const present = 'SELECT 1 FROM api_key WHERE organization_id = $1 AND id = $2';
    if ((await transaction.query(present, [key.organizationId, id])).length > 0)
      throw new StoreConflictError('This key was already issued.');
    await assertOrganizationExists(transaction, key.organizationId);
    const row = toKeyRow(id, key, await readTimestamp(transaction), by);
    await insertRow(transaction, 'api_key', {
      ...row,
      secret_hash: key.secretHash,
      predecessor_id: predecessorId,
    });
    return id;
  }

  async function find(
    organizationId: string,
    column: string,
    value: SqlValue,
  ): Promise<StoredKey | undefined> {
    const condition = `WHERE api_key.organization_id = $1 AND api_key.${column} = $2`;
    const [found] = await select(condition, [organizationId, value]);
    return found;
  }

  async function findInserted(organizationId: string, id: string): Promise<StoredKey> {
    const found = await find(organizationId, 'id', id);
    if (found === undefined) throw new StoreConflictError({ code: 'organization-removed' });
    return found;
  }

  return {
    addKey: async (key, by = self) => {
      const id = await engine.transaction(undefined, async (transaction) => {
        const id = await insert(transaction, key, by);
        await recordKeyEvent(transaction, by, 'key.issued', { ...key, id });
        return id;
      });
      return findInserted(key.organizationId, id);
    },

    listKeys: (organizationId) =>
      organizationId === undefined
        ? select('', [])
        : select('WHERE api_key.organization_id = $1', [organizationId]),

    listKeySummaries: (organizationId) => listKeySummaries(engine, organizationId),

    findKeysById: async (organizationId, ids) => {
      if (ids.length === 0) return [];
      const placeholders = ids.map((_, index) => `$${index + 2}`).join(', ');
      const found = await select(`WHERE api_key.organization_id = $1 AND api_key.id IN (${placeholders})`, [
        organizationId,
        ...ids,
      ]);
      const byId = new Map(found.map((key) => [key.id, key]));
      return ids.map((id) => byId.get(id)).filter((key) => key !== undefined);
    },

    findKey: (organizationId, id) => find(organizationId, 'id', id),

    findKeyByHash: (organizationId, secretHash) => find(organizationId, 'secret_hash', secretHash),

    findKeys: (idOrPrefix) =>
      select('WHERE api_key.id = $1 OR api_key.prefix = $2', [idOrPrefix.toLowerCase(), idOrPrefix]),

    searchKeys: async ({ term, state, after, limit }) => {
      const nowMs = await engine.now();
      const parameters: SqlValue[] = [];
      const bind = (value: SqlValue) => `$${parameters.push(value)}`;
      const conditions = ['1 = 1'];
      if (state !== undefined) conditions.push(composeStateCondition(state, bind, nowMs));
      if (after !== undefined) {
        const at = bind(after.at);
        conditions.push(`created_at <= ${at} AND (created_at < ${at} OR id > ${bind(after.id)})`);
      }
      if (term !== '') {
        const { isIn, organizationIds } = createNameSearch(term, bind);
        const mayBePrefix = /^\w+$/.test(term);
        conditions.push(
          `(${isIn('name')} ${mayBePrefix ? `OR ${isIn('prefix')}` : ''} OR organization_id IN (${organizationIds}))`,
        );
      }
      // The other tables are read for the keys of the page only.
      const page = `SELECT * FROM api_key WHERE ${conditions.join(' AND ')}
        ORDER BY created_at DESC, id LIMIT ${bind(limit)}`;
      const sql = `WITH page AS MATERIALIZED (${page}) ${composeSelect('page')} ${newestFirst}`;
      return read(sql, parameters, nowMs);
    },

    editKey: async ({ organizationId, id }, changes, by = self) => {
      await engine.transaction(undefined, async (transaction) => {
        const [current] = await transaction.query<KeyValues & KeyName & KeyEnd>(
          `SELECT prefix, revoked_at AS "revokedAt", ${selectKeyValues}
          FROM api_key WHERE organization_id = $1 AND id = $2`,
          [organizationId, id],
        );
        if (current === undefined || current.revokedAt !== null)
          throw new StoreConflictError('The key was revoked or removed in the meantime.');
        const edits = listChanges(current, { ...current, ...changes });
        if (edits.length === 0) return;
        const columns = edits.map(({ field }) => [
          toColumnName(field),
          changes[field as keyof KeyChanges] as SqlValue,
        ]);
        const key = { organization_id: organizationId, id };
        await updateRow(transaction, 'api_key', key, Object.fromEntries(columns));
        await recordKeyEvent(transaction, by, 'key.edited', { organizationId, id, ...current }, edits);
      });
      return findInserted(organizationId, id);
    },

    revokeKey: ({ organizationId, id }, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const [revoked] = await transaction.query<KeyName>(
          `UPDATE api_key SET revoked_at = $3 WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL
          RETURNING name, prefix`,
          [organizationId, id, await readTimestamp(transaction)],
        );
        if (revoked === undefined) return false;
        await recordKeyEvent(transaction, by, 'key.revoked', { organizationId, id, ...revoked });
        return true;
      }),

    rotateKey: async ({ organizationId, id }, successor, validUntil, by = self) => {
      const successorId = await engine.transaction(undefined, async (transaction) => {
        const [current] = await transaction.query<KeyEnd & KeyName>(
          `SELECT name, prefix, revoked_at AS "revokedAt", expires_at AS "expiresAt" FROM api_key
          WHERE organization_id = $1 AND id = $2`,
          [organizationId, id],
        );
        const [replacement] = await transaction.query<KeyName>(
          'SELECT name, prefix FROM api_key WHERE organization_id = $1 AND predecessor_id = $2',
          [organizationId, id],
        );
        if (replacement !== undefined)
          throw new StoreConflictError(`The key was already replaced by ${describeKey(replacement)}.`);
        if (current === undefined || getKeyState(current, await transaction.now()) !== 'active')
          throw new StoreConflictError('The key was revoked or has expired in the meantime.');
        await transaction.execute(
          `UPDATE api_key SET expires_at = $3
          WHERE organization_id = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $3)`,
          [organizationId, id, validUntil],
        );
        const inserted = await insert(transaction, successor, by, id);
        const subject = `${describeKey(current)} → ${successor.prefix}`;
        await recordEvent(transaction, by, 'key.rotated', organizationId, subject, { kind: 'key', id });
        return inserted;
      });
      return findInserted(organizationId, successorId);
    },
  };
}

/** As `getKeyState`. */
function composeStateCondition(state: KeyState, bind: (value: SqlValue) => string, nowMs: number): string {
  if (state === 'revoked') return 'revoked_at IS NOT NULL';
  const now = bind(new Date(nowMs).toISOString());
  const isExpired = `expires_at <= ${now}`;
  return `revoked_at IS NULL AND ${state === 'expired' ? isExpired : `(expires_at IS NULL OR NOT ${isExpired})`}`;
}

type KeyName = Pick<StoredKey, 'name' | 'prefix'>;

/** Subject of audit events. */
export const describeKey = ({ name, prefix }: KeyName) => `${name} (${prefix})`;

const recordKeyEvent = (
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  key: KeyName & Pick<StoredKey, 'organizationId' | 'id'>,
  changes: FieldChange[] = [],
) =>
  recordEvent(transaction, by, action, key.organizationId, describeKey(key), {
    kind: 'key',
    id: key.id,
    changes,
  });

/** A row of `api_key` without the hash of the secret. */
export const toKeyRow = (
  id: string,
  key: Omit<NewKey, 'id' | 'secretHash'>,
  createdAt: string,
  by: Actor,
): Row => ({
  organization_id: key.organizationId,
  id,
  prefix: key.prefix,
  created_at: createdAt,
  created_by: by.name,
  ...Object.fromEntries(keyFields.names.map((field) => [toColumnName(field), key[field] ?? null])),
});

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
  Pick<StoredKey, 'revokedAt'> & { lastUsedAtMs: number | null };

async function listKeySummaries(engine: Engine, organizationId: string): Promise<KeySummary[]> {
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
