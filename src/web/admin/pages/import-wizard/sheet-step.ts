/** The question which sheet of a workbook, list of JSON or table of a data portal holds the data. */

import type { QueuedRun } from '../../../../domain/runs/run-queue.ts';
import { alert, announce, button, errorSummary, paragraph, select } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { buttonForm, csrfField } from '../../forms/forms.ts';
import { continueImport } from '../../queue-import-steps.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import type { Redirect } from '../../requests/response-types.ts';
import { canChooseSheet, type RunContent, stepsPath } from './run-stage.ts';

export const sheetPath = (run: QueuedRun): string => `${stepsPath(run)}/sheet`;

export function sheetContent(
  context: TenantContext,
  run: QueuedRun,
  errors: Record<string, string> = {},
): RunContent {
  const { text } = context;
  const { names = [], missing = null, chosen: stored, kind = 'sheet' } = run.detection?.sheets ?? {};
  const chosen = context.query.get('sheet') ?? stored ?? '';
  const { missing: describeMissing, choose, hint: newHint, sourceHint, ...kinds } = text.importSheet;
  const words = kinds[kind];
  const hint = kind === 'table' ? kinds.table.hint : run.sourceName === null ? newHint : sourceHint;
  const choices = [{ value: '', text: choose }, ...names.map((name) => ({ value: name, text: name }))];
  const title = missing === null ? words.title : describeMissing(missing);
  const question = alert('info', title, paragraph(words.intro));
  const isRejected = Object.keys(errors).length > 0;
  const body = html`${errorSummary(context, errors)}
${isRejected ? question : announce(question)}
<form method="post" action="${sheetPath(run)}" class="page-form" novalidate>${csrfField(context)}
${select('sheet', words.label, choices, chosen, errors.sheet, hint)}
<div class="actions">${button(words.submit)}</div></form>
${buttonForm(context, `${stepsPath(run)}/cancel`, text.importSteps.cancel, 'tertiary')}`;
  return { body, status: isRejected ? 422 : 200 };
}

/** Examines the file again. */
export async function submitSheet(
  admin: AdminContext,
  context: TenantContext,
  run: QueuedRun,
  values: URLSearchParams,
): Promise<RunContent | Redirect> {
  const { detection } = run;
  if (detection === null || detection.sheets === null || !canChooseSheet(run))
    return { redirectTo: stepsPath(run) };
  const { names, kind } = detection.sheets;
  const chosen = names.find((name) => name === values.get('sheet'));
  if (chosen === undefined)
    return sheetContent(context, run, { sheet: context.text.importSheet[kind].missingChoice });
  // Entries belong to the columns of the sheet.
  const withSheet = { ...detection, entered: undefined, sheets: { ...detection.sheets, chosen } };
  await continueImport(admin, context, run, 'detection', { detection: withSheet });
  return { redirectTo: stepsPath(run) };
}
