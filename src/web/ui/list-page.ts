/** Search and pagination of long lists. */

import { field, link } from './components.ts';
import { html, type SafeHtml } from './html.ts';
import type { ViewContext } from './view-context.ts';

export const rowsPerPage = 50;
const maxSearchLength = 200;

interface PageSlice<Row> {
  rows: Row[];
  page: number;
  pages: number;
}

export const searchTerm = ({ query }: ViewContext): string =>
  (query.get('words') ?? '').slice(0, maxSearchLength);

/** Beyond every list. Databases reject much larger offsets. */
const maxPage = 1_000_000;

/** The number of the page in the query, from 1. */
export const parsePage = ({ query }: ViewContext): number =>
  Math.min(maxPage, Math.max(1, Number.parseInt(query.get('page') ?? '', 10) || 1));

/** The requested page of a list, or the last page if there are fewer. */
export function slicePage<Row>(context: ViewContext, found: readonly Row[]): PageSlice<Row> {
  const pages = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const page = Math.min(parsePage(context), pages);
  return { rows: found.slice((page - 1) * rowsPerPage, page * rowsPerPage), page, pages };
}

/**
 * The requested page of a list in the store, or the last page if there are fewer.
 *
 * @param read a page, and the number of rows of all pages
 */
export async function readPage<Row>(
  context: ViewContext,
  read: (page: { offset: number; limit: number }) => Promise<{ rows: Row[]; total: number }>,
): Promise<PageSlice<Row> & { total: number }> {
  const readAt = (page: number) => read({ offset: (page - 1) * rowsPerPage, limit: rowsPerPage });
  const wanted = parsePage(context);
  const found = await readAt(wanted);
  const pages = Math.max(1, Math.ceil(found.total / rowsPerPage));
  const page = Math.min(wanted, pages);
  return { ...(page === wanted ? found : await readAt(page)), page, pages };
}

/** Such as "Results 1–25 of 4,631". @param skipped number of rows before those of this page @param total undefined: unknown */
export function describeRange(
  { text, format }: ViewContext,
  skipped: number,
  shown: number,
  total: number | undefined,
): string {
  if (shown === total) return text.pager.all(shown, format.number(shown));
  const [first, last] = [format.number(skipped + 1), format.number(skipped + shown)];
  return text.pager.range(first, last, total === undefined ? undefined : format.number(total));
}

/** Links to the previous and next page; empty for a single page. */
export function pager({ text, path, query }: ViewContext, { page, pages }: PageSlice<unknown>): SafeHtml {
  if (pages === 1) return html``;
  const to = (number: number, label: string) => {
    const address = new URLSearchParams(query);
    address.set('page', String(number));
    return html`<li>${link(`${path}?${address}`, label)}</li>`;
  };
  return html`<nav aria-label="${text.pager.label}"><ul class="inline-list">
${page > 1 ? to(page - 1, text.pager.previous) : ''}
<li class="kern-body">${text.pager.of(page, pages)}</li>
${page < pages ? to(page + 1, text.pager.next) : ''}
</ul></nav>`;
}

export const wordsField = (context: ViewContext, label: string): SafeHtml =>
  field({ name: 'words', label, type: 'search', value: searchTerm(context), autocomplete: 'off' });

/** A page of a list that is sorted by time begins after this row. `at` is a timestamp or a date. */
export interface TimeCursor {
  at: string;
  id: string;
}

/** The cursor in the query; undefined, for the first page, if it is missing or invalid. */
export function parseTimeCursor(query: URLSearchParams): TimeCursor | undefined {
  const [, at, id] =
    /^(\d{4}-\d{2}-\d{2}(?:T[\d:.]{12}Z)?) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(
      query.get('after') ?? '',
    ) ?? [];
  return at && id && isTime(at) ? { at, id } : undefined;
}

function isTime(text: string): boolean {
  const timeMs = Date.parse(text);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}

/** The rows of a page, and where the older ones begin. @param rows one more than a page has, if there are that many */
export function takePage<Row extends { id: string }>(
  rows: readonly Row[],
  getTime: (row: Row) => string,
): { shown: Row[]; older: TimeCursor | undefined } {
  const shown = rows.slice(0, rowsPerPage);
  const last = shown.at(-1);
  const older = rows.length > rowsPerPage && last ? { at: getTime(last), id: last.id } : undefined;
  return { shown, older };
}

/**
 * Keeps the filters of the query.
 *
 * @param older the last row of this page; undefined on the last page
 * @param linkToOlder default: a link with the usual label
 */
export function timePager(
  { text, path, query }: ViewContext,
  older: TimeCursor | undefined,
  linkToOlder = (address: string): SafeHtml => link(address, text.pager.older),
): SafeHtml {
  if (older === undefined && !query.has('after')) return html``;
  const getAddress = (after: string | undefined) => {
    const address = new URLSearchParams(query);
    address.delete('after');
    address.delete('skipped');
    if (after !== undefined) address.set('after', after);
    return address.size > 0 ? `${path}?${address}` : path;
  };
  return html`<nav aria-label="${text.pager.label}"><ul class="inline-list">
${query.has('after') ? html`<li>${link(getAddress(undefined), text.pager.newest)}</li>` : ''}
${older ? html`<li>${linkToOlder(getAddress(`${older.at} ${older.id}`))}</li>` : ''}
</ul></nav>`;
}
