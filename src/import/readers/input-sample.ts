/** The beginning of a file, read as each of the shapes that it might have. */
import { InputError } from '../parsed-record.ts';
import { readTable } from './delimited.ts';
import { detectEncoding } from './encoding.ts';
import { type InputFile, type InputOptions, peek, readInputFile } from './input-files.ts';

export interface InputSample {
  name: string;
  text: string;
  /** The first object: of a document or array that is no longer than the sample, or of a line. */
  json: unknown;
  table: SampleTable | undefined;
  /** The name of the outermost element. */
  xmlRoot: string | undefined;
}

export interface SampleTable {
  /** Two columns at least. */
  header: string[];
  rows: string[][];
}

const maxRows = 200;

/** @throws InputError when it cannot be read */
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
    json: isJson ? firstValue(text) : undefined,
    table: isJson || first === '<' ? undefined : await tableIn(source.name, text),
    xmlRoot,
  };
}

function firstValue(text: string): unknown {
  const [line = ''] = text.trimStart().split('\n', 1);
  const value = parsed(text) ?? parsed(line);
  return Array.isArray(value) ? value[0] : (value ?? firstEntry(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first object of an array that is longer than the sample: it ends with one of the next closing braces. */
function firstEntry(text: string): unknown {
  const from = text.indexOf('{');
  for (let end = text.indexOf('}', from); from !== -1 && end !== -1; end = text.indexOf('}', end + 1)) {
    const value = parsed(text.slice(from, end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Read by the parser of the imports. A row that is wrong ends the sample, or is left out. */
async function tableIn(name: string, text: string): Promise<SampleTable | undefined> {
  let header: string[] = [];
  const rows: string[][] = [];
  // The last line may be cut off.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1) || text;
  const checkHeader = (columns: string[] = []) => {
    header = columns;
  };
  const content = once(Buffer.from(whole));
  const read = readTable(name, content, { encoding: 'utf-8' }, checkHeader, { shortRows: true });
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

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
