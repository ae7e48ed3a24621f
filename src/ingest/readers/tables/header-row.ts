/** Tells the header of a table from the titles above it. */

/** Cells of a row; undefined and blank ones are empty. */
type Cells = readonly (string | undefined)[];

/** A row above the header, with its filled cells. */
export interface TitleRow {
  /** Number of the row, in text of the line. */
  line: number;
  texts: string[];
}

/** Rows in which a header is looked for. */
export const maxTitleRows = 12;

/** A title may have a date or a page beside it. A header of two columns is none, because no row below it has more names. */
const maxTitleCells = 2;

export const isFilled = (cell: string | undefined): cell is string =>
  cell !== undefined && cell.trim() !== '';
export const countFilled = (cells: Cells): number => cells.filter(isFilled).length;

/**
 * @param rows the first ones. In text, rows can have different numbers of cells
 * @returns the index of the header below a title of one or two cells; 0 if the first row is no title
 */
export function findRowBelowTitle(rows: readonly Cells[]): number {
  const [first = []] = rows;
  const count = countFilled(first);
  if (count > maxTitleCells || !isFilled(first[0])) return 0;
  const index = rows.findIndex((row, at) => at > 0 && countFilled(row) > maxTitleCells);
  const header = rows[index] ?? [];
  const below = rows.slice(index + 1).filter((row) => countFilled(row) > 0);
  const isTable = below.length > 0 && below.every((row) => row.length === header.length);
  const isTitle =
    countFilled(header) >= 2 * count && areNames(header) && (isTable || first.length === header.length);
  return index > 0 && isTitle && below.length > 0 ? index : 0;
}

/** @param rows those above the header @returns the rows that can be titles */
export const listTitles = (rows: readonly { number: number; cells: Cells }[]): TitleRow[] =>
  rows.flatMap(({ number, cells }) => {
    const texts = cells.filter(isFilled).map((cell) => cell.trim());
    return texts.length > 0 && texts.length <= maxTitleCells ? [{ line: number, texts }] : [];
  });

/** Whether all filled cells are different texts, as in a header. */
function areNames(cells: Cells): boolean {
  const names = cells.filter(isFilled).map((cell) => cell.trim());
  return (
    new Set(names).size === names.length && names.every((name) => /\p{L}/u.test(name) && !/^\d/.test(name))
  );
}
