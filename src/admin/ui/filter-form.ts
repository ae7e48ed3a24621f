/** The form above a list: search and filters. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button } from '../../ui/components.ts';
import { wordsField } from '../../ui/list-page.ts';
import type { PageContext } from '../page-context.ts';
import type { Redirect } from '../response-types.ts';
import { prefilledFormUrl } from '../return-url.ts';
import { csrfField } from './forms.ts';

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

export async function redirectToSearch({ path }: PageContext, form: URLSearchParams): Promise<Redirect> {
  return { redirectTo: prefilledFormUrl(path, form) };
}
