/** The beginning of a file, read as each of the shapes that it might have. */
import { parse } from 'csv-parse/sync';
import { InputProblem, type ReadOptions } from '../reading.ts';
import { peek, readSource, type Source } from './source.ts';
import { openingOf, type TableForm } from './table.ts';
import { type Encoding, encodingOf } from './text.ts';

export interface Sample {
  name: string;
  encoding: Encoding;
  text: string;
  /** The first object: of a document or array that is no longer than the sample, or of a line. */
  json: unknown;
  table: SampleTable | undefined;
  /** The name of the outermost element. */
  xmlRoot: string | undefined;
}

export interface SampleTable extends Required<TableForm> {
  header: string[];
  /** Up to 200 of each file. */
  rows: string[][];
}

const mostRows = 200;

/** Several files of one export as one sample, with the rows of all. @throws InputProblem where their columns differ */
export function together([first, ...others]: readonly [Sample, ...Sample[]]): Sample {
  const { table } = first;
  if (table === undefined) return first;
  const rows = others.flatMap(({ name, table: other }) => {
    if (other?.header.join('\n') === table.header.join('\n')) return other.rows;
    throw new InputProblem(`${name} has other columns than ${first.name}: draft a mapping for each.`);
  });
  const name = [first, ...others].map((sample) => sample.name).join(', ');
  return { ...first, name, table: { ...table, rows: [...table.rows, ...rows] } };
}

/** @throws InputProblem when it cannot be read */
export async function sampleOf(
  source: Source,
  options: Pick<ReadOptions, 'signal' | 'onBytes'>,
): Promise<Sample> {
  const { head, content } = await peek(source.name, readSource(source, options));
  await content.return(undefined);
  const encoding = encodingOf(head);
  const text = new TextDecoder(encoding).decode(head);
  const first = text.trimStart().charAt(0);
  const isJson = first === '{' || first === '[';
  const xmlRoot =
    first === '<' ? /<([A-Za-z_][\w.:-]*)[\s/>]/.exec(text.replaceAll(/<!--.*?-->/gs, ''))?.[1] : undefined;
  return {
    name: source.name,
    encoding,
    text,
    json: isJson ? firstValue(text) : undefined,
    table: isJson || first === '<' ? undefined : tableIn(text, encoding),
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

function tableIn(text: string, encoding: string): SampleTable | undefined {
  const { delimiter, headerLine } = openingOf(text);
  // The last line may be cut off.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1) || text;
  try {
    const [header, ...rows] = parse(whole, {
      bom: true,
      delimiter,
      from_line: headerLine,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: mostRows + 1,
    });
    if (header === undefined || header.length < 2) return undefined;
    return { delimiter, encoding, header: header.map((name) => name.trim()), rows };
  } catch {
    return undefined;
  }
}
