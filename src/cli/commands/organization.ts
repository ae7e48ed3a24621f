import { randomUUID } from 'node:crypto';
import { parseTimeZone } from '../../config/setting-parsers.ts';
import { isValidName } from '../../domain/name-validation.ts';
import type { Organization } from '../../domain/organization.ts';
import type { Store } from '../../domain/store.ts';
import { isUuid } from '../../domain/uuid.ts';
import { CommandError } from '../command-error.ts';
import { confirmRemoval } from '../confirm-removal.ts';
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
import { print, printError, printJson, printTable } from '../output.ts';
import { editOrganization, fieldOptions, printOrganization } from './edit-organization.ts';

export const addOrganizationCommands = defineGroup('organization', 'Manages municipalities', [
  defineStoreCommand({
    name: 'add',
    summary: 'add a municipality',
    description: 'Adds a municipality and prints its id. Creates the database if it is missing.',
    arguments: { name: argument('<name>', 'unique name', parseName) },
    options: {
      id: option('uuid', 'id (default: random)', parseUuid),
      timeZone: option('zone', 'IANA time zone (default: Europe/Berlin)', parseTimeZone),
      language: fieldOptions.language,
      country: fieldOptions.country,
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
      'Prints the facts about a municipality: time zone, language, country, words that imports replace, licence and contact.',
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
      if (!flags.yes) await confirmRemoval(`${name} with all its data and keys`, name);
      await store.removeOrganization(id);
      printError(`Removed ${name} with all its data and keys.`);
    },
  }),
]);

function parseName(text: string): string {
  if (isValidName(text)) return text;
  throw new Error('have 1 to 200 characters, none of them a control character');
}

function parseUuid(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new Error('be a UUID of RFC 9562, version 1 to 8');
}

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
