/**
 * Finds records by words. The segments of the index are read from the latest one on, in growing steps, until the page is full: so a
 * frequent word costs a segment, and a rare one a seek in each.
 */
import { toColumnName } from '../../contract/field.ts';
import { hasWords, type SearchWord } from '../../contract/search-words.ts';
import type { DocumentPage, ListPageRequest } from '../../domain/store.ts';
import { WordsNotReadyError } from '../../domain/store-errors.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, Row } from '../engine.ts';
import { readDocuments } from '../queries/merged-page.ts';
import { afterEveryTime, memoize, publishedLists, toPosition } from '../queries/published-lists.ts';
import { composeSeeks } from './compose-seeks.ts';
import {
  decodePosition,
  findIndexedKind,
  type IndexedKind,
  listIndexedColumns,
  listWords,
  toFilterWord,
  wordRules,
} from './indexed-kinds.ts';
import {
  afterKeysOfTime,
  decodeId,
  encodeKey,
  encodeTime,
  keyLength,
  keysPerPart,
  toIdBytes,
} from './record-key.ts';
import { maxNumbers } from './segments.ts';

/** What a search by words asks for. */
export interface WordQuery extends Pick<ListPageRequest, 'range' | 'direction' | 'after' | 'limit'> {
  words: readonly SearchWord[];
  /** Columns that equal one of their values. */
  filters: readonly (readonly [column: string, values: readonly (string | number)[]])[];
}

/** A step has this many times as many segments as the one before. */
const growth = 8;
const maxSegmentsInStep = 64;

/** Words of the index from the first one on, before the end. */
interface WordRange {
  first: string;
  end: string;
}

/** Follows every letter and digit. */
const lastCharacter = '\u{10ffff}';

const toRange = ({ text, isWhole }: SearchWord): WordRange => ({
  first: text,
  end: text + (isWhole ? '\u0001' : lastCharacter),
});

const toFilterRange = (column: string, value: string | number): WordRange =>
  toRange({ text: toFilterWord(column, value), isWhole: true });

/**
 * @returns keys of at most `limit + 1` records, in the order of the page
 * @throws WordsNotReadyError until the index has every record
 */
export async function findByWords(
  engine: Engine,
  organizationId: string,
  indexed: IndexedKind,
  query: WordQuery,
): Promise<string[]> {
  for (;;) {
    const found = await tryToFind(engine, organizationId, indexed, query);
    if (found !== undefined) return found;
  }
}

/** @returns undefined: an import has moved records to other segments meanwhile */
async function tryToFind(
  engine: Engine,
  organizationId: string,
  indexed: IndexedKind,
  query: WordQuery,
): Promise<string[] | undefined> {
  const index = await readIndex(engine, organizationId, indexed);
  if (index === undefined) return [];
  const pending = index.hasPending
    ? await findPending(engine, organizationId, indexed, query)
    : { ids: new Set<string>(), keys: [] };
  const [first, end] = toKeyRange(query);
  const wanted = index.segments.filter((segment) => segment.last >= first && segment.first < end);
  if (query.direction === 'asc') wanted.reverse();
  const maxKeys = query.limit + 1;
  const found: string[] = [];
  let size = 1;
  while (wanted.length > 0 && found.length < maxKeys) {
    const step = wanted.splice(0, size);
    const matches = await findMatches(engine, organizationId, indexed, step, query);
    if (matches.revision !== index.revision) return undefined;
    const wantedKeys = { first, end, except: pending.ids, direction: query.direction, maxKeys };
    for (const segment of step) shortenMatches(matches.bySegment, segment, wantedKeys);
    for (const part of groupMatches(step, matches.bySegment, () => maxKeys - found.length)) {
      const stored = await readKeys(engine, organizationId, part);
      for (const [segment, numbers] of part)
        found.push(...pickKeys(stored.get(segment) ?? [], numbers, wantedKeys));
    }
    size = Math.min(size * growth, maxSegmentsInStep);
  }
  if (pending.keys.length > 0) {
    found.push(...pending.keys.filter((key) => key >= first && key < end));
    sortKeys(found, query.direction);
  }
  return found.slice(0, maxKeys);
}

function sortKeys(keys: string[], direction: WordQuery['direction']): string[] {
  keys.sort();
  return direction === 'asc' ? keys.reverse() : keys;
}

