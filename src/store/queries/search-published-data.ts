/**
 * Search in published data. No index contains the words, so the search reads the list in short steps, between which other
 * requests can run. The database selects records that may match, because passing all of them on would take longer than
 * reading them, and `containsWords` decides. So both engines find the same records, whichever characters they fold.
 */
import { toColumnName } from '../../contract/field.ts';
import { documentLists, type SubmissionFilter } from '../../contract/operations.ts';
import type { SessionRecord, SubmissionRecord } from '../../domain/records/records.ts';
import {
  maxCountedMatches,
  type PublishedDataSearch,
  type PublishedSearch,
  type SearchPage,
} from '../../domain/store.ts';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';
import type { Engine, SqlValue } from '../engine.ts';
import { countFitting } from './large-documents/large-document.ts';
import { composeDistinct, composeScope, publishedLists } from './published-lists.ts';

/** At most. A step takes about a millisecond on SQLite if the records are in memory. */
const recordsPerStep = 500;

/** Only the index of the whole list contains the documents. */
const filteredRecordsPerStep = 100;

/** Without words and source, every record matches. One more record shows whether there are further ones. */
function getStepSize({ filters, sourceId }: Scan, { words, limit }: PublishedSearch): number {
  if (words.length === 0 && sourceId === undefined) return limit + 1;
  return filters.length > 0 || sourceId !== undefined ? filteredRecordsPerStep : recordsPerStep;
}

/** A step does not read longer documents: each is read by a statement of its own. */
const maxDocumentBytesInStep = 8_192;
const isLong = `octet_length(document) > ${maxDocumentBytesInStep}`;
const comparedBytes = `CASE WHEN ${isLong} THEN 0 ELSE octet_length(document) END + coalesce(octet_length(title), 0)`;

/** Of all texts. Passing them on takes about 2 ms on SQLite. */
const maxBytesInStep = 512 * 1024;

/** LIKE may compare all characters of a pattern at each place of a text. This number takes about 3 ms on SQLite, and 10 ms on PostgreSQL. */
const maxComparisonsInStep = 4_000_000;

/** A longer pattern would select hardly fewer records. */
const maxPatternCharacters = 16;

/** Of a filter. */
const maxValues = 500;

/** After every time that a record can have. */
const endOfTime = '9999-12-31T23:59:59.999Z~';

/** Without an id: after all records of the time. */
interface Position {
  at: string;
  id?: string;
}

interface ScannedRow extends Required<Position> {
  isLong: number;
  /** null: long, or cannot match. */
  document: string | null;
  title: string | null;
}

interface Scan {
  list: (typeof publishedLists)['submissions' | 'sessions'];
  filters: [column: string, value: SqlValue][];
  /** Compared in each step: no index has the source together with a filter. */
  sourceId?: number | undefined;
  /** Of the document. The title is searched, too. */
  getSearchedText: (document: string) => string;
}

