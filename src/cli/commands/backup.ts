import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { printError } from '../output.ts';
import { recordMaintenance } from '../record-maintenance.ts';
import { createSettingOption } from '../shared-options.ts';

export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .summary('write a consistent copy of the database')
    .description(
      'Writes a consistent copy of an SQLite database to a new file, while the server runs. The copy contains the data, the keys and the rate limit counters.',
    )
    .argument('<file>', 'a file that does not exist yet')
    .addOption(createSettingOption('database'))
    .action((file: string, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        await recordMaintenance(store, 'backup', async () => {
          await store.backup(file);
          return { file: resolve(file), bytes: statSync(file).size };
        });
        printError(`Wrote ${file}.`);
      }),
    );
}
