import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { argument, defineStoreCommand, option } from '../define-command.ts';
import { composeBackupName, readBackupTime } from '../maintenance/backup-name.ts';
import { recordMaintenanceOutcome } from '../maintenance/record-maintenance-outcome.ts';
import { printError } from '../output.ts';

/** `src/store/sqlite/backups/backup.ts` writes the file; this command names it and removes old backups. */
export const addBackupCommand = defineStoreCommand({
  name: 'backup',
  summary: 'write a consistent copy of the database',
  description:
    'Writes a consistent copy of an SQLite database to a new file, while the server runs. The copy contains the data, the keys and the rate limit counters. In a folder, the file is named after the time.',
  arguments: { path: argument('<file>', 'a file that does not exist yet, or an existing folder') },
  options: {
    keep: option(
      'count',
      'remove older backups from the folder, so that this number remains',
      createIntegerParser('a number', 1, 99_999),
    ),
  },
  readers: ['backup'],
  run: async ({ path, keep }, store, { pingUrl }) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder && (keep !== undefined || /[/\\]$/.test(path)))
      throw new CommandError(
        `${path} is not a folder${keep === undefined ? '' : ', which --keep needs'}. Create the folder, or name another one.`,
        exitCodes.usage,
      );
    const file = isFolder ? join(path, composeBackupName(new Date())) : path;
    const write = async () => {
      await store.backup(file);
      return { file: resolve(file), bytes: statSync(file).size };
    };
    await recordMaintenanceOutcome(store, 'backup', write, pingUrl);
    printError(`Wrote ${file}.`);
    if (keep !== undefined) removeOldBackups(path, file, keep);
  },
});

/** @param newest stays in any case: the clock may have been set back */
function removeOldBackups(folder: string, newest: string, keep: number): void {
  const older = readdirSync(folder)
    .filter((name) => readBackupTime(name) !== undefined && join(folder, name) !== newest)
    .toSorted();
  for (const name of older.slice(0, Math.max(0, older.length - (keep - 1)))) {
    rmSync(join(folder, name), { force: true });
    printError(`Removed ${join(folder, name)}.`);
  }
}
