/** Finds the header of a sheet: below empty rows and titles, in one row or several with merged cells. */
import { InputError } from '../../input-error.ts';
import {
  countFilled,
  findRowBelowTitle,
  isFilled,
  listTitles,
  maxTitleRows,
  type TitleRow,
} from '../tables/header-row.ts';
import { type CellRange, formatColumn, type Sheet, type SheetRow } from './workbook.ts';

export interface SheetHeader {
  /** Column of the first name. */
  firstColumn: number;
  /** One for each column; `column 3` for one without a name, as in other tables. */
  names: string[];
  /** Number of the first row of the header, if a title is above it. */
  rowBelowTitle: number | undefined;
  /** Above the header. */
  titles: TitleRow[];
  /** Number of the last row of the header. */
  lastRow: number;
}

const maxHeaderRows = 5;

/**
 * The header is the first row with at least two filled cells; titles above it have one, or two if the header has more. A table of
 * labels and counts may have a name above the counts only. If the header has merged cells, the rows below belong to it: the names are joined,
 * as in `Decision Date` for "Decision" above "Date" and "Status".
 *
 * @param rows the first rows of the sheet
 * @param headerRow number of the first row of the header; undefined: it is found
 * @returns undefined for an empty sheet
 * @throws InputError for a missing row, and for a cell of the header without a value
 */
export async function findHeader(
  name: string,
  sheet: Sheet,
  rows: readonly SheetRow[],
  headerRow: number | undefined,
): Promise<SheetHeader | undefined> {
  const { index, merged } = await findTop(sheet, rows, headerRow);
  const top = rows[index];
  if (top === undefined) return undefined;
  const lastRow = findLastRow(top, rows.slice(index + 1), merged);
  const headerRows = rows.filter((row) => row.number >= top.number && row.number <= lastRow);
  for (const row of headerRows) {
    const [fault] = row.faults;
    if (fault)
      throw new InputError({
        code: 'sheet-header-faulty',
        file: name,
        cell: `${formatColumn(fault.column)}${row.number}`,
        fault: fault.problem,
      });
  }
  const names = joinNames(headerRows.map((row) => repeatMergedCells(row, merged)));
  // Columns without a name count if they have data.
  const columns = [names, ...rows.filter((row) => row.number > lastRow).map(({ cells }) => cells)];
  const firstColumn = Math.min(
    ...columns.map((cells) => cells.findIndex(isFilled)).filter((at) => at !== -1),
  );
  const length = Math.max(...columns.map((cells) => cells.length));
  return {
    firstColumn,
    names: Array.from({ length }, (_, column) => names[column] ?? '').slice(firstColumn),
    rowBelowTitle: rows.slice(0, index).some(hasCells) ? top.number : undefined,
    titles: listTitles(rows.slice(0, index)),
    lastRow,
  };
}

/** @returns the index of the first row of the header, and the merged cells that begin in it */
async function findTop(
  sheet: Sheet,
  rows: readonly SheetRow[],
  headerRow: number | undefined,
): Promise<{ index: number; merged: CellRange[] }> {
  const readMerged = async (index: number) => {
    const top = rows[index];
    return top !== undefined && hasGap(top, rows[index + 1])
      ? (await sheet.readMergedCells(top.number)).filter(({ firstRow }) => firstRow === top.number)
      : [];
  };
  if (headerRow !== undefined) {
    const index = rows.findIndex(({ number }) => number === headerRow);
    return { index, merged: await readMerged(index) };
  }
  const first = Math.max(
    0,
    rows.findIndex((row, at) => countFilled(row.cells) > 1 || isNameOfCounts(row, rows[at + 1])),
  );
  const merged = await readMerged(first);
  const isAboveNames =
    rows[first + 1]?.number === (rows[first]?.number ?? 0) + 1 && hasCells(rows[first + 1]);
  // Merged cells in the row above are the groups of the names.
  if (merged.length > 0 && isAboveNames) return { index: first, merged };
  const below = rows.slice(first, first + maxTitleRows);
  const width = Math.max(0, ...below.map(({ cells }) => cells.length));
  const index =
    first +
    findRowBelowTitle(below.map(({ cells }) => Array.from({ length: width }, (_, column) => cells[column])));
  return index === first ? { index, merged } : { index, merged: await readMerged(index) };
}

const hasCells = (row: SheetRow | undefined) => row !== undefined && countFilled(row.cells) > 0;

/** Whether the only name of a row is above a number with a label to its left, as in a table of one column of counts. */
function isNameOfCounts(row: SheetRow, next: SheetRow | undefined): boolean {
  if (countFilled(row.cells) !== 1 || next?.number !== row.number + 1) return false;
  if (countFilled(next.cells) !== 2) return false;
  const column = row.cells.findIndex(isFilled);
  return isFilled(next.cells[column - 1]) && /^\s*\d+\s*$/.test(next.cells[column] ?? '');
}

/** Whether a name is missing, as it is to the right of the name in merged cells. */
function hasGap(top: SheetRow, next: SheetRow | undefined): boolean {
  const columns = Math.max(top.cells.length, next?.cells.length ?? 0);
  const first = top.cells.findIndex(isFilled);
  return Array.from({ length: columns }, (_, column) => top.cells[column])
    .slice(first)
    .some((cell) => !isFilled(cell));
}

function findLastRow(top: SheetRow, below: readonly SheetRow[], merged: readonly CellRange[]): number {
  const tallest = Math.max(top.number, ...merged.map(({ lastRow }) => lastRow));
  if (tallest > top.number) return Math.min(tallest, top.number + maxHeaderRows - 1);
  const [next] = below;
  if (next === undefined || next.number !== top.number + 1) return top.number;
  const isMerged = (column: number) =>
    merged.some(({ firstColumn, lastColumn }) => column >= firstColumn && column <= lastColumn);
  // In a row of data, the columns with a name of their own are filled as well. A column without a group has its name below.
  const isSecondRow =
    countFilled(next.cells) > 1 &&
    next.cells.every((cell, column) => !isFilled(cell) || isMerged(column) || !isFilled(top.cells[column]));
  return merged.length > 0 && isSecondRow ? next.number : top.number;
}

function repeatMergedCells(
  { number, cells }: SheetRow,
  merged: readonly CellRange[],
): (string | undefined)[] {
  const repeated = [...cells];
  for (const { firstRow, firstColumn, lastColumn } of merged)
    if (firstRow === number) repeated.fill(cells[firstColumn], firstColumn, lastColumn + 1);
  return repeated;
}

function joinNames(rows: readonly (string | undefined)[][]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) => {
    const parts = rows.map((row) => (row[column] ?? '').trim().replaceAll(/\s+/g, ' ')).filter(Boolean);
    return parts.filter((part, index) => part !== parts[index - 1]).join(' ');
  });
}
