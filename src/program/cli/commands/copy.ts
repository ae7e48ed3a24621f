import { toFlagName } from '../../../domain/values/define-entered-fields.ts';
import type { CopyResult } from '../../../store/copy/copy-database.ts';
import { ConfigurationError } from '../../config/read-config.ts';
import type { Config } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { defineCommand, json, option, required } from '../define-command.ts';
import { runInterruptible } from '../interruptible.ts';
import { print, printError, printJson, printTable } from '../output.ts';
import { createProgress } from '../progress-bar.ts';

const databaseOption = (what: string) => option('database', `${what}: an SQLite file or a PostgreSQL URL`);

/** `src/store/copy/copy-database.ts` copies and compares. */
export const addCopyCommand = defineCommand({
  name: 'copy',
  summary: 'copy a database into another one, for example from SQLite to PostgreSQL',
  description:
    'Copies all municipalities with their data, keys and rate limit counters into another database, then compares row counts and checksums. Keys keep working. Rows that are equal already are skipped, so an interrupted copy can be repeated: copy once while the server runs, then stop it and copy the changes. Municipalities that exist only in the target are not changed, and neither are accounts of the target that they use.',
  options: {
    from: required(databaseOption('source')),
    to: databaseOption('target (default: ROSTRA_DATABASE), created if it is a missing SQLite file'),
    json,
  },
  run: ({ from, to, json }, context) => copy(context, from, to, json === true),
});

async function copy(
  context: CommandContext,
  from: string,
  to: string | undefined,
  json: boolean,
): Promise<void> {
  const source = readConfigForFlag('--from', () => context.readConfig({ database: from }, []));
  const flags = to ? { database: to } : {};
  const target = readConfigForFlag('--to', () =>
    context.readConfig(flags, ['database', 'databaseOwner', 'auditLog']),
  );
  if (source.database === target.database) {
    throw new CommandError('--from and --to name the same database.', exitCodes.usage);
  }
  const progress = createProgress();
  const copied = await runInterruptible('Run the same command again to continue.', (signal) =>
    context.copyStore(source, target, { onProgress: progress.setRecords, signal }),
  ).finally(progress.stop);
  printResult(copied, json);
}

/** Errors name the flag of this command instead of `--database`. */
function readConfigForFlag(flag: string, read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const ours = `${toFlagName('database')} `;
    throw new ConfigurationError(error.problems.map((problem) => problem.replace(ours, `${flag} `)));
  }
}

function printResult(result: CopyResult, json: boolean): void {
  const { organizations, tables, areCursorsValid, newHistories, onlyInTarget } = result;
  const { keptAccounts, omittedOperators, endedRoles } = result;
  if (json) {
    printJson(result);
  } else {
    printTable(
      ['TABLE', 'ROWS', 'WRITTEN', 'SHA-256'],
      tables.map(({ table, rows, written, checksum }) => [
        table,
        String(rows),
        String(written),
        checksum.slice(0, 16),
      ]),
    );
    print(
      `${organizations === 1 ? 'One municipality' : `${organizations} municipalities`}, equal in both databases.`,
    );
  }
  if (onlyInTarget.length > 0) {
    printError(`Only in the target, not changed: ${onlyInTarget.join(', ')}.`);
  }
  if (keptAccounts.length > 0) {
    printError(
      `The target has its own accounts of ${keptAccounts.join(', ')}. Their passwords, second factors and other roles stay. Unless they are operators, they also have their roles in the copied municipalities.`,
    );
  }
  if (omittedOperators.length > 0) {
    printError(
      `Operators of the source that are not operators of the target: ${omittedOperators.join(', ')}. "rostra admin add" adds an operator.`,
    );
  }
  if (endedRoles.length > 0) {
    printError(`Roles that only the target had were removed or replaced: ${endedRoles.join(', ')}.`);
  }
  if (newHistories.length > 0) {
    printError(
      `New history of changes in the target: ${newHistories.join(', ')}. Clients that mirror the data start anew, because the target had changes that the source may not have.`,
    );
  }
  if (!areCursorsValid) {
    printError(
      'Pagination cursors issued by the source become invalid: the target keeps its own signing secrets, which its other municipalities use.',
    );
  }
}
