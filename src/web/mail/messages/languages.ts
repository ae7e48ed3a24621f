/** The languages of emails. */
import type { ReasonLanguage } from '../../../domain/reasons/reason.ts';
import { de } from './de.ts';
import { en, type MailMessages } from './en.ts';

const messages: Record<ReasonLanguage, MailMessages> = { de, en };

export interface MailLanguage {
  language: ReasonLanguage;
  text: MailMessages;
}

/** English, if the language of the account is unknown. */
export function selectMailLanguage(language: string | null): MailLanguage {
  const isKnown = (text: string | null): text is ReasonLanguage =>
    text !== null && Object.hasOwn(messages, text);
  const chosen = isKnown(language) ? language : 'en';
  return { language: chosen, text: messages[chosen] };
}
