/** The words, names and patterns that imports of a municipality replace, with a preview on a text. */
import { html } from '@remix-run/html-template';
import { getPublishedWords } from '../../domain/published-words.ts';
import { compileRedactionTerms, findInvalidLine, parseRedactionTerms } from '../../domain/redaction-terms.ts';
import { createTimeLimit, TimeLimitError } from '../../timeouts/time-limit.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { actionButton, announcement, form, paragraph, section, userText } from '../ui/components.ts';
import { codeArea } from '../ui/text-area.ts';
import { settingsPath } from './logo-section.ts';

export const redactionTermsPath = (context: TenantContext) => `${settingsPath(context)}/redaction`;

/** A pattern of a person can take exponential time. */
const runLimited = createTimeLimit(100);

const maxSampleLength = 20_000;

interface FormState {
  terms: string;
  sample: string;
  error?: string | undefined;
  /** The sample after redaction; undefined: not requested. */
  preview?: string | undefined;
}

export function redactionTermsRoutes({ store }: AdminContext): Route[] {
  async function submit(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const words = context.text.redactionTerms;
    const terms = (values.get('terms') ?? '').replaceAll('\r\n', '\n').trim();
    const sample = (values.get('sample') ?? '').slice(0, maxSampleLength);
    const state = { terms, sample };
    const line = findInvalidLine(terms);
    if (line !== undefined)
      return termsPage(context, {
        ...state,
        error: line === 0 ? words.tooLong : words.invalid(String(line)),
      });
    const parsed = terms === '' ? null : (parseRedactionTerms(terms) ?? null);
    if (values.get('action') !== 'preview') {
      await store.editOrganization(
        context.organization.id,
        { redactionTerms: parsed },
        currentActor(context),
      );
      return { redirectTo: `${redactionTermsPath(context)}?saved` };
    }
    const preview = redactSample(context, parsed, sample);
    return termsPage(
      context,
      preview === undefined ? { ...state, error: words.slow } : { ...state, preview },
    );
  }

  return [
    {
      path: '/admin/organizations/:organizationId/settings/redaction',
      access: 'administrator',
      get: async (context) =>
        termsPage(context, { terms: context.organization.redactionTerms ?? '', sample: '' }),
      post: submit,
    },
  ];
}

function termsPage(context: TenantContext, { terms, sample, error, preview }: FormState): Page {
  const { text, query } = context;
  const words = text.redactionTerms;
  const body = html`${query.has('saved') && error === undefined && preview === undefined ? announcement(words.saved) : ''}
${paragraph(words.intro)}
${form(
  context,
  html`${codeArea({ name: 'terms', label: words.label, hint: words.hint, error, value: terms, rows: 12 })}
${codeArea({ name: 'sample', label: words.sample, hint: words.sampleHint, error: undefined, value: sample, rows: 5, optional: text.form.optional })}
<div class="actions">${actionButton('save', words.save, 'primary')}${actionButton('preview', words.preview, 'secondary')}</div>`,
  error === undefined ? {} : { terms: error },
  redactionTermsPath(context),
)}
${preview === undefined ? '' : section(words.result, html`<p class="kern-body long-text" tabindex="-1" data-focus>${userText(preview)}</p>`)}`;
  return {
    title: words.title,
    body,
    status: error === undefined ? 200 : 422,
  };
}

/** @returns undefined if a pattern takes too long */
function redactSample(
  { organization, language }: TenantContext,
  terms: string | null,
  sample: string,
): string | undefined {
  const { words, patterns } = compileRedactionTerms(terms);
  const { removed } = getPublishedWords(organization.language ?? language);
  try {
    return runLimited(() => {
      let text = sample.normalize('NFC');
      for (const [name, pattern] of patterns) text = text.replaceAll(pattern, `[${name}]`);
      return words === undefined ? text : text.replaceAll(words, `[${removed}]`);
    });
  } catch (error) {
    if (error instanceof TimeLimitError) return undefined;
    throw error;
  }
}
