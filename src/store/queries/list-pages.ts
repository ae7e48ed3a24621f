/** Pages of the published lists: their queries, and the position of the next page. */
import { toColumnName } from '../../contract/field.ts';
import { documentLists } from '../../contract/operations.ts';
import type { DocumentPage, ListPageRequest } from '../../domain/store.ts';
import type { Engine, PageQuery, PageRow } from '../engine.ts';
import { afterEveryTime, documentSeparator, getPageParts, publishedLists } from './statements.ts';

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

/** Removes the row after the page, and derives the next position from it. */
export function toPage({ documents, sortKeys, count }: PageRow, limit: number): DocumentPage {
  if (count <= limit) return { documents, next: undefined };
  const keyLength = sortKeys.length / count;
  const key = sortKeys.slice(-2 * keyLength, -keyLength);
  const nextKey = sortKeys.slice(-keyLength);
  const at = key.slice(0, -uuidLength);
  return {
    documents: documents.subarray(0, documents.lastIndexOf(documentSeparator)),
    next: nextKey.startsWith(at) ? { at, id: key.slice(-uuidLength) } : { at },
  };
}