/** @returns the first key that the page can have, and the one after the last */
function toKeyRange({ range, after, direction }: WordQuery): [first: string, end: string] {
  const { from = '', before = afterEveryTime } = range ?? {};
  const first = before === afterEveryTime ? '' : toFirstKey(before);
  const end = from === '' ? afterKeysOfTime : encodeTime(from) + afterKeysOfTime;
  if (after === undefined) return [first, end];
  const position = after.id === undefined ? undefined : encodeKey(after.at, after.id);
  if (direction === 'asc') return [first, pickFirst(end, position ?? encodeTime(after.at))];
  const next = position === undefined ? encodeTime(after.at) + afterKeysOfTime : `${position}\0`;
  return [first > next ? first : next, end];
}

const pickFirst = (one: string, other: string) => (one < other ? one : other);

/** @param before a time, or a date with `afterEveryTime`, which comes after the date and before the next one */
const toFirstKey = (before: string) =>
  before.endsWith(afterEveryTime)
    ? encodeTime(before.slice(0, -afterEveryTime.length))
    : encodeTime(before) + afterKeysOfTime;

/** Parameters: municipality, kind. */
const composeIndexQuery = memoize(
  (kind: IndexedKind['kind']) => `SELECT rules, filled_to AS "filledTo", revision,
    CASE WHEN EXISTS (SELECT 1 FROM word_pending WHERE organization_id = $1 AND kind = $2) THEN 1 ELSE 0 END AS "hasPending",
    CASE WHEN EXISTS (SELECT 1 FROM ${kind} WHERE organization_id = $1) THEN 1 ELSE 0 END AS "hasRecords"
    FROM (SELECT 1) AS one LEFT JOIN word_index AS state ON state.organization_id = $1 AND state.kind = $2`,
);

interface IndexRow {
  /** null: there is no index. */
  rules: number | null;
  filledTo: Buffer | null;
  revision: number;
  hasPending: number;
  hasRecords: number;
}

interface SegmentRange {
  segment: number;
  first: string;
  last: string;
  /** Whether the order of the numbers is that of the keys. */
  isSorted: boolean;
}

interface ReadyIndex {
  /** The latest records first. */
  segments: readonly SegmentRange[];
  revision: number;
  hasPending: boolean;
}

/** @returns undefined: there are no records */
async function readIndex(
  engine: Engine,
  organizationId: string,
  { kind }: IndexedKind,
): Promise<ReadyIndex | undefined> {
  const rows = await engine.tenantQuery<IndexRow>(composeIndexQuery(kind), [organizationId, kind]);
  const [{ rules, filledTo, revision, hasPending, hasRecords }] = rows as [IndexRow];
  if (hasRecords === 0) return undefined;
  if (rules !== wordRules || filledTo !== null) throw new WordsNotReadyError();
  const known = segmentsByEngine.getOrInsertComputed(engine, () => new Map());
  const name = `${organizationId} ${kind}`;
  let found = known.get(name);
  if (found?.revision !== revision) {
    found = await readSegments(engine, organizationId, kind);
    known.delete(name);
    known.set(name, found);
    const [oldest] = known.keys();
    if (known.size > maxKnown) known.delete(oldest as string);
  }
  return { ...found, hasPending: hasPending === 1 };
}

/** Municipalities whose segments a process keeps in memory. */
const maxKnown = 1_000;

/** By municipality and kind of records. */
type KnownSegments = Map<string, { revision: number; segments: readonly SegmentRange[] }>;

const segmentsByEngine = new WeakMap<Engine, KnownSegments>();

async function readSegments(
  engine: Engine,
  organizationId: string,
  kind: string,
): Promise<{ revision: number; segments: SegmentRange[] }> {
  const rows = await engine.tenantQuery<{
    revision: number;
    segment: number | null;
    first: Buffer;
    last: Buffer;
    isSorted: number;
  }>(
    `SELECT revision, segment, first_key AS first, last_key AS last, is_sorted AS "isSorted" FROM word_index AS state
    LEFT JOIN word_segment ON word_segment.organization_id = $1 AND word_segment.kind = $2
    WHERE state.organization_id = $1 AND state.kind = $2`,
    [organizationId, kind],
  );
  const segments = rows.flatMap(({ segment, first, last, isSorted }) =>
    segment === null
      ? []
      : [
          {
            segment,
            first: first.toString('latin1'),
            last: last.toString('latin1'),
            isSorted: isSorted === 1,
          },
        ],
  );
  segments.sort((one, other) => (one.first < other.first ? -1 : 1));
  return { revision: rows[0]?.revision ?? -1, segments };
}

/** More records that are not indexed yet would make the search slow. */
const maxPending = 1_000;

