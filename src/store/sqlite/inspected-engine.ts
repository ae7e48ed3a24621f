import type Database from 'better-sqlite3';
import type { InspectedEngine } from '../engine.ts';

/** Reads a database before it is used. */
export const createInspectedEngine = (connection: Database.Database): InspectedEngine => ({
  dialect: 'sqlite',
  hasTable: async (name) =>
    connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined,
  query: async <Row>(sql: string) => connection.prepare(sql).all() as Row[],
  now: async () => Date.now(),
});
