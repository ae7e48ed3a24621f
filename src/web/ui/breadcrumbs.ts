import { link, userText } from './components.ts';
import { html, type SafeHtml } from './html.ts';
import type { ViewContext } from './view-context.ts';

/** A page to link to. */
export interface PageLink {
  path: string;
  name: string;
}

/** Links to the pages above; empty for pages without a parent. */
export function breadcrumbs(
  { text }: ViewContext,
  parents: readonly PageLink[],
  title: SafeHtml | string,
): SafeHtml {
  if (parents.length === 0) return html``;
  const items = parents.map(({ path, name }) => html`<li>${link(path, userText(name))}</li>`);
  return html`<nav class="kern-container breadcrumbs" aria-label="${text.navigation.breadcrumbs}">
<ol class="breadcrumbs__list kern-body kern-body--small">${items}<li><span aria-current="page">${userText(title)}</span></li></ol>
</nav>`;
}
