/** Statistics of a municipality's published data. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { SurveySummary } from '../../contract/survey.ts';
import { isDraft } from '../../domain/is-draft.ts';
import type {
  MonthlyCounts,
  NamedCount,
  PublishedStatistics,
  ReadStatistics,
} from '../../domain/published-statistics.ts';
import type { SubmissionRecord } from '../../domain/records.ts';
import type { AdminContext } from '../admin-context.ts';
import { createCsvDownload } from '../csv-download.ts';
import type { TenantContext } from '../page-context.ts';
import type { AdminResponse, UntitledPage } from '../response-types.ts';
import type { Route } from '../route.ts';
import { assignStatusColors, bar, columnChart, type Series } from '../ui/chart.ts';
import {
  actionLink,
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
import {
  dataPath,
  excerpt,
  nameSource,
  readSourceFilter,
  type SourceFilter,
  toLocalDay,
} from '../ui/data-browser.ts';
import { folded } from '../ui/folded.ts';
import { organizationPath } from '../ui/navigation.ts';
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

/** More are folded: a municipality may have hundreds. */
const maxVisibleSurveys = 50;

/** The statistics of one source or of all, and the surveys. */
interface Statistics extends ReadStatistics {
  source: SourceFilter;
  surveys: readonly SurveySummary[];
  drafts: number;
}

/** The previous statistics of a large municipality, or none, are shown while new ones are counted. */
export function statisticsRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /** @returns undefined while they are counted for the first time */
  async function readStatistics(context: TenantContext): Promise<Statistics | undefined> {
    const { timeZone, organization } = context;
    const source = await readSourceFilter(admin, context);
    const [read, all] = await Promise.all([
      store.readStatistics(organization.id, timeZone, source.sourceId),
      store.listSurveys(organization.id, source.sourceId),
    ]);
    const surveys = all.filter(({ status }) => !isDraft(status));
    return read && { ...read, source, surveys, drafts: all.length - surveys.length };
  }

  async function statisticsPage(context: TenantContext): Promise<UntitledPage> {
    const { text } = context;
    const read = await readStatistics(context);
    if (read === undefined) return { body: countingNotice(context) };
    const body = html`${paragraph(text.statistics.intro)}
${sourceLinks(context, read.source)}
${read.isCurrent ? '' : countingNotice(context)}
${totals(context, read)}
<div class="actions">${actionLink(chosenUrl(context, {}, '.csv'), text.statistics.download)} ${printButton(context)}</div>
${submissionSections(context, read)}
${section(text.statistics.sessionsByCommittee, committeeTable(context, read))}
${section(text.terms.surveys, surveyTable(context, read))}`;
    return { body };
  }

  async function download(context: TenantContext): Promise<AdminResponse> {
    const { text, nowMs, timeZone } = context;
    const read = await readStatistics(context);
    if (read === undefined) return { redirectTo: chosenUrl(context) };
    const day = toLocalDay(new Date(nowMs).toISOString(), timeZone);
    return createCsvDownload(`rostra-statistics-${day}.csv`, [listRows(context, read)], text);
  }

  const path = '/admin/organizations/:organizationId/published';
  return [
    { path, title: (text) => text.statistics.title, access: 'reader', get: statisticsPage },
    { path: `${path}.csv`, access: 'reader', get: download },
  ];
}

/** The address of the page with the period and the source of the query, or with others. */
function chosenUrl(
  { organization, query }: TenantContext,
  changes: { period?: string; source?: string } = {},
  suffix = '',
): string {
  const chosen = { period: query.get('period') ?? '', source: query.get('source') ?? '', ...changes };
  const filled = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ''));
  return `${organizationPath(organization)}/published${suffix}${filled.size > 0 ? `?${filled}` : ''}`;
}

/** One line for each figure of the page, with the counts of the chosen period by month. */
function listRows(context: TenantContext, { statistics, surveys }: Statistics): (string | number)[][] {
  const { text } = context;
  const { byStatus, topics, withoutTopic, sessionsByCommittee, mostSupported } = text.statistics;
  const rows: (string | number)[][] = [
    [text.statistics.figure, text.statistics.units.month, text.terms.name, text.terms.count],
  ];
  const { months } = choosePeriod(context, statistics);
  for (const counted of months) {
    for (const [name, count] of counted.byStatus)
      rows.push([byStatus, counted.month, describeApiValue(name, context), count]);
  }
  for (const counted of months) {
    for (const [name, count] of counted.byTopic) rows.push([topics, counted.month, name, count]);
    const rest = sum(counted.byStatus.values()) - sum(counted.byTopic.values());
    if (rest > 0) rows.push([topics, counted.month, withoutTopic, rest]);
  }
  for (const document of statistics.mostSupported) {
    const { id, referenceNumber, supportCount } = JSON.parse(document) as SubmissionRecord;
    rows.push([mostSupported, '', referenceNumber ?? id, supportCount]);
  }
  for (const { name, count } of [...statistics.committees, ...listOtherCommittees(context, statistics)])
    rows.push([sessionsByCommittee, '', name, count]);
  for (const { title, totalResponses } of surveys)
    rows.push([text.statistics.responsesBySurvey, '', title, totalResponses]);
  return rows;
}

