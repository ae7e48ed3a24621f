/** Statistics of published data as charts with equal tables. */

import type { SurveySummary } from '../../contract/resources/survey.ts';
import type {
  MonthlyCounts,
  NamedCount,
  PublishedStatistics,
} from '../../domain/records/published-statistics.ts';
import type { SubmissionRecord } from '../../domain/records/records.ts';
import { assignStatusColors, bar, columnChart, type Series } from './chart.ts';
import {
  apiValueText,
  describeApiValue,
  longText,
  numeric,
  paragraph,
  publishedText,
  section,
  shortText,
  table,
} from './components.ts';
import { folded } from './folded-content.ts';
import { html, mapLazily, type SafeHtml } from './html.ts';
import { excerpt } from './records/imported-text.ts';
import {
  filterMonths,
  findRange,
  groupByPeriod,
  listYears,
  type PeriodChoice,
  type PeriodRange,
  parsePeriodChoice,
} from './statistics-periods.ts';
import type { RecordsContext, ViewContext } from './view-context.ts';

const shownTopics = 20;

/** The latest ones. Other years have an address, too. */
const maxYearLinks = 100;

/** More are folded: a municipality may have hundreds. */
const maxVisibleSurveys = 50;

/** The months of the period in the query. */
export function choosePeriod({ query, timeZone, nowMs }: ViewContext, { months }: PublishedStatistics) {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const choice = parsePeriodChoice(query.get('period'), months, today);
  const range = findRange(choice, months, today);
  return { today, choice, range, months: filterMonths(months, range) };
}

/**
 * The submissions of the chosen period by time, status and topic.
 *
 * @param statistics of at least one submission
 * @param toAddress of the page with another period
 */
export function periodSections(
  context: ViewContext,
  statistics: PublishedStatistics,
  toAddress: (period: string) => string,
): SafeHtml {
  const { text, format } = context;
  const { today, choice, range, months } = choosePeriod(context, statistics);
  const whole = sum(months.map(({ byStatus }) => sum(byStatus.values())));
  const [first, last] = [range.first, range.last].map(format.month);
  const isOngoing = range.last >= today.toPlainYearMonth().toString();
  const note = `${text.statistics.range(first ?? '', last ?? '', format.number(whole))}${isOngoing ? ` ${text.statistics.ongoing(format.day(today.toString()))}` : ''}`;
  const links = periodLinks(context, choice, statistics, toAddress);
  const details =
    whole === 0
      ? paragraph(text.statistics.noneInPeriod)
      : html`${statusChart(context, months, range, statistics)}`;
  return html`${section(text.statistics.byStatus, html`${links}${paragraph(note)}${details}`)}
${whole === 0 ? '' : section(text.statistics.topics, html`${paragraph(note)}${topicTable(context, months, whole)}`)}`;
}

function periodLinks(
  context: ViewContext,
  chosen: PeriodChoice,
  { months }: PublishedStatistics,
  toAddress: (period: string) => string,
): SafeHtml {
  const { text } = context;
  const entries: [PeriodChoice, string][] = [
    ['latest', text.statistics.latestMonths],
    ...listYears(months)
      .slice(0, maxYearLinks)
      .map((year): [PeriodChoice, string] => [year, String(year)]),
    ['all', text.statistics.allYears],
  ];
  const items = entries.map(
    ([choice, name]) =>
      html`<li><a class="kern-link" href="${toAddress(String(choice))}"${choice === chosen ? html` aria-current="true"` : ''}>${name}</a></li>`,
  );
  return html`<nav aria-label="${text.terms.period}"><ul class="inline-list period-list">${items}</ul></nav>`;
}

function statusChart(
  context: ViewContext,
  months: readonly MonthlyCounts[],
  range: PeriodRange,
  { statuses }: PublishedStatistics,
): SafeHtml {
  const { text, format } = context;
  const { unit, periods, isComplete } = groupByPeriod(months, range, format.month, text.statistics.quarter);
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
  return html`${isComplete ? '' : paragraph(text.statistics.periodsLeftOut)}${chart}${table(title, columns, rows)}`;
}

function topicTable(context: ViewContext, months: readonly MonthlyCounts[], whole: number): SafeHtml {
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

/** The sessions of all committees that are not among the most frequent ones; empty without such sessions. */
export function listOtherCommittees(
  { text }: ViewContext,
  { committees, sessions }: Pick<PublishedStatistics, 'committees' | 'sessions'>,
): NamedCount[] {
  const count = sessions - sum(committees.map((committee) => committee.count));
  return count > 0 ? [{ name: text.statistics.otherCommittees, count }] : [];
}

/** @param statistics of at least one session */
export function committeeTable(context: ViewContext, statistics: PublishedStatistics): SafeHtml {
  const { text } = context;
  return countTable(
    context,
    text.statistics.sessionsByCommittee,
    text.dryRun.sessionFields.committeeName,
    statistics.committees,
    listOtherCommittees(context, statistics),
    statistics.sessions,
  );
}

/**
 * Counts and their shares of the whole, which add up to 100%.
 *
 * @param rest further parts of the whole, shown after the others unless they are empty
 */
function countTable(
  context: ViewContext,
  caption: string,
  heading: string,
  entries: readonly NamedCount[],
  rest: readonly NamedCount[],
  whole: number,
): SafeHtml {
  const { text, format } = context;
  const row = (name: SafeHtml, count: number) => [
    name,
    format.number(count),
    html`${bar(count, whole)} ${format.percent(count / whole)}`,
  ];
  const rows = [
    ...entries.map(({ name, count }) => row(longText(publishedText(name, context)), count)),
    ...rest.filter(({ count }) => count > 0).map(({ name, count }) => row(html`<em>${name}</em>`, count)),
    row(html`<strong>${text.terms.total}</strong>`, whole),
  ];
  const columns = [heading, numeric(text.terms.count), text.statistics.shareOf(format.number(whole))];
  return html`${table(caption, columns, rows)}
<p class="kern-body kern-body--small">${text.statistics.rounded}</p>`;
}

/** @param documents of submissions, most supported first */
export function mostSupportedTable(context: RecordsContext, documents: readonly string[]): SafeHtml {
  const { text, format, recordsAddress } = context;
  const found = documents.map((document) => JSON.parse(document) as SubmissionRecord);
  const most = found[0]?.supportCount ?? 0;
  const rows = found.map(({ id, referenceNumber, description, title, status, supportCount }) => [
    html`<a class="kern-link long-text" href="${recordsAddress(`submissions/${id}`)}">${publishedText(excerpt(title || description) || id, context)}</a>`,
    shortText(referenceNumber ?? '–'),
    shortText(apiValueText(status, context)),
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
  return table(text.statistics.mostSupported, columns, rows, { cards: '' });
}

export function surveyResponsesTable(context: RecordsContext, surveys: readonly SurveySummary[]): SafeHtml {
  const { text, format, recordsAddress } = context;
  const rows = mapLazily(surveys, ({ id, title, status, totalResponses }) => [
    html`<a class="kern-link long-text" href="${recordsAddress(`surveys/${id}`)}">${publishedText(title, context)}</a>`,
    apiValueText(status, context),
    format.number(totalResponses),
  ]);
  const columns = [text.terms.survey, text.terms.status, numeric(text.dryRun.surveyFields.totalResponses)];
  const all = table(text.terms.surveys, columns, rows, { cards: '' });
  return surveys.length > maxVisibleSurveys
    ? folded(text.statistics.showSurveys(format.number(surveys.length)), all)
    : all;
}

export const sum = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
