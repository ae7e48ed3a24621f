/** The pages of published lists as queries, and what all reads of published data share. */
import { type Field, type Fields, getValueSchema, toColumnName } from '../../contract/field.ts';
import { limits } from '../../contract/field-schemas.ts';
import { documentLists, type FacetKind } from '../../contract/operations.ts';
import {
  type CursorPosition,
  type DocumentPage,
  documentSeparator,
  type ListPageRequest,
} from '../../domain/store.ts';
import type { Engine, PageParts, PageQuery, PageRow } from '../engine.ts';
import { extendDocument } from './statements.ts';

type Dialect = Engine['dialect'];

/** A list of the API. `at` is the column of its order. */
export interface List {
  table: 'submission' | 'session';
  document: string;
  at: string;
  /** Only rows with this condition, which its indexes have, too. */
  condition?: Readonly<Record<Dialect, string>>;
  /** Beginning of the names of its indexes; default: that of the whole list. */
  index?: string;
}

export const publishedLists = {
  submissions: { table: 'submission', document: 'document', at: 'created_at' },
  support: { table: 'submission', document: 'tally', at: 'created_at' },
  statusChanges: {
    table: 'submission',
    document: 'document',
    at: 'status_changed_at',
    // Sources may have other texts there.
    condition: {
      sqlite:
        "status_changed_at GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z'",
      postgres: "status_changed_at ~ '^\\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d\\.\\d{3}Z$'",
    },
    index: 'submission_status_changes',
  },
  sessions: { table: 'session', document: 'document', at: 'date' },
} as const satisfies Record<string, List>;

export function findList({ list, isExtended }: Pick<ListPageRequest, 'list' | 'isExtended'>): List {
  const found: List = publishedLists[list];
  return isExtended ? { ...found, document: extendDocument(found.table) } : found;
}

/**
 * The condition on the municipality `$1`, and on PostgreSQL that of the indexes for this number of filters, which are partial. Every
 * row meets it, because times begin with a digit: `> '0'` without filters, `> '/'` for one, `> '.'` for two. A query does not imply
 * the condition of fewer filters, so the planner cannot walk such an index, even if its statistics say that every row has the
 * wanted status.
 */
export const composeScope = (
  dialect: Dialect,
  { at, condition }: Pick<List, 'at' | 'condition'>,
  filterCount: number,
): string[] => [
  'organization_id = $1',
  ...(dialect === 'postgres' ? [`${at} > '${String.fromCharCode('0'.charCodeAt(0) - filterCount)}'`] : []),
  ...(condition === undefined ? [] : [condition[dialect]]),
];

/**
 * The values of a column, each found with an index seek. SELECT DISTINCT would read all rows. Parameters: values of the filters, and
 * the value before the first one; empty: all.
 *
 * @param filters columns before `column` in an index
 * @param maxValues or the parameter that has it
 */
export function composeDistinct(
  dialect: Dialect,
  column: string,
  filters: readonly string[],
  maxValues: number | `$${number}`,
  list: List = publishedLists.submissions,
): string {
  const scope = composeScope(dialect, list, filters.length + 1);
  scope.push(...filters.map((filter, index) => `${filter} = $${index + 2}`));
  const next = `SELECT ${column} FROM ${list.table} WHERE ${scope.join(' AND ')} AND ${column} >`;
  return `WITH RECURSIVE found (value) AS (
    SELECT (${next} $${filters.length + 2} ORDER BY ${column} LIMIT 1)
    UNION ALL SELECT (${next} found.value ORDER BY ${column} LIMIT 1) FROM found WHERE found.value IS NOT NULL
  ) SELECT value FROM found WHERE value IS NOT NULL LIMIT ${maxValues}`;
}

/** By the start of the page. Parameters: municipality, filters, position, and the range if there is one. */
interface PageQueries {
  /** Position: the time of the last row, or `afterEveryTime`; nothing if there is a range. No further row has this time, the usual case. */
  afterTime: PageParts;
  /** Position: time and id of the last row. */
  afterRow: PageParts;
}

/** It is greater than every timestamp and date: the first page comes after this position. Appended to a time, it follows the time. */
export const afterEveryTime = '~';

/** Of lists without a range, which begin with the latest row. */
const wholeList = { hasRange: false, direction: 'desc' } as const;

type PageShape = Pick<ListPageRequest, 'direction'> & { hasRange: boolean };

const composedQueries = { sqlite: new Map<string, PageQueries>(), postgres: new Map<string, PageQueries>() };

/**
 * The order is descending by time and ascending by id, which no row comparison expresses. Two index seeks do: the
 * remaining rows of the same time, then all older rows. Neither sorts, so every page costs the same, even if many rows
 * have the same time. The other direction is the exact reverse, so that it reads the same index.
 *
 * @param filters columns
 */
export function getPageParts(
  dialect: Dialect,
  list: List,
  filters: readonly string[],
  shape: PageShape = wholeList,
): PageQueries {
  const name = [list.at, list.document, shape.hasRange, shape.direction, ...filters].join(' ');
  const composed = composedQueries[dialect];
  let queries = composed.get(name);
  if (queries === undefined) {
    queries = composePageParts(dialect, list, filters, shape);
    composed.set(name, queries);
  }
  return queries;
}

