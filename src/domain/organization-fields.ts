/** The fields of a municipality that people enter. */
import { limits } from '../contract/field-schemas.ts';
import { isEmail, isOneLine, maxNameLength } from './name-validation.ts';
import type { OrganizationChanges } from './organization.ts';
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

export const organizationFieldParsers: Readonly<Record<keyof OrganizationChanges, Parser>> = {
  name: createLineParser(maxNameLength),
  timeZone: normalizeTimeZone,
  licenseName: createLineParser(limits.word),
  licenseUrl: parseUrl,
  contactName: createLineParser(limits.word),
  contactEmail: (text) => (isEmail(text) ? text : undefined),
  contactUrl: parseUrl,
  attribution: createLineParser(limits.name),
};