/** Compares records that another version of the program has written, and that are not indexed yet. */
async function findPending(
  engine: Engine,
  organizationId: string,
  indexed: IndexedKind,
  { words, filters }: WordQuery,
): Promise<{ ids: Set<string>; keys: string[] }> {
  const { kind, list } = indexed;
  const columns = listIndexedColumns(indexed).map((column) => `record.${column}`);
  const rows = await engine.tenantQuery<Row & { id: string }>(
    `SELECT pending.id, ${columns.join(', ')} FROM word_pending AS pending
    LEFT JOIN ${kind} AS record ON record.organization_id = $1 AND record.id = pending.id
    WHERE pending.organization_id = $1 AND pending.kind = $2 LIMIT ${maxPending + 1}`,
    [organizationId, kind],
  );
  if (rows.length > maxPending) throw new WordsNotReadyError();
  const keys: string[] = [];
  for (const row of rows) {
    if (isSliceUsedUp()) await waitForSlice();
    const matches =
      row[list.at] !== null &&
      filters.every(([column, values]) => values.includes(row[column] as string)) &&
      hasWords(listWords(indexed, row), words);
    if (matches) keys.push(encodeKey(row[list.at] as string, row.id));
  }
  return { ids: new Set(rows.map(({ id }) => toIdBytes(encodeKey('0001-01-01', id)))), keys };
}

/** Parameters: municipality, kind, ranges of words in segments by term. */
const composePostingsQuery = memoize((engine: Engine) => {
  const columns = { term: 'integer', segment: 'integer', first_word: 'text', end_word: 'text' } as const;
  const postings = composeSeeks(
    engine,
    engine.recordset('asked', '$3', columns),
    'word_posting',
    `stored.organization_id = $1 AND stored.segment = asked.segment
        AND stored.word >= asked.first_word AND stored.word < asked.end_word`,
  );
  return `SELECT revision, segment, term, numbers FROM word_index AS state LEFT JOIN (
      SELECT stored.segment, asked.term, stored.numbers FROM ${postings}
    ) AS found ON 1 = 1
    WHERE state.organization_id = $1 AND state.kind = $2`;
});

interface PostingRow {
  revision: number;
  /** null: no record has one of the words. */
  segment: number | null;
  term: number;
  numbers: Buffer;
}

interface Matches {
  revision: number | undefined;
  /** Numbers of the records that have all terms, by segment. */
  bySegment: Map<number, readonly number[]>;
}

async function findMatches(
  engine: Engine,
  organizationId: string,
  { kind }: IndexedKind,
  segments: readonly { segment: number }[],
  { words, filters }: WordQuery,
): Promise<Matches> {
  const terms = [
    ...words.map((word) => [toRange(word)]),
    ...filters.map(([column, values]) => values.map((value) => toFilterRange(column, value))),
  ];
  const rows = await engine.tenantQuery<PostingRow>(composePostingsQuery(engine), [
    organizationId,
    kind,
    JSON.stringify(
      segments.flatMap(({ segment }) =>
        terms.flatMap((ranges, term) =>
          ranges.map(({ first, end }) => ({ term, segment, first_word: first, end_word: end })),
        ),
      ),
    ),
  ]);
  const bySegment = Map.groupBy(rows, ({ segment }) => segment);
  bySegment.delete(null);
  return {
    revision: rows[0]?.revision,
    bySegment: new Map(
      [...bySegment].map(([segment, found]) => [segment as number, intersect(found, terms.length)]),
    ),
  };
}

/** @returns the numbers that rows of every term have, each once */
function intersect(rows: readonly PostingRow[], terms: number): number[] {
  const byTerm = Array.from({ length: terms }, (): Buffer[] => []);
  for (const { term, numbers } of rows) byTerm[term]?.push(numbers);
  byTerm.sort((one, other) => sumLengths(one) - sumLengths(other));
  const counts = new Uint8Array(maxNumbers + 1);
  const found: number[] = [];
  for (const [term, postings] of byTerm.entries())
    for (const numbers of postings)
      for (let from = 0; from < numbers.length; from += 2) {
        const number = ((numbers[from] as number) << 8) | (numbers[from + 1] as number);
        // A record can have several words with the same beginning.
        if (counts[number] !== term) continue;
        counts[number] = term + 1;
        if (term === terms - 1) found.push(number);
      }
  return found;
}

const sumLengths = (buffers: readonly Buffer[]) => buffers.reduce((sum, { length }) => sum + length, 0);

/** Leaves out the records after the page, if the order of their numbers says so. */
function shortenMatches(
  matches: Map<number, readonly number[]>,
  { segment, first, last, isSorted }: SegmentRange,
  wanted: WantedKeys,
): void {
  const numbers = matches.get(segment) ?? [];
  const count = wanted.maxKeys + wanted.except.size;
  if (!isSorted || numbers.length <= count || first < wanted.first || last >= wanted.end) return;
  const ordered = Uint16Array.from(numbers).sort();
  matches.set(segment, [...(wanted.direction === 'desc' ? ordered.slice(0, count) : ordered.slice(-count))]);
}

