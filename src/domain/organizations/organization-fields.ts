/** The fields of a municipality that people enter. */
import { limits } from '../../contract/field-schemas.ts';
import { flattenOrganization } from '../../contract/resources/organization.ts';
import { maxNameLength, parseEmail, parseLine } from '../values/name-validation.ts';
import { normalizeTimeZone } from '../values/timestamps.ts';
import { hasPublicHost, isWebUrl, percentEncodeUrl } from '../values/web-url.ts';
import type { NewLogo } from './logo.ts';
import { parseOpenData, parseSlug } from './open-data.ts';
import type { Organization } from './organization.ts';
import { parseCountry, parseLanguage } from './published-words.ts';
import { parseRedactionTerms } from './redaction-terms.ts';

/** @returns the stored form of a text; undefined if it is invalid */
type Parser = (text: string) => string | undefined;

const createLineParser =
  (maxLength: number): Parser =>
  (text) =>
    parseLine(text, maxLength);

const parseUrl: Parser = (text) => {
  const url = percentEncodeUrl(text);
  return isWebUrl(url) && hasPublicHost(url) ? url : undefined;
};

interface EditableField {
  parse: Parser;
  /** The value cannot be removed. */
  isRequired?: true;
}

/** The published ones have the names of `flatOrganizationFields`. In the order of lists and options. */
export const organizationFields = {
  name: { parse: createLineParser(maxNameLength), isRequired: true },
  timeZone: { parse: normalizeTimeZone, isRequired: true },
  language: { parse: parseLanguage },
  country: { parse: parseCountry },
  redactionTerms: { parse: parseRedactionTerms },
  slug: { parse: parseSlug },
  openData: { parse: parseOpenData, isRequired: true },
  openDataIndex: { parse: parseOpenData, isRequired: true },
  licenseName: { parse: createLineParser(limits.word) },
  licenseUrl: { parse: parseUrl },
  contactName: { parse: createLineParser(limits.word) },
  contactEmail: { parse: parseEmail },
  contactUrl: { parse: parseUrl },
  attribution: { parse: createLineParser(limits.name) },
} as const satisfies Readonly<Record<string, EditableField>>;

/** Of a new municipality: the default of the column. */
export const defaultTimeZone = 'Europe/Berlin';

export type OrganizationField = keyof typeof organizationFields;

export const organizationFieldNames = Object.keys(organizationFields) as OrganizationField[];

export const isRequiredField = (name: OrganizationField): boolean => 'isRequired' in organizationFields[name];

/** New values by field; null removes a value. Absent fields stay as they are. */
export type OrganizationChanges = {
  -readonly [Name in OrganizationField]?: (typeof organizationFields)[Name] extends { isRequired: true }
    ? string
    : string | null;
} & { logo?: NewLogo | null };

/** The texts of the fields; null if not set. */
export function getFieldValues(organization: Organization): Record<OrganizationField, string | null> {
  const values: Readonly<Record<string, unknown>> = { ...organization, ...flattenOrganization(organization) };
  return mapOrganizationFields((name) => values[name] as string | null);
}

export const mapOrganizationFields = <Value>(
  map: (name: OrganizationField) => Value,
): Record<OrganizationField, Value> =>
  Object.fromEntries(organizationFieldNames.map((name) => [name, map(name)])) as Record<
    OrganizationField,
    Value
  >;
