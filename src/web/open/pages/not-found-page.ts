/** The page for people at an address below `/open` that does not exist. It is the same for every address, and says nothing about it. */
import type { IncomingHttpHeaders } from 'node:http';
import { prefersHtml } from '../../../platform/http/accepted-types.ts';
import {
  isLanguage,
  type Language,
  languages,
  messages,
  negotiateLanguage,
} from '../../messages/languages.ts';
import { paragraph } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { pageFooter } from '../../ui/page-footer.ts';
import { pageHeaders } from '../responses.ts';
import { pageDocument } from './page-layout.ts';
import type { OpenPageOptions } from './serve-open-data-pages.ts';

export interface NotFoundPage {
  contentType: string;
  /** Names and values alternately. */
  headers: string[];
  body: Buffer;
}

/** @param language of the installation @returns a function that returns undefined for programs */
export function createNotFoundPages(
  options: OpenPageOptions,
  language: string,
): (headers: IncomingHttpHeaders) => NotFoundPage | undefined {
  const fallback = isLanguage(language) ? language : undefined;
  const pages = new Map(languages.map((each) => [each, Buffer.from(String(render(each, options)))]));
  return (headers) => {
    if (!prefersHtml(headers.accept)) return undefined;
    const wanted = negotiateLanguage(undefined, headers['accept-language'], fallback);
    return {
      contentType: 'text/html; charset=utf-8',
      headers: [...pageHeaders, 'content-language', wanted],
      body: pages.get(wanted) as Buffer,
    };
  };
}

function render(language: Language, { publicUrl = '', footerUrls }: OpenPageOptions): SafeHtml {
  const text = messages[language];
  const { title, hint } = text.errors[404] as { title: string; hint: string };
  const body = html`<main class="kern-container" id="content" tabindex="-1">
<h1 class="kern-heading-large">${title}</h1>
${paragraph(hint)}
</main>
${pageFooter({ text, publicUrl, footerUrls })}`;
  return pageDocument({ text, language, title, body });
}
