/** The frame of the pages of open data: head, header, breadcrumbs, footer. All files come from this server. */

import {
  createStaticFiles,
  mainFont,
  mapLibrary,
  pageFrameFiles,
  pageFrameStyles,
} from '../../../platform/http/static-files.ts';
import { languages } from '../../messages/languages.ts';
import { breadcrumbs, type PageLink } from '../../ui/breadcrumbs.ts';
import { publishedText, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { languageSwitch } from '../../ui/language-switch.ts';
import { pageFooter } from '../../ui/page-footer.ts';
import { decisionsName, feedType } from '../feeds-and-calendars.ts';
import type { OpenContext } from '../open-context.ts';
import { getAccentStylesPath } from './accent-styles.ts';

const files = createStaticFiles('/open/assets/', {
  'chart.js': 'src/web/ui/assets/chart.js',
  'map.js': [mapLibrary.script, 'src/web/open/assets/map.js'],
  'map.css': [mapLibrary.styles, 'src/web/open/assets/map.css'],
  'open-pages.css': [
    ...pageFrameStyles,
    'src/web/ui/assets/page-parts.css',
    'src/web/open/assets/open-pages.css',
  ],
  ...pageFrameFiles,
});

/** End of the address of the page with the files, after the slug. */
export const downloadsPath = '/downloads';

/** As `downloadsPath`, without a slash. */
export const mapPath = 'submissions/map';
export const mapDataPath = `${mapPath}.json`;

export const mapHead = html`<link rel="stylesheet" href="${files.getPath('map.css')}">
<script src="${files.getPath('map.js')}" defer></script>`;

export const listPageFiles = files.list;

export interface OpenPage {
  title: string;
  /** The title is a published text. */
  isPublishedTitle?: boolean;
  /** One sentence, for search engines. */
  description: string;
  /** Further elements of the head. */
  head?: SafeHtml | undefined;
  body: SafeHtml;
  /** Pages between the municipality's page and this one. */
  parents?: readonly PageLink[];
  /** Search engines may list it: no search, and a single record only if the municipality wants it. */
  isIndexed: boolean;
  /** Default: 200. 400 for invalid filters. */
  status?: 200 | 400;
  /** The same request may get more, such as figures that are still being counted: the page has no tag, and is not kept. */
  isPreliminary?: boolean;
}

/** Data for the script of a page. */
export interface OpenPageData extends Pick<OpenPage, 'status' | 'isPreliminary'> {
  data: string;
}

export interface PageRoute {
  /** @returns undefined if the record does not exist */
  render: (context: OpenContext) => Promise<OpenPage | OpenPageData | undefined>;
  /** Of data; default: that of pages. */
  contentType?: string;
  /** Its background may come from another origin. */
  hasMap?: true;
  /** Names in the query, beside the language. A page does not see others, so they make no new version of it. */
  parameters: readonly string[];
}

export function layout(context: OpenContext, page: OpenPage): SafeHtml {
  const { text, language, organization, home, publicUrl, content: published } = context;
  const { title, isPublishedTitle, description, head: ownHead, body, parents = [], isIndexed, status } = page;
  const heading = isPublishedTitle ? publishedText(title, context) : title;
  const isHome = context.path === home.path;
  const trail = isHome ? [] : [{ path: context.homeAddress, name: home.name }, ...parents];
  const documentTitle = isHome ? title : `${title} – ${organization.name}`;
  const head = html`${isIndexed ? alternates(context) : html`<meta name="robots" content="noindex">`}
${publicUrl === '' || !published.kinds.includes('submission') ? '' : html`<link rel="alternate" type="${feedType}" title="${text.openDataPages.decisions}" href="${home.path}/${decisionsName}">`}
<meta name="description" content="${description}">
<script src="${files.getPath('chart.js')}" defer></script>
${organization.accentColor === null ? '' : html`<link rel="stylesheet" href="${getAccentStylesPath(organization.accentColor)}">`}
${ownHead}`;
  const content = html`${header(context)}
${breadcrumbs(context, trail, heading)}
<main class="kern-container" id="content" tabindex="-1">
<h1 class="kern-heading-large">${heading}</h1>
${body}
</main>
${pageFooter(context)}`;
  return pageDocument({
    text,
    language,
    title: `${status === 400 ? `${text.form.error}: ` : ''}${documentTitle}`,
    head,
    body: content,
  });
}

interface PageDocument extends Pick<OpenContext, 'text' | 'language'> {
  title: string;
  /** Further elements of the head. */
  head?: SafeHtml;
  body: SafeHtml;
}

export const pageDocument = ({ text, language, title, head, body }: PageDocument): SafeHtml =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="preload" href="${files.getPath(mainFont)}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files.getPath('open-pages.css')}">
<script src="${files.getPath('page-frame.js')}" defer></script>
${head}
</head>
<body>
<a class="skip-link kern-link" href="#content">${text.layout.skip}</a>
${body}
</body>
</html>
`;

/** Search engines want whole addresses. */
function alternates({ publicUrl, path }: OpenContext): SafeHtml | string {
  if (publicUrl === '') return '';
  const links = languages.map(
    (language) =>
      html`<link rel="alternate" hreflang="${language}" href="${`${publicUrl}${path}?${new URLSearchParams({ language })}`}">`,
  );
  return html`${links}<link rel="alternate" hreflang="x-default" href="${publicUrl}${path}">`;
}

function header(context: OpenContext): SafeHtml {
  const { text, organization, homeAddress, home, path, content } = context;
  const { logo, name } = organization;
  const image =
    logo &&
    html`<img class="open-header__logo" src="${logo.url}" width="${logo.width}" height="${logo.height}" alt="">`;
  const words = text.openDataPages;
  const pages: [path: string, name: string][] = [
    ...content.kinds.map((kind): [string, string] => [`${kind}s`, text.terms[`${kind}s`]]),
    [downloadsPath.slice(1), words.downloads],
  ];
  if (content.parts.includes('locations')) pages.splice(1, 0, [mapPath, words.mapTab]);
  const entries = [
    { address: homeAddress, page: home.path, name: words.overview },
    ...pages.map(([page, name]) => ({
      address: context.recordsAddress(page),
      page: `${home.path}/${page}`,
      name,
    })),
  ];
  const isBelow = (page: string) =>
    page !== home.path && path.startsWith(`${page}/`) && !entries.some((entry) => entry.page === path);
  const links = entries.map(({ address, page, name }) => {
    const current = path === page ? 'page' : isBelow(page) ? 'true' : undefined;
    return html`<li><a class="kern-link" href="${address}"${current ? html` aria-current="${current}"` : ''}>${name}</a></li>`;
  });
  return html`<header class="page-header open-header">
<div class="kern-container page-header__row">
<a class="page-header__name kern-title kern-link open-header__name" href="${homeAddress}">${image}${userText(name)}</a>
${languageSwitch(context)}
</div>
</header>
<nav class="kern-container open-navigation" aria-label="${text.openDataPages.navigation}"><ul class="inline-list tabs">${links}</ul></nav>`;
}
