/** Opens the configured database, applies pending migrations, and creates the store. */
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Actor } from '../domain/accounts/actor.ts';
import type { RecordedAuditEvent } from '../domain/accounts/audit-log.ts';
import { isPostgresUrl } from '../domain/installation/is-postgres-url.ts';
import type { Store } from '../domain/store.ts';
import { StoreConflictError, StoreDamagedError, StoreUnavailableError } from '../domain/store-errors.ts';
import { createAccountStore } from './accounts/accounts.ts';
import { createAttemptLimitStore } from './accounts/attempt-limits.ts';
import { createCredentialStore } from './accounts/credentials.ts';
import { createLoginSessionStore } from './accounts/login-sessions.ts';
import { createNotificationSettingStore } from './accounts/notification-settings.ts';
import { createApprovalStore } from './approvals/approval-store.ts';
import { type CopyOptions, type CopyResult, copyDatabase } from './copy/copy-database.ts';
import { type Engine, reportAuditEvents } from './engine.ts';
import { type DatabaseInspection, inspectEngine } from './inspect-database.ts';
import { createAuditLogStore } from './installation/audit-log.ts';
import { addCursorSecret, ensureCursorSecret, readCursorSecrets } from './installation/cursor-secrets.ts';
import { createNotificationEventStore } from './installation/find-notification-events.ts';
import { createMailOutbox } from './installation/mail-outbox.ts';
import { createMaintenanceRunStore } from './installation/maintenance-runs.ts';
import { createProvisioningStore } from './installation/provision-in-bulk.ts';
import { createPruningStore } from './installation/pruning.ts';
import { createQueueStore } from './installation/queue-lengths.ts';
import { restartChangeHistory } from './installation/restart-change-history.ts';
import { createUnrecordedFailures } from './installation/unrecorded-failures.ts';
import { createApiKeyStore } from './keys/api-keys.ts';
import { createKeyUsageStore } from './keys/key-usage.ts';
import { createUsageCounter, type Notice } from './keys/usage-counter.ts';
import { listPendingMigrations, migrate, readSchemaName } from './migrate.ts';
import { createOrganizationOverviewStore } from './organizations/organization-overview.ts';
import { createOrganizationStore } from './organizations/organizations.ts';
import { createStatisticsStore } from './organizations/published-data-statistics.ts';
import {
  assertNoWorker,
  type Distribution,
  distributeTables,
  planDistribution,
} from './postgres/distribute-tables.ts';
import { maxOtherConnections, openPostgres, type PostgresOptions } from './postgres/postgres-engine.ts';
import { isLockConflict } from './postgres/postgres-errors.ts';
import { assertSafeRole, grantServingRole, readCurrentRole } from './postgres/serving-role.ts';
import { createOpenPageStore } from './queries/open-data-pages.ts';
import { createPublishedDataStore } from './queries/published-data-store.ts';
import { createPublishedDatasetStore } from './queries/published-dataset.ts';
import { createPublishedDataSearch } from './queries/search-published-data.ts';
import { createReadinessCheck } from './readiness-check.ts';
import { createRecordDecisionStore } from './record-decisions/record-decision-store.ts';
import { createRecordNoteStore } from './records/record-notes.ts';
import { createReleasedSurveyStore } from './records/released-surveys.ts';
import { createImportStore } from './records/write-records.ts';
import { createEndpointMirrorStore } from './runs/endpoint-mirror.ts';
import { createImportSourceStore } from './runs/import-sources.ts';
import { createImportHistoryStore } from './runs/run-history.ts';
import { createRunQueueStore } from './runs/run-queue.ts';
import { createSourceStore } from './runs/source-definitions.ts';
import { createSourceFreshnessStore } from './runs/source-freshness.ts';
import { createImportUndoStore } from './runs/undo-import.ts';
import { verifyBackup } from './sqlite/backups/check-backup-file.ts';
import { type DrillResult, drill } from './sqlite/backups/drill.ts';
import { checkPages, type PageCheck } from './sqlite/backups/find-damage.ts';
import { type RestoreResult, restore } from './sqlite/backups/restore.ts';
import { createInspectedEngine } from './sqlite/inspected-engine.ts';
import { assertDatabaseExists, openUnchanged } from './sqlite/open-database-files.ts';
import { openSqlite, type SqliteOptions } from './sqlite/sqlite-engine.ts';
import { createWordIndexStore, maintainWordIndex } from './words/maintain-word-index.ts';

