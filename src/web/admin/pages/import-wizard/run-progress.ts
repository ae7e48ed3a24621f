/** A step of an import that waits or runs. The page refreshes itself: with a script, or else by the browser. */

import type { QueuedRun, RunProgress } from '../../../../domain/runs/run-queue.ts';
import { link, paragraph, resultAttributes } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { TenantContext } from '../../requests/page-context.ts';

/** Between two requests of the page. */
export const refreshSeconds = 4;

/** Users switch off the refreshing, for example to read the page with a screen reader. */
export const isRefreshing = ({ query }: TenantContext): boolean => query.get('refresh') !== 'off';

/** The names of the texts of a step. */
const texts = {
  detection: ['detection', 'detectionHint'],
  dry_run: ['dryRun', 'dryRunHint'],
  import: ['import', 'importHint'],
  undo: ['undo', 'undoHint'],
} as const;

/** @param isWaiting for another run of the municipality */
export function runProgress(context: TenantContext, run: QueuedRun, isWaiting: boolean): SafeHtml {
  const { text, path } = context;
  const words = text.importSteps.progress;
  const waitingTexts = [run.step === 'undo' ? 'queuedUndo' : 'queued', 'queuedHint'] as const;
  const [title, hint] = isWaiting ? waitingTexts : texts[run.step];
  const isOn = isRefreshing(context);
  // The script replaces the content of the region, so that screen readers announce the changes.
  return html`<section class="run-progress" data-run="${run.step} ${run.state}"${isOn ? html` data-refresh-seconds="${refreshSeconds / 2}"` : ''}>
<h2 class="kern-heading-medium"${resultAttributes}>${words[title]}</h2>
<div data-run-progress>${run.state === 'queued' ? '' : progressDetails(context, run)}</div>
<p class="hidden-text" role="status" data-run-announcement></p>
${paragraph(words[hint])}
<p class="kern-body kern-body--small">${isOn ? html`${words.reloads} ${link(`${path}?refresh=off`, words.stopReloading)}` : html`${link(`${path}?refresh=off`, words.reload)} · ${link(path, words.resume)}`}</p>
</section>`;
}

function progressDetails(context: TenantContext, run: QueuedRun): SafeHtml {
  const { text, format } = context;
  const words = text.importSteps.progress;
  const { read = 0, written = null } = run.progress ?? {};
  const share = computeShare(run.progress);
  const percent = share === undefined ? undefined : format.percent(Math.floor(share * 100) / 100);
  const [label, records] =
    written === null
      ? [words.reading, words.records(format.number(read))]
      : [words.writing, words.written(format.number(written), format.number(read))];
  return html`${progressBar('progress', run.step === 'import' ? label : words.label, share)}
<p class="kern-body"><span data-run-records>${records}</span>${percent === undefined ? '' : html` · <span data-run-percent>${written === null ? words.percent(percent) : percent}</span>`}</p>`;
}

/** @param share from 0 to 1; undefined: unknown, so the bar has no value */
function progressBar(id: string, label: string, share: number | undefined): SafeHtml {
  const value = share === undefined ? '' : html` value="${Math.floor(share * 100)}"`;
  return html`<div class="kern-progress"><label class="kern-label" for="${id}">${label}</label><progress id="${id}" max="100"${value}></progress></div>`;
}

/** Formats may read a file twice, and an import has more to do after its last record: a full bar would be untrue. */
function computeShare(progress: RunProgress | null): number | undefined {
  if (progress === null) return undefined;
  const { read, written, bytesRead, totalBytes } = progress;
  const share = written === null ? bytesRead / (totalBytes ?? 0) : written / read;
  return share < 1 ? share : undefined;
}
