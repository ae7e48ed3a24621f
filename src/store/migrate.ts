/**
 * Brings a database to the schema of this version: the numbered files of `migrations/<dialect>/`, in order,
 * each once. Any number of processes may start at once: the first to get the write lock does the work.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { StoreConflictError } from '../domain/store.ts';
import type { Engine, Statements } from './engine.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
  /** The oldest schema whose code can still work once this migration has run; see migrations/README.md. */
  runsBeside: number;
  /** SHA-256 of the file, whose line endings may be those of any system. */
  checksum: string;
}

interface Applied {
  version: number;
  runsBeside: number;
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
    await inside.script(
      'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, runs_beside INTEGER NOT NULL, checksum TEXT NOT NULL)',
    );
    const applied: string[] = [];
    for (const { version, name, sql, runsBeside, checksum } of pending(engine, await appliedTo(inside))) {
      await inside.script(sql);
      await inside.change(
        'INSERT INTO schema_migration (version, name, runs_beside, checksum) VALUES ($1, $2, $3, $4)',
        [version, name, runsBeside, checksum],
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
  const applied = (await engine.hasTable('schema_migration')) ? await appliedTo(engine) : [];
  return pending(engine, applied).map(({ name }) => name);
}

function readMigrations(dialect: string): Migration[] {
  const folder = new URL(`../../migrations/${dialect}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll(/\r\n?/g, '\n');
      const beside = /^-- Runs beside (\d{4})\.$/m.exec(sql)?.[1];
      if (beside === undefined) throw new Error(`${file} does not say which schema it runs beside.`);
      const version = Number(file.slice(0, 4));
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { version, name: file.slice(0, -'.sql'.length), sql, runsBeside: Number(beside), checksum };
    });
}

async function appliedTo(statements: Statements): Promise<Applied[]> {
  // A database that is older than checksums has no such column to ask for.
  const rows = await statements.rows<{ version: number; runs_beside: number; checksum?: string }>(
    'SELECT * FROM schema_migration',
  );
  return rows.map(({ version, runs_beside: runsBeside, checksum }) => ({ version, runsBeside, checksum }));
}

function pending({ dialect }: Engine, applied: readonly Applied[]): Migration[] {
  const known = readMigrations(dialect);
  const ours = Math.max(...known.map(({ version }) => version));
  const newest = Math.max(0, ...applied.map(({ version }) => version));
  const needed = Math.max(0, ...applied.map(({ runsBeside }) => runsBeside));
  if (needed > ours) {
    throw new StoreConflictError(
      `The database was written by a newer version of Rostra: it has schema ${newest}, which works with versions that know schema ${needed}; this one knows schemas up to ${ours}. Install a newer version, or restore a backup taken before the upgrade.`,
    );
  }
  return known.filter(({ version, name, checksum }) => {
    const found = applied.find((one) => one.version === version);
    if (found !== undefined && found.checksum !== checksum) throw new StoreConflictError(editedSince(name));
    return found === undefined;
  });
}

const editedSince = (name: string) =>
  `The database was created with a different version of the migration ${name}, so its tables are not those that this version of Rostra expects. Install the version that created it, or create a new database and import the data again.`;
