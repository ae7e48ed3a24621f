/** Statistics of a municipality's published data. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { SurveySummary } from '../../contract/survey.ts';
import type { ImportSource } from '../../domain/import-source.ts';
import { isDraft } from '../../domain/is-draft.ts';
import type {
  MonthlyCounts,
  NamedCount,
  PublishedStatistics,
  ReadStatistics,
} from '../../domain/published-statistics.ts';
import type { SubmissionRecord } from '../../domain/records.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../page-context.ts';
import type { UntitledPage } from '../response-types.ts';
import type { Route } from '../route.ts';
import { assignStatusColors, bar, columnChart, type Series } from '../ui/chart.ts';
import {
  alert,
  describeApiValue,
  descriptionList,
  link,
  longText,
  numeric,
  paragraph,
  section,
  shortText,
  table,
  userText,
} from '../ui/components.ts';
import { dataPath, excerpt } from '../ui/data-browser.ts';
import {
  filterMonths,
  findRange,
  groupByPeriod,
  listYears,
  type PeriodChoice,
  type PeriodRange,
  parsePeriodChoice,
} from './statistics-periods.ts';

const shownTopics = 20;

/** The previous statistics of a large municipality, or none, are shown while new ones are counted. */
export function statisticsRoutes({ store }: AdminContext): Route[] {
  async function statisticsPage(context: TenantContext): Promise<UntitledPage> {
    const { text, timeZone, organization } = context;
    const [read, all, withoutSupport] = await Promise.all([
      store.readStatistics(organization.id, timeZone),
      store.listSurveys(organization.id),
      store.listSourcesWithoutSupport(organization.id),
    ]);
    if (read === undefined) return { body: countingNotice(context) };
    const surveys = all.filter(({ status }) => !isDraft(status));
    const body = html`${paragraph(text.statistics.intro)}
${read.isCurrent ? '' : countingNotice(context)}
${totals(context, read, surveys.length, all.length - surveys.length)}
${printButton(context)}
${submissionSections(context, read.statistics, withoutSupport)}
${section(text.statistics.sessionsByCommittee, committeeTable(context, read.statistics))}
${section(text.terms.surveys, surveyTable(context, surveys))}`;
    return { body };
  }

  const path = '/admin/organizations/:organizationId/published';
  return [{ path, title: (text) => text.statistics.title, access: 'reader', get: statisticsPage }];
}

function countingNotice({ text, path, query }: TenantContext): SafeHtml {
  const address = query.size > 0 ? `${path}?${query}` : path;
  return html`<div class="reload">${alert('info', text.statistics.counting, paragraph(link(address, text.statistics.reload)))}</div>`;
}

function totals(
  { text, format }: TenantContext,
  { statistics, computedAtMs }: ReadStatistics,
  surveys: number,
  drafts: number,
): SafeHtml {
  return descriptionList([
    [text.terms.submissions, format.number(statistics.submissions)],
    [text.terms.sessions, format.number(statistics.sessions)],
    [
      text.terms.surveys,
      drafts === 0
        ? format.number(surveys)
        : text.statistics.drafts(format.number(surveys), format.number(drafts)),
    ],
    [text.statistics.asOf, format.time(new Date(computedAtMs).toISOString())],
  ]);
}

