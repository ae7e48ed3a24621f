import { stringify } from 'csv-stringify/sync';

/** Spreadsheets need a byte order mark to detect UTF-8. */
export const byteOrderMark = '\uFEFF';

/** @param delimiter the one that spreadsheets in the user's language expect */
export const composeCsvRows = (rows: readonly (readonly (string | number)[])[], delimiter: string): string =>
  // Names from users must not become formulas in a spreadsheet.
  stringify(rows as (string | number)[][], {
    delimiter,
    escape_formulas: true,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
  });