export {
  type DatabaseInspection,
  type Distribution,
  type DrillResult,
  type PageCheck,
  type RestoreResult,
  verifyBackup,
};

export interface StoreOptions extends Omit<SqliteOptions, 'file'>, Omit<PostgresOptions, 'url'> {
  /** Receives what the operator should know: a sentence, and fields for the log. */
  notice: Notice;
  /** An SQLite file or a `postgres://` URL. */
  database: string;
  /** URL of the role that owns the tables and applies migrations; PostgreSQL only. */
  owner: string | undefined;
  /** Whether the installation has an index of words. */
  wordSearch: boolean;
  /** Default actor for the audit log. */
  actor: Actor;
  /** Receives the events of the audit log after their commit. */
  reportAuditEvents: (events: readonly RecordedAuditEvent[]) => void;
}

export interface OpenedStore extends Store {
  /** The migrations that opening it applied. */
  migrations: string[];
  /** Name of the last applied migration. */
  readSchemaName(): Promise<string>;
  /** See `Engine.replaced`. */
  replaced: Promise<string>;
  /** See `Engine.damaged`. */
  damaged: Promise<StoreDamagedError>;
}

/**
 * @throws StoreConflictError if the database is missing, belongs to another application, has a newer schema, or its role
 *   could bypass row-level security
 * @throws StoreUnavailableError if the database cannot be opened
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { engine: plain, migrations } = await openCurrentEngine(options);
  const indexing = maintainWordIndex(plain, options.wordSearch);
  const engine = reportAuditEvents(indexing, options.reportAuditEvents);
  const owner = createOwnerEngine(engine, options);
  const { recordUse, recordInactiveKey, stop } = createUsageCounter(engine, options.notice);
  return {
    migrations,
    readSchemaName: () => readSchemaName(engine),
    replaced: engine.replaced,
    damaged: engine.damaged,
    admit: engine.admit,
    recordUse,
    recordInactiveKey,
    ...createPublishedDataStore(engine, options.wordSearch),
    ...createPublishedDatasetStore(engine),
    ...createPublishedDataSearch(engine, options.wordSearch),
    ...createWordIndexStore(engine, options.wordSearch),
    openDataPages: createOpenPageStore(engine, options.wordSearch),
    readCursorSecrets: () => readCursorSecrets(engine),
    rotateCursorSecret: () => engine.transaction(undefined, addCursorSecret),
    restartChangeHistory: () => restartChangeHistory(engine),
    ...createOrganizationStore(engine, options.actor),
    ...createApiKeyStore(engine, options.rateWindowMs, options.actor),
    ...createImportStore(engine),
    ...createImportSourceStore(engine),
    ...createSourceStore(engine, options.actor),
    ...createSourceFreshnessStore(engine),
    ...createImportHistoryStore(engine, options.actor),
    ...createRunQueueStore(engine, options.actor),
    ...createImportUndoStore(engine, options.actor),
    ...createRecordDecisionStore(engine, options.actor),
    ...createRecordNoteStore(engine),
    ...createReleasedSurveyStore(engine),
    ...createEndpointMirrorStore(engine),
    ...createAccountStore(engine, options.actor),
    ...createCredentialStore(engine, options.actor),
    ...createProvisioningStore(engine, options.actor),
    ...createLoginSessionStore(engine),
    ...createMailOutbox(engine),
    ...createQueueStore(engine),
    ...createMaintenanceRunStore(
      engine,
      engine.dialect === 'sqlite' ? createUnrecordedFailures(options.database) : undefined,
    ),
    ...createApprovalStore(engine),
    ...createPruningStore(engine, owner.get, options.actor),
    ...createNotificationEventStore(engine),
    ...createNotificationSettingStore(engine),
    ...createAttemptLimitStore(engine),
    ...createAuditLogStore(engine),
    ...createStatisticsStore(engine),
    ...createOrganizationOverviewStore(engine),
    ...createKeyUsageStore(engine),
    assertReady: createReadinessCheck(engine),
    backup: engine.backup,
    close: async () => {
      await stop();
      await owner.close();
      await engine.close();
    },
  };
}

/** Opens the database without a change of its schema. @throws as `openStore`, except for the schema and the role */
export async function inspectDatabase(options: StoreOptions): Promise<DatabaseInspection> {
  if (!isPostgresUrl(options.database)) {
    const file = options.database;
    assertDatabaseExists(file);
    const { connection, close } = openUnchanged({ ...options, file });
    try {
      return await inspectEngine(createInspectedEngine(connection), async () => undefined);
    } finally {
      close();
    }
  }
  await using engine = openPostgres({ ...options, url: options.database, readUrls: [] });
  return await inspectEngine(engine, () => assertSafeRole(engine), maxOtherConnections);
}

