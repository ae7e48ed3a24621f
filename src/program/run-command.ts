/** One command, from its arguments to its exit code; the only place that opens a store. */
import cluster from 'node:cluster';
import { hostname, userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import type { Logger } from 'pino';
import { commandLine } from '../domain/accounts/actor.ts';
import { StoreConflictError, StoreUnavailableError } from '../domain/store-errors.ts';
import { readTextAsset } from '../platform/assets.ts';
import { describeVersion } from '../platform/build-info.ts';
import { readTracingSettings, TracingSettingsError } from '../platform/tracing/read-tracing-settings.ts';
import { startTracing } from '../platform/tracing/start-tracing.ts';
import {
  checkDatabasePages,
  copyStore,
  distributeStore,
  drillStore,
  inspectDatabase,
  inspectReplicas,
  isOwnerSuperuser,
  openStore,
  planStoreDistribution,
  restoreStore,
  type StoreOptions,
  verifyBackup,
} from '../store/open.ts';
import type { CommandContext, OpenStoreOptions, OwnProcess } from './cli/command-context.ts';
import { CommandError } from './cli/command-error.ts';
import { type CommandStreams, getStreams, withStreams } from './cli/command-streams.ts';
import type { AddCommand } from './cli/define-command.ts';
import { printError } from './cli/output.ts';
import { addConfigFile } from './config/config-file.ts';
import {
  ConfigurationError,
  configFileVariable,
  findUnknownVariables,
  readConfig,
} from './config/read-config.ts';
import type { Config } from './config/settings.ts';
import { type CopyAuditEvents, composeAuditLine, type SystemLog } from './process/copy-audit-events.ts';
import { exitCodes } from './process/exit-codes.ts';
import { ListenError } from './process/listen.ts';

/** How long a write waits for another process. A strict import or a dry run may take minutes. */
const commandLockTimeoutMs = 300_000;

/** For the audit log. Only a hint: people who run commands can also edit the database. */
const actor = { name: commandLine, address: `${getAccountName()}@${hostname()}`.slice(0, 254) };

function getAccountName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may have no name.
    return String(process.getuid?.());
  }
}

/** A command can wait longer than a client of the API. */
const commandTimeoutMs = 60_000;

/** A copy computes the checksum of all records of a municipality in one statement. */
const copyTimeoutMs = 900_000;

const toStoreOptions = (
  config: Config,
  {
    create = false,
    statementTimeoutMs = commandTimeoutMs,
    lockTimeoutMs = commandLockTimeoutMs,
    onNotice = (sentence) => printError(sentence),
    actorName = commandLine,
    copyAuditEvents = () => undefined,
    metrics,
  }: OpenStoreOptions,
): StoreOptions => ({
  database: config.database,
  owner: config.databaseOwner,
  readUrls: config.databaseReplicas,
  maxReadLagMs: config.databaseMaxReplicaLag,
  connections: config.databasePoolSize,
  create,
  notice: onNotice,
  statementTimeoutMs,
  lockTimeoutMs,
  rateLimit: config.rateLimit,
  rateWindowMs: config.rateLimitWindow,
  clock: Date.now,
  metrics,
  actor: { ...actor, name: actorName },
  reportAuditEvents: copyAuditEvents,
  wordSearch: config.wordSearch === 'on',
});

const { version } = JSON.parse(readTextAsset('package.json'));

interface CommandProcess extends CommandStreams {
  env: Record<string, string | undefined>;
}

/**
 * @param args the words after `rostra` on the command line
 * @param ownProcess undefined for a command that shares its process, as those of the documentation's examples do
 * @returns the exit code
 */
export function runCommand(
  args: readonly string[],
  own: CommandProcess,
  ownProcess?: OwnProcess,
): Promise<number> {
  return withStreams(own, async () => {
    const printWarning = (sentence: string) => printError(`Warning: ${sentence}`);
    // The server logs them.
    const pending: string[] = [];
    const isServer = args[0] === 'serve' && !args.some((arg) => /^--(check|reload)\b/.test(arg));
    const onWarning = isServer ? (sentence: string) => void pending.push(sentence) : printWarning;
    const context = createCommandContext(own.env, ownProcess, onWarning, () => pending.splice(0));
    const program = await createProgram(context, args[0]);
    try {
      await program.parseAsync(args, { from: 'user' });
      return exitCodes.success;
    } catch (error) {
      const isUsage = error instanceof CommanderError;
      const log = isServer && !isUsage ? await openStartLog(program, context) : undefined;
      for (const sentence of pending) {
        if (log === undefined) printWarning(sentence);
        else log.warn(sentence);
      }
      return reportError(error, log);
    }
  });
}

