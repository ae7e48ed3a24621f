/**
 * Finds merged cells in a sheet of an Excel workbook. They follow all rows, and only a header in several rows needs them:
 * a search of the text is faster than parsing it.
 */
import { type CellRange, parseColumn } from './workbook.ts';

const reference = /<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3}\d{1,7}):([A-Z]{1,3}\d{1,7})"/g;

/** Characters that a tag may have, for one that is split between two chunks. */
const maxTagLength = 200;

export async function readMergedCells(content: AsyncIterable<Buffer>, lastRow: number): Promise<CellRange[]> {
  const ranges = new Map<string, CellRange>();
  let rest = '';
  for await (const chunk of content) {
    const text = rest + chunk.toString('latin1');
    for (const [, first = '', last = ''] of text.matchAll(reference)) {
      const range = {
        firstRow: parseRow(first),
        lastRow: parseRow(last),
        firstColumn: parseColumn(first),
        lastColumn: parseColumn(last),
      };
      if (range.firstRow <= lastRow) ranges.set(first, range);
    }
    rest = text.slice(-maxTagLength);
  }
  return [...ranges.values()];
}

const parseRow = (cell: string) => Number(cell.replace(/^[A-Z]+/, ''));
