/** The page that a URL asks for, so that the store can read it together with the key. */
import {
  documentLists,
  type ListOperationId,
  type OperationId,
  type operations,
  type QueryOf,
} from '../contract/operations.ts';
import { InvalidParameterError } from '../contract/parse-query.ts';
import { type CursorPosition, readUncheckedPosition } from '../domain/cursor.ts';
import type { ListPageRequest } from '../domain/store.ts';

export type ListQuery = QueryOf<(typeof operations)[ListOperationId]>;

/** Every request needs them. */
const filters = Object.fromEntries(
  Object.entries(documentLists).map(([operationId, list]) => [operationId, Object.entries(list.filters)]),
) as unknown as Record<ListOperationId, [name: string, field: string][]>;

/** The page of a list after a position. */
export function toPageRequest(
  operationId: ListOperationId,
  query: ListQuery,
  after: CursorPosition | undefined,
): ListPageRequest {
  const values: Readonly<Record<string, unknown>> = query;
  return {
    list: documentLists[operationId].list,
    filters: filters[operationId].flatMap(([name, field]) => {
      const value = values[name];
      return typeof value === 'string' ? [[field, value] as const] : [];
    }),
    after,
    limit: query.limit,
  };
}

/** @returns undefined if the store cannot read the response as a page, and for invalid parameters */
export function planPrefetch<Id extends OperationId>(
  operationId: Id,
  readQuery: () => QueryOf<(typeof operations)[Id]>,
): ListPageRequest | undefined {
  if (!isList(operationId)) return undefined;
  try {
    return planPage(operationId, readQuery() as unknown as ListQuery);
  } catch (error) {
    // The request fails with it after the key and the rate limit are checked.
    if (error instanceof InvalidParameterError) return undefined;
    throw error;
  }
}

const isList = (operationId: OperationId): operationId is ListOperationId =>
  Object.hasOwn(documentLists, operationId);

/** @returns undefined for the tally of one submission, and for a malformed cursor */
function planPage(operationId: ListOperationId, query: ListQuery): ListPageRequest | undefined {
  if ('submission_id' in query && query.submission_id !== undefined) return undefined;
  if (query.cursor === undefined) return toPageRequest(operationId, query, undefined);
  const after = readUncheckedPosition(query.cursor);
  return after && toPageRequest(operationId, query, after);
}
