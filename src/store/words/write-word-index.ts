/**
 * Writes the index of words: `word_segment` numbers the records of a range, and `word_posting` has the numbers of the records with a
 * word. Both are written in the transaction that writes the records.
 */

import { splitIntoChunks } from '../../platform/split-into-chunks.ts';
import type { Engine, Queryable, Row } from '../engine.ts';
import { composeSeeks } from './compose-seeks.ts';
import { addWordsOf, type IndexedKind, listWords, wordRules } from './indexed-kinds.ts';
import { encodeKey, joinKeys, keyLength, keysPerPart, splitKeys } from './record-key.ts';
import { addToSegment, createSegment, findSegment, maxNumbers, placeKeys, type Segment } from './segments.ts';

/** The state of the index for one kind of records of a municipality. */
export interface WordIndex {
  /** Version of the rules that made the words. */
  rules: number;
  /** Records up to this key are indexed; null: all. */
  filledTo: string | null;
  revision: number;
}

/** A record whose words change. */
export interface WordChange {
  id: string;
  /** As the index has it; undefined: it has nothing. */
  before: Row | undefined;
  /** undefined: it was removed. */
  after: Row | undefined;
}

export interface WordTransaction {
  transaction: Pick<Queryable, 'query' | 'execute'>;
  engine: Pick<Engine, 'dialect' | 'recordset'>;
  organizationId: string;
}

/** @returns undefined: nothing is indexed */
export async function readWordIndex(
  { transaction, organizationId }: WordTransaction,
  { kind }: IndexedKind,
): Promise<WordIndex | undefined> {
  const [row] = await transaction.query<{ rules: number; filledTo: Buffer | null; revision: number }>(
    'SELECT rules, filled_to AS "filledTo", revision FROM word_index WHERE organization_id = $1 AND kind = $2',
    [organizationId, kind],
  );
  return row && { ...row, filledTo: row.filledTo === null ? null : row.filledTo.toString('latin1') };
}

export async function saveWordIndex(
  { transaction, organizationId }: WordTransaction,
  { kind }: IndexedKind,
  { rules, filledTo, revision }: WordIndex,
): Promise<void> {
  await transaction.execute(
    `INSERT INTO word_index (organization_id, kind, rules, filled_to, revision) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (organization_id, kind) DO UPDATE SET rules = excluded.rules, filled_to = excluded.filled_to,
      revision = excluded.revision`,
    [organizationId, kind, rules, filledTo === null ? null : Buffer.from(filledTo, 'latin1'), revision],
  );
}

export const createWordIndex = (filledTo: string | null): WordIndex => ({
  rules: wordRules,
  filledTo,
  // Greater than every revision of an index that was there before.
  revision: Date.now(),
});

/** Numbers of records by segment and word. */
type Postings = Map<number, Map<string, number[]>>;

const findPostings = (postings: Postings, segment: number): Map<string, number[]> =>
  postings.getOrInsertComputed(segment, () => new Map());

/** Adds the number of a record to a word, unless it is the last one already. */
function addNumber(words: Map<string, number[]>, word: string, number: number): void {
  const numbers = words.get(word);
  if (numbers === undefined) words.set(word, [number]);
  else if (numbers[numbers.length - 1] !== number) numbers.push(number);
}

/** A record in the index. */
interface Entry {
  key: string;
  row: Row;
}

