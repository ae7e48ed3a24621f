/**
 * The accounts of a copy. An account that the target knows by its email address stays as it is there, with its id: other
 * municipalities of the target rely on it. It gets the roles in the copied municipalities.
 */
import { formatPermissions } from '../../domain/accounts/account.ts';
import type { Engine, Row, SqlValue } from '../engine.ts';
import { fromRoleColumns } from '../role-columns.ts';
import {
  accountRoleTable,
  accountTable,
  listColumnNames,
  notificationSettingTable,
  type Table,
} from '../table-descriptors.ts';
import { getRowKey, type RowBatch, readBatches } from './row-batches.ts';

export interface CopiedAccounts {
  /** Reads rows of the source as the target should have them. */
  readBatches(from: Engine, table: Table, organizationId: string): AsyncGenerator<RowBatch>;
  /** Whether the target should have other rows than the source. */
  changesRows(table: Table): boolean;
  /** The rows of `account_role` that the target should have, by municipality. */
  readRoles(from: Engine): Promise<ReadonlyMap<string, Row[]>>;
  /** Email addresses of the accounts that stay as they are in the target. */
  kept: string[];
  /** Email addresses of operators of the source that are not operators of the target. */
  omittedOperators: string[];
  /** The roles in copied municipalities that only the target has, and that end: `email address (role, municipality)`. */
  endedRoles: string[];
}

interface Account {
  id: string;
  email: string;
  is_operator: number;
}

interface StoredRole {
  accountId: string;
  email: string;
  role: string;
  permissions: string | null;
  organizationId: string;
}

const selectRoles = `
  SELECT account_id AS "accountId", email, role, permissions, organization_id AS "organizationId"
  FROM account_role JOIN account ON account.id = account_role.account_id ORDER BY email, organization_id`;

const accountTables: readonly Table[] = [accountTable, accountRoleTable, notificationSettingTable];

/**
 * @param names names of the copied municipalities by their ids
 * @param others ids of municipalities that only the target has. Then operators are not copied, because they would
 *   administer these too, and an account with a role there stays even if an earlier copy has created it
 */
export async function matchAccounts(
  from: Engine,
  to: Engine,
  names: ReadonlyMap<string, string>,
  others: ReadonlySet<string>,
): Promise<CopiedAccounts> {
  const isShared = others.size > 0;
  const select = 'SELECT id, email, is_operator FROM account ORDER BY email';
  const source = await from.query<Account>(select);
  const target = await to.query<Account>(select);
  const targetRoles = await to.query<StoredRole>(selectRoles);
  const usedElsewhere = new Set(
    targetRoles.filter(({ organizationId }) => others.has(organizationId)).map(({ accountId }) => accountId),
  );
  const toText = ({ email, organizationId, ...columns }: StoredRole) =>
    `${email} (${formatPermissions(fromRoleColumns(columns))}, ${names.get(organizationId)})`;
  const copiedRoles = new Set((await from.query<StoredRole>(selectRoles)).map(toText));
  const usedById = new Map(
    target
      .filter(({ id, is_operator: isOperator }) => usedElsewhere.has(id) || (isShared && isOperator === 1))
      .map((account) => [account.id, account]),
  );
  const targetByEmail = new Map(target.map((account) => [account.email, account]));
  /** The account that the target has instead, by the id in the source. */
  const kept = new Map<SqlValue, Account>();
  const omitted = new Map<SqlValue, Account>();
  for (const account of source) {
    const other = targetByEmail.get(account.email);
    const used = usedById.get(account.id);
    const found = other?.id === account.id ? used : (other ?? used);
    if (found !== undefined) kept.set(account.id, found);
    else if (isShared && account.is_operator === 1) omitted.set(account.id, account);
  }

  function convertRow(table: Table, row: Row): Row | undefined {
    const id = (table === accountTable ? row.id : row.account_id) as SqlValue;
    const other = kept.get(id);
    if (omitted.has(id)) return undefined;
    if (other === undefined) return row;
    // An operator has no roles.
    return table !== accountRoleTable || other.is_operator === 1
      ? undefined
      : { ...row, account_id: other.id };
  }

  function convertRows(table: Table, rows: readonly Row[]): Row[] {
    const converted = new Map<string, Row>();
    for (const before of rows) {
      const row = convertRow(table, before);
      if (row !== undefined) converted.set(getRowKey(table, row), row);
    }
    return [...converted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }

  /** In one batch, because converted rows have another order. */
  async function* readConverted(
    engine: Engine,
    table: Table,
    organizationId: string,
  ): AsyncGenerator<RowBatch> {
    const all: Row[] = [];
    for await (const { rows } of readBatches(engine, table, organizationId)) all.push(...rows);
    yield { rows: convertRows(table, all), after: undefined, last: undefined };
  }

  const changesRows = (table: Table) => (kept.size > 0 || omitted.size > 0) && accountTables.includes(table);

  return {
    changesRows,
    readRoles: async (engine) => {
      const roles = await readRoles(engine);
      return new Map([...roles].map(([id, rows]) => [id, convertRows(accountRoleTable, rows)]));
    },
    readBatches: (engine, table, organizationId) =>
      changesRows(table)
        ? readConverted(engine, table, organizationId)
        : readBatches(engine, table, organizationId),
    kept: [...kept.values()].map(({ email }) => email),
    omittedOperators: source
      .filter(
        ({ id, is_operator: isOperator }) =>
          isOperator === 1 && (kept.get(id)?.is_operator === 0 || omitted.has(id)),
      )
      .map(({ email }) => email),
    endedRoles: targetRoles
      .filter((one) => names.has(one.organizationId) && !copiedRoles.has(toText(one)))
      .map(toText),
  };
}

/** The rows of `account_role` by municipality. */
export async function readRoles(engine: Engine): Promise<Map<string, Row[]>> {
  const rows = await engine.query<Row & { organization_id: string }>(
    `SELECT organization_id, ${listColumnNames(accountRoleTable)} FROM account_role
    ORDER BY organization_id, account_id`,
  );
  return Map.groupBy(rows, (row) => row.organization_id);
}
