/** Statistics of a municipality's published data. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { NamedCount, PublishedStatistics } from '../../domain/administration.ts';
import type { SubmissionRecord, SurveyRecord } from '../../domain/records.ts';
import type { TenantContext } from '../page-context.ts';
import { notFound, type Page } from '../response.ts';
import type { AdminContext, Route } from '../route.ts';
import { assignStatusColors, bar, columnChart, type Series } from '../ui/chart.ts';
import { describeApiValue, descriptionList, link, paragraph, table, userText } from '../ui/components.ts';

/** The latest calendar years are shown by month, earlier ones by year. */
const yearsByMonth = 2;
const shownTopics = 20;
const maxExcerptLength = 160;

export function statisticsRoutes({ store, timeZone }: AdminContext): Route[] {
  async function statisticsPage(context: TenantContext): Promise<Page> {
    const { text, format, organization, path, nowMs } = context;
    const overview = await store.computeStatistics(organization.id, timeZone);
    const all = await store.listSurveys(organization.id);
    const surveys = all.filter(({ status }) => status !== 'draft');
    const drafts = all.length - surveys.length;
    const total = descriptionList([
      [text.statistics.submissions, format.number(overview.submissions)],
      [text.statistics.sessions, format.number(overview.sessions)],
      [
        text.statistics.surveys,
        drafts === 0
          ? format.number(surveys.length)
          : text.statistics.drafts(format.number(surveys.length), format.number(drafts)),
      ],
      [text.statistics.asOf, format.time(new Date(nowMs).toISOString())],
    ]);
    const surveyRows = surveys.map(({ id, title, status, totalResponses }) => [
      html`<a class="kern-link long-text" href="${path}/surveys/${id}">${userText(title)}</a>`,
      userText(describeApiValue(status, context)),
      format.number(totalResponses),
    ]);
    const body = html`${paragraph(text.statistics.intro)}${total}
<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>
${overview.submissions === 0 ? section(text.statistics.submissions, paragraph(text.statistics.noSubmissions)) : submissions(context, overview)}
${section(text.statistics.sessionsByCommittee, overview.committees.length === 0 ? paragraph(text.statistics.noSessions) : counts(context, text.statistics.sessionsByCommittee, text.statistics.committee, overview.committees, overview.sessions))}
${section(text.statistics.surveys, surveys.length === 0 ? paragraph(text.statistics.noSurveys) : table(text.statistics.surveys, [{ heading: text.statistics.survey }, { heading: text.statistics.status }, { heading: text.statistics.responses, numeric: true }], surveyRows, { hideCaption: true }))}`;
    return { title: text.statistics.title, body };
  }

  function submissions(context: TenantContext, overview: PublishedStatistics): SafeHtml {
    const { text } = context;
    const topics = overview.topics.slice(0, shownTopics);
    const others = overview.topics.slice(shownTopics).reduce((sum, { count }) => sum + count, 0);
    const rest = [
      ...(others > 0 ? [{ name: text.statistics.otherTopics, count: others }] : []),
      ...(overview.withoutTopic > 0
        ? [{ name: text.statistics.withoutTopic, count: overview.withoutTopic }]
        : []),
    ];
    const all = overview.submissions;
    return html`${section(text.statistics.byMonth, byMonth(context, overview))}
${section(text.statistics.topics, counts(context, text.statistics.topics, text.statistics.topic, [...topics, ...rest], all))}
${section(text.statistics.mostSupported, mostSupported(context, overview))}`;
  }

  function byMonth(context: TenantContext, { months, statuses }: PublishedStatistics): SafeHtml {
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
      { heading: text.statistics.period },
      ...series.map(({ name }) => ({ heading: userText(name), numeric: true })),
      { heading: text.statistics.total, numeric: true },
    ];
    const rows = periods.map(({ label, byStatus }, place) => [
      label,
      ...series.map(({ values }) => format.number(values[place] ?? 0)),
      format.number(sum(byStatus.values())),
    ]);
    // Years would dwarf the months in a chart.
    const charted = periods.filter(({ isMonth }) => isMonth).length;
    const oldestFirst = series.map(({ values, ...one }) => ({
      ...one,
      values: values.slice(0, charted).toReversed(),
    }));
    const labels = periods
      .slice(0, charted)
      .map(({ label }) => label)
      .toReversed();
    return html`${columnChart(text.statistics.byMonth, labels, oldestFirst, format.number)}${table(text.statistics.byMonth, columns, rows, { hideCaption: true })}`;
  }

  function mostSupported(
    context: TenantContext,
    { mostSupported: documents }: PublishedStatistics,
  ): SafeHtml {
    const { text, format } = context;
    if (documents.length === 0) return paragraph(text.statistics.noSupport);
    const found = documents.map((document) => JSON.parse(document) as SubmissionRecord);
    const most = found[0]?.supportCount ?? 0;
    const rows = found.map(({ id, referenceNumber, description, status, supportCount }) => [
      html`<span class="long-text">${userText(excerpt(description) || id)}</span>`,
      userText(referenceNumber ?? '–'),
      userText(describeApiValue(status, context)),
      html`${format.number(supportCount)}`,
      bar(supportCount, most),
    ]);
    const columns = [
      { heading: text.statistics.submission },
      { heading: text.statistics.reference },
      { heading: text.statistics.status },
      { heading: text.statistics.supporters, numeric: true },
      { heading: text.statistics.share },
    ];
    return table(text.statistics.mostSupported, columns, rows, { hideCaption: true });
  }

  function counts(
    { text, format }: TenantContext,
    caption: string,
    heading: string,
    entries: readonly NamedCount[],
    whole: number,
  ): SafeHtml {
    const rows = entries.map(({ name, count }) => [
      html`<span class="long-text">${userText(name)}</span>`,
      format.number(count),
      html`${bar(count, whole)} ${format.percent(whole === 0 ? 0 : count / whole)}`,
    ]);
    const columns = [
      { heading },
      { heading: text.statistics.count, numeric: true },
      { heading: text.statistics.share },
    ];
    return table(caption, columns, rows, { hideCaption: true });
  }

  async function surveyPage(context: TenantContext): Promise<Page> {
    const { text, format, organization, params } = context;
    const document = await store.findSurveyResults(organization.id, params.surveyId?.toLowerCase() ?? '');
    if (document === undefined) throw notFound();
    const { title, status, totalResponses, questions } = JSON.parse(document) as SurveyRecord;
    const back = `/admin/organizations/${organization.id}/published`;
    const answered = questions.map(({ questionText, questionType, options }, index) => {
      const rows = options.map(({ optionText, responseCount }) => [
        html`<span class="long-text">${userText(optionText)}</span>`,
        format.number(responseCount),
        html`${bar(responseCount, totalResponses)} ${totalResponses > 0 ? format.percent(responseCount / totalResponses) : ''}`,
      ]);
      const columns = [
        { heading: text.statistics.option },
        { heading: text.statistics.count, numeric: true },
        { heading: text.statistics.shareOf(format.number(totalResponses)) },
      ];
      const name = `${index + 1}. ${questionText}`;
      return html`<section><h2 class="kern-heading-medium">${index + 1}. ${userText(questionText)}</h2>${paragraph(text.statistics.questionType, ': ', userText(describeApiValue(questionType, context)))}${options.length === 0 ? paragraph(text.statistics.noOptions) : table(name, columns, rows, { hideCaption: true })}</section>`;
    });
    const body = html`${paragraph(link(back, text.statistics.title))}
${descriptionList([
  [text.statistics.status, userText(describeApiValue(status, context))],
  [text.statistics.responses, format.number(totalResponses)],
])}
<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>
${answered.length === 0 ? paragraph(text.statistics.noQuestions) : answered}`;
    return { title, body };
  }

  const base = '/admin/organizations/:organizationId/published';
  return [
    { path: base, access: 'tenant', get: statisticsPage },
    { path: `${base}/surveys/:surveyId`, access: 'tenant', get: surveyPage },
  ];
}

const section = (title: string, content: SafeHtml) =>
  html`<section><h2 class="kern-heading-medium">${title}</h2>${content}</section>`;

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

/** The beginning of a text on one line. */
function excerpt(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= maxExcerptLength
    ? characters.join('')
    : `${characters.slice(0, maxExcerptLength - 1).join('')}…`;
}
