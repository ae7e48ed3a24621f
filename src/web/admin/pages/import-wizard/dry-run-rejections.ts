/** Why records of a dry run are rejected, one line for each reason, and what helps. */

import { isDeepStrictEqual } from 'node:util';
import type { Reason } from '../../../../domain/reasons/reason.ts';
import type { DryRunReport, QueuedRun } from '../../../../domain/runs/run-queue.ts';
import { actionLink, badge, button, paragraph, userText } from '../../../ui/components.ts';
import { folded } from '../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { checkbox } from '../../forms/checkbox.ts';
import { csrfField } from '../../forms/forms.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { rejectionTable } from '../run-history.ts';
import { listPath, mayChangeSettings, stepsPath } from './run-stage.ts';

/** Options of a format that let records through, by the reason of their rejection. Choosing one is a statement about the data. */
const optionsByReason: Readonly<Partial<Record<Reason['code'], string>>> = {
  'survey-total-missing': 'totalFromRows',
};

/** Reasons that another mapping can remove. */
const reasonsOfMapping: readonly Reason['code'][] = [
  'word-unmapped',
  'cell-not-date',
  'cell-not-number',
  'cell-not-time',
];

export function rejectionSection(context: TenantContext, run: QueuedRun, report: DryRunReport): SafeHtml {
  const { counts, rejections, rejectionReasons, listed } = report;
  if (counts.rejected === 0) return html``;
  const { text, format } = context;
  const words = text.dryRun;
  const path = listPath(run, 'rejected');
  const reasons = rejectionReasons ?? rejections.map(({ reason }) => ({ reason, count: 1 }));
  const isTruncated = counts.rejected > rejections.length;
  const all = format.number(counts.rejected);
  const toAll = isTruncated ? actionLink(path, words.lists.showAll) : '';
  const actions = html`<div class="actions">${toAll}${actionLink(`${path}.csv`, text.imports.download)}</div>`;
  return html`<section class="dry-run-section"><h2 class="kern-heading-medium">${words.rejections} ${badge('warning', all)}</h2>
${paragraph(words.rejectionsHint)}
<ul class="rejection-reasons">${reasons.map((one) => reasonItem(context, run, one, rejections))}</ul>
${folded(
  words.rejectionList,
  html`${listed.rejected === 0 ? '' : actions}
${isTruncated ? paragraph(words.rejectionsLimit(format.number(rejections.length), all)) : ''}
${rejectionTable(context, rejections)}`,
)}</section>`;
}

function reasonItem(
  context: TenantContext,
  run: QueuedRun,
  { reason, count }: { reason: Reason; count: number },
  rejections: DryRunReport['rejections'],
): SafeHtml {
  const { rejectionsOf, rejectedLine } = context.text.dryRun;
  const first = rejections.find((one) => isDeepStrictEqual(one.reason, reason))?.line;
  const line = first == null ? '' : rejectedLine(context.format.number(first), count === 1);
  return html`<li><p class="kern-body"><strong>${rejectionsOf(context.format.number(count))}${line}:</strong> ${userText(reasonText(context, reason))}</p>
${remedy(context, run, reason)}</li>`;
}

function remedy(context: TenantContext, run: QueuedRun, { code }: Reason): SafeHtml {
  const { remedies, rejectionsInFile } = context.text.dryRun;
  if (!mayChangeSettings(context, run)) return paragraph(rejectionsInFile);
  const option = optionsByReason[code];
  if (option !== undefined) return optionForm(context, run, option);
  // The form asks at the top of the page.
  if (code === 'survey-similar') return html``;
  return reasonsOfMapping.includes(code)
    ? html`<div class="actions">${actionLink(`${stepsPath(run)}?settings=1`, remedies.mapping)}</div>`
    : paragraph(rejectionsInFile);
}

function optionForm(context: TenantContext, run: QueuedRun, option: string): SafeHtml {
  const { importSettings, dryRun } = context.text;
  const { label = option } = importSettings.option[option] ?? {};
  return html`<form method="post" action="${stepsPath(run)}/option">${csrfField(context)}
${checkbox({ name: option, value: 'true', label, hint: dryRun.remedies.confirmFirst, isChecked: false })}
<div class="actions">${button(dryRun.remedies.apply, 'secondary')}</div></form>`;
}

/** @returns the options that the user has chosen in the form of a reason */
export const readRemedies = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    Object.values(optionsByReason)
      .filter((option) => form.get(option) === 'true')
      .map((option) => [option, 'true']),
  );
