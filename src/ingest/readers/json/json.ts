/**
 * Reads JSON: one value per line (NDJSON), an array, lists within an object, or a single document. Memory holds one
 * value. Lines, entries and documents have a maximum length.
 */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import { assertNotUtf16, firstCharacter } from '../encoding.ts';
import { peek } from '../peek.ts';
import { type JsonOptions, type ParsedJsonValue, readEntries, wholeContent } from './json-entries.ts';
import { findShapeProblem, isNestedTooDeeply, maxTextLength, tooDeep } from './json-limits.ts';
import { keepDigits, mayLoseDigits } from './json-numbers.ts';

/** Bytes. Two lines of this length are detected as NDJSON, because pages of an API can be that long. */
const lineDetectionBytes = 4 * 1024 * 1024;

/**
 * @param lists paths of lists within an object, such as `data.proposals`; yields their entries, or the objects
 *   themselves if there is one per line
 * @throws InputError if the content or the rest of it is invalid
 */
export async function* readJson(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  lists: readonly string[] = [],
  options: JsonOptions = {},
): AsyncGenerator<ParsedJsonValue> {
  const { head, content } = await peek(name, bytes, lists.length === 0 ? undefined : lineDetectionBytes);
  assertNotUtf16(name, head);
  if (firstCharacter(head) === '[') yield* readEntries(name, content, [wholeContent], options);
  else if (lists.length > 0 && !startsWithLines(head)) yield* readEntries(name, content, lists, options);
  else yield* readLinesOrDocument(name, content, options);
}

/** Whether there are several lines, and one of the first two is an object. */
function startsWithLines(head: Buffer): boolean {
  const lines = new TextDecoder().decode(head).split('\n');
  const [first, second] = lines.map((line) => line.trim()).filter((line) => line !== '');
  const isObject = (line: string) => line.startsWith('{') && parse(line).parsed !== undefined;
  return first !== undefined && second !== undefined && (isObject(first) || isObject(second));
}

/** If neither of the first two lines is valid by itself, the content is one document. */
async function* readLinesOrDocument(
  name: string,
  content: AsyncIterable<Buffer>,
  options: JsonOptions,
): AsyncGenerator<ParsedJsonValue> {
  const groups = readLines(name, content, options);
  let invalidFirst: JsonLine | undefined;
  let isFirst = true;
  for await (const lines of groups) {
    for (const [index, line] of lines.entries()) {
      if (isFirst && line.parsed === undefined) invalidFirst = line;
      const isUndecided = isFirst && invalidFirst !== undefined;
      isFirst = false;
      if (isUndecided) continue;
      if (invalidFirst !== undefined && line.parsed === undefined) {
        yield await readDocument(name, [invalidFirst, ...lines.slice(index)], groups, options);
        return;
      }
      if (invalidFirst !== undefined) yield toJsonValue(name, invalidFirst);
      invalidFirst = undefined;
      yield toJsonValue(name, line);
    }
  }
  if (invalidFirst !== undefined) yield await readDocument(name, [invalidFirst], groups, options);
}

interface JsonLine {
  line: number;
  text: string;
  /** Wrapped, because the value of a line can be null. */
  parsed: { value: unknown } | undefined;
  problem: Reason | undefined;
}

function toJsonValue(name: string, { line, parsed, problem }: JsonLine): ParsedJsonValue {
  const location = { source: name, line };
  return parsed === undefined || problem !== undefined
    ? { location, problem: problem ?? { code: 'json-invalid' } }
    : { location, value: parsed.value };
}

/** @throws InputError if the content is neither lines nor a document */
async function readDocument(
  name: string,
  firstLines: readonly JsonLine[],
  rest: AsyncIterable<JsonLine[]>,
  options: JsonOptions,
): Promise<ParsedJsonValue> {
  const parts = firstLines.map(({ text }) => text);
  let length = 0;
  for await (const lines of rest) {
    for (const { text } of lines) {
      length += text.length;
      parts.push(text);
    }
    if (length > maxTextLength) throw new InputError({ code: 'json-document-too-large', file: name });
  }
  const { parsed, problem } = parse(parts.join('\n'), options);
  if (parsed === undefined) throw new InputError({ code: 'json-expected', file: name });
  const location = { source: name };
  return problem === undefined ? { location, value: parsed.value } : { location, problem };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Yields the lines that end in each chunk: a generator that yields each line takes as long as parsing it. */
async function* readLines(
  name: string,
  content: AsyncIterable<Buffer>,
  options: JsonOptions,
): AsyncGenerator<JsonLine[]> {
  let line = 0;
  for await (const pieces of splitLines(name, content)) {
    const lines: JsonLine[] = [];
    for (const bytes of pieces) {
      line += 1;
      const parsed = parseLine(line, bytes, options);
      if (parsed !== undefined) lines.push(parsed);
    }
    yield lines;
  }
}

/** @returns undefined for a blank line */
function parseLine(line: number, bytes: Buffer, options: JsonOptions): JsonLine | undefined {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { line, text: '', parsed: undefined, problem: { code: 'json-not-utf8' } };
  }
  return text.trim() === '' ? undefined : { line, text, ...parse(text, options) };
}

function parse(text: string, { isExact }: JsonOptions = {}): Pick<JsonLine, 'parsed' | 'problem'> {
  if (isNestedTooDeeply(text)) return { parsed: { value: undefined }, problem: tooDeep };
  try {
    const value: unknown = isExact && mayLoseDigits(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    return { parsed: { value }, problem: findShapeProblem(text, value) };
  } catch {
    return { parsed: undefined, problem: { code: 'json-invalid' } };
  }
}

/** Yields the lines that end in each chunk. */
async function* splitLines(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let pieces: Buffer[] = [];
  let length = 0;
  let line = 1;
  for await (const chunk of content) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, end));
      lines.push(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
      pieces = [];
      length = 0;
      line += 1;
      from = end + 1;
    }
    if (lines.length > 0) yield lines;
    pieces.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxTextLength) throw new InputError({ code: 'json-line-too-large', file: name, line });
  }
  if (length > 0) yield [Buffer.concat(pieces)];
}
