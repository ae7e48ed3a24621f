import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type {
  Administrator,
  AdministratorStore,
  AuditAction,
  Credentials,
  Invitation,
} from '../../domain/admin-area-store.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, type Queryable, readTimestamp, type SqlValue } from '../engine.ts';
import { globalTenantId } from '../table-descriptors.ts';
import { recordEvent } from './audit-log.ts';
import { assertOrganizationExists } from './organizations.ts';

export interface AdministratorRow
  extends Pick<Administrator, 'organizationName' | 'email' | 'createdAt' | 'createdBy'> {
  administratorId: string;
  organizationId: string;
  hasPassword: boolean | number;
  hasSecondFactor: boolean | number;
}

/** With `withOrganization`, excludes administrators of removed municipalities. */
export const fromAdministrators = `
  FROM administrator LEFT JOIN organization ON organization.id = administrator.organization_id`;
export const withOrganization = `(administrator.organization_id = '' OR organization.id IS NOT NULL)`;

export const administratorColumns = `
  administrator.id AS "administratorId", administrator.organization_id AS "organizationId",
  organization.name AS "organizationName", administrator.email,
  administrator.password_hash IS NOT NULL AS "hasPassword",
  administrator.totp_secret IS NOT NULL AS "hasSecondFactor",
  administrator.created_at AS "createdAt", administrator.created_by AS "createdBy"`;

export function toAdministrator(row: AdministratorRow): Administrator {
  return {
    id: row.administratorId,
    organizationId: row.organizationId === globalTenantId ? null : row.organizationId,
    organizationName: row.organizationName,
    email: row.email,
    hasPassword: Boolean(row.hasPassword),
    hasSecondFactor: Boolean(row.hasSecondFactor),
    createdAt: row.createdAt,
    createdBy: row.createdBy,
  };
}

type CredentialsRow = AdministratorRow & Omit<Credentials, 'administrator'>;

/** Accepts an older code (steps of 30 seconds) if a wrong clock stored a step further in the future. */
const clockErrorSteps = 10;

