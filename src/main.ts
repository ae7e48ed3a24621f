/** The command line; the only place that opens a store. */
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import type { CommandContext, OpenStoreOptions } from './cli/command-context.ts';
import { CommandError } from './cli/command-error.ts';
import { printError } from './cli/output.ts';
import { ConfigurationError, findUnknownVariables, readConfig } from './config/read-config.ts';
import type { Config } from './config/settings.ts';
import { commandLine } from './domain/actor.ts';
import { StoreConflictError, StoreUnavailableError } from './domain/store.ts';
import { exitCodes } from './process/exit-codes.ts';
import { ListenError } from './process/listen.ts';
import { copyStore, openStore, type StoreOptions } from './store/open.ts';

/** How long a write waits for another process. A strict import or a dry run may take minutes. */
const commandLockTimeoutMs = 300_000;

// A reader such as `head` may close our output early. The work goes on, and the exit code says how it ended.
process.stderr.on('error', () => undefined);
process.stdout
  .on('error', () => undefined)
  .once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    printError(`The output cannot be written: ${error.message}.`);
    process.exitCode = exitCodes.failure;
  });

/** Whoever may run commands here could write anything into the log: the account is a hint for the honest. */
const actor = { name: commandLine, address: `${account()}@${hostname()}`.slice(0, 254) };

function account(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user need not have a name.
    return String(process.getuid?.());
  }
}

/** A command can wait longer than a client of the API. */
const commandTimeoutMs = 60_000;

const storeOptions = (
  config: Config,
  {
    create,
    statementTimeoutMs = commandTimeoutMs,
    lockTimeoutMs = commandLockTimeoutMs,
    onNotice = printError,
  }: OpenStoreOptions,
): StoreOptions => ({
  database: config.database,
  owner: config.databaseOwner,
  readUrls: config.databaseRead,
  maxReadLagMs: config.databaseReadLag,
  connections: config.databaseConnections,
  create,
  notice: onNotice,
  statementTimeoutMs,
  lockTimeoutMs,
  rateLimit: config.rateLimit,
  rateWindowMs: config.rateWindow,
  clock: Date.now,
  actor,
});

const context: CommandContext = {
  environment: process.env,
  config: (flags, used) => readConfig(flags, process.env, used),
  openStore: (config, how) => openStore(storeOptions(config, how)),
  copyStore: (from, to, options) =>
    copyStore(storeOptions(from, { create: false }), storeOptions(to, { create: true }), options),
};

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const program = new Command('rostra')
  .description('Publishes what a municipality’s citizens ask for as a read-only JSON API.')
  .version(version)
  .showHelpAfterError('Say --help after a command to see what it takes.')
  .exitOverride()
  // `import` and its formats have options of the same names: whose one is, is told by where it stands.
  .enablePositionalOptions()
  .configureHelp({ showGlobalOptions: false });

/** In the order of the help. A server has no readers of imports in memory: what is not asked for is not loaded. */
const commands: Record<string, () => Promise<void>> = {
  serve: async () => (await import('./cli/commands/serve.ts')).addServeCommand(program, context),
  demo: async () => (await import('./cli/commands/demo.ts')).addDemoCommand(program, context),
  organization: async () =>
    (await import('./cli/commands/organization.ts')).addOrganizationCommands(program, context),
  key: async () => (await import('./cli/commands/key.ts')).addKeyCommands(program, context),
  admin: async () => (await import('./cli/commands/admin.ts')).addAdminCommands(program, context),
  import: async () => (await import('./cli/commands/import.ts')).addImportCommand(program, context),
  sync: async () => (await import('./cli/commands/sync.ts')).addSyncCommands(program, context, version),
  record: async () => (await import('./cli/commands/record.ts')).addRecordCommands(program, context),
  survey: async () => (await import('./cli/commands/survey.ts')).addSurveyCommands(program, context),
  database: async () => (await import('./cli/commands/database.ts')).addDatabaseCommands(program, context),
  copy: async () => (await import('./cli/commands/copy.ts')).addCopyCommand(program, context),
};

const [asked = ''] = process.argv.slice(2);
const add = Object.hasOwn(commands, asked) ? [commands[asked]] : Object.values(commands);
for (const one of add) await one?.();
for (const command of program.commands) {
  command.exitOverride();
  for (const inner of command.commands) inner.exitOverride();
}

// Workers of `serve` have the environment of the process that started them, which has said so.
for (const name of cluster.isPrimary ? findUnknownVariables(process.env) : [])
  printError(`Warning: ${name} is set, but there is no such setting.`);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
// However a worker came to its end: waiting for further orders would keep it alive.
cluster.worker?.disconnect();

/** @returns the exit code */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
  if (error instanceof ConfigurationError) {
    for (const problem of error.problems) printError(problem);
    return exitCodes.usage;
  }
  if (error instanceof CommandError) {
    printError(error.message);
    return error.exitCode;
  }
  if (
    error instanceof StoreConflictError ||
    error instanceof StoreUnavailableError ||
    error instanceof ListenError
  ) {
    printError(error.message);
    return exitCodes.failure;
  }
  printError(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.failure;
}
