/** Reads the beginning of a file as JSON, table or XML, to detect its format. */
import type { Reason } from '../../domain/reasons/reason.ts';
import { InputError } from '../input-error.ts';
import { detectEncoding } from './encoding.ts';
import type { InputFile, InputOptions } from './input-files.ts';
import { openInput, type SheetInput, type TextInput } from './open-input.ts';
import { type CheckHeader, readTable } from './tables/table.ts';

const maxRows = 200;

/** The beginning of a file. */
export interface InputSample {
  name: string;
  text: string;
  /** The first object of the document, the array or the first line. */
  json: unknown;
  table: SampleTable | undefined;
  /** Why its first line is not that of a table; undefined for a table, and if the reason is unknown. */
  problem: Reason | undefined;
  /** A list of objects in JSON, which only a mapping reads as a table. */
  objects: (SampleTable & { records: string }) | undefined;
  /** Name of the root element. */
  xmlRoot: string | undefined;
}

export interface SampleTable {
  /** At least two columns. */
  header: string[];
  rows: string[][];
}

/** @throws InputError */
export async function readSample(source: InputFile, options: InputOptions): Promise<InputSample> {
  await using input = await openInput(source, options);
  const { name } = source;
  const text = input.kind === 'sheet' ? '' : new TextDecoder(detectEncoding(input.head)).decode(input.head);
  const empty = { name, text, json: undefined, xmlRoot: undefined, ...noTable };
  switch (input.kind) {
    case 'sheet':
      return { ...empty, ...(await readSampleTable(input, options)) };
    case 'delimited':
      return { ...empty, ...(await readSampleTable(toSampleInput(input, text), options)) };
    case 'json':
      return { ...empty, json: findFirstValue(text), ...(await readSampleTable(input, options)) };
    case 'xml':
      return {
        ...empty,
        xmlRoot: /<([A-Za-z_][\w.:-]*)[\s/>]/.exec(text.replaceAll(/<!--.*?(?:-->|$)/gs, ''))?.[1],
      };
  }
}

function findFirstValue(text: string): unknown {
  const [line = ''] = text.trimStart().split('\n', 1);
  const value = parseOrUndefined(text) ?? parseOrUndefined(line);
  return Array.isArray(value) ? value[0] : (value ?? findFirstObject(text));
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For an array that is longer than the sample: its first object ends with one of the next closing braces. */
function findFirstObject(text: string): unknown {
  const from = text.indexOf('{');
  for (let end = text.indexOf('}', from); from !== -1 && end !== -1; end = text.indexOf('}', end + 1)) {
    const value = parseOrUndefined(text.slice(from, end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The last line of the sample may be cut off. */
function toSampleInput({ kind, name }: TextInput, text: string): TextInput {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1) || text;
  const head = Buffer.from(whole);
  async function* readHead(): AsyncGenerator<Buffer> {
    yield head;
  }
  return { kind, name, head, content: readHead(), observer: {} };
}

const noTable = { table: undefined, objects: undefined, problem: undefined };

/** An invalid row is skipped, or ends the sample. */
async function readSampleTable(
  input: TextInput | SheetInput,
  { records, headerRow }: InputOptions,
): Promise<Pick<InputSample, 'table' | 'objects' | 'problem'>> {
  let header: string[] = [];
  let source: Parameters<CheckHeader>[1];
  const rows: string[][] = [];
  const checkHeader: CheckHeader = (columns = [], found) => {
    header = columns;
    source = found;
  };
  const read = readTable(input, { encoding: 'utf-8', records }, checkHeader, {
    shortRows: true,
    numbersRepeatedNames: true,
    headerRow,
  });
  try {
    for await (const { cells } of read) {
      if (cells !== undefined) rows.push(header.map((column) => cells[column] ?? ''));
      if (rows.length === maxRows) break;
    }
  } catch (error) {
    // A sheet may be damaged; of a text, the sample has only the beginning.
    if (!(error instanceof InputError) || input.kind === 'sheet') throw error;
    if (header.length === 0) return { ...noTable, problem: error.reason };
  }
  if (header.length < 2) return noTable;
  const table = { header, rows };
  return source !== undefined && 'records' in source
    ? { ...noTable, objects: { ...table, records: source.records } }
    : { ...noTable, table };
}