/** Writes the words of changed records, as far as the index has been filled. @param index is changed */
export async function applyWordChanges(
  target: WordTransaction,
  indexed: IndexedKind,
  index: WordIndex,
  changes: readonly WordChange[],
): Promise<void> {
  const toEntry = (id: string, row: Row | undefined): Entry | undefined => {
    if (row === undefined) return undefined;
    const key = encodeKey(row[indexed.list.at] as string, id);
    const isFilled = index.filledTo === null || key <= index.filledTo;
    return isFilled ? { key, row } : undefined;
  };
  const entries = changes.map(({ id, before, after }) => ({
    before: toEntry(id, before),
    after: toEntry(id, after),
  }));
  const segments = await readSegments(target, indexed);
  const stored = entries.flatMap(({ before }) => before?.key ?? []);
  const numbers = await readNumbers(target, segments, stored);
  const removed: Postings = new Map();
  const added: { entry: Entry; words?: Iterable<string>; number?: number }[] = [];
  for (const { before, after } of entries) {
    const number = before && numbers.get(before.key);
    const segment = before && findSegment(segments, before.key);
    const stays = number !== undefined && before?.key === after?.key;
    const wordsBefore =
      before === undefined || number === undefined ? new Set<string>() : listWords(indexed, before.row);
    const wordsAfter = stays && after !== undefined ? listWords(indexed, after.row) : undefined;
    if (number !== undefined && segment !== undefined) {
      const removedWords = findPostings(removed, segment.segment);
      for (const word of wordsAfter === undefined ? wordsBefore : wordsBefore.difference(wordsAfter))
        addNumber(removedWords, word, number);
      if (!stays) {
        segment.count -= 1;
        segment.removed.push(number);
      }
    }
    if (after === undefined) continue;
    if (wordsAfter === undefined) added.push({ entry: after });
    else added.push({ entry: after, words: wordsAfter.difference(wordsBefore), number: number as number });
  }
  await removePostings(target, removed);
  added.sort((one, other) => (one.entry.key < other.entry.key ? -1 : 1));
  const newKeys = added.filter(({ number }) => number === undefined).map(({ entry }) => entry.key);
  const takeNumber = createNumbering(segments, indexed);
  placeKeys(segments, newKeys, takeNumber);
  const postings: Postings = new Map();
  for (const { entry, words, number } of added) {
    const segment = findSegment(segments, entry.key) as Segment;
    const ownNumber = number ?? addToSegment(segment, entry.key);
    const ofSegment = findPostings(postings, segment.segment);
    const add = (word: string) => addNumber(ofSegment, word, ownNumber);
    // Without a set of the words of each record, which would take as long as splitting its texts.
    if (words === undefined) addWordsOf(indexed, entry.row, { add });
    else for (const word of words) add(word);
  }
  await addPostings(target, postings, segments);
  await saveSegments(target, indexed, segments, takeNumber);
  index.revision += 1;
  await saveWordIndex(target, indexed, index);
}

/** @returns a function for a whole transaction, so that it returns no number twice */
function createNumbering(segments: readonly Segment[], { firstSegment }: IndexedKind): () => number {
  let next = Math.max(firstSegment, ...segments.map(({ segment }) => segment + 2));
  return () => {
    next += 2;
    return next - 2;
  };
}

/** @returns segments in the order of their keys */
async function readSegments(
  { transaction, organizationId }: WordTransaction,
  { kind }: IndexedKind,
): Promise<Segment[]> {
  const rows = await transaction.query<{
    segment: number;
    first: Buffer;
    last: Buffer;
    count: number;
    nextNumber: number;
    isSorted: number;
  }>(
    `SELECT segment, first_key AS first, last_key AS last, count, next_number AS "nextNumber", is_sorted AS "isSorted"
    FROM word_segment
    WHERE organization_id = $1 AND kind = $2 ORDER BY first_key`,
    [organizationId, kind],
  );
  return rows.map(({ segment, first, last, count, nextNumber, isSorted }) => ({
    ...createSegment(segment, first.toString('latin1'), last.toString('latin1')),
    count,
    nextNumber,
    isSorted: isSorted === 1,
    lastNumbered: last.toString('latin1'),
    isNew: false,
  }));
}

/** @returns the numbers of records in their segments, by key */
async function readNumbers(
  target: WordTransaction,
  segments: readonly Segment[],
  keys: readonly string[],
): Promise<Map<string, number>> {
  const wanted = new Set(keys);
  const found = new Map<string, number>();
  const concerned = new Set(keys.map((key) => findSegment(segments, key)?.segment));
  for (const segment of concerned) {
    if (segment === undefined) continue;
    for (const [number, key] of (await readKeys(target, segment)).entries())
      if (wanted.has(key)) found.set(key, number);
  }
  return found;
}

/** @returns the keys of all records of a segment, by their numbers */
async function readKeys(
  { transaction, organizationId }: WordTransaction,
  segment: number,
): Promise<string[]> {
  const rows = await transaction.query<{ keys: Buffer }>(
    'SELECT keys FROM word_segment_keys WHERE organization_id = $1 AND segment = $2 ORDER BY part',
    [organizationId, segment],
  );
  return rows.flatMap(({ keys }) => splitKeys(keys));
}

/** Appends keys to the parts of a segment. */
async function addKeys(
  { transaction, organizationId, engine }: WordTransaction,
  { segment, nextNumber, added }: Segment,
): Promise<void> {
  const firstNumber = nextNumber - added.length;
  for (let from = 0; from < added.length; ) {
    const part = Math.floor((firstNumber + from) / keysPerPart);
    const to = (part + 1) * keysPerPart - firstNumber;
    await transaction.execute(
      `INSERT INTO word_segment_keys (organization_id, segment, part, keys) VALUES ($1, $2, $3, $4)
      ON CONFLICT (organization_id, segment, part) DO UPDATE SET keys = ${appendedKeys[engine.dialect]}`,
      [organizationId, segment, part, joinKeys(added.slice(from, to))],
    );
    from = to;
  }
}

