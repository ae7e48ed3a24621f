/**
 * JSON lists entry by entry: the list that is the whole content, or lists within an object. Memory holds one entry,
 * or what stands around a list, up to a bound.
 */
import { none } from 'stream-chain';
import gen from 'stream-chain/gen.js';
import Assembler from 'stream-json/assembler.js';
import parser, { type Token } from 'stream-json/parser.js';
import { InputError, type SourceLocation } from '../parsed-record.ts';
import { decodeText } from './encoding.ts';
import {
  maxLevels,
  maxParsedLevels,
  maxTextLength,
  repeatedNameMessage,
  tooDeepMessage,
} from './json-limits.ts';

/** Names, values and brackets of one entry, or of what stands around a list: each takes memory, however short it is. */
const mostTokens = 2_000_000;

/** The list that is the whole content. */
export const wholeContent = '';

interface Entry {
  /** Without the number of an entry it is an object that has no list. */
  location: SourceLocation;
  value?: unknown;
  problem?: string | undefined;
  /** The list it is from, of those within an object. */
  list?: string | undefined;
}

/**
 * The entries of all lists, counted on from one list to the next. An object without any of them is given itself.
 *
 * @param lists names that lead to a list from the outside, as `data.proposals`
 * @throws InputError when the content, or the rest of it, cannot be made sense of
 */
export async function* readEntries(
  name: string,
  content: AsyncIterable<Buffer>,
  lists: readonly string[],
): AsyncGenerator<Entry> {
  const finder = createFinder(name, lists);
  // Objects with lists may follow one another, as the pages of an API do; behind a list by itself nothing may.
  const jsonStreaming = !lists.includes(wholeContent);
  const entriesIn = gen(parser({ streamValues: false, jsonStreaming }), finder.take) as EntriesIn;
  let last = 0;
  try {
    for await (const piece of inPieces(bounded(name, decodeText(name, content), finder))) {
      for await (const entry of entriesIn(piece)) {
        last = entry.location.entry ?? last;
        yield entry;
      }
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `${name} is not valid JSON after entry ${last}; it may end early. Fetch or export it again.`,
    );
  }
}

type Finder = ReturnType<typeof createFinder>;
/** Entries that end in the next piece of a text; `none` is its end. */
type EntriesIn = (piece: string | typeof none) => AsyncGenerator<Entry>;

/** Characters. Of a piece that holds a fault, what stands before the fault is lost. */
const pieceLength = 256;

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string | typeof none> {
  for await (const text of texts)
    for (let from = 0; from < text.length; from += pieceLength) yield text.slice(from, from + pieceLength);
  yield none;
}

function createFinder(name: string, lists: readonly string[]) {
  const value = new Assembler();
  const deepest = Math.max(...lists.map(levelOf));
  /** The last list of the object that is being read. */
  let list: string | undefined;
  /** Level of the list within which something is read now. */
  let within: number | undefined;
  let entries = 0;
  let problem: string | undefined;
  /** How often what is held was given away. */
  let given = 0;
  let tokens = 0;
  let tokensFor = 0;

  const aside = () => (list === undefined ? 'in one object' : 'around a list');
  const where = () => (within === undefined ? aside() : `in entry ${entries + 1}`);
  const open = () => {
    const path = value.path.join('.');
    // A name may have a dot in it.
    if (!lists.includes(path) || value.depth !== levelOf(path)) return;
    list = path;
    within = levelOf(path);
  };
  const entry = (): Entry | undefined => {
    const complete = value.current as unknown[] | null;
    if (!complete?.length) return undefined;
    entries += 1;
    given += 1;
    const location = { source: name, entry: entries };
    const read = problem === undefined ? { value: complete[0], list: list || undefined } : { problem };
    complete.pop();
    problem = undefined;
    return { location, ...read };
  };
  const object = (): Entry | undefined => {
    const alone = list === undefined ? { location: { source: name }, value: value.current } : undefined;
    list = undefined;
    given += 1;
    return alone;
  };
  /** @throws InputError for what takes too much, and for what is wrong around a list, as that can be no entry's fault */
  const look = (token: Token) => {
    tokens = given === tokensFor ? tokens + 1 : 1;
    tokensFor = given;
    if (tokens > mostTokens)
      throw new InputError(
        `${name} has more than ${mostTokens / 1_000_000} million values ${where()}: leave it out, or split it.`,
      );
    const levels = value.depth - (within ?? 0);
    if (levels > maxParsedLevels)
      throw new InputError(`${name} has brackets without end in entry ${entries + 1}: leave it out.`);
    const fault = faultOf(token, value.current, levels);
    if (fault !== undefined && within === undefined) throw new InputError(`${name} ${fault}.`);
    problem ??= fault;
  };
  const take = (token: Token): Entry | typeof none => {
    look(token);
    value.consume(token);
    if (within !== undefined && value.depth < within) within = undefined;
    if (value.done) return object() ?? none;
    if (within === undefined && token.name === 'startArray' && value.depth <= deepest) open();
    return (value.depth === within ? entry() : undefined) ?? none;
  };

  return {
    take,
    given: () => given,
    where,
  };
}

/** What is wrong with an entry at its next token, as a sentence without its subject. */
function faultOf(token: Token, current: unknown, levels: number): string | undefined {
  if (token.name === 'keyValue' && Object.hasOwn(current as object, token.value))
    return repeatedNameMessage(token.value);
  return levels > maxLevels ? tooDeepMessage : undefined;
}

/** Of arrays and objects within one another; the outermost is the first. */
function levelOf(list: string): number {
  return list === wholeContent ? 1 : list.split('.').length + 1;
}

/** @throws InputError where an entry, or what stands around a list, takes too much */
async function* bounded(name: string, texts: AsyncIterable<string>, { given, where }: Finder) {
  let known = 0;
  let length = 0;
  for await (const text of texts) {
    if (given() > known) length = 0;
    known = given();
    length += text.length;
    if (length > maxTextLength)
      throw new InputError(`${name} has more than 64 MiB ${where()}: leave it out, or split it.`);
    yield text;
  }
}
