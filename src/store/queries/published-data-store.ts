/** Reads what the API publishes: the pages of its lists, and single documents. */
import { isDraft } from '../../domain/records/is-draft.ts';
import {
  type DocumentPage,
  documentSeparator,
  type PageRequest,
  type PublishedDataStore,
} from '../../domain/store.ts';
import { WordSearchOffError } from '../../domain/store-errors.ts';
import type { Engine } from '../engine.ts';
import { readWordPage } from '../words/find-by-words.ts';
import { readChanges } from './changes.ts';
import { readLongSession } from './large-documents/long-agenda.ts';
import { readLongSurvey, readSurveyTexts } from './large-documents/survey-parts.ts';
import { readMergedPage } from './merged-page.ts';
import { countByMonth } from './monthly-counts.ts';
import { toPage, toPageQuery } from './published-lists.ts';
import { readFacets } from './read-facets.ts';
import { readLatestSurveys, type SurveySummaryRow } from './read-latest-surveys.ts';
import {
  extensionById,
  organizationById,
  sessionWithSubmissions,
  shortSurveyResults,
  submissionById,
  tallyById,
} from './statements.ts';

export function createPublishedDataStore(engine: Engine, wordSearch: boolean): PublishedDataStore {
  return {
    readListPage: async (organizationId, request) => {
      if (request.words !== undefined) {
        if (!wordSearch) throw new WordSearchOffError();
        return readWordPage(engine, organizationId, request);
      }
      if (request.filters.some(([, values]) => values.length > 1))
        return readMergedPage(engine, organizationId, request);
      const query = toPageQuery(engine.dialect, request);
      return toPage(await engine.readPage(organizationId, query), query.maxRows);
    },
    findSubmission: (organizationId, id) => engine.readDocument(submissionById, organizationId, id),
    findSession: async (organizationId, id) => {
      const parameters = [organizationId, id] as const;
      const [row] = await engine.tenantQuery<{ document: string | null }>(sessionWithSubmissions, parameters);
      return row?.document === null ? readLongSession(engine, organizationId, id) : row?.document;
    },
    findExtension: (organizationId, kind, id) => engine.readDocument(extensionById[kind], organizationId, id),
    findTally: (organizationId, submissionId) => engine.readDocument(tallyById, organizationId, submissionId),
    findSurveyResults: async (organizationId, id) => {
      const [row] = await engine.tenantQuery<{ status: string; document: string | null }>(
        shortSurveyResults,
        [organizationId, id],
      );
      // An import stores every draft with the status `draft`, but other programs may not.
      if (row === undefined || isDraft(row.status)) return undefined;
      return row.document ?? readLongSurvey(engine, organizationId, id);
    },
    findSurveyTexts: (organizationId, id) => readSurveyTexts(engine, organizationId, id),
    listPublishedSurveys: (request) => readSurveyPage(engine, request),
    listFacets: (request) => readFacets(engine, request),
    findOrganizationDocument: async (organizationId) => {
      const [row] = await engine.query<{ document: string }>(organizationById, [organizationId]);
      return row?.document;
    },
    listChanges: (request) => readChanges(engine, request),
    countByMonth: (request) => countByMonth(engine, request),
  };
}

/** Reads until the page is full: drafts can precede the published surveys. */
async function readSurveyPage(
  engine: Engine,
  { organizationId, after, limit }: PageRequest,
): Promise<DocumentPage> {
  const published: SurveySummaryRow[] = [];
  const start = after && { at: after.at, id: after.id as string };
  for await (const rows of readLatestSurveys(engine.tenantQuery, organizationId, start)) {
    published.push(...rows.filter(({ status }) => !isDraft(status)));
    if (published.length > limit) break;
  }
  const page = published.slice(0, limit);
  const last = page.at(-1);
  return {
    documents: Buffer.from(page.map(({ summary }) => summary).join(documentSeparator)),
    next: published.length > limit && last ? { at: last.ended, id: last.id } : undefined,
  };
}
