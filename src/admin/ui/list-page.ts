/** A long list as pages: what is searched for, and which part of what was found is shown. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { createFormToken, type PageContext } from '../page-context.ts';
import type { Redirect } from '../response.ts';
import { prefilledFormUrl } from '../return-url.ts';
import { field, link } from './components.ts';

const rowsPerPage = 50;
const maxSearchLength = 200;

export interface PageSlice<Row> {
  rows: Row[];
  page: number;
  pages: number;
}

/** What is searched for, as the address has it. */
export const searchTerm = ({ query }: PageContext): string =>
  (query.get('words') ?? '').slice(0, maxSearchLength);

/** The page of the list that the address names; the last one where there are fewer. */
export function slicePage<Row>({ query }: PageContext, found: readonly Row[]): PageSlice<Row> {
  const pages = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const wanted = Number.parseInt(query.get('page') ?? '1', 10) || 1;
  const page = Math.min(Math.max(1, wanted), pages);
  return { rows: found.slice((page - 1) * rowsPerPage, page * rowsPerPage), page, pages };
}

/** Ways to the pages before and after; nothing where there is one page. */
export function pager({ text, path, query }: PageContext, { page, pages }: PageSlice<unknown>): SafeHtml {
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

/**
 * A form of the method POST, as somebody may paste a key: `submitSearch` makes an address without keys of it.
 *
 * @param more fields beside the words
 */
export function searchForm(context: PageContext, label: string, more: SafeHtml = html``): SafeHtml {
  return html`<form method="post" action="${context.path}" class="filters" role="search">
<input type="hidden" name="token" value="${createFormToken(context.browserSecret)}">
${field({ name: 'words', label, type: 'search', value: searchTerm(context), autocomplete: 'off' })}
${more}
<button class="kern-btn kern-btn--secondary" type="submit"><span class="kern-label">${context.text.form.filter}</span></button>
</form>`;
}

/** Leads to the first page of the list that was searched for. */
export async function redirectToSearch({ path }: PageContext, form: URLSearchParams): Promise<Redirect> {
  return { redirectTo: prefilledFormUrl(path, form) };
}

/** Where a page begins that goes by time: behind this row, exclusive. */
export interface TimeCursor {
  at: string;
  id: string;
}

/** As the address has it; whatever else it says is the first page. */
export function parseTimeCursor(query: URLSearchParams): TimeCursor | undefined {
  const [, at, id] = /^([-\d:.TZ]{24}) ([-\da-f]{36})$/.exec(query.get('after') ?? '') ?? [];
  return at && id ? { at, id } : undefined;
}

/** @param older the last row of this page, where there are more */
export function timePager({ text, path, query }: PageContext, older: TimeCursor | undefined): SafeHtml {
  if (older === undefined && !query.has('after')) return html``;
  return html`<nav aria-label="${text.pager.label}"><ul class="inline-list">
${query.has('after') ? html`<li>${link(path, text.pager.newest)}</li>` : ''}
${older ? html`<li>${link(`${path}?${new URLSearchParams({ after: `${older.at} ${older.id}` })}`, text.pager.older)}</li>` : ''}
</ul></nav>`;
}
