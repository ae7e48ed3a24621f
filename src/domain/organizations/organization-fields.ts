/**
 * The fields of a municipality that people enter, declared once. The columns, the options of commands, the properties of
 * provisioning files and the list of personal data follow from them.
 */
import { limits } from '../../contract/field-schemas.ts';
import { flattenOrganization } from '../../contract/resources/organization.ts';
import { defineFields, type EnteredField, type RequiredField } from '../values/define-entered-fields.ts';
import { maxNameLength, parseEmail, parseLine } from '../values/name-and-email-validation.ts';
import { normalizeTimeZone } from '../values/timestamps.ts';
import { hasPublicHost, isWebUrl, percentEncodeUrl } from '../values/web-url.ts';
import { locationDecimals, parseTopics } from './location-rules.ts';
import type { NewLogo } from './logo.ts';
import { parseSlug, parseSwitch, reservedSlugs, slugLength, slugPattern, switchStates } from './open-data.ts';
import type { Organization } from './organization.ts';
import { languages, parseCountry, parseLanguage } from './placeholder-words.ts';
import { parseRedactionTerms } from './redaction-terms.ts';

/** @returns the stored form of a text; undefined if it is invalid */
type Parser = (text: string) => string | undefined;

const accentColorPattern = '^#?[0-9A-Fa-f]{6}$';

/** @returns the stored form, such as `#004f9f`; undefined for an invalid colour */
export function parseAccentColor(text: string): string | undefined {
  const color = text.trim();
  return new RegExp(accentColorPattern).test(color) ? `#${color.replace('#', '').toLowerCase()}` : undefined;
}

const parseUrl: Parser = (text) => {
  const url = percentEncodeUrl(text);
  return isWebUrl(url) && hasPublicHost(url) ? url : undefined;
};

export interface OrganizationFieldDeclaration extends EnteredField {
  parse: Parser;
  /** Placeholder of the value in help texts. */
  value: string;
  /** In help texts and schemas. */
  about: string;
  /** What a valid text is; follows "must". */
  must: string;
  /** Keywords of JSON Schema that editors use. */
  schema?: object;
}

const line = (maxLength: number) =>
  ({
    parse: (text: string) => parseLine(text, maxLength),
    must: `have 1 to ${maxLength} characters in one line`,
    schema: { minLength: 1, maxLength },
  }) as const;

const url = {
  parse: parseUrl,
  value: 'url',
  must: 'be a full address such as https://www.stadt.example/data',
  schema: { format: 'uri' },
} as const;

const state = {
  parse: parseSwitch,
  isRequired: true,
  value: switchStates.join('|'),
  must: `be ${switchStates.join(' or ')}`,
  schema: { enum: switchStates },
} as const;

/** The published ones have the names of `flatOrganizationFields`. In the order of lists and options. */
export const organizationFields = defineFields({
  name: { ...line(maxNameLength), isRequired: true, value: 'name', about: 'unique name' },
  timeZone: {
    parse: normalizeTimeZone,
    isRequired: true,
    value: 'zone',
    about: 'time zone of the municipality; imports read times without an offset in it',
    must: 'be an IANA time zone such as Europe/Berlin',
    schema: { examples: ['Europe/Berlin'] },
  },
  language: {
    parse: parseLanguage,
    value: 'code',
    about: `language of words that Rostra writes into published data: ${languages.join(', ')} (default: ROSTRA_LANGUAGE)`,
    must: `be one of ${languages.join(', ')}`,
    schema: { enum: languages },
  },
  country: {
    parse: parseCountry,
    value: 'code',
    about: 'country of telephone numbers, number plates and ambiguous dates (default: ROSTRA_COUNTRY)',
    must: 'be a country code (ISO 3166) such as DE, AT or CH',
    schema: { examples: ['DE'] },
  },
  redactionTerms: {
    parse: parseRedactionTerms,
    value: 'lines',
    about: 'words, names and patterns that imports replace, one on each line',
    must: 'have words of at least two characters, or patterns such as "Customer number = /K-[0-9]{6}/", one on each line',
  },
  locationDecimals: {
    parse: (text) => locationDecimals.find((decimals) => String(decimals) === text) && text,
    value: locationDecimals.join('|'),
    about:
      'publish locations of submissions with this number of decimals, if their source allows it: 3 (about 100 metres, recommended) or 4 (about 10 metres) (default: none is published)',
    must: `be ${locationDecimals.join(' or ')}`,
    schema: { type: 'integer', minimum: 3, maximum: 4 },
  },
  topicsWithoutLocation: {
    parse: parseTopics,
    value: 'lines',
    about: 'topics whose submissions are published without a location, one on each line',
    must: `name topics of at most ${limits.word} characters, one on each line`,
  },
  accentColor: {
    parse: parseAccentColor,
    value: 'color',
    about:
      'colour of the pages of open data, such as #004f9f; it is shown darker or lighter where its contrast needs it',
    must: 'be a hexadecimal colour such as #004f9f',
    schema: { pattern: accentColorPattern },
  },
  slug: {
    parse: parseSlug,
    value: 'slug',
    about:
      'the part of the addresses of open data after /open/, such as karlsruhe; never given to another municipality',
    must: `have ${slugLength.min} to ${slugLength.max} letters a to z, digits and single hyphens between them, and be none of ${reservedSlugs.join(', ')}`,
    schema: { pattern: slugPattern, minLength: slugLength.min, maxLength: slugLength.max },
  },
  openData: {
    ...state,
    about: 'publish to everyone, without a key, below /open/. It needs a slug and a licence',
  },
  openDataIndex: { ...state, about: 'let search engines list the pages of single records (default: off)' },
  approval: {
    ...state,
    about:
      'require the approval of another person for publications in the admin area (default: off). Commands, schedules and provisioning files need none',
  },
  licenseName: {
    ...line(limits.word),
    value: 'license',
    about: 'licence of the data: an SPDX identifier such as CC-BY-4.0, or a name',
  },
  licenseUrl: { ...url, about: 'text of the licence' },
  contactName: {
    ...line(limits.word),
    value: 'name',
    about: 'person or office for questions about the data',
  },
  contactEmail: {
    parse: parseEmail,
    value: 'email',
    about: 'email address for questions about the data',
    must: 'be an email address such as name@stadt.example',
    schema: { format: 'email' },
  },
  contactUrl: { ...url, about: 'page with further contacts' },
  attribution: {
    ...line(limits.name),
    value: 'text',
    about: 'text with which others name the source of the data',
  },
} as const satisfies Readonly<Record<string, OrganizationFieldDeclaration>>);

/** Of a new municipality: the default of the column. */
export const defaultTimeZone = 'Europe/Berlin';

type Declared = typeof organizationFields.declared;
export type OrganizationField = keyof Declared;

/** New values by field; null removes a value. Absent fields stay as they are. */
export type OrganizationChanges = {
  -readonly [Name in OrganizationField]?: Name extends RequiredField<Declared> ? string : string | null;
} & { logo?: NewLogo | null };

/** The texts of the fields; null if not set. */
export function getFieldValues(organization: Organization): Record<OrganizationField, string | null> {
  const values: Readonly<Record<string, unknown>> = { ...organization, ...flattenOrganization(organization) };
  return organizationFields.map((name) => toText(values[name] as string | number | null));
}

const toText = (value: string | number | null) => (value === null ? null : String(value));