const concatenated = (column: string) => ({
  sqlite: `CAST(${column} || excluded.${column.split('.')[1]} AS BLOB)`,
  postgres: `${column} || excluded.${column.split('.')[1]}`,
});

const appendedNumbers = concatenated('word_posting.numbers');
const appendedKeys = concatenated('word_segment_keys.keys');

async function saveSegments(
  target: WordTransaction,
  indexed: IndexedKind,
  segments: readonly Segment[],
  takeNumber: () => number,
): Promise<void> {
  const { transaction, organizationId } = target;
  const changed = segments.filter(({ isNew, added, removed }) => isNew || added.length + removed.length > 0);
  for (const each of changed) {
    const { segment, first, last, count, nextNumber, isSorted } = each;
    await transaction.execute(
      `INSERT INTO word_segment (organization_id, kind, segment, first_key, last_key, count, next_number, is_sorted)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (organization_id, kind, segment) DO UPDATE SET first_key = excluded.first_key, last_key = excluded.last_key,
        count = excluded.count, next_number = excluded.next_number, is_sorted = excluded.is_sorted`,
      [
        organizationId,
        indexed.kind,
        segment,
        Buffer.from(first, 'latin1'),
        Buffer.from(last, 'latin1'),
        count,
        nextNumber,
        Number(isSorted),
      ],
    );
    await addKeys(target, each);
  }
  for (const { segment, count, nextNumber, removed } of changed) {
    const isDivided = nextNumber > maxNumbers;
    if (removed.length > 0 && count > 0) await forgetKeys(target, segment, removed);
    if (isDivided && count > 0) await divideSegment(target, indexed, segment, takeNumber);
    if (count === 0 || isDivided) await deleteSegment(target, indexed, segment);
  }
}

const noKey = '\0'.repeat(keyLength);

async function forgetKeys(
  target: WordTransaction,
  segment: number,
  numbers: readonly number[],
): Promise<void> {
  const { transaction, organizationId } = target;
  const keys = await readKeys(target, segment);
  for (const number of numbers) keys[number] = noKey;
  for (const part of new Set(numbers.map((number) => Math.floor(number / keysPerPart))))
    await transaction.execute(
      'UPDATE word_segment_keys SET keys = $4 WHERE organization_id = $1 AND segment = $2 AND part = $3',
      [organizationId, segment, part, joinKeys(keys.slice(part * keysPerPart, (part + 1) * keysPerPart))],
    );
}

export async function deleteSegment(
  { transaction, organizationId }: WordTransaction,
  { kind }: IndexedKind,
  segment: number,
): Promise<void> {
  for (const table of ['word_posting', 'word_segment_keys'])
    await transaction.execute(`DELETE FROM ${table} WHERE organization_id = $1 AND segment = $2`, [
      organizationId,
      segment,
    ]);
  await transaction.execute(
    'DELETE FROM word_segment WHERE organization_id = $1 AND kind = $2 AND segment = $3',
    [organizationId, kind, segment],
  );
}

interface PostingRow {
  segment: number;
  word: string;
  numbers: Buffer;
}

/** Copies the records of a segment to new ones, without the numbers of removed records. */
async function divideSegment(
  target: WordTransaction,
  indexed: IndexedKind,
  segment: number,
  takeNumber: () => number,
): Promise<void> {
  const { transaction, organizationId } = target;
  const keys = await readKeys(target, segment);
  const present = keys.filter((key) => key !== noKey).sort();
  const parts: Segment[] = [];
  const size = Math.ceil(present.length / Math.ceil(present.length / (maxNumbers / 2)));
  for (const part of splitIntoChunks(present, size))
    parts.push(createSegment(takeNumber(), part[0] as string, part.at(-1) as string));
  const numbers = new Map(present.map((key) => [key, addToSegment(findSegment(parts, key) as Segment, key)]));
  const rows = await transaction.query<PostingRow>(
    'SELECT segment, word, numbers FROM word_posting WHERE organization_id = $1 AND segment = $2',
    [organizationId, segment],
  );
  const postings: Postings = new Map();
  for (const { word, numbers: stored } of rows)
    for (const number of splitNumbers(stored)) {
      const key = keys[number] as string;
      const { segment: part } = findSegment(parts, key) as Segment;
      addNumber(findPostings(postings, part), word, numbers.get(key) as number);
    }
  await addPostings(target, postings, parts);
  await saveSegments(target, indexed, parts, takeNumber);
}

