/** The pages below /docs: the guide with the reference, articles, and the page for unknown addresses. They work without scripts. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { createOpenapiDocument } from '../../../contract/openapi.ts';
import { apiVersion, basePath, openapiPath } from '../../../contract/operations.ts';
import type { FooterUrls } from '../../../platform/http/footer-urls.ts';
import { mainFont } from '../../../platform/http/static-files.ts';
import {
  articleFiles,
  docsPath,
  exampleBaseUrl,
  readArticle,
  readArticleTitle,
  resolveArticleLink,
  resolveSampleLink,
  toMarkdownPath,
} from './article-files.ts';
import { textLink } from './components.ts';
import { groupByTag } from './group-reference.ts';
import { createMarkdownRenderer, type Section } from './markdown.ts';
import type { OpenapiDocument } from './openapi-types.ts';
import { createTagId, renderReference } from './render-reference.ts';

/** What all pages have in common. */
export interface PageFrame {
  /** Path of the URL of a static file. */
  getAssetPath: (name: string) => string;
  footerUrls: FooterUrls;
  /** undefined: no link to the admin area. */
  adminPath: string | undefined;
}

/**
 * @param path path of the URL
 * @returns a page whose addresses have `exampleOrigin`, and perhaps `keyContactsMark`
 */
export function renderPage(path: string, frame: PageFrame): string {
  const file = articleFiles.get(path) as string;
  const document = createOpenapiDocument() as unknown as OpenapiDocument;
  const isGuide = path === docsPath;
  const ofCode = new Map([[basePath + openapiPath, basePath + openapiPath]]);
  for (const [path, { get }] of Object.entries(document.paths))
    ofCode.set(path, `${isGuide ? '' : docsPath}#${get.operationId}`);
  const { renderArticle, renderText } = createMarkdownRenderer({
    ofCode,
    resolve: (href) => resolveArticleLink(file, href) ?? resolveSampleLink(file, href),
  });
  const { title, content, sections } = renderArticle(readArticle(file));
  const [description] = document.info.description.split('\n');
  const { getAssetPath } = frame;
  return renderDocument(frame, {
    title,
    head: html`<meta name="description" content="${description}">
<link rel="alternate" type="text/markdown" href="${toMarkdownPath(path)}">
<script src="${getAssetPath('code-blocks.js')}" defer></script>
<script src="${getAssetPath('try-out.js')}" defer></script>
<script src="${getAssetPath('unfold-fields.js')}" defer></script>
<script src="${getAssetPath('contents.js')}" defer></script>`,
    body: html`${renderContents(path, sections, isGuide ? document : undefined)}
<main id="content" tabindex="-1">
${content}
${isGuide ? renderReference(document, renderText) : ''}
</main>`,
  });
}

/** For every unknown address, which it does not repeat. */
export function renderNotFoundPage(frame: PageFrame): string {
  const links = [...articleFiles].map(
    ([path, file]) => html`<li>${textLink(path, readArticleTitle(path, file))}</li>`,
  );
  return renderDocument(frame, {
    title: 'Page not found',
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main id="content" tabindex="-1">
<h1 class="kern-heading-x-large">Page not found</h1>
<p class="kern-body">The documentation has no page at this address. These are its pages:</p>
<ul class="prose-list kern-body">${links}
<li>${textLink(basePath + openapiPath, 'OpenAPI document')}</li></ul>
</main>`,
  });
}

interface DocumentParts {
  title: string;
  head: SafeHtml;
  body: SafeHtml;
}

function renderDocument(
  { getAssetPath, footerUrls, adminPath }: PageFrame,
  { title, head, body }: DocumentParts,
): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Rostra</title>
<link rel="preload" href="${getAssetPath(mainFont)}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${getAssetPath('docs.css')}">
<script src="${getAssetPath('page-frame.js')}" defer></script>
${head}
</head>
<body class="docs-page">
<a class="skip-link kern-link" href="#content">Skip to the content</a>
<header class="page-header">
<div class="kern-container page-header__row">
<p class="page-header__name kern-title">Rostra API ${apiVersion}</p>
${adminPath && html`<ul class="inline-list"><li>${textLink(adminPath, 'Admin area')}</li></ul>`}
</div>
</header>
<div class="kern-container docs">
${body}
</div>
<footer class="page-footer kern-container">
<p class="kern-body kern-body--small">Base URL: <code>${exampleBaseUrl}</code>. ${textLink(basePath + openapiPath, 'OpenAPI document')}. The municipality of your key answers questions about its data; ${textLink(`${docsPath}#getOrganization`, html`<code>/organization</code>`)} names its contact and its licence.</p>
${listOperatorPages(footerUrls)}
</footer>
</body>
</html>
`;
  return String(page);
}

function listOperatorPages({ imprint, privacy, accessibility }: FooterUrls): SafeHtml {
  const links = [
    imprint && textLink(imprint, 'Imprint'),
    privacy && textLink(privacy, 'Privacy'),
    accessibility && textLink(accessibility, 'Accessibility statement'),
  ].filter((link) => link !== undefined);
  if (links.length === 0) return html``;
  return html`<ul class="inline-list kern-body kern-body--small">${links.map((link) => html`<li>${link}</li>`)}</ul>`;
}

/**
 * The contents beside a page. Scripts show the search, which also finds sections of the other pages, and mark the present section.
 *
 * @param document undefined on a page without the reference
 */
function renderContents(
  path: string,
  sections: readonly Section[],
  document: OpenapiDocument | undefined,
): SafeHtml {
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
