/**
 * CSV (RFC 4180) of flat records under the published names. The delimiter is the one of comma, semicolon and
 * tab that the header row has most of.
 */
import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { decoded, type JsonValue } from './json.ts';
import { InputProblem } from './reading.ts';
import { peek } from './source.ts';

const maximumRecord = 4 * 1024 * 1024;

/** Each row as an object with typed values, as its JSON would have them. @throws InputProblem */
export async function* readCsv(name: string, bytes: AsyncGenerator<Buffer>): AsyncGenerator<JsonValue> {
  const { head, content } = await peek(name, bytes);
  const skipped: CsvError[] = [];
  let headerRead = false;
  const rows = parse({
    bom: true,
    columns: (header: string[]) => {
      headerRead = true;
      return checkedHeader(name, header);
    },
    delimiter: delimiterOf(head),
    info: true,
    max_record_size: maximumRecord,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      // A quote that is never closed swallows what follows; going on would lose rows without a word.
      if (error?.code === 'CSV_MAX_RECORD_SIZE') throw error;
      if (!headerRead) throw noTable(name);
      if (error) skipped.push(error);
    },
  });
  pipeline(Readable.from(decoded(name, content)), rows, () => undefined);
  try {
    for await (const { record, info } of rows as AsyncIterable<{
      record: Record<string, string>;
      info: Info;
    }>) {
      yield* skippedRows(name, skipped);
      yield { place: { source: name, line: info.lines }, value: typed(record) };
    }
  } catch (error) {
    if (error instanceof InputProblem) throw error;
    throw new InputProblem(`${name} cannot be read as CSV: ${(error as Error).message}.`);
  }
  yield* skippedRows(name, skipped);
}

function* skippedRows(name: string, skipped: CsvError[]): Generator<JsonValue> {
  let told: unknown;
  for (const error of skipped.splice(0)) {
    // A row can have several faults, and is one row.
    if (error.lines === told) continue;
    told = error.lines;
    const line = typeof error.lines === 'number' ? { line: error.lines } : {};
    yield { place: { source: name, ...line }, problem: `is not a row of this table: ${error.message}` };
  }
}

function delimiterOf(head: Buffer): string {
  const header = head.toString('latin1').split(/\r?\n/, 1)[0] ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best));
}

function checkedHeader(name: string, header: string[]): string[] {
  const names = header.map((column) => column.trim());
  const repeated = names.find((column, index) => names.indexOf(column) !== index);
  if (repeated !== undefined) throw new InputProblem(`${name} has two columns "${repeated}".`);
  if (!names.some((column) => column === 'id' || column === 'surveyId')) {
    throw noTable(name);
  }
  return names;
}

function noTable(name: string): InputProblem {
  return new InputProblem(
    `${name} is neither JSON nor CSV of Rostra's format: its first line names no column "id". The formats are described in docs/importing.md.`,
  );
}

/** An empty cell is an absent value. What a column cannot hold is left as it is, for the checks to name. */
function typed(row: Record<string, string>): Record<string, unknown> {
  const kind = row.kind || ('committeeName' in row ? 'session' : 'submission');
  const value: Record<string, unknown> = { kind };
  for (const [name, cell] of Object.entries(row)) {
    if (cell !== '' && name !== 'kind') value[name] = typedCell(name, cell);
  }
  return value;
}

function typedCell(name: string, cell: string): unknown {
  switch (name) {
    case 'supportCount':
    case 'submissionCount':
      return /^\d{1,10}$/.test(cell) ? Number(cell) : cell;
    case 'hasAttachments':
    case 'deleted':
      return cell === 'true' ? true : cell === 'false' ? false : cell;
    default:
      return cell;
  }
}
