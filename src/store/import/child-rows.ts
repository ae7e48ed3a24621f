/** Replaces the child rows of sessions and surveys: agendas, questions, options. */
import type { Engine, Queryable } from '../engine.ts';
import type {
  Columns,
  sessionSubmissionTable,
  surveyOptionTable,
  surveyQuestionTable,
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
export const getChildColumns = ({ key, columns }: ChildTable): Columns => ({ ...key, ...columns });
const joinColumns = (table: ChildTable) => Object.keys(getChildColumns(table)).join(', ');

/** Returns the ids of the parents whose stored rows differ from the expected rows. */
export async function findChangedParents(
  { transaction, recordset, organizationId }: TenantTransaction,
  table: ChildTable,
  parentIds: readonly string[],
  expected: readonly ChildRow[],
): Promise<string[]> {
  const parent = getParentColumn(table);
  const incoming = `SELECT ${joinColumns(table)} FROM ${recordset('incoming', '$2', getChildColumns(table))}`;
  const present = `SELECT ${joinColumns(table)} FROM ${table.name} WHERE organization_id = $1
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
    `INSERT INTO ${table.name} (organization_id, ${joinColumns(table)})
    SELECT $1, ${joinColumns(table)} FROM ${recordset('incoming', '$2', getChildColumns(table))}`,
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
      AND ${getParentColumn(table)} IN (SELECT id FROM ${recordset('parents', '$2', { id: 'text' })})`,
    [organizationId, JSON.stringify(parentIds.map((id) => ({ id })))],
  );
}
