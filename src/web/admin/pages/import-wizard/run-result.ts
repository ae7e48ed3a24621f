/** The end of an import. */

import type { ImportRun } from '../../../../domain/runs/run-history.ts';
import type { QueuedRun } from '../../../../domain/runs/run-queue.ts';
import { findUndoObstacle } from '../../../../domain/runs/undo.ts';
import { actionLink, alert, announce, paragraph, section } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { may, type TenantContext } from '../../requests/page-context.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { resultTable, stateBadge, undoTable } from '../run-history.ts';
import { findLastImportOfRun } from '../sources/last-import.ts';
import { sourcePath } from '../sources/source-path.ts';
import { resultSentence } from './dry-run-outcome.ts';
import { importPath } from './start-import.ts';

export async function runResult(
  admin: AdminContext,
  context: TenantContext,
  run: QueuedRun,
): Promise<SafeHtml> {
  const { text, organization } = context;
  const words = text.importSteps.result;
  const listed = await admin.store.findImportRun(organization.id, run.id);
  const name = run.sourceName ?? run.definition?.name;
  const last = await findLastImportOfRun(admin, run);
  // An undone import says so above.
  const obstacle = last?.state === 'undone' ? undefined : last && findUndoObstacle(last);
  const canUndo = may(context, 'publish') && last?.state === 'available' && obstacle === undefined;
  const note =
    run.step === 'undo' || listed === undefined
      ? alert('success', run.step === 'undo' ? words.undone : words.done)
      : alert('success', resultSentence(context, run, listed), paragraph(`${words.done}.`));
  return html`${announce(note)}
${listed === undefined ? paragraph(words.unavailable) : counts(context, listed)}
<div class="actions">${actionLink(`${organizationPath(organization)}/data`, words.toData, 'primary')}
${listed === undefined ? '' : actionLink(`${importPath(context)}/${listed.id}`, words.toRun)}
${name === undefined ? '' : actionLink(sourcePath(organization, name), words.toSource)}
${canUndo ? actionLink(`${sourcePath(organization, last.source.name)}/undo`, text.importSteps.undo.action) : ''}</div>
${obstacle === undefined ? '' : paragraph(reasonText(context, obstacle))}`;
}

/** Of the import, or of its undo. */
function counts(context: TenantContext, run: ImportRun): SafeHtml {
  const { result } = context.text.imports;
  return run.undoCounts === null
    ? section(result, html`<p class="kern-body">${stateBadge(run, context)}</p>${resultTable(context, run)}`)
    : section(result, undoTable(context, run.undoCounts));
}
