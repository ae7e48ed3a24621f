/** The page of a municipality: its search, its figures, what was decided, what comes next, and where the data is from. */

import { recordKinds } from '../../../contract/resources/changes.ts';
import type { Session } from '../../../contract/resources/session.ts';
import type { SurveySummary } from '../../../contract/resources/survey.ts';
import { compareSurveyEnds } from '../../../domain/records/compare-survey-ends.ts';
import { decidedStatuses } from '../../../domain/records/decided-statuses.ts';
import { isDraft } from '../../../domain/records/is-draft.ts';
import type { ReadStatistics } from '../../../domain/records/published-statistics.ts';
import type { RecordKind, SubmissionRecord } from '../../../domain/records/records.ts';
import type { LicensesByKind } from '../../../domain/records/source-licenses.ts';
import { lackSupportCounts } from '../../../domain/sources/import-source.ts';
import { parseLocalTime } from '../../../domain/values/timestamps.ts';
import { mapInSlices } from '../../../platform/time-slices.ts';
import {
  alert,
  descriptionList,
  emailText,
  link,
  paragraph,
  publishedText,
  section,
  userText,
} from '../../ui/components.ts';
import { figureCards } from '../../ui/figure-cards.ts';
import { folded } from '../../ui/folded-content.ts';
import { toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { licenseLink } from '../../ui/license-link.ts';
import { externalLink } from '../../ui/records/imported-text.ts';
import { formatTimeSlot } from '../../ui/records/published-sessions.ts';
import { submissionLink } from '../../ui/records/published-submissions.ts';
import { recordWordsField } from '../../ui/records/search-fields.ts';
import { statusBadge } from '../../ui/records/status-badge.ts';
import { periodLinks, periodSections } from '../../ui/statistics.ts';
import { calendarName, decisionsName } from '../feeds-and-calendars.ts';
import type { OpenContext } from '../open-context.ts';
import type { OpenPage, PageRoute } from './page-layout.ts';
import { searchForm } from './record-lists-and-details.ts';

/** Of sessions. */
const maxSessions = 5;

/** Of each other list of records. */
const maxRows = 3;

/** Two lines on a desk. */
const maxTitleLength = 100;

/** Beside the chart, which is as high. */
const maxTopics = 5;

async function renderOverview(context: OpenContext): Promise<OpenPage> {
  const { text, organization, store, timeZone } = context;
  const words = text.openDataPages;
  const [read, surveys] = await Promise.all([
    store.readStatistics(organization.id, timeZone),
    store.openDataPages.listSurveys(organization.id),
  ]);
  const published = surveys.filter(({ status }) => !isDraft(status));
  const isPreliminary = read?.isCurrent !== true;
  const has = (kind: RecordKind) => context.content.kinds.includes(kind);
  const records = [
    has('submission') &&
      html`${section(words.decisions, await latestDecisions(context))}
${await mostSupported(context, read)}`,
    (has('session') || has('survey')) &&
      html`${has('session') ? section(words.upcoming, await upcomingSessions(context)) : ''}
${has('survey') ? section(words.surveys, surveyResults(context, published)) : ''}`,
  ];
  const body = html`${paragraph(words.intro(context.content.kinds))}
${isPreliminary ? countingNotice(context) : ''}
${columns([context.hasWordSearch && has('submission') && submissionSearch(context), figures(context, read, published.length)])}
${columns(records)}
${has('submission') && read && read.statistics.submissions > 0 ? submissionStatistics(context, read) : ''}
${section(words.about, about(context, await store.openDataPages.readLicenses(organization.id)))}`;
  return {
    title: words.title(organization.name),
    description: words.description(organization.name, context.content.kinds),
    body,
    isIndexed: !context.query.has('period'),
    isPreliminary,
  };
}

/** Parts beside each other; a single one has the whole width. */
function columns(parts: readonly (SafeHtml | false)[]): SafeHtml {
  const shown = parts.filter((part) => part !== false);
  return shown.length < 2
    ? html`${shown}`
    : html`<div class="two-columns">${shown.map((part) => html`<div>${part}</div>`)}</div>`;
}

const submissionStatistics = (context: OpenContext, { statistics }: ReadStatistics): SafeHtml =>
  html`${periodLinks(context, statistics, (period) => periodAddress(context, period))}
${periodSections(context, statistics, {}, maxTopics)}`;

function submissionSearch(context: OpenContext): SafeHtml {
  const { text } = context;
  return section(
    text.openDataPages.searchSubmissions,
    html`<div class="open-search">${searchForm(context, 'submissions', recordWordsField(context, text.browse.submissionWords))}</div>`,
  );
}

function periodAddress({ query, home }: OpenContext, period: string): string {
  const address = new URLSearchParams(query);
  address.set('period', period);
  return `${home.path}?${address}`;
}

const countingNotice = ({ text, homeAddress }: OpenContext): SafeHtml =>
  alert('info', text.statistics.counting, paragraph(link(homeAddress, text.statistics.reload)));

/** A line for each kind of record of a source that has a licence of its own. */
const sourceLicenses = (context: OpenContext, licenses: LicensesByKind): SafeHtml[] =>
  recordKinds.flatMap((kind) =>
    licenses[kind].sources.map(
      ({ name, license }) =>
        html`<div>${context.text.terms[`${kind}s`]}, ${userText(name)}: ${licenseLink(context, license)}</div>`,
    ),
  );

function figures(context: OpenContext, read: ReadStatistics | undefined, surveys: number): SafeHtml {
  const { text, format } = context;
  const decided = read?.statistics.statuses
    .filter(({ name }) => (decidedStatuses as readonly string[]).includes(name))
    .reduce((sum, { count }) => sum + count, 0);
  const show = (count: number | undefined) =>
    count === undefined ? text.openData.counting : format.number(count);
  const cards = {
    submission: [
      {
        label: text.terms.submissions,
        value: show(read?.statistics.submissions),
        path: context.recordsAddress('submissions'),
      },
      { label: text.openDataPages.decided, value: show(decided) },
    ],
    session: [
      {
        label: text.terms.sessions,
        value: show(read?.statistics.sessions),
        path: context.recordsAddress('sessions'),
      },
    ],
    survey: [{ label: text.terms.surveys, value: show(surveys), path: context.recordsAddress('surveys') }],
  };
  const { kinds } = context.content;
  return kinds.length === 0 ? html`` : figureCards(kinds.flatMap((kind) => cards[kind]));
}

export const overviewPage: PageRoute = { render: renderOverview, parameters: ['period'] };

/** From today on, without those of today that have ended. */
export async function listNextSessions({
  organization,
  store,
  nowMs,
  timeZone,
}: Pick<OpenContext, 'organization' | 'store' | 'nowMs' | 'timeZone'>): Promise<Session[]> {
  const now = parseLocalTime(new Date(nowMs).toISOString(), timeZone);
  const documents = await store.openDataPages.listUpcomingSessions(organization.id, now, maxSessions);
  return documents.map((document) => JSON.parse(document) as Session);
}

/** @param details a line below each */
const recordList = (items: readonly { link: SafeHtml; details: SafeHtml }[]): SafeHtml =>
  html`<ul class="record-list kern-body">${items.map(({ link, details }) => html`<li>${link}<span class="record-list__details">${details}</span></li>`)}</ul>`;

async function upcomingSessions(context: OpenContext): Promise<SafeHtml> {
  const { text, format, home, recordsAddress } = context;
  const words = text.openDataPages;
  const items = (await listNextSessions(context)).map(({ id, committeeName, date, timeSlot }) => ({
    link: html`<a class="kern-link record-link" href="${recordsAddress(`sessions/${id}`)}">${publishedText(committeeName, context)}</a>`,
    details: html`<time datetime="${date}">${format.day(date)}</time> <span>${timeSlot === null ? words.timeMissing : formatTimeSlot(timeSlot)}</span>`,
  }));
  return html`${items.length === 0 ? paragraph(words.noUpcoming) : recordList(items)}
${paragraph(link(recordsAddress('sessions'), words.allSessions), ' · ', link(`${home.path}/${calendarName}`, words.calendar))}`;
}

/** The latest day first. Of one day, what was accepted or rejected comes before what was completed, which is often an answer. */
async function latestDecisions(context: OpenContext): Promise<SafeHtml> {
  const { text, format, organization, store, timeZone } = context;
  const words = text.openDataPages;
  const decided = await mapInSlices(
    await store.openDataPages.listDecidedSubmissionsByDay(organization.id, timeZone, maxRows),
    (document) => JSON.parse(document) as SubmissionRecord,
  );
  const items = decided.map((submission) => {
    const day = toLocalDay(submission.statusChangedAt, timeZone);
    return {
      link: submissionLink(context, submission, [], maxTitleLength),
      details: html`${statusBadge(context, submission.status)} <time datetime="${day}">${format.day(day)}</time>`,
    };
  });
  if (items.length === 0) return html`<p class="kern-body" id="decisions">${words.noDecisions}</p>`;
  return html`<div id="decisions">${recordList(items)}</div>
${context.publicUrl === '' ? '' : paragraph(link(`${context.home.path}/${decisionsName}`, words.decisionsFeed))}`;
}

/** Nothing if no source counts support. */
async function mostSupported(context: OpenContext, read: ReadStatistics | undefined): Promise<SafeHtml> {
  const { text, format, organization, store } = context;
  const words = text.openDataPages;
  const sources = await store.listUsedSources(organization.id);
  const shown = (read?.statistics.mostSupported ?? []).slice(0, maxRows);
  const { mostSupported: title, noSupport } = text.statistics;
  if (shown.length === 0) return lackSupportCounts(sources) ? html`` : section(title, paragraph(noSupport));
  const lacksCounts = sources.some(({ hasSupportCounts }) => hasSupportCounts === false);
  const items = shown.map((document) => {
    const submission = JSON.parse(document) as SubmissionRecord;
    const { label } = text.submissionFields.supportCount;
    return {
      link: submissionLink(context, submission, [], maxTitleLength),
      details: html`<span>${label}: ${format.number(submission.supportCount)}</span>`,
    };
  });
  return section(
    title,
    html`${lacksCounts ? paragraph(words.supportMissing) : ''}
${recordList(items)}`,
  );
}

/** Those that are still open come first, then those that ended last. */
function surveyResults(context: OpenContext, surveys: readonly SurveySummary[]): SafeHtml {
  const { text, format, recordsAddress } = context;
  const words = text.openDataPages;
  const isActive = ({ status }: SurveySummary) => Number(status === 'active');
  const items = surveys
    .toSorted((one, other) => isActive(other) - isActive(one) || compareSurveyEnds(one, other))
    .slice(0, maxRows)
    .map(({ id, title, status, totalResponses }) => ({
      link: html`<a class="kern-link record-link" href="${recordsAddress(`surveys/${id}`)}">${publishedText(title, context)}</a>`,
      details: html`${statusBadge(context, status)} <span>${text.dryRun.surveyFields.totalResponses}: ${format.number(totalResponses)}</span>`,
    }));
  return html`${recordList(items)}
${paragraph(link(recordsAddress('surveys'), words.allSurveys))}`;
}

function about(context: OpenContext, licenses: LicensesByKind): SafeHtml {
  const { text, format, organization, footerUrls, content, asOf } = context;
  const words = text.openDataPages;
  const { name, license, attribution, contact } = organization;
  const others = sourceLicenses(context, licenses);
  const contacts = contact && [
    contact.name && userText(contact.name),
    contact.email &&
      html`<a class="kern-link" href="mailto:${contact.email}">${emailText(contact.email)}</a>`,
    contact.url && externalLink(contact.url),
  ];
  const facts = descriptionList([
    [words.publisher, userText(name)],
    [words.asOf, asOf === undefined ? words.asOfUnknown : format.time(asOf)],
    license !== null && [text.openData.license, licenseLink(context, license)],
    others.length > 0 && [words.sourceLicenses, html`${others}`],
    attribution !== null && [words.attribution, userText(attribution)],
    [
      words.contact,
      contacts === null
        ? words.noContact
        : html`${contacts.filter(Boolean).map((line) => html`<div>${line}</div>`)}`,
    ],
    footerUrls.accessibility !== undefined && [
      text.navigation.accessibility,
      externalLink(footerUrls.accessibility),
    ],
    footerUrls.privacy !== undefined && [text.navigation.privacy, externalLink(footerUrls.privacy)],
  ]);
  const isOnlySurveys = content.kinds.join() === 'survey';
  const { howMade, gaps } = isOnlySurveys ? words.aboutSurveys : words.aboutRecords;
  return columns([
    html`${paragraph(howMade)}
${paragraph(gaps)}
${explanations(context)}`,
    facts,
  ]);
}

/** How the lists of the page are made. */
function explanations({ text, content, mapBackground }: OpenContext): SafeHtml {
  const words = text.openDataPages;
  const sentences = {
    submission: [words.decisionsHint, words.supportHint],
    session: [words.calendarHint],
    survey: [words.surveysHint],
  };
  const { kinds } = content;
  const paragraphs = kinds.flatMap((kind) => sentences[kind]).map((sentence) => paragraph(sentence));
  const loaded =
    mapBackground && content.parts.includes('locations') ? new URL(mapBackground.tiles).origin : undefined;
  return folded(words.explanations, html`${paragraphs}${paragraph(words.noCookies(loaded))}`);
}
