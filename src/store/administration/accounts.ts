import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type {
  Account,
  AccountStore,
  AuditAction,
  Credentials,
  FieldChange,
  Invitation,
} from '../../domain/admin-area-store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, type Queryable, readTimestamp, type SqlValue } from '../engine.ts';
import { nextEventLoopTurn } from '../event-loop-turn.ts';
import { globalTenantId } from '../table-descriptors.ts';
import { recordEvent } from './audit-log.ts';
import { assertOrganizationExists } from './organizations.ts';

export interface AccountRow
  extends Pick<Account, 'organizationName' | 'email' | 'role' | 'language' | 'createdAt' | 'createdBy'> {
  accountId: string;
  organizationId: string;
  hasPassword: boolean | number;
  hasSecondFactor: boolean | number;
  recoveryCodeBytes: number;
}

/** With `withOrganization`, excludes accounts of removed municipalities. */
export const fromAccounts = `
  FROM account LEFT JOIN organization ON organization.id = account.organization_id`;
export const withOrganization = `(account.organization_id = '' OR organization.id IS NOT NULL)`;

export const accountColumns = `
  account.id AS "accountId", account.organization_id AS "organizationId",
  organization.name AS "organizationName", account.email, account.role, account.language,
  account.password_hash IS NOT NULL AS "hasPassword",
  account.totp_secret IS NOT NULL AS "hasSecondFactor",
  length(account.recovery_codes) AS "recoveryCodeBytes",
  account.created_at AS "createdAt", account.created_by AS "createdBy"`;

export function toAccount(row: AccountRow): Account {
  return {
    id: row.accountId,
    organizationId: row.organizationId === globalTenantId ? null : row.organizationId,
    organizationName: row.organizationName,
    email: row.email,
    role: row.role,
    language: row.language,
    hasPassword: Boolean(row.hasPassword),
    hasSecondFactor: Boolean(row.hasSecondFactor),
    recoveryCodes: row.recoveryCodeBytes / hashBytes,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
  };
}

/** SHA-256. */
const hashBytes = 32;

type CredentialsRow = AccountRow & Omit<Credentials, 'account'>;

/** Accepts an older code (steps of 30 seconds) if a wrong clock stored a step further in the future. */
const clockErrorSteps = 10;

