/** Everything that an import would do, for the user's decision. */

import { dryRunLists } from '../../../../domain/runs/dry-run-lists.ts';
import type { ImportQuestion } from '../../../../domain/runs/import-question.ts';
import { importCounts } from '../../../../domain/runs/run-history.ts';
import type { DryRunReport, QueuedRun, TextToCheck } from '../../../../domain/runs/run-queue.ts';
import { bar } from '../../../ui/chart.ts';
import {
  alert,
  describeApiValue,
  descriptionList,
  link,
  longText,
  numeric,
  paragraph,
  table,
  userText,
} from '../../../ui/components.ts';
import { folded, settingSummary } from '../../../ui/folded-content.ts';
import { toLocalDay } from '../../../ui/formatter.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { withMarks } from '../../../ui/records/marked-text.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { noteList } from '../run-history.ts';
import { describedRecordTable } from './described-records.ts';
import { hasSurveys } from './dry-run-outcome.ts';
import { rejectionSection } from './dry-run-rejections.ts';
import { listPath, mayChangeSettings, stepsPath } from './run-stage.ts';
import { sampleRecords } from './sample-records.ts';
import { statusMappingForm } from './status-mapping-form.ts';
import { titlesPath } from './survey-titles-step.ts';

export const countRecordsToWrite = ({ counts }: DryRunReport): number =>
  counts.inserted + counts.changed + counts.removed;

/** The counts, what a person has to look at, and one line for each kind of other details. */
export function dryRunReport(context: TenantContext, run: QueuedRun, report: DryRunReport): SafeHtml {
  return html`${countList(context, run, report)}
${missingNote(context, run, report)}
${repeatedNote(context, report)}
${rejectionSection(context, run, report)}
${personalDataSection(context, run, report)}
${sampleRecords(context, run, report.samples)}
${titlesSection(context, run, report)}
${overview(context, run, report)}
<div class="folded-settings">
${statusDetails(context, report)}
${mayChangeSettings(context, run) ? statusMappingForm(context, run, report.statusWords) : ''}
${omittedDetails(context, report)}
${noteList(context, report.notes, hasSurveys(report))}
</div>`;
}

/** What the person who publishes has to confirm. */
export const questionNotes = (context: TenantContext, { dryRun }: QueuedRun): SafeHtml[] =>
  (dryRun?.questions ?? []).map((question) => {
    const title = context.text.dryRun.questions[question.code as ImportQuestion];
    return alert('warning', title, paragraph(reasonText(context, question)));
  });

function countList(
  { text, format }: TenantContext,
  run: QueuedRun,
  { counts, listed }: DryRunReport,
): SafeHtml {
  const items = importCounts
    .filter((name) => name !== 'removed' || counts.removed > 0)
    .map((name) => {
      const count = format.number(counts[name]);
      const list = dryRunLists.find((each) => each === name);
      const shown =
        list === undefined || listed[list] === 0
          ? count
          : link(
              listPath(run, list),
              html`${count}<span class="hidden-text">, ${text.dryRun.lists[list].title}</span>`,
            );
      return html`<div class="count-list__item"><dt>${text.imports.counts[name]}</dt><dd>${shown}</dd></div>`;
    });
  return html`<h2 class="hidden-text">${text.dryRun.counts}</h2><dl class="count-list kern-body">${items}</dl>`;
}

