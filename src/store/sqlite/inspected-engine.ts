import type Database from 'better-sqlite3';
import type { InspectedEngine } from '../engine.ts';
import { toStoreError } from './sqlite-errors.ts';

/** Of the main database: others are attached. */
export const hasTable = (connection: Database.Database, name: string): boolean =>
  connection.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(name) !== undefined;

/** Reads a database before it is used. */
export const createInspectedEngine = (connection: Database.Database): InspectedEngine => ({
  dialect: 'sqlite',
  hasTable: async (name) => convertErrors(connection, () => hasTable(connection, name)),
  query: async <Row>(sql: string) => convertErrors(connection, () => connection.prepare(sql).all() as Row[]),
  now: async () => Date.now(),
});

function convertErrors<Result>({ name }: Database.Database, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw toStoreError(error, name);
  }
}
