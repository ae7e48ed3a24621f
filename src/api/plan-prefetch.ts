/** The page that a URL asks for, so that the store can read it together with the key. */
import type { Operation, OperationId, operations, QueryOf } from '../contract/operations.ts';
import { InvalidParameterError } from '../contract/parse-query.ts';
import { readUncheckedPosition } from '../domain/cursor.ts';
import type { ListPageRequest } from '../domain/store.ts';

type PageOf<Op extends Operation> = (query: QueryOf<Op>) => Omit<ListPageRequest, 'after'>;

/** What a page of each list reads. */
export const pageRequests = {
  listSubmissions: ({ status, topic, limit }) => ({ list: 'submissions', filters: { status, topic }, limit }),
  listSessions: ({ limit }) => ({ list: 'sessions', filters: {}, limit }),
  listSupport: ({ limit }) => ({ list: 'support', filters: {}, limit }),
} satisfies {
  [Id in 'listSubmissions' | 'listSessions' | 'listSupport']: PageOf<(typeof operations)[Id]>;
};

/** The page that a list needs; undefined for the tally of one submission, and for a malformed cursor. */
const plans: {
  [Id in OperationId]?: (query: QueryOf<(typeof operations)[Id]>) => ListPageRequest | undefined;
} = {
  listSubmissions: (query) => addPosition(pageRequests.listSubmissions(query), query.cursor),
  listSessions: (query) => addPosition(pageRequests.listSessions(query), query.cursor),
  listSupport: (query) =>
    query.submission_id === undefined
      ? addPosition(pageRequests.listSupport(query), query.cursor)
      : undefined,
};

/** @returns undefined if the store cannot read the response as a page, and for invalid parameters */
export function planPrefetch<Id extends OperationId>(
  operationId: Id,
  readQuery: () => QueryOf<(typeof operations)[Id]>,
): ListPageRequest | undefined {
  try {
    return plans[operationId]?.(readQuery());
  } catch (error) {
    // The request fails with it after the key and the rate limit are checked.
    if (error instanceof InvalidParameterError) return undefined;
    throw error;
  }
}

function addPosition(
  page: Omit<ListPageRequest, 'after'>,
  cursor: string | undefined,
): ListPageRequest | undefined {
  if (cursor === undefined) return { ...page, after: undefined };
  const after = readUncheckedPosition(cursor);
  return after && { ...page, after };
}
