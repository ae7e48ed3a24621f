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
  /** The oldest schema whose code can still work once this migration has run; see migrations/README.md. */
  runsBeside: number;
}

interface Applied {
  version: number;
  runsBeside: number;
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
      'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, runs_beside INTEGER NOT NULL)',
    );
    const applied: string[] = [];
    for (const { version, name, sql, runsBeside } of pending(engine, await appliedTo(inside))) {
      await inside.script(sql);
      await inside.change('INSERT INTO schema_migration (version, name, runs_beside) VALUES ($1, $2, $3)', [
        version,
        name,
        runsBeside,
      ]);
      applied.push(name);
    }
    return applied;
  });
}

/**
 * @returns the names of the migrations that the database lacks, in order
 * @throws StoreRefusal when a newer version has changed the database in a way that this one cannot work with
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
      const sql = readFileSync(new URL(file, folder), 'utf8');
      const beside = /^-- Runs beside (\d{4})\.$/m.exec(sql)?.[1];
      if (beside === undefined) throw new Error(`${file} does not say which schema it runs beside.`);
      const version = Number(file.slice(0, 4));
      return { version, name: file.slice(0, -'.sql'.length), sql, runsBeside: Number(beside) };
    });
}

function appliedTo(statements: Statements): Promise<Applied[]> {
  return statements.rows<Applied>('SELECT version, runs_beside AS "runsBeside" FROM schema_migration');
}

function pending({ dialect }: Engine, applied: readonly Applied[]): Migration[] {
  const known = readMigrations(dialect);
  const ours = Math.max(...known.map(({ version }) => version));
  const newest = Math.max(0, ...applied.map(({ version }) => version));
  const needed = Math.max(0, ...applied.map(({ runsBeside }) => runsBeside));
  if (needed > ours) {
    throw new StoreRefusal(
      `The database was written by a newer version of Rostra: it has schema ${newest}, which works with versions that know schema ${needed}; this one knows schemas up to ${ours}. Install a newer version, or restore a backup taken before the upgrade.`,
    );
  }
  return known.filter(({ version }) => !applied.some((one) => one.version === version));
}
