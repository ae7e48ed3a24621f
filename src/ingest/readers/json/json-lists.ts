/** Finds the lists of records in a JSON document, and names them by paths such as `data.edges[].node`. */
import { none } from 'stream-chain';
import gen from 'stream-chain/gen.js';
import Assembler from 'stream-json/assembler.js';
import parser, { type Token } from 'stream-json/parser.js';
import { InputError } from '../../input-error.ts';
import { isObject } from '../../records/field-validation.ts';
import { wholeContent } from './json-entries.ts';
import { maxLevels } from './json-limits.ts';

/** `result.records`: the entries of this list. `data.edges[].node`: this object in each entry. `[]`: the whole content. */
export interface RecordsPath {
  /** Path of the list; `wholeContent` for an array or lines. */
  list: string;
  /** Path of the record in an entry; empty: the entry itself. */
  record: readonly string[];
}

const pathPattern = /^([^[\]]*?)(?:\[\](?:\.([^[\]]+))?)?$/;

/** @returns undefined for a text that is no path */
export function parseRecordsPath(text: string): RecordsPath | undefined {
  const [found, list = '', inEntry] = pathPattern.exec(text.trim()) ?? [];
  const record = inEntry?.split('.') ?? [];
  const names = [...(list === wholeContent ? [] : list.split('.')), ...record];
  return found && !names.includes('') ? { list, record } : undefined;
}

export function formatRecordsPath({ list, record }: RecordsPath): string {
  if (record.length === 0 && list !== wholeContent) return list;
  return [`${list}[]`, ...record].join('.');
}

interface FoundList {
  path: RecordsPath;
  /** The entries in the beginning of the content. The last one may be incomplete. */
  entries: readonly unknown[];
}

/** What the beginning of a JSON document has. */
interface FoundLists {
  /** With objects. */
  lists: FoundList[];
  /** Lists of lists. */
  nested: FoundList[];
  /** Paths of lists without entries, and of texts that contain JSON. */
  empty: string[];
  texts: string[];
  isInvalid: boolean;
}

/**
 * Chooses the list with the records.
 *
 * @param head the beginning of the content
 * @returns its path, and those of the other lists with objects
 * @throws InputError without a list of objects
 */
export async function chooseList(
  name: string,
  head: string,
): Promise<{ chosen: RecordsPath; others: RecordsPath[] }> {
  const { lists, empty, nested, texts, isInvalid } = await findLists(head);
  const tables = lists.filter((list) => !lists.some((other) => describesColumns(list, other)));
  const longest = [...tables, ...nested]
    .map((list) => ({ list, length: JSON.stringify(list.entries).length }))
    .toSorted((a, b) => b.length - a.length)[0]?.list;
  const chosen = lists.find(({ path }) => path.list === wholeContent) ?? longest;
  if (chosen !== undefined && nested.includes(chosen))
    throw new InputError({ code: 'json-list-of-lists', file: name, list: chosen.path.list });
  if (chosen !== undefined)
    return { chosen: chosen.path, others: tables.filter((each) => each !== chosen).map(({ path }) => path) };
  if (empty[0] !== undefined) throw new InputError({ code: 'json-list-empty', file: name, list: empty[0] });
  if (texts[0] !== undefined)
    throw new InputError({ code: 'json-list-in-text', file: name, member: texts[0] });
  throw new InputError(
    isInvalid ? { code: 'json-truncated', file: name, entry: 0 } : { code: 'json-without-list', file: name },
  );
}

/** Such as `fields` of CKAN and ArcGIS, whose entries have the names of the columns of another list. */
function describesColumns({ entries }: FoundList, { path, entries: [first] }: FoundList): boolean {
  const record = getMember(first, path.record);
  if (!isObject(record)) return false;
  const described = entries.filter(
    (entry) =>
      isObject(entry) &&
      Object.values(entry).some((value) => typeof value === 'string' && Object.hasOwn(record, value)),
  );
  return described.length * 2 > entries.length;
}

export function getMember(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((outer, name) => (isObject(outer) ? outer[name] : undefined), value);
}

export async function findLists(head: string): Promise<FoundLists> {
  const { values, isInvalid } = await parseBeginning(head);
  const found: FoundLists = { lists: [], empty: [], nested: [], texts: [], isInvalid };
  if (values.length > 1) addList(found, [], values);
  addLists(found, [], values[0]);
  return found;
}

/** Lists below lists are parts of their entries. */
function addLists(found: FoundLists, path: readonly string[], value: unknown): void {
  if (Array.isArray(value)) addList(found, path, value);
  else if (typeof value === 'string' && /^\s*\[\s*\{/.test(value)) found.texts.push(path.join('.'));
  else if (isObject(value) && path.length < maxLevels)
    for (const [name, member] of Object.entries(value))
      if (isPathName(name)) addLists(found, [...path, name], member);
}

/** A path cannot name other members. */
const isPathName = (name: string) => name !== '' && !/[.[\]]/.test(name);

/** More are not distinguished: each list is compared with all others. */
const maxLists = 20;

function addList(found: FoundLists, path: readonly string[], entries: readonly unknown[]): void {
  if (found.lists.length === maxLists) return;
  const list = path.join('.');
  const [first] = entries;
  if (isObject(first)) found.lists.push({ path: { list, record: findWrapper(entries) }, entries });
  else if (Array.isArray(first)) found.nested.push({ path: { list, record: [] }, entries });
  else if (entries.length === 0) found.empty.push(list);
}

/** Members that hold the values of a record: of GeoJSON, ArcGIS and JSON:API, and of GraphQL. */
const wrappers = ['properties', 'attributes', 'node'];

/** Values beside the record in each of these formats. The id is a column. */
export const besideRecord = new Set(['id', 'type', 'cursor']);

function findWrapper(entries: readonly unknown[]): string[] {
  const objects = entries.filter(isObject);
  const isWrapper = (name: string) =>
    objects.some((entry) => isObject(entry[name])) &&
    objects.every((entry) =>
      Object.entries(entry).every(
        ([other, value]) =>
          other === name || besideRecord.has(other) || value === null || typeof value === 'object',
      ),
    );
  return wrappers.filter(isWrapper).slice(0, 1);
}

/** Characters that are parsed at a time. Those with an error are lost. */
const pieceLength = 4096;

/** @returns the first values; the last one may be incomplete. Two are enough to recognise lines */
async function parseBeginning(text: string): Promise<{ values: unknown[]; isInvalid: boolean }> {
  const values: unknown[] = [];
  let isInvalid = false;
  const assembler = new Assembler();
  const add = (token: Token) => {
    assembler.consume(token);
    if (assembler.depth > maxLevels) throw new RangeError('too many levels');
    if (assembler.done) values.push(assembler.current);
    return none;
  };
  const parsePiece = gen(parser({ streamValues: false, jsonStreaming: true }), add);
  try {
    for (let from = 0; from < text.length && values.length < 2; from += pieceLength)
      for await (const _ of parsePiece(text.slice(from, from + pieceLength)));
  } catch {
    // The values before the error count.
    isInvalid = true;
  }
  if (!assembler.done) values.push(closeValues(assembler));
  return { values, isInvalid };
}

/** @returns the outermost value, which gets those that are open inside it */
function closeValues({ stack, current }: Assembler): unknown {
  let value: unknown = current;
  for (let at = stack.length - 2; at >= 0; at -= 2) {
    const outer = stack[at] as unknown[] | Record<string, unknown>;
    if (Array.isArray(outer)) outer.push(value);
    else outer[stack[at + 1] as string] = value;
    value = outer;
  }
  return value;
}
