import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { locateUploads } from '../../config/locate-uploads.ts';
import { ConfigurationError, configFileVariable } from '../../config/read-config.ts';
import {
  type Config,
  pruneSettings,
  type SettingName,
  settings,
  toEnvironmentName,
} from '../../config/settings.ts';
import { isPostgresUrl } from '../../domain/is-postgres-url.ts';
import type { OpenedStore } from '../../store/open.ts';
import { type CommandContext, type DatabaseFlags, databaseSettings } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { createConfigurationCheck, createVersionCheck } from '../doctor/check-configuration.ts';
import { createClockCheck, createDatabaseChecks, skipped } from '../doctor/check-database.ts';
import { createDiskCheck, createPermissionCheck, isClockSynchronized } from '../doctor/check-machine.ts';
import { createMaintenanceChecks, createSourceCheck } from '../doctor/check-maintenance.ts';
import { createPublicUrlChecks } from '../doctor/check-public-url.ts';
import {
  type Check,
  type CheckName,
  checkNames,
  type Finding,
  findingStatuses,
  runChecks,
  summarize,
} from '../doctor/finding.ts';
import { print, printJson } from '../output.ts';
import { createJsonOption, createSettingOption, parseDuration } from '../shared-options.ts';

/** Below the usual limit of monitoring systems. */
const checkTimeoutMs = 10_000;

/** A statement that waits for longer is a finding. */
const statementTimeoutMs = 5_000;

interface DoctorFlags extends DatabaseFlags {
  minFree: number;
  maxBackupAge: number;
  json?: true;
}

export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('check configuration, database, machine, proxy, backups and sources')
    .description(
      'Checks the configuration, the database with its schema and role, free space, permissions, clock, the public URL with its certificate, backups, and sources. Changes nothing. Exits like a monitoring plugin: 0 if all is well, 1 for a warning, 2 if something is critical, 3 if a check was not possible.',
    )
    .addOption(
      new Option('--min-free <mebibytes>', 'warn below this free space; a quarter is critical')
        .argParser(parseMebibytes)
        .default(1_024 * mebibyte, '1024'),
    )
    .addOption(
      new Option('--max-backup-age <time>', 'warn if the last backup is older; three times is critical')
        .argParser(parseDuration)
        .default(2 * dayMs, '2d'),
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action(async (flags: DoctorFlags) => {
      const { checks, close } = createChecks(context, flags);
      const { findings, isHanging } = await runChecks(checks, checkTimeoutMs);
      printFindings(context.version, findings, flags);
      if (isHanging) exitSoon();
      else await close();
      const exitCode = findingStatuses.indexOf(summarize(findings));
      if (exitCode > 0) throw new CommandError(countProblems(findings), exitCode);
    });
}

const mebibyte = 1_048_576;
const dayMs = 86_400_000;

function parseMebibytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * mebibyte;
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Connections and file systems that do not answer would keep the process alive. */
function exitSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

