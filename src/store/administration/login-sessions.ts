import { randomBytes, randomUUID } from 'node:crypto';
import type {
  Actor,
  AttemptLimitStore,
  AuditAction,
  LoginSession,
  LoginSessionStore,
} from '../../domain/administration.ts';
import { StoreUnavailableError } from '../../domain/store.ts';
import type { Engine, Statements } from '../engine.ts';
import {
  type AdministratorRow,
  administratorColumns,
  administratorOf,
  fromAdministrators,
  withOrganization,
} from './administrators.ts';
import { recordEvent } from './audit-log.ts';

interface SignInRow extends AdministratorRow {
  id: string;
  awaitsCode: number;
  createdMs: number;
  lastSeenMs: number;
  confirmedMs: number;
  address: string;
  browser: string;
}

const selectSignIns = `
  SELECT sign_in.id, awaits_code AS "awaitsCode", created_ms AS "createdMs", last_seen_ms AS "lastSeenMs",
    confirmed_ms AS "confirmedMs", address, browser, ${administratorColumns}
  ${fromAdministrators} JOIN sign_in ON sign_in.administrator_id = administrator.id`;

/** A sign-in that began so much later than now was begun by a clock that was wrong: it would outlive its bounds. */
const aheadMs = 5 * 60_000;

/** $2 now, $3 longest idle time, $4 longest time in all. */
const goesOn = `last_seen_ms + $3 > $2 AND created_ms + $4 > $2 AND created_ms <= $2 + ${aheadMs}`;

/** A sign-in is marked as used at most so often. */
const seenEveryMs = 60_000;

/** A secret that was not displayed within this time is lost; the key can be rotated. */
const keyRevealTimeoutMs = 60 * 60_000;

/** Behind a proxy a browser's own name may be as long as a header; what tells browsers apart stands in front. */
const maximumTextLength = 254;

