import { isDraft } from '../../domain/draft-status.ts';
import type { Page, PageRequest, PublishedDataStore } from '../../domain/store.ts';
import type { Engine, PageRow } from '../engine.ts';
import { readLongSession } from './long-session.ts';
import {
  documentSeparator,
  pageQueries,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  tallyById,
} from './statements.ts';

const idLength = 36;

export function createPublishedDataStore(engine: Engine): PublishedDataStore {
  async function page(
    queries: Record<'first' | 'later' | 'after', readonly string[]>,
    filters: readonly string[],
    { organizationId, after, limit }: PageRequest,
  ): Promise<Page> {
    const scope: [string, ...string[]] = [organizationId, ...filters];
    // One row more than asked for tells whether there is a next page, without counting anything.
    if (after === undefined) return toPage(await engine.readPage(queries.first, scope, limit + 1), limit);
    const { at, id } = after;
    return id === undefined
      ? toPage(await engine.readPage(queries.later, [...scope, at], limit + 1), limit)
      : toPage(await engine.readPage(queries.after, [...scope, at, id], limit + 1), limit);
  }

  return {
    listSubmissions: ({ status, topic, ...request }) => {
      if (status !== undefined && topic !== undefined) {
        return page(pageQueries.submissionsByStatusAndTopic, [status, topic], request);
      }
      if (status !== undefined) return page(pageQueries.submissionsByStatus, [status], request);
      if (topic !== undefined) return page(pageQueries.submissionsByTopic, [topic], request);
      return page(pageQueries.submissions, [], request);
    },
    findSubmission: (organizationId, id) => engine.readDocument(submissionById, organizationId, id),
    listSessions: (request) => page(pageQueries.sessions, [], request),
    findSession: async (organizationId, id) => {
      const parameters = [organizationId, id] as const;
      const [row] = await engine.tenantQuery<{ document: string | null }>(sessionWithSubmissions, parameters);
      return row?.document === null ? readLongSession(engine, organizationId, id) : row?.document;
    },
    listSupport: async ({ submissionId, ...request }) => {
      if (submissionId === undefined) return page(pageQueries.support, [], request);
      const tally = await engine.readDocument(tallyById, request.organizationId, submissionId);
      return { documents: Buffer.from(tally ?? ''), next: undefined };
    },
    findSurveyResults: async (organizationId, id) =>
      pickPublished(await engine.tenantQuery<SurveyRow>(surveyResults, [organizationId, id])),
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
function toPage({ documents, keys, count }: PageRow, limit: number): Page {
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
