/** Records as the API would publish them. */

import type { DryRunReport } from '../../../../domain/runs/run-queue.ts';
import { paragraph, userText } from '../../../ui/components.ts';
import { folded, settingSummary } from '../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { excerpt } from '../../../ui/records/imported-text.ts';
import { recordFields } from '../../../ui/records/record-fields.ts';
import type { TenantContext } from '../../requests/page-context.ts';

const maxTextLength = 600;

export function sampleRecords(context: TenantContext, samples: DryRunReport['samples']): SafeHtml {
  if (samples.length === 0) return html``;
  const { text, format } = context;
  const items = samples.map(
    ({ kind, document }, index) =>
      html`<li class="sample-record"><h3 class="kern-heading-small">${text.dryRun.sampleRecord(format.number(index + 1), text.dryRun.sampleKinds[kind] ?? kind)}</h3>
${sampleText(document)}
${recordFields(context, kind, document)}</li>`,
  );
  const [first] = samples;
  return folded(
    settingSummary(text.dryRun.samples(format.number(samples.length)), first ? nameRecord(first) : ''),
    html`${paragraph(text.dryRun.samplesHint)}<ol class="sample-records">${items}</ol>`,
  );
}

const maxNameLength = 80;

function nameRecord({ document }: DryRunReport['samples'][number]): SafeHtml {
  const { description, committeeName, title } = document;
  const name = [description, committeeName, title].find((text) => typeof text === 'string');
  return userText(excerpt(String(name ?? ''), maxNameLength));
}

function sampleText({ description }: Readonly<Record<string, unknown>>): SafeHtml {
  if (typeof description !== 'string' || description.trim() === '') return html``;
  return html`<p class="kern-body sample-record__text" dir="auto">${excerpt(description, maxTextLength)}</p>`;
}
