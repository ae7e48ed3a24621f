/** Statistics of a municipality's published data. */

import type { SurveySummary } from '../../../contract/resources/survey.ts';
import { isDraft } from '../../../domain/records/is-draft.ts';
import type { ReadStatistics } from '../../../domain/records/published-statistics.ts';
import type { SubmissionRecord } from '../../../domain/records/records.ts';
import {
  actionLink,
  alert,
  describeApiValue,
  link,
  paragraph,
  section,
  userText,
} from '../../ui/components.ts';
import { figureCards } from '../../ui/figure-cards.ts';
import { foldedSection } from '../../ui/folded-content.ts';
import { toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import {
  choosePeriod,
  committeeTable,
  listOtherCommittees,
  mostSupportedTable,
  periodFigure,
  periodLinks,
  periodSections,
  type RecordFilters,
  sum,
  surveyResponsesTable,
} from '../../ui/statistics.ts';
import type { AdminContext } from '../admin-context.ts';
import { createCsvDownload } from '../csv-download.ts';
import type { TenantContext } from '../requests/page-context.ts';
import type { AdminResponse, UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { nameSource, readSourceFilter, type SourceFilter } from '../ui/data-browser.ts';
import { organizationPath } from '../ui/navigation.ts';

/** The statistics of one source or of all, and the surveys. */
interface Statistics extends ReadStatistics {
  source: SourceFilter;
  surveys: readonly SurveySummary[];
  drafts: number;
}

/** The previous statistics of a large municipality, or none, are shown while new ones are counted. */
export function statisticsRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /** @returns undefined while the statistics are counted and earlier ones must not be shown */
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
    const { text, format } = context;
    const read = await readStatistics(context);
    if (read === undefined) return { body: countingNotice(context) };
    const { sessions } = read.statistics;
    const filters = sourceParameter(read.source);
    const body = html`${sourceLinks(context, read.source)}
${read.isCurrent ? '' : countingNotice(context)}
${read.statistics.submissions === 0 ? '' : periodLinks(context, read.statistics, (period) => chosenUrl(context, { period }))}
${figures(context, read)}
${submissionSections(context, read)}
${foldedSection(text.statistics.sessionsByCommittee, sessions > 0 ? committeeTable(context, read.statistics, filters) : noneNote(context, read.source, text.statistics.noSessions))}
${foldedSection(text.terms.surveys, read.surveys.length > 0 ? surveyResponsesTable(context, read.surveys) : noneNote(context, read.source, text.statistics.noSurveys))}
<p class="kern-body kern-body--small">${text.statistics.asOf}: ${format.time(new Date(read.computedAtMs).toISOString())}</p>
<div class="actions">${actionLink(chosenUrl(context, {}, '.csv'), text.statistics.download)} ${printButton(context)}</div>`;
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
    { path, title: (text) => text.statistics.title, group: 'data', access: 'see', get: statisticsPage },
    { path: `${path}.csv`, access: 'see', get: download },
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

/** In lists of records, as in the address of this page. */
const sourceParameter = ({ sourceId }: SourceFilter): RecordFilters =>
  sourceId === undefined ? {} : { source: String(sourceId) };

function figures(context: TenantContext, { statistics, surveys, drafts, source }: Statistics): SafeHtml {
  const { text, format, recordsAddress } = context;
  const parameters = new URLSearchParams(sourceParameter(source));
  const toList = (list: string) => recordsAddress(parameters.size > 0 ? `${list}?${parameters}` : list);
  const cards = figureCards([
    periodFigure(context, statistics, sourceParameter(source)),
    {
      label: text.statistics.ofAllTime(text.terms.sessions),
      value: format.number(statistics.sessions),
      path: toList('sessions'),
    },
    {
      label: text.statistics.ofAllTime(text.terms.surveys),
      value: format.number(surveys.length),
      ...(drafts > 0 && { note: text.statistics.drafts(format.number(drafts)) }),
      path: toList('surveys'),
    },
  ]);
  // Prints do not have the links.
  const chosen = source.sources.find(({ id }) => id === source.sourceId);
  return html`${chosen === undefined ? '' : paragraph(html`${text.imports.source}: ${userText(nameSource(chosen))}`)}${cards}`;
}

/** The sections about submissions of the chosen period, and the most supported ones of all time. */
function submissionSections(context: TenantContext, { statistics, source }: Statistics): SafeHtml {
  const { text } = context;
  const { submissions, mostSupported } = statistics;
  if (submissions === 0)
    return section(text.terms.submissions, noneNote(context, source, text.statistics.noSubmissions));
  const supported =
    mostSupported.length === 0
      ? noneNote(context, source, text.statistics.noSupport)
      : mostSupportedTable(context, mostSupported);
  return html`${periodSections(context, statistics, sourceParameter(source))}
${foldedSection(text.statistics.mostSupported, html`${supportNote(context, source)}${supported}`)}`;
}

/** @param ofAll the sentence about all sources */
const noneNote = ({ text }: TenantContext, { sourceId }: SourceFilter, ofAll: string): SafeHtml =>
  paragraph(sourceId === undefined ? ofAll : text.statistics.noneOfSource);

/** A source without support counts says nothing about the support, although 0 is published. */
function supportNote({ text }: TenantContext, { sources, sourceId }: SourceFilter): SafeHtml | string {
  const concerned = sources.filter(
    ({ id, hasSupportCounts }) => hasSupportCounts === false && (sourceId === undefined || id === sourceId),
  );
  if (concerned.length === 0) return '';
  const names = concerned.map((source) => html`<li>${userText(nameSource(source))}</li>`);
  return html`${paragraph(text.statistics.withoutSupport)}<ul class="long-text">${names}</ul>`;
}

const printButton = ({ text }: TenantContext): SafeHtml =>
  html`<button class="kern-btn kern-btn--secondary" type="button" hidden data-print><span class="kern-label">${text.statistics.print}</span></button>`;
