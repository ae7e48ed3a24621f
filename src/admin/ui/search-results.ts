/** The page of a search in published records: filters, how far the search came, a table and paging. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { SearchPage } from '../../domain/store.ts';
import type { TenantContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import { actionLink, paragraph, searchResult } from './components.ts';
import { dataTabs, toLocalDay } from './data-browser.ts';
import { describeRange, timePager } from './list-page.ts';

/** Rows of a page, and the time for the search, which leaves time for the rest of the page. */
export const searchPageSize = 25;
export const maxSearchMs = 60;

interface SearchResults {
  title: string;
  form: SafeHtml;
  /** undefined if the filters are invalid. */
  found: SearchPage | undefined;
  /** Shown if the municipality has no record. */
  none: string;
  toTable: (documents: readonly string[]) => SafeHtml;
}

export function searchResultsPage(context: TenantContext, results: SearchResults): Page {
  const { title, form, found } = results;
  const shown = found === undefined ? '' : resultList(context, results, found);
  return {
    title,
    body: html`${dataTabs(context)}${paragraph(context.text.browse.intro)}${form}${shown}`,
    ...(found === undefined && { status: 422 }),
  };
}

function resultList(context: TenantContext, { none, toTable }: SearchResults, found: SearchPage): SafeHtml {
  const { documents, next } = found;
  if (documents.length === 0 && next === undefined && context.query.size === 0) return paragraph(none);
  const { pager, browse } = context.text;
  const olderLabel = documents.length === searchPageSize ? pager.older : browse.searchFurther;
  const skipped = countSkipped(context);
  const toOlder = (address: string) => `${address}&skipped=${skipped + documents.length}`;
  return html`${searchStatus(context, found, skipped)}
${documents.length > 0 ? toTable(documents) : ''}
${timePager(context, next, (address) => actionLink(toOlder(address), olderLabel))}`;
}

/** Matches on the pages before, as the link to this page says. */
const countSkipped = ({ query }: TenantContext): number =>
  query.has('after') && /^\d{1,9}$/.test(query.get('skipped') ?? '') ? Number(query.get('skipped')) : 0;

/** Says which matches the page has, and how far the search came. */
function searchStatus(
  context: TenantContext,
  { documents, next, total }: SearchPage,
  skipped: number,
): SafeHtml {
  const { text, format, timeZone } = context;
  const shown = documents.length;
  const isLast = next === undefined;
  const range = describeRange(context, skipped, shown, isLast ? skipped + shown : total);
  const found = shown > 0 ? range : text.browse.noMatch;
  const isComplete = isLast || shown === searchPageSize;
  const reached = isComplete ? '' : text.browse.searchedTo(format.day(toLocalDay(next.at, timeZone)));
  return searchResult(isComplete ? found : html`${shown > 0 ? html`${found}. ` : ''}${reached}`);
}
