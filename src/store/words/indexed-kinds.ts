/** What the index of words has of a record: the words of its texts, and its values for filters. */
import { hash } from 'node:crypto';
import { toColumnName } from '../../contract/field.ts';
import { documentLists } from '../../contract/operations.ts';
import { addWords, type WordSink, wordRulesVersion } from '../../contract/search-words.ts';
import type { CursorPosition } from '../../domain/store.ts';
import type { Row, SqlValue } from '../engine.ts';
import { type List, publishedLists } from '../queries/published-lists.ts';
import { decodeId, decodeTime } from './record-key.ts';

/** Version of what is indexed; the greatest is the newest. Unicode adds letters, so its version counts too. */
export const wordRules = wordRulesVersion * 1_000 + Number.parseInt(process.versions.unicode ?? '0', 10);

/** Columns of a kind of records. */
export interface IndexedKind {
  kind: 'submission' | 'session';
  list: List;
  /** Of the numbers of segments, every second of which is of this kind. */
  firstSegment: 0 | 1;
  /** Columns whose words are indexed. */
  texts: readonly string[];
  /** Columns whose values are indexed, so that a search for words and a value reads no record with another value. */
  filters: readonly string[];
}

const toColumns = (operation: 'searchSubmissions' | 'searchSessions') => ({
  texts: documentLists[operation].words.map(toColumnName),
  filters: [...Object.values(documentLists[operation].filters).map(toColumnName), 'source_id'],
});

/**
 * The triggers of migrations/ note changes of these columns. If they change, raise the version of the rules in
 * src/contract/search-words.ts.
 */
export const indexedKinds = {
  submission: {
    kind: 'submission',
    list: publishedLists.submissions,
    firstSegment: 0,
    ...toColumns('searchSubmissions'),
  },
  session: {
    kind: 'session',
    list: publishedLists.sessions,
    firstSegment: 1,
    ...toColumns('searchSessions'),
  },
} as const satisfies Record<string, IndexedKind>;

export const findIndexedKind = ({ table }: List): IndexedKind =>
  table === 'session' ? indexedKinds.session : indexedKinds.submission;

const filterWords = new Map<string, string>();

/** Filters have few values, and a digest takes as long as several words of a text. */
const maxFilterWords = 10_000;

/** A value as a word, which no text contains. A digest, because a value may be longer than a word. */
export function toFilterWord(column: string, value: SqlValue): string {
  const name = `${column} ${value}`;
  let word = filterWords.get(name);
  if (word === undefined) {
    word = `=${column} ${hash('sha256', String(value), 'base64url').slice(0, 22)}`;
    if (filterWords.size === maxFilterWords) filterWords.clear();
    filterWords.set(name, word);
  }
  return word;
}

/** Adds the words of a record. */
export function addWordsOf({ texts, filters }: IndexedKind, row: Row, words: WordSink): void {
  for (const column of texts) addWords(words, (row[column] ?? null) as string | null);
  for (const column of filters) {
    const value = row[column] ?? null;
    if (value !== null) words.add(toFilterWord(column, value));
  }
}

export function listWords(indexed: IndexedKind, row: Row): Set<string> {
  const words = new Set<string>();
  addWordsOf(indexed, row, words);
  return words;
}

const dateLength = 'YYYY-MM-DD'.length;

/** @param key see record-key.ts @returns the place of the record in its list */
export const decodePosition = ({ list }: IndexedKind, key: string): Required<CursorPosition> => ({
  at: decodeTime(key).slice(0, list.at === 'date' ? dateLength : undefined),
  id: decodeId(key),
});

/** The columns that the index depends on. */
export const listIndexedColumns = ({ list, texts, filters }: IndexedKind): string[] => [
  ...new Set([list.at, ...texts, ...filters]),
];
