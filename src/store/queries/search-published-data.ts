/**
 * Search in published data. Words are found in their index, and so are records of a source with a filter. All other searches read the
 * index of their list.
 */
import { toColumnName } from '../../contract/field.ts';
import { documentLists, type SubmissionFilter } from '../../contract/operations.ts';
import { foldText, parseSearchWords } from '../../contract/search-words.ts';
import {
  type CursorPosition,
  type LocatedPage,
  maxCountedMatches,
  type PublishedDataSearch,
  type PublishedSearch,
  type PublishedSubmissionSearch,
  type SearchPage,
} from '../../domain/store.ts';
import { WordSearchOffError, WordsNotReadyError } from '../../domain/store-errors.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, SqlValue } from '../engine.ts';
import { findByWords, type WordQuery } from '../words/find-by-words.ts';
import { decodePosition, type IndexedKind, indexedKinds } from '../words/indexed-kinds.ts';
import { afterEveryTime, composeDistinct, composeScope } from './published-lists.ts';
import { extendDocument, selectIds, toIdRows } from './statements.ts';

/** A step takes about a millisecond on SQLite. */
const recordsPerStep = 500;

/** Each longer document is read by a statement of its own. */
const maxBytesTogether = 8_192;

/** Of a filter. */
const maxValues = 500;

/** Records whose reference numbers are compared with that of a query. */
const maxReferences = 500;

type Key = Required<CursorPosition>;

interface ReadKey extends Key {
  /** 0: another source has written the record. */
  isOfSource: number;
}

interface Scan {
  indexed: IndexedKind;
  filters: [column: string, value: string | number][];
  /** No index of the list has the source together with the filters. */
  sourceId?: number | undefined;
}