function createChecks(context: CommandContext, { database, minFree, maxBackupAge }: DoctorFlags) {
  const flags = database === undefined ? {} : { database };
  const variables = readVariables(context);
  /** The settings, if these are valid. */
  const readSome = (used: readonly SettingName[]): Config | undefined => {
    try {
      return context.readConfig(flags, used);
    } catch (error) {
      if (error instanceof ConfigurationError) return undefined;
      throw error;
    }
  };
  const config = readSome([...databaseSettings, 'databaseReplicas']);
  // Only the owner may migrate, and a check changes nothing.
  const asReader = config && { ...config, databaseOwner: undefined };
  const options = { statementTimeoutMs, lockTimeoutMs: statementTimeoutMs, onNotice: () => undefined };
  const inspect = memoize(() =>
    asReader === undefined
      ? Promise.reject(new Error('The settings of the database are invalid.'))
      : context.inspectDatabase(asReader, options),
  );
  const inspectOrSkip = () => inspect().catch(() => undefined);
  const openStore = memoize(async () => context.openStore(asReader as Config, options));
  /** Never migrates: the inspection says whether the schema fits. */
  const openFitting = async (): Promise<OpenedStore | undefined> => {
    const found = await inspectOrSkip();
    const fits = found?.schema !== undefined && found.pendingMigrations.length === 0 && !found.roleProblem;
    return fits ? openStore().catch(() => undefined) : undefined;
  };
  const uploads = readSome(['database', 'uploadFolder', 'auditExportFolder']);
  const publicSettings = readSome(['publicUrl', 'trustedProxies', 'admin', 'host']);
  const retention = readSome(pruneSettings);
  const checks: Check[] = [
    createConfigurationCheck(variables, () => {
      context.readConfig(flags);
      context.assertTracingSettings();
    }),
    createVersionCheck(context.version, inspectOrSkip),
    ...(asReader === undefined
      ? [skipped('database')]
      : createDatabaseChecks({
          inspect,
          openStore,
          inspectReplicas: () => context.inspectReplicas(asReader, options),
        })),
    uploads === undefined
      ? skipped('disk')
      : createDiskCheck(() => listFolders(uploads, openFitting), minFree),
    createPermissionCheck(listSecretFiles(variables, config)),
    createClockCheck(inspectOrSkip, isClockSynchronized),
    ...(publicSettings === undefined ? [skipped('public-url')] : createPublicUrlChecks(publicSettings)),
    ...createMaintenanceChecks(openFitting, {
      isPostgres: config !== undefined && isPostgresUrl(config.database),
      isPruned: pruneSettings.some((name) => name.startsWith('retain') && retention?.[name] !== undefined),
      maxBackupAgeMs: maxBackupAge,
    }),
    createSourceCheck(openFitting),
  ];
  const close = async () => {
    const store = await openFitting();
    await store?.close();
  };
  return { checks, close };
}

/** An unreadable configuration file is a finding. */
function readVariables(context: CommandContext): Record<string, string | undefined> {
  try {
    return context.readVariables();
  } catch (error) {
    if (error instanceof ConfigurationError) return context.environment;
    throw error;
  }
}

function memoize<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

async function listFolders(
  config: Config,
  openStore: () => Promise<OpenedStore | undefined>,
): Promise<Record<string, string>> {
  const runs = await (await openStore())?.listMaintenanceRuns();
  const backup = runs?.find(({ kind, outcome }) => kind === 'backup' && outcome === 'succeeded')?.detail.file;
  return {
    ...(!isPostgresUrl(config.database) && { database: dirname(config.database) }),
    uploads: locateUploads(config),
    'temporary files': tmpdir(),
    ...(typeof backup === 'string' && { backups: dirname(backup) }),
    ...(config.auditExportFolder !== '' && { 'exported audit log': config.auditExportFolder }),
  };
}

function listSecretFiles(
  variables: Record<string, string | undefined>,
  config: Config | undefined,
): Record<string, string> {
  const database = config === undefined || isPostgresUrl(config.database) ? undefined : config.database;
  const named = (Object.keys(settings) as SettingName[]).flatMap((name) => {
    const variable = `${toEnvironmentName(name)}_FILE`;
    const path = variables[variable];
    return path ? [[variable, path]] : [];
  });
  return {
    ...(database !== undefined && {
      'hashes of keys and passwords': database,
      'write-ahead log': `${database}-wal`,
      'request counters': `${database}-counters`,
      'uploaded files': `${database}-uploads`,
    }),
    ...(variables[configFileVariable] && { configuration: variables[configFileVariable] }),
    ...Object.fromEntries(named),
  };
}

function printFindings(version: string, findings: readonly Finding[], { json }: DoctorFlags): void {
  const byCheck = (name: CheckName) => checkNames.indexOf(name);
  const sorted = findings.toSorted((one, other) => byCheck(one.check) - byCheck(other.check));
  const status = summarize(findings);
  if (json) {
    printJson({ version, status, findings: sorted });
    return;
  }
  print(`${status.toUpperCase()}: ${countProblems(findings)}`);
  for (const finding of sorted) {
    print(`${finding.status.padEnd(8)}  ${finding.check.padEnd(13)}  ${finding.message}`);
    if (finding.remedy !== undefined) print(`${' '.repeat(25)}${finding.remedy}`);
  }
}

function countProblems(findings: readonly Finding[]): string {
  const problems = findings.filter(({ status }) => status !== 'ok').length;
  if (problems === 0) return `${findings.length} findings, no problem.`;
  return `${problems} of ${findings.length} findings ${problems === 1 ? 'needs' : 'need'} attention.`;
}
