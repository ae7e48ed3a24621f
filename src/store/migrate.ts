/**
 * Brings a database to the schema of this version: the numbered files of `migrations/<dialect>/`, in order,
 * each once. Any number of processes may start at once: the first to get the write lock does the work.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Engine, Statements } from './engine.ts';
import { StoreRefusal } from './store.ts';

interface Migration {
  version: number;
  name: string;
  sql: string;
}

/**
 * @returns the names of the migrations applied by this call, in order
 * @throws StoreRefusal when the database was written by a newer version
 */
export async function migrate(engine: Engine): Promise<string[]> {
  const known = readMigrations(engine.dialect);
  // Most starts find nothing to do, and should not wait for a writer to learn that.
  if (pending(known, await appliedVersions(engine)).length === 0) return [];
  return engine.transaction(async (inside) => {
    await inside.script(
      'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)',
    );
    const applied: string[] = [];
    for (const { version, name, sql } of pending(known, await appliedVersions(inside))) {
      await inside.script(sql);
      await inside.change('INSERT INTO schema_migration (version, name) VALUES ($1, $2)', [version, name]);
      applied.push(name);
    }
    return applied;
  });
}

function readMigrations(dialect: string): Migration[] {
  const folder = new URL(`../../migrations/${dialect}/`, import.meta.url);
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(0, -'.sql'.length),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }));
}

async function appliedVersions(statements: Statements): Promise<number[]> {
  const [table] = await statements.rows("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'");
  if (table === undefined) return [];
  const rows = await statements.rows<{ version: number }>(
    'SELECT version FROM schema_migration ORDER BY version',
  );
  return rows.map(({ version }) => version);
}

function pending(known: Migration[], applied: number[]): Migration[] {
  const newest = Math.max(0, ...applied);
  const ours = Math.max(...known.map(({ version }) => version));
  if (newest > ours) {
    throw new StoreRefusal(
      `The database was written by a newer version of Rostra: it has schema ${newest}, this version knows schemas up to ${ours}. Install the newer version, or restore a backup taken before the upgrade.`,
    );
  }
  return known.filter(({ version }) => !applied.includes(version));
}
