import { Argument, type Command } from 'commander';
import type { RecordKind } from '../../domain/records.ts';
import { deriveNamespace, deriveRecordId } from '../../import/record-ids.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { confirmRemoval } from '../confirm-removal.ts';
import { requireOrganization } from '../find-organization.ts';
import { organizationOption, settingOption } from '../options.ts';
import { printError } from '../output.ts';

const kinds: readonly RecordKind[] = ['submission', 'session', 'survey'];

type RemoveFlags = DatabaseFlags & { organization: string; source?: string; yes?: true };

export function addRecordCommands(program: Command, context: CommandContext): void {
  program
    .command('record')
    .description('Single published records')
    .command('remove')
    .summary('remove a published record')
    .description(
      'Removes a published record, and takes a submission off the agendas. Asks first; without a terminal it needs --yes. The next import that contains the record publishes it again.',
    )
    .addArgument(new Argument('<kind>', 'its kind').choices(kinds))
    .argument('<id>', 'its published id, or its id in the source')
    .addOption(organizationOption())
    .option('--source <name>', 'of an id in the source: the --source it was imported with')
    .option('--yes', 'do not ask')
    .addOption(settingOption('database'))
    .action((kind: RecordKind, id: string, flags: RemoveFlags) =>
      withStore(context, flags, async (store) => {
        const organization = await requireOrganization(store, flags.organization);
        const published = deriveRecordId(deriveNamespace(organization.id, flags.source), id);
        if (!flags.yes) await confirmRemoval(`${kind} ${published} of ${organization.name}`, 'yes');
        if (!(await store.removeRecord(organization.id, kind, published)))
          throw new CommandError(`${organization.name} has no ${kind} with the id ${id}.`);
        printError(
          `Removed ${kind} ${published}. Remove it from its source too, or an import publishes it again.`,
        );
      }),
    );
}
