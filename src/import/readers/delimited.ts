/** Tables in text files (RFC 4180), row by row under the names in their header. */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { InputError, type SourceLocation } from '../parsed-record.ts';
import { decodeText, detectEncoding } from './encoding.ts';
import { peek } from './input-files.ts';
import { firstCharacter } from './json.ts';

export interface TableDialect {
  delimiter: string;
  encoding: string;
}

/** Options for a table; the reader detects the others. */
export type TableDialectOptions = { [Key in keyof TableDialect]?: TableDialect[Key] | undefined };

export type TableRow = { location: SourceLocation } & (
  | { cells: Record<string, string>; problem?: undefined }
  /** Why this is no row of the table. */
  | { cells?: undefined; problem: string }
);

/** Bytes of one row. */
const maximumRow = 4 * 1024 * 1024;

/**
 * A row that does not fit the header is given with its problem, and the others go on.
 *
 * @param checkHeader receives the names of the columns, `column 3` where the third has none, or undefined where the
 *   first line cannot be read, and the form of the table; it throws where this is not the table that was expected
 * @param shortRows whether a row may end early; what it does not have is undefined
 * @param otherwise what to do about an encoding that is wrong, as in `decoded`
 * @throws InputError when the rest cannot be read, as behind a quote that is never closed
 */
export async function* readTable(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  given: TableDialectOptions,
  checkHeader: (columns: string[] | undefined, form: TableDialect) => void,
  { shortRows = false, otherwise = '' }: { shortRows?: boolean; otherwise?: string } = {},
): AsyncGenerator<TableRow> {
  const { head, content } = await peek(name, bytes);
  const encoding = given.encoding ?? detectEncoding(head);
  const opening = openingOf(new TextDecoder(encoding).decode(head));
  const form: TableDialect = { delimiter: given.delimiter ?? opening.delimiter, encoding };
  const skipped: Skipped[] = [];
  let lastLine = 1;
  let headerRead = false;
  let unclosed: CsvError | undefined;
  const rows = parse({
    bom: true,
    columns: (header: string[]) => {
      const columns = header.map((column, index) => column.trim() || `column ${index + 1}`);
      // First, so that a table without a header is told apart before any of its cells is quoted.
      checkHeader(columns, form);
      refuseRepeated(name, columns);
      headerRead = true;
      return columns;
    },
    delimiter: form.delimiter,
    from_line: opening.headerLine,
    info: true,
    max_record_size: maximumRow,
    relax_column_count_less: shortRows,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error?.code === 'CSV_INVALID_CLOSING_QUOTE' && !headerRead)
        throw new InputError(`${name}, line ${error.lines}: ${faultOf(error)}.`);
      // A quote that is never closed swallows what follows; going on would lose rows without a word.
      if (!headerRead) checkHeader(undefined, form);
      if (error && (error.code === 'CSV_MAX_RECORD_SIZE' || !headerRead)) throw error;
      // Behind a quote inside quotes the parser would read on as if in quotes, and lose the rows that follow.
      if (error?.code === 'CSV_INVALID_CLOSING_QUOTE')
        (rows as unknown as ParserInside).state.quoting = false;
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
  pipeline(Readable.from(decodeText(name, content, encoding, otherwise)), rows, () => undefined);
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Record<string, string>;
      info: Info;
    }>) {
      yield* skippedRows(name, skipped);
      yield { location: { source: name, line: info.lines }, cells: record };
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(sentence(name, error as CsvError));
  }
  yield* skippedRows(name, skipped);
  if (unclosed) throw new InputError(sentence(name, unclosed));
}

interface Skipped {
  error: CsvError;
  /** Where it began; the error has the line where it was broken. */
  firstLine: number;
}

/** What csv-parse keeps while it reads; it offers no other way on behind a wrong quote. */
interface ParserInside {
  state: { quoting: boolean };
}

