/** Reads the beginning of a file as JSON, table or XML, to detect its format. */
import { InputError } from '../input-error.ts';
import { readTable } from './delimited.ts';
import { detectEncoding } from './encoding.ts';
import { type InputFile, type InputOptions, peek, readInputFile } from './input-files.ts';

export interface InputSample {
  name: string;
  text: string;
  /** The first object of the document, the array or the first line. */
  json: unknown;
  table: SampleTable | undefined;
  /** Name of the root element. */
  xmlRoot: string | undefined;
}

export interface SampleTable {
  /** At least two columns. */
  header: string[];
  rows: string[][];
}

const maxRows = 200;

/** @throws InputError */
export async function readSample(source: InputFile, options: InputOptions): Promise<InputSample> {
  const { head, content } = await peek(source.name, readInputFile(source, options));
  await content.return(undefined);
  const text = new TextDecoder(detectEncoding(head)).decode(head);
  const first = text.trimStart().charAt(0);
  const isJson = first === '{' || first === '[';
  const xmlRoot =
    first === '<' ? /<([A-Za-z_][\w.:-]*)[\s/>]/.exec(text.replaceAll(/<!--.*?-->/gs, ''))?.[1] : undefined;
  return {
    name: source.name,
    text,
    json: isJson ? findFirstValue(text) : undefined,
    table: isJson || first === '<' ? undefined : await readSampleTable(source.name, text),
    xmlRoot,
  };
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

/** An invalid row is skipped, or ends the sample. */
async function readSampleTable(name: string, text: string): Promise<SampleTable | undefined> {
  let header: string[] = [];
  const rows: string[][] = [];
  // The last line may be cut off.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1) || text;
  const checkHeader = (columns: string[] = []) => {
    header = columns;
  };
  const read = readTable(name, toChunks(Buffer.from(whole)), { encoding: 'utf-8' }, checkHeader, {
    shortRows: true,
  });
  try {
    for await (const { cells } of read) {
      if (cells !== undefined) rows.push(header.map((column) => cells[column] ?? ''));
      if (rows.length === maxRows) break;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return header.length < 2 ? undefined : { header, rows };
}

async function* toChunks(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
