import type { Command } from 'commander';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { jsonOption, settingOption } from '../options.ts';
import { printError, printJson } from '../output.ts';

export function addDatabaseCommands(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .summary('bring the database to the newest schema')
    .description(
      'Creates the database where there is none and brings it to the schema of this version. Every command that opens a database does the same; this one does nothing else.',
    )
    .addOption(settingOption('database'))
    .addOption(settingOption('databaseOwner'))
    .addOption(jsonOption())
    .action((flags: DatabaseFlags & { databaseOwner?: string; json?: true }) =>
      withStore(
        context,
        flags,
        async ({ migrations }) => {
          if (flags.json) return printJson({ applied: migrations });
          return printError(migrations.length === 0 ? 'Nothing to do.' : `Applied ${migrations.join(', ')}.`);
        },
        { create: true },
      ),
    );

  program
    .command('backup')
    .summary('write a consistent copy while the service runs')
    .description(
      'Writes a consistent copy of the database to a new file while the service runs. The copy is complete: data, keys, and how far their windows are used.',
    )
    .argument('<file>', 'a file that does not exist yet')
    .addOption(settingOption('database'))
    .action((file: string, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        await store.backup(file);
        printError(`Wrote ${file}.`);
      }),
    );

  program
    .command('cursor-secret')
    .description('The secret that signs cursors')
    .command('rotate')
    .summary('sign cursors with a new secret')
    .description(
      'From now on a new secret signs cursors. Those given out before stay valid until the next rotation: rotate twice to end them at once.',
    )
    .addOption(settingOption('database'))
    .action((flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        await store.rotateCursorSecret();
        printError('A new secret signs cursors; the previous one is still accepted.');
      }),
    );
}
