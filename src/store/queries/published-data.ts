/** Reads what the API publishes: the pages of its lists, and single documents. */
import { toColumnName } from '../../contract/field.ts';
import { documentLists } from '../../contract/operations.ts';
import { isDraft } from '../../domain/is-draft.ts';
import type { DocumentPage, ListPageRequest, PageRequest, PublishedDataStore } from '../../domain/store.ts';
import { type Engine, maxPageRows, type PageQuery, type PageRow } from '../engine.ts';
import { readChanges } from './changes.ts';
import { readLongSession } from './long-agenda.ts';
import {
  organizationById,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  surveySummaries,
  tallyById,
} from './statements.ts';

export function createPublishedDataStore(engine: Engine): PublishedDataStore {
  return {
    readListPage: async (organizationId, request) => {
      const query = toPageQuery(engine.dialect, request);
      return toPage(await engine.readPage(organizationId, query), query.maxRows);
    },
    findSubmission: (organizationId, id) => engine.readDocument(submissionById, organizationId, id),
    findSession: async (organizationId, id) => {
      const parameters = [organizationId, id] as const;
      const [row] = await engine.tenantQuery<{ document: string | null }>(sessionWithSubmissions, parameters);
      return row?.document === null ? readLongSession(engine, organizationId, id) : row?.document;
    },
    findTally: (organizationId, submissionId) => engine.readDocument(tallyById, organizationId, submissionId),
    findSurveyResults: async (organizationId, id) =>
      pickPublished(await engine.tenantQuery<SurveyRow>(surveyResults, [organizationId, id])),
    listPublishedSurveys: (request) => readSurveyPage(engine, request),
    findOrganizationDocument: async (organizationId) => {
      const [row] = await engine.query<{ document: string }>(organizationById, [organizationId]);
      return row?.document;
    },
    listChanges: (request) => readChanges(engine, request),
  };
}

/** Reads until the page is full: drafts can precede the published surveys. */
async function readSurveyPage(
  engine: Engine,
  { organizationId, after, limit }: PageRequest,
): Promise<DocumentPage> {
  const published: SurveySummaryRow[] = [];
  let read: SurveySummaryRow[];
  let last = after?.id ?? '';
  do {
    read = await engine.tenantQuery<SurveySummaryRow>(surveySummaries, [organizationId, last]);
    last = read.at(-1)?.id ?? last;
    published.push(...read.filter(({ status }) => !isDraft(status)));
  } while (read.length === maxPageRows && published.length <= limit);
  const page = published.slice(0, limit);
  return {
    documents: Buffer.from(page.map(({ summary }) => summary).join(documentSeparator)),
    next: published.length > limit ? { at: '', id: page.at(-1)?.id as string } : undefined,
  };
}

interface SurveySummaryRow {
  id: string;
  status: string;
  summary: string;
}

export interface SurveyRow {
  status: string;
  document: string;
}

/** undefined for a draft. An import stores every draft with the status `draft`, but other programs may not. */
export function pickPublished([row]: readonly SurveyRow[]): string | undefined {
  return row === undefined || isDraft(row.status) ? undefined : row.document;
}

/** Separates the documents of a page. The database's JSON texts contain no line breaks, so the separator is unique. */
export const documentSeparator = ',\n';

/** A list of the API. `at` is the column of its descending order. */
interface List {
  table: string;
  document: string;
  at: string;
}

export const publishedLists = {
  submissions: { table: 'submission', document: 'document', at: 'created_at' },
  support: { table: 'submission', document: 'tally', at: 'created_at' },
  sessions: { table: 'session', document: 'document', at: 'date' },
} as const satisfies Record<string, List>;

type Dialect = Engine['dialect'];

/**
 * The condition on the municipality `$1`, and on PostgreSQL that of the indexes for this number of filters, which are partial. Every
 * row meets it, because times begin with a digit: `> '0'` without filters, `> '/'` for one, `> '.'` for two. A query does not imply
 * the condition of fewer filters, so the planner cannot walk such an index, even if its statistics say that every row has the
 * wanted status.
 */