/** The sections about submissions of the chosen period, and the most supported ones of all time. */
function submissionSections(
  context: TenantContext,
  statistics: PublishedStatistics,
  withoutSupport: readonly ImportSource[],
): SafeHtml {
  const { text, format, query, timeZone, nowMs } = context;
  if (statistics.submissions === 0)
    return section(text.terms.submissions, paragraph(text.statistics.noSubmissions));
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const choice = parsePeriodChoice(query.get('period'), statistics.months, today);
  const range = findRange(choice, statistics.months, today);
  const months = filterMonths(statistics.months, range);
  const whole = sum(months.map(({ byStatus }) => sum(byStatus.values())));
  const [first, last] = [range.first, range.last].map((month) => format.month(month.toString()));
  const isOngoing = Temporal.PlainYearMonth.compare(range.last, today.toPlainYearMonth()) >= 0;
  const note = `${text.statistics.range(first ?? '', last ?? '', format.number(whole))}${isOngoing ? ` ${text.statistics.ongoing(format.day(today.toString()))}` : ''}`;
  const details =
    whole === 0
      ? paragraph(text.statistics.noneInPeriod)
      : html`${statusChart(context, months, range, statistics)}`;
  return html`${section(text.statistics.byStatus, html`${periodLinks(context, choice, statistics)}${paragraph(note)}${details}`)}
${whole === 0 ? '' : section(text.statistics.topics, html`${paragraph(note)}${topicTable(context, months, whole)}`)}
${section(text.statistics.mostSupported, html`${supportNote(context, withoutSupport)}${supportTable(context, statistics.mostSupported)}`)}`;
}

function periodLinks(
  { text, path }: TenantContext,
  chosen: PeriodChoice,
  { months }: PublishedStatistics,
): SafeHtml {
  const entries: [PeriodChoice, string][] = [
    ['latest', text.statistics.latestMonths],
    ...listYears(months).map((year): [PeriodChoice, string] => [year, String(year)]),
    ['all', text.statistics.allYears],
  ];
  const items = entries.map(
    ([choice, name]) =>
      html`<li><a class="kern-link" href="${path}?period=${choice}"${choice === chosen ? html` aria-current="true"` : ''}>${name}</a></li>`,
  );
  return html`<nav aria-label="${text.terms.period}"><ul class="inline-list period-list">${items}</ul></nav>`;
}

function statusChart(
  context: TenantContext,
  months: readonly MonthlyCounts[],
  range: PeriodRange,
  { statuses }: PublishedStatistics,
): SafeHtml {
  const { text, format } = context;
  const { unit, periods } = groupByPeriod(months, range, format.month, text.statistics.quarter);
  const inPeriod = statuses
    .map(({ name }) => name)
    .filter((name) => periods.some(({ byStatus }) => byStatus.has(name)));
  const colors = assignStatusColors(inPeriod);
  const series: Series[] = [...colors].map(([name, color]) => ({
    name: describeApiValue(name, context),
    color,
    values: periods.map(({ byStatus }) => byStatus.get(name) ?? 0),
  }));
  if (inPeriod.length > colors.size) {
    const values = periods.map(({ byStatus }) =>
      sum([...byStatus].filter(([name]) => !colors.has(name)).map(([, count]) => count)),
    );
    series.push({ name: text.statistics.otherStatuses, color: 'other', values });
  }
  const columns = [
    text.statistics.units[unit],
    ...series.map(({ name }) => numeric(shortText(name))),
    numeric(text.terms.total),
  ];
  const rows = periods
    .map(({ label, byStatus }, place) => [
      html`<span class="period-name">${label}</span>`,
      ...series.map(({ values }) => format.number(values[place] ?? 0)),
      format.number(sum(byStatus.values())),
    ])
    .toReversed();
  rows.push([
    html`<strong>${text.terms.total}</strong>`,
    ...series.map(({ values }) => format.number(sum(values))),
    format.number(sum(series.flatMap(({ values }) => values))),
  ]);
  const title = text.statistics.titles[unit];
  const chart = columnChart(
    title,
    periods.map(({ label }) => label),
    series,
    format.number,
    {
      total: text.terms.total,
      keyboardHint: text.statistics.keyboardHint,
      isLabelShown: (place) => periods[place]?.isLabelled === true,
    },
  );
  return html`${chart}${table(title, columns, rows)}`;
}

