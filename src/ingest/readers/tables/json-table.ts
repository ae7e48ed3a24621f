/**
 * Reads a list of objects in JSON as a table. Members of nested objects are columns with dotted names, and plain values of
 * lists are joined. The cell of a point is its JSON, for a mapping of locations; other geometries are never used.
 */

import { InputError } from '../../input-error.ts';
import { isObject } from '../../records/field-validation.ts';
import type { ImportObserver } from '../../records/import-observer.ts';
import { coordinateMembers } from '../../records/locations/read-point.ts';
import { assertNotUtf16 } from '../encoding.ts';
import { readJson } from '../json/json.ts';
import { type ParsedJsonValue, readEntries, wholeContent } from '../json/json-entries.ts';
import {
  besideRecord,
  chooseList,
  findLists,
  formatRecordsPath,
  getMember,
  parseRecordsPath,
  type RecordsPath,
} from '../json/json-lists.ts';
import type { TextInput } from '../open-input.ts';
import { peek } from '../peek.ts';
import { assertColumnCount, maxColumns, type TableRow } from './table-columns.ts';

/** Bytes in which lists are looked for. */
const searchedBytes = 1024 * 1024;

type RowObserver = Pick<ImportObserver, 'onLeftOutColumns'>;

/**
 * @param records path of the records, such as `result.records`; undefined: the list with the most text
 * @param checkHeader as for `readTable`; not called if the list at `records` is empty
 * @throws InputError if there is no list of objects, or the rest of the content is invalid
 */
export async function* readJsonTable(
  { name, content, observer }: TextInput,
  records: string | undefined,
  checkHeader: (columns: string[], found: JsonSource) => void,
): AsyncGenerator<TableRow> {
  const { head, content: whole } = await peek(name, content, searchedBytes);
  assertNotUtf16(name, head);
  const { chosen, others } =
    records === undefined
      ? await chooseList(name, decodeHead(head))
      : { chosen: requirePath(records), others: [] };
  const found = { records: formatRecordsPath(chosen), otherLists: others.map(formatRecordsPath) };
  const checkColumns = (columns: string[]) => checkHeader(columns, found);
  yield* toTableRows(name, readRecords(name, whole, chosen), chosen, checkColumns, observer);
}

/** Where the rows come from. */
export interface JsonSource {
  records: string;
  /** Lists of objects in the beginning of the content; empty if the user has named the records. */
  otherLists: string[];
}

const decodeHead = (head: Buffer): string => new TextDecoder().decode(head.subarray(0, searchedBytes));

function requirePath(records: string): RecordsPath {
  const path = parseRecordsPath(records);
  if (path === undefined) throw new InputError({ code: 'records-path-invalid', path: records });
  return path;
}

/**
 * Yields the entries of the list, of each object if several follow each other.
 *
 * @throws InputError if an object lacks the list, or the rest of the content is invalid
 */
async function* readRecords(
  name: string,
  bytes: AsyncGenerator<Buffer>,
  { list }: RecordsPath,
): AsyncGenerator<ParsedJsonValue> {
  const { head, content } = await peek(name, bytes, searchedBytes);
  assertNotUtf16(name, head);
  if (list === wholeContent) return yield* readJson(name, content, [], { isExact: true });
  for await (const entry of readEntries(name, content, [list], { isExact: true })) {
    if (entry.problem === undefined && entry.list === undefined)
      throw new InputError({ code: 'json-list-missing', file: name, list, names: await listPaths(head) });
    yield entry;
  }
}

/** Of all lists with objects. */
const listPaths = async (head: Buffer): Promise<string[]> =>
  (await findLists(decodeHead(head))).lists.map(({ path }) => formatRecordsPath(path));

/** Objects can have different members. The first ones decide on the header. */
const maxObjectsForHeader = 1_000;

/**
 * Rows have cells for all members of their object, also for those that the header lacks.
 *
 * @param entries of one list, or of the same list in several pages
 * @param checkHeader receives the columns of the first objects; not called without entries
 * @throws InputError if no entry is an object, and errors of `entries`
 */
async function* toTableRows(
  name: string,
  entries: AsyncGenerator<ParsedJsonValue>,
  path: RecordsPath,
  checkHeader: (columns: string[]) => void,
  observer: RowObserver,
): AsyncGenerator<TableRow> {
  const toRow = createRowReader(path, observer);
  try {
    const first: TableRow[] = [];
    const header = createHeader();
    let failure: unknown;
    try {
      while (first.length < maxObjectsForHeader) {
        const { done, value } = await entries.next();
        if (done) break;
        if (first.length === 0 && Array.isArray(value.value))
          throw new InputError({ code: 'json-list-of-lists', file: name, list: path.list });
        const row = toRow(value);
        first.push(row);
        header.add(row);
      }
    } catch (error) {
      // The objects before the error are read.
      failure = error;
    }
    const columns = header.list();
    assertColumnCount(name, columns.length);
    if (columns.length === 0) {
      if (failure === undefined && first.length === 0) return;
      throw (
        failure ?? new InputError({ code: 'json-without-objects', file: name, path: formatRecordsPath(path) })
      );
    }
    checkHeader(columns);
    const emptyCells = createEmptyCells(columns);
    for (const row of first) yield fillCells(row, emptyCells);
    if (failure !== undefined) throw failure;
    for await (const entry of entries) yield fillCells(toRow(entry), emptyCells);
  } finally {
    await entries.return(undefined);
  }
}

const createEmptyCells = (columns: readonly string[]): object =>
  Object.assign(Object.create(null), Object.fromEntries(columns.map((column) => [column, ''])));

