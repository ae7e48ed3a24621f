import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import type {
  Administrator,
  AdministratorStore,
  Credentials,
  Invitation,
} from '../../domain/administration.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { Engine, Queryable, SqlValue } from '../engine.ts';
import { globalTenantId } from '../table-descriptors.ts';
import { recordEvent } from './audit-log.ts';

export interface AdministratorRow {
  administratorId: string;
  organizationId: string;
  organizationName: string | null;
  email: string;
  hasPassword: boolean | number;
  hasSecondFactor: boolean | number;
  createdAt: string;
  createdBy: string;
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

interface CredentialsRow extends AdministratorRow {
  passwordHash: string | null;
  totpSecret: Buffer | null;
  totpStep: number;
}

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

  async function selectOne(
    statements: Queryable,
    condition: string,
    parameters: readonly SqlValue[],
  ): Promise<Administrator | undefined> {
    const [found] = await select(statements, condition, parameters);
    return found;
  }

  const byId = 'administrator.id = $1';

  /** Does nothing for a missing administrator. */
  async function updateAdministrator<Result>(
    id: string,
    work: (transaction: Queryable, found: Administrator) => Promise<Result>,
  ): Promise<Result | undefined> {
    return engine.transaction(undefined, async (transaction) => {
      const found = await selectOne(transaction, byId, [id]);
      return found && work(transaction, found);
    });
  }

  return {
    addAdministrator: (email, organizationId, invitation, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const [taken] = await transaction.query('SELECT 1 FROM administrator WHERE email = $1', [email]);
        if (taken !== undefined) throw new StoreConflictError(`${email} is already an administrator.`);
        if (organizationId !== undefined) {
          const [organization] = await transaction.query('SELECT 1 FROM organization WHERE id = $1', [
            organizationId,
          ]);
          if (organization === undefined)
            throw new StoreConflictError('The municipality was removed in the meantime.');
        }
        const id = randomUUID();
        await transaction.execute(
          `INSERT INTO administrator (organization_id, id, email, created_at, created_by)
          VALUES ($1, $2, $3, $4, $5)`,
          [
            organizationId ?? globalTenantId,
            id,
            email,
            new Date(await transaction.now()).toISOString(),
            by.name,
          ],
        );
        await replaceInvitation(transaction, id, invitation);
        await recordEvent(transaction, by, 'administrator.added', organizationId, email);
        return (await selectOne(transaction, byId, [id])) as Administrator;
      }),

    listAdministrators: (organizationId) =>
      organizationId === undefined
        ? select(engine, 'true', [])
        : select(engine, 'administrator.organization_id = $1', [organizationId]),

    findAdministrator: (idOrEmail) =>
      selectOne(engine, '(administrator.id = $1 OR administrator.email = $1)', [idOrEmail.toLowerCase()]),

    removeAdministrator: async (id, by = self) => {
      const removed = await updateAdministrator(id, async (transaction, { email, organizationId }) => {
        await transaction.execute('DELETE FROM administrator WHERE id = $1', [id]);
        await recordEvent(transaction, by, 'administrator.removed', organizationId, email);
        return true;
      });
      return removed ?? false;
    },

    replaceInvitation: async (id, invitation, by = self) => {
      await updateAdministrator(id, async (transaction, { email, organizationId }) => {
        await replaceInvitation(transaction, id, invitation);
        await recordEvent(transaction, by, 'administrator.invited', organizationId, email);
      });
    },

    findInvitedAdministrator: async (tokenHash) => {
      const nowMs = await engine.now();
      return selectOne(
        engine,
        'administrator.id = (SELECT administrator_id FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2)',
        [tokenHash, nowMs],
      );
    },

    acceptInvitation: (tokenHash, passwordHash, address) =>
      engine.transaction(undefined, async (transaction) => {
        const [taken] = await transaction.query<{ id: string }>(
          'DELETE FROM invitation WHERE token_hash = $1 AND expires_at_ms > $2 RETURNING administrator_id AS id',
          [tokenHash, await transaction.now()],
        );
        const found = taken && (await selectOne(transaction, byId, [taken.id]));
        if (found === undefined) return undefined;
        await transaction.execute(
          'UPDATE administrator SET password_hash = $2, totp_secret = NULL WHERE id = $1',
          [found.id, passwordHash],
        );
        await transaction.execute('DELETE FROM login_session WHERE administrator_id = $1', [found.id]);
        const by = { name: found.email, address };
        const { organizationId, email } = found;
        await recordEvent(transaction, by, 'password.set', organizationId, email);
        if (found.hasSecondFactor)
          await recordEvent(transaction, by, 'second_factor.removed', organizationId, email);
        return { ...found, hasPassword: true, hasSecondFactor: false };
      }),

    findCredentials: async (email): Promise<Credentials | undefined> => {
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
      await updateAdministrator(id, async (transaction, { email, organizationId }) => {
        await transaction.execute('UPDATE administrator SET password_hash = $2 WHERE id = $1', [
          id,
          passwordHash,
        ]);
        await transaction.execute('DELETE FROM login_session WHERE administrator_id = $1 AND id <> $2', [
          id,
          keep.id,
        ]);
        await transaction.execute('DELETE FROM invitation WHERE administrator_id = $1', [id]);
        await recordEvent(transaction, by, 'password.set', organizationId, email);
      });
    },

    setSecondFactor: async (id, totpSecret, keep, by) => {
      await updateAdministrator(id, async (transaction, { email, organizationId, hasSecondFactor }) => {
        if (hasSecondFactor === (totpSecret !== null)) return;
        await transaction.execute('UPDATE administrator SET totp_secret = $2 WHERE id = $1', [
          id,
          totpSecret,
        ]);
        await transaction.execute('DELETE FROM login_session WHERE administrator_id = $1 AND id <> $2', [
          id,
          keep.id,
        ]);
        const action = totpSecret === null ? 'second_factor.removed' : 'second_factor.set';
        await recordEvent(transaction, by, action, organizationId, email);
      });
    },

    consumeTotpStep: async (id, step) => {
      const taken = await engine.transaction(undefined, (transaction) =>
        transaction.execute(
          'UPDATE administrator SET totp_step = $2 WHERE id = $1 AND (totp_step < $2 OR totp_step - $3 > $2)',
          [id, step, clockErrorSteps],
        ),
      );
      return taken === 1;
    },

    bindIdentity: async (id, issuer, subject, address) => {
      const bound = await updateAdministrator(id, async (transaction, { email, organizationId }) => {
        const [known] = await transaction.query<{ issuer: string; subject: string }>(
          `SELECT oidc_issuer AS issuer, oidc_subject AS subject FROM administrator
          WHERE id = $1 AND oidc_subject IS NOT NULL`,
          [id],
        );
        if (known !== undefined) return known.issuer === issuer && known.subject === subject;
        await transaction.execute(
          'UPDATE administrator SET oidc_issuer = $2, oidc_subject = $3 WHERE id = $1',
          [id, issuer, subject],
        );
        await recordEvent(transaction, { name: email, address }, 'identity.bound', organizationId, email);
        return true;
      });
      return bound ?? false;
    },
  };
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