/** Words of a statement. */
const maxWordsPerStatement = 10_000;

async function addPostings(
  { transaction, engine, organizationId }: WordTransaction,
  postings: Postings,
  segments: readonly Segment[],
): Promise<void> {
  const newSegments = new Set(segments.filter(({ isNew }) => isNew).map(({ segment }) => segment));
  // In the order of the primary key, so that pages of SQLite become full.
  for (const [segment, words] of [...postings].sort(([one], [other]) => one - other)) {
    // PostgreSQL looks for a conflict before it inserts a row.
    const upsert = newSegments.has(segment) ? '' : composeUpsert(engine.dialect);
    const sorted = [...words.keys()].sort();
    if (engine.dialect === 'sqlite') {
      const insert = `INSERT INTO word_posting (organization_id, segment, word, numbers) VALUES ($1, $2, $3, $4) ${upsert}`;
      // JSON would take longer.
      for (const word of sorted)
        await transaction.execute(insert, [
          organizationId,
          segment,
          word,
          joinNumbers(words.get(word) as number[]),
        ]);
      continue;
    }
    for (const part of splitIntoChunks(sorted, maxWordsPerStatement)) {
      const numbers = part.map((word) => words.get(word) as number[]);
      // RETURNING: see child-rows.ts.
      await transaction.execute(
        `INSERT INTO word_posting (organization_id, segment, word, numbers)
        SELECT $1, $2, word, substr($5::bytea, first, length)
        FROM unnest(string_to_array($3, E'\\n'), $4::integer[], $6::integer[]) AS added (word, first, length) ${upsert} RETURNING 1`,
        [organizationId, segment, part.join('\n'), ...joinLists(numbers)],
      );
    }
  }
}

/**
 * An array of byte strings would be text, which takes several times as long to write and to read.
 *
 * @returns parameters: the first byte of each list, counted from 1; all lists in one; the number of bytes of each list
 */
function joinLists(lists: readonly (readonly number[])[]): [first: string, bytes: Buffer, lengths: string] {
  const lengths = lists.map(({ length }) => 2 * length);
  let next = 0;
  const first = lengths.map((length) => {
    next += length;
    return next - length + 1;
  });
  const bytes = Buffer.allocUnsafe(next);
  for (const [index, numbers] of lists.entries()) writeNumbers(bytes, (first[index] as number) - 1, numbers);
  return [`{${first}}`, bytes, `{${lengths}}`];
}

const composeUpsert = (dialect: Engine['dialect']) =>
  `ON CONFLICT (organization_id, segment, word) DO UPDATE SET numbers = ${appendedNumbers[dialect]}`;

async function removePostings(target: WordTransaction, postings: Postings): Promise<void> {
  const { transaction, engine, organizationId } = target;
  const all = [...postings].flatMap(([segment, words]) =>
    [...words.keys()].map((word) => ({ segment, word })),
  );
  const given = engine.recordset('given', '$2', { segment: 'integer', word: 'text' });
  const stored = composeSeeks(
    engine,
    given,
    'word_posting',
    'stored.organization_id = $1 AND stored.segment = given.segment AND stored.word = given.word',
  );
  for (const part of splitIntoChunks(all, maxWordsPerStatement)) {
    const rows = await transaction.query<PostingRow>(
      `SELECT stored.segment, stored.word, stored.numbers FROM ${stored}`,
      [organizationId, JSON.stringify(part)],
    );
    for (const { segment, word, numbers } of rows) {
      const gone = new Set(postings.get(segment)?.get(word));
      const kept = splitNumbers(numbers).filter((number) => !gone.has(number));
      const where = 'WHERE organization_id = $1 AND segment = $2 AND word = $3';
      const identity = [organizationId, segment, word];
      if (kept.length === 0) await transaction.execute(`DELETE FROM word_posting ${where}`, identity);
      else
        await transaction.execute(`UPDATE word_posting SET numbers = $4 ${where}`, [
          ...identity,
          joinNumbers(kept),
        ]);
    }
  }
}

function joinNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * numbers.length);
  writeNumbers(bytes, 0, numbers);
  return bytes;
}

function writeNumbers(bytes: Buffer, from: number, numbers: readonly number[]): void {
  let at = from;
  for (const number of numbers) {
    bytes[at] = number >>> 8;
    bytes[at + 1] = number & 0xff;
    at += 2;
  }
}

function splitNumbers(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let from = 0; from < bytes.length; from += 2) numbers.push(bytes.readUInt16BE(from));
  return numbers;
}
