/** Corrects the title and the questions of a published survey, but no counts: that would undo the protection of small ones. */

import { nameRecordSubject } from '../../../../domain/approvals/approval-request.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import { nameSurveyTexts, parseSurveyTexts } from '../../../../ingest/record-edits/correction-validation.ts';
import { mapInSlices } from '../../../../platform/time-slices.ts';
import { paragraph } from '../../../ui/components.ts';
import { each, html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { listEnteredValues, shownValuesField } from '../../forms/entered-values.ts';
import { form, formActions } from '../../forms/forms.ts';
import { questionField, surveyTitleField } from '../../forms/survey-text-fields.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormState,
  notFound,
  type Page,
} from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { askNote, publishLabel, recordWaitingNote } from '../../ui/approval-note.ts';
import { readReason, reasonField, recordPath } from '../../ui/record-decision.ts';
import { listCorrections, publishOrAsk } from '../approvals/publishing-actions.ts';
import { findRecordReference, recordParents, recordRoute } from './record-decisions.ts';

export function correctSurveyRoutes(admin: AdminContext): Route[] {
  async function readTexts(context: TenantContext) {
    const { organizationId, id } = findRecordReference(context, 'survey');
    const texts = await admin.store.findSurveyTexts(organizationId, id);
    if (texts === undefined) throw notFound();
    return texts;
  }

  async function correctPage(context: TenantContext, { values, errors }: FormState): Promise<Page> {
    const { text, format } = context;
    const words = text.recordDecisions;
    const reference = findRecordReference(context, 'survey');
    const published = await readTexts(context);
    const shown = nameSurveyTexts(published);
    const entered = await listEnteredValues(values);
    const fields = each(shown, ([name, before], index) => {
      const value = entered.get(name) ?? before;
      if (name === 'title') return surveyTitleField(context, { value, errors });
      const label = words.questionNumber(format.number(index));
      return questionField(context, { name, label, value, errors });
    });
    const content = html`${await shownValuesField(shown)}${fields}${reasonField(context, values.get('reason') ?? '', errors.reason)}
${formActions(context, publishLabel(context, words.correctSubmit), recordPath(context, reference))}`;
    return {
      title: words.correct.survey,
      body: html`${await recordWaitingNote(admin.store, context, reference)}${await askNote(admin.store, context)}${paragraph(words.correctIntro.survey)}
${form(context, content, errors, { encoding: 'multipart/form-data' })}`,
      parents: recordParents(context, reference, published.title),
    };
  }

  async function correct(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text, organization } = context;
    const published = await readTexts(context);
    const country = organization.country ?? admin.country;
    const { texts, problems } = await parseSurveyTexts(
      published,
      await listEnteredValues(values),
      country,
      mapInSlices,
    );
    const reason = readReason(admin, context, values, problems);
    const changes = listCorrections(nameSurveyTexts(published), nameSurveyTexts(texts));
    if (Object.keys(changes).length === 0) throw new FormError({ title: text.recordDecisions.unchanged });
    const reference = findRecordReference(context, 'survey');
    try {
      return await publishOrAsk(admin, context, 'correction', nameRecordSubject(reference), {
        changes,
        reason,
      });
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      throw new FormError({ title: text.recordDecisions.changedMeanwhile });
    }
  }

  return [
    {
      path: `${recordRoute('survey')}/correct`,
      access: 'publish',
      requiresRecentAuth: true,
      // Long texts, as files, are larger than other forms.
      receivesUpload: true,
      get: correctPage,
      post: correct,
    },
  ];
}
