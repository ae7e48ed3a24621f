/** Published submissions and sessions: a searchable list of each, and each record as citizens and programs read it. */

import type { Session } from '../../../../contract/resources/session.ts';
import { lackSupportCounts } from '../../../../domain/sources/import-source.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import {
  agendaSection,
  type SessionWithAgenda,
  searchSessions,
  sessionContent,
} from '../../../ui/records/published-sessions.ts';
import { searchSubmissions } from '../../../ui/records/published-submissions.ts';
import { readSourceFields } from '../../../ui/records/record-source.ts';
import {
  maxShownSessions,
  type ShownSubmission,
  submissionContent,
} from '../../../ui/records/submission-content.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import type { AdminResponse, FormState, Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { recordWaitingNote } from '../../ui/approval-note.ts';
import {
  readRecord,
  readSourceFilter,
  recordPage,
  redirectToFilters,
  searchFields,
  searchPage,
} from '../../ui/data-browser.ts';
import { decisionNotice, isUnpublished, recordActions, unpublishedPage } from '../../ui/record-decision.ts';
import { notesSection } from '../../ui/record-notes.ts';
import { findRecordReference, recordOperations, recordRoute, recordTitle } from './record-decisions.ts';
import { createNoteHandler } from './record-notes.ts';

const base = '/admin/organizations/:organizationId/data';

export const submissionAndSessionRoutes = (admin: AdminContext): Route[] => [
  {
    path: base,
    title: (text) => text.browse.title,
    group: 'data',
    access: 'see',
    get: async (context) => ({ redirectTo: context.recordsAddress('submissions') }),
  },
  ...recordRoutes<ShownSubmission, ShownSubmission>(admin, 'submission', {
    search: searchSubmissions,
    content: (context, submission) => submissionContent(context, submission),
    publishedContent: async (context, submission) => {
      const { openDataPages } = admin.store;
      const organizationId = context.organization.id;
      const [sessions, { kinds }, sources] = await Promise.all([
        openDataPages.listSessionsOfSubmission(organizationId, submission.id, maxShownSessions),
        openDataPages.readContent(organizationId),
        admin.store.listUsedSources(organizationId),
      ]);
      return submissionContent(context, submission, {
        sessions: kinds.includes('session') ? sessions : undefined,
        lacksSupport: lackSupportCounts(sources),
      });
    },
  }),
  ...recordRoutes<Session, SessionWithAgenda>(admin, 'session', {
    search: searchSessions,
    content: sessionContent,
    publishedContent: async (context, session) =>
      html`${sessionContent(context, session)}${agendaSection(context, session)}`,
  }),
];

interface RecordPages<Content, Published> {
  search: typeof searchSubmissions | typeof searchSessions;
  /** Of an unpublished record. */
  content(context: TenantContext, record: Content): SafeHtml;
  publishedContent(context: TenantContext, record: Published): Promise<SafeHtml>;
}

function recordRoutes<Content extends object, Published extends Content>(
  admin: AdminContext,
  kind: 'submission' | 'session',
  { search, content, publishedContent }: RecordPages<Content, Published>,
): Route[] {
  const { store } = admin;
  const list = `${kind}s` as const;
  const operationId = recordOperations[kind];

  async function listPage(context: TenantContext): Promise<AdminResponse> {
    const { sources, sourceId, field } = await readSourceFilter(admin, context);
    const results = await search(context, {
      store,
      sourceId,
      sourceField: field,
      lacksSupport: lackSupportCounts(
        sourceId === undefined ? sources : sources.filter(({ id }) => id === sourceId),
      ),
      toForm: searchFields(context),
    });
    return searchPage(context, context.text.terms[list], results);
  }

  async function page(context: TenantContext, formState: FormState): Promise<Page> {
    const reference = findRecordReference(context, kind);
    const { organizationId, id } = reference;
    const decision = await store.findRecordDecision(reference);
    const notes = await notesSection(store, context, reference, formState);
    if (decision !== undefined && isUnpublished(decision))
      return unpublishedPage<Content>(store, context, decision, notes, (data) => ({
        title: recordTitle(context, kind, data),
        content: content(context, data),
      }));
    const result = await readRecord(admin, context, operationId, id);
    const { data: published } = JSON.parse(result.body) as { data: Published };
    const data = { ...published, ...(await readSourceFields(store, organizationId, kind, id)) };
    const record = html`${decisionNotice(context, decision)}${await recordWaitingNote(store, context, reference)}${await publishedContent(context, data)}
${recordActions(context, kind)}
${notes}`;
    return recordPage(context, list, recordTitle(context, kind, data), record, { operationId, id, result });
  }

  return [
    { path: `${base}/${list}`, access: 'see', get: listPage, post: redirectToFilters },
    {
      path: recordRoute(kind),
      access: 'see',
      formAccess: 'importOrPublish',
      get: page,
      post: createNoteHandler(store, kind),
    },
  ];
}
