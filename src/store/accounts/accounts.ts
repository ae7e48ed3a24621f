/** Accounts and their roles. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type Account,
  type AccountStore,
  formatPermissions,
  type Permission,
} from '../../domain/accounts/account.ts';
import type { Actor } from '../../domain/accounts/actor.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { type Engine, type Queryable, readTimestamp, type SqlValue } from '../engine.ts';
import { createNameSearch } from '../organizations/name-search.ts';
import { assertOrganizationExists } from '../organizations/organizations.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import { composeHasPermission, toRoleColumns } from '../role-columns.ts';
import { accountRoleTable, accountTable } from '../table-descriptors.ts';
import { insertRow, updateRow } from '../write-row.ts';
import { replaceInvitation } from './credentials.ts';
import { deleteUnusableAccounts, selectAccount, selectAccounts } from './read-accounts.ts';
import { recordAccountEvent, recordAccountEvents } from './record-account-events.ts';

export function createAccountStore(engine: Engine, self: Actor): AccountStore {
  return {
    addAccount: (account, invitation, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const { email, organizationId } = account;
        await transaction.execute(`${deleteUnusableAccounts} AND email = $1`, [email]);
        const [existing] = await transaction.query('SELECT 1 FROM account WHERE email = $1', [email]);
        if (existing !== undefined) throw new StoreConflictError(`${email} already has an account.`);
        const id = randomUUID();
        await transaction.execute(
          'INSERT INTO account (id, email, is_operator, created_at, created_by) VALUES ($1, $2, $3, $4, $5)',
          [id, email, organizationId === null ? 1 : 0, await readTimestamp(transaction), by.name],
        );
        if (organizationId !== null) {
          await assertOrganizationExists(transaction, organizationId);
          await insertRole(transaction, organizationId, id, account.permissions);
        }
        await replaceInvitation(transaction, id, invitation);
        const added = (await selectAccount(transaction, id)) as Account;
        await recordAccountEvents(transaction, by, 'account.added', added);
        return added;
      }),

    listAccounts: (organizationId) =>
      organizationId === undefined
        ? selectAccounts(engine, '1 = 1', [])
        : selectAccounts(engine, hasRoleIn('$1'), [organizationId]),

    searchAccounts: async (organizationId, term, offset, limit, permission) => {
      const parameters: SqlValue[] = [];
      const bind = (value: SqlValue) => `$${parameters.push(value)}`;
      const conditions = ['(is_operator = 1 OR id IN (SELECT account_id FROM account_role))'];
      if (organizationId !== undefined) {
        const hasRole =
          permission === undefined || permission === 'see'
            ? ''
            : `AND ${composeHasPermission(`'${permission}'`)}`;
        conditions.push(
          `id IN (SELECT account_id FROM account_role WHERE organization_id = ${bind(organizationId)} ${hasRole})`,
        );
      }
      if (term !== '') {
        const { isIn, organizationIds } = createNameSearch(term, bind);
        conditions.push(`(${isIn('email')} OR id IN (
          SELECT account_id FROM account_role WHERE organization_id IN (${organizationIds})))`);
      }
      const rows = await engine.query<{ total: number; id: string | null }>(
        `WITH matching AS MATERIALIZED (SELECT id, email FROM account WHERE ${conditions.join(' AND ')}),
          page AS (SELECT id FROM matching ORDER BY email LIMIT ${bind(limit)} OFFSET ${bind(offset)})
        SELECT total, page.id FROM (SELECT count(*) AS total FROM matching) AS counted LEFT JOIN page ON 1 = 1`,
        parameters,
      );
      await setImmediate();
      const ids = rows.map(({ id }) => id).filter((id) => id !== null);
      const accounts = await selectAccounts(engine, `account.id IN (${selectIds(engine.recordset, '$1')})`, [
        toIdRows(ids),
      ]);
      return { accounts, total: rows[0]?.total ?? 0 };
    },

    listPersonNames: async (organizationId) => {
      const rows = await engine.query<{ email: string; name: string }>(selectPersonNames, [organizationId]);
      return new Map(rows.map(({ email, name }) => [email, name]));
    },

    findAccount: async (idOrEmail) => {
      const condition = '(account.id = $1 OR account.email = $1)';
      const [found] = await selectAccounts(engine, condition, [idOrEmail.toLowerCase()]);
      return found;
    },

    addRole: (id, organizationId, granted, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const found = await selectAccount(transaction, id);
        if (found === undefined) throw new StoreConflictError('The account was removed in the meantime.');
        if (findAssigned(found, organizationId) !== undefined)
          throw new StoreConflictError(`${found.email} already has a role in this municipality.`);
        await assertOrganizationExists(transaction, organizationId);
        await insertRole(transaction, organizationId, id, granted);
        await transaction.execute('DELETE FROM invitation WHERE account_id = $1', [id]);
        await recordAccountEvent(transaction, by, 'account.role_added', organizationId, found, [
          { field: 'role', before: null, after: formatPermissions(granted) },
        ]);
        return (await selectAccount(transaction, id)) as Account;
      }),

    changeRole: (id, organizationId, granted, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const found = await selectAccount(transaction, id);
        const before = found && findAssigned(found, organizationId);
        if (found === undefined || before === undefined) return false;
        const after = formatPermissions(granted);
        if (before === after) return true;
        const key = { organization_id: organizationId, account_id: id };
        await updateRow(transaction, accountRoleTable.name, key, { ...toRoleColumns(granted) });
        await recordAccountEvent(transaction, by, 'account.role_changed', organizationId, found, [
          { field: 'role', before, after },
        ]);
        return true;
      }),

    removeRole: (id, organizationId, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const found = await selectAccount(transaction, id);
        const before = found && findAssigned(found, organizationId);
        if (found === undefined || before === undefined) return false;
        if (found.roles.length === 1) {
          await remove(transaction, found, by);
          return true;
        }
        const sql = 'DELETE FROM account_role WHERE organization_id = $1 AND account_id = $2';
        await transaction.execute(sql, [organizationId, id]);
        await recordAccountEvent(transaction, by, 'account.role_removed', organizationId, found, [
          { field: 'role', before, after: null },
        ]);
        return true;
      }),

    setName: async (id, name) => {
      await engine.transaction(undefined, (transaction) =>
        updateRow(transaction, accountTable.name, { id }, { name }),
      );
    },

    setLanguage: async (id, language) => {
      await engine.transaction(undefined, (transaction) =>
        transaction.execute('UPDATE account SET language = $2 WHERE id = $1', [id, language]),
      );
    },

    removeAccount: (id, by = self) =>
      engine.transaction(undefined, async (transaction) => {
        const found = await selectAccount(transaction, id);
        if (found !== undefined) await remove(transaction, found, by);
        return found !== undefined;
      }),
  };
}

/** SQLite keeps the order of a CROSS JOIN; an OR of both parts would scan all accounts. */
export const selectPersonNames = `
  SELECT account.email, account.name FROM account_role CROSS JOIN account
  WHERE account_role.organization_id = $1 AND account.id = account_role.account_id AND account.name IS NOT NULL
  UNION ALL SELECT email, name FROM account WHERE is_operator = 1 AND name IS NOT NULL`;

/** Only accounts with a role in the municipality of the parameter. */
const hasRoleIn = (parameter: string) =>
  `account.id IN (SELECT account_id FROM account_role WHERE organization_id = ${parameter})`;

/** As in the audit log. */
function findAssigned({ roles }: Account, organizationId: string): string | undefined {
  const found = roles.find((assigned) => assigned.organizationId === organizationId);
  return found && formatPermissions(found.permissions);
}

const insertRole = (
  transaction: Queryable,
  organizationId: string,
  accountId: string,
  granted: readonly Permission[],
) =>
  insertRow(transaction, accountRoleTable.name, {
    organization_id: organizationId,
    account_id: accountId,
    ...toRoleColumns(granted),
  });

async function remove(transaction: Queryable, account: Account, by: Actor): Promise<void> {
  await transaction.execute('DELETE FROM account WHERE id = $1', [account.id]);
  await recordAccountEvents(transaction, by, 'account.removed', account);
}
