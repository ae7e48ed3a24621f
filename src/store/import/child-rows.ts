/** Replaces the child rows of sessions and surveys: agendas, questions, options. */
import type { Engine, Queryable } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import {
  getColumns,
  listColumnNames,
  type sessionSubmissionTable,
  type surveyOptionTable,
  type surveyQuestionTable,
} from '../table-descriptors.ts';

/** A transaction of one municipality. */
export interface TenantTransaction {
  transaction: Queryable;
  recordset: Engine['recordset'];
  organizationId: string;
  /** null without a source. */
  sourceId: number | null;
}

/** The first column of the key is the parent's id. */
type ChildTable = typeof sessionSubmissionTable | typeof surveyQuestionTable | typeof surveyOptionTable;

type ChildRow = Record<string, string | number>;

const getParentColumn = ({ key }: ChildTable) => Object.keys(key)[0] as string;

/** Returns the ids of the parents whose stored rows differ from the expected rows. */
export async function findChangedParents(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  parentIds: readonly string[],
  expected: readonly ChildRow[],
): Promise<string[]> {
  const parent = getParentColumn(table);
  const names = listColumnNames(table);
  const incoming = `SELECT ${names} FROM ${recordset('incoming', '$2', getColumns(table))}`;
  const present = `SELECT ${names} FROM ${table.name}
    WHERE organization_id = $1 AND ${parent} IN (${selectIds(recordset, '$3')})`;
  const rows = await transaction.query<{ id: string }>(
    `SELECT ${parent} AS id FROM (${incoming} EXCEPT ${present}) AS missing
    UNION SELECT ${parent} FROM (${present} EXCEPT ${incoming}) AS surplus`,
    [organizationId, JSON.stringify(expected), toIdRows(parentIds)],
  );
  return rows.map(({ id }) => id);
}

export async function insertChildRows(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  rows: readonly ChildRow[],
): Promise<void> {
  const names = listColumnNames(table);
  await transaction.execute(
    `INSERT INTO ${table.name} (organization_id, ${names})
    SELECT $1, ${names} FROM ${recordset('incoming', '$2', getColumns(table))}`,
    [organizationId, JSON.stringify(rows)],
  );
}

export async function deleteChildRows(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  parentIds: readonly string[],
): Promise<void> {
  await transaction.execute(
    `DELETE FROM ${table.name}
    WHERE organization_id = $1 AND ${getParentColumn(table)} IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows(parentIds)],
  );
}
