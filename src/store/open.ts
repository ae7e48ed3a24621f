/** Opens the store of a configuration: the engine, brought to the newest schema, behind the port. */
import type { Actor } from '../domain/administration.ts';
import { type Store, StoreConflictError } from '../domain/store.ts';
import { administrators } from './administration/administrators.ts';
import { cursorSecretRotation, ensureCursorSecret, keys } from './administration/api-keys.ts';
import { auditLog } from './administration/audit-log.ts';
import { attempts, signIns } from './administration/login-sessions.ts';
import { organizations } from './administration/organizations.ts';
import { overviews } from './administration/statistics.ts';
import { keyDays } from './administration/usage-stats.ts';
import { type Copy, type CopyOptions, copyDatabase } from './copy/copy-database.ts';
import type { Engine } from './engine.ts';
import { importRuns } from './import/import-history.ts';
import { importSources } from './import/import-sources.ts';
import { syncs } from './import/sync-state.ts';
import { intake } from './import/write-records.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { openPostgres, type PostgresOptions } from './postgres/postgres-engine.ts';
import { grantTo, refuseUnsafe, roleOf } from './postgres/roles.ts';
import { publishedData } from './queries/published-data.ts';
import { createReadinessCheck } from './readiness-check.ts';
import { openSqlite, type SqliteOptions } from './sqlite/sqlite-engine.ts';

/** What each engine needs is told by the engine; it takes its own from here. */
export interface StoreOptions extends Omit<SqliteOptions, 'file'>, Omit<PostgresOptions, 'url'> {
  /** A file for SQLite, or a `postgres://` address. */
  database: string;
  /** Address of the role that owns the tables, to bring them up to date with; PostgreSQL only. */
  owner: string | undefined;
  /** Who does what is done without naming another: the audit log has it. */
  actor: Actor;
}

export interface OpenedStore extends Store {
  /** The migrations that opening it applied. */
  migrations: string[];
  /** See `Engine.replaced`. */
  replaced: Promise<string>;
}

/**
 * @throws StoreRefusal when the database is missing, foreign, newer than this version, or not safe to serve from
 * @throws StoreUnavailable when it cannot be opened
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { engine, migrations } = await openPrepared(options);
  const { count, stop, listDailyUsage } = keyDays(engine, options.notice);
  return {
    migrations,
    replaced: engine.replaced,
    admit: async (secretHash) => {
      const admission = await engine.admit(secretHash);
      if (admission !== undefined) count(admission);
      return admission;
    },
    ...publishedData(engine),
    ...cursorSecretRotation(engine),
    ...organizations(engine, options.actor),
    ...keys(engine, options.rateWindowMs, options.actor),
    ...intake(engine, options.actor),
    ...importSources(engine),
    ...importRuns(engine, options.actor),
    ...syncs(engine),
    ...administrators(engine, options.actor),
    ...signIns(engine),
    ...attempts(engine),
    ...auditLog(engine),
    ...overviews(engine),
    listDailyUsage,
    assertReady: createReadinessCheck(engine),
    backup: engine.backup,
    close: async () => {
      await stop();
      await engine.close();
    },
  };
}

/** See `copyDatabase`. @throws as `openStore` for either of the two */
export async function copyStore(from: StoreOptions, to: StoreOptions, options: CopyOptions): Promise<Copy> {
  const { engine: source } = await openPrepared(from);
  try {
    const { engine: target } = await openPrepared(to);
    try {
      return await copyDatabase(source, target, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openPrepared(options: StoreOptions): Promise<{ engine: Engine; migrations: string[] }> {
  const engine = await openEngine(options);
  try {
    const migrations = engine.dialect === 'sqlite' ? await migrate(engine) : await prepare(engine, options);
    await ensureCursorSecret(engine);
    return { engine, migrations };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

const isPostgres = (database: string) => /^postgres(ql)?:\/\//.test(database);

async function openEngine(options: StoreOptions): Promise<Engine> {
  if (isPostgres(options.database)) return openPostgres({ ...options, url: options.database });
  return openSqlite({ ...options, file: options.database });
}

/** Brings the tables up to date where the owner's address is known, and checks that the role may serve. */
async function prepare(engine: Engine, options: StoreOptions): Promise<string[]> {
  const applied = options.owner === undefined ? [] : await migrateAs(options.owner, engine, options);
  await refuseUnsafe(engine);
  const pending = await pendingMigrations(engine);
  if (pending.length > 0) {
    throw new StoreConflictError(
      `The database lacks ${pending.join(', ')}. Run "rostra migrate" with ROSTRA_DATABASE_OWNER, the address of the role that owns the tables.`,
    );
  }
  return applied;
}

async function migrateAs(owner: string, engine: Engine, options: StoreOptions): Promise<string[]> {
  const asOwner = openPostgres({ ...options, url: owner, readUrls: [], connections: 1 });
  try {
    const applied = await migrate(asOwner);
    await grantTo(asOwner, await roleOf(engine));
    return applied;
  } finally {
    await asOwner.close();
  }
}
