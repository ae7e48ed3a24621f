import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { listSettings } from '../../config/settings.ts';
import type { RestoreResult } from '../../store/open.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { confirm } from '../confirm.ts';
import { argument, database, defineCommand, flag, json, yes } from '../define-command.ts';
import { printError, printJson } from '../output.ts';
import { recordMaintenance } from '../record-maintenance.ts';

type RestoreFlags = DatabaseFlags & { yes: true | undefined; json: true | undefined };

export const addRestoreCommand = defineCommand({
  name: 'restore',
  summary: 'replace the database by a backup',
  description:
    'Checks a file of "rostra backup" and puts it in place of an SQLite database that no server or command uses. The previous files stay beside it. People sign in again, and clients that mirror the data start anew.',
  arguments: { file: argument('<file>', 'a file that "rostra backup" wrote') },
  options: {
    check: flag('check that no row of the backup was changed, and restore nothing'),
    yes,
    database,
    json,
  },
  run: async ({ file, check, ...flags }, context) => {
    if (!check) return restore(context, file, flags);
    const rows = await context.verifyBackup(file);
    return printError(`${file} is intact: ${rows} rows.`);
  },
});

async function restore(context: CommandContext, file: string, flags: RestoreFlags): Promise<void> {
  const config = context.readConfig(flags, listSettings('store'));
  const { database } = config;
  const result = await context.restoreStore(file, config, async () => {
    if (!flags.yes && existsSync(database))
      await confirm('replace', `the database ${database}`, basename(database));
  });
  await withStore(context, flags, async (store) => {
    const { previous, reactivatedKeys } = result;
    await recordMaintenance(store, 'restore', async () => ({
      file: resolve(file),
      previous,
      reactivatedKeys: reactivatedKeys.length,
    }));
    const organizations = (await store.listOrganizationNames()).length;
    if (flags.json) printJson({ database: resolve(database), organizations, ...result });
    else printResult(file, database, organizations, result);
  });
}

function printResult(
  file: string,
  database: string,
  organizations: number,
  { previous, reactivatedKeys, keptDecisions }: RestoreResult,
): void {
  const content = organizations === 1 ? 'one municipality' : `${organizations} municipalities`;
  printError(`Restored ${database} from ${file}: ${content}.`);
  if (previous !== null) printError(`The previous database is ${previous}.`);
  if (keptDecisions === null)
    printError(
      'Decisions on records that were made after the backup are lost, because the previous database is missing or cannot be read. Records that were unpublished since are published again.',
    );
  else if (keptDecisions > 0)
    printError(
      `Decisions on records that were made after the backup still apply: ${keptDecisions}. "rostra record list" lists them.`,
    );
  if (reactivatedKeys.length > 0) {
    const keys = reactivatedKeys.map(({ prefix, name }) => `${prefix} (${name})`).join(', ');
    printError(
      `These keys were revoked after the backup and are active again: ${keys}. Revoke them with "rostra key revoke" before you start the service.`,
    );
  }
}
