/** Passwords, second factors, one-time links and identities of accounts. */
import { timingSafeEqual } from 'node:crypto';
import type {
  Account,
  CredentialStore,
  Credentials,
  Invitation,
  InvitedAccount,
} from '../../domain/accounts/account.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import type { Engine, Queryable } from '../engine.ts';
import {
  type AccountRow,
  accountColumns,
  fromAccounts,
  hashBytes,
  isUsable,
  selectAccount,
  toAccount,
} from './read-accounts.ts';
import { recordAccountEvents } from './record-account-events.ts';

type CredentialsRow = AccountRow &
  Omit<Credentials, 'account' | 'hasIdentity'> & { hasIdentity: boolean | number };

interface InvitationRow {
  accountId: string;
  keepsSecondFactor: number;
}

const invitationColumns = 'account_id AS "accountId", keeps_second_factor AS "keepsSecondFactor"';

/** Accepts an older code (steps of 30 seconds) if a wrong clock stored a step further in the future. */
const clockErrorSteps = 10;

export function createCredentialStore(engine: Engine, self: Actor): CredentialStore {
  /** Does nothing for a missing account. */
  const update = <Result>(
    id: string,
    work: (transaction: Queryable, found: Account) => Promise<Result>,
  ): Promise<Result | undefined> =>
    engine.transaction(undefined, async (transaction) => {
      const found = await selectAccount(transaction, id);
      return found && work(transaction, found);
    });

  return {
    replaceInvitation: async (id, invitation, by = self) => {
      await update(id, async (transaction, found) => {
        await replaceInvitation(transaction, id, invitation);
        const action = invitation.keepsSecondFactor ? 'password.reset_requested' : 'account.invited';
        await recordAccountEvents(transaction, by, action, found);
      });
    },

    findInvitedAccount: async (tokenHash) => {
      const [invited] = await engine.query<InvitationRow>(
        `SELECT ${invitationColumns} FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2`,
        [tokenHash, await engine.now()],
      );
      return invited && toInvitedAccount(engine, invited);
    },

    acceptInvitation: (tokenHash, passwordHash, address) =>
      engine.transaction(undefined, async (transaction) => {
        const [accepted] = await transaction.query<InvitationRow>(
          `DELETE FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2 RETURNING ${invitationColumns}`,
          [tokenHash, await transaction.now()],
        );
        const found = accepted && (await toInvitedAccount(transaction, accepted));
        if (found === undefined) return undefined;
        const { id, email: name, keepsSecondFactor } = found;
        await transaction.execute('DELETE FROM invitation WHERE account_id = $1', [id]);
        await transaction.execute('UPDATE account SET password_hash = $2 WHERE id = $1', [id, passwordHash]);
        await transaction.execute('DELETE FROM login_session WHERE account_id = $1', [id]);
        await recordAccountEvents(transaction, { name, address }, 'password.set', found);
        if (found.hasSecondFactor && !keepsSecondFactor) {
          const sql = 'UPDATE account SET totp_secret = NULL, recovery_codes = $2 WHERE id = $1';
          await transaction.execute(sql, [id, Buffer.alloc(0)]);
          await recordAccountEvents(transaction, { name, address }, 'second_factor.removed', found);
        }
        return selectAccount(transaction, id);
      }),

    findCredentials: async (email) => {
      const rows = await engine.query<CredentialsRow>(
        `SELECT ${accountColumns}, password_hash AS "passwordHash", totp_secret AS "totpSecret",
          totp_step AS "totpStep", oidc_subject IS NOT NULL AS "hasIdentity"
        ${fromAccounts} WHERE ${isUsable} AND account.email = $1 ORDER BY organization.name`,
        [email],
      );
      const [first, ...others] = rows;
      if (first === undefined) return undefined;
      const { passwordHash, totpSecret, totpStep, hasIdentity } = first;
      const account = toAccount([first, ...others]);
      return { account, passwordHash, totpSecret, totpStep, hasIdentity: Boolean(hasIdentity) };
    },

    setPassword: async (id, passwordHash, keep, by) => {
      await update(id, async (transaction, found) => {
        const sql = 'UPDATE account SET password_hash = $2 WHERE id = $1';
        await transaction.execute(sql, [id, passwordHash]);
        await endOtherSessions(transaction, id, keep.id);
        await transaction.execute('DELETE FROM invitation WHERE account_id = $1', [id]);
        await recordAccountEvents(transaction, by, 'password.set', found);
      });
    },

    setSecondFactor: async (id, totpSecret, keep, by) => {
      await update(id, async (transaction, found) => {
        if (found.hasSecondFactor === (totpSecret !== null)) return;
        const sql = 'UPDATE account SET totp_secret = $2, recovery_codes = $3 WHERE id = $1';
        await transaction.execute(sql, [id, totpSecret, Buffer.alloc(0)]);
        await endOtherSessions(transaction, id, keep.id);
        const action = totpSecret === null ? 'second_factor.removed' : 'second_factor.set';
        await recordAccountEvents(transaction, by, action, found);
      });
    },

    consumeTotpStep: async (id, step) => {
      const updated = await engine.transaction(undefined, (transaction) =>
        transaction.execute(
          'UPDATE account SET totp_step = $2 WHERE id = $1 AND (totp_step < $2 OR totp_step - $3 > $2)',
          [id, step, clockErrorSteps],
        ),
      );
      return updated === 1;
    },

    replaceRecoveryCodes: async (id, hashes, by) => {
      await update(id, async (transaction, found) => {
        const sql = 'UPDATE account SET recovery_codes = $2 WHERE id = $1';
        await transaction.execute(sql, [id, Buffer.concat(hashes)]);
        await recordAccountEvents(transaction, by, 'recovery_codes.created', found);
      });
    },

    consumeRecoveryCode: async (id, hash, address) => {
      const used = await update(id, async (transaction, found) => {
        const [row] = await transaction.query<{ codes: Buffer }>(
          'SELECT recovery_codes AS codes FROM account WHERE id = $1',
          [id],
        );
        const stored = splitHashes(row?.codes ?? Buffer.alloc(0));
        const others = stored.filter((code) => !timingSafeEqual(code, hash));
        if (others.length === stored.length) return false;
        const sql = 'UPDATE account SET recovery_codes = $2 WHERE id = $1';
        await transaction.execute(sql, [id, Buffer.concat(others)]);
        await recordAccountEvents(transaction, { name: found.email, address }, 'recovery_code.used', found);
        return true;
      });
      return used ?? false;
    },

    bindIdentity: async (id, issuer, subject, address) => {
      const bound = await update(id, async (transaction, found) => {
        const [known] = await transaction.query<{ issuer: string; subject: string }>(
          `SELECT oidc_issuer AS issuer, oidc_subject AS subject FROM account
          WHERE id = $1 AND oidc_subject IS NOT NULL`,
          [id],
        );
        if (known !== undefined) return known.issuer === issuer && known.subject === subject;
        const sql = 'UPDATE account SET oidc_issuer = $2, oidc_subject = $3 WHERE id = $1';
        await transaction.execute(sql, [id, issuer, subject]);
        await recordAccountEvents(transaction, { name: found.email, address }, 'identity.bound', found);
        return true;
      });
      return bound ?? false;
    },
  };
}

async function toInvitedAccount(
  statements: Queryable,
  { accountId, keepsSecondFactor }: InvitationRow,
): Promise<InvitedAccount | undefined> {
  const found = await selectAccount(statements, accountId);
  return found && { ...found, keepsSecondFactor: keepsSecondFactor === 1 };
}

const splitHashes = (hashes: Buffer): Buffer[] =>
  Array.from({ length: hashes.length / hashBytes }, (_, place) =>
    hashes.subarray(place * hashBytes, (place + 1) * hashBytes),
  );

async function endOtherSessions(transaction: Queryable, accountId: string, keptId: string): Promise<void> {
  const sql = 'DELETE FROM login_session WHERE account_id = $1 AND id <> $2';
  await transaction.execute(sql, [accountId, keptId]);
}

export async function replaceInvitation(
  transaction: Queryable,
  accountId: string,
  { tokenHash, validMs, keepsSecondFactor }: Invitation,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO invitation (account_id, keeps_second_factor, token_hash, expires_at_ms) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id, keeps_second_factor) DO UPDATE
      SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [accountId, keepsSecondFactor ? 1 : 0, tokenHash, (await transaction.now()) + validMs],
  );
}