export function createAdministratorStore(engine: Engine, self: Actor): AdministratorStore {
  async function select(
    statements: Queryable,
    condition: string,
    parameters: readonly SqlValue[],
  ): Promise<Administrator[]> {
    const rows = await statements.query<AdministratorRow>(
      `SELECT ${administratorColumns} ${fromAdministrators}
      WHERE ${withOrganization} AND ${condition} ORDER BY administrator.email`,
      parameters,
    );
    return rows.map(toAdministrator);
  }

  async function find(statements: Queryable, id: string): Promise<Administrator | undefined> {
    const [found] = await select(statements, 'administrator.id = $1', [id]);
    return found;
  }

  /** Does nothing for a missing administrator. */
  const update = <Result>(
    id: string,
    work: (transaction: Queryable, found: Administrator) => Promise<Result>,
  ): Promise<Result | undefined> =>
    engine.transaction(undefined, async (transaction) => {
      const found = await find(transaction, id);
      return found && work(transaction, found);
    });

  return {
    addAdministrator: (email, organizationId, invitation, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const [existing] = await transaction.query('SELECT 1 FROM administrator WHERE email = $1', [email]);
        if (existing !== undefined) throw new StoreConflictError(`${email} is already an administrator.`);
        if (organizationId !== undefined) await assertOrganizationExists(transaction, organizationId);
        const id = randomUUID();
        await transaction.execute(
          `INSERT INTO administrator (organization_id, id, email, created_at, created_by)
          VALUES ($1, $2, $3, $4, $5)`,
          [organizationId ?? globalTenantId, id, email, await readTimestamp(transaction), by.name],
        );
        await replaceInvitation(transaction, id, invitation);
        const added = (await find(transaction, id)) as Administrator;
        await recordChange(transaction, by, 'administrator.added', added);
        return added;
      }),

    listAdministrators: (organizationId) =>
      organizationId === undefined
        ? select(engine, 'true', [])
        : select(engine, 'administrator.organization_id = $1', [organizationId]),

    findAdministrator: async (idOrEmail) => {
      const condition = '(administrator.id = $1 OR administrator.email = $1)';
      const [found] = await select(engine, condition, [idOrEmail.toLowerCase()]);
      return found;
    },

    removeAdministrator: async (id, by = self) => {
      const removed = await update(id, async (transaction, found) => {
        await transaction.execute('DELETE FROM administrator WHERE id = $1', [id]);
        await recordChange(transaction, by, 'administrator.removed', found);
        return true;
      });
      return removed ?? false;
    },

    replaceInvitation: async (id, invitation, by = self) => {
      await update(id, async (transaction, found) => {
        await replaceInvitation(transaction, id, invitation);
        await recordChange(transaction, by, 'administrator.invited', found);
      });
    },

    findInvitedAdministrator: async (tokenHash) => {
      const [found] = await select(
        engine,
        'administrator.id = (SELECT administrator_id FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2)',
        [tokenHash, await engine.now()],
      );
      return found;
    },

    acceptInvitation: (tokenHash, passwordHash, address) =>
      engine.transaction(undefined, async (transaction) => {
        const [accepted] = await transaction.query<{ id: string }>(
          'DELETE FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2 RETURNING administrator_id AS id',
          [tokenHash, await transaction.now()],
        );
        const found = accepted && (await find(transaction, accepted.id));
        if (found === undefined) return undefined;
        const { id, email: name } = found;
        await transaction.execute(
          'UPDATE administrator SET password_hash = $2, totp_secret = NULL WHERE id = $1',
          [id, passwordHash],
        );
        await transaction.execute('DELETE FROM login_session WHERE administrator_id = $1', [id]);
        await recordChange(transaction, { name, address }, 'password.set', found);
        if (found.hasSecondFactor)
          await recordChange(transaction, { name, address }, 'second_factor.removed', found);
        return { ...found, hasPassword: true, hasSecondFactor: false };
      }),

    findCredentials: async (email) => {
      const [row] = await engine.query<CredentialsRow>(
        `SELECT ${administratorColumns}, password_hash AS "passwordHash", totp_secret AS "totpSecret",
          totp_step AS "totpStep"
        ${fromAdministrators} WHERE ${withOrganization} AND administrator.email = $1`,
        [email],
      );
      if (row === undefined) return undefined;
      const { passwordHash, totpSecret, totpStep } = row;
      return { administrator: toAdministrator(row), passwordHash, totpSecret, totpStep };
    },

    setPassword: async (id, passwordHash, keep, by) => {
      await update(id, async (transaction, found) => {
        const sql = 'UPDATE administrator SET password_hash = $2 WHERE id = $1';
        await transaction.execute(sql, [id, passwordHash]);
        await endOtherSessions(transaction, id, keep.id);
        await transaction.execute('DELETE FROM invitation WHERE administrator_id = $1', [id]);
        await recordChange(transaction, by, 'password.set', found);
      });
    },

    setSecondFactor: async (id, totpSecret, keep, by) => {
      await update(id, async (transaction, found) => {
        if (found.hasSecondFactor === (totpSecret !== null)) return;
        const sql = 'UPDATE administrator SET totp_secret = $2 WHERE id = $1';
        await transaction.execute(sql, [id, totpSecret]);
        await endOtherSessions(transaction, id, keep.id);
        const action = totpSecret === null ? 'second_factor.removed' : 'second_factor.set';
        await recordChange(transaction, by, action, found);
      });
    },

    consumeTotpStep: async (id, step) => {
      const updated = await engine.transaction(undefined, (transaction) =>
        transaction.execute(
          'UPDATE administrator SET totp_step = $2 WHERE id = $1 AND (totp_step < $2 OR totp_step - $3 > $2)',
          [id, step, clockErrorSteps],
        ),
      );
      return updated === 1;
    },

    bindIdentity: async (id, issuer, subject, address) => {
      const bound = await update(id, async (transaction, found) => {
        const [known] = await transaction.query<{ issuer: string; subject: string }>(
          `SELECT oidc_issuer AS issuer, oidc_subject AS subject FROM administrator
          WHERE id = $1 AND oidc_subject IS NOT NULL`,
          [id],
        );
        if (known !== undefined) return known.issuer === issuer && known.subject === subject;
        const sql = 'UPDATE administrator SET oidc_issuer = $2, oidc_subject = $3 WHERE id = $1';
        await transaction.execute(sql, [id, issuer, subject]);
        await recordChange(transaction, { name: found.email, address }, 'identity.bound', found);
        return true;
      });
      return bound ?? false;
    },
  };
}

const recordChange = (
  transaction: Queryable,
  by: Actor,
  action: AuditAction,
  { organizationId, email }: Administrator,
) => recordEvent(transaction, by, action, organizationId, email);

async function endOtherSessions(
  transaction: Queryable,
  administratorId: string,
  keptId: string,
): Promise<void> {
  const sql = 'DELETE FROM login_session WHERE administrator_id = $1 AND id <> $2';
  await transaction.execute(sql, [administratorId, keptId]);
}

async function replaceInvitation(
  transaction: Queryable,
  administratorId: string,
  { tokenHash, validMs }: Invitation,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO invitation (administrator_id, token_hash, expires_at_ms) VALUES ($1, $2, $3)
    ON CONFLICT (administrator_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at_ms = excluded.expires_at_ms`,
    [administratorId, tokenHash, (await transaction.now()) + validMs],
  );
}
