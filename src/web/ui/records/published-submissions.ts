/** Published submissions: their search, their list, and the content of each as citizens and programs read it. */

import { findField } from '../../../contract/field.ts';
import { documentLists, type SubmissionFilter } from '../../../contract/operations.ts';
import type { Submission } from '../../../contract/resources/submission.ts';
import type { SearchPage, Store } from '../../../domain/store.ts';
import { uuidPattern } from '../../../domain/values/uuid.ts';
import {
  apiValueText,
  dataLanguageAttribute,
  describeApiValue,
  errorSummary,
  isRecommended,
  numeric,
  paragraph,
  publishedText,
  select,
  table,
  userText,
} from '../components.ts';
import { toLocalDay } from '../formatter.ts';
import { html, mapLazily, type SafeHtml } from '../html.ts';
import { parseTimeCursor, wordsField } from '../list-page.ts';
import type { RecordsContext, ViewContext } from '../view-context.ts';
import { excerpt, importedText } from './imported-text.ts';
import { recordFields } from './record-fields.ts';
import type { SourceFields } from './record-source.ts';
import { type DateRange, dateField, parseDateRange, parseWords, startOfDay } from './search-fields.ts';
import {
  maxSearchMs,
  type SearchOptions,
  type SearchResults,
  searchPageSize,
  searchParameters,
} from './search-results.ts';

const { fields, filters } = documentLists.listSubmissions;
const filterNames = Object.keys(filters) as SubmissionFilter[];

/** Names in the query of the search. */
export const submissionParameters: readonly string[] = [...searchParameters, ...filterNames];

type SubmissionSearch = SearchOptions<'searchSubmissions' | 'findSubmission' | 'listFilterValues'>;

export async function searchSubmissions(
  context: RecordsContext,
  search: SubmissionSearch,
): Promise<SearchResults> {
  const { text } = context;
  const dates = parseDateRange(context);
  const isInvalid = Object.keys(dates.errors).length > 0;
  const form = search.toForm([
    wordsField(context, text.browse.submissionWords),
    ...(await Promise.all(filterNames.map((name) => filterField(context, search.store, name)))),
    search.sourceField ?? html``,
    dateField(context, 'from', text.audit.from, dates.errors),
    dateField(context, 'to', text.audit.until, dates.errors),
  ]);
  return {
    form: html`${errorSummary(context, dates.errors)}${form}`,
    found: isInvalid ? undefined : await findSubmissions(context, search, dates),
    none: text.statistics.noSubmissions,
    toTable: (documents) => submissionTable(context, documents),
  };
}

/** A pasted id finds its submission at once. */
async function findSubmissions(
  context: RecordsContext,
  { store, sourceId }: SubmissionSearch,
  dates: DateRange,
): Promise<SearchPage> {
  const { query, organization, timeZone } = context;
  const words = parseWords(context);
  const [id = ''] = words;
  if (words.length === 1 && uuidPattern.test(id.toLowerCase())) {
    const document = await store.findSubmission(organization.id, id.toLowerCase());
    const documents = document === undefined ? [] : [document];
    return { documents, next: undefined, total: documents.length };
  }
  return store.searchSubmissions({
    organizationId: organization.id,
    words,
    sourceId,
    filters: Object.fromEntries(
      filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])),
    ),
    from: dates.from && startOfDay(dates.from, timeZone),
    before: dates.before && startOfDay(dates.before, timeZone),
    after: parseTimeCursor(query),
    limit: searchPageSize,
    maxDurationMs: maxSearchMs,
  });
}

async function filterField(
  context: RecordsContext,
  store: Pick<Store, 'listFilterValues'>,
  name: SubmissionFilter,
): Promise<SafeHtml> {
  const { text, query, organization } = context;
  const field = findField(fields, filters[name]);
  const values = await store.listFilterValues(organization.id, name);
  const choices = values.map((value) => ({
    value,
    text: field?.words ? describeApiValue(value, context) : value,
    attributes: field?.words && isRecommended(value) ? undefined : dataLanguageAttribute(context),
  }));
  const { label } = text.submissionFields[filters[name]];
  const any = { value: '', text: text.browse.any(label) };
  return select(name, label, [any, ...choices], query.get(name) ?? '');
}

/** As the API publishes it, with its title and source where the page knows them. */
export type ShownSubmission = Submission & SourceFields;

export const submissionTitle = (
  { text }: Pick<ViewContext, 'text'>,
  { referenceNumber, description, title }: ShownSubmission,
): string => {
  if (title) return excerpt(title);
  return referenceNumber === null
    ? excerpt(description, 80) || text.terms.submission
    : text.browse.submissionTitle(referenceNumber);
};

export const submissionText = (context: ViewContext, { description }: Submission): SafeHtml =>
  description.trim() === '' ? paragraph(context.text.browse.noText) : importedText(description, context);

export const submissionContent = (context: ViewContext, submission: ShownSubmission): SafeHtml =>
  html`${submissionText(context, submission)}
${recordFields(context, 'submission', submission)}`;

function submissionTable(context: RecordsContext, documents: readonly string[]): SafeHtml {
  const { text, format, timeZone } = context;
  const rows = mapLazily(documents, (document) => {
    const submission = JSON.parse(document) as ShownSubmission;
    return [
      submissionLink(context, submission),
      submission.referenceNumber === null ? '–' : userText(submission.referenceNumber),
      apiValueText(submission.status, context),
      submission.topicCategoryName === null ? '–' : publishedText(submission.topicCategoryName, context),
      html`<time datetime="${submission.createdAt}">${format.day(toLocalDay(submission.createdAt, timeZone))}</time>`,
      format.number(submission.supportCount),
    ];
  });
  const { referenceNumber, status, topicCategoryName, createdAt, supportCount } = text.submissionFields;
  const columns = [
    text.terms.submission,
    ...[referenceNumber, status, topicCategoryName, createdAt].map(({ label }) => label),
    numeric(supportCount.label),
  ];
  return table(text.terms.submissions, columns, rows, { cards: '' });
}

/** A link with the title, or else the beginning of the text. */
export function submissionLink(
  context: RecordsContext,
  { id, description, referenceNumber, title }: ShownSubmission,
): SafeHtml {
  const beginning = excerpt(title || description);
  const name =
    beginning === ''
      ? userText(referenceNumber ?? context.text.browse.noText)
      : publishedText(beginning, context);
  return html`<a class="kern-link record-link" href="${context.recordsAddress(`submissions/${id}`)}">${name}</a>`;
}
