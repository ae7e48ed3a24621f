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
  link,
  longText,
  numeric,
  paragraph,
  publishedText,
  section,
  shortText,
  table,
} from './components.ts';
import type { Figure } from './figure-cards.ts';
import { folded } from './folded-content.ts';
import { html, mapLazily, type SafeHtml } from './html.ts';
import { excerpt } from './records/imported-text.ts';
import {
  filterMonths,
  findRange,
  findYearBefore,
  groupByPeriod,
  listYears,
  type PeriodChoice,
  type PeriodRange,
  parsePeriodChoice,
} from './statistics-periods.ts';
import type { RecordsContext, ViewContext } from './view-context.ts';

/** Of a page of statistics. */
const maxTopics = 20;

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

/** The number of submissions in the months. */
const count = (months: readonly MonthlyCounts[]): number =>
  sum(months.map(({ byStatus }) => sum(byStatus.values())));

/** The submissions of the chosen period, and the change in a year. @param recordFilters as in `periodSections` */
export function periodFigure(
  context: RecordsContext,
  statistics: PublishedStatistics,
  recordFilters: RecordFilters = {},
): Figure {
  const { text, format } = context;
  const { range, months } = choosePeriod(context, statistics);
  return {
    label: text.statistics.inPeriod,
    value: format.number(count(months)),
    note: describeChange(context, statistics),
    path: toRecords(context, range, recordFilters) ?? context.recordsAddress('submissions'),
  };
}

/** Empty if there is nothing to compare with. */
function describeChange(context: ViewContext, statistics: PublishedStatistics): string {
  const { text, format } = context;
  const { today, choice, range } = choosePeriod(context, statistics);
  const compared = findYearBefore(choice, range, today);
  if (compared === undefined) return '';
  const [now, before] = [compared.range, compared.before].map((months) =>
    count(filterMonths(statistics.months, months)),
  ) as [number, number];
  if (before === 0) return '';
  const share = format.percent(Math.abs(now - before) / before);
  const [first, last] = [compared.range.first, compared.range.last].map(format.month);
  return text.statistics.change(
    now === before ? '±0' : `${now > before ? '+' : '−'}${share}`,
    `${first} – ${last}`,
    format.number(now),
    format.number(before),
  );
}

/** Parameters of the list of submissions, such as a status. */
export type RecordFilters = Readonly<Record<string, string>>;

/** The list of the submissions in these months; undefined for years that its form does not accept. */
function toRecords(
  { recordsAddress }: RecordsContext,
  { first, last }: PeriodRange,
  filters: RecordFilters,
): string | undefined {
  if (first.startsWith('0000') || last.startsWith('9999')) return undefined;
  const to = Temporal.PlainYearMonth.from(last);
  const query = new URLSearchParams({ ...filters, from: `${first}-01`, to: `${last}-${to.daysInMonth}` });
  return addQuery(recordsAddress('submissions'), query);
}

/** @param address with the language that the reader has chosen, on public pages */
const addQuery = (address: string, query: URLSearchParams): string =>
  `${address}${address.includes('?') ? '&' : '?'}${query}`;

/**
 * The submissions of the chosen period by time, status and topic. A click on a month, a status or a topic shows its submissions.
 *
 * @param statistics of at least one submission
 * @param recordFilters of the submissions that the statistics count @param shownTopics the others are one row
 */
export function periodSections(
  context: RecordsContext,
  statistics: PublishedStatistics,
  recordFilters: RecordFilters = {},
  shownTopics = maxTopics,
): SafeHtml {
  const { text, format } = context;
  const { today, range, months } = choosePeriod(context, statistics);
  const whole = count(months);
  const [first, last] = [range.first, range.last].map(format.month);
  const isOngoing = range.last >= today.toPlainYearMonth().toString();
  const note = `${text.statistics.range(first ?? '', last ?? '', format.number(whole))}${isOngoing ? ` ${text.statistics.ongoing(format.day(today.toString()))}` : ''}`;
  if (whole === 0)
    return section(
      text.statistics.byStatus,
      html`${paragraph(note)}${paragraph(text.statistics.noneInPeriod)}`,
    );
  const toFiltered = (filters: RecordFilters, months = range) =>
    toRecords(context, months, { ...recordFilters, ...filters });
  return html`${paragraph(note)}<div class="chart-columns">
${section(text.statistics.byStatus, statusChart(context, months, range, statistics, toFiltered))}
${section(text.statistics.topics, topicTable(context, months, whole, shownTopics, toFiltered))}
</div>`;
}