/** Links to the statistics of one source; empty with fewer than two sources. */
function sourceLinks(context: TenantContext, { sources, sourceId }: SourceFilter): SafeHtml | string {
  const { text } = context;
  if (sources.length < 2) return '';
  const items = [undefined, ...sources].map((source) => {
    const address = chosenUrl(context, { source: String(source?.id ?? '') });
    const name = source === undefined ? text.browse.anySource : userText(nameSource(source));
    return html`<li><a class="kern-link" href="${address}"${source?.id === sourceId ? html` aria-current="true"` : ''}>${name}</a></li>`;
  });
  return html`<nav aria-label="${text.imports.source}"><ul class="inline-list period-list">${items}</ul></nav>`;
}

function countingNotice(context: TenantContext): SafeHtml {
  const { counting, reload } = context.text.statistics;
  return html`<div class="reload">${alert('info', counting, paragraph(link(chosenUrl(context), reload)))}</div>`;
}

function totals(
  { text, format }: TenantContext,
  { statistics, computedAtMs, surveys, drafts, source }: Statistics,
): SafeHtml {
  const published = format.number(surveys.length);
  // Prints do not have the links.
  const chosen = source.sources.find(({ id }) => id === source.sourceId);
  return descriptionList([
    chosen !== undefined && [text.imports.source, userText(nameSource(chosen))],
    [text.terms.submissions, format.number(statistics.submissions)],
    [text.terms.sessions, format.number(statistics.sessions)],
    [text.terms.surveys, drafts === 0 ? published : text.statistics.drafts(published, format.number(drafts))],
    [text.statistics.asOf, format.time(new Date(computedAtMs).toISOString())],
  ]);
}

function choosePeriod({ query, timeZone, nowMs }: TenantContext, { months }: PublishedStatistics) {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const choice = parsePeriodChoice(query.get('period'), months, today);
  const range = findRange(choice, months, today);
  return { today, choice, range, months: filterMonths(months, range) };
}

/** The sections about submissions of the chosen period, and the most supported ones of all time. */
function submissionSections(context: TenantContext, { statistics, source }: Statistics): SafeHtml {
  const { text, format } = context;
  if (statistics.submissions === 0)
    return section(text.terms.submissions, noneNote(context, source, text.statistics.noSubmissions));
  const { today, choice, range, months } = choosePeriod(context, statistics);
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
${section(text.statistics.mostSupported, html`${supportNote(context, source)}${supportTable(context, statistics.mostSupported, source)}`)}`;
}

function periodLinks(
  context: TenantContext,
  chosen: PeriodChoice,
  { months }: PublishedStatistics,
): SafeHtml {
  const { text } = context;
  const entries: [PeriodChoice, string][] = [
    ['latest', text.statistics.latestMonths],
    ...listYears(months).map((year): [PeriodChoice, string] => [year, String(year)]),
    ['all', text.statistics.allYears],
  ];
  const items = entries.map(
    ([choice, name]) =>
      html`<li><a class="kern-link" href="${chosenUrl(context, { period: String(choice) })}"${choice === chosen ? html` aria-current="true"` : ''}>${name}</a></li>`,
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

/** @param ofAll the sentence about all sources */
const noneNote = ({ text }: TenantContext, { sourceId }: SourceFilter, ofAll: string): SafeHtml =>
  paragraph(sourceId === undefined ? ofAll : text.statistics.noneOfSource);

/** The sessions of all committees that are not among the most frequent ones; empty without such sessions. */
function listOtherCommittees(
  { text }: TenantContext,
  { committees, sessions }: Pick<PublishedStatistics, 'committees' | 'sessions'>,
): NamedCount[] {
  const count = sessions - sum(committees.map((committee) => committee.count));
  return count > 0 ? [{ name: text.statistics.otherCommittees, count }] : [];
}

function committeeTable(context: TenantContext, { statistics, source }: Statistics): SafeHtml {
  const { text } = context;
  const { committees, sessions } = statistics;
  if (sessions === 0) return noneNote(context, source, text.statistics.noSessions);
  const rest = listOtherCommittees(context, { committees, sessions });
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
function supportNote({ text }: TenantContext, { sources, sourceId }: SourceFilter): SafeHtml | string {
  const concerned = sources.filter(
    ({ id, hasSupportCounts }) => hasSupportCounts === false && (sourceId === undefined || id === sourceId),
  );
  if (concerned.length === 0) return '';
  const names = concerned.map((source) => html`<li>${userText(nameSource(source))}</li>`);
  return html`${paragraph(text.statistics.withoutSupport)}<ul class="long-text">${names}</ul>`;
}

function supportTable(context: TenantContext, documents: readonly string[], source: SourceFilter): SafeHtml {
  const { text, format } = context;
  if (documents.length === 0) return noneNote(context, source, text.statistics.noSupport);
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
  return table(text.statistics.mostSupported, columns, rows, { cards: '' });
}

function surveyTable(context: TenantContext, { surveys, source }: Statistics): SafeHtml {
  const { text, format } = context;
  if (surveys.length === 0) return noneNote(context, source, text.statistics.noSurveys);
  const rows = surveys.map(({ id, title, status, totalResponses }) => [
    html`<a class="kern-link long-text" href="${dataPath(context)}/surveys/${id}">${userText(title)}</a>`,
    userText(describeApiValue(status, context)),
    format.number(totalResponses),
  ]);
  const columns = [text.terms.survey, text.terms.status, numeric(text.dryRun.surveyFields.totalResponses)];
  const all = table(text.terms.surveys, columns, rows, { cards: '' });
  return rows.length > maxVisibleSurveys
    ? folded(text.statistics.showSurveys(format.number(rows.length)), all)
    : all;
}

const printButton = ({ text }: TenantContext): SafeHtml =>
  html`<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>`;

const sum = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
