/** Reads a sheet as a table with a header. */
import { InputError } from '../../input-error.ts';
import type { SheetInput } from '../open-input.ts';
import { numberRepeatedNames } from '../repeated-column-names.ts';
import type { HeaderOptions } from '../tables/delimited.ts';
import type { TitleRow } from '../tables/header-row.ts';
import { nameColumns, rejectRepeatedNames, type TableRow } from '../tables/table-columns.ts';
import { findHeader, type SheetHeader } from './sheet-header.ts';
import { type CellFault, formatColumn, type SheetRow } from './workbook.ts';

/** Rows to find the header in, below titles. */
const maxRowsBeforeData = 100;

/**
 * @param checkHeader as for `readTable`
 * @throws InputError for an empty sheet, and as the sheet
 */
export async function* readSheetTable(
  { name, sheet, observer }: SheetInput,
  checkHeader: (columns: string[], found?: undefined, row?: number, titles?: readonly TitleRow[]) => void,
  { numbersRepeatedNames = false, headerRow }: HeaderOptions,
): AsyncGenerator<TableRow> {
  const title = `${name}, sheet "${sheet.name}",`;
  const batches = sheet.readRows();
  try {
    const { first, isComplete } = await readFirstRows(batches);
    const header = await findHeader(title, sheet, first, headerRow);
    if (header === undefined && headerRow !== undefined)
      throw new InputError({ code: 'header-row-missing', file: name, row: headerRow });
    if (header === undefined) throw new InputError({ code: 'sheet-empty', file: name, sheet: sheet.name });
    const data = first.filter((row) => row.number > header.lastRow);
    const given = nameColumns(name, header.names);
    const columns = numbersRepeatedNames ? numberRepeatedNames(given) : given;
    checkHeader(columns, undefined, header.rowBelowTitle, header.titles);
    rejectRepeatedNames(name, columns, (index) => formatColumn(index + header.firstColumn));
    const toRow = createRowReader(name, sheet.name, header, columns);
    let hidden = 0;
    for await (const batch of isComplete ? [data] : chain(data, batches))
      for (const row of batch) {
        hidden += Number(row.isHidden);
        yield toRow(row);
      }
    if (hidden > 0) observer.onNote?.({ code: 'rows-hidden', file: name, sheet: sheet.name, count: hidden });
  } finally {
    await batches.return(undefined);
  }
}

async function* chain(first: SheetRow[], later: AsyncGenerator<SheetRow[]>): AsyncGenerator<SheetRow[]> {
  yield first;
  yield* later;
}

async function readFirstRows(batches: AsyncGenerator<SheetRow[]>) {
  const first: SheetRow[] = [];
  while (first.length < maxRowsBeforeData) {
    const { done, value } = await batches.next();
    if (done) return { first, isComplete: true };
    first.push(...value);
  }
  return { first, isComplete: false };
}

function createRowReader(
  source: string,
  sheet: string,
  { firstColumn }: SheetHeader,
  columns: readonly string[],
) {
  const lastColumn = firstColumn + columns.length - 1;
  return ({ number, cells, faults: [fault] }: SheetRow): TableRow => {
    const location = { source, sheet, line: number };
    const outside = cells.findIndex(
      (cell, column) => cell !== undefined && (column < firstColumn || column > lastColumn),
    );
    const found: CellFault | undefined =
      outside === -1 ? fault : { column: outside, problem: { code: 'cell-outside' } };
    if (found !== undefined) {
      const cell = `${formatColumn(found.column)}${number}`;
      return { location, problem: { code: 'cell-faulty', cell, fault: found.problem } };
    }
    const row: Record<string, string> = Object.create(null);
    for (const [index, column] of columns.entries()) row[column] = cells[firstColumn + index] ?? '';
    return { location, cells: row };
  };
}
