/** Reads lists in JSON entry by entry. Memory holds one entry, or the values around a list, up to a limit. */

import { none } from 'stream-chain';
import gen from 'stream-chain/gen.js';
import Assembler from 'stream-json/assembler.js';
import parser, { type Token } from 'stream-json/parser.js';
import type { JsonPlace } from '../../../domain/reasons/en/files.ts';
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InputError } from '../../input-error.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';
import { decodeText } from '../encoding.ts';
import { createRepeatedName, maxLevels, maxParsedLevels, maxTextLength, tooDeep } from './json-limits.ts';
import { ExactAssembler } from './json-numbers.ts';

export interface ParsedJsonValue {
  location: SourceLocation;
  /** Missing if there is a problem. */
  value?: unknown;
  /** A clause without its subject, such as `is not valid JSON`. */
  problem?: Reason | undefined;
  /** Path of the list that contains the entry. */
  list?: string | undefined;
}

export interface JsonOptions {
  /** Integers that a number cannot hold exactly are texts of their digits. */
  isExact?: boolean;
}

/** Names, values and brackets of one entry, or of the values around a list. Each takes memory. */
const maxTokens = 2_000_000;

/** Path of a list that is the whole content. */
export const wholeContent = '';

/**
 * Yields the entries of all lists, numbered across lists. Yields an object that has none of the lists as a whole: an array
 * that begins with a text is no list, because a list contains records.
 *
 * @param lists paths, such as `data.proposals`
 * @throws InputError if the content or the rest of it is invalid
 */
export async function* readEntries(
  name: string,
  content: AsyncIterable<Buffer>,
  lists: readonly string[],
  options: JsonOptions = {},
): AsyncGenerator<ParsedJsonValue> {
  const collector = createEntryCollector(name, lists, options);
  // Several objects with lists may follow each other, such as pages of an API. Nothing may follow a list.
  const jsonStreaming = !lists.includes(wholeContent);
  const parsePiece = gen(parser({ streamValues: false, jsonStreaming }), collector.add) as ParsePiece;
  let lastEntry = 0;
  try {
    for await (const piece of splitIntoPieces(limitLength(name, decodeText(name, content), collector))) {
      for await (const entry of parsePiece(piece)) {
        lastEntry = entry.location.entry ?? lastEntry;
        yield entry;
      }
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError({ code: 'json-truncated', file: name, entry: lastEntry });
  }
}

/** Yields the entries that end in the piece; `none` is the end of the text. */
type ParsePiece = (piece: string | typeof none) => AsyncGenerator<ParsedJsonValue>;

/** Characters. An error loses the entries of its piece, so pieces are short. */
const pieceLength = 256;

async function* splitIntoPieces(texts: AsyncIterable<string>): AsyncGenerator<string | typeof none> {
  for await (const text of texts)
    for (let from = 0; from < text.length; from += pieceLength) yield text.slice(from, from + pieceLength);
  yield none;
}

type EntryCollector = ReturnType<typeof createEntryCollector>;

function createEntryCollector(name: string, lists: readonly string[], { isExact }: JsonOptions) {
  const assembler = isExact ? new ExactAssembler() : new Assembler();
  const deepestList = Math.max(...lists.map(countLevels));
  /** The last list of the current object. */
  let list: string | undefined;
  /** Level of the list that the current token is in. */
  let listLevel: number | undefined;
  /** Path of the array that the last token opened, if it may be a list. */
  let opened: string | undefined;
  let entries = 0;
  let problem: Reason | undefined;
  let released = 0;
  let tokens = 0;

  const release = () => {
    released += 1;
    tokens = 0;
  };
  const getPlace = (): JsonPlace => {
    if (listLevel !== undefined) return entries + 1;
    return list === undefined ? 'object' : 'around';
  };
  const findOpenedList = (): string | undefined => {
    const path = assembler.path.join('.');
    // A name may contain a dot, so the path alone is ambiguous.
    return lists.includes(path) && assembler.depth === countLevels(path) ? path : undefined;
  };
  /** @param first the first token in the array, or its end */
  const openList = (path: string, first: Token) => {
    opened = undefined;
    if (path !== wholeContent && first.name === 'stringValue') return;
    list = path;
    listLevel = countLevels(path);
  };
  const takeEntry = (): ParsedJsonValue | undefined => {
    const complete = assembler.current as unknown[] | null;
    if (!complete?.length) return undefined;
    entries += 1;
    release();
    const location = { source: name, entry: entries };
    const result = problem === undefined ? { value: complete[0], list: list || undefined } : { problem };
    complete.pop();
    problem = undefined;
    return { location, ...result };
  };
  const takeObject = (): ParsedJsonValue | undefined => {
    const object = list === undefined ? { location: { source: name }, value: assembler.current } : undefined;
    list = undefined;
    release();
    return object;
  };
  /** @throws InputError for too many tokens or levels, and for problems outside of entries */
  const check = (token: Token) => {
    tokens += 1;
    if (tokens > maxTokens)
      throw new InputError({
        code: 'json-entry-too-many-values',
        file: name,
        millions: maxTokens / 1_000_000,
        place: getPlace(),
      });
    const levels = assembler.depth - (listLevel ?? 0);
    if (levels > maxParsedLevels)
      throw new InputError({ code: 'json-too-many-brackets', file: name, entry: entries + 1 });
    const found = findProblem(token, assembler.current, levels);
    if (found !== undefined && listLevel === undefined)
      throw new InputError({ code: 'json-malformed', file: name, problem: found });
    problem ??= found;
  };

  return {
    /** @returns the entry or object that the token completes @throws InputError */
    add: (token: Token): ParsedJsonValue | typeof none => {
      check(token);
      assembler.consume(token);
      if (opened !== undefined) openList(opened, token);
      if (listLevel !== undefined && assembler.depth < listLevel) listLevel = undefined;
      if (assembler.done) return takeObject() ?? none;
      if (listLevel === undefined && token.name === 'startArray' && assembler.depth <= deepestList)
        opened = findOpenedList();
      return (assembler.depth === listLevel ? takeEntry() : undefined) ?? none;
    },
    /** The number of entries and objects that are no longer in memory. */
    countReleased: () => released,
    getPlace,
  };
}

/** @returns a clause without its subject */
function findProblem(token: Token, current: unknown, levels: number): Reason | undefined {
  if (token.name === 'keyValue' && Object.hasOwn(current as object, token.value))
    return createRepeatedName(token.value);
  return levels > maxLevels ? tooDeep : undefined;
}

/** Levels of arrays and objects, including the list. */
function countLevels(list: string): number {
  return list === wholeContent ? 1 : list.split('.').length + 1;
}

/** @throws InputError if an entry, or the text around a list, is too long */
async function* limitLength(
  name: string,
  texts: AsyncIterable<string>,
  { countReleased, getPlace }: EntryCollector,
): AsyncGenerator<string> {
  let released = 0;
  let length = 0;
  for await (const text of texts) {
    if (countReleased() > released) length = 0;
    released = countReleased();
    length += text.length;
    if (length > maxTextLength)
      throw new InputError({ code: 'json-entry-too-large', file: name, place: getPlace() });
    yield text;
  }
}
