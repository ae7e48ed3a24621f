/** CSV of the tables (RFC 4180): with a header, in UTF-8, and with commas. */
import { type Stringifier, stringify } from 'csv-stringify';
import type { Table } from './tables.ts';

/**
 * @param forSpreadsheets with a byte order mark, by which spreadsheets detect UTF-8. A cell that begins like a formula
 *   becomes a text
 * @returns a stream that reads rows of the table
 */
export const createCsvStream = ({ columns }: Table, forSpreadsheets = false): Stringifier =>
  stringify({
    header: true,
    columns: columns.map(({ name }) => name),
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: { boolean: String },
    bom: forSpreadsheets,
    escape_formulas: forSpreadsheets,
  });
