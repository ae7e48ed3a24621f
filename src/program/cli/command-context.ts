import type { ChildProcess } from 'node:child_process';
import type { StoreMetrics } from '../../platform/metrics/metrics-registry.ts';
import type { CopyOptions, CopyResult } from '../../store/copy/copy-database.ts';
import type {
  DatabaseInspection,
  Distribution,
  DrillResult,
  OpenedStore,
  PageCheck,
  RestoreResult,
  StoreOptions,
} from '../../store/open.ts';
import type { SettingFlags } from '../config/read-config.ts';
import type { Reader } from '../config/setting.ts';
import { type Config, listSettings, type SettingName } from '../config/settings.ts';
import type { CopyAuditEvents, SystemLog } from '../process/copy-audit-events.ts';
import { printError } from './output.ts';

/** How a command opens the database. */
export interface OpenStoreOptions {
  /** Creates a missing SQLite file. */
  create?: boolean;
  /** Maximum duration of one statement. Below one second where HTTP requests wait for it. */
  statementTimeoutMs?: number;
  /** Time that a write waits for the lock of another process. */
  lockTimeoutMs?: number;
  /** Author of changes in the audit log. Default: the command line. */
  actorName?: string;
  /** Receives the events of the audit log. Default: as ROSTRA_AUDIT_LOG says for commands. */
  copyAuditEvents?: CopyAuditEvents;
  /** Receives warnings for the operator. Default: standard error. */
  onNotice?: StoreOptions['notice'];
  metrics?: StoreMetrics | undefined;
}

/** What a command can do with a process of its own. */
export interface OwnProcess {
  /** See `limitImportProcess`. */
  limitImport(maxMemory: number): Promise<void>;
  /** See `openSystemLog`. */
  openSystemLog(env: NodeJS.ProcessEnv): SystemLog;
  /** See `startImportProcess`. */
  startImport(args: readonly string[], flags: SettingFlags, variables: NodeJS.ProcessEnv): ChildProcess;
}

/** Of OpenTelemetry. */
export interface CollectorEndpoint {
  url: string;
  /** Percent-encoded, such as `api-key=a%20b,x=y`. */
  headers: string;
}

/** What a command may use of the program. `run-command.ts` provides it. */
export interface CommandContext {
  /** Version of Rostra. */
  version: string;
  environment: Record<string, string | undefined>;
  ownProcess: OwnProcess | undefined;
  /** The warnings about settings that were not printed, because `serve` logs them. */
  takeWarnings(): string[];
  /**
   * The variables of the environment, and those that the file of settings has now.
   *
   * @param file default: that of ROSTRA_CONFIG; empty: none
   * @throws ConfigurationError
   */
  readVariables(file?: string): Record<string, string | undefined>;
  /** Merges flags, environment and defaults. @throws ConfigurationError */
  readConfig(flags: SettingFlags, used?: readonly SettingName[]): Config;
  /** Reads the variables of OpenTelemetry. undefined: traces are not exported. @throws ConfigurationError */
  readTracingSettings(): { endpoint: CollectorEndpoint } | undefined;
  /** See `startTracing`. @throws TracingSettingsError */
  startTracing(onProblem: (sentence: string) => void): Promise<() => Promise<void>>;
  /** @throws StoreConflictError, StoreUnavailableError */
  openStore(config: Config, options: OpenStoreOptions): Promise<OpenedStore>;
  /** See `inspectDatabase`. */
  inspectDatabase(config: Config, options: OpenStoreOptions): Promise<DatabaseInspection>;
  /** See `checkPages`. */
  checkDatabasePages(config: Config): Promise<PageCheck | undefined>;
  /** Connects as the role of `databaseOwner`. @throws StoreUnavailableError */
  isOwnerSuperuser(config: Config, options: OpenStoreOptions): Promise<boolean>;
  /** See `inspectReplicas`. */
  inspectReplicas(config: Config, options: OpenStoreOptions): Promise<PromiseSettledResult<boolean>[]>;
  /** @throws StoreConflictError, StoreUnavailableError */
  copyStore(from: Config, to: Config, options: CopyOptions): Promise<CopyResult>;
  /** See `verifyBackup`. @throws StoreConflictError */
  verifyBackup(file: string): Promise<number>;
  /** See `restore`. @throws StoreConflictError, StoreUnavailableError */
  restoreStore(file: string, config: Config, confirm: () => Promise<void>): Promise<RestoreResult>;
  /** What `distributeStore` would do, also before the schema exists. @throws as `distributeStore` */
  planStoreDistribution(config: Config): Promise<Distribution>;
  /** Distributes published data over the workers of Citus. @throws StoreConflictError, StoreUnavailableError */
  distributeStore(config: Config): Promise<Distribution>;
  /** Restores a backup into a folder, and compares. @throws StoreConflictError, StoreUnavailableError */
  drillStore(config: Config, folder: string): Promise<DrillResult>;
}

/** The flag `--database` of commands; undefined: as the settings say. */
export type DatabaseFlags = { database?: string | undefined };

/** Opens the store, and closes it when `work` has ended. @param readers of settings, besides every command with a store */
export async function withStore<Result>(
  context: CommandContext,
  flags: DatabaseFlags,
  work: (store: OpenedStore, config: Config) => Promise<Result>,
  {
    readers = [],
    isTraced = false,
    ...options
  }: { readers?: readonly Reader[]; isTraced?: boolean } & Pick<
    OpenStoreOptions,
    'create' | 'actorName'
  > = {},
): Promise<Result> {
  const config = context.readConfig(flags, listSettings('store', ...readers));
  const stopTracing = isTraced ? await context.startTracing(printError) : undefined;
  try {
    const store = await context.openStore(config, options);
    try {
      return await work(store, config);
    } finally {
      await store.close();
    }
  } finally {
    await stopTracing?.();
  }
}
