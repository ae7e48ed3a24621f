/** Published sessions: a searchable list, and each session with its agenda. */
import { html } from '@remix-run/html-template';
import type { Session } from '../../../contract/session.ts';
import {
  agendaSection,
  type SessionWithAgenda,
  searchSessions,
  sessionContent,
  sessionTitle,
} from '../../../ui/published-sessions.ts';
import { readSourceFields } from '../../../ui/source-fields.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../page-context.ts';
import type { AdminResponse, Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import {
  readRecord,
  readSourceFilter,
  recordPage,
  redirectToFilters,
  searchFields,
  searchPage,
} from '../../ui/data-browser.ts';
import { decisionNotice, isUnpublished, recordActions, unpublishedPage } from '../../ui/record-decision.ts';

export function sessionDataRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<AdminResponse> {
    const { sourceId, field } = await readSourceFilter(admin, context);
    const toForm = searchFields(context);
    const results = await searchSessions(context, { store, sourceId, sourceField: field, toForm });
    return searchPage(context, context.text.terms.sessions, results);
  }

  async function sessionPage(context: TenantContext): Promise<Page> {
    const { organization } = context;
    const id = context.params.sessionId?.toLowerCase() ?? '';
    const key = { organizationId: organization.id, kind: 'session', id } as const;
    const decision = await store.findRecordDecision(key);
    if (decision !== undefined && isUnpublished(decision))
      return unpublishedPage<Session>(store, context, decision, (data) => ({
        title: sessionTitle(context, data),
        content: sessionContent(context, data),
      }));
    const result = await readRecord(admin, context, 'getSession', id);
    const { data: published } = JSON.parse(result.body) as { data: SessionWithAgenda };
    const data = { ...published, ...(await readSourceFields(store, organization.id, 'session', id)) };
    const record = html`${decisionNotice(context, decision)}${sessionContent(context, data)}
${agendaSection(context, data)}
${recordActions(context, 'session')}`;
    const title = sessionTitle(context, data);
    return recordPage(context, 'sessions', title, record, { operationId: 'getSession', id, result });
  }

  const base = '/admin/organizations/:organizationId/data/sessions';
  return [
    { path: base, access: 'reader', get: listPage, post: redirectToFilters },
    { path: `${base}/:sessionId`, access: 'reader', get: sessionPage },
  ];
}
