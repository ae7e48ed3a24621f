/** Files for spreadsheets. */
import { stringify } from 'csv-stringify/sync';
import { createSpreadsheetOptions } from '../../contract/dataset/csv.ts';
import type { Messages } from '../messages/en.ts';
import type { Download } from './requests/response-types.ts';

type Row = readonly (string | number)[];

/** @param batches of rows, the first one with the headings */
export function createCsvDownload(
  fileName: string,
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  { audit: { delimiter } }: Messages,
): Download {
  async function* compose() {
    // The one that spreadsheets in the user's language expect.
    const options = createSpreadsheetOptions(delimiter);
    // An error before the first rows must still become an error page.
    let bom = true;
    for await (const rows of batches) {
      yield stringify(rows as (string | number)[][], { ...options, bom });
      bom = false;
    }
  }
  return { fileName, type: 'text/csv; charset=utf-8', content: compose() };
}