export const composeScope = (dialect: Dialect, { at }: Pick<List, 'at'>, filterCount: number): string[] => [
  'organization_id = $1',
  ...(dialect === 'postgres' ? [`${at} > '${String.fromCharCode('0'.charCodeAt(0) - filterCount)}'`] : []),
];

/** One page in parts for `Engine.readPage`, by the start of the page. Parameters: municipality, filters, position. */
interface PageParts {
  /** Position: the time of the last row, or `afterEveryTime`. No further row has this time, the usual case. */
  afterTime: readonly string[];
  /** Position: time and id of the last row. */
  afterRow: readonly string[];
}

/** The first page comes after this position: it is greater than every timestamp and date. */
export const afterEveryTime = '~';

const composedParts = { sqlite: new Map<string, PageParts>(), postgres: new Map<string, PageParts>() };

/**
 * The order is descending by time and ascending by id, which no row comparison expresses. Two index seeks do: the
 * remaining rows of the same time, then all older rows. Neither sorts, so every page costs the same, even if many rows
 * have the same time.
 *
 * @param filters columns
 */
export function getPageParts(dialect: Dialect, list: List, filters: readonly string[]): PageParts {
  const name = [list.table, list.document, ...filters].join(' ');
  const composed = composedParts[dialect];
  let queries = composed.get(name);
  if (queries === undefined) {
    queries = composePageParts(dialect, list, filters);
    composed.set(name, queries);
  }
  return queries;
}

function composePageParts(dialect: Dialect, list: List, filters: readonly string[]): PageParts {
  const { table, document, at } = list;
  const scope = composeScope(dialect, list, filters.length);
  scope.push(...filters.map((column, index) => `${column} = $${index + 2}`));
  const all = `SELECT ${document} AS document, ${at} AS at, id FROM ${table} WHERE ${scope.join(' AND ')}`;
  const time = `$${filters.length + 2}`;
  const id = `$${filters.length + 3}`;
  const older = `${all} AND ${at} < ${time}`;
  return {
    afterTime: [older],
    afterRow: [`${all} AND ${at} = ${time} AND id > ${id}`, older],
  };
}

const uuidLength = 36;

/** The column of each filter, by its field. Every request needs them. */
const filterColumns = new Map(
  Object.values(documentLists).flatMap(({ filters }) =>
    Object.values<string>(filters).map((field) => [field, toColumnName(field)]),
  ),
);

export function toPageQuery(
  dialect: Engine['dialect'],
  { list, filters, after, limit }: ListPageRequest,
): PageQuery {
  const columns = filters.map(([field]) => filterColumns.get(field) as string);
  const values = filters.map(([, value]) => value);
  const { afterTime, afterRow } = getPageParts(dialect, publishedLists[list], columns);
  values.push(after?.at ?? afterEveryTime);
  if (after?.id !== undefined) values.push(after.id);
  // One more row than requested shows whether there is a next page.
  return { parts: after?.id === undefined ? afterTime : afterRow, values, maxRows: limit + 1 };
}

/**
 * Removes the row after the page, and derives the next position: the time of the last row, and its id only if the row after the
 * page has the same time. `sortKeys` joins time and id of all rows, such as `2026-03-01T…Z6f1c…` for one.
 */
export function toPage({ documents, sortKeys, count }: PageRow, maxRows: number): DocumentPage {
  if (count < maxRows) return { documents, next: undefined };
  const keyLength = sortKeys.length / count;
  const key = sortKeys.slice(-2 * keyLength, -keyLength);
  const nextKey = sortKeys.slice(-keyLength);
  const at = key.slice(0, -uuidLength);
  return {
    documents: documents.subarray(0, documents.lastIndexOf(documentSeparator)),
    next: nextKey.startsWith(at) ? { at, id: key.slice(-uuidLength) } : { at },
  };
}

/**
 * Composes each query once: a query always has the same number of parameters. The engines find prepared statements by their
 * text.
 */
export function memoize<Query extends string | readonly string[], Result>(
  compose: (query: Query, parameterCount: number) => Result,
) {
  const composed = new Map<Query, Result>();
  return (query: Query, parameterCount = 0): Result => {
    let result = composed.get(query);
    if (result === undefined) {
      result = compose(query, parameterCount);
      composed.set(query, result);
    }
    return result;
  };
}
