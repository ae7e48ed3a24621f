/** The facts about a municipality: options of commands, and properties of provisioning files. */
import { limits } from '../../../contract/field-schemas.ts';
import { openDataStates, reservedSlugs, slugLength } from '../../../domain/organizations/open-data.ts';
import {
  type OrganizationField,
  organizationFields,
} from '../../../domain/organizations/organization-fields.ts';
import { languages } from '../../../domain/organizations/published-words.ts';
import { describeInvalidLine } from '../../../domain/organizations/redaction-terms.ts';
import { maxNameLength } from '../../../domain/values/name-validation.ts';
import { option } from '../define-command.ts';

const oneLine = (maxLength: number) => `have 1 to ${maxLength} characters in one line`;
const url = 'be a full address such as https://www.stadt.example/data';

const fields: Readonly<Record<OrganizationField, { value: string; description: string; must: string }>> = {
  name: { value: 'name', description: 'unique name', must: oneLine(maxNameLength) },
  timeZone: {
    value: 'zone',
    description: 'time zone of the municipality; imports read times without an offset in it',
    must: 'be an IANA time zone such as Europe/Berlin',
  },
  language: {
    value: 'code',
    description: `language of words that Rostra writes into published data: ${languages.join(', ')} (default: ROSTRA_LANGUAGE)`,
    must: `be one of ${languages.join(', ')}`,
  },
  country: {
    value: 'code',
    description: 'country of telephone numbers, number plates and ambiguous dates (default: ROSTRA_COUNTRY)',
    must: 'be a country code (ISO 3166) such as DE, AT or CH',
  },
  redactionTerms: {
    value: 'lines',
    description: 'words, names and patterns that imports replace, one on each line',
    must: 'have words of at least two characters, or patterns such as "Customer number = /K-[0-9]{6}/", one on each line',
  },
  slug: {
    value: 'slug',
    description:
      'the part of the addresses of open data after /open/, such as karlsruhe; never given to another municipality',
    must: `have ${slugLength.min} to ${slugLength.max} letters a to z, digits and single hyphens between them, and be none of ${reservedSlugs.join(', ')}`,
  },
  openData: {
    value: openDataStates.join('|'),
    description: 'publish to everyone, without a key, below /open/. It needs a slug and a licence',
    must: `be ${openDataStates.join(' or ')}`,
  },
  openDataIndex: {
    value: openDataStates.join('|'),
    description: 'let search engines list the pages of single records (default: off)',
    must: `be ${openDataStates.join(' or ')}`,
  },
  licenseName: {
    value: 'license',
    description: 'licence of the data: an SPDX identifier such as CC-BY-4.0, or a name',
    must: oneLine(limits.word),
  },
  licenseUrl: { value: 'url', description: 'text of the licence', must: url },
  contactName: {
    value: 'name',
    description: 'person or office for questions about the data',
    must: oneLine(limits.word),
  },
  contactEmail: {
    value: 'email',
    description: 'email address for questions about the data',
    must: 'be an email address such as name@stadt.example',
  },
  contactUrl: { value: 'url', description: 'page with further contacts', must: url },
  attribution: {
    value: 'text',
    description: 'text with which others name the source of the data',
    must: oneLine(limits.name),
  },
};

/** @param emptyHint follows the message about an empty text */
export function createFieldOption(field: OrganizationField, emptyHint = '') {
  const { value, description, must } = fields[field];
  return option(value, description, (text) => {
    const parsed = organizationFields[field].parse(text.trim());
    if (parsed !== undefined) return parsed;
    const where = field === 'redactionTerms' ? describeInvalidLine(text) : '';
    throw new Error(must + where + (text === '' ? emptyHint : ''));
  });
}
