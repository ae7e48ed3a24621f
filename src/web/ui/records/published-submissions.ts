/** Published submissions: their search and their list. */

import { findField } from '../../../contract/field.ts';
import { findMarks } from '../../../contract/mark-words.ts';
import { documentLists, type SubmissionFilter } from '../../../contract/operations.ts';
import type { SearchWord } from '../../../contract/search-words.ts';
import type { PublishedSubmissionSearch, SearchPage, Store } from '../../../domain/store.ts';
import { findStartOfDay } from '../../../domain/values/timestamps.ts';
import { uuidPattern } from '../../../domain/values/uuid.ts';
import { isSliceUsedUp, waitForSlice } from '../../../platform/time-slices.ts';
import {
  apiValueText,
  dataLanguageAttribute,
  describeApiValue,
  errorSummary,
  isRecommended,
  link,
  numeric,
  paragraph,
  publishedText,
  select,
  sortApiValues,
  table,
  userText,
} from '../components.ts';
import { toLocalDay } from '../formatter.ts';
import { html, mapLazily, type SafeHtml } from '../html.ts';
import { parseTimeCursor } from '../list-page.ts';
import type { RecordsContext } from '../view-context.ts';
import { excerpt, withoutTitle } from './imported-text.ts';
import { findExtract, markedText } from './marked-text.ts';
import { dateField, parseDateRange, parseWords, recordWordsField } from './search-fields.ts';
import {
  type FoundRecords,
  findRecords,
  type SearchOptions,
  type SearchResults,
  searchPageSize,
  searchParameters,
} from './search-results.ts';
import type { ShownSubmission } from './submission-content.ts';

const { fields, filters } = documentLists.listSubmissions;
const filterNames = Object.keys(filters) as SubmissionFilter[];

/** Names in the query of the search. */
export const submissionParameters: readonly string[] = [...searchParameters, ...filterNames];

type SubmissionSearch = SearchOptions<
  'searchSubmissions' | 'findSubmission' | 'findByReferenceNumber' | 'listFilterValues'
>;

/** The search in the query of a page. */
export interface SubmissionQuery {
  words: readonly SearchWord[];
  filters: Pick<PublishedSubmissionSearch, 'organizationId' | 'filters' | 'from' | 'before'>;
  /** By field. Empty: the query is valid. */
  errors: Readonly<Record<string, string>>;
}

export function parseSubmissionQuery(context: RecordsContext): SubmissionQuery {
  const { query, organization, timeZone } = context;
  const { words, errors } = parseWords(context);
  const dates = parseDateRange(context);
  const given = filterNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []));
  const filters = {
    organizationId: organization.id,
    filters: Object.fromEntries(given),
    from: dates.from && findStartOfDay(Temporal.PlainDate.from(dates.from), timeZone),
    before: dates.before && findStartOfDay(Temporal.PlainDate.from(dates.before), timeZone),
  };
  return { words, filters, errors: { ...errors, ...dates.errors } };
}

/** The form of a search, after its errors. */
export async function submissionForm(
  context: RecordsContext,
  { store, toForm, sourceField = html`` }: SearchOptions<'listFilterValues'>,
  { errors }: SubmissionQuery,
): Promise<SafeHtml> {
  const { text } = context;
  const form = toForm([
    recordWordsField(context, text.browse.submissionWords, errors),
    ...(await Promise.all(filterNames.map((name) => filterField(context, store, name)))),
    sourceField,
    dateField(context, 'from', text.audit.from, errors),
    dateField(context, 'to', text.audit.until, errors),
  ]);
  return html`${errorSummary(context, errors)}${form}`;
}

export const isValid = ({ errors }: SubmissionQuery): boolean => Object.keys(errors).length === 0;

export async function searchSubmissions(
  context: RecordsContext,
  search: SubmissionSearch,
): Promise<SearchResults> {
  const { text } = context;
  const asked = parseSubmissionQuery(context);
  const form = await submissionForm(context, search, asked);
  const found = isValid(asked)
    ? await findRecords(asked.words, (words) => findSubmissions(context, search, { ...asked, words }))
    : undefined;
  return {
    form,
    found,
    none: text.statistics.noSubmissions,
    intro: found === undefined ? html`` : await referenceLine(context, search, found),
    table:
      found === undefined
        ? html``
        : await submissionTable(context, found.documents, found.words, search.lacksSupport),
  };
}

/** The id of a submission in the field `words`. */
export function findPastedId(query: URLSearchParams): string | undefined {
  const id = (query.get('words') ?? '').trim().toLowerCase();
  return uuidPattern.test(id) ? id : undefined;
}

/** A pasted id finds its submission at once. */
async function findSubmissions(
  { query, organization }: RecordsContext,
  { store, sourceId }: SubmissionSearch,
  { words, filters }: SubmissionQuery,
): Promise<SearchPage> {
  const id = words.length === 0 ? undefined : findPastedId(query);
  if (id !== undefined) {
    const document = await store.findSubmission(organization.id, id);
    const documents = document === undefined ? [] : [document];
    return { documents, next: undefined, total: documents.length };
  }
  return store.searchSubmissions({
    ...filters,
    words,
    sourceId,
    after: parseTimeCursor(query),
    limit: searchPageSize,
  });
}

