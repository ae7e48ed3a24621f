/**
 * JSON in the shapes it comes in: one value per line (NDJSON), one array, or one document. Values are read one
 * at a time; an entry of an array has to fit into memory, a line and a document up to a bound.
 */
import { pipeline, Readable } from 'node:stream';
import streamArray from 'stream-json/streamers/stream-array.js';
import { InputProblem, type Place } from './reading.ts';
import { peek } from './source.ts';
import { decoded, refuseUtf16 } from './text.ts';

export interface JsonValue {
  place: Place;
  /** Absent where `problem` says why. */
  value?: unknown;
  problem?: string;
}

/** Longest line and longest document, bytes. */
const maximumText = 64 * 1024 * 1024;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const blank = /^[\s]*$/;

/** The first byte that is no white space and no byte order mark, as a character. */
export function firstCharacter(head: Buffer): string {
  const text = head.subarray(head.subarray(0, 3).equals(byteOrderMark) ? 3 : 0).toString('latin1');
  return text.trimStart().charAt(0);
}

/** @throws InputProblem when the content, or the rest of it, cannot be made sense of */
export async function* readJson(name: string, bytes: AsyncGenerator<Buffer>): AsyncGenerator<JsonValue> {
  const { head, content } = await peek(name, bytes);
  refuseUtf16(name, head);
  if (firstCharacter(head) === '[') yield* readArray(name, content);
  else yield* readLinesOrDocument(name, content);
}

async function* readArray(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<JsonValue> {
  const values = streamArray.withParserAsStream();
  pipeline(Readable.from(decoded(name, content)), values, () => undefined);
  let entry = 0;
  try {
    for await (const { value } of values) {
      entry += 1;
      yield { place: { source: name, entry }, value };
    }
  } catch (error) {
    if (error instanceof InputProblem) throw error;
    throw new InputProblem(
      `${name} is not valid JSON after entry ${entry}; it may end early. Fetch or export it again.`,
    );
  }
}

/** A file that starts with an object: one object per line, unless the first line is no object by itself. */
async function* readLinesOrDocument(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<JsonValue> {
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

function asValue(name: string, { line, parsed, problem }: JsonLine): JsonValue {
  const place = { source: name, line };
  return parsed === undefined
    ? { place, problem: problem ?? 'is not valid JSON' }
    : { place, value: parsed.value };
}

/** @throws InputProblem: neither lines nor a document */
async function readDocument(name: string, read: string[], rest: AsyncIterable<JsonLine>): Promise<JsonValue> {
  const parts = read;
  let length = 0;
  for await (const { text } of rest) {
    length += text.length;
    if (length > maximumText)
      throw new InputProblem(`${name} is one JSON document of more than 64 MiB: split it.`);
    parts.push(text);
  }
  try {
    return { place: { source: name }, value: JSON.parse(parts.join('\n')) };
  } catch {
    throw new InputProblem(
      `${name} is not JSON: neither one value per line, nor an array, nor one document. It may end early, or be of another format.`,
    );
  }
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
  try {
    return { parsed: { value: JSON.parse(text) }, problem: undefined };
  } catch {
    return { parsed: undefined, problem: 'is not valid JSON' };
  }
}

async function* splitLines(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, end));
      yield pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = [];
      length = 0;
      from = end + 1;
    }
    pieces.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maximumText) throw new InputProblem(`${name} has a line of more than 64 MiB.`);
  }
  if (length > 0) yield Buffer.concat(pieces);
}
