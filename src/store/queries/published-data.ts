import { isDraft } from '../../domain/is-draft.ts';
import type { AskedSurvey, DocumentPage, PageRequest, PublishedDataStore } from '../../domain/store.ts';
import { type Engine, maxPageRows } from '../engine.ts';
import { readChanges } from './changes.ts';
import { toPage, toPageQuery } from './list-pages.ts';
import { readLongSession } from './long-session.ts';
import {
  documentSeparator,
  organizationById,
  questionsOfSurveys,
  sessionWithSubmissions,
  submissionById,
  surveyResults,
  surveySummaries,
  tallyById,
} from './statements.ts';

export function createPublishedDataStore(engine: Engine): PublishedDataStore {
  return {
    readListPage: async (organizationId, request) =>
      toPage(await engine.readPage(organizationId, toPageQuery(engine.dialect, request)), request.limit),
    findSubmission: (organizationId, id) => engine.readDocument(submissionById, organizationId, id),
    findSession: async (organizationId, id) => {
      const parameters = [organizationId, id] as const;
      const [row] = await engine.tenantQuery<{ document: string | null }>(sessionWithSubmissions, parameters);
      return row?.document === null ? readLongSession(engine, organizationId, id) : row?.document;
    },
    findTally: (organizationId, submissionId) => engine.readDocument(tallyById, organizationId, submissionId),
    findSurveyResults: async (organizationId, id) =>
      pickPublished(await engine.tenantQuery<SurveyRow>(surveyResults, [organizationId, id])),
    listSurveyQuestions: (organizationId) => listSurveyQuestions(engine, organizationId),
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

async function listSurveyQuestions(engine: Engine, organizationId: string): Promise<AskedSurvey[]> {
  const rows = await engine.tenantQuery<{ id: string; title: string; status: string; text: string }>(
    questionsOfSurveys,
    [organizationId],
    'primary',
  );
  const published = Map.groupBy(
    rows.filter(({ status }) => !isDraft(status)),
    ({ id }) => id,
  );
  return [...published].map(([id, asked]) => ({
    id,
    title: asked[0]?.title ?? '',
    questionTexts: asked.map(({ text }) => text),
  }));
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
