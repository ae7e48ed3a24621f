import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../config/read-config.ts';
import { type Config, flagName } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { abortOnSignal } from '../../process/shutdown-signals.ts';
import type { CopyResult } from '../../store/copy/copy-database.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { jsonOption, settingOption } from '../options.ts';
import { print, printError, printJson, printTable } from '../output.ts';
import { createProgress } from '../progress-bar.ts';

interface CopyFlags {
  from: string;
  to?: string;
  databaseOwner?: string;
  json?: true;
}

export function addCopyCommand(program: Command, context: CommandContext): void {
  program
    .command('copy')
    .summary('copy a database into another one, such as a file into PostgreSQL')
    .description(
      'Copies all municipalities with their data, keys and rate windows into another database, and compares both by counts and checksums in the end. Keys keep working. What is equal already is left alone, so a copy that broke off can be run again; copy once while the service runs, then stop it and copy what changed meanwhile. Municipalities that only the target has stay as they are.',
    )
    .addOption(database('--from', 'what to copy').makeOptionMandatory())
    .addOption(
      database('--to', 'where to (default: ROSTRA_DATABASE); an SQLite file is created where there is none'),
    )
    .addOption(settingOption('databaseOwner'))
    .addOption(jsonOption())
    .action((flags: CopyFlags) => copy(context, flags));
}

function database(flag: string, what: string): Option {
  return new Option(`${flag} <database>`, `${what}: an SQLite file or a PostgreSQL address`);
}

async function copy(context: CommandContext, { from, to, databaseOwner, json }: CopyFlags): Promise<void> {
  const source = named('--from', () => context.config({ database: from }, []));
  const flags = { ...(to && { database: to }), ...(databaseOwner && { databaseOwner }) };
  const target = named('--to', () => context.config(flags, ['database', 'databaseOwner']));
  if (source.database === target.database) {
    throw new CommandError('--from and --to name the same database.', exitCodes.usage);
  }
  const { signal, dispose } = abortOnSignal();
  const progress = createProgress(undefined);
  try {
    const copied = await context.copyStore(source, target, {
      onProgress: progress.records,
      signal,
    });
    report(copied, json === true);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandError(
      'Interrupted. What was copied is kept: run the same command again to go on.',
      exitCodes.interrupted,
    );
  } finally {
    dispose();
    progress.stop();
  }
}

/** What is wrong with a database is told by the flag that named it. */
function named(flag: string, read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const ours = `${flagName('database')} `;
    throw new ConfigurationError(error.problems.map((problem) => problem.replace(ours, `${flag} `)));
  }
}

function report({ organizations, tables, cursorsGoOn, onlyInTarget }: CopyResult, json: boolean): void {
  if (json) {
    printJson({ organizations, tables, cursorsGoOn, onlyInTarget });
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
    printError(`Only the target has ${onlyInTarget.join(', ')}: left as it was, with its keys.`);
  }
  if (!cursorsGoOn) {
    printError(
      'Cursors of the source end: the target signs with secrets of its own, for municipalities that only it has.',
    );
  }
}
