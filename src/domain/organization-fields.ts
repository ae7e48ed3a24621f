/** The fields of a municipality that people enter. */
import { limits } from '../contract/field-schemas.ts';
import { isOneLine, maxNameLength, parseEmail } from './name-validation.ts';
import type { OrganizationField } from './organization.ts';
import { parseCountry, parseLanguage } from './published-words.ts';
import { parseRedactionTerms } from './redaction-terms.ts';
import { normalizeTimeZone } from './timestamps.ts';
import { isWebUrl, percentEncodeUrl } from './web-url.ts';

/** @returns the stored form of a text; undefined if it is invalid */
type Parser = (text: string) => string | undefined;

const createLineParser =
  (maxLength: number): Parser =>
  (text) =>
    isOneLine(text, maxLength) ? text.normalize('NFC') : undefined;

const parseUrl: Parser = (text) => {
  const url = percentEncodeUrl(text);
  return isWebUrl(url) ? url : undefined;
};

export const organizationFieldParsers: Readonly<Record<OrganizationField, Parser>> = {
  name: createLineParser(maxNameLength),
  timeZone: normalizeTimeZone,
  language: parseLanguage,
  country: parseCountry,
  redactionTerms: parseRedactionTerms,
  licenseName: createLineParser(limits.word),
  licenseUrl: parseUrl,
  contactName: createLineParser(limits.word),
  contactEmail: parseEmail,
  contactUrl: parseUrl,
  attribution: createLineParser(limits.name),
};
