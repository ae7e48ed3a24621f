/** Imports that run or wait for the user, for the page with the import history. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { ImportJobSummary } from '../../../domain/import-job.ts';
import type { TenantContext } from '../../page-context.ts';
import { actorName, badge, paragraph, section, table, userText } from '../../ui/components.ts';
import { describeInput, getJobStage, isRunning, jobPath } from './job-stage.ts';

export function openJobs(context: TenantContext, jobs: readonly ImportJobSummary[]): SafeHtml {
  if (jobs.length === 0) return html``;
  const { text, format } = context;
  const { open, openIntro, input, stage, stages, openedAt, openedBy, facts } = text.importJobs;
  const rows = jobs.map((job) => [
    html`<a class="kern-link long-text" href="${jobPath(job)}">${userText(job.step === 'undo' ? text.importJobs.titleOfUndo(job.sourceName ?? '') : describeInput(job))}</a>`,
    badge(isRunning(job) ? 'info' : 'warning', stages[getJobStage(job)]),
    userText(job.sourceName ?? job.definition?.name ?? '–'),
    format.time(job.createdAt),
    actorName(job.createdBy, context),
  ]);
  const columns = [input, stage, facts.source, openedAt, openedBy];
  return section(open, html`${paragraph(openIntro)}${table(open, columns, rows, { cards: '' })}`);
}
