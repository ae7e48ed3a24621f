/** Reads CSV and TSV tables (RFC 4180) row by row. */

import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, type Parser, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import { decodeText, detectEncoding } from '../encoding.ts';
import type { TextInput } from '../open-input.ts';
import { numberRepeatedNames } from '../repeated-column-names.ts';
import { doubleEscapedQuotes } from './backslash-quotes.ts';
import { findRowBelowTitle, listTitles, maxTitleRows, type TitleRow } from './header-row.ts';
import { nameColumns, rejectRepeatedNames, type TableRow } from './table-columns.ts';

export interface TableDialect {
  delimiter: string;
  encoding: string;
}

/** The reader detects undefined options. */
export type TableDialectOptions = { [Key in keyof TableDialect]?: TableDialect[Key] | undefined };

const maxRowBytes = 4 * 1024 * 1024;

export interface DelimitedOptions {
  /** Accepts rows with too few cells; the others are undefined. */
  shortRows?: boolean;
  /** Whether the user can name the encoding in a mapping. */
  mayNameEncoding?: boolean;
}

export interface HeaderOptions {
  /** Numbers columns of the same name, in tables whose columns the user names. Other tables are rejected. */
  numbersRepeatedNames?: boolean;
  /** Number of the row, in text of the line, in which the header begins, from 1; undefined: it is found below titles. */
  headerRow?: number | undefined;
}

/**
 * Yields a row that does not match the header with its problem, and continues with the next row.
 *
 * @param checkHeader as for `readTable`
 * @throws InputError if the rest cannot be read, such as after a quotation mark that is never closed
 */
export async function* readDelimited(
  { name, head, content, observer }: TextInput,
  given: TableDialectOptions,
  checkHeader: (
    columns: string[] | undefined,
    dialect: TableDialect,
    row?: number,
    titles?: readonly TitleRow[],
  ) => void,
  {
    shortRows = false,
    mayNameEncoding = false,
    numbersRepeatedNames = false,
    headerRow,
  }: DelimitedOptions & HeaderOptions,
): AsyncGenerator<TableRow> {
  const isDetected = given.encoding === undefined;
  const encoding = given.encoding ?? detectEncoding(head);
  if (isDetected && encoding !== 'utf-8') observer.onEncodingDetected?.(name, encoding);
  const beginning = new TextDecoder(encoding).decode(head);
  const detected = detectHeader(beginning, given.delimiter, headerRow);
  const dialect: TableDialect = { delimiter: detected.delimiter, encoding };
  const skipped: SkippedRow[] = [];
  let last: Pick<Info, 'lines' | 'empty_lines'> = { lines: detected.line - 1, empty_lines: 0 };
  /** The first line of a row, given the counts at its end. */
  const findStart = (end: typeof last) => last.lines + 1 + end.empty_lines - last.empty_lines;
  let columns: string[] = [];
  let unclosed: SkippedRow | undefined;
  const rows = parse({
    bom: true,
    columns: (names: string[]) => {
      const given = nameColumns(name, names);
      const header = numbersRepeatedNames ? numberRepeatedNames(given) : given;
      // Comes first: in a table without a header, the names are cells, which messages must not quote.
      checkHeader(
        header,
        dialect,
        detected.isBelowTitle ? detected.line : undefined,
        readTitles(beginning, detected),
      );
      rejectRepeatedNames(name, header);
      columns = header;
      last = { ...rows.info };
      return header;
    },
    delimiter: dialect.delimiter,
    from_line: detected.line,
    info: true,
    max_record_size: maxRowBytes,
    relax_column_count_less: shortRows,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined) return;
      const { code } = error;
      const isHeader = columns.length === 0;
      if (isHeader && code === 'CSV_INVALID_CLOSING_QUOTE')
        throw new InputError({
          code: 'csv-header-malformed',
          file: name,
          line: error.lines as number,
          fault: findFault(error),
        });
      if (isHeader) checkHeader(undefined, dialect);
      const end = error as CsvError & typeof last;
      const skippedRow = { error, firstLine: findStart(end), lastLine: end.lines };
      if (isHeader || code === 'CSV_MAX_RECORD_SIZE') throw createReadError(name, skippedRow);
      // Otherwise the parser would treat the next rows as part of the quoted cell.
      if (code === 'CSV_INVALID_CLOSING_QUOTE') (rows as ParserWithState).state.quoting = false;
      if (code === 'CSV_QUOTE_NOT_CLOSED') unclosed = skippedRow;
      else skipped.push(skippedRow);
      last = end;
    },
    on_record: ({ record, info }: { record: Record<string, string>; info: Info }): ReadRow => {
      const firstLine = findStart(info);
      last = info;
      // A column may be called `constructor`, and a short row lacks its cell.
      Object.setPrototypeOf(record, null);
      return { cells: record, firstLine, lastLine: info.lines };
    },
  });
  const text = decodeText(name, content, encoding, { isDetected, mayName: mayNameEncoding });
  const quoted = doubleEscapedQuotes(text, {
    head: beginning,
    delimiter: dialect.delimiter,
    onFound: () => observer.onBackslashQuotes?.(name),
  });
  pipeline(Readable.from(dropBlanksAfterQuotes(quoted, dialect.delimiter)), rows, () => undefined);
  try {
    for await (const { cells, firstLine, lastLine } of rows as AsyncIterable<ReadRow>) {
      yield* emitSkippedRows(name, skipped);
      // Spreadsheets write them between and below the rows.
      if (Object.values(cells).every((cell) => cell === '')) continue;
      const fault = lastLine > firstLine ? findSwallowedRows(cells, columns, dialect.delimiter) : undefined;
      yield fault === undefined
        ? { location: { source: name, line: lastLine }, cells }
        : createMalformedRow(name, fault, firstLine, lastLine);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError({ code: 'csv-unreadable', file: name, fault: findFault(error as CsvError) });
  }
  if (headerRow !== undefined && columns.length === 0)
    throw new InputError({ code: 'header-row-missing', file: name, row: headerRow });
  yield* emitSkippedRows(name, skipped);
  if (unclosed) throw createReadError(name, unclosed);
}

