/** Lists of published records with a search, and a page for each record. */

import type { RecordKind } from '../../../domain/records/records.ts';
import { lackSupportCounts } from '../../../domain/sources/import-source.ts';
import type { LargeDocument } from '../../../domain/store.ts';
import { descriptionList, link, paragraph, section, userText } from '../../ui/components.ts';
import { foldedSection } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { licenseLink } from '../../ui/license-link.ts';
import { excerpt } from '../../ui/records/imported-text.ts';
import {
  agendaSection,
  type SessionWithAgenda,
  searchSessions,
  sessionContent,
  sessionTitle,
} from '../../ui/records/published-sessions.ts';
import { searchSubmissions, submissionParameters } from '../../ui/records/published-submissions.ts';
import { searchSurveys, surveyContent, surveyParameters } from '../../ui/records/published-surveys.ts';
import { readSourceFields, type SourceFields } from '../../ui/records/record-source.ts';
import { parseWords } from '../../ui/records/search-fields.ts';
import {
  hasFilters,
  searchActions,
  searchParameters,
  searchResults,
} from '../../ui/records/search-results.ts';
import {
  maxShownSessions,
  type ShownSubmission,
  submissionContent,
  submissionTitle,
} from '../../ui/records/submission-content.ts';
import { locateCommittee } from '../feeds-and-calendars.ts';
import type { OpenContext } from '../open-context.ts';
import { locateOnMap, mapLink } from './map-links.ts';
import type { OpenPage, PageRoute } from './page-layout.ts';

/** Of a session. */
const maxAgenda = 100;

type ListName = 'submissions' | 'sessions' | 'surveys';

type RenderRecord = (context: OpenContext, id: string) => Promise<OpenPage | undefined>;

/** A form of method GET, so that each search has an address. @param list end of its address */
export function searchForm(context: OpenContext, list: string, fields: SafeHtml | SafeHtml[]): SafeHtml {
  const language = context.query.get('language');
  return html`<form method="get" action="${context.home.path}/${list}" class="filters" role="search">
${language && html`<input type="hidden" name="language" value="${language}">`}
${fields}
${searchActions(context)}
</form>`;
}

const listPage = (
  context: OpenContext,
  list: ListName,
  body: SafeHtml,
  { isValid, isPreliminary = false }: { isValid: boolean; isPreliminary?: boolean },
): OpenPage => ({
  title: context.text.terms[list],
  description: context.text.openDataPages.listDescription[list](context.organization.name),
  body,
  isIndexed: !hasFilters(context),
  status: isValid ? 200 : 400,
  isPreliminary,
});

const toOptions = (context: OpenContext, list: ListName) => ({
  store: context.store.openDataPages,
  toForm: (fields: SafeHtml[]) => searchForm(context, list, fields),
});

export const lacksSupport = async ({ store, organization }: OpenContext): Promise<boolean> =>
  lackSupportCounts(await store.listUsedSources(organization.id));

/** A search for rare words reads every segment of their index, so the searches of a client wait for each other. */
const runSearch = <Result>(context: OpenContext, search: () => Promise<Result>): Promise<Result> =>
  parseWords(context).words.length > 0 ? context.searchInTurn(search) : search();

const renderRecordList =
  (list: 'submissions' | 'sessions', search: typeof searchSubmissions | typeof searchSessions) =>
  async (context: OpenContext): Promise<OpenPage> => {
    const options = {
      ...toOptions(context, list),
      lacksSupport: list === 'submissions' && (await lacksSupport(context)),
    };
    const results = await runSearch(context, () => search(context, options));
    const { found } = results;
    const intro = html`${results.intro}${list === 'submissions' ? mapLink(context) : ''}`;
    return listPage(context, list, searchResults(context, { ...results, intro }), {
      isValid: found !== undefined,
      isPreliminary: found?.isWithoutWords === true,
    });
  };

export const listPages: ReadonlyMap<string, PageRoute> = new Map<ListName, PageRoute>([
  [
    'submissions',
    { parameters: submissionParameters, render: renderRecordList('submissions', searchSubmissions) },
  ],
  ['sessions', { parameters: searchParameters, render: renderRecordList('sessions', searchSessions) }],
  [
    'surveys',
    {
      parameters: surveyParameters,
      render: async (context) => {
        const { body, isValid } = await runSearch(context, () =>
          searchSurveys(context, toOptions(context, 'surveys')),
        );
        const content = html`${paragraph(context.text.openDataPages.surveysHint)}${body}`;
        return listPage(context, 'surveys', content, { isValid });
      },
    },
  ],
]);

