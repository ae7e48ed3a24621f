import type { Engine, OfMunicipality } from './engine.ts';
import { pages, sessionWithSubmissions, submissionById, surveyResults, tallyById } from './queries.ts';
import type { Page, PageRequest, PublishedData } from './store.ts';

interface DocumentRow {
  document: string;
}

interface PageRow extends DocumentRow {
  at: string;
  id: string;
}

export function publishedData(engine: Engine): PublishedData {
  async function page(
    queries: { first: readonly string[]; after: readonly string[] },
    filters: readonly string[],
    { organizationId, after, limit }: PageRequest,
  ): Promise<Page> {
    const scope: OfMunicipality = [organizationId, ...filters];
    // One row more than asked for tells whether there is a next page, without counting anything.
    const rows = after
      ? await engine.page<PageRow>(queries.after, [...scope, after.at, after.id], limit + 1)
      : await engine.page<PageRow>(queries.first, scope, limit + 1);
    const given = rows.length > limit ? rows.slice(0, limit) : rows;
    const last = given.at(-1);
    return {
      documents: given.map(({ document }) => document),
      next: rows.length > limit && last ? { at: last.at, id: last.id } : undefined,
    };
  }

  async function one(sql: string, organizationId: string, id: string): Promise<string | undefined> {
    const [row] = await engine.rowsOf<DocumentRow>(sql, [organizationId, id]);
    return row?.document;
  }

  return {
    submissions: ({ status, topic, ...request }) => {
      if (status !== undefined && topic !== undefined) {
        return page(pages.submissionsByStatusAndTopic, [status, topic], request);
      }
      if (status !== undefined) return page(pages.submissionsByStatus, [status], request);
      if (topic !== undefined) return page(pages.submissionsByTopic, [topic], request);
      return page(pages.submissions, [], request);
    },
    submission: (organizationId, id) => one(submissionById, organizationId, id),
    sessions: (request) => page(pages.sessions, [], request),
    session: (organizationId, id) => one(sessionWithSubmissions, organizationId, id),
    support: async ({ submissionId, ...request }) => {
      if (submissionId === undefined) return page(pages.support, [], request);
      const tally = await one(tallyById, request.organizationId, submissionId);
      return { documents: tally === undefined ? [] : [tally], next: undefined };
    },
    surveyResults: (organizationId, id) => one(surveyResults, organizationId, id),
  };
}