/**
 * A quotation mark that is never closed can end at one of a later row. Then a cell contains the rows between them: lines with
 * as many delimiters as a row, whose first cell looks like that of the row.
 */
function findSwallowedRows(
  cells: Readonly<Record<string, string>>,
  columns: readonly string[],
  delimiter: string,
): Reason | undefined {
  const toShape = (cell = '') =>
    cell
      .trim()
      .replaceAll(/\d+/g, '0')
      .replaceAll(/\p{L}+/gu, 'a');
  // The order of an object's properties differs if names are whole numbers.
  const shape = toShape(cells[columns[0] as string]);
  if (!shape.includes('0')) return undefined;
  for (const [column, cell] of Object.entries(cells)) {
    const count = cell
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(delimiter))
      .filter((parts) => parts.length === columns.length && toShape(parts[0]) === shape).length;
    if (count > 0) return { code: 'rows-in-cell', column, count };
  }
  return undefined;
}

/**
 * Some exports write blanks between a closing quotation mark and the delimiter, which the parser rejects. It could trim
 * them, but then it loses the rows after an invalid quotation mark.
 */
async function* dropBlanksAfterQuotes(
  texts: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<string> {
  const blanks = delimiter === '\t' ? /^ +/ : /^[ \t]+/;
  let place: 'outside' | 'quoted' | 'closed' = 'outside';
  let hasDropped = false;
  /** The character before the next quotation mark, which opens a cell only at its start. */
  let last = '';
  for await (const text of texts) {
    const pieces = text.split('"');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) {
        if (place === 'quoted') place = 'closed';
        else if (place === 'closed' || ['', '\n', '\r', delimiter].includes(last)) place = 'quoted';
      }
      last = piece === '' && index > 0 ? '"' : (piece.at(-1) ?? last);
      if (place !== 'closed') continue;
      const rest = piece.replace(blanks, '');
      const isLast = index === pieces.length - 1;
      // A quotation mark that follows must not become a doubled one.
      if (rest !== '' || isLast) pieces[index] = rest;
      else if (hasDropped) pieces[index] = ' ';
      hasDropped = isLast && rest === '' && (hasDropped || piece !== '');
      if (rest !== '') place = 'outside';
    }
    yield pieces.join('"');
  }
}

interface RowLines {
  firstLine: number;
  lastLine: number;
}

interface ReadRow extends RowLines {
  cells: Record<string, string>;
}

interface SkippedRow extends RowLines {
  error: CsvError;
}

/** Internal state of csv-parse, which has no option to continue after an invalid quotation mark. */
type ParserWithState = Parser & { state: { quoting: boolean } };