/** Numbers of records by segment, in the order of the segments. */
type SegmentMatches = readonly (readonly [segment: number, numbers: readonly number[]])[];

/** Groups of segments, each of which can fill the rest of a page. @param countMissing returns the number of missing records */
function* groupMatches(
  segments: readonly { segment: number }[],
  matches: ReadonlyMap<number, readonly number[]>,
  countMissing: () => number,
): Generator<SegmentMatches> {
  let group: [number, readonly number[]][] = [];
  let count = 0;
  for (const { segment } of segments) {
    const numbers = matches.get(segment) ?? [];
    if (numbers.length === 0) continue;
    group.push([segment, numbers]);
    count += numbers.length;
    if (count < countMissing()) continue;
    yield group;
    if (countMissing() <= 0) return;
    group = [];
    count = 0;
  }
  if (group.length > 0) yield group;
}

/** Consecutive keys of a part. */
interface KeyPiece {
  /** Number of the first one in the part. */
  from: number;
  keys: Buffer;
}

/** At the index of their part. */
type KeyParts = readonly (KeyPiece | undefined)[];

/** Asks for keys of consecutive parts: of a number in each part, and some following ones. */
interface AskedKeys {
  segment: number;
  first_part: number;
  last_part: number;
  from_number: number;
  count: number;
}

/** Functions of bytes of PostgreSQL have no parameters of 64 bits. */
const toInteger = (expression: string) => `CAST(${expression} AS integer)`;

const askedColumns = {
  segment: 'integer',
  first_part: 'integer',
  last_part: 'integer',
  from_number: 'integer',
  count: 'integer',
} as const satisfies Record<keyof AskedKeys, string>;

const composeKeysQuery = memoize((engine: Engine) => {
  const from = toInteger(`asked.from_number * ${keyLength} + 1`);
  const length = toInteger(`asked.count * ${keyLength}`);
  const keys = composeSeeks(
    engine,
    engine.recordset('asked', '$2', askedColumns),
    'word_segment_keys',
    `stored.organization_id = $1 AND stored.segment = asked.segment
        AND stored.part >= asked.first_part AND stored.part <= asked.last_part`,
  );
  return `SELECT stored.segment, stored.part, asked.from_number AS "from", substr(stored.keys, ${from}, ${length}) AS keys
    FROM ${keys}`;
});

/** @returns the keys of the records, and others, by segment */
async function readKeys(
  engine: Engine,
  organizationId: string,
  matches: SegmentMatches,
): Promise<Map<number, KeyParts>> {
  const asked = matches.flatMap(([segment, numbers]) => {
    const pieces = listPieces(segment, numbers);
    return engine.dialect === 'sqlite' ? joinPieces(pieces) : pieces;
  });
  const rows = await engine.tenantQuery<KeyPiece & { segment: number; part: number }>(
    composeKeysQuery(engine),
    [organizationId, JSON.stringify(asked)],
  );
  const bySegment = new Map(matches.map(([segment]) => [segment, [] as KeyPiece[]]));
  for (const { segment, part, from, keys } of rows)
    (bySegment.get(segment) as KeyPiece[])[part] = { from, keys };
  return bySegment;
}

/** @returns a piece of each part that has one of the numbers, in the order of the parts */
function listPieces(segment: number, numbers: readonly number[]): AskedKeys[] {
  const ends: ([first: number, last: number] | undefined)[] = [];
  for (const number of numbers) {
    const place = number % keysPerPart;
    const known = ends[toPart(number)];
    if (known === undefined) ends[toPart(number)] = [place, place];
    else if (place < known[0]) known[0] = place;
    else if (place > known[1]) known[1] = place;
  }
  const pieces: AskedKeys[] = [];
  for (const [part, found] of ends.entries())
    if (found !== undefined)
      pieces.push({
        segment,
        first_part: part,
        last_part: part,
        from_number: found[0],
        count: found[1] - found[0] + 1,
      });
  return pieces;
}

/** Joins pieces of consecutive parts to whole parts: SQLite reads the next row in less time than it seeks one. */
function joinPieces(pieces: readonly AskedKeys[]): AskedKeys[] {
  const joined: AskedKeys[] = [];
  for (const piece of pieces) {
    const previous = joined.at(-1);
    if (previous?.last_part !== piece.first_part - 1) joined.push(piece);
    else Object.assign(previous, { last_part: piece.last_part, from_number: 0, count: keysPerPart });
  }
  return joined;
}

