/** What the pages of open data show, from the primary database. */
import type { OpenPageStore } from '../../domain/store.ts';
import type { Engine, TenantParameters } from '../engine.ts';
import { createImportStore } from '../records/write-records.ts';
import { readShownSurvey } from './large-documents/survey-parts.ts';
import { createPublishedDataStore } from './published-data-store.ts';
import { readContent, readExtent } from './published-extent.ts';
import { composeScope, publishedLists } from './published-lists.ts';
import { readDecidedSubmissionsByDay } from './read-decided-submissions.ts';
import { createPublishedDataSearch } from './search-published-data.ts';
import { findSourceLicense, readLicenses } from './source-licenses.ts';

export function createOpenPageStore(engine: Engine, wordSearch: boolean): OpenPageStore {
  const tenantQuery: Engine['tenantQuery'] = (sql, parameters) =>
    engine.tenantQuery(sql, parameters, 'primary');
  const readDocuments = async (sql: string, ...parameters: TenantParameters) =>
    (await tenantQuery<{ document: string }>(sql, parameters)).map(({ document }) => document);
  const primary: Engine = {
    ...engine,
    tenantQuery,
    readDocument: async (sql, organizationId, id) => (await readDocuments(sql, organizationId, id))[0],
  };
  const { findSubmission, findSession, findExtension } = createPublishedDataStore(primary, wordSearch);
  const { listSurveys } = createImportStore(primary);
  const queries = composeOpenPageQueries(engine.dialect);
  return {
    ...createPublishedDataSearch(primary, wordSearch),
    findSubmission,
    findSession,
    findExtension,
    findSurvey: (organizationId, id) => readShownSurvey(engine, organizationId, id),
    listSurveys,
    listUpcomingSessions: (organizationId, { date, time }, limit) =>
      readDocuments(queries.upcomingSessions, organizationId, date, limit, time),
    listSessionsOfSubmission: (...parameters) => readDocuments(queries.sessionsOfSubmission, ...parameters),
    listDecidedSubmissionsByDay: (...parameters) =>
      readDecidedSubmissionsByDay(engine.dialect, tenantQuery, ...parameters),
    readLicenses: (organizationId) => readLicenses(engine, tenantQuery, organizationId),
    readContent: (organizationId) => readContent(engine.dialect, tenantQuery, organizationId),
    readExtent: (organizationId) => readExtent(engine.dialect, tenantQuery, organizationId),
    findSourceLicense: (...record) => findSourceLicense(tenantQuery, ...record),
  };
}

/**
 * Parameters of `upcomingSessions`: municipality, day, limit, time of the day; of `sessionsOfSubmission`: municipality, submission,
 * limit. A session whose end is before its start ends on the next day.
 */
export function composeOpenPageQueries(dialect: Engine['dialect']) {
  return {
    upcomingSessions: `SELECT document FROM session WHERE ${composeScope(dialect, publishedLists.sessions, 0).join(' AND ')}
      AND date >= $2
      AND NOT (date = $2 AND time_slot IS NOT NULL AND substr(time_slot, 7) > substr(time_slot, 1, 5) AND substr(time_slot, 7) <= $4)
      ORDER BY date, id DESC LIMIT $3`,
    sessionsOfSubmission: `SELECT session.document FROM session_submission JOIN session
      ON session.organization_id = session_submission.organization_id AND session.id = session_submission.session_id
      WHERE session_submission.organization_id = $1 AND session_submission.submission_id = $2
      ORDER BY session.date, session.id LIMIT $3`,
  };
}
