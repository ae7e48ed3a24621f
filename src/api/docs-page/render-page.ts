/** The page at /docs: the guide and the reference. It works without scripts. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { createOpenapiDocument } from '../../contract/openapi.ts';
import { basePath, openapiPath } from '../../contract/operations.ts';
import { textLink } from './components.ts';
import { readGuide } from './guide.ts';
import { renderMarkdown, type Section } from './markdown.ts';
import type { OpenapiDocument } from './openapi-types.ts';
import { createTagId, groupByTag, renderReference } from './render-reference.ts';

/**
 * @param baseUrl public URL of the API
 * @param getAssetPath path of the URL of a static file
 */
export function renderPage(baseUrl: string, getAssetPath: (name: string) => string): string {
  const document = createOpenapiDocument() as unknown as OpenapiDocument;
  const links = new Map([[basePath + openapiPath, basePath + openapiPath]]);
  for (const [path, { get }] of Object.entries(document.paths)) links.set(path, `#${get.operationId}`);
  const guide = renderMarkdown(readGuide(baseUrl), links);
  const reference = renderReference({
    document,
    baseUrl,
    renderText: (markdown) => renderMarkdown(markdown, links).content,
  });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API documentation – Rostra</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${getAssetPath('kern.min.css')}">
<link rel="stylesheet" href="${getAssetPath('page-frame.css')}">
<link rel="stylesheet" href="${getAssetPath('docs.css')}">
<script src="${getAssetPath('page-frame.js')}" defer></script>
<script src="${getAssetPath('docs.js')}" defer></script>
</head>
<body>
<a class="skip-link kern-link" href="#content">Skip to the content</a>
<header class="page-header">
<div class="kern-container page-header__row">
<p class="page-header__name kern-title">Rostra API ${document.info.version}</p>
</div>
</header>
<div class="kern-container docs">
${navigation(guide.sections, document)}
<main id="content" tabindex="-1">
${guide.content}
${reference}
</main>
</div>
<footer class="page-footer kern-container">
<p class="kern-body kern-body--small">Base URL: <code>${baseUrl}</code>. ${textLink(basePath + openapiPath, 'OpenAPI document')}. The municipality of your key answers questions about its data; ${textLink('#getOrganization', html`<code>/organization</code>`)} names its contact and its licence.</p>
</footer>
</body>
</html>
`;
  return String(page);
}

function navigation(sections: readonly Section[], document: OpenapiDocument): SafeHtml {
  const guide = sections.map(({ id, title }) => html`<li>${textLink(`#${id}`, title)}</li>`);
  const groups = groupByTag(document).map(({ tag, operations }) => {
    const links = operations.map(
      ([path, { operationId }]) => html`<li>${textLink(`#${operationId}`, html`<code>${path}</code>`)}</li>`,
    );
    return html`<li>${textLink(`#${createTagId(tag.name)}`, tag.name)}<ul>${links}</ul></li>`;
  });
  return html`<nav aria-label="Contents" class="docs__contents">
<details open><summary class="kern-title">Contents</summary>
<ul>${guide}</ul>
<p class="kern-title">${textLink('#reference', 'Reference')}</p>
<ul>${groups}<li>${textLink('#schemas', 'Schemas')}</li></ul>
</details>
</nav>`;
}
