/** The contents beside a page below /docs: its sections, the operations, and the other pages. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { articleFiles, readArticleTitle } from './article-files.ts';
import { textLink } from './components.ts';
import { groupByTag } from './group-reference.ts';
import type { Section } from './markdown.ts';
import type { OpenapiDocument } from './openapi-types.ts';
import { createTagId } from './render-reference.ts';

interface ContentsOptions {
  /** Path of the URL. */
  path: string;
  sections: readonly Section[];
  /** undefined on a page without the reference */
  document: OpenapiDocument | undefined;
}

/** Scripts show the search, which also finds sections of the other pages, and mark the present section. */
export function renderContents({ path, sections, document }: ContentsOptions): SafeHtml {
  const links = sections.map(({ id, title }) => html`<li>${textLink(`#${id}`, title)}</li>`);
  return html`<nav aria-label="Contents" class="docs__contents">
<search class="search" data-needs-script hidden>
<label class="kern-label" for="search">Search</label>
<input class="kern-form-input__input" id="search" type="search" autocomplete="off" spellcheck="false">
<p class="kern-body kern-body--small" role="status" id="search-status"></p>
<ol class="search__results" id="search-results"></ol>
</search>
<details open id="contents"><summary class="kern-title">Contents</summary>
<ul>${links}</ul>
${document === undefined ? '' : listReference(document)}
<p class="kern-title">Pages</p>
<ul id="pages">${[...articleFiles].map(([address, file]) => linkToPage(address, file, path))}</ul>
</details>
</nav>`;
}

function listReference(document: OpenapiDocument): SafeHtml {
  const groups = groupByTag(document).map(({ tag, operations }) => {
    const links = operations.map(
      ([, { operationId, summary }]) => html`<li>${textLink(`#${operationId}`, summary)}</li>`,
    );
    return html`<li>${textLink(`#${createTagId(tag.name)}`, tag.name)}<ul>${links}</ul></li>`;
  });
  return html`<p class="kern-title">${textLink('#reference', 'Reference')}</p>
<ul>${groups}<li>${textLink('#schemas', 'Common schemas')}</li></ul>`;
}

function linkToPage(address: string, file: string, path: string): SafeHtml {
  const current = address === path ? html` aria-current="page"` : '';
  return html`<li><a class="kern-link" href="${address}"${current}>${readArticleTitle(address, file)}</a></li>`;
}