/** A content, unless it begins as something else than a table. @throws InputError when it is JSON or XML */
export async function assertDelimited(
  name: string,
  bytes: AsyncGenerator<Buffer>,
): Promise<AsyncGenerator<Buffer>> {
  const { head, content } = await peek(name, bytes);
  if (['{', '[', '<'].includes(firstCharacter(head)))
    throw new InputError(`${name} is no table: give CSV or TSV.`);
  return content;
}

function sentence(name: string, error: CsvError): string {
  const { code, lines } = error;
  const unclosed = 'look for a quotation mark that is opened and never closed';
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `${name} has a row that does not end, at line ${lines} or before: ${unclosed}.`;
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `${name} has a row of more than 4 MiB, at line ${lines} or before: leave it out, or ${unclosed}.`;
  return `${name} cannot be read as CSV: ${faultOf(error)}.`;
}

/** The parser's own words quote the cell that it stopped at, which may hold anything. */
function faultOf(error: CsvError): string {
  const { code, column, columns, record } = error;
  const where = typeof column === 'string' ? `"${column}"` : `column ${Number(column) + 1}`;
  switch (code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return `it has ${cells((record as unknown[]).length)}, and the first line ${(columns as unknown[]).length}: look for a delimiter that is missing, or that stands in a cell without quotation marks around it`;
    case 'INVALID_OPENING_QUOTE':
      return `a quotation mark stands in the middle of ${where}: put the cell between quotation marks, and double those within it`;
    case 'CSV_INVALID_CLOSING_QUOTE':
      return closingQuoteFault(error, where);
    default:
      return 'it is not written as CSV is';
  }
}

const blanks: Readonly<Record<string, string>> = {
  '\t': 'a tab',
  ' ': 'a space',
  '\r': 'a carriage return',
  '\n': 'a line feed',
};

/** The parser's message has the first byte of the character; only of ASCII is that the character. */
function closingQuoteFault({ message }: CsvError, where: string): string {
  const [, character = ''] = /got "([\0-\x7f])"/.exec(message) ?? [];
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const called =
    character === '' ? 'another character' : `${blanks[character] ?? `"${character}"`} (U+${code})`;
  return `the closing quotation mark of ${where} is followed by ${called} instead of a delimiter: remove that character, or double the quotation mark if it belongs to the text`;
}

const cells = (count: number) => (count === 1 ? '1 cell' : `${count} cells`);

function* skippedRows(name: string, skipped: Skipped[]): Generator<TableRow> {
  let told: unknown;
  for (const { error, firstLine } of skipped.splice(0)) {
    // A row can have several faults, and is one row.
    if (error.lines === told) continue;
    told = error.lines;
    const line = error.lines as number;
    const reach =
      line > firstLine ? `; it takes in what stands behind a quotation mark from line ${firstLine} on` : '';
    yield {
      location: { source: name, line },
      problem: `is not a row of this table: ${faultOf(error)}${reach}`,
    };
  }
}

/** How a table begins. Excel says in a line before the header what stands between cells: `sep=;`. */
function openingOf(text: string): { delimiter: string; headerLine: number } {
  const [first = ''] = text.split(/\r\n|\n|\r/, 1);
  const [, named] = /^"?sep=(.)"?$/.exec(first.trim() === 'sep=' ? 'sep=\t' : first) ?? [];
  return named === undefined
    ? { delimiter: delimiterOf(first), headerLine: 1 }
    : { delimiter: named, headerLine: 2 };
}

/** Of comma, semicolon and tab, the one that the header has most of. */
function delimiterOf(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** By their places: without a header, what is repeated in the first line is a cell. */
function refuseRepeated(name: string, columns: string[]): void {
  const second = columns.findIndex((column, index) => columns.indexOf(column) !== index);
  if (second === -1) return;
  const first = columns.indexOf(columns[second] as string);
  throw new InputError(
    `${name} has the same name over columns ${first + 1} and ${second + 1}: rename one of them.`,
  );
}
