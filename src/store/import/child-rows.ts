/** Rows that belong to one of the rows that an import writes, and are replaced with it: agendas, questions, options. */
import type { Engine, Queryable } from '../engine.ts';
import type { Columns, sessionSubmission, surveyOption, surveyQuestion } from '../schema.ts';

/** A transaction of one municipality. */
export interface TenantTransaction {
  inside: Queryable;
  recordset: Engine['recordset'];
  organizationId: string;
  /** Of the source that writes; null: it is none. */
  sourceId: number | null;
}

/**
 * Rows that belong to a session or a survey and are replaced as a whole. What they belong to stands first in
 * their key.
 */
type ChildTable = typeof sessionSubmission | typeof surveyQuestion | typeof surveyOption;

type ChildRow = Record<string, string | number>;

const parentColumn = ({ key }: ChildTable) => Object.keys(key)[0] as string;
export const childColumns = ({ key, columns }: ChildTable): Columns => ({ ...key, ...columns });
const columnList = (table: ChildTable) => Object.keys(childColumns(table)).join(', ');

/** The owners whose rows are not exactly those wanted. */
export async function findChangedParents(
  { inside, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  owners: readonly string[],
  wanted: readonly ChildRow[],
): Promise<string[]> {
  const owner = parentColumn(table);
  const incoming = `SELECT ${columnList(table)} FROM ${recordset('incoming', '$2', childColumns(table))}`;
  const present = `SELECT ${columnList(table)} FROM ${table.name} WHERE organization_id = $1
    AND ${owner} IN (SELECT id FROM ${recordset('owners', '$3', { id: 'text' })})`;
  const rows = await inside.query<{ owner: string }>(
    `SELECT ${owner} AS owner FROM (${incoming} EXCEPT ${present}) AS missing
    UNION SELECT ${owner} FROM (${present} EXCEPT ${incoming}) AS surplus`,
    [organizationId, JSON.stringify(wanted), JSON.stringify(owners.map((id) => ({ id })))],
  );
  return rows.map((row) => row.owner);
}

export async function insertChildRows(
  { inside, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  rows: readonly ChildRow[],
): Promise<void> {
  await inside.execute(
    `INSERT INTO ${table.name} (organization_id, ${columnList(table)})
    SELECT $1, ${columnList(table)} FROM ${recordset('incoming', '$2', childColumns(table))}`,
    [organizationId, JSON.stringify(rows)],
  );
}

export async function deleteChildRows(
  { inside, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  owners: readonly string[],
): Promise<void> {
  await inside.execute(
    `DELETE FROM ${table.name} WHERE organization_id = $1
      AND ${parentColumn(table)} IN (SELECT id FROM ${recordset('owners', '$2', { id: 'text' })})`,
    [organizationId, JSON.stringify(owners.map((id) => ({ id })))],
  );
}
