/** Reads the rows of a sheet of an OpenDocument spreadsheet. */
import { InputError } from '../../input-error.ts';
import { type OdsCell, openOdsCell, parseCount, readOdsCell } from './ods-cell.ts';
import { type CellRange, maxColumns, type SheetRow } from './workbook.ts';
import { type Attributes, findAttribute, parseXml } from './xml-events.ts';

/** Cells with content that the attributes for repetition add; a short file could repeat billions. */
const maxRepeatedCells = 10_000_000;

/** Characters of a row. */
const maxRowLength = 4 * 1024 * 1024;

const maxBatchLength = 1000;

interface RepeatedRow extends SheetRow {
  repeatedRows: number;
}

/** @param index of the sheet, starting at 0 @throws InputError */
export async function* readOdsRows(
  name: string,
  content: AsyncGenerator<Buffer>,
  index: number,
): AsyncGenerator<SheetRow[]> {
  const reader = createTableReader(name, index);
  for await (const _ of parseXml(name, content, reader.handlers)) {
    yield* expandRows(reader.takeRows());
    if (reader.isDone()) break;
  }
}

function* expandRows(rows: readonly RepeatedRow[]): Generator<SheetRow[]> {
  let batch: SheetRow[] = [];
  for (const row of rows) {
    for (let at = 0; at < row.repeatedRows; at += 1) {
      batch.push(at === 0 ? row : { ...row, number: row.number + at });
      if (batch.length < maxBatchLength) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

export async function readOdsMergedCells(
  name: string,
  content: AsyncGenerator<Buffer>,
  index: number,
  lastRow: number,
): Promise<CellRange[]> {
  const reader = createTableReader(name, index);
  for await (const _ of parseXml(name, content, reader.handlers)) {
    reader.takeRows();
    if (reader.isDone() || reader.currentRow() > lastRow) break;
  }
  return reader.merged.filter(({ firstRow }) => firstRow <= lastRow);
}

function createTableReader(name: string, index: number) {
  const merged: CellRange[] = [];
  let rows: RepeatedRow[] = [];
  let tables = 0;
  /** Levels of tables; the second is a table inside a cell. */
  let tableLevel = 0;
  let row: RepeatedRow = { number: 0, cells: [], faults: [], isHidden: false, repeatedRows: 1 };
  let nextRow = 1;
  let column = 0;
  let rowLength = 0;
  let repeatedCells = 0;
  let cell: OdsCell | undefined;
  let isInParagraph = false;
  /** Level inside a comment or drawing. */
  let skippedLevel = 0;

  const isInTable = () => tableLevel === 1 && tables === index + 1;
  const openRow = (attributes: Attributes) => {
    const repeatedRows = parseCount(findAttribute(attributes, 'number-rows-repeated'));
    const isHidden = hiddenRows.has(findAttribute(attributes, 'visibility'));
    row = { number: nextRow, cells: [], faults: [], isHidden, repeatedRows };
    nextRow += repeatedRows;
    column = 0;
    rowLength = 0;
  };
  const closeRow = () => {
    const filled = row.cells.length + row.faults.length;
    if (filled === 0) return;
    countRepeated((row.repeatedRows - 1) * filled);
    rows.push(row);
  };
  const countRepeated = (count: number) => {
    repeatedCells += count;
    if (repeatedCells > maxRepeatedCells) throw new InputError({ code: 'sheet-repeats-cells', file: name });
  };
  /** The content of a covered cell is not shown. */
  const closeCell = (closed: OdsCell, isCovered: boolean) => {
    const { text, problem } = isCovered ? {} : readOdsCell(closed);
    if (closed.spannedColumns > 1 || closed.spannedRows > 1) addMergedCells(closed);
    if (problem !== undefined) row.faults.push({ column, problem });
    else if (text !== undefined && text !== '') {
      if (column + closed.repeatedColumns > maxColumns)
        throw new InputError({ code: 'sheet-too-many-columns', file: name, max: maxColumns });
      countRepeated(closed.repeatedColumns - 1);
      for (let at = 0; at < closed.repeatedColumns; at += 1) row.cells[column + at] = text;
      rowLength += text.length * closed.repeatedColumns;
      if (rowLength > maxRowLength)
        throw new InputError({ code: 'sheet-row-too-large', file: name, row: row.number });
    }
    column += closed.repeatedColumns;
  };
  const addMergedCells = ({ spannedColumns, spannedRows }: OdsCell) =>
    merged.push({
      firstRow: row.number,
      lastRow: row.number + spannedRows - 1,
      firstColumn: column,
      lastColumn: column + spannedColumns - 1,
    });
  const openInCell = (target: OdsCell, element: string, attributes: Attributes) => {
    if (skippedElements.has(element) || skippedLevel > 0) skippedLevel += 1;
    else if (element === 'p') {
      if (target.paragraphs > 0) target.text += '\n';
      target.paragraphs += 1;
      isInParagraph = true;
    } else if (element === 's')
      target.text += ' '.repeat(Math.min(parseCount(findAttribute(attributes, 'c')), 1000));
    else if (element === 'tab') target.text += '\t';
    else if (element === 'line-break') target.text += '\n';
  };

  return {
    merged,
    handlers: {
      open: (element: string, attributes: Attributes) => {
        if (element === 'table') {
          tableLevel += 1;
          if (tableLevel === 1) tables += 1;
        } else if (!isInTable()) return;
        else if (cell) openInCell(cell, element, attributes);
        else if (element === 'table-row') openRow(attributes);
        else if (element === 'table-cell' || element === 'covered-table-cell') cell = openOdsCell(attributes);
      },
      text: (text: string) => {
        if (cell && isInParagraph && skippedLevel === 0) cell.text += text.replaceAll(/[ \t\r\n]+/g, ' ');
      },
      close: (element: string) => {
        if (element === 'table') tableLevel -= 1;
        else if (!isInTable()) return;
        else if (skippedLevel > 0) skippedLevel -= 1;
        else if (element === 'p') isInParagraph = false;
        else if (cell && (element === 'table-cell' || element === 'covered-table-cell')) {
          closeCell(cell, element === 'covered-table-cell');
          cell = undefined;
        } else if (element === 'table-row') closeRow();
      },
    },
    takeRows: (): RepeatedRow[] => {
      const taken = rows;
      rows = [];
      return taken;
    },
    currentRow: () => row.number,
    /** Whether the sheet has been read to its end. */
    isDone: () => tables > index + 1 || (tables === index + 1 && tableLevel === 0),
  };
}

/** Hidden by hand, and by a filter. */
const hiddenRows: ReadonlySet<string | undefined> = new Set(['collapse', 'filter']);

/** Comments, drawings, and readings beside East Asian texts. */
const skippedElements = new Set(['annotation', 'frame', 'ruby-text']);