/** See `checkPages`. undefined: PostgreSQL, which has tools of its own */
export const checkDatabasePages = async ({ database }: StoreOptions): Promise<PageCheck | undefined> =>
  isPostgresUrl(database) ? undefined : checkPages(database);

/** @throws StoreUnavailableError if the owner cannot connect */
export async function isOwnerSuperuser(options: StoreOptions): Promise<boolean> {
  await using owner = openAsOwner(options.owner as string, options);
  const [row] = await owner.query<{ isSuperuser: boolean }>(
    'SELECT rolsuper AS "isSuperuser" FROM pg_roles WHERE rolname = current_user',
  );
  return row?.isSuperuser === true;
}

/** @returns for each replica whether it is a standby, or the error that makes it unusable */
export function inspectReplicas(options: StoreOptions): Promise<PromiseSettledResult<boolean>[]> {
  return Promise.allSettled(
    options.readUrls.map(async (url) => {
      await using engine = openPostgres({ ...options, url, readUrls: [], connections: 1 });
      const [row] = await engine.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
      return row?.standby === true;
    }),
  );
}

/** See `copyDatabase`. @throws as `openStore` for either of the two */
export async function copyStore(
  from: StoreOptions,
  to: StoreOptions,
  options: CopyOptions,
): Promise<CopyResult> {
  // Replicas may be behind.
  await using source = (await openCurrentEngine({ ...from, readUrls: [] })).engine;
  await using target = (await openCurrentEngine({ ...to, readUrls: [] })).engine;
  const reporting = reportAuditEvents(maintainWordIndex(target, to.wordSearch), to.reportAuditEvents);
  return await copyDatabase(source, reporting, options, to.actor);
}

/** See `restore`. @throws also StoreConflictError for PostgreSQL */
export async function restoreStore(
  file: string,
  database: string,
  confirm: () => Promise<void>,
): Promise<RestoreResult> {
  if (isPostgresUrl(database)) {
    throw new StoreConflictError(
      'Restore PostgreSQL with its own tools, then run "rostra change-history restart". See docs/backup.md.',
    );
  }
  return restore(file, database, confirm);
}

/** See `drill`. @throws also StoreConflictError for PostgreSQL */
export async function drillStore(options: StoreOptions, folder: string): Promise<DrillResult> {
  if (isPostgresUrl(options.database))
    throw new StoreConflictError(
      'A drill needs an SQLite database. docs/backup.md says how to test a restore of PostgreSQL.',
    );
  return drill(options.database, folder, async (restored) => {
    await using engine = (await openCurrentEngine({ ...options, database: restored })).engine;
    await createReadinessCheck(engine)();
    const { findOrganizationDocument } = createPublishedDataStore(engine, options.wordSearch);
    for (const { id } of await createOrganizationStore(engine, options.actor).listOrganizationNames())
      await findOrganizationDocument(id);
  });
}

/** See `planDistribution`. @throws also StoreConflictError for SQLite, and without an owner */
export const planStoreDistribution = (options: StoreOptions): Promise<Distribution> =>
  withOwnerOfDistribution(options, planDistribution);

/** See `distributeTables`. The schema must be current. @throws as `planStoreDistribution` */
export const distributeStore = (options: StoreOptions): Promise<Distribution> =>
  withOwnerOfDistribution(options, distributeTables);

async function withOwnerOfDistribution(
  options: StoreOptions,
  work: (owner: Engine) => Promise<Distribution>,
): Promise<Distribution> {
  if (!isPostgresUrl(options.database))
    throw new StoreConflictError(
      'Citus is an extension of PostgreSQL. Set ROSTRA_DATABASE to its coordinator.',
    );
  if (options.owner === undefined)
    throw new StoreConflictError(
      'Only the owner of the tables can distribute them. Set ROSTRA_DATABASE_OWNER to its address.',
    );
  await using owner = openAsOwner(options.owner, options);
  return await work(owner);
}

