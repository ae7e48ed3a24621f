/** The command-line options for the suppression of small counts. */
import { getPublishedWords, type Language } from '../../domain/published-words.ts';
import type { FormatOption, FormatOptions } from '../format-definition.ts';
import { InputError } from '../input-error.ts';
import type { SuppressionRule } from './small-count-suppression.ts';

const defaultThreshold = 10;

export const disclosureOptions = {
  otherText: {
    flags: '--other-text <text>',
    description:
      'text of the option that small counts are merged into (default: “Weitere Antworten” in the language of the municipality)',
    parse: (text: string) => {
      if (text.trim() !== '') return text.trim().normalize('NFC');
      throw new InputError({ code: 'option-empty' });
    },
  },
  threshold: {
    flags: '--threshold <count>',
    description: `smallest published number of answers to an option (default: ${defaultThreshold}, at least 3)`,
    parse: (text: string) => {
      const count = Number(text);
      if (/^\d{1,6}$/.test(text) && count >= 3) return count;
      throw new InputError({ code: 'option-not-threshold' });
    },
  },
  alreadyAnonymised: {
    flags: '--already-anonymised',
    description: 'publish the counts of surveys unchanged, because the source has anonymised them',
    parse: () => true,
  },
} as const satisfies Record<string, FormatOption>;

/** @returns undefined: counts are published unchanged */
export function parseSuppressionRule(
  { threshold = defaultThreshold, otherText, alreadyAnonymised }: FormatOptions,
  language: Language,
): SuppressionRule | undefined {
  if (alreadyAnonymised === true) return undefined;
  const { otherAnswers } = getPublishedWords(language);
  return { threshold: threshold as number, otherText: (otherText ?? otherAnswers) as string };
}
