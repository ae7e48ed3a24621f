/**
 * Pages of a search with several values of a filter. Each combination of values has its own seek in the index of the filters,
 * and the keys that the seeks find are merged here: the database would have to sort them. Only the documents of the page are
 * read then.
 */
import { toColumnName } from '../../contract/field.ts';
import {
  type CursorPosition,
  type DocumentPage,
  documentSeparator,
  type ListPageRequest,
} from '../../domain/store.ts';
import { type Engine, maxPageRows } from '../engine.ts';
import {
  composeScope,
  findList,
  findRemainingRange,
  type List,
  nameIndex,
  orders,
  publishedLists,
  toEqualities,
  toPosition,
  uuidLength,
} from './published-lists.ts';
import { selectIds, toIdRows } from './statements.ts';

/** See `PublishedDataStore.readListPage`. */
export async function readMergedPage(
  engine: Engine,
  organizationId: string,
  request: ListPageRequest,
): Promise<DocumentPage> {
  const { after, limit } = request;
  // All rows of the position's time come before all others.
  const keys = after?.id === undefined ? [] : await findKeys(engine, organizationId, request, after);
  if (keys.length <= limit)
    keys.push(
      ...(await findKeys(engine, organizationId, request, undefined)).slice(0, limit + 1 - keys.length),
    );
  const [last, next] = keys.slice(limit - 1);
  return {
    documents: await readDocuments(engine, organizationId, request, keys.slice(0, limit)),
    next: last === undefined || next === undefined ? undefined : toPosition(last, next),
  };
}

/** @param position only rows of its time; undefined: only rows of other times @returns time and id of at most `limit + 1` rows */
async function findKeys(
  engine: Engine,
  organizationId: string,
  request: ListPageRequest,
  position: CursorPosition | undefined,
): Promise<string[]> {
  const { list, filters, limit, direction } = request;
  const fields = filters.map(([field]) => field);
  const bounds = position === undefined ? findRemainingRange(request) : [position.at, position.id as string];
  const rows = await engine.tenantQuery<{ keys: string }>(
    composeKeysQuery(engine, publishedLists[list], fields, direction, position !== undefined),
    [organizationId, JSON.stringify(combineValues(filters)), ...bounds, limit + 1],
  );
  return mergeKeys(
    rows.map(({ keys }) => (keys === '' ? [] : keys.split(' '))),
    direction,
    limit + 1,
  );
}

/** Every combination of a value of each filter, by column. */
function combineValues(filters: ListPageRequest['filters']): Record<string, string>[] {
  let combinations: Record<string, string>[] = [{}];
  for (const [field, values] of filters)
    combinations = combinations.flatMap((some) =>
      values.map((value) => ({ ...some, ...Object.fromEntries(toEqualities([field, value])) })),
    );
  return combinations;
}

/** Parameters: municipality, combinations of values, two bounds, limit. One row for each combination. */
export function composeKeysQuery(
  { dialect, recordset }: Pick<Engine, 'dialect' | 'recordset'>,
  list: List,
  fields: readonly string[],
  direction: ListPageRequest['direction'],
  isOfOneTime: boolean,
): string {
  const columns = fields.flatMap((field) => toEqualities([field, ''])).map(([column]) => column);
  const { table, at } = list;
  const { order, next } = orders[direction];
  const conditions = [
    ...composeScope(dialect, list, columns.length),
    ...columns.map((column) => `${column} = asked.${column}`),
    isOfOneTime ? `${at} = $3 AND id ${next} $4` : `${at} >= $3 AND ${at} < $4`,
  ];
  const asked = recordset('asked', '$2', Object.fromEntries(columns.map((column) => [column, 'text'])));
  // With statistics, SQLite may prefer the index of the whole list.
  const indexed = dialect === 'sqlite' ? `INDEXED BY ${nameIndex(list, fields)}` : '';
  // The inner limit is a constant: for a parameter, the planner of PostgreSQL assumes a tenth of the table.
  return `SELECT (
      SELECT coalesce(string_agg(at || id, ' '), '') FROM (
        SELECT * FROM (
          SELECT ${at} AS at, id FROM ${table} ${indexed}
            WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${maxPageRows}
        ) AS part LIMIT $5
      ) AS found
    ) AS keys FROM ${asked}`;
}

/** @param seeks keys in the order of the page */
function mergeKeys(
  seeks: readonly string[][],
  direction: ListPageRequest['direction'],
  maxKeys: number,
): string[] {
  const comesFirst = (one: string, other: string) => isNewer(one, other) === (direction === 'desc');
  const remaining = seeks.filter((keys) => keys.length > 0).map((keys) => ({ keys, read: 0, head: keys[0] }));
  const merged: string[] = [];
  while (merged.length < maxKeys) {
    let first: (typeof remaining)[number] | undefined;
    for (const seek of remaining)
      if (seek.head !== undefined && (first?.head === undefined || comesFirst(seek.head, first.head)))
        first = seek;
    if (first?.head === undefined) break;
    merged.push(first.head);
    first.read += 1;
    first.head = first.keys[first.read];
  }
  return merged;
}

/** Whether a key comes first in the descending order. */
function isNewer(one: string, other: string): boolean {
  const at = one.slice(0, -uuidLength);
  const otherAt = other.slice(0, -uuidLength);
  return at === otherAt ? one < other : at > otherAt;
}

/** @param keys the id of each, after its time or alone. Leaves out rows that another transaction has removed or changed since their keys were read, so that they no longer match. */
export async function readDocuments(
  engine: Engine,
  organizationId: string,
  request: ListPageRequest,
  keys: readonly string[],
): Promise<Buffer> {
  const { filters } = request;
  const { table, document } = findList(request);
  const ids = keys.map((key) => key.slice(-uuidLength));
  const columns = filters.map(([field]) => toColumnName(field));
  const rows = await engine.tenantQuery<{ id: string; document: string } & Record<string, string>>(
    `SELECT ${['id', `${document} AS document`, ...columns].join(', ')} FROM ${table}
      WHERE organization_id = $1 AND id IN (${selectIds(engine.recordset, '$2')})`,
    [organizationId, toIdRows(ids)],
  );
  const matches = (row: Record<string, string>) =>
    filters.every(([, values], index) => values.includes(row[columns[index] as string] as string));
  const byId = new Map(rows.filter(matches).map((row) => [row.id, row.document]));
  return Buffer.from(ids.flatMap((id) => byId.get(id) ?? []).join(documentSeparator));
}