export function signIns(engine: Engine): LoginSessionStore {
  async function markSeen(id: string, nowMs: number): Promise<void> {
    try {
      await engine.change('UPDATE sign_in SET last_seen_ms = $2 WHERE id = $1', [id, nowMs]);
    } catch (error) {
      // While an import writes, nobody shall be kept from reading.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  return {
    createLoginSession: (
      { administratorId, tokenHash, pendingSecondFactor, reauthenticatedAtMs, address, browser },
      bounds,
    ) =>
      engine.transaction(undefined, async (inside) => {
        const nowMs = await inside.now();
        await inside.change(`DELETE FROM sign_in WHERE administrator_id = $1 AND NOT (${goesOn})`, [
          administratorId,
          nowMs,
          bounds.idleMs,
          bounds.maxAgeMs,
        ]);
        await inside.change(
          `INSERT INTO sign_in
            (token_hash, id, administrator_id, awaits_code, created_ms, last_seen_ms, confirmed_ms, address, browser)
          VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)`,
          [
            tokenHash,
            randomUUID(),
            administratorId,
            pendingSecondFactor ? 1 : 0,
            nowMs,
            Math.min(reauthenticatedAtMs ?? nowMs, nowMs),
            address.slice(0, maximumTextLength),
            browser.slice(0, maximumTextLength),
          ],
        );
        if (!pendingSecondFactor) await recordSignIn(inside, administratorId, address);
      }),

    findLoginSession: async (tokenHash, { idleMs, maxAgeMs }) => {
      const nowMs = await engine.now();
      const [row] = await engine.rows<SignInRow>(
        `${selectSignIns} WHERE token_hash = $1 AND ${goesOn} AND ${withOrganization}`,
        [tokenHash, nowMs, idleMs, maxAgeMs],
      );
      if (row === undefined) return undefined;
      const signIn = signInOf(row);
      const seenEvery = Math.min(seenEveryMs, idleMs / 2);
      if (Math.abs(nowMs - signIn.lastSeenMs) >= seenEvery) await markSeen(signIn.id, nowMs);
      return { signIn, nowMs };
    },

    completeSecondFactor: (id, tokenHash, by) =>
      engine.transaction(undefined, async (inside) => {
        const [row] = await inside.rows<{ administratorId: string }>(
          `UPDATE sign_in SET awaits_code = 0, token_hash = $2 WHERE id = $1
          RETURNING administrator_id AS "administratorId"`,
          [id, tokenHash],
        );
        if (row !== undefined) await recordSignIn(inside, row.administratorId, by.address);
      }),

    recordReauthentication: async (id) => {
      await engine.transaction(undefined, async (inside) =>
        inside.change('UPDATE sign_in SET confirmed_ms = $2 WHERE id = $1', [id, await inside.now()]),
      );
    },

    listLoginSessions: async (administratorId, { idleMs, maxAgeMs }) => {
      const rows = await engine.rows<SignInRow>(
        `${selectSignIns} WHERE sign_in.administrator_id = $1 AND ${goesOn} AND awaits_code = 0
        ORDER BY created_ms DESC, sign_in.id`,
        [administratorId, await engine.now(), idleMs, maxAgeMs],
      );
      return rows.map(signInOf);
    },

    endLoginSessions: (administratorId, signInId, by) =>
      engine.transaction(undefined, async (inside) => {
        const ended =
          signInId === undefined
            ? await inside.change('DELETE FROM sign_in WHERE administrator_id = $1', [administratorId])
            : await inside.change('DELETE FROM sign_in WHERE administrator_id = $1 AND id = $2', [
                administratorId,
                signInId,
              ]);
        const action = signInId === undefined ? 'signed_out_everywhere' : 'signed_out';
        if (ended > 0) await recordFor(inside, administratorId, by, action);
        return ended;
      }),

    allowKeyReveal: (signInId, keyId) =>
      engine.transaction(undefined, async (inside) => {
        const nowMs = await inside.now();
        await inside.change('DELETE FROM key_reveal WHERE sign_in_id = $1 AND created_ms < $2', [
          signInId,
          nowMs - keyRevealTimeoutMs,
        ]);
        const [row] = await inside.rows<{ salt: Buffer }>(
          `INSERT INTO key_reveal (sign_in_id, key_id, salt, created_ms) VALUES ($1, $2, $3, $4)
          ON CONFLICT (sign_in_id, key_id) DO UPDATE SET shown = 0 RETURNING salt`,
          [signInId, keyId, randomBytes(32), nowMs],
        );
        return row?.salt as Buffer;
      }),

    consumeKeyReveal: async (signInId, keyId) => {
      const [row] = await engine.transaction(undefined, (inside) =>
        inside.rows<{ salt: Buffer }>(
          'UPDATE key_reveal SET shown = 1 WHERE sign_in_id = $1 AND key_id = $2 AND shown = 0 RETURNING salt',
          [signInId, keyId],
        ),
      );
      return row?.salt;
    },
  };
}

function signInOf(row: SignInRow): LoginSession {
  const { id, createdMs, lastSeenMs, confirmedMs, address, browser } = row;
  return {
    id,
    administrator: administratorOf(row),
    pendingSecondFactor: row.awaitsCode === 1,
    createdMs,
    lastSeenMs,
    reauthenticatedAtMs: confirmedMs,
    address,
    browser,
  };
}

const recordSignIn = (inside: Statements, administratorId: string, address: string) =>
  recordFor(inside, administratorId, { name: '', address }, 'signed_in');

/** @param by without a name: the administrator */
async function recordFor(
  inside: Statements,
  administratorId: string,
  by: Actor,
  action: AuditAction,
): Promise<void> {
  const [row] = await inside.rows<{ email: string; organizationId: string }>(
    'SELECT email, organization_id AS "organizationId" FROM administrator WHERE id = $1',
    [administratorId],
  );
  if (row === undefined) return;
  await recordEvent(inside, { ...by, name: by.name || row.email }, action, row.organizationId, row.email);
}

/** Clocks that were asked a moment apart may disagree by so much; what lies further ahead, a clock had wrong. */
const clockErrorMs = 5_000;

const goesOnWindow = `attempt.window_start_ms <= $2 + ${clockErrorMs} AND attempt.window_start_ms + $3 > $2`;

/**
 * $1 name, $2 now, $3 length of a window, $4 limit. A window that begins later than now was begun by a clock that
 * was wrong, and so is none.
 */
const take = `
  INSERT INTO attempt (name, window_start_ms, used) VALUES ($1, $2, 1)
  ON CONFLICT (name) DO UPDATE SET
    used = CASE WHEN ${goesOnWindow} THEN attempt.used + 1 ELSE 1 END,
    window_start_ms = CASE WHEN ${goesOnWindow} THEN attempt.window_start_ms ELSE $2 END
  WHERE attempt.used < $4 OR NOT (${goesOnWindow})
  RETURNING used`;

/** Names that nobody has tried for so long are forgotten. */
const forgottenAfterMs = 24 * 3_600_000;

export function attempts(engine: Engine): AttemptLimitStore {
  return {
    hitAttemptLimit: async (name, limit, windowMs) => {
      const nowMs = await engine.now();
      const [row] = await engine.rows<{ used: number }>(take, [name, nowMs, windowMs, limit]);
      if (row?.used === 1)
        await engine.change('DELETE FROM attempt WHERE window_start_ms < $1', [nowMs - forgottenAfterMs]);
      return row?.used ?? limit + 1;
    },
  };
}
