/** The form above a list: search and filters. */

import { button, type Choice, select } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { wordsField } from '../../ui/list-page.ts';
import { authorField, listEntries } from '../requests/interrupted-form.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Redirect } from '../requests/response-types.ts';
import { csrfField } from './forms.ts';

/** Servers and proxies reject very long URLs. */
const maxUrlLength = 4_000;

/** The URL of a list with the fields of its filters. */
export function composeFilterUrl(path: string, form: URLSearchParams): string {
  const fields = new URLSearchParams(listEntries(form).filter(([name]) => name !== authorField));
  const address = fields.size > 0 ? `${path}?${fields}` : path;
  return address.length <= maxUrlLength ? address : path;
}

/** Filters of a list. The form uses POST because a key may be pasted into it: the redirect masks keys in the URL. */
export const filterForm = (
  context: PageContext,
  fields: SafeHtml | SafeHtml[],
  actions: SafeHtml = button(context.text.form.filter, 'secondary'),
): SafeHtml =>
  html`<form method="post" action="${context.path}" class="filters" role="search">
${csrfField(context)}
${fields}
${actions}
</form>`;

/** @param more additional fields */
export const searchForm = (context: PageContext, label: string, more: SafeHtml = html``): SafeHtml =>
  filterForm(context, [wordsField(context, label), more]);

/** @param chosen empty: all */
export const stateFilter = ({ text }: PageContext, choices: readonly Choice[], chosen: string): SafeHtml =>
  select('state', text.terms.status, [{ value: '', text: text.terms.all }, ...choices], chosen);

export async function redirectToSearch({ path }: PageContext, form: URLSearchParams): Promise<Redirect> {
  return { redirectTo: composeFilterUrl(path, form) };
}
