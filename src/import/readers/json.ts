/**
 * JSON in the shapes it comes in: one value per line (NDJSON), one array, an object around a list, or one document.
 * Values are read one at a time; a line, an entry of a list and a document have a bound.
 */
import { InputError, type SourceLocation } from '../parsed-record.ts';
import { assertNotUtf16, detectEncoding } from './encoding.ts';
import { peek } from './input-files.ts';
import { readEntries, wholeContent } from './json-entries.ts';
import { findShapeProblem, isNestedTooDeeply, maxTextLength, tooDeepMessage } from './json-limits.ts';

export interface ParsedJsonValue {
  location: SourceLocation;
  /** Absent where `problem` says why. */
  value?: unknown;
  problem?: string | undefined;
  /** The list it is an entry of, where the reader named it. */
  list?: string | undefined;
}

const blank = /^[\s]*$/;

/** The first character that is no white space and no byte order mark, whatever the encoding. */
export function firstCharacter(head: Buffer): string {
  return new TextDecoder(detectEncoding(head)).decode(head).trimStart().charAt(0);
}

/** Bytes of the first lines by which it is told that there are lines: pages of an API can be as long. */
const longestPage = 4 * 1024 * 1024;

/**
 * @param lists names that lead to lists within an object, from the outside, as `data.proposals`; their entries are
 *   given, unless there is an object a line: then the object is
 * @throws InputError when the content, or the rest of it, cannot be made sense of
 */
export async function* readJson(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  lists: readonly string[] = [],
): AsyncGenerator<ParsedJsonValue> {
  const { head, content } = await peek(name, bytes, lists.length === 0 ? undefined : longestPage);
  assertNotUtf16(name, head);
  if (firstCharacter(head) === '[') yield* readEntries(name, content, [wholeContent]);
  else if (lists.length > 0 && !startsWithLines(head)) yield* readEntries(name, content, lists);
  else yield* readLinesOrDocument(name, content);
}

/** Whether one of the first two lines is an object by itself, and not all there is. */
function startsWithLines(head: Buffer): boolean {
  const lines = new TextDecoder().decode(head).split('\n');
  const [first, second] = lines.map((line) => line.trim()).filter((line) => line !== '');
  const isObject = (line: string) => line.startsWith('{') && parse(line).parsed !== undefined;
  return first !== undefined && second !== undefined && (isObject(first) || isObject(second));
}

/** A file that starts with an object: one object per line, unless the first line is no object by itself. */
async function* readLinesOrDocument(
  name: string,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<ParsedJsonValue> {
  const lines = readLines(name, content);
  let held: JsonLine | undefined;
  let first = true;
  for await (const line of lines) {
    const opening = first;
    first = false;
    if (opening && line.parsed === undefined) {
      held = line;
      continue;
    }
    if (held !== undefined && line.parsed === undefined) {
      yield await readDocument(name, [held.text, line.text], lines);
      return;
    }
    if (held !== undefined) yield asValue(name, held);
    held = undefined;
    yield asValue(name, line);
  }
  if (held !== undefined) yield await readDocument(name, [held.text], lines);
}

interface JsonLine {
  line: number;
  text: string;
  /** Boxed, as a line may hold null. */
  parsed: { value: unknown } | undefined;
  problem: string | undefined;
}

function asValue(name: string, { line, parsed, problem }: JsonLine): ParsedJsonValue {
  const location = { source: name, line };
  return parsed === undefined || problem !== undefined
    ? { location, problem: problem ?? 'is not valid JSON' }
    : { location, value: parsed.value };
}

/** @throws InputError: neither lines nor a document */
async function readDocument(
  name: string,
  read: string[],
  rest: AsyncIterable<JsonLine>,
): Promise<ParsedJsonValue> {
  const parts = read;
  let length = 0;
  for await (const { text } of rest) {
    length += text.length;
    if (length > maxTextLength)
      throw new InputError(`${name} is one JSON document of more than 64 MiB: split it.`);
    parts.push(text);
  }
  const { parsed, problem } = parse(parts.join('\n'));
  if (parsed === undefined)
    throw new InputError(
      `${name} is not JSON: neither one value per line, nor an array, nor one document. It may end early, or be of another format.`,
    );
  const location = { source: name };
  return problem === undefined ? { location, value: parsed.value } : { location, problem };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

async function* readLines(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of splitLines(name, content)) {
    line += 1;
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      yield { line, text: '', parsed: undefined, problem: 'is not UTF-8' };
      continue;
    }
    if (blank.test(text)) continue;
    yield { line, text, ...parse(text) };
  }
}

function parse(text: string): Pick<JsonLine, 'parsed' | 'problem'> {
  if (isNestedTooDeeply(text)) return { parsed: { value: undefined }, problem: tooDeepMessage };
  try {
    const value: unknown = JSON.parse(text);
    return { parsed: { value }, problem: findShapeProblem(text, value) };
  } catch {
    return { parsed: undefined, problem: 'is not valid JSON' };
  }
}

async function* splitLines(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  let line = 1;
  for await (const chunk of content) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, end));
      yield pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = [];
      length = 0;
      line += 1;
      from = end + 1;
    }
    pieces.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxTextLength)
      throw new InputError(
        `${name} has more than 64 MiB in line ${line}: write one record a line, or one JSON array.`,
      );
  }
  if (length > 0) yield Buffer.concat(pieces);
}
