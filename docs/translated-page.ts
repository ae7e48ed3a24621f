/** Pages in English and German: each text has both languages beside each other, in Markdown. */
import type { Language } from '../src/web/messages/languages.ts';

/** A string is the same in both languages. */
export type Text = string | Record<Language, string>;

const select = (text: Text, language: Language): string => (typeof text === 'string' ? text : text[language]);

const translate = (format: (read: (text: Text) => string) => string): Text => ({
  en: format((text) => select(text, 'en')),
  de: format((text) => select(text, 'de')),
});

export const list = (...items: Text[]): Text =>
  translate((read) => items.map((item) => `- ${read(item)}`).join('\n'));

export const quote = (...paragraphs: Text[]): Text =>
  translate((read) => paragraphs.map((paragraph) => `> ${read(paragraph)}`).join('\n>\n'));

export const table = (header: readonly Text[], ...rows: (readonly Text[])[]): Text =>
  translate((read) =>
    [header, header.map(() => '---'), ...rows].map((row) => `| ${row.map(read).join(' | ')} |`).join('\n'),
  );

/** @returns the page with a blank line between its texts */
export const formatPage = (note: string, texts: readonly Text[], language: Language): string =>
  `${[note, ...texts.map((text) => select(text, language))].join('\n\n')}\n`;
