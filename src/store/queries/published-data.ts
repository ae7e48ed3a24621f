import { isDraft } from '../../domain/is-draft.ts';
import type { DocumentPage, PageRequest, PublishedDataStore } from '../../domain/store.ts';
import { type Engine, maxPageRows, type PageRow } from '../engine.ts';
import { readChanges } from './changes.ts';
import { readLongSession } from './long-session.ts';
import {
  documentSeparator,
  getPageQueries,
  organizationById,
  publishedLists,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  surveySummaries,
  tallyById,
} from './statements.ts';

const uuidLength = 36;

export function createPublishedDataStore(engine: Engine): PublishedDataStore {
  /** @param filters values by column; undefined does not filter */
  async function readPage(
    list: (typeof publishedLists)[keyof typeof publishedLists],
    filters: Readonly<Record<string, string | undefined>>,
    { organizationId, after, limit }: PageRequest,
  ): Promise<DocumentPage> {
    const present = Object.entries(filters).filter(
      (filter): filter is [string, string] => filter[1] !== undefined,
    );
    const { first, afterTime, afterRow } = getPageQueries(
      list,
      present.map(([column]) => column),
    );
    const values = present.map(([, value]) => value);
    // One more row than requested shows whether there is a next page.
    const read = (parts: readonly string[], ...position: string[]) =>
      engine.readPage(parts, [organizationId, ...values, ...position], limit + 1);
    if (after === undefined) return toPage(await read(first), limit);
    const { at, id } = after;
    return toPage(await (id === undefined ? read(afterTime, at) : read(afterRow, at, id)), limit);
  }

  return {
    listSubmissions: ({ status, topic, ...request }) =>
      readPage(publishedLists.submissions, { status, topic_category_name: topic }, request),
    findSubmission: (organizationId, id) => engine.readDocument(submissionById, organizationId, id),
    listSessions: (request) => readPage(publishedLists.sessions, {}, request),
    findSession: async (organizationId, id) => {
      const parameters = [organizationId, id] as const;
      const [row] = await engine.tenantQuery<{ document: string | null }>(sessionWithSubmissions, parameters);
      return row?.document === null ? readLongSession(engine, organizationId, id) : row?.document;
    },
    listSupport: async ({ submissionId, ...request }) => {
      if (submissionId === undefined) return readPage(publishedLists.support, {}, request);
      const tally = await engine.readDocument(tallyById, request.organizationId, submissionId);
      return { documents: Buffer.from(tally ?? ''), next: undefined };
    },
    findSurveyResults: async (organizationId, id) =>
      pickPublished(await engine.tenantQuery<SurveyRow>(surveyResults, [organizationId, id])),
    listPublishedSurveys: (request) => readSurveyPage(engine, request),
    findOrganizationDocument: async (organizationId) => {
      const [row] = await engine.query<{ document: string }>(organizationById, [organizationId]);
      return row?.document;
    },
    listChanges: (request) => readChanges(engine, request),
  };
}

/** Reads until the page is full: drafts can precede the published surveys. */
async function readSurveyPage(
  engine: Engine,
  { organizationId, after, limit }: PageRequest,
): Promise<DocumentPage> {
  const published: SurveySummaryRow[] = [];
  let read: SurveySummaryRow[];
  let last = after?.id ?? '';
  do {
    read = await engine.tenantQuery<SurveySummaryRow>(surveySummaries, [organizationId, last]);
    last = read.at(-1)?.id ?? last;
    published.push(...read.filter(({ status }) => !isDraft(status)));
  } while (read.length === maxPageRows && published.length <= limit);
  const page = published.slice(0, limit);
  return {
    documents: Buffer.from(page.map(({ summary }) => summary).join(documentSeparator)),
    next: published.length > limit ? { at: '', id: page.at(-1)?.id as string } : undefined,
  };
}

interface SurveySummaryRow {
  id: string;
  status: string;
  summary: string;
}

export interface SurveyRow {
  status: string;
  document: string;
}

/** undefined for a draft. An import stores every draft with the status `draft`, but other programs may not. */
export function pickPublished([row]: readonly SurveyRow[]): string | undefined {
  return row === undefined || isDraft(row.status) ? undefined : row.document;
}

/** Removes the row after the page, and derives the next position from it. */
function toPage({ documents, keys, count }: PageRow, limit: number): DocumentPage {
  if (count <= limit) return { documents, next: undefined };
  const keyLength = keys.length / count;
  const key = keys.slice(-2 * keyLength, -keyLength);
  const nextKey = keys.slice(-keyLength);
  const at = key.slice(0, -uuidLength);
  return {
    documents: documents.subarray(0, documents.lastIndexOf(documentSeparator)),
    next: nextKey.startsWith(at) ? { at, id: key.slice(-uuidLength) } : { at },
  };
}
