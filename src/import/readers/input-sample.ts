/** Reads the beginning of a file as JSON, table or XML, to detect its format. */
import type { InputSample } from '../format-definition.ts';
import { InputError } from '../input-error.ts';
import { detectEncoding } from './encoding.ts';
import type { InputFile, InputOptions } from './input-files.ts';
import { openInput, type SheetInput, type TextInput } from './open-input.ts';
import { readTable } from './table.ts';

const maxRows = 200;

/** @throws InputError */
export async function readSample(source: InputFile, options: InputOptions): Promise<InputSample> {
  await using input = await openInput(source, options);
  const { name } = source;
  if (input.kind === 'sheet')
    return {
      name,
      text: '',
      json: undefined,
      ...(await readSampleTable(input)),
      objects: undefined,
      xmlRoot: undefined,
    };
  const text = new TextDecoder(detectEncoding(input.head)).decode(input.head);
  return {
    name,
    text,
    json: input.kind === 'json' ? findFirstValue(text) : undefined,
    ...(input.kind === 'delimited' ? await readSampleTable(toSampleInput(input, text)) : noTable),
    objects: input.kind === 'json' ? (await readSampleTable(toSampleInput(input, text))).table : undefined,
    xmlRoot:
      input.kind === 'xml'
        ? /<([A-Za-z_][\w.:-]*)[\s/>]/.exec(text.replaceAll(/<!--.*?(?:-->|$)/gs, ''))?.[1]
        : undefined,
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

/** The last line of the sample may be cut off. */
function toSampleInput({ kind, name }: TextInput, text: string): TextInput {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1) || text;
  const head = Buffer.from(whole);
  async function* readHead(): AsyncGenerator<Buffer> {
    yield head;
  }
  return { kind, name, head, content: readHead(), observer: {} };
}

const noTable = { table: undefined, problem: undefined };

/** An invalid row is skipped, or ends the sample. */
async function readSampleTable(
  input: TextInput | SheetInput,
): Promise<Pick<InputSample, 'table' | 'problem'>> {
  let header: string[] = [];
  const rows: string[][] = [];
  const checkHeader = (columns: string[] = []) => {
    header = columns;
  };
  const read = readTable(input, { encoding: 'utf-8' }, checkHeader, { shortRows: true });
  try {
    for await (const { cells } of read) {
      if (cells !== undefined) rows.push(header.map((column) => cells[column] ?? ''));
      if (rows.length === maxRows) break;
    }
  } catch (error) {
    // A sheet may be damaged; of a text, the sample has only the beginning.
    if (!(error instanceof InputError) || input.kind === 'sheet') throw error;
    if (header.length === 0) return { table: undefined, problem: error.reason };
  }
  return header.length < 2 ? noTable : { table: { header, rows }, problem: undefined };
}
