/** Compares incoming rows with the stored ones. Reads only, so that a transaction writes nothing for equal rows. */
import type { ImportOutcome } from '../../domain/store.ts';
import type { RowDifference, SourcedRow } from '../engine.ts';
import type { SourcedTable } from '../table-descriptors.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';

/**
 * @param rows values of all `getColumns`, with unique ids
 * @returns the rows that differ from the stored rows, with the stored rows, in the order of `rows`. An import must
 *   compare in the transaction that writes.
 */
export async function compareRows(
  { transaction, organizationId }: Pick<TenantTransaction, 'transaction' | 'organizationId'>,
  table: SourcedTable,
  rows: readonly SourcedRow[],
): Promise<RowDifference[]> {
  const ids = rows.map(({ id }) => id);
  return findDifferences(table, rows, await transaction.readRows(table, organizationId, ids));
}

/** As `compareRows`, from rows that have been read before. */
export function findDifferences(
  table: SourcedTable,
  rows: readonly SourcedRow[],
  earlier: readonly SourcedRow[],
): RowDifference[] {
  const stored = new Map(earlier.map((row) => [row.id, row]));
  const published = Object.keys(table.columns).filter((name) => name !== 'source_id');
  const differences: RowDifference[] = [];
  for (const after of rows) {
    const before = stored.get(after.id);
    const isSame = before !== undefined && published.every((name) => isSameValue(before, after, name));
    if (isSame && before.source_id === after.source_id) continue;
    differences.push({ before, after, isMove: isSame });
  }
  return differences;
}

/** A row that an earlier version kept as JSON lacks the columns that this one has added. */
export const isSameValue = (one: SourcedRow, other: SourcedRow, column: string): boolean =>
  (one[column] ?? null) === (other[column] ?? null);

/** @returns the outcome for each row. A row that only moves to another source counts as unchanged. */
export function toOutcomes(
  rows: readonly SourcedRow[],
  differences: readonly RowDifference[],
): ImportOutcome[] {
  const changes = new Map(differences.flatMap((each) => (each.isMove ? [] : [[each.after.id, each]])));
  return rows.map(({ id }) => {
    const change = changes.get(id);
    return change === undefined ? 'unchanged' : change.before === undefined ? 'inserted' : 'changed';
  });
}
