/** Everything that an import would do, for the user's decision. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { importCounts } from '../../../domain/import-history.ts';
import type { DryRunReport, QueuedRun } from '../../../domain/run-queue.ts';
import type { TenantContext } from '../../page-context.ts';
import { bar } from '../../ui/chart.ts';
import {
  alert,
  describeApiValue,
  descriptionList,
  link,
  longText,
  numeric,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import { toLocalDay } from '../../ui/data-browser.ts';
import { folded } from '../../ui/folded.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { rejectionTable } from '../import-history.ts';
import { canChangeSettings, stepsPath } from './run-stage.ts';
import { sampleRecords } from './sample-records.ts';
import { titlesPath } from './titles-step.ts';

export const countRecordsToWrite = ({ counts }: DryRunReport): number =>
  counts.inserted + counts.changed + counts.removed;

export function dryRunReport(context: TenantContext, run: QueuedRun, report: DryRunReport): SafeHtml {
  const { text } = context;
  return html`<div class="columns">
<div class="columns__part">${section(text.dryRun.counts, countTable(context, report))}</div>
<div class="columns__part">${section(text.dryRun.overview, html`${overview(context, report)}${missingNote(context, report)}`)}</div>
</div>
${statusSection(context, report)}
${titlesSection(context, run, report)}
${personalDataSection(context, run, report)}
${sampleRecords(context, report.samples)}
${omittedSection(context, report)}
${rejectionSection(context, report)}
${notes(context, report)}`;
}

function countTable({ text, format }: TenantContext, { counts }: DryRunReport): SafeHtml {
  const rows = importCounts
    .filter((name) => name !== 'removed' || counts.removed > 0)
    .map((name) => [text.dryRun.willBe[name], format.number(counts[name])]);
  return table(text.dryRun.counts, [text.imports.records, numeric(text.terms.count)], rows, {
    narrow: true,
  });
}

function overview({ text, format, timeZone }: TenantContext, { statistics }: DryRunReport): SafeHtml {
  const { dateRanges, support } = statistics;
  const words = text.dryRun;
  const isAboutSubmissions = statistics.statuses.length > 0;
  return descriptionList([
    ...dateRanges.map(({ kind, from, until }): [string, string] => [
      dateRanges.length === 1 ? words.dates : `${words.dates}: ${words.kinds[kind] ?? kind}`,
      words.dateRange(format.day(toLocalDay(from, timeZone)), format.day(toLocalDay(until, timeZone))),
    ]),
    isAboutSubmissions && [
      words.support,
      support === null
        ? html`${words.noSupport} <span class="kern-hint">${words.noSupportHint}</span>`
        : words.supportFigures(format.number(support.sum), format.number(support.max)),
    ],
  ]);
}

function missingNote({ text, format }: TenantContext, { missing }: DryRunReport): SafeHtml {
  if (missing.count === 0) return html``;
  const count = format.number(missing.count);
  return missing.isDeleted
    ? alert('warning', text.dryRun.missing, paragraph(text.dryRun.wouldBeRemoved(count)))
    : alert('info', text.dryRun.missing, paragraph(text.dryRun.wouldStay(count)));
}

function statusSection(context: TenantContext, { statistics }: DryRunReport): SafeHtml {
  const { text, format } = context;
  const { statuses, otherStatuses } = statistics;
  if (statuses.length === 0) return html``;
  const all = statuses.reduce((sum, { count }) => sum + count, otherStatuses);
  const listed = statuses.map(({ name, count }) => ({
    name: longText(describeApiValue(name, context)),
    count,
  }));
  const others = otherStatuses === 0 ? [] : [{ name: text.statistics.otherStatuses, count: otherStatuses }];
  const rows = [...listed, ...others].map(({ name, count }) => [
    name,
    format.number(count),
    html`${bar(count, all)} ${format.percent(count / all)}`,
  ]);
  const columns = [text.terms.status, numeric(text.terms.count), text.statistics.shareOf(format.number(all))];
  return section(text.dryRun.statuses, table(text.dryRun.statuses, columns, rows));
}

function titlesSection(context: TenantContext, run: QueuedRun, { surveyTables }: DryRunReport): SafeHtml {
  if (surveyTables.length === 0) return html``;
  const { text, format } = context;
  const words = text.dryRun.titles;
  const untitled = surveyTables.filter(({ isUntitled }) => isUntitled).length;
  const rows = surveyTables.map((described) => [
    canChangeSettings(run)
      ? link(titlesPath(run, described), userText(described.file))
      : userText(described.file),
    longText(described.title),
    longText(described.question),
    format.number(described.surveys),
  ]);
  const columns = [words.table, words.tableTitle, words.question, numeric(words.surveys)];
  const warning =
    untitled === 0
      ? ''
      : alert('warning', words.untitled(untitled, format.number(untitled)), paragraph(words.untitledHint));
  return html`<section id="titles"><h2 class="kern-heading-medium">${words.title}</h2>
${warning}
${folded(words.show(format.number(rows.length)), html`${paragraph(words.hint)}${table(words.title, columns, rows, { cards: '' })}`, untitled > 0)}</section>`;
}

function personalDataSection(
  context: TenantContext,
  run: QueuedRun,
  { personalData }: DryRunReport,
): SafeHtml {
  const { text, format } = context;
  const words = text.dryRun;
  const found = personalData.filter(({ count }) => count > 0);
  if (found.length === 0) return section(words.personalData, paragraph(words.personalDataNone));
  const isPublished = found.some(({ isRedacted }) => !isRedacted);
  const rows = found.map(({ kind, count, isRedacted }) => [
    text.importSettings.personalData.kinds[kind]?.label ?? kind,
    format.number(count),
    isRedacted ? words.replaced : words.published,
  ]);
  const columns = [words.personalDataKind, numeric(words.personalDataCount), words.personalDataReplaced];
  const change = link(`${stepsPath(run)}?settings=1`, words.changeRedaction);
  return section(
    words.personalData,
    html`${isPublished ? alert('warning', words.personalDataFound, paragraph(change)) : ''}
${paragraph(words.personalDataHint)}
${table(words.personalData, columns, rows, { narrow: true })}`,
  );
}

function omittedSection(context: TenantContext, { ignored }: DryRunReport): SafeHtml {
  if (ignored.length === 0) return html``;
  const { text, format } = context;
  const { reason } = text.imports;
  const rows = ignored.map(({ reason, count }) => [
    longText(reasonText(context, reason)),
    format.number(count),
  ]);
  return section(
    text.dryRun.omitted,
    table(text.dryRun.omitted, [reason, numeric(text.terms.count)], rows, { narrow: true }),
  );
}

function rejectionSection(context: TenantContext, { rejections, counts }: DryRunReport): SafeHtml {
  if (counts.rejected === 0) return html``;
  const { text, format } = context;
  const { rejections: title, rejectionsHint, rejectionsLimit } = text.dryRun;
  const isTruncated = counts.rejected > rejections.length;
  return section(
    title,
    html`${paragraph(rejectionsHint)}
${isTruncated ? paragraph(rejectionsLimit(format.number(rejections.length), format.number(counts.rejected))) : ''}
${rejectionTable(context, rejections)}`,
  );
}

function notes(context: TenantContext, report: DryRunReport): SafeHtml {
  if (report.notes.length === 0) return html``;
  const items = report.notes.map((note) => html`<li>${longText(reasonText(context, note))}</li>`);
  return section(context.text.dryRun.notes, html`<ul class="kern-list">${items}</ul>`);
}