const toPart = (number: number) => Math.floor(number / keysPerPart);

const toOffset = (number: number, { from }: KeyPiece) => ((number % keysPerPart) - from) * keyLength;

function findKey(stored: KeyParts, number: number): string {
  const piece = stored[toPart(number)];
  if (piece === undefined) return '';
  const offset = toOffset(number, piece);
  return piece.keys.toString('latin1', offset, offset + keyLength);
}

interface WantedKeys {
  /** The first key, and the one after the last. */
  first: string;
  end: string;
  except: ReadonlySet<string>;
  direction: WordQuery['direction'];
  maxKeys: number;
}

/** @param numbers of records in a segment @returns at most `maxKeys` keys in the order of the page */
function pickKeys(stored: KeyParts, numbers: readonly number[], wanted: WantedKeys): string[] {
  const { first, end, except, direction, maxKeys } = wanted;
  const found: string[] = [];
  for (const number of leaveOutLater(stored, numbers, wanted)) {
    const key = findKey(stored, number);
    if (key >= first && key < end && !except.has(toIdBytes(key))) found.push(key);
  }
  return sortKeys(found, direction).slice(0, maxKeys);
}

/** Fewer keys are sorted at once. */
const minPreselected = 500;

/**
 * Leaves out most records that come after the page: sorting the keys of a frequent word would take longer than reading them. Compares
 * the first 6 of the 7 bytes of the time.
 */
function leaveOutLater(stored: KeyParts, numbers: readonly number[], wanted: WantedKeys): readonly number[] {
  const { first, end, except, direction, maxKeys } = wanted;
  if (numbers.length < minPreselected) return numbers;
  const sign = direction === 'asc' ? -1 : 1;
  const readPlace = (number: number) => {
    const piece = stored[toPart(number)];
    return piece === undefined ? Number.NaN : sign * piece.keys.readUIntBE(toOffset(number, piece), 6);
  };
  const bounds = [readTimePart(first), end === afterKeysOfTime ? 2 ** 48 : readTimePart(end)];
  const [low, high] = bounds.map((bound) => sign * bound).sort((one, other) => one - other) as [
    number,
    number,
  ];
  const limit = maxKeys + except.size;
  // Records with the time of a bound may be outside the page, so they do not count.
  const atBounds: number[] = [];
  let candidates: { place: number; number: number }[] = [];
  let maxCandidates = 4 * limit;
  let last = Number.POSITIVE_INFINITY;
  // Most records were added in the order of the page, or in the reverse one.
  const isReversed = readPlace(numbers[0] as number) > readPlace(numbers.at(-1) as number);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[isReversed ? numbers.length - 1 - index : index] as number;
    const place = readPlace(number);
    if (place === low || place === high) atBounds.push(number);
    if (!(place > low && place < high && place <= last)) continue;
    candidates.push({ place, number });
    if (candidates.length < maxCandidates) continue;
    candidates.sort((one, other) => one.place - other.place);
    last = candidates[limit - 1]?.place as number;
    candidates = candidates.filter((each) => each.place <= last);
    // Records of the same time all stay. Sorting them again for each one more would take seconds.
    maxCandidates = Math.max(4 * limit, 2 * candidates.length);
  }
  return [...atBounds, ...candidates.map(({ number }) => number)];
}

const readTimePart = (bound: string) => Buffer.from(bound.padEnd(6, '\0'), 'latin1').readUIntBE(0, 6);

/** See `PublishedDataStore.readListPage`. @throws WordsNotReadyError until the index has every record */
export async function readWordPage(
  engine: Engine,
  organizationId: string,
  request: ListPageRequest,
): Promise<DocumentPage> {
  const indexed = findIndexedKind(publishedLists[request.list]);
  const filters = request.filters.map(([field, values]) => [toColumnName(field), values] as const);
  const keys = await findByWords(engine, organizationId, indexed, {
    ...request,
    words: request.words ?? [],
    filters,
  });
  const page = keys.slice(0, request.limit);
  const [last, next] = keys.slice(request.limit - 1);
  return {
    documents: await readDocuments(engine, organizationId, request, page.map(decodeId)),
    next:
      last === undefined || next === undefined
        ? undefined
        : toPosition(toSortKey(indexed, last), toSortKey(indexed, next)),
  };
}

/** Time and id, as pages without words have them. */
function toSortKey(indexed: IndexedKind, key: string): string {
  const { at, id } = decodePosition(indexed, key);
  return at + id;
}
