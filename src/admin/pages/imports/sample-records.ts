/** Records as the API would publish them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { DryRunReport } from '../../../domain/import-job.ts';
import { isTimestamp } from '../../../domain/timestamps.ts';
import type { TenantContext } from '../../page-context.ts';
import { describeApiValue, descriptionList, paragraph, section, userText } from '../../ui/components.ts';
import { excerpt } from '../../ui/data-browser.ts';

const maxTextLength = 600;

export function sampleRecords(context: TenantContext, samples: DryRunReport['samples']): SafeHtml {
  if (samples.length === 0) return html``;
  const { text, format } = context;
  const items = samples.map(
    ({ kind, document }, index) =>
      html`<li class="sample-record"><h3 class="kern-heading-small">${text.dryRun.sampleRecord(format.number(index + 1))} <span class="kern-hint">${text.dryRun.kinds[kind] ?? kind}</span></h3>
${sampleText(document)}
${sampleFields(context, document)}</li>`,
  );
  return section(
    text.dryRun.samples(format.number(samples.length)),
    html`${paragraph(text.dryRun.samplesHint)}<ol class="sample-records">${items}</ol>`,
  );
}

function sampleText({ description }: Readonly<Record<string, unknown>>): SafeHtml {
  if (typeof description !== 'string' || description.trim() === '') return html``;
  return html`<p class="kern-body sample-record__text" dir="auto">${excerpt(description, maxTextLength)}</p>`;
}

function sampleFields(context: TenantContext, document: Readonly<Record<string, unknown>>): SafeHtml {
  const { text } = context;
  const names = { ...text.importSettings.mapping.fields, ...text.dryRun.fields } as Record<string, string>;
  return descriptionList(
    Object.entries(document)
      .filter(([name]) => name !== 'description')
      .map(([name, value]) => [names[name] ?? name, describeValue(context, name, value)]),
  );
}

function describeValue(context: TenantContext, name: string, value: unknown): SafeHtml | string {
  const { text, format } = context;
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? text.browse.yes : text.browse.no;
  if (typeof value === 'number') return format.number(value);
  if (typeof value !== 'string') return html`<code>${excerpt(JSON.stringify(value), maxTextLength)}</code>`;
  if (isTimestamp(value)) return format.time(value);
  if (name === 'id') return html`<code>${value}</code>`;
  const isWord = ['status', 'priorityLevel'].includes(name);
  return userText(isWord ? describeApiValue(value, context) : excerpt(value, maxTextLength));
}
