import { open } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
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
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { requireOrganization } from '../find-organization.ts';
import { printError, printJson, printTable } from '../output.ts';
import { createClearParser, createJsonOption, createSettingOption } from '../shared-options.ts';

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

const removable = new Map(
  organizationFieldNames
    .filter((field) => !isRequiredField(field))
    .map((field) => [toOptionName(field), field]),
);

const logoLimits = `PNG, JPEG or WebP, at most ${maxLogoBytes / 1_024} KiB and ${maxLogoSide} pixels on each side`;

type Flags = DatabaseFlags &
  Partial<Record<Field, string>> & {
    clear?: Field[];
    /** Path of a file; false to remove the logo. */
    logo?: string | false;
    json?: true;
  };

export function addEditOrganizationCommand(organization: Command, context: CommandContext): void {
  const command = organization
    .command('edit')
    .summary('change name, time zone, language, country, licence, contact, attribution or logo')
    .description(
      'Changes the facts about a municipality, most of which the API publishes at /organization, and prints all of them. Values that no option names stay as they are.',
    )
    .argument('<name|id>', 'the municipality');
  for (const field of organizationFieldNames) command.addOption(createFieldOption(field));
  command
    .option('--logo <file>', `image of the logo or coat of arms: ${logoLimits}`)
    .option('--no-logo', 'remove the logo')
    .option(
      '--clear <options>',
      `remove values, separated by commas: ${[...removable.keys()].join(', ')}`,
      createClearParser(removable),
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action(async (nameOrId: string, flags: Flags) => {
      const changes = await readChanges(flags);
      return withStore(context, flags, async (store) => {
        const organization = await requireOrganization(store, nameOrId);
        const edited = await store.editOrganization(organization.id, changes);
        if (flags.json) return printOrganization(edited, true);
        const [before, after] = [listValues(organization), listValues(edited)];
        const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
        printError(
          changed.length === 0
            ? `${organization.name} has these values already.`
            : `Changed ${changed.join(', ')} of ${organization.name}.`,
        );
        return printOrganization(edited);
      });
    });
}

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

export function createFieldOption(field: Field): Option {
  const { value, description, mustBe } = fields[field];
  return new Option(`--${toOptionName(field)} <${value}>`, description).argParser((text: string) => {
    const parsed = organizationFields[field].parse(text.trim());
    if (parsed !== undefined) return parsed;
    const hint =
      text === '' && removable.has(toOptionName(field)) ? ` --clear ${toOptionName(field)} removes it.` : '';
    const where = field === 'redactionTerms' ? describeInvalidLine(text) : '';
    throw new InvalidArgumentError(`It must be ${mustBe}${where}.${hint}`);
  });
}

/** @throws CommandError without a change, and if a value is both set and removed */
async function readChanges({ clear = [], logo, ...flags }: Flags): Promise<OrganizationChanges> {
  const changes: Partial<Record<Field, string | null>> = {};
  for (const field of organizationFieldNames) if (flags[field] !== undefined) changes[field] = flags[field];
  for (const field of clear) {
    if (changes[field] !== undefined && changes[field] !== null)
      throw new CommandError(
        `--${toOptionName(field)} and --clear ${toOptionName(field)} contradict each other. Use one of them.`,
        exitCodes.usage,
      );
    changes[field] = null;
  }
  if (Object.keys(changes).length === 0 && logo === undefined)
    throw new CommandError('Specify at least one change, such as --license-name CC-BY-4.0.', exitCodes.usage);
  const newLogo = typeof logo === 'string' ? await readLogo(logo) : logo === false ? null : undefined;
  return { ...(changes as OrganizationChanges), ...(newLogo !== undefined && { logo: newLogo }) };
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
