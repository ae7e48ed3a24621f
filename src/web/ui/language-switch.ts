import { languages, messages } from '../messages/languages.ts';
import { html, type SafeHtml } from './html.ts';
import type { ViewContext } from './view-context.ts';

/** Names each language in that language. */
export function languageSwitch({ text, language, path, query }: ViewContext): SafeHtml {
  const links = languages.map((other) => {
    const address = new URLSearchParams(query);
    address.set('language', other);
    const current = other === language;
    return html`<li><a class="kern-link" lang="${other}" hreflang="${other}" href="${path}?${address.toString()}"${current ? html` aria-current="true"` : ''}>${messages[other].layout.ownName}</a></li>`;
  });
  return html`<nav class="page-header__language" aria-label="${text.layout.language}"><ul class="inline-list">${links}</ul></nav>`;
}
