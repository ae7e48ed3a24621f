/** The import history of a municipality, and the details of an import with its rejected records. */

import { nameColumns, type Reason } from '../../../domain/reasons/reason.ts';
import {
  type ImportRun,
  importCounts,
  isFromAddress,
  type RejectedRecord,
  standardInput,
  type UndoCounts,
  undoCounts,
} from '../../../domain/runs/run-history.ts';
import type { Messages } from '../../messages/en.ts';
import {
  actionLink,
  alert,
  badge,
  descriptionList,
  longText,
  numeric,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import { folded, settingSummary } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { parseTimeCursor, rowsPerPage, takePage, timePager } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { createCsvDownload } from '../csv-download.ts';
import { may, type PageContext, type TenantContext } from '../requests/page-context.ts';
import { type Download, notFound, type Page, type UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { actorName } from '../ui/actor-name.ts';
import { organizationPath } from '../ui/navigation.ts';
import { reasonText } from '../ui/reason-text.ts';
import { openRunsSection } from './import-wizard/open-runs.ts';

const tones = {
  running: 'info',
  done: 'success',
  failed: 'danger',
  interrupted: 'warning',
  stale: 'warning',
} as const;

export function runHistoryRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<UntitledPage> {
    const { text, path, query, organization } = context;
    const runs = await store.listImportRuns(organization.id, parseTimeCursor(query), rowsPerPage + 1);
    const { shown, older } = takePage(runs, ({ startedAt }) => startedAt);
    const isFirstPage = !query.has('after');
    const body = html`${paragraph(text.imports.intro)}
${may(context, 'import') ? actionLink(`${path}/new`, text.importSteps.importFile, 'primary') : ''}
${isFirstPage && may(context, 'importOrPublish') ? openRunsSection(context, await store.listOpenRuns(organization.id)) : ''}
${shown.length === 0 ? paragraph(text.imports.none) : section(text.importSteps.history, runTable(context, shown))}
${timePager(context, older)}`;
    return { body };
  }

  async function requireListedRun({ params, organization }: TenantContext): Promise<ImportRun> {
    const run = await store.findImportRun(organization.id, params.runId?.toLowerCase() ?? '');
    if (run === undefined) throw notFound();
    return run;
  }

  async function runPage(context: TenantContext): Promise<Page> {
    const { text, format } = context;
    const run = await requireListedRun(context);
    const rejected = await store.listRejectedRecords(run);
    const facts = descriptionList([
      [text.terms.status, stateBadge(run, context)],
      [text.imports.started, format.time(run.startedAt)],
      run.endedAt === null
        ? [text.imports.lastActivity, format.time(run.heartbeatAt)]
        : [text.imports.ended, format.time(run.endedAt)],
      [text.audit.actor, actorName(run.actor, context)],
      [text.audit.address, run.address === '' ? '–' : userText(run.address)],
      [text.terms.format, text.importFormats[run.format] ?? run.format],
      Boolean(run.sourceName) && [text.imports.source, userText(run.sourceName ?? '')],
      [text.imports.file, describeFiles(run, context)],
    ]);
    const body = html`${problemAlert(run, context)}${undoSection(context, run)}${facts}
${section(text.imports.result, resultTable(context, run))}${noteList(context, run.notes)}${rejectedRecords(run, rejected, context)}`;
    const titleAt = isFromAddress(run) ? text.imports.titleOfSynchronization : text.imports.titleOfOne;
    return { title: titleAt(format.timeText(run.startedAt)), body };
  }

  const base = '/admin/organizations/:organizationId/imports';
  return [
    { path: base, title: (text) => text.imports.title, group: 'imports', access: 'see', get: listPage },
    { path: `${base}/:runId`, access: 'see', get: runPage },
    {
      path: `${base}/:runId/rejected.csv`,
      access: 'see',
      get: async (context) =>
        createRejectionDownload(context, await store.listRejectedRecords(await requireListedRun(context))),
    },
  ];
}

/** @param names of the municipalities, for a table of all imports, which has fewer numbers */
export function runTable(
  context: PageContext,
  runs: readonly ImportRun[],
  names?: ReadonlyMap<string, string>,
): SafeHtml {
  const { text, format } = context;
  const counts = names === undefined ? importCounts : (['read'] as const);
  const rows = runs.map((run) => {
    const path = organizationPath({ id: run.organizationId });
    const name = names && userText(names.get(run.organizationId) ?? run.organizationId);
    return [
      html`<a class="kern-link run-time" href="${path}/imports/${run.id}">${format.time(run.startedAt)}</a>`,
      ...(name === undefined ? [] : [html`<a class="kern-link long-text" href="${path}">${name}</a>`]),
      stateBadge(run, context),
      html`<div class="long-text">${describeFiles(run, context)}</div>`,
      run.sourceName ? longText(run.sourceName) : '–',
      ...counts.map((count) => format.number(run[count])),
    ];
  });
  const columns = [
    text.imports.started,
    ...(names === undefined ? [] : [text.terms.municipality]),
    ...[text.terms.status, text.imports.file, text.imports.source],
    ...counts.map((count) => numeric(text.imports.counts[count])),
  ];
  return table(names === undefined ? text.imports.title : text.importsOfAll.title, columns, rows, {
    isResult: names !== undefined,
    cards: '',
  });
}

/** A completed import with rejected records is shown as a warning. */
export function stateBadge(
  { state, rejected, undoneAt }: Pick<ImportRun, 'state' | 'rejected' | 'undoneAt'>,
  { text, format }: PageContext,
): SafeHtml {
  if (undoneAt !== null) return badge('info', text.imports.undone);
  const name = text.imports.states[state];
  if (rejected === 0) return badge(tones[state], name);
  const tone = state === 'done' ? 'warning' : tones[state];
  return badge(tone, text.imports.stateWithRejected(name, rejected, format.number(rejected)));
}

/** The numbers of records by what became of them. */
export function resultTable({ text, format }: PageContext, run: ImportRun): SafeHtml {
  return table(
    text.imports.result,
    [text.imports.records, numeric(text.terms.count)],
    importCounts.map((count) => [text.imports.counts[count], format.number(run[count])]),
    { narrow: true },
  );
}

/** The numbers of records by what an undo did with them. */
export function undoTable({ text, format }: PageContext, counts: UndoCounts): SafeHtml {
  const { undo, records } = text.imports;
  return table(
    undo.title,
    [records, numeric(text.terms.count)],
    undoCounts
      .filter((count) => count !== 'surveys' || counts.surveys > 0)
      .map((count) => [undo.counts[count], format.number(counts[count])]),
    { narrow: true },
  );
}

function undoSection(context: TenantContext, { undoneAt, undoCounts }: ImportRun): SafeHtml {
  if (undoneAt === null || undoCounts === null) return html``;
  const { title, titleAt, hint } = context.text.imports.undo;
  return html`${alert('info', titleAt(context.format.timeText(undoneAt)), paragraph(hint))}
${section(title, undoTable(context, undoCounts))}`;
}

/** More files than fit one line are a count that unfolds. */
function describeFiles(run: ImportRun, { text, format }: PageContext): SafeHtml {
  const names = run.sources.split(', ').map((name) => fileName(name, text));
  const origin = isFromAddress(run) ? `${text.imports.synchronizedFrom} ` : '';
  const list = html`${origin}${userText(names.join(', '))}`;
  return names.length > 2 ? folded(text.imports.files(format.number(names.length)), list) : list;
}

const fileName = (name: string, text: Messages) =>
  name === standardInput ? text.imports.standardInput : name;

export function noteList(context: PageContext, notes: readonly Reason[], isOpen = false): SafeHtml {
  if (notes.length === 0) return html``;
  const items = notes.map((note) => html`<li>${longText(reasonText(context, note))}</li>`);
  return folded(
    settingSummary(context.text.dryRun.notes, context.format.number(notes.length)),
    html`<ul class="kern-list notes">${items}</ul>`,
    isOpen,
  );
}

function problemAlert({ state, failure }: ImportRun, context: TenantContext): SafeHtml {
  const { text } = context;
  if (state === 'stale') return alert('warning', text.imports.stalled, paragraph(text.imports.stalledHint));
  if (failure === null) return html``;
  const message = html`<p class="kern-body">${userText(reasonText(context, failure))}</p>`;
  return alert('danger', text.imports.failed, html`${paragraph(text.imports.failureIntro)}${message}`);
}

function rejectedRecords(run: ImportRun, records: readonly RejectedRecord[], context: TenantContext) {
  if (records.length === 0) return '';
  const { text, format } = context;
  const { rejected, rejectedIntro, rejectedLimit, download } = text.imports;
  const isTruncated = run.rejected > records.length;
  return section(
    rejected,
    html`${paragraph(rejectedIntro)}
${isTruncated ? paragraph(rejectedLimit(format.number(records.length), format.number(run.rejected))) : ''}
${actionLink(`${context.path}/rejected.csv`, download)}
${rejectionTable(context, records)}`,
  );
}

export function rejectionTable(context: PageContext, records: readonly RejectedRecord[]): SafeHtml {
  const { text } = context;
  const rows = records.map(({ source, line, entry, id, reason }) => [
    longText(fileName(source, text)),
    String(line ?? '–'),
    String(entry ?? '–'),
    id === null ? '–' : longText(id),
    longText(reasonText(context, reason)),
  ]);
  const { rejected, file, line, entry, id, reason } = text.imports;
  const columns = [file, numeric(line), numeric(entry), id, reason];
  return table(rejected, columns, rows, { cards: '' });
}

/** Rows of a file that are written at once. */
const batchRows = 1_000;

export function createRejectionDownload(
  context: PageContext,
  records: AsyncIterable<RejectedRecord> | Iterable<RejectedRecord>,
): Download {
  const { text, language, nowMs } = context;
  /** Without the ids of the source: they may be personal data, which no redaction has removed. */
  async function* listRows() {
    const { file, line, entry, column, reason } = text.imports;
    let rows: (string | number)[][] = [[file, line, entry, column, reason]];
    for await (const { source, line, entry, reason } of records) {
      const columns = nameColumns(reason, language);
      rows.push([fileName(source, text), line ?? '', entry ?? '', columns, reasonText(context, reason)]);
      if (rows.length < batchRows) continue;
      yield rows;
      rows = [];
    }
    yield rows;
  }
  const day = new Date(nowMs).toISOString().slice(0, 10);
  return createCsvDownload(`rostra-rejected-${day}.csv`, listRows(), text);
}
