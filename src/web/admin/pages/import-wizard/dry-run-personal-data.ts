/** Personal data that a dry run found in texts, and the texts that a person reads first. */

import type { DryRunReport, QueuedRun, TextToCheck } from '../../../../domain/runs/run-queue.ts';
import { link, numeric, paragraph, table } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { withMarks } from '../../../ui/records/marked-text.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { mayChangeSettings, stepsPath } from './run-stage.ts';

/** Open, because a person decides about it. */
export function personalDataSection(
  context: TenantContext,
  run: QueuedRun,
  { personalData, textsToCheck = [] }: DryRunReport,
): SafeHtml {
  const { text } = context;
  const words = text.dryRun;
  const found = personalData.filter(({ count }) => count > 0);
  return html`<section class="dry-run-section"><h2 class="kern-heading-medium">${words.personalData}</h2>
${paragraph(html`<strong>${text.importSettings.personalData.namesNotDetected}</strong>`)}
${found.length === 0 ? paragraph(words.personalDataNone) : findings(context, run, found)}
${textsToCheck.length === 0 ? '' : textList(context, textsToCheck)}</section>`;
}

function findings(context: TenantContext, run: QueuedRun, found: DryRunReport['personalData']): SafeHtml {
  const { text, format } = context;
  const words = text.dryRun;
  const rows = found.map(({ kind, count, isRedacted }) => [
    text.importSettings.personalData.kinds[kind]?.label ?? kind,
    format.number(count),
    isRedacted ? words.replaced : words.published,
  ]);
  const columns = [words.personalDataKind, numeric(words.personalDataCount), words.personalDataReplaced];
  const change = mayChangeSettings(context, run)
    ? link(`${stepsPath(run)}?settings=1`, words.changeRedaction)
    : '';
  return html`${paragraph(html`${words.personalDataHint} ${change}`)}
${table(words.personalData, columns, rows, { narrow: true })}`;
}

function textList(context: TenantContext, texts: readonly TextToCheck[]): SafeHtml {
  const { textsToCheck, textsToCheckHint } = context.text.dryRun;
  const items = texts.map(
    (one) =>
      html`<li class="kern-body"><bdi>${one.isCutAtStart ? '… ' : ''}${withMarks(one.text, one.marks)}${one.isCutAtEnd ? ' …' : ''}</bdi></li>`,
  );
  return html`<h3 class="kern-heading-small">${textsToCheck}</h3>
${paragraph(textsToCheckHint)}
<ol class="texts-to-check">${items}</ol>`;
}
