/** The results of a search in published records: how many they are, a table and paging. */

import type { SearchWord } from '../../../contract/search-words.ts';
import type { SearchPage, Store } from '../../../domain/store.ts';
import { WordsNotReadyError } from '../../../domain/store-errors.ts';
import { actionLink, alert, button, link, paragraph, searchResult } from '../components.ts';
import { html, type SafeHtml } from '../html.ts';
import { describeRange, timePager } from '../list-page.ts';
import type { RecordsContext, ViewContext } from '../view-context.ts';

/** Names in the query of each search of records with a time. Its filters come beside them. */
export const searchParameters = ['words', 'from', 'to', 'after', 'skipped'] as const;

export const searchPageSize = 25;

/** What differs between the searches of the admin area and of open data. */
export interface SearchOptions<StoreFunction extends keyof Store> {
  store: Pick<Store, StoreFunction>;
  /** Only the records of this source; undefined: all. */
  sourceId?: number | undefined;
  /** Chooses the source. */
  sourceField?: SafeHtml;
  /** See `lackSupportCounts`. */
  lacksSupport?: boolean;
  toForm(fields: SafeHtml[]): SafeHtml;
}

interface UsedWords {
  /** Those that were searched: none if the index of words is not complete. */
  words: readonly SearchWord[];
  /** The index of words is not complete: later, the same search may find less. */
  isWithoutWords: boolean;
}

export type FoundRecords = SearchPage & UsedWords;

export interface SearchResults {
  form: SafeHtml;
  /** undefined if the filters are invalid. */
  found: FoundRecords | undefined;
  /** Shown if the municipality has no record. */
  none: string;
  /** Comes before the table. */
  intro: SafeHtml;
  /** Of the found records. */
  table: SafeHtml;
}

/** Searches without the words while their index is not complete. */
export async function findRecords<Found extends object>(
  words: readonly SearchWord[],
  search: (words: readonly SearchWord[]) => Promise<Found>,
): Promise<Found & UsedWords> {
  try {
    return { ...(await search(words)), words, isWithoutWords: false };
  } catch (error) {
    if (!(error instanceof WordsNotReadyError)) throw error;
    return { ...(await search([])), words: [], isWithoutWords: true };
  }
}

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
export const searchResults = (context: RecordsContext, results: SearchResults): SafeHtml =>
  html`${results.form}${wordsNotice(context, results.found)}${results.found === undefined ? '' : resultList(context, results, results.found)}`;

/** Says that words of the query do not count. */
export function wordsNotice(
  { text, query, hasWordSearch }: RecordsContext,
  found?: Pick<FoundRecords, 'isWithoutWords'>,
): SafeHtml {
  if (found?.isWithoutWords)
    return alert('info', text.browse.wordsNotReady, paragraph(text.browse.wordsNotReadyHint));
  return hasWordSearch || (query.get('words') ?? '').trim() === ''
    ? html``
    : alert('info', text.browse.wordsOff);
}

function resultList(
  context: RecordsContext,
  { none, intro, table }: SearchResults,
  found: FoundRecords,
): SafeHtml {
  const { documents, next, total } = found;
  if (documents.length === 0 && next === undefined && !hasFilters(context)) return paragraph(none);
  const { pager, browse } = context.text;
  const skipped = countSkipped(context);
  const shown = documents.length;
  const range = describeRange(context, skipped, shown, next === undefined ? skipped + shown : total);
  const toOlder = (address: string) => `${address}&skipped=${skipped + shown}`;
  return html`${searchResult(shown > 0 ? range : browse.noMatch)}
${intro}${shown > 0 ? table : ''}
${timePager(context, next, (address) => actionLink(toOlder(address), pager.older))}`;
}

/** Matches on the pages before, as the link to this page says. */
const countSkipped = ({ query }: ViewContext): number =>
  query.has('after') && /^\d{1,9}$/.test(query.get('skipped') ?? '') ? Number(query.get('skipped')) : 0;
