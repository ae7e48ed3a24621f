/** Reads a database file before it is used, and does not write: neither a schema nor counters nor a log. */
import type Database from 'better-sqlite3';
import type { InspectedEngine } from '../engine.ts';
import { openConnection } from './open-database-files.ts';

export async function inspectFile<Result>(
  options: { file: string; lockTimeoutMs: number },
  inspect: (engine: InspectedEngine) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection(options, { isInspection: true });
  try {
    return await inspect(createInspectedEngine(connection));
  } finally {
    connection.close();
  }
}

export const createInspectedEngine = (connection: Database.Database): InspectedEngine => ({
  dialect: 'sqlite',
  hasTable: async (name) =>
    connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined,
  query: async <Row>(sql: string) => connection.prepare(sql).all() as Row[],
  now: async () => Date.now(),
});
