import { dirname } from 'node:path';
import type { DrillResult } from '../../../store/open.ts';
import { defineStoreCommand, json, option } from '../define-command.ts';
import { recordMaintenanceOutcome } from '../maintenance/record-maintenance-outcome.ts';
import { print, printJson } from '../output.ts';

/** `src/store/sqlite/backups/drill.ts` restores and compares; this command records the outcome for monitoring. */
export const addDrillCommand = defineStoreCommand({
  name: 'drill',
  summary: 'test that a backup can be restored',
  description:
    'Backs up an SQLite database, restores the backup to another place, opens it as a server does, and compares it with the database row by row. The server may run meanwhile. Exits with 1 if a row is missing or differs.',
  options: {
    folder: option('folder', 'space for the backup and the restored database (default: beside the database)'),
    json,
  },
  readers: ['drill'],
  run: async ({ folder, json }, store, config, context) => {
    const drill = async () => ({
      ...(await context.drillStore(config, folder ?? dirname(config.database))),
    });
    const result = await recordMaintenanceOutcome(store, 'drill', drill, config.pingUrl);
    if (json) printJson(result);
    else printReport(result);
  },
});

const formatSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function printReport({ bytes, backupMs, restoreMs, compareMs, rows, changedRows }: DrillResult): void {
  print(`backup    ${(bytes / 1_000_000).toFixed(1)} MB in ${formatSeconds(backupMs)}`);
  print(`restore   ${formatSeconds(restoreMs)}`);
  print(`compared  ${rows} rows in ${formatSeconds(compareMs)}`);
  if (changedRows > 0) print(`written   ${changedRows} rows during the drill`);
  print('The restored database has every row of the database.');
}