function topicTable(context: TenantContext, months: readonly MonthlyCounts[], whole: number): SafeHtml {
  const { text } = context;
  const counts = new Map<string, number>();
  for (const { byTopic } of months)
    for (const [name, count] of byTopic) counts.set(name, (counts.get(name) ?? 0) + count);
  const topics = [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  const rest = [
    { name: text.statistics.otherTopics, count: sum(topics.slice(shownTopics).map(({ count }) => count)) },
    { name: text.statistics.withoutTopic, count: whole - sum(counts.values()) },
  ];
  return countTable(
    context,
    text.statistics.topics,
    text.submissionFields.topicCategoryName.label,
    topics.slice(0, shownTopics),
    rest,
    whole,
  );
}

function committeeTable(context: TenantContext, { committees, sessions }: PublishedStatistics): SafeHtml {
  const { text } = context;
  if (sessions === 0) return paragraph(text.statistics.noSessions);
  const rest = [
    { name: text.statistics.otherCommittees, count: sessions - sum(committees.map(({ count }) => count)) },
  ];
  return countTable(
    context,
    text.statistics.sessionsByCommittee,
    text.dryRun.sessionFields.committeeName,
    committees,
    rest,
    sessions,
  );
}

/**
 * Counts and their shares of the whole, which add up to 100%.
 *
 * @param rest further parts of the whole, shown after the others unless they are empty
 */
function countTable(
  { text, format }: TenantContext,
  caption: string,
  heading: string,
  entries: readonly NamedCount[],
  rest: readonly NamedCount[],
  whole: number,
): SafeHtml {
  const row = (name: SafeHtml, count: number) => [
    name,
    format.number(count),
    html`${bar(count, whole)} ${format.percent(count / whole)}`,
  ];
  const rows = [
    ...entries.map(({ name, count }) => row(longText(name), count)),
    ...rest.filter(({ count }) => count > 0).map(({ name, count }) => row(html`<em>${name}</em>`, count)),
    row(html`<strong>${text.terms.total}</strong>`, whole),
  ];
  const columns = [heading, numeric(text.terms.count), text.statistics.shareOf(format.number(whole))];
  return html`${table(caption, columns, rows)}
<p class="kern-body kern-body--small">${text.statistics.rounded}</p>`;
}

/** A source without support counts says nothing about the support, although 0 is published. */
function supportNote({ text }: TenantContext, sources: readonly ImportSource[]): SafeHtml | string {
  if (sources.length === 0) return '';
  const names = sources.map(({ name, format }) => html`<li>${userText(name === '' ? format : name)}</li>`);
  return html`${paragraph(text.statistics.withoutSupport)}<ul class="long-text">${names}</ul>`;
}

function supportTable(context: TenantContext, documents: readonly string[]): SafeHtml {
  const { text, format } = context;
  if (documents.length === 0) return paragraph(text.statistics.noSupport);
  const found = documents.map((document) => JSON.parse(document) as SubmissionRecord);
  const most = found[0]?.supportCount ?? 0;
  const rows = found.map(({ id, referenceNumber, description, status, supportCount }) => [
    html`<a class="kern-link long-text" href="${dataPath(context)}/submissions/${id}">${userText(excerpt(description) || id)}</a>`,
    shortText(referenceNumber ?? '–'),
    shortText(describeApiValue(status, context)),
    html`${format.number(supportCount)}`,
    bar(supportCount, most),
  ]);
  const { referenceNumber, supportCount } = text.submissionFields;
  const columns = [
    text.terms.submission,
    referenceNumber.label,
    text.terms.status,
    numeric(supportCount.label),
    text.statistics.comparison,
  ];
  return table(text.statistics.mostSupported, columns, rows);
}

function surveyTable(context: TenantContext, surveys: readonly SurveySummary[]): SafeHtml {
  const { text, format } = context;
  if (surveys.length === 0) return paragraph(text.statistics.noSurveys);
  const rows = surveys.map(({ id, title, status, totalResponses }) => [
    html`<a class="kern-link long-text" href="${dataPath(context)}/surveys/${id}">${userText(title)}</a>`,
    userText(describeApiValue(status, context)),
    format.number(totalResponses),
  ]);
  const columns = [text.terms.survey, text.terms.status, numeric(text.dryRun.surveyFields.totalResponses)];
  return table(text.terms.surveys, columns, rows);
}

const printButton = ({ text }: TenantContext): SafeHtml =>
  html`<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>`;

const sum = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
