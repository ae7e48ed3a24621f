import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { AuditAction } from '../../domain/accounts/audit-log.ts';
import type { LoginSession, LoginSessionStore } from '../../domain/accounts/login-session.ts';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import type { Engine, Queryable } from '../engine.ts';
import { insertRow } from '../write-row.ts';
import {
  type AccountRow,
  accountColumns,
  fromAccounts,
  groupRows,
  isUsable,
  selectAccount,
  toAccount,
} from './read-accounts.ts';
import { recordAccountEvents } from './record-account-events.ts';

interface LoginSessionRow extends AccountRow, Omit<LoginSession, 'account' | 'pendingSecondFactor'> {
  pendingSecondFactor: number;
}

const selectLoginSessions = `
  SELECT login_session.id, pending_second_factor AS "pendingSecondFactor", created_at_ms AS "createdAtMs", last_seen_at_ms AS "lastSeenAtMs",
    reauthenticated_at_ms AS "reauthenticatedAtMs", address, browser, ${accountColumns}
  ${fromAccounts} JOIN login_session ON login_session.account_id = account.id`;

/** A session that starts further in the future was created with a wrong clock, and would outlive its limits. */
const maxClockErrorMs = 5 * 60_000;

/** $2 now, $3 `idleMs`, $4 `maxAgeMs`. */
const isActive = `last_seen_at_ms + $3 > $2 AND created_at_ms + $4 > $2 AND created_at_ms <= $2 + ${maxClockErrorMs}`;

const lastSeenIntervalMs = 60_000;

/** User-Agent headers may be long. The relevant parts are at the start. */
const maxClientTextLength = 254;

/** Sessions of browsers in the admin area, with limits of idle time and of age. */
export function createLoginSessionStore(engine: Engine): LoginSessionStore {
  async function markSeen(id: string, nowMs: number): Promise<void> {
    try {
      await engine.execute('UPDATE login_session SET last_seen_at_ms = $2 WHERE id = $1', [id, nowMs]);
    } catch (error) {
      // An import may hold the write lock; the request must not fail.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  return {
    createLoginSession: (
      { accountId, tokenHash, pendingSecondFactor, reauthenticatedAtMs, address, browser },
      bounds,
    ) =>
      engine.transaction(undefined, async (transaction) => {
        const nowMs = await transaction.now();
        await transaction.execute(`DELETE FROM login_session WHERE account_id = $1 AND NOT (${isActive})`, [
          accountId,
          nowMs,
          bounds.idleMs,
          bounds.maxAgeMs,
        ]);
        await insertRow(transaction, 'login_session', {
          token_hash: tokenHash,
          id: randomUUID(),
          account_id: accountId,
          pending_second_factor: pendingSecondFactor ? 1 : 0,
          created_at_ms: nowMs,
          last_seen_at_ms: nowMs,
          reauthenticated_at_ms: Math.min(reauthenticatedAtMs ?? nowMs, nowMs),
          address: address.slice(0, maxClientTextLength),
          browser: browser.slice(0, maxClientTextLength),
        });
        if (!pendingSecondFactor) await recordSignIn(transaction, accountId, address);
      }),

    findLoginSession: async (tokenHash, { idleMs, maxAgeMs }) => {
      const nowMs = await engine.now();
      const rows = await engine.query<LoginSessionRow>(
        `${selectLoginSessions} WHERE token_hash = $1 AND ${isActive} AND ${isUsable} ORDER BY organization.name`,
        [tokenHash, nowMs, idleMs, maxAgeMs],
      );
      const [first, ...others] = rows;
      if (first === undefined) return undefined;
      const loginSession = toLoginSession([first, ...others]);
      const seenEvery = Math.min(lastSeenIntervalMs, idleMs / 2);
      if (Math.abs(nowMs - loginSession.lastSeenAtMs) >= seenEvery) await markSeen(loginSession.id, nowMs);
      return { loginSession, nowMs };
    },

    completeSecondFactor: (id, tokenHash, by) =>
      engine.transaction(undefined, async (transaction) => {
        const [row] = await transaction.query<{ accountId: string }>(
          `UPDATE login_session SET pending_second_factor = 0, token_hash = $2 WHERE id = $1
          RETURNING account_id AS "accountId"`,
          [id, tokenHash],
        );
        if (row !== undefined) await recordSignIn(transaction, row.accountId, by.address);
      }),

    recordReauthentication: async (id) => {
      const sql = 'UPDATE login_session SET reauthenticated_at_ms = $2 WHERE id = $1';
      await engine.transaction(undefined, async (transaction) =>
        transaction.execute(sql, [id, await transaction.now()]),
      );
    },

    listLoginSessions: async (accountId, { idleMs, maxAgeMs }) => {
      const rows = await engine.query<LoginSessionRow>(
        `${selectLoginSessions} WHERE login_session.account_id = $1 AND ${isActive} AND pending_second_factor = 0
        ORDER BY created_at_ms DESC, login_session.id, organization.name`,
        [accountId, await engine.now(), idleMs, maxAgeMs],
      );
      return groupRows(rows, ({ id }) => id).map(toLoginSession);
    },

    endLoginSessions: (accountId, loginSessionId, by) =>
      engine.transaction(undefined, async (transaction) => {
        const isOne = loginSessionId !== undefined;
        const ended = await transaction.execute(
          `DELETE FROM login_session WHERE account_id = $1 ${isOne ? 'AND id = $2' : ''}`,
          isOne ? [accountId, loginSessionId] : [accountId],
        );
        const action = isOne ? 'signed_out' : 'signed_out_everywhere';
        if (ended > 0) await recordEventOf(transaction, accountId, by, action);
        return ended;
      }),
  };
}

function toLoginSession(rows: [LoginSessionRow, ...LoginSessionRow[]]): LoginSession {
  const [{ id, pendingSecondFactor, createdAtMs, lastSeenAtMs, reauthenticatedAtMs, address, browser }] =
    rows;
  return {
    id,
    account: toAccount(rows),
    pendingSecondFactor: pendingSecondFactor === 1,
    createdAtMs,
    lastSeenAtMs,
    reauthenticatedAtMs,
    address,
    browser,
  };
}

const recordSignIn = (transaction: Queryable, accountId: string, address: string) =>
  recordEventOf(transaction, accountId, { name: '', address }, 'signed_in');

/** @param by an empty name stands for the account itself */
async function recordEventOf(
  transaction: Queryable,
  accountId: string,
  by: Actor,
  action: AuditAction,
): Promise<void> {
  const account = await selectAccount(transaction, accountId);
  if (account === undefined) return;
  await recordAccountEvents(transaction, { ...by, name: by.name || account.email }, action, account);
}