export function createPublishedDataSearch(engine: Engine, wordSearch: boolean): PublishedDataSearch {
  /** Reads the first keys after a position: the remaining ones of its time, then older ones. No row comparison expresses this order. */
  async function readKeys(
    scan: Scan,
    { organizationId, from }: PublishedSearch,
    position: CursorPosition,
    maxRows: number,
  ): Promise<ReadKey[]> {
    const { indexed, filters, sourceId } = scan;
    const { table, at } = indexed.list;
    const read = (part: CursorPosition, limit: number) => {
      const parameters: [string, ...SqlValue[]] = [organizationId];
      const bind = (value: SqlValue) => `$${parameters.push(value)}`;
      const isOfSource =
        sourceId === undefined ? '1' : `CASE WHEN source_id = ${bind(sourceId)} THEN 1 ELSE 0 END`;
      const conditions = [
        ...composeScope(engine.dialect, indexed.list, filters.length),
        ...filters.map(([column, value]) => `${column} = ${bind(value)}`),
        ...(part.id === undefined
          ? [`${at} < ${bind(part.at)}`, ...(from === undefined ? [] : [`${at} >= ${bind(from)}`])]
          : [`${at} = ${bind(part.at)}`, `id > ${bind(part.id)}`]),
      ];
      return engine.tenantQuery<ReadKey>(
        `SELECT ${at} AS at, id, ${isOfSource} AS "isOfSource" FROM ${table} WHERE ${conditions.join(' AND ')}
          ORDER BY ${at} DESC, id LIMIT ${bind(limit)}`,
        parameters,
      );
    };
    const rows = position.id === undefined ? [] : await read(position, maxRows);
    return rows.length === maxRows
      ? rows
      : rows.concat(await read({ at: position.at }, maxRows - rows.length));
  }

  /** Reads the list in short steps, until it has found one record more than the page has. */
  async function findInList(scan: Scan, search: PublishedSearch): Promise<Key[]> {
    const { after, before, limit } = search;
    const maxRows = scan.sourceId === undefined ? limit + 1 : recordsPerStep;
    const found: Key[] = [];
    let position: CursorPosition | undefined = after ?? { at: before ?? afterEveryTime };
    while (position !== undefined && found.length <= limit) {
      if (isSliceUsedUp()) await waitForSlice();
      const rows: ReadKey[] = await readKeys(scan, search, position, maxRows);
      found.push(...rows.filter(({ isOfSource }) => isOfSource === 1));
      position = rows.length < maxRows ? undefined : rows.at(-1);
    }
    return found;
  }

  /** @throws WordsNotReadyError, WordSearchOffError */
  async function findInWordIndex(
    { indexed, filters, sourceId }: Scan,
    { organizationId, words, from = '', before = afterEveryTime, after, limit }: PublishedSearch,
  ): Promise<Key[]> {
    if (!wordSearch) throw new WordSearchOffError();
    const wanted = sourceId === undefined ? filters : [...filters, ['source_id', sourceId] as const];
    const query: WordQuery = {
      words,
      filters: wanted.map(([column, value]) => [column, [value]]),
      range: { from, before },
      direction: 'desc',
      after,
      limit,
    };
    const keys = await findByWords(engine, organizationId, indexed, query);
    return keys.map((key) => decodePosition(indexed, key));
  }

  async function findKeys(scan: Scan, search: PublishedSearch): Promise<Key[]> {
    if (search.words.length > 0) return findInWordIndex(scan, search);
    if (scan.sourceId === undefined) return findInList(scan, search);
    try {
      return await findInWordIndex(scan, search);
    } catch (error) {
      if (error instanceof WordsNotReadyError || error instanceof WordSearchOffError)
        return findInList(scan, search);
      throw error;
    }
  }

  /** Leaves out records that were removed in the meantime. */
  async function readDocuments(
    { list }: IndexedKind,
    organizationId: string,
    ids: readonly string[],
  ): Promise<string[]> {
    const document = extendDocument(list.table);
    const rows = await engine.tenantQuery<{ id: string; document: string | null }>(
      `SELECT id, CASE WHEN octet_length(document) <= ${maxBytesTogether} THEN ${document} END AS document FROM ${list.table}
        WHERE organization_id = $1 AND id IN (${selectIds(engine.recordset, '$2')})`,
      [organizationId, toIdRows(ids)],
    );
    const byId = new Map(rows.map((row) => [row.id, row.document]));
    const byIdQuery = `SELECT ${document} AS document FROM ${list.table} WHERE organization_id = $1 AND id = $2`;
    const documents: string[] = [];
    for (const id of ids.filter((id) => byId.has(id))) {
      if (isSliceUsedUp()) await waitForSlice();
      const found = byId.get(id) ?? (await engine.readDocument(byIdQuery, organizationId, id));
      if (found !== undefined) documents.push(found);
    }
    return documents;
  }

  /** @returns undefined for words, and for a filter and a source, which no index of the list has together */
  async function countMatches(
    { filters, sourceId, indexed: { list } }: Scan,
    { organizationId, words, from, before }: PublishedSearch,
  ): Promise<number | undefined> {
    if (words.length > 0 || filters.length > 1 || sourceId !== undefined) return undefined;
    const { table, at } = list;
    const parameters: [string, ...SqlValue[]] = [organizationId];
    const bind = (value: SqlValue) => `$${parameters.push(value)}`;
    const conditions = [
      ...composeScope(engine.dialect, list, filters.length),
      ...filters.map(([column, value]) => `${column} = ${bind(value)}`),
      ...(from === undefined ? [] : [`${at} >= ${bind(from)}`]),
      ...(before === undefined ? [] : [`${at} < ${bind(before)}`]),
    ];
    // The index has this order, so the database stops reading at the limit.
    const [row] = await engine.tenantQuery<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE ${conditions.join(' AND ')}
        ORDER BY ${at} DESC, id LIMIT ${maxCountedMatches + 1}) AS matches`,
      parameters,
    );
    const count = Number(row?.count);
    return count > maxCountedMatches ? undefined : count;
  }

  async function searchList(scan: Scan, search: PublishedSearch): Promise<SearchPage> {
    const keys = await findKeys(scan, search);
    const page = keys.slice(0, search.limit);
    const documents = await readDocuments(
      scan.indexed,
      search.organizationId,
      page.map(({ id }) => id),
    );
    const last = page.at(-1);
    const next = keys.length > page.length && last ? { at: last.at, id: last.id } : undefined;
    const isWhole = search.after === undefined && next === undefined;
    return { documents, next, total: isWhole ? documents.length : await countMatches(scan, search) };
  }

  async function locateSubmissions(search: PublishedSubmissionSearch): Promise<LocatedPage> {
    const keys = await findKeys(toScan(search), search);
    const examined = keys.slice(0, search.limit);
    // With a condition on the location, a planner could walk all locations of the municipality.
    const rows = await engine.tenantQuery<{ id: string; location: string | null }>(
      `SELECT id, location FROM submission WHERE organization_id = $1 AND id IN (${selectIds(engine.recordset, '$2')})`,
      [search.organizationId, toIdRows(examined.map(({ id }) => id))],
    );
    const locations = new Map(rows.map(({ id, location }) => [id, location]));
    const located = examined.flatMap(({ at, id }) => {
      const location = locations.get(id);
      if (!location) return [];
      const [longitude, latitude] = JSON.parse(location).coordinates as [number, number];
      return [{ at, id, longitude, latitude }];
    });
    const next = keys.length > examined.length ? examined.at(-1) : undefined;
    return { located, examined: examined.length, next };
  }

  return {
    searchSubmissions: (search) => searchList(toScan(search), search),
    locateSubmissions,
    readSubmissions: (...submissions) => readDocuments(indexedKinds.submission, ...submissions),
    searchSessions: ({ sourceId, ...search }) =>
      searchList({ indexed: indexedKinds.session, filters: [], sourceId }, search),
    findByReferenceNumber: async (organizationId, referenceNumber) => {
      const words = parseSearchWords(referenceNumber);
      if (typeof words === 'string') return undefined;
      const found = await findInWordIndex(
        { indexed: indexedKinds.submission, filters: [] },
        {
          organizationId,
          // The index has the whole number of the record, and few other records have it.
          words: words.map(({ text }) => ({ text, isWhole: true })),
          from: undefined,
          before: undefined,
          after: undefined,
          limit: maxReferences,
        },
      );
      if (found.length > maxReferences) return undefined;
      const rows = await engine.tenantQuery<{ id: string; reference: string | null }>(
        `SELECT id, reference_number AS reference FROM submission
          WHERE organization_id = $1 AND id IN (${selectIds(engine.recordset, '$2')})`,
        [organizationId, toIdRows(found.map(({ id }) => id))],
      );
      const wanted = foldText(referenceNumber.trim());
      const ids = rows
        .filter(({ reference }) => reference !== null && foldText(reference.trim()) === wanted)
        .map(({ id }) => id);
      return ids.length === 1
        ? (await readDocuments(indexedKinds.submission, organizationId, ids))[0]
        : undefined;
    },
    listFilterValues: async (organizationId, filter) => {
      const rows = await engine.tenantQuery<{ value: string }>(
        composeDistinct(engine.dialect, toColumnName(submissionFilters[filter]), [], maxValues),
        [organizationId, ''],
      );
      return rows.map(({ value }) => value);
    },
  };
}

function toScan({ filters: given, sourceId }: PublishedSubmissionSearch): Scan {
  const indexed = indexedKinds.submission;
  const filters = filterColumns.flatMap(([name, column]): Scan['filters'] => {
    const value = given[name];
    return value === undefined ? [] : [[column, value]];
  });
  return sourceId !== undefined && filters.length === 0
    ? { indexed, filters: [['source_id', sourceId]] }
    : { indexed, filters, sourceId };
}

const { filters: submissionFilters } = documentLists.listSubmissions;

const filterColumns = Object.entries(submissionFilters).map(
  ([name, field]) => [name as SubmissionFilter, toColumnName(field)] as const,
);
