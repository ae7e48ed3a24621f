/** Opens the store of a configuration: the engine, brought to the newest schema, behind the port. */
import type { Engine } from './engine.ts';
import { intake } from './intake.ts';
import { cursorSecretRotation, ensureCursorSecret, keys } from './keys.ts';
import { migrate } from './migrate.ts';
import { organizations } from './organizations.ts';
import { publishedData } from './published.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import type { Store } from './store.ts';

export interface OpenedStore extends Store {
  /** The migrations that opening it applied. */
  migrations: string[];
}

/**
 * @throws StoreRefusal when the database is missing, foreign, or newer than this version
 * @throws StoreUnavailable when it cannot be opened
 */
export async function openStore(options: SqliteOptions): Promise<OpenedStore> {
  const engine: Engine = await openSqlite(options);
  try {
    const migrations = await migrate(engine);
    await ensureCursorSecret(engine);
    return {
      migrations,
      admit: engine.admit,
      ...publishedData(engine),
      ...cursorSecretRotation(engine),
      ...organizations(engine),
      ...keys(engine, options.rateWindowMs),
      ...intake(engine),
      backup: engine.backup,
      close: engine.close,
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
