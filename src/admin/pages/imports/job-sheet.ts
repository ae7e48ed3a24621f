/** The question which sheet of a workbook holds the data. */
import { html } from '@remix-run/html-template';
import type { ImportJob } from '../../../domain/import-job.ts';
import type { AdminContext } from '../../admin-context.ts';
import { continueImport } from '../../import-jobs.ts';
import type { TenantContext } from '../../page-context.ts';
import type { Redirect } from '../../response-types.ts';
import { alert, button, csrfField, errorSummary, paragraph, select } from '../../ui/components.ts';
import type { JobContent } from './job-content.ts';
import { canChooseSheet, jobPath } from './job-stage.ts';

export const sheetPath = (job: ImportJob): string => `${jobPath(job)}/sheet`;

export function sheetContent(
  context: TenantContext,
  job: ImportJob,
  errors: Record<string, string> = {},
): JobContent {
  const { text } = context;
  const words = text.importSheet;
  const { names = [], missing = null, chosen = null } = job.detection?.sheets ?? {};
  const choices = [{ value: '', text: words.choose }, ...names.map((name) => ({ value: name, text: name }))];
  const title = missing === null ? words.title : words.missing(missing);
  const question = alert('info', title, paragraph(words.intro));
  const isRejected = Object.keys(errors).length > 0;
  const body = html`${errorSummary(context, errors)}
${isRejected ? question : html`<div class="announcement" tabindex="-1" data-focus>${question}</div>`}
<form method="post" action="${sheetPath(job)}" class="page-form" novalidate>${csrfField(context)}
${select('sheet', words.label, choices, chosen ?? '', errors.sheet, job.sourceName === null ? words.hint : words.sourceHint)}
<div class="actions">${button(words.submit)}</div></form>
<form method="post" action="${jobPath(job)}/cancel">${csrfField(context)}${button(text.importJobs.cancel, 'tertiary')}</form>`;
  return { body, status: isRejected ? 422 : 200 };
}

/** Examines the file again. */
export async function submitSheet(
  admin: AdminContext,
  context: TenantContext,
  job: ImportJob,
  values: URLSearchParams,
): Promise<JobContent | Redirect> {
  const { detection } = job;
  if (detection === null || detection.sheets === null || !canChooseSheet(job))
    return { redirectTo: jobPath(job) };
  const { names, missing } = detection.sheets;
  const chosen = names.find((name) => name === values.get('sheet'));
  if (chosen === undefined)
    return sheetContent(context, job, { sheet: context.text.importSheet.missingChoice });
  const withSheet = { ...detection, sheets: { names, missing, chosen } };
  await continueImport(admin, context, job, 'detection', { detection: withSheet });
  return { redirectTo: jobPath(job) };
}