function createReadError(file: string, { error, firstLine, lastLine }: SkippedRow): InputError {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new InputError({
        code: 'csv-row-unclosed',
        file,
        line: firstLine,
        lines: lastLine - firstLine + 1,
      });
    case 'CSV_MAX_RECORD_SIZE':
      return new InputError({ code: 'csv-row-too-large', file, line: firstLine });
    default:
      return new InputError({ code: 'csv-unreadable', file, fault: findFault(error) });
  }
}

/** The parser's own messages quote cells, which may contain personal data. */
function findFault(error: CsvError): Reason {
  const { code, columns, record } = error;
  const column = typeof error.column === 'string' ? error.column : Number(error.column) + 1;
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return {
        code: 'cell-count-wrong',
        cells: (record as unknown[]).length,
        expected: (columns as unknown[]).length,
      };
    case 'INVALID_OPENING_QUOTE':
      return { code: 'quote-inside-cell', column };
    case 'CSV_INVALID_CLOSING_QUOTE':
      return { code: 'text-after-quote', column, character: findCharacterAfterQuote(error) };
    default:
      return { code: 'csv-invalid' };
  }
}

/** The parser's message has the first byte of the character, which is the whole character in ASCII only. */
function findCharacterAfterQuote({ message }: CsvError): string | undefined {
  const [, character] = /got "([\0-\x7f])"/.exec(message) ?? [];
  return character?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

function* emitSkippedRows(name: string, skipped: SkippedRow[]): Generator<TableRow> {
  let last: number | undefined;
  for (const { error, firstLine, lastLine } of skipped.splice(0)) {
    // One row can have several faults.
    if (lastLine === last) continue;
    last = lastLine;
    yield createMalformedRow(name, findFault(error), firstLine, lastLine);
  }
}

function createMalformedRow(name: string, fault: Reason, start: number, line: number): TableRow {
  const extent = line > start ? { start, lines: line - start + 1 } : {};
  return { location: { source: name, line }, problem: { code: 'row-malformed', fault, ...extent } };
}

const delimiters = [',', ';', '\t'];

interface DetectedHeader {
  delimiter: string;
  /** Number of its first line. */
  line: number;
  isBelowTitle?: boolean;
}

/** Excel may write a line with the delimiter before the header: `sep=;`. @param text the beginning of the file */
function detectHeader(
  text: string,
  givenDelimiter: string | undefined,
  headerRow: number | undefined,
): DetectedHeader {
  const lines = text.split(/\r\n|\n|\r/, headerRow ?? 1);
  const [first = ''] = lines;
  const [, declared] = /^"?sep=(.)"?$/.exec(first.trim() === 'sep=' ? 'sep=\t' : first) ?? [];
  if (headerRow !== undefined) {
    const named = lines[headerRow - 1] ?? '';
    return { delimiter: givenDelimiter ?? declared ?? detectDelimiter(named), line: headerRow };
  }
  if (declared !== undefined) return { delimiter: givenDelimiter ?? declared, line: 2 };
  const delimiter = givenDelimiter ?? detectDelimiter(first);
  // A title may have another delimiter in its text.
  for (const possible of givenDelimiter === undefined
    ? [...new Set([delimiter, ...delimiters])]
    : [delimiter]) {
    const line = findLineBelowTitle(text, possible);
    if (line > 1) return { delimiter: possible, line, isBelowTitle: true };
  }
  return { delimiter, line: 1 };
}

/** @returns 1 if the first line is the header */
function findLineBelowTitle(text: string, delimiter: string): number {
  try {
    const rows = parseSync(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      to: maxTitleRows,
    }) as unknown as { record: string[]; info: Info }[];
    const index = findRowBelowTitle(rows.map(({ record }) => record));
    return index === 0 ? 1 : (rows[index - 1]?.info.lines ?? 0) + 1;
  } catch {
    // The beginning ends inside a cell.
    return 1;
  }
}

/** @returns the lines above the header; a quoted title with a line break is several */
function readTitles(text: string, { delimiter, line }: DetectedHeader): TitleRow[] {
  const lines = line === 1 ? [] : text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/, line - 1);
  return listTitles(
    lines.map((title, index) => ({ number: index + 1, cells: splitTitle(title, delimiter) })),
  );
}

function splitTitle(title: string, delimiter: string): string[] {
  try {
    const [cells = []] = parseSync(title, { delimiter, relax_quotes: true }) as unknown as string[][];
    return cells;
  } catch {
    // The title has a line break.
    return title.replaceAll('"', '').split(delimiter);
  }
}

/** The most frequent of comma, semicolon and tab. */
function detectDelimiter(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}