export function createAccountStore(engine: Engine, self: Actor): AccountStore {
  async function select(
    statements: Queryable,
    condition: string,
    parameters: readonly SqlValue[],
  ): Promise<Account[]> {
    const rows = await statements.query<AccountRow>(
      `SELECT ${accountColumns} ${fromAccounts}
      WHERE ${withOrganization} AND ${condition} ORDER BY account.email`,
      parameters,
    );
    return rows.map(toAccount);
  }

  async function find(statements: Queryable, id: string): Promise<Account | undefined> {
    const [found] = await select(statements, 'account.id = $1', [id]);
    return found;
  }

  /** Does nothing for a missing account. */
  const update = <Result>(
    id: string,
    work: (transaction: Queryable, found: Account) => Promise<Result>,
  ): Promise<Result | undefined> =>
    engine.transaction(undefined, async (transaction) => {
      const found = await find(transaction, id);
      return found && work(transaction, found);
    });

  return {
    addAccount: ({ email, role, organizationId }, invitation, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const [existing] = await transaction.query('SELECT 1 FROM account WHERE email = $1', [email]);
        if (existing !== undefined) throw new StoreConflictError(`${email} already has an account.`);
        if (organizationId !== null) await assertOrganizationExists(transaction, organizationId);
        const id = randomUUID();
        await transaction.execute(
          `INSERT INTO account (organization_id, id, email, role, created_at, created_by)
          VALUES ($1, $2, $3, $4, $5, $6)`,
          [organizationId ?? globalTenantId, id, email, role, await readTimestamp(transaction), by.name],
        );
        await replaceInvitation(transaction, id, invitation);
        const added = (await find(transaction, id)) as Account;
        await recordChange(transaction, by, 'account.added', added);
        return added;
      }),

    listAccounts: (organizationId) =>
      organizationId === undefined
        ? select(engine, 'true', [])
        : select(engine, 'account.organization_id = $1', [organizationId]),

    searchAccounts: async (organizationId, term, offset, limit, role) => {
      const parameters: SqlValue[] = [];
      const bind = (value: SqlValue) => `$${parameters.push(value)}`;
      const conditions = [withOrganization];
      if (organizationId !== undefined) conditions.push(`account.organization_id = ${bind(organizationId)}`);
      if (role !== undefined) conditions.push(`account.role = ${bind(role)}`);
      if (term !== '') {
        const lower = term.toLowerCase();
        const pattern = bind(toLikePattern(lower));
        // SQLite knows the lower case of ASCII letters only, and names of municipalities begin with a capital letter.
        const capitalized = bind(toLikePattern(lower.replace(/^./u, (first) => first.toUpperCase())));
        // A list of municipalities, because a comparison for each account would take longer.
        conditions.push(`(account.email LIKE ${pattern} ESCAPE '!' OR account.organization_id IN (
          SELECT id FROM organization
          WHERE lower(name) LIKE ${pattern} ESCAPE '!' OR name LIKE ${capitalized} ESCAPE '!'))`);
      }
      const where = `${fromAccounts} WHERE ${conditions.join(' AND ')}`;
      const [counted] = await engine.query<{ total: number }>(
        `SELECT count(*) AS total ${where}`,
        parameters,
      );
      await nextEventLoopTurn();
      const page = `LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
      const rows = await engine.query<AccountRow>(
        `SELECT ${accountColumns} ${where} ORDER BY account.email ${page}`,
        parameters,
      );
      return { accounts: rows.map(toAccount), total: counted?.total ?? 0 };
    },

    findAccount: async (idOrEmail) => {
      const condition = '(account.id = $1 OR account.email = $1)';
      const [found] = await select(engine, condition, [idOrEmail.toLowerCase()]);
      return found;
    },

    changeRole: async (id, role, by = self) => {
      const changed = await update(id, async (transaction, found) => {
        if (found.role === 'operator') return false;
        if (found.role === role) return true;
        await transaction.execute('UPDATE account SET role = $2 WHERE id = $1', [id, role]);
        await recordChange(transaction, by, 'account.role_changed', found, [
          { field: 'role', before: found.role, after: role },
        ]);
        return true;
      });
      return changed ?? false;
    },

    setLanguage: async (id, language) => {
      await update(id, (transaction) =>
        transaction.execute('UPDATE account SET language = $2 WHERE id = $1', [id, language]),
      );
    },

    removeAccount: async (id, by = self) => {
      const removed = await update(id, async (transaction, found) => {
        await transaction.execute('DELETE FROM account WHERE id = $1', [id]);
        await recordChange(transaction, by, 'account.removed', found);
        return true;
      });
      return removed ?? false;
    },

    replaceInvitation: async (id, invitation, by = self) => {
      await update(id, async (transaction, found) => {
        await replaceInvitation(transaction, id, invitation);
        await recordChange(transaction, by, 'account.invited', found);
      });
    },

    findInvitedAccount: async (tokenHash) => {
      const [found] = await select(
        engine,
        'account.id = (SELECT account_id FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2)',
        [tokenHash, await engine.now()],
      );
      return found;
    },

    acceptInvitation: (tokenHash, passwordHash, address) =>
      engine.transaction(undefined, async (transaction) => {
        const [accepted] = await transaction.query<{ id: string }>(
          'DELETE FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2 RETURNING account_id AS id',
          [tokenHash, await transaction.now()],
        );
        const found = accepted && (await find(transaction, accepted.id));
        if (found === undefined) return undefined;
        const { id, email: name } = found;
        await transaction.execute(
          'UPDATE account SET password_hash = $2, totp_secret = NULL, recovery_codes = $3 WHERE id = $1',
          [id, passwordHash, Buffer.alloc(0)],
        );
        await transaction.execute('DELETE FROM login_session WHERE account_id = $1', [id]);
        await recordChange(transaction, { name, address }, 'password.set', found);
        if (found.hasSecondFactor)
          await recordChange(transaction, { name, address }, 'second_factor.removed', found);
        return { ...found, hasPassword: true, hasSecondFactor: false, recoveryCodes: 0 };
      }),

    findCredentials: async (email) => {
      const [row] = await engine.query<CredentialsRow>(
        `SELECT ${accountColumns}, password_hash AS "passwordHash", totp_secret AS "totpSecret",
          totp_step AS "totpStep"
        ${fromAccounts} WHERE ${withOrganization} AND account.email = $1`,
        [email],
      );
      if (row === undefined) return undefined;
      const { passwordHash, totpSecret, totpStep } = row;
      return { account: toAccount(row), passwordHash, totpSecret, totpStep };
    },

    setPassword: async (id, passwordHash, keep, by) => {
      await update(id, async (transaction, found) => {
        const sql = 'UPDATE account SET password_hash = $2 WHERE id = $1';
        await transaction.execute(sql, [id, passwordHash]);
        await endOtherSessions(transaction, id, keep.id);
        await transaction.execute('DELETE FROM invitation WHERE account_id = $1', [id]);
        await recordChange(transaction, by, 'password.set', found);
      });
    },

    setSecondFactor: async (id, totpSecret, keep, by) => {
      await update(id, async (transaction, found) => {
        if (found.hasSecondFactor === (totpSecret !== null)) return;
        const sql = 'UPDATE account SET totp_secret = $2, recovery_codes = $3 WHERE id = $1';
        await transaction.execute(sql, [id, totpSecret, Buffer.alloc(0)]);
        await endOtherSessions(transaction, id, keep.id);
        const action = totpSecret === null ? 'second_factor.removed' : 'second_factor.set';
        await recordChange(transaction, by, action, found);
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
        await recordChange(transaction, by, 'recovery_codes.created', found);
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
        await recordChange(transaction, { name: found.email, address }, 'recovery_code.used', found);
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
        await recordChange(transaction, { name: found.email, address }, 'identity.bound', found);
        return true;
      });
      return bound ?? false;
    },
  };
}

/** PostgreSQL has no NUL in texts. */
const toLikePattern = (term: string) => `%${term.replaceAll('\0', '').replaceAll(/[!%_]/g, '!$&')}%`;

const splitHashes = (hashes: Buffer): Buffer[] =>
  Array.from({ length: hashes.length / hashBytes }, (_, place) =>
    hashes.subarray(place * hashBytes, (place + 1) * hashBytes),
  );

const recordChange = (
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  { id, organizationId, email }: Account,
  changes: readonly FieldChange[] = [],
) => recordEvent(transaction, by, action, organizationId, email, { kind: 'account', id, changes });

async function endOtherSessions(transaction: Queryable, accountId: string, keptId: string): Promise<void> {
  const sql = 'DELETE FROM login_session WHERE account_id = $1 AND id <> $2';
  await transaction.execute(sql, [accountId, keptId]);
}

async function replaceInvitation(
  transaction: Queryable,
  accountId: string,
  { tokenHash, validMs }: Invitation,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO invitation (account_id, token_hash, expires_at_ms) VALUES ($1, $2, $3)
    ON CONFLICT (account_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [accountId, tokenHash, (await transaction.now()) + validMs],
  );
}