/** @returns undefined if the log is text */
async function openStartLog(program: Command, context: CommandContext): Promise<Logger | undefined> {
  const { createStartLog } = await import('./process/logger.ts');
  return createStartLog(readLogFormat(program, context), (line) => void getStreams().stderr.write(line));
}

function readLogFormat({ commands: [serve] }: Command, context: CommandContext): Config['logFormat'] {
  try {
    return context.readConfig({ logFormat: serve?.opts().logFormat }, ['logFormat']).logFormat;
  } catch {
    return 'auto';
  }
}

/**
 * @param warn receives sentences about settings without effect
 * @param takeWarnings see `CommandContext`
 */
export function createCommandContext(
  env: CommandProcess['env'],
  ownProcess?: OwnProcess,
  warn: (sentence: string) => void = () => undefined,
  takeWarnings: () => string[] = () => [],
): CommandContext {
  // Workers do not repeat the warnings of their supervisor.
  const onWarning = cluster.isPrimary ? warn : () => undefined;
  for (const name of findUnknownVariables(env))
    onWarning(`${name} is not a setting of Rostra and has no effect.`);
  let hasWarned = false;
  const readVariables = (file = env[configFileVariable]) => {
    const given = { ...env, [configFileVariable]: file };
    const variables = addConfigFile(given, hasWarned ? () => undefined : onWarning);
    hasWarned = true;
    return variables;
  };
  return {
    version,
    environment: env,
    ownProcess,
    takeWarnings,
    readVariables,
    readConfig: (flags, used) => readConfig(flags, readVariables(), used),
    readTracingSettings: () => readTracing(readVariables()),
    startTracing: (onProblem) => startTracing({ environment: readVariables(), version, onProblem }),
    openStore: async (config, options) => {
      if (options.copyAuditEvents !== undefined) return openStore(toStoreOptions(config, options));
      const copy = createCommandCopy(config.auditLog, ownProcess, env);
      const store = await openStore(toStoreOptions(config, { ...options, copyAuditEvents: copy.write }));
      const close = async () => {
        await store.close();
        await copy.close();
      };
      return { ...store, close };
    },
    inspectDatabase: (config, options) => inspectDatabase(toStoreOptions(config, options)),
    checkDatabasePages: (config) => checkDatabasePages(toStoreOptions(config, {})),
    isOwnerSuperuser: (config, options) => isOwnerSuperuser(toStoreOptions(config, options)),
    inspectReplicas: (config, options) => inspectReplicas(toStoreOptions(config, options)),
    copyStore: async (from, to, options) => {
      const copy = createCommandCopy(to.auditLog, ownProcess, env);
      const target = { statementTimeoutMs: copyTimeoutMs, create: true, copyAuditEvents: copy.write };
      return copyStore(
        toStoreOptions(from, { statementTimeoutMs: copyTimeoutMs }),
        toStoreOptions(to, target),
        options,
      ).finally(copy.close);
    },
    verifyBackup,
    restoreStore: (file, { database }, confirm) => restoreStore(file, database, confirm),
    planStoreDistribution: (config) => planStoreDistribution(toStoreOptions(config, {})),
    distributeStore: (config) => distributeStore(toStoreOptions(config, {})),
    drillStore: (config, folder) => drillStore(toStoreOptions(config, {}), folder),
  };
}

/** Standard error is for people and scripts, so commands write to it only if the setting says so. */
function createCommandCopy(
  setting: Config['auditLog'],
  ownProcess: OwnProcess | undefined,
  env: CommandProcess['env'],
): { write: CopyAuditEvents; close: () => Promise<void> } {
  let systemLog: SystemLog | undefined;
  const writeLine = (line: string) => {
    if (setting === 'stderr') return printError(line);
    systemLog ??= ownProcess?.openSystemLog(env);
    systemLog?.write(line);
  };
  return {
    write: (events) => {
      if (setting !== 'off') for (const event of events) writeLine(composeAuditLine(event));
    },
    close: async () => {
      const reason = await systemLog?.close();
      if (reason !== undefined)
        printError(
          `Warning: Events of the audit log were not copied to the system log: ${reason}. See ROSTRA_AUDIT_LOG.`,
        );
    },
  };
}

