/** Reads the rows of a sheet of an Excel workbook (ECMA-376, part 1, 18.3.1.73). */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import { formatNumber, formatSerial, type NumberKind } from './cell-text.ts';
import type { SharedStrings } from './shared-strings.ts';
import { createErrorCell, maxColumns, missingResult, parseColumn, type SheetRow } from './workbook.ts';
import { decodeEscapes } from './xlsx-escapes.ts';
import { type Attributes, parseXml } from './xml-events.ts';

interface SheetContext {
  sharedStrings: SharedStrings | undefined;
  /** By style of a cell. */
  formats: readonly NumberKind[];
  is1904: boolean;
}

/** Characters of a row. */
const maxRowLength = 4 * 1024 * 1024;

interface OpenCell {
  column: number;
  /** `s` refers to a shared string, `n` is a number or date, `str` the text of a formula. */
  type: string;
  style: number;
  text: string;
  hasFormula: boolean;
}

/** @throws InputError */
export async function* readSheetRows(
  name: string,
  content: AsyncIterable<Buffer>,
  context: SheetContext,
): AsyncGenerator<SheetRow[]> {
  let ready: SheetRow[] = [];
  let row: SheetRow = { number: 0, cells: [], faults: [], isHidden: false };
  let nextColumn = 0;
  let rowLength = 0;
  let cell: OpenCell | undefined;
  let isText = false;
  let isPhonetic = false;

  const openRow = ({ r: reference, hidden }: Attributes) => {
    const number = reference === undefined ? row.number + 1 : Number(reference);
    row = { number, cells: [], faults: [], isHidden: hidden === '1' || hidden === 'true' };
    nextColumn = 0;
    rowLength = 0;
  };
  const openCell = ({ r: reference, t: type = 'n', s: style = '0' }: Attributes): OpenCell => {
    const column = reference === undefined ? nextColumn : parseColumn(reference);
    nextColumn = column + 1;
    if (!(column >= 0 && column < maxColumns))
      throw new InputError({ code: 'sheet-too-many-columns', file: name, max: maxColumns });
    return { column, type, style: Number(style), text: '', hasFormula: false };
  };
  const closeCell = (closed: OpenCell) => {
    const { text, problem } = readCell(closed, context);
    if (problem !== undefined) row.faults.push({ column: closed.column, problem });
    else if (text !== undefined && text !== '') row.cells[closed.column] = text;
    rowLength += text?.length ?? 0;
    if (rowLength > maxRowLength)
      throw new InputError({ code: 'sheet-row-too-large', file: name, row: row.number });
  };

  const events = parseXml(name, content, {
    open: (element, attributes) => {
      if (element === 'c') cell = openCell(attributes);
      else if (element === 'v') isText = true;
      else if (element === 'row') openRow(attributes);
      else if (element === 't') isText = !isPhonetic;
      else if (element === 'f' && cell) cell.hasFormula = true;
      else if (element === 'rPh') isPhonetic = true;
    },
    text: (text) => {
      if (isText && cell) cell.text += text;
    },
    close: (element) => {
      if (element === 'v' || element === 't') isText = false;
      else if (element === 'c' && cell) {
        closeCell(cell);
        cell = undefined;
      } else if (element === 'row') {
        if (row.cells.length > 0 || row.faults.length > 0) ready.push(row);
      } else if (element === 'rPh') isPhonetic = false;
    },
  });
  for await (const _ of events) {
    if (ready.length === 0) continue;
    yield ready;
    ready = [];
  }
}

function readCell(
  { type, style, text, hasFormula }: OpenCell,
  { sharedStrings, formats, is1904 }: SheetContext,
): { text?: string | undefined; problem?: Reason } {
  if (type === 's') return { text: sharedStrings?.get(Number(text)) };
  if (type === 'str' || type === 'inlineStr') return { text: decodeEscapes(text) };
  if (text === '') return hasFormula ? { problem: missingResult } : {};
  if (type === 'b') return { text: text === '1' ? 'true' : 'false' };
  // "Not available" is the result of a search that found nothing.
  if (type === 'e') return text === '#N/A' ? {} : { problem: createErrorCell(text) };
  if (type === 'd') return { text: text.replace(/(?:\.\d+)?Z?$/, '') };
  return { text: formatValue(text, formats[style] ?? 'number', is1904) ?? text };
}

function formatValue(text: string, kind: NumberKind, is1904: boolean): string | undefined {
  const number = formatNumber(text.trim());
  if (kind === 'number' || number === undefined) return number;
  if (typeof kind === 'object') return /^\d+$/.test(number) ? number.padStart(kind.digits, '0') : number;
  return formatSerial(Number(text), kind, is1904) ?? number;
}
