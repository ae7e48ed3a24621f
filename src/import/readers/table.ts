/** Reads tables of any file format: CSV, TSV, the sheets of spreadsheets, and lists of objects in JSON. */
import { InputError } from '../input-error.ts';
import {
  type DelimitedOptions,
  readDelimited,
  type TableDialect,
  type TableDialectOptions,
} from './delimited.ts';
import { readJsonTable } from './json-table.ts';
import type { SheetInput, TextInput } from './open-input.ts';
import { readSheetTable } from './spreadsheet/sheet-table.ts';
import type { TableRow } from './table-columns.ts';

export interface TableOptions extends TableDialectOptions {
  /** Path of the records in JSON (`json-lists.ts`); undefined: it is found. */
  records?: string | undefined;
}

/**
 * Yields a row that does not match the header with its problem, and continues with the next row.
 *
 * @param checkHeader receives the column names (`column 3` if the third is empty), or undefined if the first line is
 *   invalid; the dialect is undefined for a sheet and for JSON. It throws if this is not the expected table
 * @throws InputError if the rest cannot be read
 */
export function readTable(
  input: TextInput | SheetInput,
  { records, ...given }: TableOptions,
  checkHeader: (columns: string[] | undefined, dialect?: TableDialect) => void,
  options: DelimitedOptions = {},
): AsyncGenerator<TableRow> {
  if (input.kind === 'sheet') return readSheetTable(input.name, input.sheet, checkHeader);
  if (input.kind === 'json') return readJsonTable(input, records, checkHeader);
  return readDelimited(input, given, checkHeader, options);
}

/** @throws InputError if it is JSON or XML */
export function assertTable(input: TextInput | SheetInput): void {
  if (input.kind === 'json' || input.kind === 'xml')
    throw new InputError({ code: 'table-expected', file: input.name });
}
