import { Argument, type Command } from 'commander';
import type { RecordKind } from '../../domain/records.ts';
import { deriveNamespace, deriveRecordId } from '../../import/record-ids.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { confirmRemoval } from '../confirm-removal.ts';
import { requireOrganization } from '../find-organization.ts';
import { printError } from '../output.ts';
import { createOrganizationOption, createSettingOption } from '../shared-options.ts';

const kinds: readonly RecordKind[] = ['submission', 'session', 'survey'];

type RemoveFlags = DatabaseFlags & { organization: string; source?: string; yes?: true };

export function addRecordCommands(program: Command, context: CommandContext): void {
  program
    .command('record')
    .description('Manages single published records')
    .command('remove')
    .summary('remove a published record')
    .description(
      'Removes a published record. Submissions are also removed from agendas. Asks for confirmation; without a terminal, --yes is required. The next import that contains the record publishes it again.',
    )
    .addArgument(new Argument('<kind>', 'kind of record').choices(kinds))
    .argument('<id>', 'published id, or id in the source')
    .addOption(createOrganizationOption())
    .option('--source <name>', 'the --source of the import, if the id is that of the source')
    .option('--yes', 'skip the confirmation')
    .addOption(createSettingOption('database'))
    .action((kind: RecordKind, id: string, flags: RemoveFlags) =>
      withStore(context, flags, async (store) => {
        const organization = await requireOrganization(store, flags.organization);
        const published = deriveRecordId(deriveNamespace(organization.id, flags.source), id);
        if (!flags.yes) await confirmRemoval(`${kind} ${published} of ${organization.name}`, 'yes');
        if (!(await store.removeRecord(organization.id, kind, published)))
          throw new CommandError(`${organization.name} has no ${kind} with the id ${id}.`);
        printError(
          `Removed ${kind} ${published}. Remove it from the source as well, or the next import publishes it again.`,
        );
      }),
    );
}
