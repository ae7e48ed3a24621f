/** The fields of a published record with their names, in the order of the API. */
import type { SafeHtml } from '@remix-run/html-template';
import { html } from '@remix-run/html-template';
import { type Fields, getValueSchema } from '../../contract/field.ts';
import { submissionFields } from '../../contract/submission.ts';
import { isTimestamp } from '../../domain/timestamps.ts';
import type { TenantContext } from '../page-context.ts';
import { describeApiValue, descriptionList, userText } from './components.ts';
import { excerpt, externalLink } from './data-browser.ts';

const maxTextLength = 600;

/** @param document without its description, which pages show as a text */
export function recordFields(context: TenantContext, document: Readonly<Record<string, unknown>>): SafeHtml {
  const { text } = context;
  const submission: Readonly<Record<string, { label: string }>> = text.submissionFields;
  const others: Readonly<Record<string, string>> = text.dryRun.fields;
  return descriptionList(
    Object.entries(document)
      .filter(([name]) => name !== 'description')
      .map(([name, value]) => [
        submission[name]?.label ?? others[name] ?? name,
        describeValue(context, name, value),
      ]),
  );
}

function describeValue(context: TenantContext, name: string, value: unknown): SafeHtml | string {
  const { text, format } = context;
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? text.browse.yes : text.browse.no;
  if (typeof value === 'number') return format.number(value);
  if (typeof value !== 'string') return html`<code>${excerpt(JSON.stringify(value), maxTextLength)}</code>`;
  // Text from another system that is not a timestamp is published unchanged.
  if (isTimestamp(value)) return format.time(value);
  if (name === 'id') return html`<code>${value}</code>`;
  const declared = (submissionFields as Fields)[name];
  if (declared && getValueSchema(declared).format === 'uri') return externalLink(value);
  return userText(declared?.words ? describeApiValue(value, context) : excerpt(value, maxTextLength));
}
