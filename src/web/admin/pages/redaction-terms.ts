/** The words, names and patterns that imports of a municipality replace, with a preview on a text. */

import {
  compileRedactionTerms,
  findInvalidLine,
  parseRedactionTerms,
} from '../../../domain/organizations/redaction-terms.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { createRedactor } from '../../../ingest/privacy/redaction/create-redactor.ts';
import {
  actionButton,
  alert,
  announcement,
  focusedAttributes,
  paragraph,
  section,
  userText,
} from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form } from '../forms/forms.ts';
import { textArea } from '../forms/text-area.ts';
import { currentActor, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { settingsPath } from './logo-section.ts';

export const redactionTermsPath = (context: TenantContext) => `${settingsPath(context)}/redaction`;

const maxSampleLength = 20_000;

export function redactionTermsRoutes({ store }: AdminContext): Route[] {
  async function submit(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const words = context.text.redactionTerms;
    const terms = normalizeTerms(values.get('terms') ?? '');
    const sample = (values.get('sample') ?? '').slice(0, maxSampleLength);
    values.set('terms', terms);
    values.set('sample', sample);
    const line = findInvalidLine(terms);
    if (line !== undefined)
      throw new FormError({ terms: line === 0 ? words.tooLong : words.invalid(String(line)) });
    const parsed = terms === '' ? null : (parseRedactionTerms(terms) ?? null);
    if (!isPreview(values)) {
      await store.editOrganization(
        context.organization.id,
        { redactionTerms: parsed },
        currentActor(context),
      );
      return { redirectTo: `${redactionTermsPath(context)}?saved` };
    }
    const preview = await redactSample(context, parsed, sample);
    if (preview === undefined) throw new FormError({ terms: words.slow });
    return termsPage(context, { values, errors: {} }, preview);
  }

  return [
    {
      path: '/admin/organizations/:organizationId/settings/redaction',
      access: 'publish',
      requiresRecentAuth: (form) => !isPreview(form),
      get: termsPage,
      post: submit,
    },
  ];
}

const isPreview = (form: URLSearchParams) => form.get('action') === 'preview';

const normalizeTerms = (entered: string) => entered.replaceAll('\r\n', '\n').trim();

/** @param preview the sample after redaction */
async function termsPage(
  context: TenantContext,
  { values, errors }: FormState,
  preview?: string,
): Promise<Page> {
  const { text, query, organization } = context;
  const words = text.redactionTerms;
  const stored = organization.redactionTerms ?? '';
  const terms = values.get('terms') ?? stored;
  const isOpened = errors.terms === undefined && preview === undefined;
  const isUnsaved = isOpened && normalizeTerms(terms) !== stored;
  const body = html`${isOpened && query.has('saved') ? announcement(words.saved) : ''}
${isUnsaved ? alert('info', text.organizationSettings.unsaved) : ''}
${paragraph(words.intro)}
${form(
  context,
  html`${textArea({ name: 'terms', label: words.label, hint: words.hint, error: errors.terms, value: terms, rows: 12 })}
${textArea({ name: 'sample', label: words.sample, hint: words.sampleHint, value: values.get('sample') ?? '', rows: 5, optional: text.form.optional })}
<div class="actions">${actionButton('save', text.form.save, 'primary')}${actionButton('preview', words.preview, 'secondary')}</div>`,
  errors,
  { action: redactionTermsPath(context) },
)}
${preview === undefined ? '' : section(words.preview, html`<p class="kern-body long-text"${focusedAttributes}>${userText(preview)}</p>`)}`;
  return { title: words.title, body };
}

/** @returns undefined if a pattern takes too long */
async function redactSample(
  { organization, language }: TenantContext,
  terms: string | null,
  sample: string,
): Promise<string | undefined> {
  const redactor = createRedactor({
    kinds: [],
    country: 'DE',
    patterns: new Map(),
    terms: compileRedactionTerms(terms),
    language: organization.language ?? language,
  });
  try {
    const [redacted] = await redactor.redactTexts([sample.normalize('NFC')], new AbortController().signal);
    return redacted?.text;
  } catch (error) {
    if (error instanceof InvalidFieldError) return undefined;
    throw error;
  }
}
