/**
 * The accounts of a copy. An account that the target knows by its email address stays as it is there, with its id: other
 * municipalities of the target rely on it. It gets the roles in the copied municipalities.
 */
import type { Engine, Row, SqlValue } from '../engine.ts';
import {
  accountRoleTable,
  accountTable,
  notificationSettingTable,
  type Table,
} from '../table-descriptors.ts';
import { getRowKey, type RowBatch, readBatches } from './row-batches.ts';

export interface CopiedAccounts {
  /** Reads rows of the source as the target should have them. */
  readBatches(from: Engine, table: Table, organizationId: string): AsyncGenerator<RowBatch>;
  /** Whether the target should have other rows than the source. */
  changesRows(table: Table): boolean;
  /** Email addresses of the accounts that stay as they are in the target. */
  kept: string[];
  /** Email addresses of operators of the source that are not operators of the target. */
  omittedOperators: string[];
}

interface Account {
  id: string;
  email: string;
  is_operator: number;
}

interface CopiedRole {
  email: string;
  role: string;
  organizationId: string;
}

const accountTables: readonly Table[] = [accountTable, accountRoleTable, notificationSettingTable];

/**
 * @param others ids of municipalities that only the target has. Then operators are not copied, because they would
 *   administer these too, and an account with a role there stays even if an earlier copy has created it
 */
export async function matchAccounts(
  from: Engine,
  to: Engine,
  others: ReadonlySet<string>,
): Promise<CopiedAccounts> {
  const isShared = others.size > 0;
  const select = 'SELECT id, email, is_operator FROM account ORDER BY email';
  const source = await from.query<Account>(select);
  const target = await to.query<Account>(select);
  const roles = await to.query<{ account_id: string; organization_id: string }>(
    'SELECT account_id, organization_id FROM account_role',
  );
  const usedElsewhere = new Set(
    roles.filter((role) => others.has(role.organization_id)).map((role) => role.account_id),
  );
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

  const changesRows = (table: Table) => (kept.size > 0 || omitted.size > 0) && accountTables.includes(table);

  return {
    changesRows,
    readBatches: (engine, table, organizationId) =>
      changesRows(table)
        ? readConverted(engine, table, organizationId, convertRow)
        : readBatches(engine, table, organizationId),
    kept: [...kept.values()].map(({ email }) => email),
    omittedOperators: source
      .filter(
        ({ id, is_operator: isOperator }) =>
          isOperator === 1 && (kept.get(id)?.is_operator === 0 || omitted.has(id)),
      )
      .map(({ email }) => email),
  };
}

/**
 * @param names names of the copied municipalities by their ids
 * @returns the roles in them that only the target has, and that end: `email address (role, municipality)`
 */
export async function listEndingRoles(
  from: Engine,
  to: Engine,
  names: ReadonlyMap<string, string>,
): Promise<string[]> {
  const readRoles = (engine: Engine) =>
    engine.query<CopiedRole>(
      `SELECT email, role, organization_id AS "organizationId"
      FROM account_role JOIN account ON account.id = account_role.account_id ORDER BY email, organization_id`,
    );
  const toText = ({ email, role, organizationId }: CopiedRole) =>
    `${email} (${role}, ${names.get(organizationId)})`;
  const ending = (await readRoles(to)).filter(({ organizationId }) => names.has(organizationId)).map(toText);
  return [...new Set(ending).difference(new Set((await readRoles(from)).map(toText)))];
}

/** In one batch, because converted rows have another order. */
async function* readConverted(
  from: Engine,
  table: Table,
  organizationId: string,
  convertRow: (table: Table, row: Row) => Row | undefined,
): AsyncGenerator<RowBatch> {
  const converted = new Map<string, Row>();
  for await (const { rows } of readBatches(from, table, organizationId))
    for (const before of rows) {
      const row = convertRow(table, before);
      if (row !== undefined) converted.set(getRowKey(table, row), row);
    }
  const rows = [...converted].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  yield { rows, after: undefined, last: undefined };
}
