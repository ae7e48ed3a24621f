/** Statistics of a municipality's published data. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { NamedCount, PublishedStatistics } from '../../domain/admin-area-store.ts';
import type { SubmissionRecord } from '../../domain/records.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { assignStatusColors, bar, columnChart, type Series } from '../ui/chart.ts';
import {
  describeApiValue,
  descriptionList,
  longText,
  numeric,
  paragraph,
  section,
  table,
  userText,
} from '../ui/components.ts';
import { dataPath, excerpt } from '../ui/data-browser.ts';

/** The latest calendar years are shown by month, earlier ones by year. */
const yearsByMonth = 2;
const shownTopics = 20;

export function statisticsRoutes({ store }: AdminContext): Route[] {
  async function statisticsPage(context: TenantContext): Promise<Page> {
    const { text, format, timeZone, organization, nowMs } = context;
    const statistics = await store.computeStatistics(organization.id, timeZone);
    const all = await store.listSurveys(organization.id);
    const surveys = all.filter(({ status }) => status !== 'draft');
    const drafts = all.length - surveys.length;
    const total = descriptionList([
      [text.statistics.submissions, format.number(statistics.submissions)],
      [text.statistics.sessions, format.number(statistics.sessions)],
      [
        text.statistics.surveys,
        drafts === 0
          ? format.number(surveys.length)
          : text.statistics.drafts(format.number(surveys.length), format.number(drafts)),
      ],
      [text.statistics.asOf, format.time(new Date(nowMs).toISOString())],
    ]);
    const surveyRows = surveys.map(({ id, title, status, totalResponses }) => [
      html`<a class="kern-link long-text" href="${dataPath(context)}/surveys/${id}">${userText(title)}</a>`,
      userText(describeApiValue(status, context)),
      format.number(totalResponses),
    ]);
    const body = html`${paragraph(text.statistics.intro)}${total}
${printButton(context)}
${statistics.submissions === 0 ? section(text.statistics.submissions, paragraph(text.statistics.noSubmissions)) : submissionSections(context, statistics)}
${section(text.statistics.sessionsByCommittee, statistics.committees.length === 0 ? paragraph(text.statistics.noSessions) : countTable(context, text.statistics.sessionsByCommittee, text.statistics.committee, statistics.committees, statistics.sessions))}
${section(text.statistics.surveys, surveys.length === 0 ? paragraph(text.statistics.noSurveys) : table(text.statistics.surveys, [text.statistics.survey, text.statistics.status, numeric(text.statistics.responses)], surveyRows))}`;
    return { title: text.statistics.title, body };
  }

  function submissionSections(context: TenantContext, statistics: PublishedStatistics): SafeHtml {
    const { text } = context;
    const topics = statistics.topics.slice(0, shownTopics);
    const others = sum(statistics.topics.slice(shownTopics).map(({ count }) => count));
    const rest = [
      { name: text.statistics.otherTopics, count: others },
      { name: text.statistics.withoutTopic, count: statistics.withoutTopic },
    ].filter(({ count }) => count > 0);
    const all = statistics.submissions;
    return html`${section(text.statistics.byMonth, monthlyChart(context, statistics))}
${section(text.statistics.topics, countTable(context, text.statistics.topics, text.statistics.topic, [...topics, ...rest], all))}
${section(text.statistics.mostSupported, supportTable(context, statistics.mostSupported))}`;
  }

  function monthlyChart(context: TenantContext, { months, statuses }: PublishedStatistics): SafeHtml {
    const { text, format } = context;
    const colors = assignStatusColors(statuses.map(({ name }) => name));
    const periods = groupByPeriod(months, format.month);
    const series: Series[] = [...colors].map(([name, color]) => ({
      name: describeApiValue(name, context),
      color,
      values: periods.map(({ byStatus }) => byStatus.get(name) ?? 0),
    }));
    if (statuses.length > colors.size) {
      const values = periods.map(({ byStatus }) =>
        sum([...byStatus].filter(([name]) => !colors.has(name)).map(([, count]) => count)),
      );
      series.push({ name: text.statistics.otherStatuses, color: 'other', values });
    }
    const columns = [
      text.statistics.period,
      ...series.map(({ name }) => numeric(userText(name))),
      numeric(text.statistics.total),
    ];
    const rows = periods.map(({ label, byStatus }, place) => [
      label,
      ...series.map(({ values }) => format.number(values[place] ?? 0)),
      format.number(sum(byStatus.values())),
    ]);
    // Years would dwarf the months in a chart.
    const charted = periods.filter(({ isMonth }) => isMonth).length;
    const takeCharted = <Value>(values: readonly Value[]) => values.slice(0, charted).toReversed();
    const oldestFirst = series.map((one) => ({ ...one, values: takeCharted(one.values) }));
    const labels = takeCharted(periods).map(({ label }) => label);
    return html`${columnChart(text.statistics.byMonth, labels, oldestFirst, format.number)}${table(text.statistics.byMonth, columns, rows)}`;
  }

  function supportTable(context: TenantContext, documents: readonly string[]): SafeHtml {
    const { text, format } = context;
    if (documents.length === 0) return paragraph(text.statistics.noSupport);
    const found = documents.map((document) => JSON.parse(document) as SubmissionRecord);
    const most = found[0]?.supportCount ?? 0;
    const rows = found.map(({ id, referenceNumber, description, status, supportCount }) => [
      longText(excerpt(description) || id),
      userText(referenceNumber ?? '–'),
      userText(describeApiValue(status, context)),
      html`${format.number(supportCount)}`,
      bar(supportCount, most),
    ]);
    const { submission, reference, status, supporters, comparison } = text.statistics;
    const columns = [submission, reference, status, numeric(supporters), comparison];
    return table(text.statistics.mostSupported, columns, rows);
  }

  function countTable(
    { text, format }: TenantContext,
    caption: string,
    heading: string,
    entries: readonly NamedCount[],
    whole: number,
  ): SafeHtml {
    const rows = entries.map(({ name, count }) => [
      longText(name),
      format.number(count),
      html`${bar(count, whole)} ${format.percent(whole === 0 ? 0 : count / whole)}`,
    ]);
    const columns = [{ heading }, numeric(text.statistics.count), text.statistics.share];
    return table(caption, columns, rows);
  }

  const base = '/admin/organizations/:organizationId/published';
  return [{ path: base, access: 'reader', get: statisticsPage }];
}

