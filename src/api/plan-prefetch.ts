/** The page that a URL asks for, so that the store can read it together with the key. */
import { type Operation, operations, type QueryOf } from '../contract/operations.ts';
import { InvalidParameterError, parseQuery } from '../contract/parse-query.ts';
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

/** @returns undefined for other operations, for the tally of one submission, and for invalid parameters */
export function planPrefetch(operationId: string, queryString: string): ListPageRequest | undefined {
  try {
    if (operationId === 'listSubmissions') {
      const query = parseQuery(operations.listSubmissions, queryString);
      return addPosition(pageRequests.listSubmissions(query), query.cursor);
    }
    if (operationId === 'listSessions') {
      const query = parseQuery(operations.listSessions, queryString);
      return addPosition(pageRequests.listSessions(query), query.cursor);
    }
    if (operationId === 'listSupport') {
      const query = parseQuery(operations.listSupport, queryString);
      if (query.submission_id === undefined)
        return addPosition(pageRequests.listSupport(query), query.cursor);
    }
  } catch (error) {
    // The request fails after its key was checked.
    if (!(error instanceof InvalidParameterError)) throw error;
  }
  return undefined;
}

function addPosition(
  page: Omit<ListPageRequest, 'after'>,
  cursor: string | undefined,
): ListPageRequest | undefined {
  if (cursor === undefined) return { ...page, after: undefined };
  const after = readUncheckedPosition(cursor);
  return after && { ...page, after };
}
