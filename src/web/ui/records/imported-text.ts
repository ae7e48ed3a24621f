/** Texts from sources: never HTML. */

import { dataLanguageAttribute } from '../components.ts';
import { each, html, type SafeHtml } from '../html.ts';
import type { ViewContext } from '../view-context.ts';

const maxExcerptLength = 160;

/** The beginning of a text on one line. */
export function excerpt(text: string, maxLength = maxExcerptLength): string {
  const characters = [
    ...text
      .slice(0, 4 * maxLength)
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** The text after the title with which some sources begin it, and after the punctuation between both. */
export function withoutTitle(text: string, title: string | null | undefined): string {
  if (!title || !text.startsWith(title)) return text;
  const [separator = ''] = /^[\s.,:;!?]*/.exec(text.slice(title.length)) ?? [];
  // Otherwise, the title is the whole text, or ends inside a word.
  const isTitle = separator !== '' && title.length + separator.length < text.length;
  return isTitle ? text.slice(title.length + separator.length) : text;
}

/** A text as paragraphs. */
export function importedText(text: string, context: ViewContext): SafeHtml {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  const items = each(paragraphs, (paragraph) => {
    const lines = paragraph.trim().split('\n');
    return html`<p class="kern-body" dir="auto">${each(lines, (line, index) => html`${index > 0 ? html`<br>` : ''}${line}`)}</p>`;
  });
  return html`<div class="source-text"${dataLanguageAttribute(context)}>${items}</div>`;
}

/** A link to another site; the text itself if it is no web address. @param name default: the address */
export const externalLink = (address: string, name?: SafeHtml): SafeHtml =>
  /^https?:\/\//i.test(address)
    ? html`<a class="kern-link long-text" href="${address}" rel="noopener noreferrer">${name ?? html`<bdi>${address}</bdi>`}</a>`
    : (name ?? html`<bdi>${address}</bdi>`);
