/** Validates texts that administrators type about published records, as strictly as those of imports. */
import type { CountryCode } from 'libphonenumber-js/max';
import { defaultRedactionKinds } from '../domain/import-source.ts';
import type { SurveyTexts } from '../domain/record-decision.ts';
import { InvalidFieldError, type Reason } from '../reasons/reason.ts';
import { type FieldCheck, fieldChecks, validateField } from './field-validation.ts';
import { detectPersonalData } from './redaction/pii-detectors.ts';

/**
 * The reason of a decision is shown to all accounts of the municipality, and stays in the audit log.
 *
 * @param country ISO 3166 code for telephone numbers without a country code
 */
export const hasPersonalData = (text: string, country: string): boolean =>
  detectPersonalData(text, { country: country as CountryCode, isIdentifier: false }).length > 0;

export interface ParsedTexts {
  texts: SurveyTexts;
  /** By the name of the text. */
  problems: Map<string, Reason>;
}

/** The texts of a survey by their names in forms and on the command line. */
export const nameSurveyTexts = ({ title, questionTexts }: SurveyTexts): Map<string, string> =>
  new Map([['title', title], ...questionTexts.map((text, index) => [`question${index + 1}`, text] as const)]);

/**
 * Validates the texts that differ from the published ones.
 *
 * @param entered by name; absent ones stay
 * @param country as for `hasPersonalData`
 */
export function parseSurveyTexts(
  published: SurveyTexts,
  entered: ReadonlyMap<string, string>,
  country: string,
): ParsedTexts {
  const problems: ParsedTexts['problems'] = new Map();
  const [title = published.title, ...questionTexts] = [...nameSurveyTexts(published)].map(
    ([name, before]) => {
      const text = collapse(entered.get(name) ?? before);
      // Browsers change line breaks.
      if (text === collapse(before)) return before;
      try {
        return parseSurveyText(name === 'title' ? 'title' : 'questionText', text, country);
      } catch (error) {
        if (!(error instanceof InvalidFieldError)) throw error;
        problems.set(name, error.reason);
        return before;
      }
    },
  );
  return { texts: { title, questionTexts }, problems };
}

const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** @throws InvalidFieldError */
function parseSurveyText(field: 'title' | 'questionText', text: string, country: string): string {
  const check = { ...fieldChecks.survey, ...fieldChecks.question }[field] as FieldCheck;
  const parsed = validateField(field, check, text) as string;
  const found = detectPersonalData(parsed, { country: country as CountryCode, isIdentifier: false });
  if (found.some(({ kind }) => defaultRedactionKinds.includes(kind)))
    throw new InvalidFieldError({ code: 'personal-data-typed', field });
  return parsed;
}
