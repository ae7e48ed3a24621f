/** Published submissions: a searchable list, and each submission as citizens and programs read it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { findField } from '../../../contract/field.ts';
import { documentLists, type SubmissionFilter } from '../../../contract/operations.ts';
import type { SubmissionRecord } from '../../../domain/records.ts';
import type { SearchPage } from '../../../domain/store.ts';
import { uuidPattern } from '../../../domain/uuid.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../page-context.ts';
import type { AdminResponse, Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import {
  describeApiValue,
  errorSummary,
  numeric,
  paragraph,
  select,
  table,
  userText,
} from '../../ui/components.ts';
import {
  type DateRange,
  dataPath,
  dateField,
  excerpt,
  parseDateRange,
  parseWords,
  readRecord,
  readSourceFilter,
  recordPage,
  redirectToFilters,
  type SourceFilter,
  searchFields,
  sourceText,
  startOfDay,
  toLocalDay,
} from '../../ui/data-browser.ts';
import { parseTimeCursor, wordsField } from '../../ui/list-page.ts';
import { decisionNotice, isUnpublished, recordActions, unpublishedPage } from '../../ui/record-decision.ts';
import { recordFields } from '../../ui/record-fields.ts';
import { maxSearchMs, searchPageSize, searchResultsPage } from '../../ui/search-results.ts';

const { fields, filters } = documentLists.listSubmissions;
const filterNames = Object.keys(filters) as SubmissionFilter[];

export function submissionDataRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: TenantContext): Promise<AdminResponse> {
    const { text } = context;
    const dates = parseDateRange(context);
    const isInvalid = Object.keys(dates.errors).length > 0;
    const source = await readSourceFilter(admin, context);
    const form = await filterForm(context, dates, source);
    return searchResultsPage(context, {
      title: text.terms.submissions,
      form: html`${errorSummary(context, dates.errors)}${form}`,
      found: isInvalid ? undefined : await search(context, dates, source),
      none: text.statistics.noSubmissions,
      toTable: (documents) =>
        submissionTable(context, documents.map(parseDocument), `${dataPath(context)}/submissions`),
    });
  }

  /** A pasted id finds its submission at once. */
  async function search(
    context: TenantContext,
    dates: DateRange,
    { sourceId }: SourceFilter,
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

  async function filterForm(
    context: TenantContext,
    { errors }: DateRange,
    source: SourceFilter,
  ): Promise<SafeHtml> {
    const { text, query, organization } = context;
    const selects = filterNames.map(async (name) => {
      const field = findField(fields, filters[name]);
      const values = await store.listFilterValues(organization.id, name);
      const choices = values.map((value) => ({
        value,
        text: field?.words ? describeApiValue(value, context) : value,
      }));
      const { label } = text.submissionFields[filters[name]];
      return select(
        name,
        label,
        [{ value: '', text: text.browse.any(label) }, ...choices],
        query.get(name) ?? '',
      );
    });
    return searchFields(context, [
      wordsField(context, text.browse.submissionWords),
      ...(await Promise.all(selects)),
      source.field,
      dateField(context, 'from', text.audit.from, errors),
      dateField(context, 'to', text.audit.until, errors),
    ]);
  }

  async function submissionPage(context: TenantContext): Promise<Page> {
    const { organization } = context;
    const id = context.params.submissionId?.toLowerCase() ?? '';
    const key = { organizationId: organization.id, kind: 'submission', id } as const;
    const decision = await store.findRecordDecision(key);
    if (decision !== undefined && isUnpublished(decision))
      return unpublishedPage<SubmissionRecord>(context, decision, (data) => ({
        title: submissionTitle(context, data),
        content: submissionContent(context, data),
      }));
    const result = await readRecord(admin, context, 'getSubmission', id);
    const { data } = JSON.parse(result.body) as { data: SubmissionRecord };
    const record = html`${decisionNotice(context, decision)}${submissionContent(context, data)}${recordActions(context, 'submission')}`;
    const title = submissionTitle(context, data);
    return recordPage(context, 'submissions', title, record, { operationId: 'getSubmission', id, result });
  }

  const base = '/admin/organizations/:organizationId/data';
  return [
    {
      path: base,
      title: (text) => text.browse.title,
      access: 'reader',
      get: async (context) => ({ redirectTo: `${dataPath(context)}/submissions` }),
    },
    { path: `${base}/submissions`, access: 'reader', get: listPage, post: redirectToFilters },
    { path: `${base}/submissions/:submissionId`, access: 'reader', get: submissionPage },
  ];
}

export const submissionTitle = (
  { text }: TenantContext,
  { referenceNumber, description }: SubmissionRecord,
): string =>
  referenceNumber === null
    ? excerpt(description, 80) || text.terms.submission
    : text.browse.submissionTitle(referenceNumber);

function submissionContent(context: TenantContext, submission: SubmissionRecord): SafeHtml {
  const { description } = submission;
  return html`${description.trim() === '' ? paragraph(context.text.browse.noText) : sourceText(description)}
${recordFields(context, 'submission', submission)}`;
}

const parseDocument = (document: string) => JSON.parse(document) as SubmissionRecord;

/** @param base path of the list */
function submissionTable(
  context: TenantContext,
  submissions: readonly SubmissionRecord[],
  base: string,
): SafeHtml {
  const { text, format, timeZone } = context;
  const rows = submissions.map((submission) => [
    submissionLink(context, submission, base),
    submission.referenceNumber === null ? '–' : userText(submission.referenceNumber),
    userText(describeApiValue(submission.status, context)),
    submission.topicCategoryName === null ? '–' : userText(submission.topicCategoryName),
    html`<time datetime="${submission.createdAt}">${format.day(toLocalDay(submission.createdAt, timeZone))}</time>`,
    format.number(submission.supportCount),
  ]);
  const { referenceNumber, status, topicCategoryName, createdAt, supportCount } = text.submissionFields;
  const columns = [
    text.terms.submission,
    ...[referenceNumber, status, topicCategoryName, createdAt].map(({ label }) => label),
    numeric(supportCount.label),
  ];
  return table(text.terms.submissions, columns, rows);
}

/** A link with the beginning of the text. */
export function submissionLink(
  { text }: TenantContext,
  { id, description, referenceNumber }: SubmissionRecord,
  base: string,
): SafeHtml {
  const name = excerpt(description) || referenceNumber || text.browse.noText;
  return html`<a class="kern-link record-link" href="${base}/${id}">${userText(name)}</a>`;
}
