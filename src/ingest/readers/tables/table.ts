/** Reads tables of any file format: CSV, TSV, the sheets of spreadsheets, and lists of objects in JSON. */
import { InputError } from '../../input-error.ts';
import type { SheetInput, TextInput } from '../open-input.ts';
import { readSheetTable } from '../spreadsheet/sheet-table.ts';
import {
  type DelimitedOptions,
  type HeaderOptions,
  readDelimited,
  type TableDialect,
  type TableDialectOptions,
} from './delimited.ts';
import type { TitleRow } from './header-row.ts';
import { type JsonSource, readJsonTable } from './json-table.ts';
import type { TableRow } from './table-columns.ts';

export interface TableOptions extends TableDialectOptions {
  /** Path of the records in JSON (`json-lists.ts`); undefined: it is found. */
  records?: string | undefined;
}

/**
 * @param columns their names (`column 3` if the third is empty); undefined if the first line is invalid
 * @param found the dialect of CSV and TSV, and the list of JSON
 * @param row number of the first row of the header if titles are above it
 * @param titles of the table, above a header that was found or named
 */
export type CheckHeader = (
  columns: string[] | undefined,
  found?: TableDialect | JsonSource,
  row?: number,
  titles?: readonly TitleRow[],
) => void;

/**
 * Yields a row that does not match the header with its problem, and continues with the next row.
 *
 * @param checkHeader throws if this is not the expected table
 * @throws InputError if the rest cannot be read
 */
export function readTable(
  input: TextInput | SheetInput,
  { records, ...given }: TableOptions,
  checkHeader: CheckHeader,
  options: DelimitedOptions & HeaderOptions = {},
): AsyncGenerator<TableRow> {
  if (input.kind === 'sheet') return readSheetTable(input, checkHeader, options);
  if (input.kind === 'json') return readJsonTable(input, records, checkHeader);
  return readDelimited(input, given, checkHeader, options);
}

/** @throws InputError if it is JSON or XML */
export function assertTable(input: TextInput | SheetInput): void {
  if (input.kind === 'json' || input.kind === 'xml')
    throw new InputError({ code: 'table-expected', file: input.name });
}
