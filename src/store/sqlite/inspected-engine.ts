import type Database from 'better-sqlite3';
import type { InspectedEngine } from '../engine.ts';
import { toStoreError } from './sqlite-errors.ts';

/** Reads a database before it is used. */
export const createInspectedEngine = (connection: Database.Database): InspectedEngine => ({
  dialect: 'sqlite',
  hasTable: async (name) =>
    convertErrors(
      connection,
      () => connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined,
    ),
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