function composePageParts(
  dialect: Dialect,
  list: List,
  filters: readonly string[],
  { hasRange, direction }: PageShape,
): PageQueries {
  const { table, document, at } = list;
  const scope = composeScope(dialect, list, filters.length);
  let parameter = 1;
  const bind = () => `$${++parameter}`;
  scope.push(...filters.map((column) => `${column} = ${bind()}`));
  const all = `SELECT ${document} AS document, ${at} AS at, id FROM ${table} WHERE ${scope.join(' AND ')}`;
  const composeRange = (from: string, before: string) => `${all} AND ${at} >= ${from} AND ${at} < ${before}`;
  const { order, next } = orders[direction];
  const firstParameter = parameter;
  const afterTime = [hasRange ? composeRange(bind(), bind()) : `${all} AND ${at} < ${bind()}`];
  parameter = firstParameter;
  const [time, id] = [bind(), bind()];
  const others = hasRange ? composeRange(bind(), bind()) : `${all} AND ${at} < ${time}`;
  return {
    afterTime: { queries: afterTime, order },
    afterRow: { queries: [`${all} AND ${at} = ${time} AND id ${next} ${id}`, others], order },
  };
}

/** `next` compares the ids of rows with the same time. */
export const orders = {
  desc: { order: 'at DESC, id', next: '>' },
  asc: { order: 'at, id DESC', next: '<' },
} as const;

const filteredFields = Object.values(documentLists).flatMap(({ list, filters, fields }) =>
  Object.entries<string>(filters).map(([parameter, name]) => ({
    list: publishedLists[list],
    parameter,
    name,
    column: toColumnName(name),
    field: (fields as Fields)[name] as Field,
  })),
);

/** @param parameter name of a filter */
export function findFilter(parameter: FacetKind): FilterColumn & { list: List } {
  const { list, name } = filteredFields.find((filter) => filter.parameter === parameter) as FilteredField;
  return { list, ...(filterColumns.get(name) as FilterColumn) };
}

type FilteredField = (typeof filteredFields)[number];

/** Index of a list with filters by fields. It has the names of their parameters. */
export const nameIndex = ({ table, index = `${table}_list` }: List, fields: readonly string[]): string =>
  `${index}_by_${fields.map((field) => filteredFields.find(({ name }) => name === field)?.parameter).join('_and_')}`;

/**
 * The columns of a filter, and what each must equal. PostgreSQL indexes no values of more than 2.6 kB, and an index of an expression
 * is not used with row-level security: a longer text has a column with its beginning, which the index has instead.
 */
export function toEqualities([field, value]: readonly [field: string, value: string]): [
  column: string,
  value: string,
][] {
  const { column, isLong } = filterColumns.get(field) as FilterColumn;
  if (!isLong) return [[column, value]];
  return [
    [toStartColumn(column), takeStart(value)],
    [column, value],
  ];
}

/** Of a long text. */
export const toStartColumn = (column: string) => `${column}_start`;

const startLength = limits.word;

export const takeStart = (value: string) => [...value].slice(0, startLength).join('');

/** Whether longer texts can begin with this one, which is the start of one. */
export const isFullStart = (start: string) => [...start].length === startLength;

interface FilterColumn {
  column: string;
  isLong: boolean;
}

/** By field. Every request needs them. */
const filterColumns = new Map<string, FilterColumn>(
  filteredFields.map(({ name, column, field }) => [
    name,
    { column, isLong: (getValueSchema(field).maxLength ?? 0) > limits.word },
  ]),
);

export const uuidLength = 36;

/** @param request each filter has one value */
export function toPageQuery(dialect: Dialect, request: ListPageRequest): PageQuery {
  const { filters, after, limit, range, direction } = request;
  const equalities = filters.flatMap(([field, [value]]) => toEqualities([field, value as string]));
  const columns = equalities.map(([column]) => column);
  const values = equalities.map(([, value]) => value);
  const hasRange = range !== undefined || direction === 'asc';
  const { afterTime, afterRow } = getPageParts(dialect, findList(request), columns, {
    hasRange,
    direction,
  });
  if (after?.id !== undefined) values.push(after.at, after.id);
  if (hasRange) values.push(...findRemainingRange(request));
  else if (after?.id === undefined) values.push(after?.at ?? afterEveryTime);
  // One more row than requested shows whether there is a next page.
  return { parts: after?.id === undefined ? afterTime : afterRow, values, maxRows: limit + 1 };
}

/** The times after those of the position. @returns first, inclusive, and last, exclusive */
export function findRemainingRange({
  range,
  after,
  direction,
}: ListPageRequest): [from: string, before: string] {
  const { from, before } = range ?? { from: '', before: afterEveryTime };
  if (after === undefined) return [from, before];
  return direction === 'desc' ? [from, after.at] : [after.at + afterEveryTime, before];
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
  return {
    documents: documents.subarray(0, documents.lastIndexOf(documentSeparator)),
    next: toPosition(key, nextKey),
  };
}

/** @param key time and id of the last row of a page; the next row has `nextKey` */
export function toPosition(key: string, nextKey: string): CursorPosition {
  const at = key.slice(0, -uuidLength);
  return nextKey.startsWith(at) ? { at, id: key.slice(-uuidLength) } : { at };
}

/**
 * Composes each query once: a query always has the same number of parameters. The engines find prepared statements by their
 * text.
 */
export function memoize<Query extends string | object, Result>(
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
