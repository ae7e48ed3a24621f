/** Imports that run or wait for the user, for the page with the import history. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { QueuedRunSummary } from '../../../domain/run-queue.ts';
import type { TenantContext } from '../../page-context.ts';
import { actorName, badge, paragraph, section, table, userText } from '../../ui/components.ts';
import { describeInput, getRunStage, isRunning, stepsPath } from './run-stage.ts';

export function openRuns(context: TenantContext, runs: readonly QueuedRunSummary[]): SafeHtml {
  if (runs.length === 0) return html``;
  const { text, format } = context;
  const { open, openIntro, input, stage, stages, openedAt, openedBy, facts } = text.importSteps;
  const rows = runs.map((run) => [
    html`<a class="kern-link long-text" href="${stepsPath(run)}">${userText(run.step === 'undo' ? text.importSteps.titleOfUndo(run.sourceName ?? '') : describeInput(run))}</a>`,
    badge(isRunning(run) ? 'info' : 'warning', stages[getRunStage(run)]),
    userText(run.sourceName ?? run.definition?.name ?? '–'),
    format.time(run.createdAt),
    actorName(run.createdBy, context),
  ]);
  const columns = [input, stage, facts.source, openedAt, openedBy];
  return section(open, html`${paragraph(openIntro)}${table(open, columns, rows, { cards: '' })}`);
}
