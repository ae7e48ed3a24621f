import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { maxLogoSide } from '../../../contract/resources/organization.ts';
import { maxLogoBytes, type NewLogo, parseLogo } from '../../../domain/organizations/logo.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import {
  defaultTimeZone,
  getFieldValues,
  type OrganizationChanges,
  organizationFields,
} from '../../../domain/organizations/organization-fields.ts';
import type { Store } from '../../../domain/store.ts';
import { describeReadError } from '../../../domain/values/describe-read-error.ts';
import { maxNameLength } from '../../../domain/values/name-and-email-validation.ts';
import { parseTimeZone } from '../../config/setting-parsers.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { confirm } from '../confirm.ts';
import {
  argument,
  defineGroup,
  defineStoreCommand,
  ifMissing,
  json,
  option,
  yes,
} from '../define-command.ts';
import { requireOrganization } from '../find-organization.ts';
import { clearOption, collectChanges, toOptionName } from '../options/edit-options.ts';
import { createLineParser, parseUuid } from '../options/option-parsers.ts';
import { createFieldOption } from '../options/organization-field-options.ts';
import { print, printError, printJson, printTable } from '../output.ts';

const logoLimits = `PNG, JPEG or WebP, at most ${maxLogoBytes / 1_024} KiB and ${maxLogoSide} pixels on each side`;

const editOrganization = defineStoreCommand({
  name: 'edit',
  summary: 'change name, time zone, language, country, open data, licence, contact, attribution or logo',
  description:
    'Changes the facts about a municipality, most of which the API publishes at /organization, and prints all of them. Values that no option names stay as they are.',
  arguments: { nameOrId: argument('<name|id>', 'the municipality') },
  options: {
    ...organizationFields.map((field) =>
      createFieldOption(
        field,
        organizationFields.isRequired(field) ? '' : `. --clear ${toOptionName(field)} removes it`,
      ),
    ),
    logo: option('file', `image of the logo or coat of arms: ${logoLimits}`),
    clear: clearOption([
      ...organizationFields.names.filter((field) => !organizationFields.isRequired(field)),
      'logo',
    ]),
    json,
  },
  run: async ({ nameOrId, clear, logo, json, ...flags }, store) => {
    const fields = Object.fromEntries(organizationFields.names.map((field) => [field, flags[field]]));
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

export const addOrganizationCommands = defineGroup('organization', 'manage municipalities', [
  defineStoreCommand({
    name: 'add',
    summary: 'add a municipality',
    description: 'Adds a municipality and prints its id. Creates the database if it is missing.',
    arguments: { name: argument('<name>', 'unique name', createLineParser(maxNameLength)) },
    options: {
      id: option('uuid', 'id (default: random)', parseUuid),
      timeZone: option('zone', `IANA time zone (default: ${defaultTimeZone})`, parseTimeZone),
      language: createFieldOption('language'),
      country: createFieldOption('country'),
      ifMissing: ifMissing('a municipality has this name'),
      json,
    },
    create: true,
    run: async ({ name, ...flags }, store) => {
      const existing = flags.ifMissing && (await findNamed(store, name, flags.id));
      if (existing) {
        if (flags.json) return printJson(existing);
        printError(`${existing.name} exists already. Nothing changed.`);
        return print(existing.id);
      }
      const id = flags.id ?? randomUUID();
      const { timeZone, language, country } = flags;
      const added = await store.addOrganization(name, id, { timeZone, language, country });
      if (flags.json) return printJson(added);
      printError(
        `Added ${added.name} in the time zone ${added.timeZone}. Next: rostra key issue --organization "${added.name}" --name "…"`,
      );
      return print(added.id);
    },
  }),

  defineStoreCommand({
    name: 'list',
    summary: 'list the municipalities',
    description: 'Lists the municipalities with their numbers of published records.',
    options: { json },
    run: async (flags, store) => {
      const organizations = await store.listOrganizations();
      const uncounted = organizations.filter(({ submissions }) => submissions === null).length;
      if (uncounted > 0)
        printError(
          `The records of ${uncounted} municipalities cannot be counted: their node of Citus is unavailable.`,
        );
      if (flags.json) return printJson(organizations);
      return printTable(
        ['ID', 'NAME', 'SUBMISSIONS', 'SESSIONS', 'SURVEYS', 'ACTIVE KEYS'],
        organizations.map(({ id, name, submissions, sessions, surveys, activeKeys }) => [
          id,
          name,
          ...[submissions, sessions, surveys, activeKeys].map((count) => String(count ?? '')),
        ]),
      );
    },
  }),

  defineStoreCommand({
    name: 'show',
    summary: 'show a municipality',
    description:
      'Prints the facts about a municipality: time zone, language, country, words that imports replace, open data, licence and contact.',
    arguments: { nameOrId: argument('<name|id>', 'the municipality') },
    options: { json },
    run: async ({ nameOrId, ...flags }, store) =>
      printOrganization(await requireOrganization(store, nameOrId), flags.json),
  }),

  editOrganization,

  defineStoreCommand({
    name: 'remove',
    summary: 'remove a municipality with all its data and keys',
    description:
      'Removes a municipality with all its data and keys. Asks for confirmation; without a terminal, --yes is required.',
    arguments: { nameOrId: argument('<name|id>', 'the municipality') },
    options: { yes },
    run: async ({ nameOrId, ...flags }, store) => {
      const { id, name } = await requireOrganization(store, nameOrId);
      if (!flags.yes) await confirm('remove', `${name} with all its data and keys`, name);
      await store.removeOrganization(id);
      printError(`Removed ${name} with all its data and keys.`);
    },
  }),
]);

/** @throws CommandError if the name belongs to a municipality with another id */
async function findNamed(
  store: Store,
  name: string,
  id: string | undefined,
): Promise<Organization | undefined> {
  const found = await store.findOrganization(name);
  if (found === undefined || found.name !== name) return undefined;
  if (id === undefined || id === found.id) return found;
  throw new CommandError(`${name} exists already with another id: ${found.id}.`);
}

function printOrganization(organization: Organization, asJson?: true): void {
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
    ...Object.fromEntries(organizationFields.names.map((field) => [toOptionName(field), values[field]])),
    logo: organization.logo?.url ?? null,
  };
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
  // One byte more than the limit: the end is inclusive.
  const beginning = createReadStream(path, { end: maxLogoBytes });
  const chunks: Buffer[] = await beginning.toArray().catch((error: unknown) => {
    throw new CommandError(`--logo ${path} cannot be read: ${describeReadError(error)}.`, exitCodes.usage);
  });
  const logo = parseLogo(Buffer.concat(chunks));
  if (typeof logo !== 'string') return logo;
  throw new CommandError(`--logo ${path}: ${logoProblems[logo]}. It must be ${logoLimits}.`, exitCodes.usage);
}
