/** Imports that run or wait for the user, to continue or to cancel them. */

import { maxOpenRuns, type QueuedRunSummary } from '../../../../domain/runs/run-queue.ts';
import { badge, longText, paragraph, section, table, userText } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { csrfField } from '../../forms/forms.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { actorName } from '../../ui/actor-name.ts';
import { describeInput, getRunStage, isRunning, mayCancel, stepsPath } from './run-stage.ts';

/** Whether no further import can start. */
export const areTooMany = (runs: readonly QueuedRunSummary[]): boolean =>
  runs.filter(({ step }) => step !== 'undo').length >= maxOpenRuns;

/** The id of the list, for links of error messages. */
export const openRunsId = 'open-runs';

/** Imports that are under way, and those that failed and can be repeated with their file. */
export function openRunsSection(context: TenantContext, runs: readonly QueuedRunSummary[]): SafeHtml {
  if (runs.length === 0) return html``;
  const { open, openIntro, failed, failedIntro } = context.text.importSteps;
  const ended = runs.filter(({ state }) => state === 'failed');
  const underWay = runs.filter(({ state }) => state !== 'failed');
  const list = (title: string, intro: string, listed: readonly QueuedRunSummary[]) =>
    listed.length === 0 ? '' : section(title, html`${paragraph(intro)}${runTable(context, title, listed)}`);
  return html`<div class="run-lists" id="${openRunsId}" tabindex="-1">${list(open, openIntro, underWay)}${list(failed, failedIntro, ended)}</div>`;
}

function runTable(context: TenantContext, title: string, runs: readonly QueuedRunSummary[]): SafeHtml {
  const { text, format } = context;
  const { input, stage, stages, openedAt, openedBy, facts } = text.importSteps;
  const rows = runs.map((run) => {
    const name =
      run.step === 'undo' ? text.importSteps.titleOfUndo(run.sourceName ?? '') : describeInput(run);
    const tone = run.state === 'failed' ? 'danger' : isRunning(run) ? 'info' : 'warning';
    return [
      html`<a class="kern-link long-text" href="${stepsPath(run)}">${userText(name)}</a>`,
      badge(tone, stages[getRunStage(run)]),
      longText(run.sourceName ?? run.definition?.name ?? '–'),
      format.time(run.createdAt),
      actorName(run.createdBy, context),
      cancelForm(context, run, name),
    ];
  });
  const columns = [input, stage, facts.source, openedAt, openedBy, text.audit.action];
  return table(title, columns, rows, { cards: '' });
}

/** @param name tells the buttons of a list apart for screen readers */
const cancelForm = (context: TenantContext, run: QueuedRunSummary, name: string): SafeHtml | string =>
  !mayCancel(context, run)
    ? ''
    : html`<form method="post" action="${stepsPath(run)}/cancel" class="row-action">${csrfField(context)}<button class="kern-btn kern-btn--tertiary" type="submit"><span class="kern-label">${context.text.importSteps.cancel}<span class="hidden-text">: ${userText(name)}</span></span></button></form>`;