/** Absent members are empty cells. They are inherited, because thousands of records can have thousands of names. */
function fillCells(row: TableRow, emptyCells: object): TableRow {
  if (row.cells !== undefined) Object.setPrototypeOf(row.cells, emptyCells);
  return row;
}

/** Leaves out the name of an object that is sometimes null, because its members are the columns. */
function createHeader() {
  const filled = new Map<string, boolean>();
  return {
    add: ({ cells = {} }: TableRow): void => {
      if (filled.size > maxColumns) return;
      for (const [column, cell] of Object.entries(cells))
        filled.set(column, cell !== '' || filled.get(column) === true);
    },
    list: (): string[] => {
      const outer = new Set([...filled.keys()].flatMap(listOuterNames));
      return [...filled].flatMap(([column, isFilled]) => (isFilled || !outer.has(column) ? [column] : []));
    },
  };
}

/** `a` and `a.b` of `a.b.c`. */
const listOuterNames = (column: string): string[] => {
  const names = column.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
};

/** Reports what no row contains: geometries, lists of objects, and values beside a record. */
function createRowReader({ record: path }: RecordsPath, observer: RowObserver) {
  const reported = new Set<string>();
  const report = (names: readonly string[]) => {
    const found = names.filter((name) => !reported.has(name));
    if (found.length === 0 || reported.size > maxColumns) return;
    for (const name of found) reported.add(name);
    observer.onLeftOutColumns?.(found);
  };
  return ({ location, value: entry, problem }: ParsedJsonValue): TableRow => {
    if (problem !== undefined) return { location, problem };
    const record = getMember(entry, path);
    if (!isObject(record))
      return {
        location,
        problem:
          path.length === 0
            ? { code: 'entry-not-object' }
            : { code: 'entry-without-object', path: path.join('.') },
      };
    const { cells, leftOut, repeated } = flatten(record);
    if (repeated !== undefined) return { location, problem: { code: 'column-twice', column: repeated } };
    if (path.length > 0) leftOut.push(...addOuterValues(cells, entry as Record<string, unknown>, path));
    report(leftOut);
    return { location, cells };
  };
}

/** An entry around the record may have its id and its point. @returns the other members of the entry */
function addOuterValues(
  cells: Record<string, string>,
  entry: Record<string, unknown>,
  [wrapper]: readonly string[],
): string[] {
  const { id, geometry } = entry;
  if (id !== undefined && isPlain(id) && !cells.id) cells.id = toText(id);
  const hasPoint = isObject(geometry) && isPoint(geometry) && cells.geometry === undefined;
  if (hasPoint) cells.geometry = JSON.stringify(geometry);
  return Object.keys(entry).filter(
    (name) =>
      name !== wrapper &&
      !besideRecord.has(name) &&
      entry[name] !== null &&
      !(name === 'geometry' && hasPoint),
  );
}

interface FlatRecord {
  cells: Record<string, string>;
  /** Names of geometries and of lists that are not plain. */
  leftOut: string[];
  /** A column with two values, such as `a.b` of a member with this name, and of an object `a` with a member `b`. */
  repeated: string | undefined;
}

/** Characters. Foreign names could fill the memory. */
const maxColumnLength = 300;

function flatten(record: Record<string, unknown>): FlatRecord {
  // A column may be called `constructor`.
  const cells: Record<string, string> = Object.create(null);
  const leftOut: string[] = [];
  let repeated: string | undefined;
  const add = (prefix: string, object: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(object)) {
      if (prefix.length + name.length > maxColumnLength) {
        leftOut.push(`${prefix}${name}`.slice(0, maxColumnLength));
        continue;
      }
      const column = `${prefix}${name.trim()}`;
      if (isObject(value)) {
        if (isPoint(value)) cells[column] = JSON.stringify(value);
        else if (isGeometry(value)) leftOut.push(column);
        else add(`${column}.`, value);
      } else if (Array.isArray(value) && !value.every(isPlain)) leftOut.push(column);
      else {
        if (Object.hasOwn(cells, column)) repeated ??= column;
        cells[column] = Array.isArray(value) ? value.filter(isGiven).map(toText).join(', ') : toText(value);
      }
    }
  };
  add('', record);
  return { cells, leftOut, repeated };
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isGiven = (value: unknown): boolean => value !== null;
const toText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** @returns the columns of the row of a record */
export const listRecordColumns = (record: Record<string, unknown>): string[] =>
  Object.keys(flatten(record).cells);

/** Members of GeoJSON (RFC 7946) and of ArcGIS. */
const shapes = ['coordinates', 'geometries', 'rings', 'paths', 'points'];

/** A point of GeoJSON, or a pair with a few other values. Not one with long or nested members, which could fill the memory. */
function isPoint(value: Record<string, unknown>): boolean {
  if (!isGeometry(value) || Object.keys(value).length > maxPointMembers) return false;
  return Object.entries(value).every(([name, member]) => {
    if (Array.isArray(member)) return name === 'coordinates' && member.length <= 4 && member.every(isShort);
    return isShort(member);
  });
}

const maxPointMembers = 8;

const isShort = (value: unknown): boolean => isPlain(value) && toText(value).length <= 100;

function isGeometry(value: Record<string, unknown>): boolean {
  const names = Object.keys(value);
  if (names.length === 0) return false;
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return (
    shapes.some((name) => Array.isArray(value[name])) ||
    coordinateMembers.some(([north, east]) => lower.has(north) && lower.has(east))
  );
}
