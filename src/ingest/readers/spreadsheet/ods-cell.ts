/** Reads the value of a cell of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, 9.1.4 and 19.385). */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { formatDuration, formatNumber } from './cell-text.ts';
import { createErrorCell, missingResult } from './workbook.ts';
import { type Attributes, withoutPrefix } from './xml-events.ts';

export interface OdsCell {
  type: string | undefined;
  value: string | undefined;
  hasFormula: boolean;
  isError: boolean;
  repeatedColumns: number;
  spannedColumns: number;
  spannedRows: number;
  /** As displayed. */
  text: string;
  paragraphs: number;
}

export function openOdsCell(attributes: Attributes): OdsCell {
  const cell: OdsCell = {
    type: undefined,
    value: undefined,
    hasFormula: false,
    isError: false,
    repeatedColumns: 1,
    spannedColumns: 1,
    spannedRows: 1,
    text: '',
    paragraphs: 0,
  };
  for (const key in attributes) {
    const value = attributes[key] as string;
    switch (withoutPrefix(key)) {
      case 'value-type':
        // The extension of LibreOffice says that a text is an error.
        if (value === 'error') cell.isError = true;
        else cell.type ??= value;
        break;
      case 'value':
      case 'date-value':
      case 'time-value':
      case 'boolean-value':
      case 'string-value':
        cell.value = value;
        break;
      case 'formula':
        cell.hasFormula = true;
        break;
      case 'number-columns-repeated':
        cell.repeatedColumns = parseCount(value);
        break;
      case 'number-columns-spanned':
        cell.spannedColumns = parseCount(value);
        break;
      case 'number-rows-spanned':
        cell.spannedRows = parseCount(value);
        break;
    }
  }
  return cell;
}

export function parseCount(text: string | undefined): number {
  const count = Number(text ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
}

const errorText = /^(?:#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)|Err:\d{3})$/;

/** @returns neither text nor problem for an empty cell */
export function readOdsCell(cell: OdsCell): { text?: string | undefined; problem?: Reason } {
  const { type, value, text, hasFormula, isError } = cell;
  if (isError || (hasFormula && errorText.test(text)))
    // "Not available" is the result of a search that found nothing.
    return text === '#N/A' ? {} : { problem: createErrorCell(text) };
  if (type === undefined) return text === '' && hasFormula ? { problem: missingResult } : { text };
  return { text: formatValue(type, value ?? text, text) };
}

function formatValue(type: string, value: string, shown: string): string {
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage':
      // A number format can add leading zeros, such as those of a postcode.
      return /^0\d+$/.test(shown) && Number(shown) === Number(value) ? shown : (formatNumber(value) ?? value);
    case 'date':
      return value.replace(/(?:[.,]\d+)?Z?$/, '');
    case 'time':
      return formatTime(value, shown);
    default:
      return value;
  }
}

/** @param value a duration such as `PT10H30M00S` */
function formatTime(value: string, shown: string): string {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/.exec(value);
  if (parts === null) return shown;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const kind = shown.split(':').length === 2 ? 'time' : 'timeWithSeconds';
  return formatDuration(hours * 3600 + minutes * 60 + seconds, kind);
}