async function recordPage(
  context: OpenContext,
  { kind, id }: { kind: RecordKind; id: string },
  heading: Pick<OpenPage, 'title' | 'isPublishedTitle'>,
  body: SafeHtml,
): Promise<OpenPage> {
  const { text, store, organization } = context;
  const list = `${kind}s` as const;
  const source = await store.openDataPages.findSourceLicense(organization.id, kind, id);
  const license = source?.license ?? organization.license;
  const terms = descriptionList([
    license !== null && [text.openData.license, licenseLink(context, license)],
    source !== undefined && [text.imports.source, userText(source.name)],
  ]);
  return {
    ...heading,
    description: excerpt(heading.title),
    body: html`${body}
${section(text.openDataPages.terms, terms)}
${foldedSection(text.browse.forPrograms, descriptionList([[text.imports.id, html`<code>${id}</code>`]]))}`,
    parents: [{ path: context.recordsAddress(list), name: text.terms[list] }],
    isIndexed: organization.openDataIndex === 'on',
  };
}

async function submissionPage(context: OpenContext, id: string): Promise<OpenPage | undefined> {
  const { store, organization } = context;
  const document = await store.openDataPages.findSubmission(organization.id, id);
  if (document === undefined) return undefined;
  const source = await readSourceFields(store.openDataPages, organization.id, 'submission', id);
  const submission: ShownSubmission = { ...JSON.parse(document), ...source };
  const sessions = await store.openDataPages.listSessionsOfSubmission(organization.id, id, maxShownSessions);
  const body = submissionContent(context, submission, {
    sessions: context.content.kinds.includes('session') ? sessions : undefined,
    lacksSupport: await lacksSupport(context),
    mapLink: locateOnMap(context, submission),
  });
  const hasOwnWords = submission.referenceNumber === null && submission.description.trim() !== '';
  const heading = {
    title: submissionTitle(context, submission),
    isPublishedTitle: Boolean(submission.title) || hasOwnWords,
  };
  return recordPage(context, { kind: 'submission', id }, heading, body);
}

async function sessionPage(context: OpenContext, id: string): Promise<OpenPage | undefined> {
  const { text, store, organization } = context;
  const found = await store.openDataPages.findSession(organization.id, id);
  if (found === undefined) return undefined;
  const source = await readSourceFields(store.openDataPages, organization.id, 'session', id);
  const session: SessionWithAgenda & SourceFields = { ...JSON.parse(await readStart(found)), ...source };
  const shown = { ...session, submissions: session.submissions.slice(0, maxAgenda) };
  const body = html`${sessionContent(context, session)}
${session.timeSlot === null ? paragraph(text.openDataPages.timeUnknown) : ''}
${paragraph(link(`${context.home.path}/${locateCommittee(session.committeeName)}`, text.openDataPages.committeeCalendar))}
${agendaSection(context, shown)}`;
  return recordPage(context, { kind: 'session', id }, { title: sessionTitle(context, session) }, body);
}

/** Of a large document, the first entries. */
async function readStart(document: string | LargeDocument): Promise<string> {
  if (typeof document === 'string') return document;
  try {
    for await (const chunk of document.chunks) return chunk + document.closing;
    return document.closing;
  } finally {
    await document.close();
  }
}

async function surveyPage(context: OpenContext, id: string): Promise<OpenPage | undefined> {
  const { text, store, organization } = context;
  const survey = await store.openDataPages.findSurvey(organization.id, id);
  if (survey === undefined) return undefined;
  const body = html`${paragraph(text.openDataPages.surveysHint)}${surveyContent(context, survey)}`;
  return recordPage(context, { kind: 'survey', id }, { title: survey.title, isPublishedTitle: true }, body);
}

export const recordPages: ReadonlyMap<string, RenderRecord> = new Map<ListName, RenderRecord>([
  ['submissions', submissionPage],
  ['sessions', sessionPage],
  ['surveys', surveyPage],
]);
