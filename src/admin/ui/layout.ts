/** The frame of every page: head, language switch, navigation, footer. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { languages, messages } from '../messages/languages.ts';
import { mayEdit, type PageContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import { assetPath } from '../static-assets.ts';
import { button, csrfField } from './components.ts';

export function layout(context: PageContext, { title, body, oneTime, status = 200 }: Page): string {
  const { text, language, loginSession } = context;
  const isSignedIn = loginSession !== undefined && !loginSession.pendingSecondFactor;
  const municipality = isSignedIn ? findMunicipality(context) : undefined;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${status === 422 || status === 429 ? `${text.form.error}: ` : ''}${title} – Rostra</title>
<link rel="preload" href="${assetPath('FiraSans-Regular.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetPath('kern.min.css')}">
<link rel="stylesheet" href="${assetPath('page-frame.css')}">
<link rel="stylesheet" href="${assetPath('admin.css')}">
<link rel="stylesheet" href="${assetPath('published-data.css')}">
<link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml">
<script src="${assetPath('page-frame.js')}" defer></script>
<script src="${assetPath('admin.js')}" defer></script>
</head>
<body>
<a class="skip-link kern-link" href="#content">${text.layout.skip}</a>
<header class="page-header">
<div class="kern-container page-header__row">
<p class="page-header__name kern-title">Rostra${municipality && html` <bdi class="page-header__municipality">${municipality.name}</bdi>`}</p>
${oneTime ? '' : languageSwitch(context)}
</div>
${isSignedIn ? navigation(context) : ''}
</header>
<main class="kern-container" id="content" tabindex="-1">
<h1 class="kern-heading-large">${title}</h1>
${body}
</main>
<footer class="page-footer kern-container">
<p class="kern-body kern-body--small"><a class="kern-link" href="${context.publicUrl}/docs">${text.layout.documentation}</a></p>
</footer>
</body>
</html>
`;
  return String(page);
}

/** Names each language in that language. */
function languageSwitch({ text, language, path, query }: PageContext): SafeHtml {
  const links = languages.map((other) => {
    const address = new URLSearchParams(query);
    address.set('language', other);
    const current = other === language;
    return html`<li><a class="kern-link" lang="${other}" hreflang="${other}" href="${path}?${address.toString()}"${current ? html` aria-current="true"` : ''}>${messages[other].layout.ownName}</a></li>`;
  });
  return html`<nav aria-label="${text.layout.language}"><ul class="inline-list">${links}</ul></nav>`;
}

/** The municipality of the page, or else of the account. */
function findMunicipality({
  organization,
  loginSession,
}: PageContext): { id: string; name: string } | undefined {
  if (organization !== undefined) return organization;
  const { organizationId: id, organizationName: name } = loginSession?.account ?? {};
  return id && name ? { id, name } : undefined;
}

function navigation(context: PageContext): SafeHtml {
  const { text, loginSession, path } = context;
  const municipality = findMunicipality(context);
  const entries: [string, string][] = [];
  if (loginSession?.account.role === 'operator') {
    entries.push(['/admin/organizations', text.organizations.title]);
    entries.push(['/admin/accounts', text.accounts.title]);
    entries.push(['/admin/audit', text.audit.titleOfAll]);
  }
  if (municipality !== undefined) {
    const base = `/admin/organizations/${municipality.id}`;
    entries.push([`${base}/keys`, text.keys.title]);
    entries.push([`${base}/data`, text.browse.title]);
    entries.push([`${base}/published`, text.statistics.title]);
    entries.push([`${base}/imports`, text.imports.title]);
    if (mayEdit(context)) entries.push([`${base}/details`, text.organizationDetails.title]);
    entries.push([`${base}/audit`, text.audit.title]);
  }
  const items = entries.map(([address, name]) => {
    const current = path === address ? 'page' : path.startsWith(`${address}/`) ? 'true' : undefined;
    // A municipality's pages have their own entries.
    const inside = address !== '/admin/organizations' || municipality === undefined;
    return html`<li><a class="kern-link" href="${address}"${current && inside ? html` aria-current="${current}"` : ''}>${name}</a></li>`;
  });
  const account = path.startsWith('/admin/account');
  return html`<div class="kern-container page-header__row">
<nav aria-label="${text.layout.navigation}"><ul class="inline-list">${items}</ul></nav>
<ul class="inline-list">
<li><a class="kern-link" href="/admin/account"${account ? html` aria-current="page"` : ''}><bdi>${loginSession?.account.email ?? ''}</bdi></a></li>
<li><form method="post" action="/admin/sign-out">${csrfField(context)}${button(text.layout.signOut, 'tertiary')}</form></li>
</ul>
</div>`;
}
