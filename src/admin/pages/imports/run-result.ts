/** The end of an import. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { QueuedRun } from '../../../domain/run-queue.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../page-context.ts';
import { actionLink, alert, paragraph, section } from '../../ui/components.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { resultTable, stateBadge } from '../import-history.ts';
import { sourcePath } from '../sources/source-path.ts';
import { importPath } from './start-import.ts';

export async function runResult(
  { store }: AdminContext,
  context: TenantContext,
  run: QueuedRun,
): Promise<SafeHtml> {
  const { text, organization } = context;
  const words = text.importSteps;
  const name = run.sourceName ?? run.definition?.name;
  const listed = await store.findImportRun(organization.id, run.id);
  const isUndo = run.step === 'undo';
  const toSource =
    name === undefined ? '' : actionLink(sourcePath(organization, name), words.result.toSource);
  const note = alert(
    'success',
    isUndo ? words.result.undone : words.result.done,
    isUndo ? paragraph(words.result.undoneHint) : undefined,
  );
  const undo =
    isUndo || name === undefined
      ? ''
      : actionLink(`${sourcePath(organization, name)}/undo`, words.undo.action);
  return html`<div class="announcement" tabindex="-1" data-focus>${note}</div>
${listed === undefined ? paragraph(words.result.unavailable) : section(text.imports.result, html`<p class="kern-body">${stateBadge(listed, context)}</p>${resultTable(context, listed)}`)}
<div class="actions">${actionLink(`${organizationPath(organization)}/data`, words.result.toData, 'primary')}
${listed === undefined ? '' : actionLink(`${importPath(context)}/${listed.id}`, words.result.toRun)}
${toSource}${undo}</div>`;
}
