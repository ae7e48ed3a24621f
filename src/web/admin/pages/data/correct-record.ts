/** Corrects the fields of a published submission or session. */

import { type Field, getValueSchema } from '../../../../contract/field.ts';
import { nameRecordSubject } from '../../../../domain/approvals/approval-request.ts';
import type {
  CorrectableKind,
  CorrectableRecord,
  CorrectableReference,
} from '../../../../domain/records/record-decision.ts';
import { isTimestamp } from '../../../../domain/values/timestamps.ts';
import {
  findPersonalFields,
  formatTypedValue,
  listCorrectableFields,
  parseTypedFields,
} from '../../../../ingest/record-edits/correction-validation.ts';
import { describeApiValue, paragraph, select, field as textField } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { fieldLabel } from '../../../ui/records/record-fields.ts';
import type { AdminContext } from '../../admin-context.ts';
import { listEnteredValues, shownValuesField } from '../../forms/entered-values.ts';
import { form, formActions } from '../../forms/forms.ts';
import { textArea } from '../../forms/text-area.ts';
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
import { findRecordReference, recordParents, recordRoute, recordTitle } from './record-decisions.ts';

const correctableKinds = ['submission', 'session'] as const satisfies readonly CorrectableKind[];

export function correctRecordRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  const createRoute = (kind: CorrectableKind): Route => {
    async function requireRecord(
      context: TenantContext,
    ): Promise<CorrectableRecord & { reference: CorrectableReference }> {
      const reference = { ...findRecordReference(context, kind), kind };
      const found = await store.findCorrectableRecord(reference);
      if (found === undefined) throw notFound();
      return { ...found, reference };
    }

    async function correctPage(context: TenantContext, { values, errors }: FormState): Promise<Page> {
      const words = context.text.recordDecisions;
      const { fields, reference } = await requireRecord(context);
      const entered = await listEnteredValues(values);
      const shown = new Map<string, string>();
      const controls = listCorrectableFields(kind).map(({ name, field }) => {
        const published = formatTypedValue(fields[name], context.timeZone);
        shown.set(name, published);
        return fieldControl(context, kind, {
          name,
          field,
          value: entered.get(name) ?? published,
          isTime: isTimestamp(String(fields[name])),
          error: errors[name],
        });
      });
      const content = html`${await shownValuesField(shown)}${controls}${reasonField(context, values.get('reason') ?? '', errors.reason)}
${formActions(context, publishLabel(context, words.correctSubmit), recordPath(context, reference))}`;
      return {
        title: words.correct[kind],
        body: html`${await recordWaitingNote(store, context, reference)}${await askNote(store, context)}${paragraph(words.correctIntro[kind])}
${form(context, content, errors, { encoding: 'multipart/form-data' })}`,
        parents: recordParents(context, reference, recordTitle(context, kind, fields)),
      };
    }

    async function correct(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
      const { text, organization, timeZone } = context;
      const { fields: published, redaction, reference } = await requireRecord(context);
      const { fields, problems } = parseTypedFields(
        kind,
        published,
        await listEnteredValues(values),
        timeZone,
      );
      const redactor = admin.createTypedTextRedactor(organization, redaction);
      const { signal } = new AbortController();
      for (const field of await findPersonalFields(redactor, reference, published, fields, signal))
        problems.set(field, { code: 'personal-data-typed', field });
      const reason = readReason(admin, context, values, problems);
      const [first] = Object.keys(fields);
      const changes = listCorrections(new Map(Object.entries(published)), new Map(Object.entries(fields)));
      if (Object.keys(changes).length === 0)
        throw new FormError({ [first as string]: text.recordDecisions.unchanged });
      return publishOrAsk(admin, context, 'correction', nameRecordSubject(reference), { changes, reason });
    }

    return {
      path: `${recordRoute(kind)}/correct`,
      access: 'publish',
      requiresRecentAuth: true,
      // Long texts, as files, are larger than other forms.
      receivesUpload: true,
      get: correctPage,
      post: correct,
    };
  };

  return correctableKinds.map(createRoute);
}

interface ControlOptions {
  name: string;
  field: Field;
  value: string;
  isTime: boolean;
  error: string | undefined;
}

function fieldControl(
  context: TenantContext,
  kind: CorrectableKind,
  { name, field, value, isTime, error }: ControlOptions,
): SafeHtml {
  const { text } = context;
  const label = fieldLabel(context, kind, name);
  const { type, format } = getValueSchema(field);
  const optional = 'anyOf' in field.schema ? text.form.optional : undefined;
  if (type === 'boolean') {
    const choices = [
      { value: 'true', text: text.browse.yes },
      { value: 'false', text: text.browse.no },
    ];
    return select(name, label, choices, value, error);
  }
  if (field.words !== undefined) {
    const choices = [...new Set([...field.words, value])].map((word) => ({
      value: word,
      text: describeApiValue(word, context),
    }));
    return select(name, label, choices, value, error);
  }
  const isList = typeof field.composedOf === 'object';
  if (isList || field.fromColumn?.kind === 'markup')
    return textArea({
      name,
      label,
      value,
      error,
      optional: isList ? text.form.optional : optional,
      rows: 8,
      isProse: !isList,
      hint: isList ? text.recordDecisions.documentsHint : undefined,
    });
  return textField({
    name,
    label,
    value,
    error,
    autocomplete: 'off',
    optional,
    type: isTime ? 'datetime-local' : 'text',
    hint: isTime
      ? text.recordDecisions.timeHint
      : field.composedOf === 'point'
        ? text.recordDecisions.locationHint
        : undefined,
    attributes: isTime
      ? html` max="9998-12-31T23:59"`
      : type === 'integer'
        ? html` inputmode="numeric"`
        : format === 'uri'
          ? html` inputmode="url" spellcheck="false"`
          : html``,
  });
}
