/** The frame of every page: head, header, breadcrumbs, footer. */

import { mainFont } from '../../../platform/http/static-files.ts';
import { mapInSlices } from '../../../platform/time-slices.ts';
import { breadcrumbs } from '../../ui/breadcrumbs.ts';
import { focusedAttributes, resultAttributes, resultId } from '../../ui/components.ts';
import { type EncodedPage, each, encodeInSlices, html, type SafeHtml, writeInSlices } from '../../ui/html.ts';
import { pageFooter } from '../../ui/page-footer.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import { assetPath } from '../static-assets.ts';
import { listParents } from './navigation.ts';
import { pageHeader } from './page-header.ts';

/** @param isFormResponse the page is the response to a form, without a redirect */
export async function layout(
  context: PageContext,
  shown: Page,
  isFormResponse: boolean,
): Promise<EncodedPage> {
  const { text, language } = context;
  const { title, status = 200, refreshSeconds, parents = [] } = shown;
  const body = await writeInSlices(shown.body);
  const hasResult = (await mapInSlices(body, (piece) => piece.includes(String(resultId)))).includes(true);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refreshSeconds === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}; url=${ownAddress(context)}"></noscript>\n`}<title>${status === 422 || status === 429 ? `${text.form.error}: ` : ''}${title} – Rostra</title>
<link rel="preload" href="${assetPath(mainFont)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetPath('admin.css')}">
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
<script src="${assetPath('page-frame.js')}" defer></script>
<script src="${assetPath('admin.js')}" defer></script>
<script src="${assetPath('chart.js')}" defer></script>
<script src="${assetPath('imports.js')}" defer></script>
<script src="${assetPath('combobox.js')}" type="module"></script>
</head>
<body>
<a class="skip-link kern-link" href="#content">${text.layout.skip}</a>
${pageHeader(context, shown)}
${breadcrumbs(context, listParents(context, parents), title)}
<main class="kern-container" id="content" tabindex="-1">
<h1 class="kern-heading-large"${headingAttributes(hasResult, isFormResponse)}>${title}</h1>
${each(body, (piece) => html.raw`${piece}`)}
</main>
${pageFooter(context)}
</body>
</html>
`;
  return encodeInSlices(page);
}

/** Without a fragment: browsers would stay on the page instead of loading it again. */
const ownAddress = ({ path, query }: PageContext): string => (query.size > 0 ? `${path}?${query}` : path);

/** The heading is the result of a form whose page has no other. */
function headingAttributes(hasResult: boolean, isFormResponse: boolean): SafeHtml | string {
  if (hasResult) return '';
  return isFormResponse ? focusedAttributes : resultAttributes;
}
