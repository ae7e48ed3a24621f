/** Tables in text files (RFC 4180), row by row under the names in their header. */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { InputProblem, type Place } from './reading.ts';
import { peek } from './source.ts';
import { decoded, encodingOf } from './text.ts';

/** What a person said of a table; what is left open is found out. */
export interface TableForm {
  delimiter?: string | undefined;
  encoding?: string | undefined;
}

export type Row = { place: Place } & (
  | { cells: Record<string, string>; problem?: undefined }
  /** Why this is no row of the table. */
  | { cells?: undefined; problem: string }
);

/** Bytes of one row. */
const maximumRow = 4 * 1024 * 1024;

/**
 * A row that does not fit the header is given with its problem, and the others go on.
 *
 * @param checkHeader told the names of the columns, or undefined where the first line cannot be read; it throws
 *   where this is not the table that was expected
 * @throws InputProblem when the rest cannot be read, as behind a quote that is never closed
 */
export async function* readTable(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  form: TableForm,
  checkHeader: (columns: string[] | undefined) => void,
): AsyncGenerator<Row> {
  const { head, content } = await peek(name, bytes);
  const encoding = form.encoding ?? encodingOf(head);
  const skipped: CsvError[] = [];
  const order = createRowOrder(name);
  let headerRead = false;
  const rows = parse({
    bom: true,
    columns: (header: string[]) => {
      const columns = header.map((column) => column.trim());
      refuseRepeated(name, columns);
      checkHeader(columns);
      headerRead = true;
      return columns;
    },
    delimiter: form.delimiter ?? delimiterOf(firstLine(head, encoding)),
    info: true,
    max_record_size: maximumRow,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (row: { record: Record<string, string>; info: Info }) => (order.take(row) ? row : null),
    on_skip: (error) => {
      if (!headerRead) checkHeader(undefined);
      if (error && (error.code === 'CSV_MAX_RECORD_SIZE' || !headerRead)) throw error;
      if (error && order.skip(error)) skipped.push(error);
    },
  });
  pipeline(Readable.from(decoded(name, content, encoding)), rows, () => undefined);
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Record<string, string>;
      info: Info;
    }>) {
      yield* skippedRows(name, skipped);
      yield { place: { source: name, line: info.lines }, cells: record };
    }
  } catch (error) {
    if (error instanceof InputProblem) throw error;
    throw new InputProblem(sentence(name, error as CsvError));
  }
  yield* skippedRows(name, skipped);
  if (order.problem() !== undefined) throw order.problem();
}

/**
 * Watches that no row is lost without a word. A quotation mark that is not closed where it should be makes the
 * parser take the rows behind it, up to the next one, for text of the same cell, and leaves them out with it.
 */
function createRowOrder(name: string) {
  /** The line where the last row ended, or was broken. */
  let last = 1;
  let broken = false;
  let problem: InputProblem | undefined;
  /** Notes where a row begins and ends. @returns whether it and those before it can be relied on */
  const goOn = (start: number, end: number, quoted: boolean) => {
    if (quoted && start > last + 1)
      problem ??= new InputProblem(
        `${name} has a quotation mark in lines ${broken ? last : last + 1} to ${start - 1} that is not closed where its cell ends: double it within a cell, or take it away, and import the file again.`,
      );
    last = end;
    return problem === undefined;
  };
  return {
    take: ({ record, info: { lines } }: { record: Record<string, string>; info: Info }): boolean => {
      const breaks = broken
        ? (Object.values(record)
            .join()
            .match(/\r\n|\n|\r/g)?.length ?? 0)
        : 0;
      const reliable = goOn(lines - breaks, lines, broken);
      broken = false;
      return reliable;
    },
    skip: ({ code, lines }: CsvError): boolean => {
      if (code === 'CSV_QUOTE_NOT_CLOSED') {
        problem ??= new InputProblem(
          `${name} has a quotation mark in line ${broken ? last : last + 1} or later that is opened and never closed: close it, or take it away, and import the file again.`,
        );
        return false;
      }
      const closing = code === 'CSV_INVALID_CLOSING_QUOTE';
      const reliable = goOn(lines as number, lines as number, broken || closing);
      broken = closing;
      return reliable;
    },
    problem: () => problem,
  };
}

function sentence(name: string, { code, lines, message }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `${name} has a row that does not end, at line ${lines} or before: look for a quotation mark that is opened and never closed.`;
  }
  return `${name} cannot be read as CSV: ${message}.`;
}

function* skippedRows(name: string, skipped: CsvError[]): Generator<Row> {
  let told: unknown;
  for (const error of skipped.splice(0)) {
    // A row can have several faults, and is one row.
    if (error.lines === told) continue;
    told = error.lines;
    const line = typeof error.lines === 'number' ? { line: error.lines } : {};
    yield { place: { source: name, ...line }, problem: `is not a row of this table: ${error.message}` };
  }
}

/** Of comma, semicolon and tab, the one that the header has most of. */
export function delimiterOf(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

export function firstLine(head: Buffer, encoding: string): string {
  const text = new TextDecoder(encoding).decode(head);
  return text.split(/\r\n|\n|\r/, 1)[0] ?? '';
}

/** A column without a name may stand twice: nobody can ask for it. */
function refuseRepeated(name: string, columns: string[]): void {
  const repeated = columns.find((column, index) => column !== '' && columns.indexOf(column) !== index);
  if (repeated !== undefined)
    throw new InputProblem(`${name} has two columns "${repeated}": rename one of them.`);
}
