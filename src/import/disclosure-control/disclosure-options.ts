/** How a person chooses which small counts of surveys are published. */
import type { FormatOption, FormatOptions } from '../format-definition.ts';
import { InputError } from '../parsed-record.ts';
import type { SuppressionRule } from './small-count-suppression.ts';

export const disclosureOptions = {
  otherText: {
    flags: '--other-text <text>',
    description: `text of the option that small ones are folded into (default: ${'Weitere Antworten'})`,
    parse: (text: string) => {
      if (text.trim() !== '') return text.trim().normalize('NFC');
      throw new InputError('It must not be empty.');
    },
  },
  threshold: {
    flags: '--threshold <count>',
    description: 'smallest number of answers that is published for an option (default: 10, at least 3)',
    parse: (text: string) => {
      const count = Number(text);
      if (/^\d{1,6}$/.test(text) && count >= 3) return count;
      throw new InputError(
        'It must be a whole number from 3 on. Counts that are published elsewhere are taken as they are with --already-anonymised.',
      );
    },
  },
  alreadyAnonymised: {
    flags: '--already-anonymised',
    description: 'publish the counts of surveys as they are: the source has anonymised them',
    parse: () => true,
  },
} as const satisfies Record<string, FormatOption>;

/** @returns undefined: counts are published as they are */
export function parseSuppressionRule({
  threshold = 10,
  otherText = 'Weitere Antworten',
  alreadyAnonymised,
}: FormatOptions): SuppressionRule | undefined {
  if (alreadyAnonymised === true) return undefined;
  return { threshold: threshold as number, otherText: otherText as string };
}
