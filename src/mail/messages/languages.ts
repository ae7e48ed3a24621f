/** The languages of emails. */
import { de } from './de.ts';
import { en, type MailMessages } from './en.ts';

const messages: Record<string, MailMessages> = { de, en };

export interface MailLanguage {
  language: string;
  text: MailMessages;
}

/** English, if the language of the account is unknown. */
export function selectMailLanguage(language: string | null): MailLanguage {
  const chosen = language !== null && Object.hasOwn(messages, language) ? language : 'en';
  return { language: chosen, text: messages[chosen] ?? en };
}
