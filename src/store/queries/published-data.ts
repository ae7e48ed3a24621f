import { isDraft } from '../../domain/draft-status.ts';
import type { Page, PageRequest, PublishedDataStore } from '../../domain/store.ts';
import type { Engine, PageRow } from '../engine.ts';
import { readLongSession } from './long-session.ts';
import {
  documentSeparator,
  pages,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  tallyById,
} from './statements.ts';

const idLength = 36;

export function publishedData(engine: Engine): PublishedDataStore {
  async function page(
    queries: Record<'first' | 'later' | 'after', readonly string[]>,
    filters: readonly string[],
    { organizationId, after, limit }: PageRequest,
  ): Promise<Page> {
    const scope: [string, ...string[]] = [organizationId, ...filters];
    // One row more than asked for tells whether there is a next page, without counting anything.
    if (after === undefined) return pageOf(await engine.page(queries.first, scope, limit + 1), limit);
    const { at, id } = after;
    return id === undefined
      ? pageOf(await engine.page(queries.later, [...scope, at], limit + 1), limit)
      : pageOf(await engine.page(queries.after, [...scope, at, id], limit + 1), limit);
  }

  return {
    listSubmissions: ({ status, topic, ...request }) => {
      if (status !== undefined && topic !== undefined) {
        return page(pages.submissionsByStatusAndTopic, [status, topic], request);
      }
      if (status !== undefined) return page(pages.submissionsByStatus, [status], request);
      if (topic !== undefined) return page(pages.submissionsByTopic, [topic], request);
      return page(pages.submissions, [], request);
    },
    findSubmission: (organizationId, id) => engine.document(submissionById, organizationId, id),
    listSessions: (request) => page(pages.sessions, [], request),
    findSession: async (organizationId, id) => {
      const parameters = [organizationId, id] as const;
      const [row] = await engine.rowsOf<{ document: string | null }>(sessionWithSubmissions, parameters);
      return row?.document === null ? readLongSession(engine, organizationId, id) : row?.document;
    },
    listSupport: async ({ submissionId, ...request }) => {
      if (submissionId === undefined) return page(pages.support, [], request);
      const tally = await engine.document(tallyById, request.organizationId, submissionId);
      return { documents: Buffer.from(tally ?? ''), next: undefined };
    },
    findSurveyResults: async (organizationId, id) =>
      pickPublished(await engine.rowsOf<SurveyRow>(surveyResults, [organizationId, id])),
  };
}

export interface SurveyRow {
  status: string;
  document: string;
}

/**
 * The document of a survey that is not a draft. An import stores drafts under that one word; the check here covers
 * rows that other programs wrote.
 */
export function pickPublished([row]: readonly SurveyRow[]): string | undefined {
  return row === undefined || isDraft(row.status) ? undefined : row.document;
}

/** Takes the row behind the page off, and tells from it where the next one begins. */
function pageOf({ documents, keys, count }: PageRow, limit: number): Page {
  if (count <= limit) return { documents, next: undefined };
  const keyLength = keys.length / count;
  const key = keys.slice(-2 * keyLength, -keyLength);
  const following = keys.slice(-keyLength);
  const at = key.slice(0, -idLength);
  return {
    documents: documents.subarray(0, documents.lastIndexOf(documentSeparator)),
    next: following.startsWith(at) ? { at, id: key.slice(-idLength) } : { at },
  };
}
