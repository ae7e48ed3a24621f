import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTimeZone } from '../../config/setting-parsers.ts';
import type { Organization } from '../../domain/organization.ts';
import type { Store } from '../../domain/store.ts';
import { isUuid } from '../../domain/uuid.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { confirmRemoval } from '../confirm-removal.ts';
import { requireOrganization } from '../find-organization.ts';
import { print, printError, printJson, printTable } from '../output.ts';
import {
  createIfMissingOption,
  createJsonOption,
  createSettingOption,
  parseName,
  toOptionParser,
} from '../shared-options.ts';
import { addEditOrganizationCommand, createFieldOption, printOrganization } from './edit-organization.ts';

interface AddFlags extends DatabaseFlags {
  id?: string;
  timeZone?: string;
  language?: string;
  country?: string;
  ifMissing?: true;
  json?: true;
}

export function addOrganizationCommands(program: Command, context: CommandContext): void {
  const organization = program.command('organization').description('Manages municipalities');

  organization
    .command('add')
    .summary('add a municipality')
    .description('Adds a municipality and prints its id. Creates the database if it is missing.')
    .argument('<name>', 'unique name')
    .option('--id <uuid>', 'id (default: random)', parseUuid)
    .addOption(
      new Option('--time-zone <zone>', 'IANA time zone (default: Europe/Berlin)').argParser(
        toOptionParser(parseTimeZone),
      ),
    )
    .addOption(createFieldOption('language'))
    .addOption(createFieldOption('country'))
    .addOption(createIfMissingOption('a municipality has this name'))
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((name: string, flags: AddFlags) =>
      withStore(
        context,
        flags,
        async (store) => {
          const wanted = parseName(name, 'The name');
          const existing = flags.ifMissing && (await findNamed(store, wanted, flags.id));
          if (existing) {
            if (flags.json) return printJson(existing);
            printError(`${existing.name} exists already. Nothing changed.`);
            return print(existing.id);
          }
          const id = flags.id ?? randomUUID();
          const { timeZone, language, country } = flags;
          const added = await store.addOrganization(wanted, id, { timeZone, language, country });
          if (flags.json) return printJson(added);
          printError(
            `Added ${added.name} in the time zone ${added.timeZone}. Next: rostra key issue --organization "${added.name}" --name "…"`,
          );
          return print(added.id);
        },
        { create: true },
      ),
    );

  organization
    .command('rename')
    .summary('rename a municipality')
    .description(
      'Changes the name of a municipality. Its id, its keys and its data stay the same. The API publishes the new name at /organization immediately.',
    )
    .argument('<name|id>', 'the municipality')
    .argument('<new-name>', 'unique name')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((nameOrId: string, newName: string, flags: DatabaseFlags & { json?: true }) =>
      withStore(context, flags, async (store) => {
        const name = parseName(newName, 'The new name');
        const before = await requireOrganization(store, nameOrId);
        const renamed = await store.editOrganization(before.id, { name });
        if (flags.json) return printJson(renamed);
        return printError(
          before.name === name ? `The name is ${name} already.` : `Renamed ${before.name} to ${name}.`,
        );
      }),
    );

  organization
    .command('list')
    .summary('list the municipalities')
    .description('Lists the municipalities with their numbers of published records.')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: DatabaseFlags & { json?: true }) =>
      withStore(context, flags, async (store) => {
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
      }),
    );

  organization
    .command('show')
    .summary('show a municipality')
    .description(
      'Prints the facts about a municipality: time zone, language, country, words that imports replace, licence and contact.',
    )
    .argument('<name|id>', 'the municipality')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((nameOrId: string, flags: DatabaseFlags & { json?: true }) =>
      withStore(context, flags, async (store) =>
        printOrganization(await requireOrganization(store, nameOrId), flags.json),
      ),
    );

  addEditOrganizationCommand(organization, context);

  organization
    .command('remove')
    .summary('remove a municipality with all its data and keys')
    .description(
      'Removes a municipality with all its data and keys. Asks for confirmation; without a terminal, --yes is required.',
    )
    .argument('<name|id>', 'the municipality')
    .option('--yes', 'skip the confirmation')
    .addOption(createSettingOption('database'))
    .action((nameOrId: string, flags: DatabaseFlags & { yes?: true }) =>
      withStore(context, flags, async (store) => {
        const { id, name } = await requireOrganization(store, nameOrId);
        if (!flags.yes) await confirmRemoval(`${name} with all its data and keys`, name);
        await store.removeOrganization(id);
        printError(`Removed ${name} with all its data and keys.`);
      }),
    );
}

function parseUuid(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID of RFC 9562, version 1 to 8.');
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
