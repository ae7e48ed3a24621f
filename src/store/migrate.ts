/**
 * Brings a database to the schema of this version: the numbered files of `migrations/<dialect>/`, in order,
 * each once. Any number of processes may start at once: the first to get the write lock does the work.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StoreConflictError } from '../domain/store-errors.ts';
import type { Engine, Queryable } from './engine.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
  /** The oldest schema whose code can still work once this migration has run; see migrations/README.md. */
  compatibleWith: number;
  /** SHA-256 of the file, whose line endings may be those of any system. */
  checksum: string;
}

interface AppliedMigration {
  version: number;
  compatibleWith: number;
  /** undefined: the database is older than checksums. */
  checksum: string | undefined;
}

/**
 * @returns the names of the migrations applied by this call, in order
 * @throws StoreRefusal as `pendingMigrations`
 */
export async function migrate(engine: Engine): Promise<string[]> {
  // Most starts find nothing to do, and should not wait for a writer to learn that.
  if ((await pendingMigrations(engine)).length === 0) return [];
  return engine.transaction(undefined, async (inside) => {
    await inside.exec(
      'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, compatible_with INTEGER NOT NULL, checksum TEXT NOT NULL)',
    );
    const applied: string[] = [];
    for (const { version, name, sql, compatibleWith, checksum } of selectPending(
      engine,
      await readApplied(inside),
    )) {
      await inside.exec(sql);
      await inside.execute(
        'INSERT INTO schema_migration (version, name, compatible_with, checksum) VALUES ($1, $2, $3, $4)',
        [version, name, compatibleWith, checksum],
      );
      applied.push(name);
    }
    return applied;
  });
}

/**
 * @returns the names of the migrations that the database lacks, in order
 * @throws StoreRefusal when a newer version has changed the database in a way that this one cannot work with, or when a
 *   migration that was applied is not the one that this version has
 */
export async function pendingMigrations(engine: Engine): Promise<string[]> {
  const applied = (await engine.hasTable('schema_migration')) ? await readApplied(engine) : [];
  return selectPending(engine, applied).map(({ name }) => name);
}

function readMigrations(dialect: string): Migration[] {
  const folder = new URL(`../../migrations/${dialect}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll(/\r\n?/g, '\n');
      const compatibleWith = /^-- Compatible with (\d{4})\.$/m.exec(sql)?.[1];
      if (compatibleWith === undefined) throw new Error(`${file} lacks the line "-- Compatible with NNNN."`);
      const version = Number(file.slice(0, 4));
      const checksum = createHash('sha256').update(sql).digest('hex');
      return {
        version,
        name: file.slice(0, -'.sql'.length),
        sql,
        compatibleWith: Number(compatibleWith),
        checksum,
      };
    });
}

async function readApplied(statements: Queryable): Promise<AppliedMigration[]> {
  // A database that is older than checksums has no such column to ask for.
  const rows = await statements.query<{ version: number; compatible_with: number; checksum?: string }>(
    'SELECT * FROM schema_migration',
  );
  return rows.map(({ version, compatible_with: compatibleWith, checksum }) => ({
    version,
    compatibleWith,
    checksum,
  }));
}

function selectPending({ dialect }: Engine, applied: readonly AppliedMigration[]): Migration[] {
  const known = readMigrations(dialect);
  const ours = Math.max(...known.map(({ version }) => version));
  const newest = Math.max(0, ...applied.map(({ version }) => version));
  const needed = Math.max(0, ...applied.map(({ compatibleWith }) => compatibleWith));
  if (needed > ours) {
    throw new StoreConflictError(
      `The database was written by a newer version of Rostra: it has schema ${newest}, which works with versions that know schema ${needed}; this one knows schemas up to ${ours}. Install a newer version, or restore a backup taken before the upgrade.`,
    );
  }
  return known.filter(({ version, name, checksum }) => {
    const found = applied.find((one) => one.version === version);
    if (found !== undefined && found.checksum !== checksum)
      throw new StoreConflictError(editedMigrationMessage(name));
    return found === undefined;
  });
}

const editedMigrationMessage = (name: string) =>
  `The database was created with a different version of the migration ${name}, so its tables are not those that this version of Rostra expects. Install the version that created it, or create a new database and import the data again.`;