/** @throws ConfigurationError */
function readTracing(variables: CommandProcess['env']) {
  try {
    return readTracingSettings(variables);
  } catch (error) {
    throw error instanceof TracingSettingsError ? new ConfigurationError([error.message]) : error;
  }
}

/** In the order of the help. Commands are loaded on demand, so that a server has no import formats in memory. */
const commands: Record<string, () => Promise<AddCommand>> = {
  serve: async () => (await import('./cli/commands/serve.ts')).addServeCommand,
  init: async () => (await import('./cli/commands/init.ts')).addInitCommand,
  demo: async () => (await import('./cli/commands/demo.ts')).addDemoCommand,
  organization: async () => (await import('./cli/commands/organization.ts')).addOrganizationCommands,
  key: async () => (await import('./cli/commands/key.ts')).addKeyCommands,
  admin: async () => (await import('./cli/commands/admin.ts')).addAdminCommands,
  mail: async () => (await import('./cli/commands/mail.ts')).addMailCommands,
  import: async () => (await import('./cli/commands/import.ts')).addImportCommand,
  apply: async () => (await import('./cli/commands/apply.ts')).addApplyCommand,
  source: async () => (await import('./cli/commands/source.ts')).addSourceCommands,
  mirror: async () => (await import('./cli/commands/mirror.ts')).addMirrorCommand,
  record: async () => (await import('./cli/commands/record.ts')).addRecordCommands,
  survey: async () => (await import('./cli/commands/survey.ts')).addSurveyCommands,
  backup: async () => (await import('./cli/commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./cli/commands/restore.ts')).addRestoreCommand,
  drill: async () => (await import('./cli/commands/drill.ts')).addDrillCommand,
  migrate: async () => (await import('./cli/commands/migrate.ts')).addMigrateCommand,
  'word-index': async () => (await import('./cli/commands/word-index.ts')).addWordIndexCommands,
  'change-history': async () => (await import('./cli/commands/change-history.ts')).addChangeHistoryCommands,
  'cursor-secret': async () => (await import('./cli/commands/cursor-secret.ts')).addCursorSecretCommands,
  prune: async () => (await import('./cli/commands/prune.ts')).addPruneCommand,
  health: async () => (await import('./cli/commands/health.ts')).addHealthCommand,
  doctor: async () => (await import('./cli/commands/doctor.ts')).addDoctorCommand,
  copy: async () => (await import('./cli/commands/copy.ts')).addCopyCommand,
  completion: async () => (await import('./cli/commands/completion.ts')).addCompletionCommand,
};

/** @param name the only command to load; otherwise all are loaded, for the help */
export async function createProgram(context: CommandContext, name = ''): Promise<Command> {
  const isVersion = name === '--version' || name === '-V';
  const program = new Command('rostra')
    .description('Publishes citizen participation data of municipalities as a read-only JSON API.')
    .version(isVersion ? describeVersion(version) : version)
    .showHelpAfterError('Run a command with --help to list its arguments and options.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => getStreams().stdout.write(text),
      writeErr: (text) => getStreams().stderr.write(text),
      getOutHelpWidth: () => getStreams().stdout.columns ?? 80,
    })
    // `import` and its formats share names of options. The position decides which command an option belongs to.
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: false });
  // Completion lists the words of all commands.
  const loaders = isVersion
    ? []
    : name !== 'completion' && Object.hasOwn(commands, name)
      ? [commands[name]]
      : Object.values(commands);
  for (const load of loaders) (await load?.())?.(program, context);
  return program;
}

/** Their messages name the remedy; all other errors are defects of Rostra and are printed with their stack. */
const expectedErrors = [
  ConfigurationError,
  CommandError,
  StoreConflictError,
  StoreUnavailableError,
  ListenError,
  TracingSettingsError,
];

/**
 * @param log of a server; otherwise the error is printed
 * @returns the exit code
 */
function reportError(error: unknown, log: Logger | undefined): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
  const isExpected = expectedErrors.some((kind) => error instanceof kind);
  const { message, stack } = error instanceof Error ? error : { message: String(error) };
  if (log === undefined) printError((isExpected ? undefined : stack) ?? message);
  else log.fatal(isExpected ? {} : { err: error }, message);
  if (error instanceof ConfigurationError || error instanceof TracingSettingsError) return exitCodes.usage;
  return error instanceof CommandError ? error.exitCode : exitCodes.failure;
}
