/** The languages of pages, and the choice between them. */
import { de } from './de.ts';
import { en, type Messages } from './en.ts';

export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

export const messages: Record<Language, Messages> = { de, en };

export function isLanguage(text: string | undefined): text is Language {
  return (languages as readonly (string | undefined)[]).includes(text);
}

/**
 * The chosen language, else the browser's preferred one among ours, else `fallback`.
 *
 * @param acceptLanguage the header with its quality values (RFC 9110, sections 12.4.2 and 12.5.4)
 */
export function negotiateLanguage(
  chosen: string | undefined,
  acceptLanguage = '',
  fallback: Language = 'en',
): Language {
  if (isLanguage(chosen)) return chosen;
  let best: { language: Language; quality: number } | undefined;
  for (const range of acceptLanguage.toLowerCase().split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const [language] = tag.split('-');
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    if (isLanguage(language) && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language ?? fallback;
}
