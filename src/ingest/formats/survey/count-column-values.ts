/** Counts the values of table columns while rows are read. No row is stored, and the number of values is limited. */
import { limits } from '../../../contract/field-schemas.ts';
import type { ResponseColumn } from './response-rows.ts';

export interface ColumnCounts {
  column: ResponseColumn;
  /** Number of cells by value, without empty cells. Empty for free text. */
  values: Map<string, number>;
  /** Number of cells that are not empty. */
  filled: number;
  /** Whether the column has more or longer values than options have. */
  isFreeText: boolean;
}

export const createColumnCounts = (column: ResponseColumn): ColumnCounts => ({
  column,
  values: new Map(),
  filled: 0,
  isFreeText: false,
});

/** @param maxValues different values of a column with options */
export function countValue(counts: ColumnCounts, value: string, maxValues: number): void {
  if (value === '') return;
  counts.filled += 1;
  if (counts.isFreeText) return;
  const { values } = counts;
  const before = values.get(value);
  if (before === undefined && (values.size === maxValues || value.length > limits.name)) {
    counts.isFreeText = true;
    values.clear();
  } else {
    values.set(value, (before ?? 0) + 1);
  }
}
