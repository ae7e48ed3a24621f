/** The fields of a published record with their names, in the order of the API. */
import type { SafeHtml } from '@remix-run/html-template';
import { html } from '@remix-run/html-template';
import { type Field, findField, getValueSchema } from '../../contract/field.ts';
import { fieldsByKind, type RecordKind } from '../../domain/records.ts';
import { isTimestamp } from '../../domain/timestamps.ts';
import type { TenantContext } from '../page-context.ts';
import { describeApiValue, descriptionList, userText } from './components.ts';
import { excerpt, externalLink } from './data-browser.ts';

const maxTextLength = 600;

/** @param document without its description, which pages show as a text */
export function recordFields(context: TenantContext, kind: RecordKind, document: object): SafeHtml {
  const { submissionFields, dryRun } = context.text;
  const labels: Readonly<Record<string, string | { label: string }>> = {
    submission: submissionFields,
    session: dryRun.sessionFields,
    survey: dryRun.surveyFields,
  }[kind];
  return descriptionList(
    Object.entries(document)
      .filter(([name]) => name !== 'description')
      .map(([name, value]: [string, unknown]) => {
        const label = labels[name] ?? name;
        return [
          typeof label === 'string' ? label : label.label,
          describeValue(context, findField(fieldsByKind[kind], name), value),
        ];
      }),
  );
}

function describeValue(
  context: TenantContext,
  declared: Field | undefined,
  value: unknown,
): SafeHtml | string {
  const { text, format } = context;
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? text.browse.yes : text.browse.no;
  if (typeof value === 'number') return format.number(value);
  if (typeof value !== 'string') return html`<code>${excerpt(JSON.stringify(value), maxTextLength)}</code>`;
  // Text from another system that is not a timestamp is published unchanged.
  if (isTimestamp(value)) return format.time(value);
  const { format: valueFormat } = declared ? getValueSchema(declared) : {};
  if (valueFormat === 'uuid') return html`<code>${value}</code>`;
  if (valueFormat === 'uri') return externalLink(value);
  return userText(declared?.words ? describeApiValue(value, context) : excerpt(value, maxTextLength));
}
