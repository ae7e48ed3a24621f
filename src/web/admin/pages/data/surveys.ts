/** Published surveys: a searchable list, and the results of each survey. */

import { html } from '../../../ui/html.ts';
import { searchSurveys, surveyContent } from '../../../ui/records/published-surveys.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { type FormState, notFound, type Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import {
  audienceNote,
  dataTabs,
  readRecord,
  readSourceFilter,
  recordPage,
  redirectToFilters,
  searchFields,
} from '../../ui/data-browser.ts';
import { decisionNotice, isUnpublished, recordActions, unpublishedPage } from '../../ui/record-decision.ts';
import { notesSection } from '../../ui/record-notes.ts';
import { findRecordReference, recordRoute } from './record-decisions.ts';
import { createNoteHandler } from './record-notes.ts';

export function surveyDataRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<Page> {
    const { text } = context;
    const { sourceId, field } = await readSourceFilter(admin, context);
    const toForm = searchFields(context);
    const { body, isValid } = await searchSurveys(context, { store, sourceId, sourceField: field, toForm });
    return {
      title: text.terms.surveys,
      body: html`${dataTabs(context)}${audienceNote(context)}${body}`,
      ...(!isValid && { status: 422 }),
    };
  }

  async function surveyPage(context: TenantContext, formState: FormState): Promise<Page> {
    const reference = findRecordReference(context, 'survey');
    const { organizationId, id } = reference;
    const decision = await store.findRecordDecision(reference);
    const notes = await notesSection(store, context, reference, formState);
    if (decision !== undefined && isUnpublished(decision)) {
      return unpublishedPage(store, context, decision, notes, async () => {
        const survey = await store.findUnpublishedSurvey(decision);
        return survey && { title: survey.title, content: surveyContent(context, survey) };
      });
    }
    const survey = await store.openDataPages.findSurvey(organizationId, id);
    if (survey === undefined) throw notFound();
    const result = await readRecord(admin, context, 'getSurveyResults', id);
    const record = html`${decisionNotice(context, decision)}${surveyContent(context, survey)}
${recordActions(context, 'survey')}
${notes}`;
    return recordPage(context, 'surveys', survey.title, record, {
      operationId: 'getSurveyResults',
      id,
      result,
    });
  }

  const base = '/admin/organizations/:organizationId/data/surveys';
  return [
    { path: base, access: 'see', get: listPage, post: redirectToFilters },
    {
      path: recordRoute('survey'),
      access: 'see',
      formAccess: 'importOrPublish',
      get: surveyPage,
      post: createNoteHandler(store, 'survey'),
    },
  ];
}
