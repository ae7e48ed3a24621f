/** Connects the checks of `rostra doctor` with the configuration and the database. */
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { locateUploads } from '../../config/locate-uploads.ts';
import { ConfigurationError, configFileVariable } from '../../config/read-config.ts';
import {
  type Config,
  listSettings,
  type SettingName,
  settings,
  toEnvironmentName,
} from '../../config/settings.ts';
import { isPostgresUrl } from '../../domain/is-postgres-url.ts';
import type { OpenedStore } from '../../store/open.ts';
import type { CommandContext } from '../command-context.ts';
import { type BackupOptions, createBackupCheck } from './check-backups.ts';
import { createConfigurationCheck, createVersionCheck } from './check-configuration.ts';
import { createClockCheck, createDatabaseChecks, type DatabaseAccess, skipped } from './check-database.ts';
import { createDiskCheck, createPermissionCheck, isClockSynchronized } from './check-machine.ts';
import { createMaintenanceChecks, createSourceCheck } from './check-maintenance.ts';
import { createCollectorCheck, createOidcCheck, createSmtpCheck } from './check-other-servers.ts';
import { createPortChecks } from './check-ports.ts';
import { createPublicUrlChecks } from './check-public-url.ts';
import type { Check } from './finding.ts';

interface CheckOptions {
  /** Default: the setting. */
  database: string | undefined;
  minFreeBytes: number;
  backups: Pick<BackupOptions, 'folder' | 'maxAgeMs'>;
}

/** A statement that waits for longer is a finding. */
const statementTimeoutMs = 5_000;

/** @returns the checks, and a function that closes what they opened */
export function createChecks(
  context: CommandContext,
  { database, minFreeBytes, backups }: CheckOptions,
): { checks: Check[]; close: () => Promise<void> } {
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
  const config = readSome([...listSettings('store'), 'databaseReplicas']);
  const access = config && createDatabaseAccess(context, config);
  const inspectOrSkip = async () => access?.inspect().catch(() => undefined);
  /** Never migrates: the inspection says whether the schema fits. */
  const openFitting = async (): Promise<OpenedStore | undefined> => {
    const found = await inspectOrSkip();
    const fits = found?.schema !== undefined && found.pendingMigrations.length === 0 && !found.roleProblem;
    return fits ? access?.openStore().catch(() => undefined) : undefined;
  };
  const uploads = readSome(['database', 'uploadFolder', 'auditExportFolder']);
  const publicSettings = readSome(['publicUrl', 'trustedProxies', 'admin', 'host', 'keepAliveTimeout']);
  const retention = readSome(listSettings('prune'));
  const checks: Check[] = [
    createConfigurationCheck(variables, () => {
      context.readConfig(flags);
      context.readTracingSettings();
    }),
    createVersionCheck(context.version, inspectOrSkip),
    ...(access === undefined
      ? [skipped('database')]
      : createDatabaseChecks(access, readSome(['workers', 'databasePoolSize']))),
    uploads === undefined
      ? skipped('disk')
      : createDiskCheck(() => listFolders(uploads, openFitting), minFreeBytes),
    createPermissionCheck(listSecretFiles(variables, config)),
    createClockCheck(inspectOrSkip, isClockSynchronized),
    ...createServerChecks(context, readSome),
    ...(publicSettings === undefined ? [skipped('public-url')] : createPublicUrlChecks(publicSettings)),
    createBackupCheck(openFitting, inspectOrSkip, {
      database: config && (isPostgresUrl(config.database) ? undefined : resolve(config.database)),
      ...backups,
    }),
    ...createMaintenanceChecks(
      openFitting,
      listSettings('prune').some((name) => name.startsWith('retain') && retention?.[name] !== undefined),
    ),
    createSourceCheck(openFitting),
  ];
  const close = async () => {
    const store = await openFitting();
    await store?.close();
  };
  return { checks, close };
}

/** Inspects and opens the database at most once. */
function createDatabaseAccess(context: CommandContext, config: Config): DatabaseAccess {
  // Only the owner may migrate, and a check changes nothing.
  const asReader = { ...config, databaseOwner: undefined };
  const options = { statementTimeoutMs, lockTimeoutMs: statementTimeoutMs, onNotice: () => undefined };
  return {
    inspect: memoize(() => context.inspectDatabase(asReader, options)),
    openStore: memoize(async () => context.openStore(asReader, options)),
    isOwnerSuperuser:
      config.databaseOwner === undefined ? undefined : () => context.isOwnerSuperuser(config, options),
    inspectReplicas: () => context.inspectReplicas(asReader, options),
  };
}

function createServerChecks(
  context: CommandContext,
  readSome: (used: readonly SettingName[]) => Config | undefined,
): Check[] {
  const ports = readSome(['host', 'port', 'adminPort', 'metricsHost', 'metricsPort', 'publicUrl']);
  const smtp = readSome(['smtpUrl', 'mailFrom', 'publicUrl']);
  const oidc = readSome(['oidcIssuer', 'oidcClientId', 'publicUrl']);
  return [
    ...(ports === undefined ? [skipped('ports')] : createPortChecks(ports)),
    smtp === undefined ? skipped('smtp') : createSmtpCheck(smtp),
    oidc === undefined ? skipped('oidc') : createOidcCheck(oidc),
    createCollectorCheck(() => context.readTracingSettings()?.endpoint),
  ];
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