/** @param months default: all of the period */
type ToFiltered = (filters: RecordFilters, months?: PeriodRange) => string | undefined;

/** @param statistics of at least one submission @param toAddress of the page with another period */
export function periodLinks(
  context: ViewContext,
  statistics: PublishedStatistics,
  toAddress: (period: string) => string,
): SafeHtml {
  const { text } = context;
  const { months } = statistics;
  const { choice: chosen } = choosePeriod(context, statistics);
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
  toFiltered: ToFiltered,
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
    path: toFiltered({ status: name }),
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
  const paths = periods.map(({ byStatus, ...months }) =>
    byStatus.size === 0 ? undefined : toFiltered({}, months),
  );
  const rows = periods
    .map(({ label, byStatus }, place) => [
      html`<span class="period-name">${optionalLink(paths[place], label)}</span>`,
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
      getPath: (place) => paths[place],
      isHalf: true,
    },
  );
  return html`${isComplete ? '' : paragraph(text.statistics.periodsLeftOut)}${chart}${folded(text.statistics.asTable, table(title, columns, rows))}`;
}

const optionalLink = (path: string | undefined, name: SafeHtml | string): SafeHtml =>
  path === undefined ? html`${name}` : link(path, name);

function topicTable(
  context: ViewContext,
  months: readonly MonthlyCounts[],
  whole: number,
  shownTopics: number,
  toFiltered: ToFiltered,
): SafeHtml {
  const { text } = context;
  const counts = new Map<string, number>();
  for (const { byTopic } of months)
    for (const [name, count] of byTopic) counts.set(name, (counts.get(name) ?? 0) + count);
  const topics = [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  // A single other topic takes the line that would hide it.
  const shown = topics.length === shownTopics + 1 ? topics : topics.slice(0, shownTopics);
  const others = sum(topics.slice(shown.length).map(({ count }) => count));
  const rest = [
    { name: text.statistics.otherTopics, count: others, path: toFiltered({}) },
    { name: text.statistics.withoutTopic, count: whole - sum(counts.values()) },
  ];
  return countTable(
    context,
    { caption: text.statistics.topics, heading: text.submissionFields.topicCategoryName.label },
    shown,
    rest,
    whole,
    (topic) => toFiltered({ topic }),
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
export function committeeTable(
  context: RecordsContext,
  statistics: PublishedStatistics,
  recordFilters: RecordFilters = {},
): SafeHtml {
  const { text } = context;
  const { recordsAddress } = context;
  return countTable(
    context,
    { caption: text.statistics.sessionsByCommittee, heading: text.dryRun.sessionFields.committeeName },
    statistics.committees,
    listOtherCommittees(context, statistics),
    statistics.sessions,
    (committee) => addQuery(recordsAddress('sessions'), new URLSearchParams({ ...recordFilters, committee })),
  );
}

/**
 * Counts and their shares of the whole, which add up to 100%.
 *
 * @param rest further parts of the whole, shown after the others unless they are empty
 * @param toPath of the list of what an entry counts
 */
function countTable(
  context: ViewContext,
  { caption, heading }: { caption: string; heading: string },
  entries: readonly NamedCount[],
  rest: readonly (NamedCount & { path?: string | undefined })[],
  whole: number,
  toPath: (name: string) => string | undefined,
): SafeHtml {
  const { text, format } = context;
  const share = (count: number) => format.percent(count / whole);
  const most = Math.max(...[...entries, ...rest].map(({ count }) => count));
  const row = (name: SafeHtml, count: number) => [
    name,
    format.number(count),
    html`${bar(count, most)} ${share(count)}`,
  ];
  const rows = [
    ...entries.map(({ name, count }) =>
      row(optionalLink(toPath(name), longText(publishedText(name, context))), count),
    ),
    ...rest
      .filter(({ count }) => count > 0)
      .map(({ name, count, path }) => row(html`<em>${optionalLink(path, name)}</em>`, count)),
    [html`<strong>${text.terms.total}</strong>`, format.number(whole), share(whole)],
  ];
  const columns = [heading, numeric(text.terms.count), text.statistics.shareOf(format.number(whole))];
  return html`${table(caption, columns, rows)}
${rows.length > 2 ? html`<p class="kern-body kern-body--small">${text.statistics.rounded}</p>` : ''}`;
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
