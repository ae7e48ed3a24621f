/** The languages of the admin area, and which of them a browser is given. */
import Negotiator from 'negotiator';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';

export const languages = ['de', 'en'] as const;
export type Language = (typeof languages)[number];

export const messages: Record<Language, Messages> = { de, en };

export function isLanguage(text: string | undefined): text is Language {
  return (languages as readonly (string | undefined)[]).includes(text);
}

/** What was chosen, else the first language of the browser that there is, else English. */
export function negotiateLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  if (isLanguage(chosen)) return chosen;
  const wanted = new Negotiator({ headers: { 'accept-language': acceptLanguage ?? '' } }).languages();
  const primary = wanted.map((tag) => tag.split('-')[0]?.toLowerCase());
  return primary.find(isLanguage) ?? 'en';
}
