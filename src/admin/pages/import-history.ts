/** The import history of a municipality, and the details of an import with its rejected records. */
import { html, type SafeHtml } from '@remix-run/html-template';
import {
  type ImportRun,
  importCounts,
  isSynchronization,
  type RejectedRecord,
  standardInput,
} from '../../domain/import-history.ts';
import type { Messages } from '../messages/en.ts';
import type { TenantContext } from '../page-context.ts';
import { notFound, type Page } from '../response.ts';
import type { AdminContext, Route } from '../route.ts';
import { actorName, alert, badge, descriptionList, paragraph, table, userText } from '../ui/components.ts';
import { parseTimeCursor, timePager } from '../ui/list-page.ts';

const rowsPerPage = 50;

const tones = {
  running: 'info',
  done: 'success',
  failed: 'danger',
  interrupted: 'warning',
  stale: 'warning',
} as const;

export function importHistoryRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: TenantContext): Promise<Page> {
    const { text, path, query, organization } = context;
    const runs = await store.listImportRuns(organization.id, parseTimeCursor(query), rowsPerPage + 1);
    const shown = runs.slice(0, rowsPerPage);
    const last = shown.at(-1);
    const older = runs.length > rowsPerPage && last ? { at: last.startedAt, id: last.id } : undefined;
    const body = html`${paragraph(text.imports.intro)}
${shown.length === 0 ? html`${paragraph(text.imports.none)}<p><code>rostra import</code></p>` : runTable(context, shown, path)}
${timePager(context, older)}`;
    return { title: text.imports.title, body };
  }

  function runTable(context: TenantContext, runs: readonly ImportRun[], path: string): SafeHtml {
    const { text, format } = context;
    const rows = runs.map((run) => [
      html`<a class="kern-link" href="${path}/${run.id}">${format.time(run.startedAt)}</a>`,
      stateBadge(run, context),
      html`<code>${run.format}</code>`,
      html`<span class="long-text">${formatSources(run, context)}</span>`,
      ...importCounts.map((count) => format.number(run[count])),
    ]);
    const columns = [
      { heading: text.imports.started },
      { heading: text.imports.state },
      { heading: text.imports.format },
      { heading: text.imports.source },
      ...importCounts.map((count) => ({ heading: text.imports.counts[count], numeric: true })),
    ];
    return table(text.imports.title, columns, rows, { hideCaption: true });
  }

  async function runPage(context: TenantContext): Promise<Page> {
    const { text, format, params, organization } = context;
    const run = await store.findImportRun(organization.id, params.runId?.toLowerCase() ?? '');
    if (run === undefined) throw notFound();
    const refusals = await store.listRejectedRecords(run);
    const facts = descriptionList([
      [text.imports.state, stateBadge(run, context)],
      [text.imports.started, format.time(run.startedAt)],
      run.endedAt === null
        ? [text.imports.lastActivity, format.time(run.heartbeatAt)]
        : [text.imports.ended, format.time(run.endedAt)],
      [text.audit.actor, actorName(run.actor, context)],
      [text.audit.address, run.address === '' ? '–' : userText(run.address)],
      [text.imports.format, html`<code>${run.format}</code>`],
      [text.imports.source, formatSources(run, context)],
    ]);
    const figures = table(
      text.imports.result,
      [{ heading: text.imports.records }, { heading: text.imports.number, numeric: true }],
      importCounts.map((count) => [text.imports.counts[count], format.number(run[count])]),
      { narrow: true },
    );
    const body = html`${problemAlert(run, context)}${facts}${figures}${rejectedRecords(run, refusals, context)}`;
    const titleAt = isSynchronization(run) ? text.imports.titleOfSynchronization : text.imports.titleOfOne;
    return { title: titleAt(format.timeText(run.startedAt)), body };
  }

  const base = '/admin/organizations/:organizationId/imports';
  return [
    { path: base, access: 'tenant', get: listPage },
    { path: `${base}/:runId`, access: 'tenant', get: runPage },
  ];
}

/** A completed import with rejected records is shown as a warning. */
function stateBadge({ state, rejected }: ImportRun, { text, format }: TenantContext): SafeHtml {
  const name = text.imports.states[state];
  if (rejected === 0) return badge(tones[state], name);
  const tone = state === 'done' ? 'warning' : tones[state];
  return badge(tone, text.imports.stateWithRejected(name, format.number(rejected)));
}

function formatSources(run: ImportRun, { text }: TenantContext): SafeHtml {
  const names = run.sources.split(', ').map((name) => sourceName(name, text));
  const origin = isSynchronization(run) ? `${text.imports.synchronizedFrom} ` : '';
  return html`${origin}${userText(names.join(', '))}`;
}

const sourceName = (name: string, text: Messages) =>
  name === standardInput ? text.imports.standardInput : name;

function problemAlert({ state, failure }: ImportRun, { text }: TenantContext): SafeHtml {
  if (state === 'stale') return alert('warning', text.imports.stalled, paragraph(text.imports.stalledHint));
  if (failure === null) return html``;
  return alert(
    'danger',
    text.imports.failed,
    html`${paragraph(text.imports.failureIntro)}${englishText(failure)}`,
  );
}

/** Messages of the command line are English in every language. */
const englishText = (sentence: string) => html`<p class="kern-body" lang="en">${userText(sentence)}</p>`;

function rejectedRecords(
  run: ImportRun,
  refusals: readonly RejectedRecord[],
  { text, format }: TenantContext,
) {
  if (refusals.length === 0) return '';
  const rows = refusals.map(({ source, line, entry, id, reason }) => [
    html`<span class="long-text">${userText(sourceName(source, text))}</span>`,
    String(line ?? '–'),
    String(entry ?? '–'),
    id === null ? '–' : html`<span class="long-text">${userText(id)}</span>`,
    html`<span class="long-text" lang="en">${userText(reason)}</span>`,
  ]);
  const columns = [
    { heading: text.imports.source },
    { heading: text.imports.line, numeric: true },
    { heading: text.imports.entry, numeric: true },
    { heading: text.imports.id },
    { heading: text.imports.reason },
  ];
  const first =
    run.rejected > refusals.length
      ? paragraph(text.imports.rejectedLimit(format.number(refusals.length), format.number(run.rejected)))
      : '';
  return html`<h2 class="kern-heading-medium">${text.imports.rejected}</h2>${paragraph(text.imports.rejectedIntro)}${first}${table(text.imports.rejected, columns, rows, { hideCaption: true })}`;
}