/** A link to the submission whose reference number somebody has typed, whatever else the search finds. */
async function referenceLine(
  context: RecordsContext,
  { store }: SubmissionSearch,
  { words }: FoundRecords,
): Promise<SafeHtml> {
  const { query, text, organization, recordsAddress } = context;
  const typed = query.get('words') ?? '';
  // Another search for each query would be too much, and reference numbers have digits.
  if (words.length === 0 || query.has('after') || !/\p{N}/u.test(typed)) return html``;
  const document = await store.findByReferenceNumber(organization.id, typed);
  if (document === undefined) return html``;
  const submission = JSON.parse(document) as ShownSubmission;
  const { id, title, description, referenceNumber } = submission;
  const name = excerpt(title || description) || text.browse.noText;
  return paragraph(
    html`${text.submissionFields.referenceNumber.label} ${userText(referenceNumber ?? '')}: ${link(recordsAddress(`submissions/${id}`), publishedText(name, context))}`,
  );
}

interface FoundSubmission {
  submission: ShownSubmission;
  /** The part of the text, or else of the answer, with a word of the search, unless the page shows that part anyway. */
  extract: string | undefined;
}

async function readRows(
  documents: readonly string[],
  words: readonly SearchWord[],
): Promise<FoundSubmission[]> {
  const rows: FoundSubmission[] = [];
  for (const document of documents) {
    if (isSliceUsedUp()) await waitForSlice();
    const submission = JSON.parse(document) as ShownSubmission;
    const { title, description, answer } = submission;
    const isShown = !title && findMarks(excerpt(description), words).length > 0;
    const rest = withoutTitle(description, title);
    const extract = isShown
      ? undefined
      : ((await findExtract(rest, words)) ?? (await findExtract(answer ?? '', words)));
    rows.push({ submission, extract });
  }
  return rows;
}

async function filterField(
  context: RecordsContext,
  store: Pick<Store, 'listFilterValues'>,
  name: SubmissionFilter,
): Promise<SafeHtml> {
  const { text, query, organization } = context;
  const field = findField(fields, filters[name]);
  const values = await store.listFilterValues(organization.id, name);
  const choices = sortApiValues(values, field?.words ?? [], context).map((value) => ({
    value,
    text: field?.words ? describeApiValue(value, context) : value,
    attributes: field?.words && isRecommended(value) ? undefined : dataLanguageAttribute(context),
  }));
  const { label } = text.submissionFields[filters[name]];
  const any = { value: '', text: text.browse.any(label) };
  return select(name, label, [any, ...choices], query.get(name) ?? '');
}

/** @param words are marked @param lacksSupport support counts of 0 mean nothing */
export async function submissionTable(
  context: RecordsContext,
  documents: readonly string[],
  words: readonly SearchWord[],
  lacksSupport = false,
): Promise<SafeHtml> {
  const { text, format, timeZone } = context;
  const found = await readRows(documents, words);
  const hasSupport = !lacksSupport || found.some(({ submission }) => submission.supportCount > 0);
  const rows = mapLazily(found, ({ submission, extract }) => {
    const { referenceNumber, status, topicCategoryName, createdAt, supportCount } = submission;
    return [
      html`${submissionLink(context, submission, words)}${extract && html`<br><span class="kern-hint">${publishedText(markedText(extract, words), context)}</span>`}`,
      referenceNumber === null ? '–' : userText(markedText(referenceNumber, words)),
      apiValueText(status, context),
      topicCategoryName === null ? '–' : publishedText(markedText(topicCategoryName, words), context),
      html`<time datetime="${createdAt}">${format.day(toLocalDay(createdAt, timeZone))}</time>`,
      ...(hasSupport ? [format.number(supportCount)] : []),
    ];
  });
  const { referenceNumber, status, topicCategoryName, createdAt, supportCount } = text.submissionFields;
  const columns = [
    text.terms.submission,
    ...[referenceNumber, status, topicCategoryName, createdAt].map(({ label }) => label),
    ...(hasSupport ? [numeric(supportCount.label)] : []),
  ];
  return table(text.terms.submissions, columns, rows, { cards: '' });
}

/** A link with the title, or else the beginning of the text. @param words are marked @param maxLength default: that of a list */
export function submissionLink(
  context: RecordsContext,
  { id, description, referenceNumber, title }: ShownSubmission,
  words: readonly SearchWord[] = [],
  maxLength?: number,
): SafeHtml {
  const beginning = excerpt(title || description, maxLength);
  const name =
    beginning === ''
      ? userText(referenceNumber ?? context.text.browse.noText)
      : publishedText(markedText(beginning, words), context);
  return html`<a class="kern-link record-link" href="${context.recordsAddress(`submissions/${id}`)}">${name}</a>`;
}
