/** Spreadsheets as rows of texts, independent of their file format. */
import type { Reason } from '../../../domain/reasons/reason.ts';

export interface Workbook {
  sheets: readonly Sheet[];
}

export interface Sheet {
  name: string;
  isHidden: boolean;
  /** Yields rows in batches, without rows that are empty. Each call reads from the beginning. @throws InputError */
  readRows(): AsyncGenerator<SheetRow[]>;
  /** @returns the ranges of merged cells that begin in the rows up to this one */
  readMergedCells(lastRow: number): Promise<CellRange[]>;
}

export interface SheetRow {
  /** Starts at 1. */
  number: number;
  /** By column, starting at 0; undefined for an empty cell. Dates are in ISO 8601, numbers without exponents. */
  cells: (string | undefined)[];
  /** Cells without a usable value. */
  faults: CellFault[];
  /** By a filter, or by hand. */
  isHidden: boolean;
}

export interface CellFault {
  column: number;
  problem: Reason;
}

/** Rows start at 1, columns at 0. All are inclusive. */
export interface CellRange {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

export const missingResult: Reason = { code: 'cell-without-result' };

export const createErrorCell = (error: string): Reason => ({ code: 'cell-error', error: error.slice(0, 20) });

/** `A` for 0. */
export function formatColumn(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : formatColumn(Math.floor(column / 26) - 1) + letter;
}

/** @returns the zero-based column of a reference such as `AB12`; -1 without letters */
export function parseColumn(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const code = reference.charCodeAt(at);
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return column - 1;
}

/** Columns of a sheet in Excel and LibreOffice. */
export const maxColumns = 16_384;
