import type { DatabaseInspection, OpenedStore, PageCheck } from '../../../store/open.ts';
import { ConfigurationError } from '../../config/read-config.ts';
import { type Config, listSettings, type SettingName } from '../../config/settings.ts';
import type { CollectorEndpoint, CommandContext } from '../command-context.ts';

interface Thresholds {
  /** Below a quarter of it, the finding is critical. */
  minFreeBytes: number;
  /** Every file in it is a backup; undefined: those of Rostra beside the last backup and the last restored one. */
  backupFolder: string | undefined;
  /** Three times as much is critical. */
  maxBackupAgeMs: number;
}

/** What `rostra doctor` examines. The database is inspected and opened at most once. */
export interface Installation extends Thresholds {
  version: string;
  /** Of the environment and of the configuration file. */
  variables: Record<string, string | undefined>;
  /** @throws ConfigurationError */
  readSettings(names?: readonly SettingName[]): Config;
  /** Those of the database. @throws ConfigurationError */
  readDatabaseSettings(): Config;
  /** Where traces are exported to; undefined: nowhere. @throws ConfigurationError */
  readCollector(): CollectorEndpoint | undefined;
  /** Rejects if the database cannot be read. */
  inspect(): Promise<DatabaseInspection>;
  /** undefined if the database cannot be read, which the check `database` reports. */
  findInspection(): Promise<DatabaseInspection | undefined>;
  /** Rejects if the schema or the role does not fit. */
  openStore(): Promise<OpenedStore>;
  /** undefined if the database cannot be used, which other checks report. */
  findStore(): Promise<OpenedStore | undefined>;
  /** See `checkPages`. */
  checkDatabasePages(): Promise<PageCheck | undefined>;
  isOwnerSuperuser(): Promise<boolean>;
  inspectReplicas(): Promise<PromiseSettledResult<boolean>[]>;
  close(): Promise<void>;
}

/** A statement that waits for longer is a finding. */
const statementTimeoutMs = 5_000;

/** Reads each part of the installation when a check asks for it first. */
export function readInstallationOnDemand(
  context: CommandContext,
  database: string | undefined,
  thresholds: Thresholds,
): Installation {
  const flags = database === undefined ? {} : { database };
  const options = { statementTimeoutMs, lockTimeoutMs: statementTimeoutMs, onNotice: () => undefined };
  const readSettings = (names?: readonly SettingName[]) => context.readConfig(flags, names);
  const readDatabaseSettings = () => readSettings([...listSettings('store'), 'databaseReplicas']);
  // Only the owner may migrate, and a check changes nothing.
  const readAsReader = () => ({ ...readDatabaseSettings(), databaseOwner: undefined });
  const inspect = memoize(async () => context.inspectDatabase(readAsReader(), options));
  const findInspection = () => inspect().catch(() => undefined);
  const openStore = memoize(async () => context.openStore(readAsReader(), options));
  const findStore = async () => {
    const found = await findInspection();
    const fits = found?.schema !== undefined && found.pendingMigrations.length === 0 && !found.roleProblem;
    return fits ? openStore().catch(() => undefined) : undefined;
  };
  return {
    ...thresholds,
    version: context.version,
    variables: readVariables(context),
    readSettings,
    readDatabaseSettings,
    readCollector: () => context.readTracingSettings()?.endpoint,
    inspect,
    findInspection,
    openStore,
    findStore,
    checkDatabasePages: async () => context.checkDatabasePages(readAsReader()),
    isOwnerSuperuser: () => context.isOwnerSuperuser(readDatabaseSettings(), options),
    inspectReplicas: async () => context.inspectReplicas(readAsReader(), options),
    close: async () => (await findStore())?.close(),
  };
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
