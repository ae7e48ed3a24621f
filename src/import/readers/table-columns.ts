/** Rows and columns of tables, independent of the format of the file. */
import { InputError } from '../input-error.ts';
import type { SourceLocation } from '../parsed-record.ts';

export type TableRow = { location: SourceLocation } /** By column name. */ & (
  | { cells: Record<string, string>; problem?: undefined }
  /** The reason why the row is invalid, as a clause without its subject. */
  | { cells?: undefined; problem: string }
);

/** @returns trimmed names; `column 3` if the third is empty */
export const nameColumns = (names: readonly string[]): string[] =>
  names.map((name, index) => name.trim() || `column ${index + 1}`);

/** The message has positions, not names: in a table without a header, the names are cells. */
export function rejectRepeatedNames(
  name: string,
  columns: readonly string[],
  describePosition: (index: number) => string = (index) => String(index + 1),
): void {
  const second = columns.findIndex((column, index) => columns.indexOf(column) !== index);
  if (second === -1) return;
  const first = columns.indexOf(columns[second] as string);
  throw new InputError(
    `${name} has the same name over columns ${describePosition(first)} and ${describePosition(second)}: rename one of them.`,
  );
}
