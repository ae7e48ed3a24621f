/** Replaces the child rows of sessions and surveys: agendas, questions, options. */
import { selectIds, toIdRows } from '../queries/statements.ts';
import { type Columns, getColumns, listColumnNames, type Table } from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';

type ExpectedRows = readonly [table: Table, rows: readonly Record<string, string | number>[]];

/** The key of a child table starts with the id of the parent. */
const getParentColumn = (key: Columns) => Object.keys(key)[0] as string;

/**
 * Replaces the child rows of the surveys whose stored rows differ.
 *
 * @param tables expected rows of all parents. Rows of the further tables belong to rows of the first (ON DELETE CASCADE).
 * @returns the ids of the changed parents
 */
export async function replaceQuestions(
  target: TenantTransaction,
  parentIds: readonly string[],
  ...tables: readonly [first: ExpectedRows, ...others: ExpectedRows[]]
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const expected of tables)
    for (const id of await findChangedParents(target, parentIds, expected)) changed.add(id);
  if (changed.size === 0 || target.dryRun !== undefined) return changed;
  target.undoLog?.noteSurveys([...changed]);
  await writeChildRows(target, changed, ...tables);
  return changed;
}

/** Replaces all child rows of these parents. */
export async function writeChildRows(
  { transaction, recordset, organizationId }: TenantTransaction,
  changed: ReadonlySet<string>,
  ...tables: readonly [first: ExpectedRows, ...others: ExpectedRows[]]
): Promise<void> {
  if (changed.size === 0) return;
  const [[{ name, key }]] = tables;
  await transaction.execute(
    `DELETE FROM ${name} WHERE organization_id = $1 AND ${getParentColumn(key)} IN (${selectIds(recordset, '$2')})`,
    [organizationId, toIdRows([...changed])],
  );
  for (const [table, rows] of tables) {
    const parent = getParentColumn(table.key);
    const names = listColumnNames(table);
    // RETURNING: Citus would insert with COPY, which row-level security rejects.
    await transaction.query(
      `INSERT INTO ${table.name} (organization_id, ${names})
      SELECT $1, ${names} FROM ${recordset('incoming', '$2', getColumns(table))} RETURNING 1`,
      [organizationId, JSON.stringify(rows.filter((row) => changed.has(row[parent] as string)))],
    );
  }
}

/** @returns the ids of the parents whose stored rows differ */
export async function findChangedParents(
  { transaction, recordset, organizationId }: TenantTransaction,
  parentIds: readonly string[],
  [table, expected]: ExpectedRows,
): Promise<string[]> {
  const parent = getParentColumn(table.key);
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
