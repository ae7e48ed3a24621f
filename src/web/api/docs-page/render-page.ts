/** The pages below /docs: the guide with the reference, and articles. They work without scripts. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { createOpenapiDocument } from '../../../contract/openapi.ts';
import { apiVersion, basePath, openapiPath } from '../../../contract/operations.ts';
import type { FooterUrls } from '../../../platform/http/footer-urls.ts';
import { mainFont } from '../../../platform/http/static-files.ts';
import {
  docsPath,
  exampleBaseUrl,
  readArticle,
  resolveArticleLink,
  resolveSampleLink,
} from './article-files.ts';
import { textLink } from './components.ts';
import { createMarkdownRenderer } from './markdown.ts';
import type { OpenapiDocument } from './openapi-types.ts';
import { renderContents } from './render-contents.ts';
import { renderReference } from './render-reference.ts';

interface PageOptions {
  /** File of `docs/`. */
  file: string;
  /** Path of the URL of a static file. */
  getAssetPath: (name: string) => string;
  footerUrls: FooterUrls;
  /** undefined: no link to the admin area. */
  adminPath: string | undefined;
}

/**
 * @param path path of the URL
 * @returns a page whose examples have `exampleBaseUrl`
 */
export function renderPage(path: string, { file, getAssetPath, footerUrls, adminPath }: PageOptions): string {
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
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Rostra</title>
<meta name="description" content="${description}">
<link rel="preload" href="${getAssetPath(mainFont)}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${getAssetPath('docs.css')}">
<script src="${getAssetPath('page-frame.js')}" defer></script>
<script src="${getAssetPath('code-blocks.js')}" defer></script>
<script src="${getAssetPath('try-out.js')}" defer></script>
<script src="${getAssetPath('unfold-fields.js')}" defer></script>
<script src="${getAssetPath('contents.js')}" defer></script>
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
${renderContents({ path, sections, document: isGuide ? document : undefined })}
<main id="content" tabindex="-1">
${content}
${isGuide ? renderReference({ document, baseUrl: exampleBaseUrl, renderText }) : ''}
</main>
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
