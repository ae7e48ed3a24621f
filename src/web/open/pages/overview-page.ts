/** The page of a municipality: its figures, what comes next, what was decided, and the downloads. */

import { geoJsonName } from '../../../contract/dataset/geojson.ts';
import { dataPackageName, type Table, tablesByKind, toCsvName } from '../../../contract/dataset/tables.ts';
import { recordKinds } from '../../../contract/resources/changes.ts';
import type { Session } from '../../../contract/resources/session.ts';
import type { SurveySummary } from '../../../contract/resources/survey.ts';
import { decidedStatuses } from '../../../domain/records/decided-statuses.ts';
import { isDraft } from '../../../domain/records/is-draft.ts';
import type { ReadStatistics } from '../../../domain/records/published-statistics.ts';
import type { RecordKind, SubmissionRecord } from '../../../domain/records/records.ts';
import type { LicensesByKind } from '../../../domain/records/source-licenses.ts';
import { parseLocalTime } from '../../../domain/values/timestamps.ts';
import { mapInSlices } from '../../../platform/time-slices.ts';
import {
  alert,
  apiValueText,
  descriptionList,
  link,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import { figureCards } from '../../ui/figure-cards.ts';
import { folded } from '../../ui/folded-content.ts';
import { toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { licenseLink } from '../../ui/license-link.ts';
import { externalLink } from '../../ui/records/imported-text.ts';
import { sessionTable } from '../../ui/records/published-sessions.ts';
import { submissionLink } from '../../ui/records/published-submissions.ts';
import { recordWordsField } from '../../ui/records/search-fields.ts';
import {
  mostSupportedTable,
  periodLinks,
  periodSections,
  surveyResponsesTable,
} from '../../ui/statistics.ts';
import { calendarName, decisionsName } from '../feeds-and-calendars.ts';
import type { OpenContext } from '../open-context.ts';
import {
  hasRows,
  openFiles,
  type SpreadsheetForm,
  spreadsheetForms,
  toSpreadsheetName,
} from '../open-files.ts';
import type { OpenPage, PageRoute } from './page-layout.ts';
import { searchForm } from './record-lists-and-details.ts';

/** Of each table of records. */
const maxRows = 5;

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
  const body = html`${paragraph(words.intro(context.content.kinds))}
${publication(context, await store.openDataPages.readLicenses(organization.id))}
${isPreliminary ? countingNotice(context) : ''}
${figures(context, read, published.length)}
${has('session') ? section(words.upcoming, await upcomingSessions(context)) : ''}
${has('submission') ? await submissionSections(context, read) : ''}
${has('survey') ? section(words.surveys, surveyResults(context, published)) : ''}
${section(words.downloads, downloads(context))}
${section(words.about, about(context))}`;
  return {
    title: words.title(organization.name),
    description: words.description(organization.name, context.content.kinds),
    body,
    isIndexed: !context.query.has('period'),
    isPreliminary,
  };
}

async function submissionSections(context: OpenContext, read: ReadStatistics | undefined): Promise<SafeHtml> {
  const { text } = context;
  const words = text.openDataPages;
  return html`${section(words.decisions, await latestDecisions(context))}
${submissionSearch(context)}
${read && read.statistics.submissions > 0 ? html`${periodLinks(context, read.statistics, (period) => periodAddress(context, period))}${periodSections(context, read.statistics)}` : ''}
${section(text.statistics.mostSupported, await support(context, read))}`;
}

/** Empty if the installation has no index of words. */
function submissionSearch(context: OpenContext): SafeHtml {
  const { text, hasWordSearch } = context;
  if (!hasWordSearch) return html``;
  return section(
    text.openDataPages.searchSubmissions,
    searchForm(context, 'submissions', recordWordsField(context, text.browse.submissionWords)),
  );
}

function periodAddress({ query, home }: OpenContext, period: string): string {
  const address = new URLSearchParams(query);
  address.set('period', period);
  return `${home.path}?${address}`;
}

const countingNotice = ({ text, homeAddress }: OpenContext): SafeHtml =>
  alert('info', text.statistics.counting, paragraph(link(homeAddress, text.statistics.reload)));

function publication(context: OpenContext, licenses: LicensesByKind): SafeHtml {
  const { text, format, organization, asOf } = context;
  const words = text.openDataPages;
  const { name, license, attribution } = organization;
  const others = sourceLicenses(context, licenses);
  return descriptionList([
    [words.publisher, userText(name)],
    [words.asOf, asOf === undefined ? words.asOfUnknown : format.time(asOf)],
    license !== null && [text.openData.license, licenseLink(license)],
    others.length > 0 && [words.sourceLicenses, html`${others}`],
    attribution !== null && [words.attribution, userText(attribution)],
  ]);
}

/** A line for each kind of record of a source that has a licence of its own. */
const sourceLicenses = ({ text }: OpenContext, licenses: LicensesByKind): SafeHtml[] =>
  recordKinds.flatMap((kind) =>
    licenses[kind].sources.map(
      ({ name, license }) =>
        html`<div>${text.terms[`${kind}s`]}, ${userText(name)}: ${licenseLink(license)}</div>`,
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
      { label: text.openDataPages.decided, value: show(decided), path: '#decisions' },
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
  const documents = await store.openDataPages.listUpcomingSessions(organization.id, now, maxRows);
  return documents.map((document) => JSON.parse(document) as Session);
}

async function upcomingSessions(context: OpenContext): Promise<SafeHtml> {
  const words = context.text.openDataPages;
  const sessions = await listNextSessions(context);
  const isTimeMissing = sessions.some(({ timeSlot }) => timeSlot === null);
  return html`${sessions.length === 0 ? paragraph(words.noUpcoming) : sessionTable(context, sessions)}
${isTimeMissing ? paragraph(words.timesUnknown) : ''}
${paragraph(link(context.recordsAddress('sessions'), words.allSessions))}
${paragraph(link(`${context.home.path}/${calendarName}`, words.calendar), ' ', words.calendarHint)}`;
}

/** The latest day first. Of one day, what was accepted or rejected comes before what was completed, which is often an answer. */
async function latestDecisions(context: OpenContext): Promise<SafeHtml> {
  const { text, format, organization, store, timeZone } = context;
  const words = text.openDataPages;
  const decided = await mapInSlices(
    await store.openDataPages.listDecidedSubmissionsByDay(organization.id, timeZone, maxRows),
    (document) => JSON.parse(document) as SubmissionRecord,
  );
  const rows = decided.map((submission) => {
    const day = toLocalDay(submission.statusChangedAt, timeZone);
    return [
      submissionLink(context, submission),
      apiValueText(submission.status, context),
      html`<time datetime="${day}">${format.day(day)}</time>`,
    ];
  });
  const columns = [text.terms.submission, text.terms.status, text.submissionFields.statusChangedAt.label];
  const introduction = (sentence: string) =>
    html`<p class="kern-body" id="decisions" tabindex="-1">${sentence}</p>`;
  if (rows.length === 0) return introduction(words.noDecisions);
  return html`${introduction(words.decisionsHint)}
${table(words.decisions, columns, rows, { cards: '' })}
${context.publicUrl === '' ? '' : paragraph(link(`${context.home.path}/${decisionsName}`, words.decisionsFeed))}`;
}

async function support(context: OpenContext, read: ReadStatistics | undefined): Promise<SafeHtml> {
  const { text, organization, store } = context;
  const words = text.openDataPages;
  const sources = await store.listUsedSources(organization.id);
  const shown = (read?.statistics.mostSupported ?? []).slice(0, maxRows);
  const lacksCounts = sources.some(({ hasSupportCounts }) => hasSupportCounts === false);
  if (shown.length === 0) return paragraph(lacksCounts ? words.supportMissing : text.statistics.noSupport);
  return html`${paragraph(words.supportHint)}
${lacksCounts ? paragraph(words.supportMissing) : ''}
${mostSupportedTable(context, shown)}`;
}

/** Surveys have no time: those that are still open come first, then those with the most responses. */
function surveyResults(context: OpenContext, surveys: readonly SurveySummary[]): SafeHtml {
  const { text } = context;
  const words = text.openDataPages;
  const isActive = ({ status }: SurveySummary) => Number(status === 'active');
  const shown = surveys
    .toSorted((one, other) => isActive(other) - isActive(one) || other.totalResponses - one.totalResponses)
    .slice(0, maxRows);
  return html`${paragraph(words.surveysHint)}
${surveyResponsesTable(context, shown)}
${paragraph(link(context.recordsAddress('surveys'), words.allSurveys))}`;
}

function downloads(context: OpenContext): SafeHtml {
  const { text, content } = context;
  const words = text.openDataPages;
  const isSuitable = (form: SpreadsheetForm) => spreadsheetForms[form] === text.audit.delimiter;
  const forms = (Object.keys(spreadsheetForms) as SpreadsheetForm[]).toSorted(
    (one, other) => Number(isSuitable(other)) - Number(isSuitable(one)),
  );
  const rows = recordKinds
    .flatMap((kind) => tablesByKind[kind].filter(({ name }) => hasRows({ kind, table: name }, content)))
    .map((each: Table) => [
      words.tables[each.name] ?? each.name,
      download(context, toCsvName(each)),
      html`${forms.map((form) => html`<div>${download(context, toSpreadsheetName(each, form))}</div>`)}`,
      download(context, `${each.name}.ndjson`),
      folded(words.columns(each.columns.length), columnNames(each)),
    ]);
  const headings = [words.table, words.csv, words.excel, words.ndjson, words.columnNames];
  const files =
    rows.length === 0
      ? ''
      : html`${paragraph(words.downloadsHint)}
${table(words.downloads, headings, rows, { cards: '' })}`;
  const locations = content.parts.includes('locations')
    ? paragraph(words.geoJson, ' ', download(context, geoJsonName))
    : '';
  return html`${files}
${locations}
${paragraph(words.dataPackage, ' ', download(context, dataPackageName))}`;
}

const columnNames = ({ columns }: Table): SafeHtml =>
  html`<ul class="kern-list">${columns.map(({ name }) => html`<li><code>${name}</code></li>`)}</ul>`;

function download({ home, format, fileSizes }: OpenContext, name: string): SafeHtml | string {
  if (!openFiles.has(name)) return '–';
  const size = fileSizes.get(name);
  return html`${link(`${home.path}/${name}`, name)}${size === undefined ? '' : ` (${format.fileSize(size)})`}`;
}

function about({ text, organization, footerUrls }: OpenContext): SafeHtml {
  const words = text.openDataPages;
  const { contact } = organization;
  const contacts = contact && [
    contact.name && userText(contact.name),
    contact.email && html`<a class="kern-link" href="mailto:${contact.email}">${userText(contact.email)}</a>`,
    contact.url && externalLink(contact.url),
  ];
  return html`${paragraph(words.howMade)}
${paragraph(words.gaps)}
${descriptionList([
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
  [
    text.navigation.privacy,
    footerUrls.privacy === undefined
      ? words.noCookies
      : html`${words.noCookies} ${externalLink(footerUrls.privacy)}`,
  ],
])}`;
}
