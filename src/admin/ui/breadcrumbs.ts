/** The path to a page, as links above its heading. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { PageContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import { link, userText } from './components.ts';
import { listParents } from './navigation.ts';

/** Empty for pages without a parent. */
export function breadcrumbs(context: PageContext, { title, parents = [] }: Page): SafeHtml {
  const trail = listParents(context, parents);
  if (trail.length === 0) return html``;
  const items = trail.map(({ path, name }) => html`<li>${link(path, userText(name))}</li>`);
  return html`<nav class="kern-container breadcrumbs" aria-label="${context.text.navigation.breadcrumbs}">
<ol class="breadcrumbs__list kern-body kern-body--small">${items}<li><span aria-current="page">${userText(title)}</span></li></ol>
</nav>`;
}
