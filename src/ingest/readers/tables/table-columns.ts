/** Rows and columns of tables, independent of the format of the file. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';

export type TableRow = { location: SourceLocation } /** By column name. */ & (
  | { cells: Record<string, string>; problem?: undefined }
  | { cells?: undefined; problem: Reason }
);

/** @returns the columns with a filled cell */
export const listFilled = (cells: Readonly<Record<string, string>>): string[] =>
  Object.keys(cells).filter((column) => cells[column] !== '');

/** The most columns of a table in MySQL, from which exports come. */
export const maxColumns = 4_096;

/** @returns trimmed names; `column 3` if the third is empty @throws InputError for too many columns */
export function nameColumns(name: string, names: readonly string[]): string[] {
  assertColumnCount(name, names.length);
  return names.map((column, index) => column.trim() || `column ${index + 1}`);
}

export function assertColumnCount(name: string, count: number): void {
  if (count > maxColumns)
    throw new InputError({ code: 'table-too-many-columns', file: name, max: maxColumns });
}

/** The message has positions, not names: in a table without a header, the names are cells. */
export function rejectRepeatedNames(
  name: string,
  columns: readonly string[],
  describePosition: (index: number) => string = (index) => String(index + 1),
): void {
  const positions = new Map<string, number>();
  const second = columns.findIndex((column, index) => {
    if (positions.has(column)) return true;
    positions.set(column, index);
    return false;
  });
  if (second === -1) return;
  const first = positions.get(columns[second] as string) as number;
  throw new InputError({
    code: 'column-repeated',
    file: name,
    first: describePosition(first),
    second: describePosition(second),
  });
}
