/** CSV (RFC 4180): with a header and in UTF-8. */
import { type Options, type Stringifier, stringify } from 'csv-stringify';
import type { Table } from './tables.ts';

/** Lines in quoted cells stay as they are. */
const shared = { record_delimiter: 'windows', quote_record_delimiter: true } as const satisfies Options;

/** See `createSpreadsheetOptions`. */
export type SpreadsheetDelimiter = ';' | ',';

/** Characters that people do not see, and that spreadsheets may remove from the start of a cell. */
const invisibleStart = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*/u;

/** Spreadsheets read a cell that begins with these as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const formulaStart = /^[=+\-@]/;

/** A spreadsheet displays the apostrophe, but calculates nothing. */
function escapeFormula(cell: string): string {
  const visible = cell.replace(invisibleStart, '');
  // Input methods of East Asia type wide forms, which spreadsheets read like the others.
  const first = String.fromCodePoint(visible.codePointAt(0) ?? 0).normalize('NFKC');
  return formulaStart.test(first) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
}

/**
 * Options of files for spreadsheets: a byte order mark, by which they detect UTF-8, and no cell that begins like a formula.
 *
 * Excel splits a file that is opened with a double click at the list separator of the system: a semicolon where numbers have a
 * decimal comma, as in German, and a comma in English. No single file suits both. After a first line `sep=;`, Excel ignores the byte
 * order mark, so umlauts break, and other programs read the line as a row. Files in UTF-16 with tabs are no CSV for other programs.
 * Therefore there is a file for each.
 */
export const createSpreadsheetOptions = (delimiter: SpreadsheetDelimiter) =>
  ({ ...shared, delimiter, bom: true, cast: { string: escapeFormula } }) as const satisfies Options;

/** @param forSpreadsheets default: with commas, and cells as they are @returns a stream that reads rows of the table */
export function createCsvStream({ columns }: Table, forSpreadsheets?: SpreadsheetDelimiter): Stringifier {
  const options: Options = forSpreadsheets === undefined ? shared : createSpreadsheetOptions(forSpreadsheets);
  return stringify({
    ...options,
    header: true,
    columns: columns.map(({ name }) => name),
    cast: { ...options.cast, boolean: String },
  });
}