async function openCurrentEngine(options: StoreOptions): Promise<{ engine: Engine; migrations: string[] }> {
  const engine = isPostgresUrl(options.database)
    ? openPostgres({ ...options, url: options.database })
    : await openSqlite({ ...options, file: options.database });
  try {
    const migrations =
      engine.dialect === 'sqlite'
        ? await migrateAfterBackup(engine, options)
        : await prepareRole(engine, options);
    await ensureCursorSecret(engine);
    return { engine, migrations };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * A failed migration leaves no backup: a service that starts again and again would fill the disk. Of a damaged database, the backup
 * may be the only intact copy.
 */
async function migrateAfterBackup(engine: Engine, options: StoreOptions): Promise<string[]> {
  let file: string | undefined;
  try {
    return await migrate(engine, async (names) => {
      const time = new Date().toISOString().replaceAll(':', '-');
      const written = `${options.database}.before-${names[0]}-${time}`;
      await engine.backup(written);
      file = written;
      const migrations = `${names.length === 1 ? 'migration' : 'migrations'} ${names.join(', ')}`;
      options.notice(`Backed up the database to ${file} before the ${migrations}.`);
    });
  } catch (error) {
    const isUnchanged = (await listPendingMigrations(engine).catch(() => [])).length > 0;
    if (file !== undefined && isUnchanged && !(error instanceof StoreDamagedError)) {
      rmSync(file, { force: true });
      options.notice(`The migration failed and changed nothing, so ${file} was removed.`);
    }
    throw error;
  }
}

/** Applies migrations as the owner, if configured, and checks the serving role. */
async function prepareRole(engine: Engine, options: StoreOptions): Promise<string[]> {
  await assertNoWorker(engine, 'ROSTRA_DATABASE');
  const applied = options.owner === undefined ? [] : await migrateAs(options.owner, engine, options);
  await assertSafeRole(engine);
  const pending = await listPendingMigrations(engine);
  if (pending.length > 0) {
    throw new StoreConflictError(
      `The database lacks ${pending.join(', ')}. Run "rostra migrate" with ROSTRA_DATABASE_OWNER, the address of the role that owns the tables.`,
    );
  }
  return applied;
}

const openAsOwner = (owner: string, options: StoreOptions) =>
  openPostgres({ ...options, url: owner, readUrls: [], connections: 1, metrics: undefined });

/** For statements that the serving role may not run. On SQLite, there are no roles. */
function createOwnerEngine(engine: Engine, options: StoreOptions) {
  let asOwner: Engine | undefined;
  return {
    /** @throws StoreConflictError without the URL of the owner */
    get: (): Engine => {
      if (engine.dialect === 'sqlite') return engine;
      if (options.owner === undefined)
        throw new StoreConflictError(
          'The role of ROSTRA_DATABASE may not delete from the audit log. Set ROSTRA_DATABASE_OWNER, the address of the role that owns the tables.',
        );
      asOwner ??= openAsOwner(options.owner, options);
      return asOwner;
    },
    close: async () => asOwner?.close(),
  };
}

async function migrateAs(owner: string, engine: Engine, options: StoreOptions): Promise<string[]> {
  await using asOwner = openAsOwner(owner, options);
  await assertNoWorker(asOwner, 'ROSTRA_DATABASE_OWNER');
  const applied = await migrateBetweenTransactions(asOwner, options);
  await grantServingRole(asOwner, await readCurrentRole(engine));
  return applied;
}

const migrationRetryMs = 1_000;

/** Tries again while transactions use the tables. */
async function migrateBetweenTransactions(
  owner: Engine,
  { lockTimeoutMs, notice }: StoreOptions,
): Promise<string[]> {
  const startedMs = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await migrate(owner);
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      if (performance.now() - startedMs > lockTimeoutMs)
        throw new StoreUnavailableError(
          'Transactions use the tables that the migration changes. End those that take long, such as imports and backups with pg_dump, or wait for autovacuum, and try again.',
          { cause: error },
        );
      if (isFirst) notice('The migration waits for transactions that use its tables.');
    }
    await setTimeout(migrationRetryMs);
  }
}
