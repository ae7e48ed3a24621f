import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes } from '../../process/exit-codes.ts';
import { composeBackupName, readBackupTime } from '../backup-name.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { printError } from '../output.ts';
import { recordMaintenance } from '../record-maintenance.ts';
import { createSettingOption } from '../shared-options.ts';

type BackupFlags = DatabaseFlags & { keep?: number };

export function addBackupCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('backup')
    .summary('write a consistent copy of the database')
    .description(
      'Writes a consistent copy of an SQLite database to a new file, while the server runs. The copy contains the data, the keys and the rate limit counters. In a folder, the file is named after the time.',
    )
    .argument('<file>', 'a file that does not exist yet, or an existing folder')
    .option('--keep <count>', 'remove older backups from the folder, so that this number remains', parseCount)
    .addOption(createSettingOption('database'))
    .action((path: string, flags: BackupFlags) => backup(context, path, flags));
  command
    .command('verify')
    .summary('check that no row of a backup was changed')
    .description(
      'Reads a file of "rostra backup" completely, and compares it with the digest that it carries. Changes nothing. Exits with 1 if the file is damaged, or if a row was changed, added or removed after the backup was written.',
    )
    .argument('<file>', 'a file that "rostra backup" wrote')
    .action(async (file: string) => {
      const rows = await context.verifyBackup(file);
      printError(`${file} is intact: ${rows} rows.`);
    });
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 99999.');
}

async function backup(context: CommandContext, path: string, { keep, ...flags }: BackupFlags): Promise<void> {
  await withStore(
    context,
    flags,
    async (store, { pingUrl }) => {
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
      if (keep !== undefined && !isFolder)
        throw new CommandError(
          `--keep needs an existing folder. Create the folder ${path}, or omit --keep.`,
          exitCodes.usage,
        );
      const file = isFolder ? join(path, composeBackupName(new Date())) : path;
      const write = async () => {
        await store.backup(file);
        return { file: resolve(file), bytes: statSync(file).size };
      };
      await recordMaintenance(store, 'backup', write, pingUrl);
      printError(`Wrote ${file}.`);
      if (keep !== undefined) removeOldBackups(path, file, keep);
    },
    { readers: ['backup'] },
  );
}

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