const printButton = ({ text }: TenantContext): SafeHtml =>
  html`<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>`;

interface Period {
  label: string;
  isMonth: boolean;
  byStatus: ReadonlyMap<string, number>;
}

/** All months of the latest years, then each earlier year with submissions; latest first. */
function groupByPeriod(months: PublishedStatistics['months'], name: (month: string) => string): Period[] {
  const { compare, from } = Temporal.PlainYearMonth;
  const counted = new Map(months.map(({ month, byStatus }) => [month, byStatus]));
  const [latest, first] = [months[0], months.at(-1)];
  const periods: Period[] = [];
  if (latest === undefined || first === undefined) return periods;
  const january = from(latest.month)
    .with({ month: 1 })
    .subtract({ years: yearsByMonth - 1 });
  for (
    let month = from(latest.month);
    compare(month, january) >= 0 && compare(month, first.month) >= 0;
    month = month.subtract({ months: 1 })
  ) {
    const text = month.toString();
    periods.push({ label: name(text), isMonth: true, byStatus: counted.get(text) ?? new Map() });
    counted.delete(text);
  }
  return [...periods, ...groupByYear(counted)];
}

function groupByYear(months: ReadonlyMap<string, ReadonlyMap<string, number>>): Period[] {
  const years = new Map<string, Map<string, number>>();
  for (const [month, byStatus] of months) {
    const label = String(Temporal.PlainYearMonth.from(month).year);
    const year = years.get(label) ?? new Map<string, number>();
    for (const [status, count] of byStatus) year.set(status, (year.get(status) ?? 0) + count);
    years.set(label, year);
  }
  return [...years].map(([label, byStatus]) => ({ label, isMonth: false, byStatus }));
}

const sum = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