export function createPublishedDataSearch(engine: Engine): PublishedDataSearch {
  const like = engine.dialect === 'sqlite' ? 'LIKE' : 'ILIKE';

  /**
   * Reads the first rows after a position: the remaining ones of its time, then older ones. No row comparison expresses this order.
   *
   * @param composeColumns receives a function that binds values
   */
  async function readRows<Row>(
    scan: Scan,
    search: PublishedSearch,
    position: Position,
    maxRows: number,
    composeColumns: (bind: Bind) => string,
  ): Promise<Row[]> {
    const read = (part: Position, limit: number) => {
      const parameters: [string, ...SqlValue[]] = [search.organizationId];
      const bind: Bind = (value) => `$${parameters.push(value)}`;
      return engine.tenantQuery<Row>(
        `SELECT ${composeColumns(bind)} ${composeRows(engine.dialect, scan, search, part, bind)} LIMIT ${bind(limit)}`,
        parameters,
      );
    };
    const rows = position.id === undefined ? [] : await read(position, maxRows);
    return rows.length === maxRows
      ? rows
      : rows.concat(await read({ at: position.at }, maxRows - rows.length));
  }

  /** @returns numbers of records of the next steps; empty at the end of the list */
  async function planSteps(scan: Scan, search: PublishedSearch, position: Position): Promise<number[]> {
    const maxRows = getStepSize(scan, search);
    if (search.words.length === 0) return [maxRows];
    const patternCharacters = search.words.map(createPattern).join('').length;
    const maxBytes = Math.min(maxBytesInStep, maxComparisonsInStep / patternCharacters);
    const counts: number[] = [];
    let sizes = await readRows<{ bytes: number }>(
      scan,
      search,
      position,
      maxRows,
      () => `${comparedBytes} AS bytes`,
    );
    while (sizes.length > 0) {
      const count = countFitting(sizes, maxBytes);
      counts.push(count);
      sizes = sizes.slice(count);
    }
    return counts;
  }

  const readStep = (scan: Scan, search: PublishedSearch, position: Position, count: number) =>
    readRows<ScannedRow>(scan, search, position, count, (bind) => {
      const isOfSource = scan.sourceId === undefined ? '1 = 1' : `source_id = ${bind(scan.sourceId)}`;
      const mayMatch = search.words.map((word) => {
        const pattern = `${like} ${bind(createPattern(word))} ESCAPE '\\'`;
        return `(document ${pattern} OR title ${pattern})`;
      });
      return `${scan.list.at} AS at, id, title, CASE WHEN ${isLong} AND ${isOfSource} THEN 1 ELSE 0 END AS "isLong",
        CASE WHEN ${[`NOT ${isLong}`, isOfSource, ...mayMatch].join(' AND ')} THEN document END AS document`;
    });

  /** @returns undefined for words, and for several filters, or a filter and a source, which no index has together */
  async function countMatches(
    { filters, sourceId, list: { table, at }, list }: Scan,
    { organizationId, words, from, before }: PublishedSearch,
  ): Promise<number | undefined> {
    if (words.length > 0 || filters.length > 1 || sourceId !== undefined) return undefined;
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

  async function* walkSteps(scan: Scan, search: PublishedSearch): AsyncGenerator<ScannedRow[]> {
    let position: Position = search.after ?? { at: search.before ?? endOfTime };
    for (;;) {
      const counts = await planSteps(scan, search, position);
      if (counts.length === 0) return;
      for (const count of counts) {
        if (isSliceUsedUp()) await waitForSlice();
        const rows = await readStep(scan, search, position, count);
        yield rows;
        if (rows.length < count) return;
        position = rows.at(-1) ?? position;
      }
    }
  }

  /** @returns null if the record was deleted in the meantime */
  async function readLongDocument(
    { list }: Scan,
    organizationId: string,
    id: string,
  ): Promise<string | null> {
    const byId = `SELECT document FROM ${list.table} WHERE organization_id = $1 AND id = $2`;
    const document = await engine.readDocument(byId, organizationId, id);
    if (isSliceUsedUp()) await waitForSlice();
    return document ?? null;
  }

  async function searchList(scan: Scan, search: PublishedSearch): Promise<SearchPage> {
    const page = await findPage(scan, search);
    const isWhole = search.after === undefined && page.next === undefined;
    return { ...page, total: isWhole ? page.documents.length : await countMatches(scan, search) };
  }

  async function findPage(scan: Scan, search: PublishedSearch): Promise<Omit<SearchPage, 'total'>> {
    const { organizationId, words, limit, maxDurationMs } = search;
    const latestMs = performance.now() + maxDurationMs;
    const wanted = words.map(foldCase);
    const found: { at: string; id: string; document: string }[] = [];
    const endAfter = ({ at, id }: { at: string; id: string }) => ({
      documents: found.map(({ document }) => document),
      next: { at, id },
    });
    let last: ScannedRow | undefined;
    for await (const rows of walkSteps(scan, search)) {
      for (const row of rows) {
        // Every search reads at least one record, so that it advances.
        if (last !== undefined && row.isLong && performance.now() > latestMs) return endAfter(last);
        last = row;
        if (!row.isLong && row.document === null) continue;
        if (isSliceUsedUp()) await waitForSlice();
        const document = row.isLong ? await readLongDocument(scan, organizationId, row.id) : row.document;
        if (document === null || !containsWords(scan, document, row.title, wanted)) continue;
        const lastOfPage = found[limit - 1];
        if (lastOfPage !== undefined) return endAfter(lastOfPage);
        found.push({ at: row.at, id: row.id, document: addTitle(document, row.title) });
      }
      if (last !== undefined && performance.now() > latestMs) return endAfter(last);
    }
    return { documents: found.map(({ document }) => document), next: undefined };
  }

  return {
    searchSubmissions: ({ filters: given, ...search }) => {
      const filters = filterColumns.flatMap(([name, column]): Scan['filters'] => {
        const value = given[name];
        return value === undefined ? [] : [[column, value]];
      });
      const scan = { list: publishedLists.submissions, getSearchedText: getSubmissionText };
      const { sourceId } = search;
      return sourceId !== undefined && filters.length === 0
        ? searchList({ ...scan, filters: [['source_id', sourceId]] }, search)
        : searchList({ ...scan, filters, sourceId }, search);
    },
    searchSessions: (search) =>
      searchList(
        {
          list: publishedLists.sessions,
          filters: [],
          sourceId: search.sourceId,
          getSearchedText: getSessionText,
        },
        search,
      ),
    listFilterValues: async (organizationId, filter) => {
      const rows = await engine.tenantQuery<{ value: string }>(
        composeDistinct(engine.dialect, toColumnName(submissionFilters[filter]), [], maxValues),
        [organizationId, ''],
      );
      return rows.map(({ value }) => value);
    },
  };
}

const { filters: submissionFilters } = documentLists.listSubmissions;

const filterColumns = Object.entries(submissionFilters).map(
  ([name, field]) => [name as SubmissionFilter, toColumnName(field)] as const,
);

type Bind = (value: SqlValue) => string;

/** From `FROM` to `ORDER BY`: the remaining rows of the time of the position, or, without an id, older rows. */
function composeRows(
  dialect: Engine['dialect'],
  { filters, list }: Scan,
  { from }: PublishedSearch,
  position: Position,
  bind: Bind,
): string {
  const { table, at } = list;
  const conditions = [
    ...composeScope(dialect, list, filters.length),
    ...filters.map(([column, value]) => `${column} = ${bind(value)}`),
  ];
  if (position.id === undefined) {
    conditions.push(`${at} < ${bind(position.at)}`);
    if (from !== undefined) conditions.push(`${at} >= ${bind(from)}`);
  } else conditions.push(`${at} = ${bind(position.at)}`, `id > ${bind(position.id)}`);
  return `FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${at} DESC, id`;
}

function containsWords(
  { getSearchedText }: Scan,
  document: string,
  title: string | null,
  words: readonly string[],
): boolean {
  if (words.length === 0) return true;
  const text = foldCase(`${title ?? ''}\n${getSearchedText(document)}`);
  return words.every((word) => text.includes(word));
}

const addTitle = (document: string, title: string | null) =>
  `${document.slice(0, -1)},"title":${JSON.stringify(title)}}`;

function getSubmissionText(document: string): string {
  const { referenceNumber, description } = JSON.parse(document) as SubmissionRecord;
  return `${referenceNumber ?? ''}\n${description}`;
}

const getSessionText = (document: string) => (JSON.parse(document) as SessionRecord).committeeName;

/** Upper case, because it also makes ß equal to ss, and the forms of sigma equal to each other. */
const foldCase = (text: string) => text.normalize('NFC').toUpperCase();

/**
 * A pattern for the JSON texts of all records that contain the beginning of the word. JSON escapes quotation marks and backslashes,
 * the engines fold only the case of ASCII, and an S may be half of ß, so these characters match any text.
 */
function createPattern(word: string): string {
  const literal = word.normalize('NFC').slice(0, maxPatternCharacters).replaceAll(/[%_]/g, '\\$&');
  return `%${literal.replaceAll(/(?:[^ !#-[\]-~\\]|\\(?![%_])|ss|^s|s$)+/gi, '%')}%`;
}
