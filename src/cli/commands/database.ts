import type { Command } from 'commander';
import type { Distribution } from '../../store/open.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { printError, printJson } from '../output.ts';
import { createJsonOption, createSettingOption } from '../shared-options.ts';

const describeDistribution = ({ tables, nodes }: Distribution) =>
  tables.length === 0
    ? `Published data is distributed already, over ${nodes.join(', ')}.`
    : `Distributed ${tables.join(', ')} over ${nodes.join(', ')}.`;

export function addDatabaseCommands(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .summary('update the database schema')
    .description(
      'Creates a missing database and updates its schema to this version. Every command that opens the database does this as well. Before the schema of an SQLite database changes, a backup is written beside it.',
    )
    .addOption(createSettingOption('database'))
    .addOption(createSettingOption('databaseOwner'))
    .option('--citus', 'distribute published data over the workers of Citus; needs an empty database')
    .addOption(createJsonOption())
    .action((flags: DatabaseFlags & { citus?: true; json?: true }) =>
      withStore(
        context,
        flags,
        async ({ migrations }, config) => {
          const distribution = flags.citus && (await context.distributeStore(config));
          if (flags.json) return printJson({ applied: migrations, ...(distribution && { distribution }) });
          printError(
            migrations.length === 0 ? 'The schema is up to date.' : `Applied ${migrations.join(', ')}.`,
          );
          if (distribution) printError(describeDistribution(distribution));
        },
        { create: true },
      ),
    );

  program
    .command('change-history')
    .description('Manages the numbering of the changes at /changes')
    .command('restart')
    .summary('let all mirrors start anew, after a restore')
    .description(
      'Starts a new history of changes in every municipality. Clients that mirror the data start anew with their next request. Run this after a restore of PostgreSQL, or of copied files of SQLite: otherwise mirrors can miss changes. A restored "rostra backup" has a new history already.',
    )
    .addOption(createSettingOption('database'))
    .action((flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        await store.restartChangeHistory();
        printError('Mirrors of /changes start anew with their next request.');
      }),
    );

  program
    .command('cursor-secret')
    .description('Manages the secret that signs pagination cursors')
    .command('rotate')
    .summary('sign cursors with a new secret')
    .description(
      'Creates a new secret that signs pagination cursors. Existing cursors stay valid until the next rotation. To invalidate them immediately, rotate twice.',
    )
    .addOption(createSettingOption('database'))
    .action((flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        await store.rotateCursorSecret();
        printError('A new secret signs cursors. The previous one stays valid until the next rotation.');
      }),
    );
}
