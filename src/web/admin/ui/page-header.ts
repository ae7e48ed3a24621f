/**
 * The header of every page. On narrow screens its links are in a menu: a popover, which opens and closes without scripts
 * and which Escape closes. On wide screens the same links are always visible.
 */

import type { Messages } from '../../messages/en.ts';
import { button, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { languageSwitch } from '../../ui/language-switch.ts';
import { csrfField } from '../forms/forms.ts';
import { organizationSearch } from '../forms/organization-combobox.ts';
import { logoPath } from '../logo-route.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { Page } from '../requests/response-types.ts';
import {
  findNavigation,
  type Navigation,
  type NavigationLink,
  type OrganizationLevel,
} from './navigation.ts';

export function pageHeader(context: PageContext, { oneTime }: Page): SafeHtml {
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
<li><form method="post" action="/admin/sign-out">${csrfField(context)}${button(context.text.layout.signOut, 'tertiary')}</form></li>
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
