import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { isUuid } from '../../domain/uuid.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { confirmRemoval } from '../confirm-removal.ts';
import { requireOrganization } from '../find-organization.ts';
import { print, printError, printJson, printTable } from '../output.ts';
import { createJsonOption, createSettingOption, parseName } from '../shared-options.ts';
import { addEditOrganizationCommand } from './edit-organization.ts';

export function addOrganizationCommands(program: Command, context: CommandContext): void {
  const organization = program.command('organization').description('Manages municipalities');

  organization
    .command('add')
    .summary('add a municipality')
    .description('Adds a municipality and prints its id. Creates the database if it is missing.')
    .argument('<name>', 'unique name')
    .option('--id <uuid>', 'id (default: random)', parseUuid)
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((name: string, flags: DatabaseFlags & { id?: string; json?: true }) =>
      withStore(
        context,
        flags,
        async (store) => {
          const added = await store.addOrganization(parseName(name, 'The name'), flags.id ?? randomUUID());
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
    .command('list')
    .summary('list the municipalities')
    .description('Lists the municipalities with their numbers of published records.')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: DatabaseFlags & { json?: true }) =>
      withStore(context, flags, async (store) => {
        const organizations = await store.listOrganizations();
        if (flags.json) return printJson(organizations);
        return printTable(
          ['ID', 'NAME', 'SUBMISSIONS', 'SESSIONS', 'SURVEYS', 'ACTIVE KEYS'],
          organizations.map(({ id, name, submissions, sessions, surveys, activeKeys }) => [
            id,
            name,
            ...[submissions, sessions, surveys, activeKeys].map(String),
          ]),
        );
      }),
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
