import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { RestoreResult } from '../../../store/open.ts';
import { listSettings } from '../../config/settings.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { confirm } from '../confirm.ts';
import { argument, database, defineCommand, flag, json, yes } from '../define-command.ts';
import { recordMaintenanceOutcome } from '../maintenance/record-maintenance-outcome.ts';
import { printError, printJson } from '../output.ts';

type RestoreFlags = DatabaseFlags & { yes: true | undefined; json: true | undefined };

/** `src/store/sqlite/backups/restore.ts` replaces the database; this command asks for confirmation before. */
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
    const { previous, revivedAccess } = result;
    await recordMaintenanceOutcome(store, 'restore', async () => ({
      file: resolve(file),
      previous,
      revivedAccounts: revivedAccess.accounts.length,
      revivedKeys: revivedAccess.keys.length,
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
  { previous, keptDecisions, keptAccess, revivedAccess }: RestoreResult,
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
  if (keptAccess !== null) printKept(keptAccess);
  printRevived(revivedAccess, keptAccess !== null);
}

function printKept({ accounts, keys }: NonNullable<RestoreResult['keptAccess']>): void {
  if (accounts.length > 0)
    printError(
      `Removals, roles, passwords and second factors that changed after the backup still apply: ${listSome(accounts)}.`,
    );
  if (keys.length > 0)
    printError(`These keys stay revoked, replaced or limited in time: ${listSome(keys.map(describeKey))}.`);
}

/** @param isReadable the previous database, whose audit log is incomplete */
function printRevived(
  { accounts, keys, organizations }: RestoreResult['revivedAccess'],
  isReadable: boolean,
): void {
  if (accounts.length + keys.length > 0)
    printError(
      isReadable
        ? 'The audit log was pruned after the backup, so some removals and revocations are unknown. Check what only the backup has:'
        : 'The previous database is missing or cannot be read. What was removed or revoked after the backup is active again, with the passwords, second factors and roles of the backup. Check before you start the service:',
    );
  if (accounts.length > 0)
    printError(`  Accounts: ${listSome(accounts)}. "rostra admin remove" removes one.`);
  if (keys.length > 0)
    printError(`  Keys: ${listSome(keys.map(describeKey))}. "rostra key revoke" revokes one.`);
  if (organizations.length > 0)
    printError(
      `These municipalities were removed after the backup and are published again, with their keys and accounts: ${listSome(organizations)}. "rostra organization remove" removes one.`,
    );
}

const describeKey = ({ prefix, name }: { prefix: string; name: string }) => `${prefix} (${name})`;

const maxListed = 20;

const listSome = (names: readonly string[]) =>
  names.length <= maxListed
    ? names.join(', ')
    : `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more (--json lists all)`;
