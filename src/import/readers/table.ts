/** Reads tables of any file format: CSV, TSV, and the sheets of spreadsheets. */
import { InputError } from '../input-error.ts';
import {
  type DelimitedOptions,
  readDelimited,
  type TableDialect,
  type TableDialectOptions,
} from './delimited.ts';
import type { SheetInput, TextInput } from './open-input.ts';
import { readSheetTable } from './spreadsheet/sheet-table.ts';
import type { TableRow } from './table-columns.ts';

/**
 * Yields a row that does not match the header with its problem, and continues with the next row.
 *
 * @param given for CSV and TSV
 * @param checkHeader receives the column names (`column 3` if the third is empty), or undefined if the first line is
 *   invalid; the dialect is undefined for a sheet. It throws if this is not the expected table
 * @throws InputError if the rest cannot be read
 */
export function readTable(
  input: TextInput | SheetInput,
  given: TableDialectOptions,
  checkHeader: (columns: string[] | undefined, dialect?: TableDialect) => void,
  options: DelimitedOptions = {},
): AsyncGenerator<TableRow> {
  return input.kind === 'sheet'
    ? readSheetTable(input.name, input.sheet, checkHeader)
    : readDelimited(input, given, checkHeader, options);
}

/** @throws InputError if it is JSON or XML */
export function assertTable(input: TextInput | SheetInput): void {
  if (input.kind === 'json' || input.kind === 'xml')
    throw new InputError(`${input.name} is not a table. Use CSV, TSV, .xlsx or .ods.`);
}
