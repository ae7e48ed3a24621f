import { createInterface } from 'node:readline/promises';
import { Argument, type Command } from 'commander';
import type { RecordKind } from '../../domain/store.ts';
import { deriveNamespace, deriveRecordId } from '../../import/record-ids.ts';
import {
  type CommandContext,
  CommandError,
  type DatabaseFlags,
  exitCodes,
  organizationOption,
  printError,
  requireOrganization,
  settingOption,
  withStore,
} from '../command-context.ts';
import { streams } from '../streams.ts';

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
        if (!flags.yes) await confirm(kind, published, organization.name);
        if (!(await store.removeRecord(organization.id, kind, published)))
          throw new CommandError(`${organization.name} has no ${kind} with the id ${id}.`);
        printError(
          `Removed ${kind} ${published}. Remove it from its source too, or an import publishes it again.`,
        );
      }),
    );
}

async function confirm(kind: RecordKind, id: string, organization: string): Promise<void> {
  const { stdin, stderr } = streams();
  if (!stdin.isTTY) {
    throw new CommandError(
      `Nothing was removed. Use --yes to remove ${kind} ${id} without being asked.`,
      exitCodes.usage,
    );
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  const answer = await terminal.question(
    `This removes ${kind} ${id} of ${organization}. Type yes to go on: `,
  );
  terminal.close();
  if (answer !== 'yes') throw new CommandError('Nothing was removed.');
}
