/** Accounts with their roles, as rows of a join. */
import type { Account, AssignedRole } from '../../domain/accounts/account.ts';
import type { Queryable, SqlValue } from '../engine.ts';
import { fromRoleColumns } from '../role-columns.ts';

/** One row for each role of an account, and one for an operator. */
export interface AccountRow
  extends Pick<Account, 'email' | 'name' | 'language' | 'createdAt' | 'createdBy'>,
    Record<keyof AssignedRole, string | null> {
  accountId: string;
  isOperator: number;
  hasPassword: boolean | number;
  hasSecondFactor: boolean | number;
  recoveryCodeBytes: number;
}

export const fromAccounts = `
  FROM account LEFT JOIN account_role ON account_role.account_id = account.id
  LEFT JOIN organization ON organization.id = account_role.organization_id`;

/** Excludes accounts that lost their last role with a removed municipality. */
export const isUsable = `(account.is_operator = 1 OR account_role.account_id IS NOT NULL)`;

/** The account of a removed municipality must not block its email address. */
export const deleteUnusableAccounts = `DELETE FROM account WHERE is_operator = 0
  AND NOT EXISTS (SELECT 1 FROM account_role WHERE account_id = account.id)`;

export const accountColumns = `
  account.id AS "accountId", account.email, account.name, account.is_operator AS "isOperator", account.language,
  account.password_hash IS NOT NULL AS "hasPassword",
  account.totp_secret IS NOT NULL AS "hasSecondFactor",
  length(account.recovery_codes) AS "recoveryCodeBytes",
  account.created_at AS "createdAt", account.created_by AS "createdBy",
  account_role.organization_id AS "organizationId", organization.name AS "organizationName", account_role.role, account_role.permissions`;

/** SHA-256. */
export const hashBytes = 32;

/** @param rows all rows of the account, ordered by municipality */
export function toAccount(rows: readonly [AccountRow, ...AccountRow[]]): Account {
  const [first] = rows;
  return {
    id: first.accountId,
    email: first.email,
    name: first.name,
    isOperator: first.isOperator === 1,
    roles: rows
      .filter(({ organizationId }) => organizationId !== null)
      .map(({ organizationId, organizationName, role, permissions }) => ({
        organizationId,
        organizationName,
        role,
        permissions: fromRoleColumns({ role: role ?? '', permissions }),
      })) as AssignedRole[],
    language: first.language,
    hasPassword: Boolean(first.hasPassword),
    hasSecondFactor: Boolean(first.hasSecondFactor),
    recoveryCodes: first.recoveryCodeBytes / hashBytes,
    createdAt: first.createdAt,
    createdBy: first.createdBy,
  };
}

/** Rows with the same key, in the order of their first row. */
export function groupRows<Row, Key>(rows: readonly Row[], getKey: (row: Row) => Key): [Row, ...Row[]][] {
  return [...Map.groupBy(rows, getKey).values()] as [Row, ...Row[]][];
}

/**
 * Ordered by email address. PostgreSQL would walk all accounts in this order, because the statements of requests may not sort
 * where an index has the order. A materialised table has no index.
 */
export async function selectAccounts(
  statements: Queryable,
  condition: string,
  parameters: readonly SqlValue[],
): Promise<Account[]> {
  const rows = await statements.query<AccountRow>(
    `WITH found AS MATERIALIZED (SELECT ${accountColumns} ${fromAccounts} WHERE ${isUsable} AND ${condition})
    SELECT * FROM found ORDER BY email, "organizationName"`,
    parameters,
  );
  return groupRows(rows, ({ accountId }) => accountId).map(toAccount);
}

export async function selectAccount(statements: Queryable, id: string): Promise<Account | undefined> {
  const [found] = await selectAccounts(statements, 'account.id = $1', [id]);
  return found;
}