function overview(
  { text, format, timeZone }: TenantContext,
  { detection }: QueuedRun,
  { statistics }: DryRunReport,
): SafeHtml {
  const { dateRanges, support } = statistics;
  const total = detection?.address?.total ?? null;
  const words = text.dryRun;
  const isAboutSubmissions = statistics.statuses.length > 0;
  return descriptionList([
    total !== null && [words.ofServer, text.importSteps.recordsOfServer(format.number(total))],
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

function missingNote(
  { text, format }: TenantContext,
  run: QueuedRun,
  { missing, listed }: DryRunReport,
): SafeHtml {
  if (missing.count === 0) return html``;
  const count = format.number(missing.count);
  const { isDeleted } = missing;
  const name = isDeleted ? 'removed' : 'missing';
  const list = listed[name] === 0 ? '' : paragraph(link(listPath(run, name), text.dryRun.lists[name].title));
  const sentence = isDeleted ? text.dryRun.wouldBeRemoved(count) : text.dryRun.wouldStay(count);
  return alert(isDeleted ? 'warning' : 'info', text.dryRun.missing, html`${paragraph(sentence)}${list}`);
}

/** Open, because a person decides whether the records are published twice. */
function repeatedNote(context: TenantContext, { repeated, questions }: DryRunReport): SafeHtml {
  if (repeated === undefined || repeated.count === 0) return html``;
  const { text, format } = context;
  const words = text.dryRun.repeated;
  const { count, total, source, examples } = repeated;
  const sentence = words.sentence(format.number(count), format.number(total));
  const hint = userText(words.hint(source));
  // The question at the top says what to do.
  const isAsked = questions?.some(({ code }) => code === 'repeats-published');
  const note = isAsked
    ? paragraph(html`${sentence}. ${hint}`)
    : alert('warning', sentence, paragraph(html`${hint} ${words.continueSource}`));
  return html`<section class="dry-run-section"><h2 class="kern-heading-medium">${words.title}</h2>
${note}
${describedRecordTable(context, words.examples, examples)}</section>`;
}

function statusDetails(context: TenantContext, { statistics }: DryRunReport): SafeHtml {
  const { text, format } = context;
  const { statuses, otherStatuses } = statistics;
  if (statuses.length === 0) return html``;
  const all = statuses.reduce((sum, { count }) => sum + count, otherStatuses);
  const listed = statuses.map(({ name, count }) => ({
    name: describeApiValue(name, context),
    count,
  }));
  const others = otherStatuses === 0 ? [] : [{ name: text.statistics.otherStatuses, count: otherStatuses }];
  const rows = [...listed, ...others].map(({ name, count }) => [
    longText(name),
    format.number(count),
    html`${bar(count, all)} ${format.percent(count / all)}`,
  ]);
  const columns = [text.terms.status, numeric(text.terms.count), text.statistics.shareOf(format.number(all))];
  const summary = joinCounts(context, [...listed, ...others]);
  return folded(settingSummary(text.dryRun.statuses, summary), table(text.dryRun.statuses, columns, rows));
}

function titlesSection(context: TenantContext, run: QueuedRun, { surveyTables }: DryRunReport): SafeHtml {
  if (surveyTables.length === 0) return html``;
  const { text, format } = context;
  const words = text.dryRun.titles;
  const untitled = surveyTables.filter(({ isUntitled }) => isUntitled).length;
  const rows = surveyTables.map((described) => [
    mayChangeSettings(context, run)
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

function omittedDetails(context: TenantContext, { ignored }: DryRunReport): SafeHtml {
  if (ignored.length === 0) return html``;
  const { text, format } = context;
  const { reason } = text.imports;
  const rows = ignored.map(({ reason, count }) => [
    longText(reasonText(context, reason)),
    format.number(count),
  ]);
  const all = ignored.reduce((sum, { count }) => sum + count, 0);
  return folded(
    settingSummary(text.dryRun.omitted, format.number(all)),
    table(text.dryRun.omitted, [reason, numeric(text.terms.count)], rows, { narrow: true }),
  );
}

const maxSummarized = 3;

/** The first names with their counts, in one line. */
const joinCounts = (
  { format }: TenantContext,
  counts: readonly { name: string; count: number }[],
): SafeHtml => {
  const shown = counts.slice(0, maxSummarized).map(({ name, count }) => `${name} ${format.number(count)}`);
  return userText(`${shown.join(' · ')}${counts.length > maxSummarized ? ' · …' : ''}`);
};

/** Personal data in texts, and the texts that a person reads first. Open, because a person decides about it. */
function personalDataSection(
  context: TenantContext,
  run: QueuedRun,
  { personalData, textsToCheck = [] }: DryRunReport,
): SafeHtml {
  const { text } = context;
  const words = text.dryRun;
  const found = personalData.filter(({ count }) => count > 0);
  return html`<section class="dry-run-section"><h2 class="kern-heading-medium">${words.personalData}</h2>
${paragraph(html`<strong>${text.importSettings.personalData.namesNotDetected}</strong>`)}
${found.length === 0 ? paragraph(words.personalDataNone) : findings(context, run, found)}
${textsToCheck.length === 0 ? '' : textList(context, textsToCheck)}</section>`;
}

function findings(context: TenantContext, run: QueuedRun, found: DryRunReport['personalData']): SafeHtml {
  const { text, format } = context;
  const words = text.dryRun;
  const rows = found.map(({ kind, count, isRedacted }) => [
    text.importSettings.personalData.kinds[kind]?.label ?? kind,
    format.number(count),
    isRedacted ? words.replaced : words.published,
  ]);
  const columns = [words.personalDataKind, numeric(words.personalDataCount), words.personalDataReplaced];
  const change = mayChangeSettings(context, run)
    ? link(`${stepsPath(run)}?settings=1`, words.changeRedaction)
    : '';
  return html`${paragraph(html`${words.personalDataHint} ${change}`)}
${table(words.personalData, columns, rows, { narrow: true })}`;
}

function textList(context: TenantContext, texts: readonly TextToCheck[]): SafeHtml {
  const { textsToCheck, textsToCheckHint } = context.text.dryRun;
  const items = texts.map(
    (one) =>
      html`<li class="kern-body"><bdi>${one.isCutAtStart ? '… ' : ''}${withMarks(one.text, one.marks)}${one.isCutAtEnd ? ' …' : ''}</bdi></li>`,
  );
  return html`<h3 class="kern-heading-small">${textsToCheck}</h3>
${paragraph(textsToCheckHint)}
<ol class="texts-to-check">${items}</ol>`;
}
