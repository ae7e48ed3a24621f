/** The page of a list that a request asks for, before its key and its cursor are checked. */
import { operations, type QueryOf } from '../contract/operations.ts';
import { InvalidParameterError, parseQuery } from '../contract/parse-query.ts';
import { readUncheckedPosition } from '../domain/cursor.ts';
import type { ListPageRequest } from '../domain/store.ts';

/** Lists of stored documents, which the store can read in the same step as the key. */
export const listPages = {
  listSubmissions: ({ status, topic, limit }: QueryOf<typeof operations.listSubmissions>) => ({
    list: 'submissions' as const,
    filters: { status, topic },
    limit,
  }),
  listSessions: ({ limit }: QueryOf<typeof operations.listSessions>) => ({
    list: 'sessions' as const,
    filters: {},
    limit,
  }),
  listSupport: ({ limit }: QueryOf<typeof operations.listSupport>) => ({
    list: 'support' as const,
    filters: {},
    limit,
  }),
};

/** @returns undefined if the operation is no such list, or its parameters are not valid */
export function planPage(operationId: string, queryString: string): ListPageRequest | undefined {
  try {
    switch (operationId) {
      case 'listSubmissions': {
        const query = parseQuery(operations.listSubmissions, queryString);
        return addPosition(listPages.listSubmissions(query), query.cursor);
      }
      case 'listSessions': {
        const query = parseQuery(operations.listSessions, queryString);
        return addPosition(listPages.listSessions(query), query.cursor);
      }
      case 'listSupport': {
        const query = parseQuery(operations.listSupport, queryString);
        return query.submission_id === undefined
          ? addPosition(listPages.listSupport(query), query.cursor)
          : undefined;
      }
    }
  } catch (error) {
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
