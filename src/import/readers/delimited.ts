/** Reads CSV and TSV tables (RFC 4180) row by row. */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, type Parser, parse } from 'csv-parse';
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
  /** As in `decodeText`. */
  encodingHint?: string;
}

/**
 * Yields a row that does not match the header with its problem, and continues with the next row.
 *
 * @param checkHeader as for `readTable`
 * @throws InputError if the rest cannot be read, such as after a quotation mark that is never closed
 */
export async function* readDelimited(
  { name, head, content }: TextInput,
  given: TableDialectOptions,
  checkHeader: (columns: string[] | undefined, dialect: TableDialect) => void,
  { shortRows = false, encodingHint = '' }: DelimitedOptions,
): AsyncGenerator<TableRow> {
  const encoding = given.encoding ?? detectEncoding(head);
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
        throw new InputError(`${name}, line ${error.lines}: ${describeFault(error)}.`);
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
  const text = decodeText(name, content, encoding, encodingHint);
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
    throw new InputError(describeReadError(name, error as CsvError));
  }
  yield* emitSkippedRows(name, skipped);
  if (unclosed) throw new InputError(describeReadError(name, unclosed));
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

function describeReadError(name: string, error: CsvError): string {
  const { code, lines } = error;
  const unclosed = 'look for a quotation mark that is opened and never closed';
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `${name} has a row that does not end, at line ${lines} or before: ${unclosed}.`;
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `${name} has a row of more than 4 MiB, at line ${lines} or before: leave it out, or ${unclosed}.`;
  return `${name} cannot be read as CSV: ${describeFault(error)}.`;
}

/** The parser's own messages quote cells, which may contain personal data. */
function describeFault(error: CsvError): string {
  const { code, column, columns, record } = error;
  const where = typeof column === 'string' ? `"${column}"` : `column ${Number(column) + 1}`;
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return `it has ${formatCells((record as unknown[]).length)}, and the first line ${(columns as unknown[]).length}: look for a missing delimiter, or a delimiter in a cell without quotation marks`;
    case 'INVALID_OPENING_QUOTE':
      return `${where} has a quotation mark in the middle: put the cell in quotation marks, and double those inside it`;
    case 'CSV_INVALID_CLOSING_QUOTE':
      return describeClosingQuote(error, where);
    default:
      return 'it is not valid CSV';
  }
}

const blankNames: Readonly<Record<string, string>> = {
  '\t': 'a tab',
  ' ': 'a space',
  '\r': 'a carriage return',
  '\n': 'a line feed',
};

/** The parser's message has the first byte of the character, which is the whole character in ASCII only. */
function describeClosingQuote({ message }: CsvError, where: string): string {
  const [, character = ''] = /got "([\0-\x7f])"/.exec(message) ?? [];
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const called =
    character === '' ? 'another character' : `${blankNames[character] ?? `"${character}"`} (U+${code})`;
  return `the closing quotation mark of ${where} is followed by ${called} instead of a delimiter: remove that character, or double the quotation mark if it belongs to the text`;
}

const formatCells = (count: number) => (count === 1 ? '1 cell' : `${count} cells`);

function* emitSkippedRows(name: string, skipped: SkippedRow[]): Generator<TableRow> {
  let lastLine: unknown;
  for (const { error, firstLine } of skipped.splice(0)) {
    // One row can have several faults.
    if (error.lines === lastLine) continue;
    lastLine = error.lines;
    const line = error.lines as number;
    const reach = line > firstLine ? `; a quotation mark makes it start in line ${firstLine}` : '';
    yield {
      location: { source: name, line },
      problem: `is not a row of this table: ${describeFault(error)}${reach}`,
    };
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
