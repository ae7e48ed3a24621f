/** The results of a search in published records: how far the search came, a table and paging. */

import type { SearchPage, Store } from '../../../domain/store.ts';
import { actionLink, button, link, paragraph, searchResult } from '../components.ts';
import { toLocalDay } from '../formatter.ts';
import { html, type SafeHtml } from '../html.ts';
import { describeRange, timePager } from '../list-page.ts';
import type { ViewContext } from '../view-context.ts';

/** Names in the query of each search of records with a time. Its filters come beside them. */
export const searchParameters = ['words', 'from', 'to', 'after', 'skipped'] as const;

export const searchPageSize = 25;

/** With the pauses between its slices, and leaves time for the rest of the page. */
export const maxSearchMs = 180;

/** What differs between the searches of the admin area and of open data. */
export interface SearchOptions<StoreFunction extends keyof Store> {
  store: Pick<Store, StoreFunction>;
  /** Only the records of this source; undefined: all. */
  sourceId?: number | undefined;
  /** Chooses the source. */
  sourceField?: SafeHtml;
  toForm(fields: SafeHtml[]): SafeHtml;
}

export interface SearchResults {
  form: SafeHtml;
  /** undefined if the filters are invalid. */
  found: SearchPage | undefined;
  /** Shown if the municipality has no record. */
  none: string;
  toTable: (documents: readonly string[]) => SafeHtml;
}

/** The time has ended the search before the page was full: the same search may find more. */
export const isCutOff = ({ documents, next }: SearchPage): boolean =>
  next !== undefined && documents.length < searchPageSize;

/** The language is no filter. */
export const hasFilters = ({ query }: ViewContext) => [...query.keys()].some((name) => name !== 'language');

/** The button of a search, and a link that removes its filters. */
export function searchActions(context: ViewContext): SafeHtml {
  const { text, path, query } = context;
  const language = query.get('language');
  const unfiltered = language === null ? path : `${path}?${new URLSearchParams({ language })}`;
  const reset = hasFilters(context) ? link(unfiltered, text.browse.reset) : '';
  return html`<div class="actions">${button(text.organizationSearch.submit, 'secondary')} ${reset}</div>`;
}

/** The form of a search, and what it found. */
export const searchResults = (context: ViewContext, results: SearchResults): SafeHtml =>
  html`${results.form}${results.found === undefined ? '' : resultList(context, results, results.found)}`;

function resultList(context: ViewContext, { none, toTable }: SearchResults, found: SearchPage): SafeHtml {
  const { documents, next } = found;
  if (documents.length === 0 && next === undefined && !hasFilters(context)) return paragraph(none);
  const { pager, browse } = context.text;
  const olderLabel = documents.length === searchPageSize ? pager.older : browse.searchFurther;
  const skipped = countSkipped(context);
  const toOlder = (address: string) => `${address}&skipped=${skipped + documents.length}`;
  return html`${searchStatus(context, found, skipped)}
${documents.length > 0 ? toTable(documents) : ''}
${timePager(context, next, (address) => actionLink(toOlder(address), olderLabel))}`;
}

/** Matches on the pages before, as the link to this page says. */
const countSkipped = ({ query }: ViewContext): number =>
  query.has('after') && /^\d{1,9}$/.test(query.get('skipped') ?? '') ? Number(query.get('skipped')) : 0;

/** Says which matches the page has, and how far the search came. */
function searchStatus(context: ViewContext, page: SearchPage, skipped: number): SafeHtml {
  const { documents, next, total } = page;
  const { text, format, timeZone } = context;
  const shown = documents.length;
  const range = describeRange(context, skipped, shown, next === undefined ? skipped + shown : total);
  const found = shown > 0 ? range : text.browse.noMatch;
  if (next === undefined || !isCutOff(page)) return searchResult(found);
  const reached = text.browse.searchedTo(format.day(toLocalDay(next.at, timeZone)));
  return searchResult(html`${shown > 0 ? html`${found}. ` : ''}${reached}`);
}
