import { randomBytes, randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type { KeyRecord, KeyState, NewKey } from '../../domain/key-record.ts';
import { windowStart } from '../../domain/rate-limit-window.ts';
import type { AccessStore, ApiKeyStore } from '../../domain/store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable, Value } from '../engine.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import { recordEvent } from './audit-log.ts';

interface KeyRow extends Omit<KeyRecord, 'state' | 'lastUsedAt' | 'usedInWindow'> {
  lastUsedAtMs: number | null;
  windowStartMs: number | null;
  used: number | null;
}

const selectKeys = `
  SELECT api_key.id, api_key.organization_id AS "organizationId", organization.name AS "organizationName",
    api_key.prefix, api_key.name, api_key.request_limit AS "requestLimit", api_key.created_at AS "createdAt",
    api_key.created_by AS "createdBy", api_key.expires_at AS "expiresAt", api_key.revoked_at AS "revokedAt",
    rate_window.last_used_at_ms AS "lastUsedAtMs", rate_window.window_start_ms AS "windowStartMs", rate_window.used
  FROM api_key
  JOIN organization ON organization.id = api_key.organization_id
  LEFT JOIN rate_window ON rate_window.organization_id = api_key.organization_id AND rate_window.key_id = api_key.id`;

const newestFirst = 'ORDER BY api_key.created_at DESC, api_key.id';

const insertKey = `
  INSERT INTO api_key (organization_id, id, secret_hash, prefix, name, request_limit, created_at, expires_at, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export function createApiKeyStore(engine: Engine, rateWindowMs: number, self: Actor): ApiKeyStore {
  async function select(condition: string, parameters: Value[]): Promise<KeyRecord[]> {
    const nowMs = await engine.now();
    const rows = await engine.query<KeyRow>(`${selectKeys} ${condition} ${newestFirst}`, parameters);
    return rows.map(({ lastUsedAtMs, windowStartMs, used, ...key }) => ({
      ...key,
      state: keyState(key, nowMs),
      lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
      usedInWindow:
        windowStartMs !== null && windowStartMs >= windowStart(key.id, nowMs, rateWindowMs) ? (used ?? 0) : 0,
    }));
  }

  /** @returns the id */
  async function insert(inside: Queryable, key: NewKey, by: Actor): Promise<string> {
    const id = key.id ?? randomUUID();
    const [present] = await inside.query('SELECT 1 FROM api_key WHERE organization_id = $1 AND id = $2', [
      key.organizationId,
      id,
    ]);
    if (present !== undefined) throw new StoreConflictError('The key has been issued already.');
    const [organization] = await inside.query('SELECT 1 FROM organization WHERE id = $1', [
      key.organizationId,
    ]);
    if (organization === undefined) throw new StoreConflictError('The municipality was removed meanwhile.');
    await inside.execute(insertKey, [
      key.organizationId,
      id,
      key.secretHash,
      key.prefix,
      key.name,
      key.requestLimit ?? null,
      new Date(await inside.now()).toISOString(),
      key.expiresAt ?? null,
      by.name,
    ]);
    return id;
  }

  async function find(organizationId: string, id: string): Promise<KeyRecord | undefined> {
    const [found] = await select('WHERE api_key.organization_id = $1 AND api_key.id = $2', [
      organizationId,
      id,
    ]);
    return found;
  }

  async function inserted(organizationId: string, id: string): Promise<KeyRecord> {
    const found = await find(organizationId, id);
    if (found === undefined) throw new StoreConflictError('The municipality was removed meanwhile.');
    return found;
  }

  return {
    addKey: async (key, by = self) => {
      const id = await engine.transaction(undefined, async (inside) => {
        const id = await insert(inside, key, by);
        await recordEvent(inside, by, 'key.issued', key.organizationId, describeKey(key));
        return id;
      });
      return inserted(key.organizationId, id);
    },

    listKeys: (organizationId) =>
      organizationId === undefined
        ? select('', [])
        : select('WHERE api_key.organization_id = $1', [organizationId]),

    findKey: find,

    findKeyByHash: async (organizationId, secretHash) => {
      const [found] = await select('WHERE api_key.organization_id = $1 AND api_key.secret_hash = $2', [
        organizationId,
        secretHash,
      ]);
      return found;
    },

    findKeys: (idOrPrefix) =>
      select('WHERE api_key.id = $1 OR api_key.prefix = $2', [idOrPrefix.toLowerCase(), idOrPrefix]),

    revokeKey: ({ organizationId, id }, by = self) =>
      engine.transaction(undefined, async (inside) => {
        const revokedAt = new Date(await inside.now()).toISOString();
        const [revoked] = await inside.query<KeyName>(
          `UPDATE api_key SET revoked_at = $3 WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL
          RETURNING name, prefix`,
          [organizationId, id, revokedAt],
        );
        if (revoked === undefined) return false;
        await recordEvent(inside, by, 'key.revoked', organizationId, describeKey(revoked));
        return true;
      }),

    rotateKey: async ({ organizationId, id }, successor, validUntil, by = self) => {
      const successorId = await engine.transaction(undefined, async (inside) => {
        const [current] = await inside.query<KeyEnd & KeyName>(
          `SELECT name, prefix, revoked_at AS "revokedAt", expires_at AS "expiresAt" FROM api_key
          WHERE organization_id = $1 AND id = $2`,
          [organizationId, id],
        );
        if (current === undefined || keyState(current, await inside.now()) !== 'active')
          throw new StoreConflictError('The key was revoked or has expired meanwhile.');
        await inside.execute(
          `UPDATE api_key SET expires_at = $3
          WHERE organization_id = $1 AND id = $2 AND (expires_at IS NULL OR expires_at > $3)`,
          [organizationId, id, validUntil],
        );
        const inserted = await insert(inside, successor, by);
        const both = `${describeKey(current)} → ${successor.prefix}`;
        await recordEvent(inside, by, 'key.rotated', organizationId, both);
        return inserted;
      });
      return inserted(organizationId, successorId);
    },
  };
}

type KeyName = Pick<KeyRecord, 'name' | 'prefix'>;

/** As the audit log names a key. */
const describeKey = ({ name, prefix }: KeyName) => `${name} (${prefix})`;

type KeyEnd = Pick<KeyRecord, 'revokedAt' | 'expiresAt'>;

function keyState({ revokedAt, expiresAt }: KeyEnd, nowMs: number): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'active';
}

export function createCursorSecretRotation(engine: Engine): Pick<AccessStore, 'rotateCursorSecret'> {
  return {
    rotateCursorSecret: () => engine.transaction(undefined, addSecret),
  };
}

/** A database has a secret before its first list is asked for: a request must not have to write one. */
export async function ensureCursorSecret(engine: Engine): Promise<void> {
  if ((await engine.query(selectCursorSecrets)).length > 0) return;
  await engine.transaction(undefined, async (inside) => {
    if ((await inside.query(selectCursorSecrets)).length === 0) await addSecret(inside);
  });
}

async function addSecret(inside: Queryable): Promise<void> {
  const [latest] = await inside.query<{ generation: number }>(selectCursorSecrets);
  const generation = (latest?.generation ?? 0) + 1;
  await inside.execute('INSERT INTO cursor_secret (generation, secret, created_at) VALUES ($1, $2, $3)', [
    generation,
    randomBytes(32),
    new Date(await inside.now()).toISOString(),
  ]);
  await inside.execute('DELETE FROM cursor_secret WHERE generation < $1', [generation - 1]);
}
