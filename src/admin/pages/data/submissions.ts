/** Published submissions: a searchable list, and each submission as citizens and programs read it. */
import { html } from '@remix-run/html-template';
import type { Submission } from '../../../contract/submission.ts';
import {
  type ShownSubmission,
  searchSubmissions,
  submissionContent,
  submissionTitle,
} from '../../../ui/published-submissions.ts';
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

export function submissionDataRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<AdminResponse> {
    const { sourceId, field } = await readSourceFilter(admin, context);
    const toForm = searchFields(context);
    const results = await searchSubmissions(context, { store, sourceId, sourceField: field, toForm });
    return searchPage(context, context.text.terms.submissions, results);
  }

  async function submissionPage(context: TenantContext): Promise<Page> {
    const { organization } = context;
    const id = context.params.submissionId?.toLowerCase() ?? '';
    const key = { organizationId: organization.id, kind: 'submission', id } as const;
    const decision = await store.findRecordDecision(key);
    if (decision !== undefined && isUnpublished(decision))
      return unpublishedPage<ShownSubmission>(store, context, decision, (data) => ({
        title: submissionTitle(context, data),
        content: submissionContent(context, data),
      }));
    const result = await readRecord(admin, context, 'getSubmission', id);
    const { data: published } = JSON.parse(result.body) as { data: Submission };
    const data = { ...published, ...(await readSourceFields(store, organization.id, 'submission', id)) };
    const record = html`${decisionNotice(context, decision)}${submissionContent(context, data)}${recordActions(context, 'submission')}`;
    const title = submissionTitle(context, data);
    return recordPage(context, 'submissions', title, record, { operationId: 'getSubmission', id, result });
  }

  const base = '/admin/organizations/:organizationId/data';
  return [
    {
      path: base,
      title: (text) => text.browse.title,
      access: 'reader',
      get: async (context) => ({ redirectTo: context.recordsAddress('submissions') }),
    },
    { path: `${base}/submissions`, access: 'reader', get: listPage, post: redirectToFilters },
    { path: `${base}/submissions/:submissionId`, access: 'reader', get: submissionPage },
  ];
}
