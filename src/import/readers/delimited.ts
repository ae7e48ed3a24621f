/** Reads CSV and TSV tables (RFC 4180) row by row. */

import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, type Parser, parse } from 'csv-parse';
import type { Reason } from '../../reasons/reason.ts';
import { InputError } from '../input-error.ts';
import { decodeText, detectEncoding } from './encoding.ts';
import type { TextInput } from './open-input.ts';
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

/**
 * Yields a row that does not match the header with its problem, and continues with the next row.
 *
 * @param checkHeader as for `readTable`
 * @throws InputError if the rest cannot be read, such as after a quotation mark that is never closed
 */
export async function* readDelimited(
  { name, head, content, observer }: TextInput,
  given: TableDialectOptions,
  checkHeader: (columns: string[] | undefined, dialect: TableDialect) => void,
  { shortRows = false, mayNameEncoding = false }: DelimitedOptions,
): AsyncGenerator<TableRow> {
  const isDetected = given.encoding === undefined;
  const encoding = given.encoding ?? detectEncoding(head);
  if (isDetected && encoding !== 'utf-8')
    observer.onNote?.({ code: 'encoding-detected', file: name, encoding });
  const header = detectHeader(new TextDecoder(encoding).decode(head));
  const dialect: TableDialect = { delimiter: given.delimiter ?? header.delimiter, encoding };
  const skipped: SkippedRow[] = [];
  let lastLine = 1;
  let headerRead = false;
  let unclosed: CsvError | undefined;
  const rows = parse({
    bom: true,
    columns: (names: string[]) => {
      const columns = nameColumns(name, names);
      // Comes first: in a table without a header, the names are cells, which messages must not quote.
      checkHeader(columns, dialect);
      rejectRepeatedNames(name, columns);
      headerRead = true;
      return columns;
    },
    delimiter: dialect.delimiter,
    from_line: header.line,
    info: true,
    max_record_size: maxRowBytes,
    relax_column_count_less: shortRows,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error?.code === 'CSV_INVALID_CLOSING_QUOTE' && !headerRead)
        throw new InputError({
          code: 'csv-header-malformed',
          file: name,
          line: error.lines as number,
          fault: findFault(error),
        });
      if (!headerRead) checkHeader(undefined, dialect);
      if (error && (error.code === 'CSV_MAX_RECORD_SIZE' || !headerRead)) throw error;
      // Otherwise the parser would treat the next rows as part of the quoted cell.
      if (error?.code === 'CSV_INVALID_CLOSING_QUOTE') (rows as ParserWithState).state.quoting = false;
      if (error?.code === 'CSV_QUOTE_NOT_CLOSED') unclosed = error;
      else if (error) skipped.push({ error, firstLine: lastLine + 1 });
      lastLine = error?.lines as number;
    },
    on_record: (row: { record: Record<string, string>; info: Info }) => {
      lastLine = row.info.lines;
      // A column may be called `constructor`, and a short row lacks its cell.
      Object.setPrototypeOf(row.record, null);
      return row;
    },
  });
  const text = decodeText(name, content, encoding, { isDetected, mayName: mayNameEncoding });
  pipeline(Readable.from(dropBlanksAfterQuotes(text, dialect.delimiter)), rows, () => undefined);
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Record<string, string>;
      info: Info;
    }>) {
      yield* emitSkippedRows(name, skipped);
      yield { location: { source: name, line: info.lines }, cells: record };
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(findReadProblem(name, error as CsvError));
  }
  yield* emitSkippedRows(name, skipped);
  if (unclosed) throw new InputError(findReadProblem(name, unclosed));
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

interface SkippedRow {
  error: CsvError;
  /** The error has the line of the fault. */
  firstLine: number;
}

/** Internal state of csv-parse, which has no option to continue after an invalid quotation mark. */
type ParserWithState = Parser & { state: { quoting: boolean } };

function findReadProblem(file: string, error: CsvError): Reason {
  const { code, lines } = error;
  const line = lines as number;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return { code: 'csv-row-unclosed', file, line };
  if (code === 'CSV_MAX_RECORD_SIZE') return { code: 'csv-row-too-large', file, line };
  return { code: 'csv-unreadable', file, fault: findFault(error) };
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
  let lastLine: unknown;
  for (const { error, firstLine } of skipped.splice(0)) {
    // One row can have several faults.
    if (error.lines === lastLine) continue;
    lastLine = error.lines;
    const line = error.lines as number;
    const problem: Reason = {
      code: 'row-malformed',
      fault: findFault(error),
      ...(line > firstLine && { start: firstLine }),
    };
    yield { location: { source: name, line }, problem };
  }
}

/** Excel may write a line with the delimiter before the header: `sep=;`. */
function detectHeader(text: string): { delimiter: string; line: number } {
  const [first = ''] = text.split(/\r\n|\n|\r/, 1);
  const [, declared] = /^"?sep=(.)"?$/.exec(first.trim() === 'sep=' ? 'sep=\t' : first) ?? [];
  return declared === undefined
    ? { delimiter: detectDelimiter(first), line: 1 }
    : { delimiter: declared, line: 2 };
}

/** The most frequent of comma, semicolon and tab. */
function detectDelimiter(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}
