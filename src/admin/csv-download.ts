/** Files for spreadsheets. */
import { stringify } from 'csv-stringify/sync';
import type { Messages } from '../messages/en.ts';
import type { Download } from './response-types.ts';

type Row = readonly (string | number)[];

/** @param batches of rows, the first one with the headings */
export function createCsvDownload(
  fileName: string,
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { audit: { delimiter } }: Messages,
): Download {
  async function* compose() {
    // Spreadsheets need a byte order mark to detect UTF-8. An error before the first rows must still become an error page.
    let bom = true;
    for await (const rows of batches) {
      yield stringify(rows as (string | number)[][], {
        bom,
        // The one that spreadsheets in the user's language expect.
        delimiter,
        // Names from users must not become formulas in a spreadsheet.
        escape_formulas: true,
        record_delimiter: 'windows',
        quote_record_delimiter: true,
      });
      bom = false;
    }
  }
  return { fileName, type: 'text/csv; charset=utf-8', content: compose() };
}
