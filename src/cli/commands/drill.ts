import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { DrillResult } from '../../store/open.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { print, printJson } from '../output.ts';
import { recordMaintenance } from '../record-maintenance.ts';
import { createJsonOption, createSettingOption } from '../shared-options.ts';

type DrillFlags = DatabaseFlags & { folder?: string; json?: true };

export function addDrillCommand(program: Command, context: CommandContext): void {
  program
    .command('drill')
    .summary('test that a backup can be restored')
    .description(
      'Backs up an SQLite database, restores the backup to another place, opens it as a server does, and compares it with the database row by row. The server may run meanwhile. Exits with 1 if a row is missing or differs.',
    )
    .option(
      '--folder <folder>',
      'space for the backup and the restored database (default: beside the database)',
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action(({ folder, json, ...flags }: DrillFlags) =>
      withStore(
        context,
        flags,
        async (store, config) => {
          const drill = async () => ({
            ...(await context.drillStore(config, folder ?? dirname(config.database))),
          });
          const result = await recordMaintenance(store, 'drill', drill, config.pingUrl);
          if (json) printJson(result);
          else printReport(result);
        },
        { readers: ['drill'] },
      ),
    );
}

const formatSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function printReport({ bytes, backupMs, restoreMs, compareMs, rows, changedRows }: DrillResult): void {
  print(`backup    ${(bytes / 1_000_000).toFixed(1)} MB in ${formatSeconds(backupMs)}`);
  print(`restore   ${formatSeconds(restoreMs)}`);
  print(`compared  ${rows} rows in ${formatSeconds(compareMs)}`);
  if (changedRows > 0) print(`written   ${changedRows} rows during the drill`);
  print('The restored database has every row of the database.');
}
