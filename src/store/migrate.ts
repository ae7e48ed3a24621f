/**
 * Applies the migrations in `migrations/<dialect>/` in their order, each once. Processes may start concurrently: the first
 * one that gets the write lock applies them.
 */
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { StoreConflictError } from '../domain/store-errors.ts';
import { listAssets, readTextAsset } from '../platform/assets.ts';
import type { Engine, Queryable } from './engine.ts';
import { memoize } from './queries/published-lists.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
  /** The oldest schema version whose code works with this migration. See migrations/README.md. */
  compatibleWith: number;
  /** SHA-256 of the file with LF line endings. */
  checksum: string;
}

type AppliedMigration = Pick<Migration, 'version' | 'compatibleWith' | 'checksum'>;

/**
 * Time that a migration of PostgreSQL waits for a table: less than PostgreSQL waits before it looks for a deadlock, which could end a
 * request, and less than the timeout of requests, which wait behind the migration.
 */
const limitTableWait = `SELECT set_config('lock_timeout', greatest(1, least(300, setting::int / 2))::text, true)
  FROM pg_settings WHERE name = 'deadlock_timeout'`;

/** Citus replaces a function only after changes of distributed tables that were made one after the other. PostgreSQL without Citus ignores it. */
const changeShardsSequentially = "SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true)";

/** Citus changes a distributed table by the text of the whole request, which must therefore be one statement. No table is distributed before the first file has run. */
const toBlock = (sql: string) => `DO $migration$ BEGIN\n${sql}\nEND $migration$`;

/**
 * @param backUp called with the names of the migrations before a database that has a schema is changed, with its write lock
 * @returns the names of the applied migrations, in order
 * @throws StoreConflictError see `listPendingMigrations`; StoreUnavailableError if transactions use the tables
 */
export async function migrate(
  engine: Engine,
  backUp?: (migrations: string[]) => Promise<void>,
): Promise<string[]> {
  // Most starts have no pending migrations and should not wait for a write lock.
  if ((await listPendingMigrations(engine)).length === 0) return [];
  return engine.transaction(undefined, async (transaction) => {
    if (engine.dialect === 'postgres') {
      await transaction.exec(limitTableWait);
      await transaction.exec(changeShardsSequentially);
    }
    await transaction.exec(
      'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, compatible_with INTEGER NOT NULL, checksum TEXT NOT NULL)',
    );
    const before = await readApplied(transaction);
    const pending = selectPending(engine, before);
    const names = pending.map(({ name }) => name);
    if (before.length > 0 && pending.length > 0) await backUp?.(names);
    await apply(engine, transaction, pending);
    return names;
  });
}

/** Applies the files that a database with a schema lacks. */
export async function applyPending(
  engine: Pick<Engine, 'dialect'>,
  transaction: MigratedDatabase,
): Promise<void> {
  await apply(engine, transaction, selectPending(engine, await readApplied(transaction)));
}

type MigratedDatabase = Pick<Queryable, 'query' | 'execute' | 'exec'>;

async function apply(
  { dialect }: Pick<Engine, 'dialect'>,
  transaction: MigratedDatabase,
  pending: readonly Migration[],
): Promise<void> {
  for (const { version, name, sql, compatibleWith, checksum } of pending) {
    await transaction.exec(dialect === 'postgres' && version > 1 ? toBlock(sql) : sql);
    await transaction.execute(
      'INSERT INTO schema_migration (version, name, compatible_with, checksum) VALUES ($1, $2, $3, $4)',
      [version, name, compatibleWith, checksum],
    );
  }
}

/**
 * @returns the names of the migrations that the database lacks, in order
 * @throws StoreConflictError if the schema is too new for this version, or an applied migration differs from the file
 */
export async function listPendingMigrations(
  engine: Pick<Engine, 'dialect' | 'hasTable' | 'query'>,
): Promise<string[]> {
  const applied = (await engine.hasTable('schema_migration')) ? await readApplied(engine) : [];
  return selectPending(engine, applied).map(({ name }) => name);
}

/** @returns the name of the last applied migration */
export async function readSchemaName(engine: Pick<Engine, 'query'>): Promise<string> {
  const [last] = await engine.query<{ name: string }>(
    'SELECT name FROM schema_migration ORDER BY version DESC LIMIT 1',
  );
  return last?.name ?? '';
}

/** Whether the migration is of a later version. */
export const isLaterSchema = (dialect: Engine['dialect'], name: string): boolean =>
  !readMigrations(dialect).some((migration) => migration.name === name);

/** Opening a database reads them twice. */
const readMigrations = memoize((dialect: string): Migration[] => {
  const migrations = listAssets(`migrations/${dialect}`)
    .filter((asset) => /\/\d{4}_\w+\.sql$/.test(asset))
    .map((asset) => {
      const file = basename(asset);
      const sql = readTextAsset(asset).replaceAll(/\r\n?/g, '\n');
      const compatibleWith = /^-- Compatible with (\d{4})\.$/m.exec(sql)?.[1];
      if (compatibleWith === undefined) throw new Error(`${file} lacks the line "-- Compatible with NNNN."`);
      const version = Number(file.slice(0, 4));
      const checksum = hash('sha256', sql);
      return {
        version,
        name: file.slice(0, -'.sql'.length),
        sql,
        compatibleWith: Number(compatibleWith),
        checksum,
      };
    });
  for (const [index, { version, name }] of migrations.entries()) {
    const other = migrations.find((each) => each.version === version) as Migration;
    if (other !== migrations[index])
      throw new StoreConflictError(
        `${other.name}.sql and ${name}.sql have the same number. Give the later one the next free number.`,
      );
  }
  return migrations;
});

const readApplied = (statements: Pick<Queryable, 'query'>): Promise<AppliedMigration[]> =>
  statements.query<AppliedMigration>(
    'SELECT version, compatible_with AS "compatibleWith", checksum FROM schema_migration',
  );

function selectPending(
  { dialect }: Pick<Engine, 'dialect'>,
  applied: readonly AppliedMigration[],
): Migration[] {
  const available = readMigrations(dialect);
  const latest = Math.max(...available.map(({ version }) => version));
  const newest = Math.max(0, ...applied.map(({ version }) => version));
  const needed = Math.max(0, ...applied.map(({ compatibleWith }) => compatibleWith));
  if (needed > latest) {
    throw new StoreConflictError(
      `The database was written by a newer version of Rostra: it has schema ${newest}, which works with versions that know schema ${needed}; this one knows schemas up to ${latest}. Install a newer version, or restore a backup taken before the upgrade.`,
    );
  }
  return available.filter(({ version, name, checksum }) => {
    const found = applied.find((one) => one.version === version);
    if (found !== undefined && found.checksum !== checksum)
      throw new StoreConflictError(describeEditedMigration(name));
    return found === undefined;
  });
}

const describeEditedMigration = (name: string) =>
  `The database was created with a different version of the migration ${name}, so its tables are not those that this version of Rostra expects. Install the version that created it, or create a new database and import the data again.`;
