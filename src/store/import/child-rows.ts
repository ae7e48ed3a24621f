/** Replaces the child rows of sessions and surveys: agendas, questions, options. */
import type { Engine, Queryable } from '../engine.ts';
import type { Columns, sessionSubmission, surveyOption, surveyQuestion } from '../schema.ts';

/** A transaction of one municipality. */
export interface TenantTransaction {
  transaction: Queryable;
  recordset: Engine['recordset'];
  organizationId: string;
  /** null without a source. */
  sourceId: number | null;
}

/** The first column of the key is the parent's id. */
type ChildTable = typeof sessionSubmission | typeof surveyQuestion | typeof surveyOption;

type ChildRow = Record<string, string | number>;

const parentColumn = ({ key }: ChildTable) => Object.keys(key)[0] as string;
export const childColumns = ({ key, columns }: ChildTable): Columns => ({ ...key, ...columns });
const columnList = (table: ChildTable) => Object.keys(childColumns(table)).join(', ');

/** Returns the ids of the parents whose stored rows differ from the expected rows. */
export async function findChangedParents(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  parentIds: readonly string[],
  expected: readonly ChildRow[],
): Promise<string[]> {
  const parent = parentColumn(table);
  const incoming = `SELECT ${columnList(table)} FROM ${recordset('incoming', '$2', childColumns(table))}`;
  const present = `SELECT ${columnList(table)} FROM ${table.name} WHERE organization_id = $1
    AND ${parent} IN (SELECT id FROM ${recordset('parents', '$3', { id: 'text' })})`;
  const rows = await transaction.query<{ id: string }>(
    `SELECT ${parent} AS id FROM (${incoming} EXCEPT ${present}) AS missing
    UNION SELECT ${parent} FROM (${present} EXCEPT ${incoming}) AS surplus`,
    [organizationId, JSON.stringify(expected), JSON.stringify(parentIds.map((id) => ({ id })))],
  );
  return rows.map(({ id }) => id);
}

export async function insertChildRows(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  rows: readonly ChildRow[],
): Promise<void> {
  await transaction.execute(
    `INSERT INTO ${table.name} (organization_id, ${columnList(table)})
    SELECT $1, ${columnList(table)} FROM ${recordset('incoming', '$2', childColumns(table))}`,
    [organizationId, JSON.stringify(rows)],
  );
}

export async function deleteChildRows(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  parentIds: readonly string[],
): Promise<void> {
  await transaction.execute(
    `DELETE FROM ${table.name} WHERE organization_id = $1
      AND ${parentColumn(table)} IN (SELECT id FROM ${recordset('parents', '$2', { id: 'text' })})`,
    [organizationId, JSON.stringify(parentIds.map((id) => ({ id })))],
  );
}
