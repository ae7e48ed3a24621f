/** The frame of every page: head, header, breadcrumbs, footer. */

import { mainFont } from '../../../platform/http/static-files.ts';
import { mapInSlices } from '../../../platform/time-slices.ts';
import type { Messages } from '../../messages/en.ts';
import { breadcrumbs } from '../../ui/breadcrumbs.ts';
import { focusedAttributes, resultAttributes, resultId, userText } from '../../ui/components.ts';
import { type EncodedPage, each, encodeInSlices, html, type SafeHtml, writeInSlices } from '../../ui/html.ts';
import { languageSwitch } from '../../ui/language-switch.ts';
import { pageFooter } from '../../ui/page-footer.ts';
import { buttonForm } from '../forms/forms.ts';
import { organizationSearch } from '../forms/organization-combobox.ts';
import { logoPath } from '../logo-route.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import { assetPath } from '../static-assets.ts';
import {
  findNavigation,
  listParents,
  type Navigation,
  type NavigationLink,
  type OrganizationLevel,
} from './navigation.ts';

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

/**
 * On narrow screens its links are in a menu: a popover, which opens and closes without scripts and which Escape closes. On wide
 * screens the same links are always visible.
 */
function pageHeader(context: PageContext, { oneTime }: Page): SafeHtml {
  const navigation = findNavigation(context);
  const brand = html`<a class="page-header__name kern-title kern-link" href="/admin">Rostra</a>`;
  // A link to another language would display the content of a one-time page again.
  const languageLinks = oneTime ? '' : languageSwitch(context);
  if (navigation === undefined) {
    return html`<header class="page-header">
<div class="kern-container page-header__row">${brand}${languageLinks}</div>
</header>`;
  }
  const { text } = context;
  const { organization } = navigation;
  return html`<header class="page-header page-header--with-menu">
<div class="page-header__bar">
${brand}
${organization && html`<a class="page-header__place kern-link" href="${organization.path}">${userText(organization.name)}</a>`}
<button class="kern-btn kern-btn--secondary page-header__toggle" type="button" popovertarget="menu"><span class="kern-label">${text.navigation.menu}</span></button>
</div>
<div class="page-menu" id="menu" popover>
<button class="kern-btn kern-btn--secondary page-menu__close" type="button" popovertarget="menu" popovertargetaction="hide"><span class="kern-label">${text.navigation.closeMenu}</span></button>
${installationLevel(context, navigation)}
${organization && organizationLevel(context, organization)}
${accountLinks(context, navigation, languageLinks)}
</div>
</header>`;
}

function installationLevel(context: PageContext, { installation }: Navigation): SafeHtml {
  if (installation.length === 0) return html``;
  const { text, loginSession } = context;
  const label = loginSession?.account.isOperator ? text.navigation.installation : text.organizations.title;
  return html`${organizationSearch(context)}
<nav class="page-menu__installation" aria-label="${label}">${linkList(installation)}</nav>`;
}

function organizationLevel({ text }: PageContext, { path, name, logo, links }: OrganizationLevel): SafeHtml {
  return html`<div class="page-menu__organization">
<p class="page-menu__name kern-title kern-title--small">${logo && html`<img class="page-menu__logo" src="${logoPath(logo)}" width="${logo.width}" height="${logo.height}" alt="">`}<a class="kern-link" href="${path}">${userText(name)}</a></p>
<nav aria-label="${text.terms.municipality}">${groupedLinks(text, links)}</nav>
</div>`;
}

function accountLinks(
  context: PageContext,
  { account }: Navigation,
  languageLinks: SafeHtml | string,
): SafeHtml {
  const email = context.loginSession?.account.email ?? '';
  return html`<div class="page-menu__account">
<ul class="inline-list">
<li>${navigationLink(account, html`<span class="hidden-text">${account.name}: </span>${userText(email)}`)}</li>
<li>${buttonForm(context, '/admin/sign-out', context.text.layout.signOut, 'tertiary')}</li>
</ul>
${languageLinks}
</div>`;
}

/** The entries of a group are a list in the list. Wide screens show a line between groups in place of their names. */
function groupedLinks(text: Messages, links: readonly NavigationLink[]): SafeHtml {
  const groups = [...Map.groupBy(links, ({ group }) => group)];
  const items = groups.map(([group, members]) =>
    group === undefined
      ? members.map((one) => html`<li>${navigationLink(one)}</li>`)
      : html`<li class="navigation-group"><span class="navigation-group__name kern-label kern-label--small" id="navigation-${group}">${text.navigation.groups[group]}</span>
<ul class="inline-list" aria-labelledby="navigation-${group}">${members.map((one) => html`<li>${navigationLink(one)}</li>`)}</ul></li>`,
  );
  return html`<ul class="inline-list">${items}</ul>`;
}

const linkList = (links: readonly NavigationLink[]): SafeHtml =>
  html`<ul class="inline-list">${links.map((one) => html`<li>${navigationLink(one)}</li>`)}</ul>`;

const navigationLink = (
  { path, name, current }: NavigationLink,
  content: SafeHtml = userText(name),
): SafeHtml =>
  html`<a class="kern-link" href="${path}"${current ? html` aria-current="${current}"` : ''}>${content}</a>`;
