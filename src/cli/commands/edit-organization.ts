import { open } from 'node:fs/promises';
import { maxLogoSide } from '../../contract/organization.ts';
import { maxLogoBytes, type NewLogo, parseLogo } from '../../domain/logo.ts';
import type { Organization } from '../../domain/organization.ts';
import {
  getFieldValues,
  isRequiredField,
  type OrganizationChanges,
  type OrganizationField,
  organizationFieldNames,
  organizationFields,
} from '../../domain/organization-fields.ts';
import { languages } from '../../domain/published-words.ts';
import { describeInvalidLine } from '../../domain/redaction-terms.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { argument, defineStoreCommand, json, option } from '../define-command.ts';
import { clearOption, collectChanges } from '../edit-options.ts';
import { requireOrganization } from '../find-organization.ts';
import { printError, printJson, printTable } from '../output.ts';

type Field = OrganizationField;

const oneLine = (maxLength: number) => `1 to ${maxLength} characters in one line`;
const url = 'a URL that begins with https:// or http://';

/** Describes the value of an option in the help and in errors. */
const fields: Readonly<Record<Field, { value: string; description: string; mustBe: string }>> = {
  name: { value: 'name', description: 'unique name', mustBe: oneLine(200) },
  timeZone: {
    value: 'zone',
    description: 'time zone of the municipality; imports read times without an offset in it',
    mustBe: 'an IANA time zone such as Europe/Berlin',
  },
  language: {
    value: 'code',
    description: `language of words that Rostra writes into published data: ${languages.join(', ')}`,
    mustBe: `one of ${languages.join(', ')}`,
  },
  country: {
    value: 'code',
    description: 'country of telephone numbers, number plates and ambiguous dates',
    mustBe: 'a country code (ISO 3166) such as DE, AT or CH',
  },
  redactionTerms: {
    value: 'lines',
    description: 'words, names and patterns that imports replace, one on each line',
    mustBe:
      'words of at least two characters, or patterns such as "Customer number = /K-[0-9]{6}/", one on each line',
  },
  licenseName: {
    value: 'license',
    description: 'licence of the data: an SPDX identifier such as CC-BY-4.0, or a name',
    mustBe: oneLine(200),
  },
  licenseUrl: { value: 'url', description: 'text of the licence', mustBe: url },
  contactName: {
    value: 'name',
    description: 'person or office for questions about the data',
    mustBe: oneLine(200),
  },
  contactEmail: {
    value: 'email',
    description: 'email address for questions about the data',
    mustBe: 'an email address',
  },
  contactUrl: { value: 'url', description: 'page with further contacts', mustBe: url },
  attribution: {
    value: 'text',
    description: 'text with which others name the source of the data',
    mustBe: oneLine(1_000),
  },
};

/** `licenseName` → `license-name` */
const toOptionName = (field: Field) => field.replace(/[A-Z]/g, '-$&').toLowerCase();

const removable = organizationFieldNames.filter((field) => !isRequiredField(field));

const logoLimits = `PNG, JPEG or WebP, at most ${maxLogoBytes / 1_024} KiB and ${maxLogoSide} pixels on each side`;

export const fieldOptions = Object.fromEntries(
  organizationFieldNames.map((field) => [field, createFieldOption(field)]),
) as Record<Field, ReturnType<typeof createFieldOption>>;

export const editOrganization = defineStoreCommand({
  name: 'edit',
  summary: 'change name, time zone, language, country, licence, contact, attribution or logo',
  description:
    'Changes the facts about a municipality, most of which the API publishes at /organization, and prints all of them. Values that no option names stay as they are.',
  arguments: { nameOrId: argument('<name|id>', 'the municipality') },
  options: {
    ...fieldOptions,
    logo: option('file', `image of the logo or coat of arms: ${logoLimits}`),
    clear: clearOption([...removable, 'logo']),
    json,
  },
  run: async ({ nameOrId, clear, logo, json, ...flags }, store) => {
    const fields = Object.fromEntries(organizationFieldNames.map((field) => [field, flags[field]]));
    const changes = collectChanges({ ...fields, logo }, clear, '--license-name CC-BY-4.0');
    if (logo !== undefined) changes.logo = await readLogo(logo);
    const organization = await requireOrganization(store, nameOrId);
    const edited = await store.editOrganization(organization.id, changes as OrganizationChanges);
    if (json) return printOrganization(edited, true);
    const [before, after] = [listValues(organization), listValues(edited)];
    const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
    printError(
      changed.length === 0
        ? `${organization.name} has these values already.`
        : `Changed ${changed.join(', ')} of ${organization.name}.`,
    );
    return printOrganization(edited);
  },
});

export function printOrganization(organization: Organization, asJson?: true): void {
  const values = Object.entries({ id: organization.id, ...listValues(organization) });
  const rows = values.flatMap(([name, value]) =>
    (value ?? '–').split('\n').map((line, index) => [index === 0 ? name : '', line]),
  );
  if (asJson) printJson(organization);
  else printTable(['FIELD', 'VALUE'], rows);
}

/** The values by the names of their options. */
function listValues(organization: Organization): Record<string, string | null> {
  const values = getFieldValues(organization);
  return {
    ...Object.fromEntries(organizationFieldNames.map((field) => [toOptionName(field), values[field]])),
    logo: organization.logo?.url ?? null,
  };
}

function createFieldOption(field: Field) {
  const { value, description, mustBe } = fields[field];
  return option(value, description, (text) => {
    const parsed = organizationFields[field].parse(text.trim());
    if (parsed !== undefined) return parsed;
    const hint =
      text === '' && removable.includes(field) ? `. --clear ${toOptionName(field)} removes it` : '';
    const where = field === 'redactionTerms' ? describeInvalidLine(text) : '';
    throw new Error(`be ${mustBe}${where}${hint}`);
  });
}

const logoProblems = {
  tooLarge: `it is larger than ${maxLogoBytes / 1_024} KiB`,
  notAnImage: 'it is not a PNG, JPEG or WebP image',
  damaged: 'the image is damaged, or other data follows it',
  animated: 'the image is animated',
  tooManyPixels: `the image has more than ${maxLogoSide} pixels on one side`,
} as const;

/** @throws CommandError for a file that cannot be read, or that is no suitable image */
async function readLogo(path: string): Promise<NewLogo> {
  const content = await readBeginning(path, maxLogoBytes + 1).catch((error: Error) => {
    throw new CommandError(`--logo ${path} cannot be read: ${error.message}`, exitCodes.usage);
  });
  const logo = parseLogo(content);
  if (typeof logo !== 'string') return logo;
  throw new CommandError(`--logo ${path}: ${logoProblems[logo]}. It must be ${logoLimits}.`, exitCodes.usage);
}

/** @param maxBytes how much of a larger file is read */
async function readBeginning(path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = await file.createReadStream({ end: maxBytes - 1 }).toArray();
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}
